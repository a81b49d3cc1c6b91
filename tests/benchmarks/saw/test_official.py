"""The public data set's records: read, checked, written back."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from situ.benchmarks.official.collection import Collection
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.saw.official import (
    matching_option,
    official_records,
    official_results,
    program_of,
    read_official,
)
from situ.errors import BadInput
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


def read(folder: Path) -> Collection:
    return read_official(SourceFiles(folder), words_only=True)


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "json"])
def test_local_folders(tmp_path: Path, kind: str) -> None:
    rows = read(write(tmp_path, kind, RECORDS)).rows
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
        ({"task": "dancing"}, "is unknown"),
    ],
)
def test_broken_records_name_their_fault(tmp_path: Path, broken: dict[str, Any], message: str) -> None:
    found = read(write(tmp_path, "json", [record(**broken), record(id=9)]))
    assert [row.id for row in found.rows] == ["localization-9"]
    assert message in found.problems[0].what


def test_missing_columns_and_repeated_ids(tmp_path: Path) -> None:
    lacking = record(id=8)
    del lacking["key"]
    other = record(answer=0, ground_truth="Center")
    found = read(write(tmp_path, "json", [record(), lacking, record(), other]))
    assert [row.id for row in found.rows] == ["localization-3"]  # the very same record again is no fault
    assert "lacks key" in found.problems[0].what
    assert "used before" in found.problems[1].what


def test_tasks_as_the_paper_names_them(tmp_path: Path) -> None:
    names = ("Self-Localization", "relative_direction", "Route Shape", "REVPLAN")
    found = read(write(tmp_path, "json", [record(task=name, id=0) for name in names]))
    assert [row.id for row in found.rows] == ["localization-0", "direction-0", "shape-0", "revplan-0"]


def test_sources_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no table"):
        read(tmp_path)
    with pytest.raises(BadInput, match="does not exist"):
        read(tmp_path / "nothing" / "here")


def test_programs_of_published_questions() -> None:
    assert from_program(program_of("shape", "?", ())).kind == "route_shape"
    start = program_of("direction", "From your starting viewpoint, where is the end point?", ())
    end = program_of("direction", "Relative to your final position and heading, where is the start?", ())
    assert (start["origin"], end["origin"]) == ("start", "end")
    printed = "From my viewpoint at the {} of this video, where am I located at the {} of the video?"
    start = program_of("direction", printed.format("beginning", "end"), ())
    end = program_of("direction", printed.format("end", "beginning"), ())
    assert (start["origin"], end["origin"]) == ("start", "end")
    assert program_of("direction", "Which way?", ()) == {}
    assert program_of("memory", "What is new?", ()) == {}


def test_answers_find_their_option_in_any_spelling() -> None:
    assert matching_option("front left", ("Front-Left", "Back left")) == "Front-Left"
    assert matching_option("center", ("Corner", "Centre")) == "Centre"
    assert matching_option("L-shape", ("L-shaped path", "Straight line")) == "L-shaped path"
    assert matching_option("straight", ("L shape", "Straight line")) == "Straight line"
    assert matching_option("left", ("right", "back")) is None


def test_results_carry_reply_letter_and_score(tmp_path: Path) -> None:
    rows = read(write(tmp_path, "json", RECORDS)).rows
    results = official_results(rows, {rows[0].id: "B"}, {rows[0].id: 1, rows[1].id: 0})
    assert [r["prediction"] for r in results] == ["B", "A", None]
    assert [r["correct"] for r in results] == [True, False, False]
