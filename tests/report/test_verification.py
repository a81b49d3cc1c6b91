"""Published figures are computed again; what was not run says so."""

from pathlib import Path

import pytest

from evaluation.small_set import make_set
from real_data import real_data
from situ.benchmarks.dataset import Dataset, read_manifest, write_manifest
from situ.evaluation.runs.run import Settings, run_participant
from situ.report.verification import DIFFERS, NOT_RUN, SAME, as_page, verification


def test_overall_figures_follow_from_the_columns() -> None:
    lines = [line for line in verification() if line.status != NOT_RUN]
    assert {line.benchmark for line in lines} == {"REM", "SAW-Bench"}
    assert {line.status for line in lines} == {SAME}
    assert "REM Mini" in as_page(verification(), "situ lab reproduce")


def test_runs_on_imported_sets_fill_rows_in(tmp_path: Path) -> None:
    make_set(tmp_path / "set", items=6, benchmark="saw")
    manifest = read_manifest(tmp_path / "set")
    write_manifest(tmp_path / "set", {**manifest, "recipe": {"imported": "x"}})
    run = run_participant(Dataset.open(tmp_path / "set"), "random", Settings(), tmp_path / "run")
    line = next(x for x in verification(None, [run]) if x.system == "random" and x.benchmark == "SAW-Bench")
    assert line.ours is not None
    assert line.published == 27.49
    made = run_participant(
        make_set(tmp_path / "own", 6, benchmark="saw"), "random", Settings(), tmp_path / "r2"
    )
    line = next(x for x in verification(None, [made]) if x.system == "random" and x.benchmark == "SAW-Bench")
    assert line.status == NOT_RUN  # a set of our own is not the published one


@pytest.mark.real
def test_published_answers_give_the_published_scores() -> None:
    found = {line.system: line for line in verification(real_data("openeqa"))}
    assert [round(found[name].ours or 0, 2) for name in ("blind-gpt4", "llava-next")] == [36.16, 40.85]
    lines = verification(real_data("vsi_bench"))
    assert not [line for line in lines if line.status == DIFFERS]
    (line,) = (line for line in lines if "raw replies" in line.proof)
    assert round(line.ours or 0, 2) == 48.13
