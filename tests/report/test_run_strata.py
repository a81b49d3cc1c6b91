"""Strata with published figures beside them, and the effect of the frames shown."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from evaluation.records import record
from situ.evaluation.protocols.saw import SAW
from situ.evaluation.runs.run_folder import Run
from situ.report.run_groups import Group
from situ.report.run_strata import frames_tables, strata_series, strata_table
from situ.report.run_tables import tendency_table


@dataclass(frozen=True)
class FakeRun:
    """Answers to SAW questions without a folder."""

    card: dict[str, Any]
    records: tuple[Any, ...] = field(default_factory=tuple)
    name: str = "system"
    protocol: Any = SAW


def saw_run(frames: str = "fps:2") -> Run:
    """Straight walks are all answered, two-turn ones half; one of four head turns is called zigzag."""
    records = []
    for i in range(8):
        strata = {"turns": "0", "route": "straight", "setting": "indoor"}
        records.append(record(f"s{i}", "direction", 1.0, id=f"s{i}", **strata))
        strata = {"turns": "2", "route": "manhattan", "setting": "outdoor", "sides": "LR" if i % 2 else ""}
        records.append(record(f"m{i}", "direction", float(i % 2), id=f"m{i}", **strata))
        key = "zigzag" if i < 2 else "straight"
        records.append(record(f"h{i}", "shape", float(i >= 2), id=f"h{i}", key=key, head="turning"))
    card = {"who": "system", "strategy": "", "frames": frames, "protocol": "saw", "dataset_hash": "x"}
    return FakeRun(card, tuple(records), f"system {frames}")  # type: ignore[return-value]


@pytest.fixture
def group() -> Group:
    return Group((saw_run(), saw_run("fps:6"), saw_run("uniform:8")), None)


def test_complexity_is_told_with_its_change_and_published_rows(group: Group) -> None:
    (series,) = [s for s in strata_series(group) if s.title == "direction by turns on the way"]
    table = strata_table(group, series)
    published = table.head.index("Gemini 3 Flash (published, other data)")
    rows = {row[0]: row for row in table.rows}
    assert list(rows) == ["0", "2", "2, against 0"]
    assert rows["0"][1] == "8"
    assert rows["2"][2].startswith("50.0 [")
    assert rows["2"][published] == "40.6"
    assert rows["2, against 0"][2] == "-50.0 %"
    assert rows["2, against 0"][published] == "-44.6 %"


def test_the_rotation_probe_stands_beside_published_shares(group: Group) -> None:
    rows = tendency_table(group).rows
    assert rows[0][1].startswith("25.0 [")
    assert [row[1] for row in rows[-2:]] == ["60", "53"]


def test_runs_that_differ_in_frames_alone_make_a_table(group: Group) -> None:
    ((name, table),) = frames_tables(group)
    assert name == "system"
    assert [row[0] for row in table.rows] == ["fps:2", "fps:6", "uniform:8"]
    assert [row[-1] for row in table.rows] == ["53.9", "49.2", "–"]
    assert frames_tables(Group((saw_run(),), None)) == []


def test_an_analysis_without_a_protocol_of_its_own_has_plain_columns(group: Group) -> None:
    titles = {series.title for series in strata_series(group)}
    assert {"setting", "route"} <= titles
    for series in strata_series(group):
        table = strata_table(group, series)
        assert all(len(row) == len(table.head) for row in table.rows)
