"""`situ cues`: what helps a model to see how two objects lie."""

from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.evaluate.cues.ladder import write_cues
from situ.recording import Recording


def cues(
    recording: Annotated[
        Path, typer.Argument(help="A recording, such as DIR/items/000000 of a question set.")
    ],
    pair: Annotated[
        tuple[str, str], typer.Option(help="Two objects by name, such as --pair sofa 'red vase'.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the pictures and texts.")],
    as_json: JsonFlag = False,
) -> None:
    """Write the cue ladder for two objects: marked frames, trajectory, bird's-eye picture, full 3D text."""
    files = write_cues(Recording.open(recording), *pair, out)
    if as_json:
        print_json({"files": [str(path) for path in files]})
    else:
        console.print(f"{len(files)} files in {out}")
