"""Two-way tables: the mean of something over one stratum by another, run by run."""

import numpy as np

from situ.evaluation.protocols.base import Crossed
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run_folder import Run
from situ.report.run_groups import Group
from situ.report.run_tables import Table


def crossed_tables(group: Group) -> list[tuple[str, Table]]:
    """Every two-way analysis of the protocol that has two rows or columns, for every system.

    Where there are none but controls, these are shown.
    """
    found = []
    for crossed in group.protocol.crossed:
        for number in group.systems or range(len(group.runs)):
            table = crossed_table(crossed, group.runs[number])
            if len(table.rows) > 1 or len(table.head) > 2:
                found.append((f"{crossed.title}: {group.names[number]}", table))
    return found


def crossed_table(crossed: Crossed, run: Run) -> Table:
    """Means with the number of questions behind each."""
    cells: dict[tuple[str, str], list[float]] = {}
    for record in run.records:
        row, column = crossed.rows(record), crossed.columns(record)
        value = crossed.value(record) if record.status is Status.ANSWERED else None
        if row is not None and column is not None and value is not None:
            cells.setdefault((row, column), []).append(value)
    rows = _ordered({row for row, _ in cells}, crossed.row_order)
    columns = _ordered({column for _, column in cells}, crossed.column_order)
    body = tuple(
        (row, *(_cell(cells.get((row, column), []), crossed.scale) for column in columns)) for row in rows
    )
    return Table((crossed.corner, *columns), body)


def _ordered(names: set[str], order: tuple[str, ...]) -> list[str]:
    known = [name for name in order if name in names]
    return [*known, *sorted(names - set(known), key=_number)]


def _number(name: str) -> tuple[float, str]:
    digits = "".join(c if c.isdigit() else " " for c in name).split()
    return float(digits[0]) if digits else float("inf"), name


def _cell(values: list[float], scale: float) -> str:
    return f"{scale * float(np.mean(values)):.3g} (n={len(values)})" if values else "–"
