"""`situ lab presets`: the rows of the papers' tables that can be run by name."""

from typing import Annotated

import typer
from rich.table import Table

from situ.cli.common import JsonFlag, console, print_json
from situ.evaluation.models.presets import find_preset, presets


def show_presets(
    name: Annotated[str, typer.Argument(help="Show this one in full, with its prompt.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """List the settings behind the rows of published tables, for `situ eval SET --preset NAME`."""
    chosen = [find_preset(name)] if name else list(presets().values())
    if as_json:
        print_json([preset.to_json() for preset in chosen])
        return
    if name:
        for key, value in chosen[0].to_json().items():
            words = "\n".join(map(str, value.values())) if isinstance(value, dict) else value
            console.print(f"{key}: {words}", highlight=False, markup=False, soft_wrap=True)
        return
    table = Table(box=None)
    for column in ("preset", "frames", "strategy", "row", "what it is"):
        table.add_column(column, overflow="fold")
    for p in chosen:
        table.add_row(p.name, p.frames or "–", p.strategy, p.source, p.about)
    console.print(table)
