"""`situ view`: one item as a page."""

from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, console, print_json
from situ.english import counted
from situ.errors import BadInput
from situ.memory import SpatialMemory
from situ.report.click_page import can_be_clicked, write_click_page
from situ.report.item_page import write_item_page
from situ.report.memory_page import write_memory_page


def view(
    source: Annotated[
        Path,
        typer.Argument(
            help="A question set made by `situ make`, a memory (NAME.situ), or a source of `situ watch`: a "
            "video, a recording, a folder."
        ),
    ],
    item: Annotated[
        str, typer.Argument(help="For a question set: name or number of an item, such as 3.")
    ] = "",
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("page.html"),
    quiz: Annotated[
        bool,
        typer.Option("--quiz", help="Hide answers, evidence and the map; answer yourself and see the score."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write one HTML page that shows an item of a set, a memory, or a video.

    For an item: its frames, a map with the path and the objects, and its questions with their evidence. For a
    memory: a map from above that plays over time. For a video or a recording: its pictures, on which you name
    objects by clicks; the page saves the file for `situ watch --labels`.

    The page needs no network: open it in a browser or send it to a colleague.
    """
    if source.suffix == ".situ":
        _view_memory(source, out, as_json)
        return
    if not item and not (source / "manifest.json").is_file() and can_be_clicked(source):
        pictures = write_click_page(source, out)
        told = {"source": str(source), "pictures": pictures, "page": str(out)}
        print_json(told) if as_json else console.print(f"{counted(pictures, 'picture')} to click on: {out}")
        return
    if not item:
        raise BadInput("say which item to draw, by name or number: situ view FOLDER 3")
    name = write_item_page(Dataset.open(source), item, out, quiz)
    if as_json:
        print_json({"item": name, "page": str(out)})
    else:
        console.print(f"item {name}: {out}")


def _view_memory(source: Path, out: Path, as_json: bool) -> None:
    with SpatialMemory.open(source, read_only=True) as memory:
        objects = write_memory_page(memory, out, source.stem)
    if as_json:
        print_json({"memory": str(source), "objects": objects, "page": str(out)})
    else:
        console.print(f"{counted(objects, 'object')}: {out}")
