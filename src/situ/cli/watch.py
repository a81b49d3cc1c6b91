"""`situ watch`: a recording into a memory."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadInput
from situ.evaluate.memory_participant import STILL_WORLD, remember_solids
from situ.memory import Memory, MemoryOptions
from situ.perception.oracle import oracle_frames
from situ.recording import Recording


class Eyes(StrEnum):
    """Who looks at the frames."""

    AUTO = "auto"
    SOLIDS = "solids"
    TRUTH = "truth"


def watch(
    source: Annotated[Path, typer.Argument(help="A recording, such as an item of a question set.")],
    into: Annotated[Path, typer.Option("--into", help="Memory to write or to go on with: NAME.situ.")],
    eyes: Annotated[
        Eyes,
        typer.Option(
            help="solids: coloured solids from pixels and actions; truth: the recording's own annotations; "
            "auto: solids for REM, else truth."
        ),
    ] = Eyes.AUTO,
    as_json: JsonFlag = False,
) -> None:
    """Watch a recording into a spatial memory that can be asked: one file, safe to read while it is written.

    Interrupted? Run the same command again: it goes on after the last frame that was committed.
    """
    recording = Recording.open(source)
    is_rem = recording.meta.get("benchmark") == "rem"
    solids = eyes == Eyes.SOLIDS or (eyes == Eyes.AUTO and is_rem)
    if solids and not recording.has_images:
        raise BadInput(f"{source} has no pictures; use --eyes truth")
    options = STILL_WORLD if solids else MemoryOptions()
    with Memory.open(into) if into.exists() else Memory.create(into, options) as memory:
        before = memory.frames
        if solids:
            remember_solids(recording, memory)
        else:
            for frame in list(oracle_frames(recording))[before:]:
                memory.observe(frame.exact())
        objects = sum(view.presence > 0.5 for view in memory.state().objects())
        report = {"memory": str(into), "frames": memory.frames, "new_frames": memory.frames - before}
    if as_json:
        print_json({**report, "objects": objects, "eyes": "solids" if solids else "truth"})
    else:
        console.print(
            f"{into}: {report['frames']} frames ({report['new_frames']} new), {objects} objects",
            highlight=False,
        )
