"""Figures of papers are stored once, whole, and shown by `situ lab papers`."""

import json
import re

import pytest
from typer.testing import CliRunner

from situ.benchmarks.published import OVERALL, PublishedTable, benchmarks, table, tables
from situ.cli.app import app
from situ.errors import BadInput
from situ.evaluation.models.presets import presets

EVERY = [one for name in benchmarks() for one in tables(name)]


@pytest.mark.parametrize("one", EVERY, ids=lambda one: f"{one.benchmark} {one.name}")
def test_every_row_of_a_table_fills_its_columns(one: PublishedTable) -> None:
    assert all(len(values) == len(one.columns) for values in one.rows.values())
    assert one.data
    assert one.run
    for name in re.findall(r"--preset (\S+)", one.run):
        assert name in presets() or "study" in one.run


def test_the_numbers_of_rows_are_those_of_the_papers() -> None:
    sizes = {("saw", "Table 2"): 28, ("saw", "Table 3"): 7, ("ucs", "Table 3"): 26, ("sns", "Table 4"): 20}
    assert {key: len(table(*key).rows) for key in sizes} == sizes


def test_overall_scores_lie_between_those_of_the_tasks() -> None:
    for key in (("saw", "Table 2"), ("ucs", "Table 3")):
        told = table(*key)
        for system in told.rows:
            row = told.row(system)
            tasks = [value for column, value in row.items() if column != OVERALL]
            assert min(tasks) <= row[OVERALL] <= max(tasks)


def test_an_unknown_table_names_those_that_are_known() -> None:
    with pytest.raises(BadInput, match="Table 2"):
        table("saw", "Table 99")


def test_papers_prints_tables_and_their_commands() -> None:
    runner = CliRunner()
    assert "ucs" in runner.invoke(app, ["lab", "papers"], catch_exceptions=False).output
    out = runner.invoke(
        app, ["lab", "papers", "saw", "--table", "Table 3", "--json"], catch_exceptions=False
    ).output
    (told,) = json.loads(out)
    assert told["rows"]["Qwen3-VL 32B"] == {"0": 80.0, "1": 12.07, "2": 21.83}
