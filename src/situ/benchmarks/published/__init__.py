"""The figures that papers print, one file of tables for each benchmark: stored once, shown wherever needed.

A table has a name ("Table 2"), named columns and, for each system, a number in each column. A cell that the
paper leaves empty is nan. `run` is the command that runs a row here; `data` says what the paper measured on.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from situ.errors import BadInput

OVERALL = "overall"


@dataclass(frozen=True)
class PublishedTable:
    benchmark: str
    paper: str
    name: str
    title: str
    data: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]
    run: str = ""
    unit: str = "%"
    note: str = ""

    def row(self, system: str) -> dict[str, float]:
        """The figures of a system by column, without empty cells."""
        cells = zip(self.columns, self.rows[system], strict=True)
        return {column: value for column, value in cells if not math.isnan(value)}

    def column(self, name: str) -> dict[str, float]:
        """The figures of a column by system, without empty cells."""
        found = {system: self.row(system) for system in self.rows}
        return {system: row[name] for system, row in found.items() if name in row}


@cache
def benchmarks() -> tuple[str, ...]:
    """Benchmarks with published figures."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def tables(benchmark: str) -> tuple[PublishedTable, ...]:
    """The published tables of a benchmark, none where none is known."""
    if benchmark not in benchmarks():
        return ()
    told = tomllib.loads((files(__name__) / f"{benchmark}.toml").read_text(encoding="utf-8"))
    return tuple(
        PublishedTable(
            benchmark,
            told["paper"],
            **{**table, "columns": tuple(table["columns"])},
        )
        for table in told["tables"]
    )


def table(benchmark: str, name: str) -> PublishedTable:
    """One of them, by its name in the paper."""
    found = next((one for one in tables(benchmark) if one.name.casefold() == name.casefold()), None)
    if found is None:
        known = ", ".join(one.name for one in tables(benchmark)) or "none"
        raise BadInput(f"no published table {name!r} of {benchmark}; known: {known}")
    return found
