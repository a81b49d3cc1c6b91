"""`situ lab papers`: the figures that papers print, and the command that runs each table here."""

import math
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from situ.benchmarks.published import PublishedTable, benchmarks, tables
from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadInput


def show_papers(
    benchmark: Annotated[str, typer.Argument(help="One benchmark; without it, all are listed.")] = "",
    table: Annotated[str, typer.Option(help='Only this table, as the paper calls it: "Table 2".')] = "",
    as_json: JsonFlag = False,
) -> None:
    """Print published tables, each with the command that runs its rows here."""
    if benchmark and benchmark not in benchmarks():
        raise BadInput(f"no figures of {benchmark!r} are stored; known: {', '.join(benchmarks())}")
    names = (benchmark,) if benchmark else benchmarks()
    found = [one for name in names for one in tables(name)]
    if table:
        known = ", ".join(one.name for one in found)
        found = [one for one in found if one.name.casefold().startswith(table.casefold())]
        if not found:
            raise BadInput(f"no table {table!r}; known: {known}")
    if as_json:
        print_json([_plain(one) for one in found])
    elif benchmark or table:
        for one in found:
            _show(one)
    else:
        _overview(found)


def _plain(one: PublishedTable) -> dict[str, object]:
    return {**asdict(one), "rows": {system: one.row(system) for system in one.rows}}


def _overview(found: list[PublishedTable]) -> None:
    listed = Table(box=None)
    for column in ("benchmark", "table", "rows", "what it holds", "runs with"):
        listed.add_column(column, overflow="fold")
    for one in found:
        listed.add_row(one.benchmark, one.name, str(len(one.rows)), one.title, one.run)
    console.print(listed)
    console.print("situ lab papers BENCHMARK prints the figures of one paper")


def _show(one: PublishedTable) -> None:
    shown = Table(title=f"{one.benchmark}, {one.name}: {one.title} ({one.unit})", box=None)
    shown.add_column("")
    for column in one.columns:
        shown.add_column(column, justify="right", overflow="fold")
    for system, values in one.rows.items():
        shown.add_row(system, *("–" if math.isnan(value) else f"{value:g}" for value in values))
    console.print(shown)
    for words in (one.data, one.note, one.run):
        if words:
            console.print(f"  {words}", highlight=False, markup=False)
