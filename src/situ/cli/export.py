"""`situ export`: a recording for other tools."""

from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.english import counted
from situ.recording.formats.exports import EXPORTS
from situ.recording.reader import Recording

_KINDS = "; ".join(f"{name}: {EXPORTS.about(name)}" for name in EXPORTS)


def export(
    recording: Annotated[
        Path, typer.Argument(help="A recording: an item of a set, or what `situ import` made.")
    ],
    to: Annotated[str, typer.Option("--to", help=f"{_KINDS}.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder or file to write; must not exist.")],
    as_json: JsonFlag = False,
) -> None:
    """Write a recording for other tools: pictures, poses, intrinsics and times."""
    opened = Recording.open(recording)
    EXPORTS.find(to)(opened, out)
    if as_json:
        print_json({"out": str(out), "frames": len(opened)})
    else:
        console.print(f"{counted(len(opened), 'frame')} in {out}")
