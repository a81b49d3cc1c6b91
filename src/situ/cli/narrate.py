"""`situ lab narrate`: a recording or a memory in words."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadInput
from situ.memory import SpatialMemory
from situ.narrate.camera_words import read_motions
from situ.narrate.narrative import Narrative
from situ.narrate.oracle import FPS, SEGMENT, frames_at, narrate, oracle_narrative
from situ.narrate.scene_words import read_mentions
from situ.perception.odometry import estimate_path
from situ.recording import Recording
from situ.state import PathState


class Source(StrEnum):
    """Where the camera's motion is read from."""

    TRUTH = "truth"
    ODOMETRY = "odometry"


def narrate_source(
    source: Annotated[Path, typer.Argument(help="A recording, or a memory (NAME.situ).")],
    segment: Annotated[int, typer.Option(help="Frames in a segment.")] = SEGMENT,
    fps: Annotated[float, typer.Option(help="Frames a second that the narrator sees.")] = FPS,
    scene_only: Annotated[bool, typer.Option("--scene-only", help="Leave out how the camera moves.")] = False,
    poses: Annotated[
        Source, typer.Option(help="truth: the recording's own poses; odometry: from its pictures alone.")
    ] = Source.TRUTH,
    as_json: JsonFlag = False,
) -> None:
    """Tell what is there and how the camera moves, segment by segment, as a perfect observer would."""
    narrative = _narrative(source, segment, fps, poses)
    if scene_only:
        narrative = narrative.scene_only
    if as_json:
        print_json(_plain(source, narrative))
    else:
        console.print(narrative.text, soft_wrap=True)


def _narrative(source: Path, segment: int, fps: float, poses: Source) -> Narrative:
    if source.suffix == ".situ":
        if poses is Source.ODOMETRY:
            raise BadInput("a memory has its own poses; --poses odometry is for recordings")
        with SpatialMemory.open(source) as memory:
            state = memory.state()
            return narrate(state, frames_at(state.path.times.tolist(), fps), segment)
    recording = Recording.open(source)
    if poses is Source.TRUTH and recording.meta.get("poses") == "unknown":
        raise BadInput(f"{source} does not know where its camera was; use --poses odometry")
    if poses is Source.TRUTH:
        return oracle_narrative(recording, segment, fps)
    if not recording.has_images:
        raise BadInput(f"{source} has no pictures; use --poses truth")
    pictures = zip(recording.path.times.tolist(), recording.images(), strict=True)
    path = estimate_path(pictures, recording.camera).path
    return narrate(PathState(path), frames_at(path.times.tolist(), fps), segment)


def _plain(source: Path, narrative: Narrative) -> dict[str, Any]:
    segments = [
        {
            "number": part.number,
            "frames": [part.first, part.last],
            "scene": part.scene,
            "camera": part.camera,
            "motions": [motion._asdict() for motion in read_motions(part.camera)],
            "things": [mention._asdict() for mention in read_mentions(part.scene)],
        }
        for part in narrative.segments
    ]
    return {"source": str(source), "segments": segments, "text": narrative.text}
