"""The public records, in both schemas; each bad record costs itself alone."""

import json
from pathlib import Path
from typing import Any

import pytest

import miniatures
from situ.benchmarks.official.collection import Collection
from situ.benchmarks.official.fields import read_spans
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.layouts import ImportOptions, import_set
from situ.benchmarks.ucs.official import read_official
from situ.errors import BadFormat, BadInput
from situ.evaluation.protocols.ucs import UCS

A: dict[str, Any] = {
    "qid": "q1", "video_uid": "v1-mcq", "question": "Where is it?", "question_timestamps": "00:03:1.8",
    "options": {"A": "left", "B": "right"}, "answer_label": "B", "answer": "right", "qtype": "BINARY",
    "category": "Position & Orientation", "subcategory": "ego-centric position",
    "evidence": [["00:01:00", 70]],
}  # fmt: skip
B: dict[str, Any] = {
    "video_uid": "v2", "query_timestamp": 181.8, "question": "How many are left?",
    "options": ["A. 2", "B. 3", "C. 4"], "answer_idx": 1, "dimension": "quantity change",
}  # fmt: skip


def _file(tmp_path: Path, *records: Any, name: str = "q.json") -> Path:
    path = tmp_path / name
    text = "\n".join(map(json.dumps, records)) if name.endswith("l") else json.dumps(list(records))
    path.write_text(text)
    return path


def _read(path: Path) -> Collection:
    return read_official(SourceFiles(path), words_only=True)


def test_the_first_schema(tmp_path: Path) -> None:
    (row,) = _read(_file(tmp_path, A)).rows
    assert (row.id, row.item, row.answer, row.time) == ("q1", "v1", "right", pytest.approx(181.8))
    assert row.options == ("left", "right")
    assert row.strata["evidence_age_s"] == pytest.approx(111.8)


def test_the_second_schema(tmp_path: Path) -> None:
    (row,) = _read(_file(tmp_path, B, name="q.jsonl")).rows
    assert row.options == ("2", "3", "4")
    assert row.answer == "3"
    assert row.task == "quantity change"


def test_the_published_layout_and_open_questions(tmp_path: Path) -> None:
    """Videos at the root, a list for each in QAs; evidence with a description; options may be empty."""
    evidence = [
        {"description": "put down", "timestamps": {"start": "00:00:02", "end": "00:00:05"}},
        {"description": "a guess", "timestamps": None},
    ]
    first = {**A, "video_uid": None, "question_timestamps": "00:00:09", "evidence": evidence}
    opened = {**first, "qid": "q2", "options": {}, "answer_label": "", "answer": "On your left.", "qtype": ""}
    lacking = {**opened, "qid": "q3", "answer": ""}
    (tmp_path / "QAs").mkdir()
    (tmp_path / "QAs" / "v7-mcq.json").write_text(json.dumps([first, opened, lacking]))
    miniatures.video(tmp_path / "v7.mp4", seconds=10.0, fps=10)
    made = import_set("ucs", str(tmp_path), tmp_path.parent / "set", ImportOptions())
    asked, said = made.dataset.questions
    assert (asked.item, asked.answer, asked.strata["evidence_age_s"]) == ("v7", "right", 4.0)
    assert asked.evidence == (2, 3, 4, 5)
    assert (said.options, said.answer, said.strata["qtype"]) == ((), "On your left.", "OPEN")
    assert [(problem.id, problem.what) for problem in made.problems] == [
        ("q3", "it has no question or no answer")
    ]
    assert UCS.points(said, UCS.parsers["strict"](said, "Answer: on your left").claim or "") == 1.0
    assert UCS.points(said, UCS.parsers["strict"](said, "Answer: behind you").claim or "") == 0.0


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"answer": "", "answer_label": ""}, "no answer"),
        ({"answer": "up", "answer_label": ""}, "its answer 'up' is not one of its options"),
        ({"answer_label": "Z"}, "its answer_label 'Z' is not one of its options"),
        ({"answer_label": "A"}, "its fields disagree about the answer: answer_label is 'A', answer is"),
        ({"options": {"A": "right", "B": "Right"}}, "the same"),
        ({"question_timestamps": "00:01:05"}, "before its evidence ends"),
        ({"question_timestamps": "later"}, "cannot be read"),
        ({"question_timestamps": "frame 30"}, "fps"),
        ({"question": ""}, "no question"),
        ({"video_uid": ""}, "no video"),
        ({"options": ["left"]}, "two options"),
    ],
)
def test_a_bad_record_costs_itself_alone(change: dict[str, Any], what: str, tmp_path: Path) -> None:
    found = _read(_file(tmp_path, {**A, **change}, {**A, "qid": "good"}))
    assert [row.id for row in found.rows] == ["good"]
    assert what in found.problems[0].what


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text("[{")
    with pytest.raises(BadFormat):
        _read(path)
    with pytest.raises(BadInput):
        _read(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("value", "spans"),
    [
        ("00:01:00-00:01:10; 80 to 90 s", ((60.0, 70.0), (80.0, 90.0))),
        ({"start": 3, "end": "0:05"}, ((3.0, 5.0),)),
        ([3, 5], ((3.0, 5.0),)),
        ([[3, 5], ["0:07", 9]], ((3.0, 5.0), (7.0, 9.0))),
        ([{"description": "the cup", "timestamps": {"start": 3, "end": "0:05"}}], ((3.0, 5.0),)),
        ([{"description": "the cup", "timestamps": None}, {"timestamps": [[7, 9]]}], ((7.0, 9.0),)),
        (None, ()),
    ],
)
def test_evidence_in_every_form(value: object, spans: tuple[tuple[float, float], ...]) -> None:
    assert read_spans(value) == spans
