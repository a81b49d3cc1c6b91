"""Narrative of a perfect observer: the upper bound of the Spatial Narrative Score.

It is generated from the truth, segment by segment, in the form that models are asked for. It separates errors
of the reader from errors of the narrating model.
"""

import math
from collections.abc import Sequence

from situ.errors import BadInput
from situ.narrate.camera_words import camera_words
from situ.narrate.narrative import Narrative, Segment
from situ.narrate.scene_words import names_for, scene_words
from situ.recording import Recording
from situ.state import SpatialState, TruthState

SEGMENT, FPS = 16, 2.0  # frames per segment and per second, as published
_SLACK_S = 1e-6


def oracle_narrative(
    recording: Recording,
    segment: int = SEGMENT,
    fps: float = FPS,
    frames: Sequence[int] | None = None,
    max_objects: int | None = None,
) -> Narrative:
    """Narrate a recording from its truth. `frames`: those shown to the narrator; default `fps` per second.

    `max_objects`: limit of objects per segment, like a limit on its length.
    """
    state = TruthState.of(recording)
    shown = list(frames) if frames is not None else frames_at(recording.path.times.tolist(), fps)
    return narrate(state, shown, segment, max_objects)


def narrate(
    state: SpatialState, frames: Sequence[int], segment: int = SEGMENT, max_objects: int | None = None
) -> Narrative:
    """Narrate a state, truth or memory, as seen in some of its frames."""
    if segment < 2:
        raise BadInput(f"a segment needs at least two frames to show motion, got {segment}")
    if not frames:
        raise BadInput("there are no frames to narrate")
    names = names_for(state)
    parts = []
    for number, start in enumerate(range(0, len(frames), segment), 1):
        shown = frames[start : start + segment]
        until = frames[start + segment] if start + segment < len(frames) else None
        scene = scene_words(state, shown, start + 1, names, max_objects).text
        camera = camera_words(state.path, shown, start + 1, until)
        parts.append(Segment(number, start + 1, start + len(shown), scene, camera))
    return Narrative(tuple(parts))


def frames_at(times: Sequence[float], fps: float) -> list[int]:
    """First frame of every interval of 1/fps seconds."""
    if not fps > 0:
        raise BadInput(f"fps must be above 0, got {fps:g}")
    kept: dict[int, int] = {}
    for index, time in enumerate(times):
        kept.setdefault(math.floor((time - times[0]) * fps + _SLACK_S), index)
    return list(kept.values())
