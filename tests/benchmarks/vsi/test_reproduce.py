import json
from dataclasses import replace

import pytest

from real_data import real_data
from situ.benchmarks.question_types import mean_relative_accuracy
from situ.benchmarks.vsi.parse import parse
from situ.benchmarks.vsi.reader import read_vsi
from situ.benchmarks.vsi.reproduce import outcomes, results
from situ.benchmarks.vsi.score import overall, score
from situ.errors import BadFormat, BadInput
from situ.questions import RoutePlan, Selector


def test_mra_keeps_the_arithmetic_of_the_official_scorer() -> None:
    assert mean_relative_accuracy(12, 10) == pytest.approx(0.6)
    assert mean_relative_accuracy(10, 10) == 1.0
    assert mean_relative_accuracy(16, 10) == 0.0
    assert mean_relative_accuracy(float("nan"), 10) == 0.0


def test_the_first_word_of_a_reply_counts() -> None:
    assert score("route_planning", "b. because", "B") == 1.0
    assert score("object_counting", "4. chairs", "4") == 1.0
    assert score("object_counting", "four", "4") == 0.0


def test_overall_counts_direction_once() -> None:
    by_type = {
        "object_rel_direction_easy": 0.0,
        "object_rel_direction_medium": 0.5,
        "object_rel_direction_hard": 1.0,
        "object_counting": 1.0,
    }
    assert overall(by_type) == pytest.approx(0.75)


def test_route_wordings_with_and_without_articles_and_typos() -> None:
    text = (
        "You are a robot beginning at the the bed and facing window. You want to navigate to the TV. You "
        "will perform the following actions (Note: for each [please fill in], choose either 'turn back,' "
        "'turn left,' or 'turn right.'): 1. Go forward untli the lamp 2. [please fill in]. 3. Go forward "
        "until oven is on your right. You have reached the final destination."
    )
    question = parse("route_planning", text, ["A. Turn Left", "B. Turn Back"])
    steps = ("lamp", "", "oven")
    assert question == RoutePlan(Selector("bed"), Selector("window"), steps, ("Turn Left", "Turn Back"))


def test_unknown_types_and_wordings_are_named() -> None:
    with pytest.raises(BadFormat, match="colour_guess"):
        parse("colour_guess", "What colour is it?")
    with pytest.raises(BadFormat, match="wording"):
        parse("object_counting", "Count the chairs.")


def test_bad_rows_and_rooms_are_skipped_by_name(tmp_path) -> None:
    box = {"centroid": [0, 0, 0], "axesLengths": [1, 1, 1], "normalizedAxes": [1, 0, 0, 0, 1, 0, 0, 0, 1]}
    scenes = {
        "good": {"object_bbox": {"Bed": [box]}, "object_counts": {"bed": 1}},
        "bad": {"object_bbox": {"bed": [{**box, "normalizedAxes": [1, 0]}]}},
    }
    (tmp_path / "scene_boxes.json").write_text(json.dumps({"scannet": scenes}))
    row = {
        "id": 1,
        "dataset": "scannet",
        "scene_name": "good",
        "question_type": "object_counting",
        "question": "How many bed(s) are in this room?",
        "ground_truth": "1",
    }
    (tmp_path / "questions.jsonl").write_text(json.dumps(row) + "\n{cut")
    found = read_vsi(tmp_path)
    assert [o.score for o in outcomes(found)] == [1.0]
    assert any("scene bad" in note for note in found.skipped)
    assert any("line 2" in note for note in found.skipped)
    with pytest.raises(BadInput, match="scene_boxes"):
        read_vsi(tmp_path / "nowhere")


@pytest.mark.real
def test_the_published_answers_are_reproduced() -> None:
    """Of every third question; `situ lab reproduce` answers them all."""
    collection = read_vsi(real_data("vsi_bench"))
    found = list(outcomes(replace(collection, questions=collection.questions[::3])))
    by_type = {result.question_type: result for result in results(found)}
    for name, result in by_type.items():
        if name.startswith(("object_rel", "object_size", "room_size", "object_counting")):
            assert result.exact >= 0.98, name
    assert by_type["object_abs_distance"].score >= 0.97
    assert all(o.unanswerable for o in found if "coat rack" in o.question.text)
    assert by_type["obj_appearance_order"].answered == 0  # boxes hold no frames
