"""Published figures are computed again; what was not run says so."""

from pathlib import Path

import pytest

from evaluation.small_set import make_set
from real_data import real_data
from situ.benchmarks.dataset import Dataset, read_manifest, write_manifest
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.report.verification import DIFFERS, NOT_RUN, SAME, Line, as_page, verification


def test_overall_figures_follow_from_the_columns() -> None:
    lines = [line for line in verification() if line.status != NOT_RUN]
    assert {line.benchmark for line in lines} == {"REM", "SAW-Bench"}
    # Three rows of SAW-Bench's table 2 do not add up in the paper itself.
    odd = {line.system for line in lines if line.status == DIFFERS}
    assert odd == {"random", "Qwen3-VL 235B", "InternVL3 38B"}
    assert {line.status for line in lines if line.system not in odd} == {SAME}
    assert "REM Mini" in as_page(verification(), "situ lab reproduce")


def test_runs_on_imported_sets_fill_rows_in(tmp_path: Path) -> None:
    make_set(tmp_path / "set", items=6, benchmark="saw")
    manifest = read_manifest(tmp_path / "set")
    write_manifest(tmp_path / "set", {**manifest, "recipe": {"imported": "x"}})
    run = run_participant(Dataset.open(tmp_path / "set"), "random", Settings(), tmp_path / "run")
    line = _random_of_saw([run])
    assert line.ours is not None
    assert line.published == 27.49
    made = run_participant(
        make_set(tmp_path / "own", 6, benchmark="saw"), "random", Settings(), tmp_path / "r2"
    )
    line = _random_of_saw([made])
    assert line.status == NOT_RUN  # a set of our own is not the published one


def _random_of_saw(runs: list[Run]) -> Line:
    """The line of runs, not the one that adds up the paper's own columns."""
    told = (x for x in verification(None, runs) if (x.system, x.benchmark) == ("random", "SAW-Bench"))
    return next(line for line in told if "columns" not in line.proof)


@pytest.mark.real
def test_published_answers_give_the_published_scores() -> None:
    found = {line.system: line for line in verification(real_data("openeqa"))}
    assert [round(found[name].ours or 0, 2) for name in ("blind-gpt4", "llava-next")] == [36.16, 40.85]
    lines = verification(real_data("vsi_bench"))
    assert not [line for line in lines if line.status == DIFFERS and line.benchmark == "VSI-Bench"]
    (line,) = (line for line in lines if "raw replies" in line.proof)
    assert round(line.ours or 0, 2) == 48.13
