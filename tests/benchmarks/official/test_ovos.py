"""OVO-S-Bench: several moments, two to seven options, evidence spans, and options that are pictures."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import miniatures
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.official.layouts import ImportOptions, import_set
from situ.cli.app import app
from situ.evaluation.records.frames import FramePolicy


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ovos")
    for number in range(5):
        miniatures.video(folder / "videos" / "Sekai" / f"walk{number}.mp4", 8.0, seed=number)

    def record(name: str, number: int, options: list[str], **more: object) -> dict[str, object]:
        labelled = [["ABCDEFG"[i], option] for i, option in enumerate(options)]
        return {
            "id": name, "source_dataset": "Sekai", "video_id": f"w{number}",
            "video_path": f"Sekai/walk{number}.mp4", "level": 1 + number % 4, "task_main_category": "1.1",
            "task_subcategory": "1.1.1", "task_type_name": "clearance", "question": "How wide is the way?",
            "options": labelled, "query_times": [4.0], "evidence_times": [[1.0, 3.0]], "answers": ["B"],
        } | more  # fmt: skip

    rows = [record(f"1.1.1_{n}", n, ["narrow", "wide", "very wide"][: 2 + n % 2]) for n in range(5)]
    rows.append(record("2.1_7", 0, list("stuvwxy"), query_times=[2.0, 6.0], answers=["A", "G"]))
    rows.append(record("4.3_1", 1, ["data:image/png;base64,AAAA", "data:image/png;base64,BBBB"]))
    rows.append(record("bad_1", 2, ["left", "right"], answers=["E"]))
    rows.append(record("bad_2", 2, ["left", "right"], query_times=[]))
    pq.write_table(pa.Table.from_pylist(rows), folder / "ovo_s_bench.parquet")
    return folder


def test_rows_come_in_with_their_moments_and_the_others_are_named(source: Path, tmp_path: Path) -> None:
    made = import_set("ovos", str(source), tmp_path / "set", ImportOptions())
    rows = {row.id: row for row in made.dataset.questions}
    assert set(rows) == {*(f"1.1.1_{n}" for n in range(5)), "2.1_7-1", "2.1_7-2"}
    assert (rows["2.1_7-1"].answer, rows["2.1_7-2"].answer) == ("s", "y")
    assert (rows["2.1_7-1"].time, rows["2.1_7-2"].time) == (2.0, 6.0)
    assert rows["1.1.1_0"].evidence
    assert rows["1.1.1_0"].strata["evidence_age_s"] == 1.0
    broke = {problem.id: problem.what for problem in made.problems}
    assert "pictures" in broke["4.3_1"]
    assert "'E'" in broke["bad_1"]
    assert "query_times" in broke["bad_2"]


def test_the_set_is_answered_reported_and_described(source: Path, tmp_path: Path) -> None:
    runner, folder, out = CliRunner(), tmp_path / "set", tmp_path / "run"
    assert runner.invoke(app, ["import", "ovos", str(source), "--out", str(folder)]).exit_code == 1
    for command in (
        ["eval", folder, "-p", "random", "--out", out],
        ["report", out, "--out", tmp_path / "r.html"],
        ["lab", "describe", folder],
    ):
        result = runner.invoke(app, [str(word) for word in command], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    page = (tmp_path / "r.html").read_text()
    assert "Gemini-3.1-Pro" in page
    assert json.loads((out / "run.json").read_text())["frames"] == "uniform:128@512"


def test_its_frame_policies_never_show_what_comes_later(source: Path, tmp_path: Path) -> None:
    import_set("ovos", str(source), tmp_path / "set", ImportOptions())
    dataset = Dataset.open(tmp_path / "set")
    row = next(row for row in dataset.questions if row.id == "1.1.1_0")
    recording = dataset.recording(row.item)
    times = recording.path.times
    for policy in ("uniform:128", "fps:1", "last", "fps:4,recent:128", "evidence", "decay:6"):
        shown = FramePolicy.parse(policy).pick(recording, row)
        assert shown
        assert times[max(shown)] <= 4.0
    evidence = FramePolicy.parse("evidence").pick(recording, row)
    assert all(1.0 <= times[i] <= 3.0 for i in evidence)
    assert len(FramePolicy.parse("decay:6").pick(recording, row)) <= 6
