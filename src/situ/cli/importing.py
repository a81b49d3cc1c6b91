"""`situ import`: real recordings into situ's format."""

from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, errors, print_json
from situ.recording.formats.registry import FORMATS, import_batch, import_named

_KNOWN = "; ".join(f"{name}: {kind.about}" for name, kind in FORMATS.items())


def import_recording(
    name: Annotated[str, typer.Argument(metavar="FORMAT", help=_KNOWN)],
    path: Annotated[Path, typer.Argument(help="A source, or a folder of sources.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new recording or recordings.")],
    things: Annotated[
        Path | None,
        typer.Option(help="CSV file that names things in an RGB-D source: label,frame,x,y (a pixel)."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Read real data (Project Aria, ScanNet, TUM RGB-D, HoloLens, video) into a recording.

    The result has the world z up and cameras in OpenCV axes, whatever the source used. A source that breaks
    a rule of its format is listed with the rule; the others come in. Exit code 1 if any failed.
    """
    report = import_batch(name, path, out) if things is None else import_named(name, path, things, out)
    done = [
        {"out": str(r.out), "frames": r.frames, "objects": r.objects, "skipped": r.skipped}
        for r in report.done
    ]
    if as_json:
        print_json({"imported": done, "failed": list(report.failed)})
    for imported in report.done if not as_json else ():
        console.print(
            f"{imported.out}: {imported.frames} frames, {imported.objects} objects", highlight=False
        )
        for reason in imported.skipped:
            errors.print(f"left out: {reason}", highlight=False)
    for reason in report.failed if not as_json else ():
        errors.print(f"failed: {reason}", highlight=False)
    if report.failed:
        raise typer.Exit(1)
