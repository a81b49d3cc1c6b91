"""`situ view`: one item as a page."""

from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, console, print_json
from situ.report.item_page import write_item_page


def view(
    folder: Annotated[Path, typer.Argument(help="A question set made by `situ make`.")],
    item: Annotated[str, typer.Argument(help="Name or number of an item, such as 000003 or 3.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="HTML file to write.")] = Path("page.html"),
    as_json: JsonFlag = False,
) -> None:
    """Draw one item: its frames, a map with the path and the objects, and its questions with their evidence.

    The page is one file without any link to the outside: open it in a browser or send it to a colleague.
    """
    name = write_item_page(Dataset.open(folder), item, out)
    if as_json:
        print_json({"item": name, "page": str(out)})
    else:
        console.print(f"item {name}: {out}")
