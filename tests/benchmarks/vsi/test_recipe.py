"""Published questions about annotated rooms as a question set that participants can answer."""

import json
from pathlib import Path

import pytest

from situ.benchmarks.make import make_dataset
from situ.benchmarks.vsi.recipe import VsiRecipe
from situ.errors import BadFormat, BadInput
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Settings, run_participant

BOX = {"axesLengths": [1.0, 2.0, 0.5], "normalizedAxes": [1, 0, 0, 0, 1, 0, 0, 0, 1]}
ROOM = {
    "object_bbox": {
        "chair": [{**BOX, "centroid": [0, 0, 0]}, {**BOX, "centroid": [4, 0, 0]}],
        "table": [{**BOX, "centroid": [0, 5, 0]}],
    },
    "object_counts": {"chair": 2, "table": 1},
    "room_size": 20.0,
    "room_center": [0, 0, 0],
}
COUNT = "How many {}(s) are in this room?"
SIZE = "What is the longest side (length, width, or height) of the {}, measured in centimeters?"


def source(folder: Path, *questions: dict[str, object]) -> Path:
    folder.mkdir()
    (folder / "scene_boxes.json").write_text(json.dumps({"scannet": {"room1": ROOM}}))
    plain = {"dataset": "scannet", "scene_name": "room1", "options": None}
    lines = [json.dumps({**plain, "id": i, **question}) for i, question in enumerate(questions)]
    (folder / "questions.jsonl").write_text("\n".join(lines))
    return folder


def counting(name: str, count: int) -> dict[str, object]:
    return {"question_type": "object_counting", "question": COUNT.format(name), "ground_truth": str(count)}


def test_truth_answers_from_boxes_and_abstains_where_there_are_none(tmp_path: Path) -> None:
    size = {
        "question_type": "object_size_estimation",
        "question": SIZE.format("table"),
        "ground_truth": "200",
    }
    folder = source(tmp_path / "vsi", counting("chair", 2), size, counting("piano", 3))
    dataset = make_dataset(VsiRecipe(folder), tmp_path / "set")
    run = run_participant(dataset, "truth", Settings(), tmp_path / "run")
    asked = {row.id: row.text for row in dataset.questions}  # ids tell nothing
    about = {
        name: record
        for name in ("chair", "table", "piano")
        for record in run.records
        if name in asked[record.id]
    }
    assert (about["chair"].points, about["table"].points) == (1.0, 1.0)
    assert about["piano"].status is Status.REFUSED
    assert run.protocol.benchmark == "vsi"


def test_choices_are_stored_without_letters(tmp_path: Path) -> None:
    choice = {
        "question_type": "route_planning",
        "question": "Something that no rule reads?",
        "options": ["A. Turn Left", "B. Turn Back"],
        "ground_truth": "B",
    }
    (row,) = make_dataset(VsiRecipe(source(tmp_path / "vsi", choice)), tmp_path / "set").questions
    assert row.options == ("Turn Left", "Turn Back")
    assert row.answer == "Turn Back"
    assert row.program == {}, "it can be asked, but not computed"
    run = run_participant(
        make_dataset(VsiRecipe(tmp_path / "vsi"), tmp_path / "set"), "truth", Settings(), tmp_path / "run"
    )
    assert run.records[0].status in (Status.REFUSED, Status.ERROR)


def test_bad_sources_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"questions\.jsonl|scene_boxes\.json"):
        make_dataset(VsiRecipe(tmp_path), tmp_path / "set")
    wrong = {"question_type": "route_planning", "question": "?", "options": ["A. x"], "ground_truth": "C"}
    with pytest.raises(BadFormat, match="none of its options"):
        make_dataset(VsiRecipe(source(tmp_path / "vsi", wrong)), tmp_path / "other")
