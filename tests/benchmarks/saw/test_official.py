"""The public data set's records: read, checked, written back."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from situ.benchmarks.saw.official import (
    matching_option,
    official_records,
    official_results,
    program_of,
    read_official,
    video_file,
)
from situ.errors import BadFormat, BadInput
from situ.questions import from_program


def record(**changes: Any) -> dict[str, Any]:
    return {
        "question": "Where do you stand, seen from above, in the corner or in the middle of the lawn?",
        "options": ["Center", "Corner", "Side"],
        "ground_truth": "Corner",
        "answer": 1,
        "key": "0_3",
        "scene_category": "outdoor",
        "task": "localization",
        "id": 3,
        **changes,
    }


RECORDS = [
    record(),
    record(id=4, key="2_8", ground_truth="Side", answer=2),
    record(id=0, task="shape", options=["Zigzag", "L-shape"], ground_truth="Zigzag", answer=0),
]


def write(folder: Path, kind: str, records: list[dict[str, Any]]) -> Path:
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(records), folder / "test.parquet")
    elif kind == "jsonl":
        (folder / "test.jsonl").write_text("\n".join(json.dumps(r) for r in records), "utf-8")
    else:
        (folder / "test.json").write_text(json.dumps(records), "utf-8")
    return folder


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "json"])
def test_local_folders(tmp_path: Path, kind: str) -> None:
    rows = read_official(write(tmp_path, kind, RECORDS))
    assert [row.id for row in rows] == ["localization-3", "localization-4", "shape-0"]
    assert rows[0].item == "0_3"
    assert rows[0].answer == "Corner"
    assert rows[0].strata == {"setting": "outdoor", "video_id": 3}
    written = official_records(rows)
    assert [r["answer"] for r in written] == [1, 2, 0]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"answer": 3}, "does not number"),
        ({"ground_truth": "Side"}, "not 'Side'"),
        ({"task": "dancing"}, "unknown task"),
    ],
)
def test_broken_records_name_their_fault(tmp_path: Path, broken: dict[str, Any], message: str) -> None:
    with pytest.raises(BadFormat, match=message):
        read_official(write(tmp_path, "json", [record(**broken)]))


def test_missing_columns_and_repeated_ids(tmp_path: Path) -> None:
    lacking = record()
    del lacking["key"]
    with pytest.raises(BadFormat, match="lacks key"):
        read_official(write(tmp_path, "json", [lacking]))
    with pytest.raises(BadFormat, match="more than once"):
        read_official(write(tmp_path, "json", [record(), record()]))


def test_sources_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no"):
        read_official(tmp_path)
    with pytest.raises(BadInput, match="neither"):
        read_official(tmp_path / "nothing" / "here")


def test_programs_of_published_questions() -> None:
    assert from_program(program_of("shape", "?", ())).kind == "route_shape"
    start = program_of("direction", "From your starting viewpoint, where is the end point?", ())
    end = program_of("direction", "Relative to your final position and heading, where is the start?", ())
    assert (start["origin"], end["origin"]) == ("start", "end")
    assert program_of("direction", "Which way?", ()) == {}
    assert program_of("memory", "What is new?", ()) == {}


def test_answers_find_their_option_in_any_spelling() -> None:
    assert matching_option("front left", ("Front-Left", "Back left")) == "Front-Left"
    assert matching_option("center", ("Corner", "Centre")) == "Centre"
    assert matching_option("L-shape", ("L-shaped path", "Straight line")) == "L-shaped path"
    assert matching_option("straight", ("L shape", "Straight line")) == "Straight line"
    assert matching_option("left", ("right", "back")) is None


def test_videos_are_found_by_key(tmp_path: Path) -> None:
    (row, *_) = read_official(write(tmp_path, "json", RECORDS))
    with pytest.raises(BadInput, match=r"0_3\.mp4"):
        video_file(row, tmp_path)
    (tmp_path / "videos").mkdir()
    (tmp_path / "videos" / "0_3.mp4").write_bytes(b"")
    assert video_file(row, tmp_path).name == "0_3.mp4"


def test_results_carry_reply_letter_and_score(tmp_path: Path) -> None:
    rows = read_official(write(tmp_path, "json", RECORDS))
    results = official_results(rows, {rows[0].id: "B"}, {rows[0].id: 1, rows[1].id: 0})
    assert [r["prediction"] for r in results] == ["B", "A", None]
    assert [r["correct"] for r in results] == [True, False, False]
