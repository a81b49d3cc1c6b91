"""The options of `situ watch` that are no fields of a `WatchPlan`."""

from pathlib import Path
from typing import Annotated

import typer

from situ.api.watching import Eyes

Source = Annotated[
    Path,
    typer.Argument(
        help="A video, a recording, or a folder that `situ import` knows, here or at s3://… hf://…; a live "
        "stream (rtsp://… http://…); or a list of recordings (.csv, .txt)."
    ),
]
Into = Annotated[
    Path, typer.Option("--into", help="Memory to write or to continue: NAME.situ; of a list: a folder.")
]
Models = Annotated[
    str, typer.Option(help="Models by name, hub id or folder, with commas; see `situ doctor --models`.")
]
Vocabulary = Annotated[
    Path | None, typer.Option(help="What detectors look for: a text file, one name per line.")
]
Names = Annotated[
    Path | None,
    typer.Option(
        help="Alone: name objects with a small detector, downloaded once after a question. With a CSV of "
        "word,name,trust: your names for a detector's words."
    ),
]
EyesName = Annotated[
    Eyes,
    typer.Option(
        help="pixels: what the pictures show; solids: coloured solids of REM; homes: a network for "
        "generated homes; truth: the recording's own annotations; auto: solids for REM, truth for "
        "annotated recordings, else pixels."
    ),
]
Network = Annotated[Path | None, typer.Option(help="With --eyes homes: a network of `situ train eyes`.")]
Append = Annotated[
    bool,
    typer.Option(
        "--append",
        help="Add this recording to the memory of another one if both show the same place; if not, write a "
        "memory of its own.",
    ),
]
Align = Annotated[
    str | None,
    typer.Option(
        help="With --append: where this recording begins in the memory: X,Y,YAW (metres, degrees), or same."
    ),
]
Keep = Annotated[
    str | None,
    typer.Option(help="How long details are kept: 30d, 12h, 90m. Older details are thinned out."),
]
Started = Annotated[
    str | None,
    typer.Option(help="Date and time of the first frame, so that you can ask 'since 3 pm'."),
]
Blur = Annotated[str, typer.Option(help="Blur these objects in stored pictures, with commas: person,face.")]
Only = Annotated[
    str, typer.Option(hidden=True, help="Watch this one of the list, in this process: for runners.")
]
