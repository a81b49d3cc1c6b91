"""Whether the pictures show the stored world from the stored poses: a few frames are drawn again.

A frame that shows something else, comes from elsewhere, or whose colours or masks were changed differs from
the one that its pose and the world give.
"""

from collections.abc import Iterator

import numpy as np

from situ.benchmarks.stage import Stage
from situ.errors import SituError
from situ.recording import Recording
from situ.rendering import Renderer

FRAMES = 3  # of each recording
MOST_DIFFERENCE = 12.0  # mean over pixels, of 255: what compression leaves is under 4
MOST_OF_THINGS = 25.0  # the same over pixels of things, which have more edges
LEAST_EQUAL = 0.995  # of a mask


def picture_problems(recording: Recording) -> list[str]:
    """What is wrong with some frames; nothing is known where no world or no picture is stored."""
    try:
        return list(_problems(recording))
    except SituError as error:
        return [str(error)]


def _problems(recording: Recording) -> Iterator[str]:
    stored = recording.meta.get("pictures", "stored") == "stored"
    if recording.scene is None or not stored or not (recording.has_images or recording.has_ids):
        return
    last = _unchanged(recording)
    if recording.events and recording.meta.get("benchmark") == "ucs":
        return  # its world changes in every frame; its masks are drawn, not stored
    stage = Stage(recording.scene, recording.events, recording.camera)
    renderer = Renderer(recording.scene.with_objects(stage.drawn(-np.inf)), recording.camera)
    for index in sorted({round(share * last) for share in np.linspace(0, 1, FRAMES)}):
        drawn = renderer.render(recording.frames[index].T_world_camera)
        if recording.has_ids and np.mean(recording.ids(index) == drawn.ids) < LEAST_EQUAL:
            yield f"frame {index}: the mask is not what its pose and the world give"
        if recording.has_images and recording.meta.get("renderer", "situ") == "situ":
            off = np.abs(recording.image(index).astype(float) - drawn.rgb).mean(axis=2)
            things = off[drawn.ids > 0] if (drawn.ids > 0).any() else off
            if off.mean() > MOST_DIFFERENCE or things.mean() > MOST_OF_THINGS:
                how = f"({off.mean():.0f} of 255 off, things {things.mean():.0f})"
                yield f"frame {index}: the picture is not what its pose and the world give {how}"


def _unchanged(recording: Recording) -> int:
    """The last frame before anything happened: until then the world is as it was stored."""
    times = recording.path.times
    first = min((event.time for event in recording.events), default=np.inf)
    return max(0, int(np.searchsorted(times, first)) - 1) if np.isfinite(first) else len(times) - 1
