"""Kinds of error: what was right earlier is a state not kept up, what left the frames is memory."""

from dataclasses import replace
from pathlib import Path

import pytest

from situ.evaluation.attribution.error_types import (
    KINDS,
    MEMORY,
    REASONING,
    STATE,
    error_types,
    kind_of_error,
)
from situ.evaluation.runs.run import Settings, run_participant
from situ.state import TruthState, Visibility
from ucs_set import small_set


def test_an_answer_that_was_right_earlier_is_an_error_of_state(tmp_path: Path) -> None:
    dataset = small_set()
    truth_run = run_participant(dataset, "truth", Settings(), tmp_path / "run")
    records = {record.id: record for record in truth_run.records}
    recording = dataset.recording(dataset.items[0])
    truth = TruthState.of(recording, Visibility(**recording.meta["visibility"]))
    kinds = set()
    for row in dataset.questions:
        for option in row.options:
            if option == row.answer:
                continue
            record = replace(records[row.id], claim=option, points=0.0, frames=0)
            kind = kind_of_error(record, row, truth)
            kinds.add(kind)
            if kind == MEMORY:
                assert row.strata["evidence_age_s"] > 64.0
    assert kinds == set(KINDS)
    assert kind_of_error(replace(record, claim=None), row, truth) in (MEMORY, REASONING)


def test_kinds_of_a_run_add_up(tmp_path: Path) -> None:
    run = run_participant(small_set(), "random", Settings(seed=3), tmp_path / "run")
    found = error_types(run)
    assert sum(found.shares().values()) == pytest.approx(100.0)
    assert found.to_json()["wrong"] == sum(record.points < 1.0 for record in run.records)
    assert STATE in found.shares()
