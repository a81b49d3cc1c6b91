"""The Spatial Narrative Score in one command: ceiling, floor, ablations, and captions with their controls."""

import json
from pathlib import Path
from typing import Any

import pytest

from situ.benchmarks.make import make_dataset
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.cli.app import main
from situ.evaluation.models.strategies_in_words import camera_part, scene_part
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.sns import PARTICIPANTS, STRATEGIES

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
SAID = "<scene>In frame 1: a chair, 2.0 m away.</scene><camera>The camera pans left.</camera>"


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("sns") / "set"
    make_dataset(NarrativeRecipe(scale=0.01, seed=5, width=64, height=48), folder)
    return folder


def called(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> dict[str, Any]:
    monkeypatch.setattr("sys.argv", ["situ", "lab", "sns", *words, "--json"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert not stopped.value.code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_everything_is_on_one_page(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "runs"
    found = called(
        capsys, monkeypatch, str(questions), "--out", str(out), "--model", f"situ-canned/say:{SAID}"
    )
    assert len(found["runs"]) == len(PARTICIPANTS) + len(STRATEGIES)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "constant caption" in page
    assert "What the rows are" in page
    runs = [Run.open(folder) for folder in out.iterdir() if (folder / "run.json").is_file()]
    assert {run.card["strategy"] or run.card["who"] for run in runs} >= {*PARTICIPANTS, *STRATEGIES}
    for run in runs:
        assert all(record.status is not Status.ERROR for record in run.records)
    # One constant caption tells no more than a constant caption in another order.
    assert not any(m["beats"] and m["score"] > m["shuffled"] + 1e-9 for m in found["captions"])
    # Each recording was narrated once for each length of segments, whoever read it.
    items = {row.item for row in runs[0].dataset().questions}  # type: ignore[union-attr]
    assert len(list((out / "notes").iterdir())) == 3 * len(items)


def test_without_a_model_the_page_holds_the_ceiling_and_the_floor(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = called(capsys, monkeypatch, str(questions), "--out", str(tmp_path / "runs"))
    right = {run["name"]: run["value"] for run in found["runs"]}
    assert right["narrative"] > max(right["scene-narrative"], right["random"])
    assert all(m["score"] == pytest.approx(1.0) or m["beats"] for m in found["captions"])


def test_parts_of_what_a_model_wrote() -> None:
    segment = "Segment 2 (frames 17 to 32):\n<scene>a bed</scene> and <camera>it pans"
    assert (scene_part(segment).partition("\n")[2], camera_part(segment)) == ("a bed", "it pans")
    assert camera_part("Segment 1 (frames 1 to 16):\nit pans left") == "it pans left"
