"""`situ lab cues`: what helps a model to see how two objects lie."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.english import counted
from situ.evaluation.cues.ladder import write_cues
from situ.memory import SpatialMemory
from situ.recording import Recording


def cues(
    recording: Annotated[
        Path, typer.Argument(help="A recording, such as DIR/items/000000 of a question set.")
    ],
    pair: Annotated[
        tuple[str, str], typer.Option(help="Two objects by name, such as --pair sofa 'red vase'.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the pictures and texts.")],
    memory: Annotated[
        Path | None,
        typer.Option(help="A memory of the recording, to use its estimates instead of the truth."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write the cue ladder for two objects: marked frames, trajectory, bird's-eye picture, full 3D text."""
    with ExitStack() as stack:
        state = stack.enter_context(SpatialMemory.open(memory, read_only=True)).state() if memory else None
        files = write_cues(Recording.open(recording), *pair, out, state)
    if as_json:
        print_json({"files": [str(path) for path in files]})
    else:
        console.print(f"{counted(len(files), 'file')} in {out}")
