"""`situ lab papers`, `presets` and `reproduce`: published tables, the settings behind them, and their figures
computed again."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.benchmarks.published import PublishedTable, benchmarks, tables
from situ.cli.common import JsonFlag, console, print_json
from situ.english import counted
from situ.errors import BadInput
from situ.evaluation.models.presets import find_preset, presets
from situ.evaluation.runs.run_folder import find_runs
from situ.report.run_report import write_file
from situ.report.verification import DIFFERS, as_page, verification


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


def reproduce(
    data: Annotated[
        Path | None, typer.Option(help="Folder with published answers, marks or boxes to score again.")
    ] = None,
    runs: Annotated[
        list[Path] | None, typer.Option(help="Folder of runs on imported sets; may be repeated.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Markdown file to write.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compute published figures again and write the verification table.

    Exit code 1 if a figure differs from the published one, unless a contradiction in the published files
    explains it.
    """
    lines = verification(data, find_runs(runs) if runs else ())
    told = " ".join(
        ["situ lab reproduce", *(["--data DIR"] if data else []), *(["--runs DIR"] if runs else []),
         *(["--out FILE"] if out else [])]
    )  # fmt: skip
    if out:
        write_file(out, as_page(lines, told).encode())
    if as_json:
        print_json([{**asdict(line), "difference": line.difference} for line in lines])
    elif out:
        console.print(f"{counted(len(lines), 'figure')}: {out}", soft_wrap=True)
    else:
        console.print(as_page(lines, told), soft_wrap=True)
    if any(line.status == DIFFERS for line in lines):
        raise typer.Exit(1)
