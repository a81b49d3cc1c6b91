from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.cells import SIZES
from situ.benchmarks.rem.check import check_item
from situ.benchmarks.rem.recipe import RemRecipe
from situ.errors import BadInput
from situ.evaluation.check import check_dataset
from situ.recording.quantization import quantized
from situ.state import TruthState

SMALL = {"width": 120, "height": 80}


def test_mini_has_the_published_number_of_questions(mini: Dataset) -> None:
    """Counts alone may fall a little short: their truths are drawn by lot, and some are rare."""
    asked = Counter(row.task for row in mini.questions)
    published = SIZES["mini"].questions
    assert {task: asked[task] for task in published if task != "counting"} == {
        task: number for task, number in published.items() if task != "counting"
    }
    assert 0.7 * published["counting"] < asked["counting"] <= published["counting"]
    assert len(mini.items) == 18


def test_a_small_set_keeps_the_mix_of_tasks(tmp_path: Path) -> None:
    dataset = make_dataset(RemRecipe("mini", scale=0.2, seed=32, **SMALL), tmp_path / "small")
    asked = Counter(row.task for row in dataset.questions)
    assert set(asked) == set(SIZES["mini"].questions)
    assert min(asked.values()) >= 4


def test_a_walk_is_asked_for_one_kind_of_question(mini: Dataset) -> None:
    """Whoever is asked to compare things knows that they were seen; sides are asked where nothing repeats."""
    for _, rows in mini.by_item():
        assert len({row.task for row in rows}) == 1


def test_rows_say_how_many_repeats_were_seen_and_how_many_of_a_kind_in_one_frame(mini: Dataset) -> None:
    for item, rows in mini.by_item():
        recording = mini.recording(item)
        rule = recording.meta["visibility"]["clear_share"]
        for row in rows:
            assert 0 <= row.strata["repeats_seen"] <= row.strata["repeats_in_scene"]
            if row.task == "counting":
                which = row.question.which  # type: ignore[attr-defined]
                counts = [
                    sum(
                        seen.share >= rule and which.matches(recording.objects[seen.object_id])
                        for seen in frame.visible
                    )
                    for frame in recording.frames
                ]
                assert row.strata["most_in_one_frame"] == max(counts) <= int(row.answer)


def test_keys_are_what_the_programs_say_on_the_truth(mini: Dataset) -> None:
    for item, rows in mini.by_item():
        truth = TruthState.of(mini.recording(item))
        for row in rows:
            answer = row.question.answer(truth)
            assert answer.text == row.answer
            assert quantized(answer.margin) == row.margin >= row.question.min_margin
            assert not row.options or row.answer in row.options


def test_the_second_opinion_agrees(mini: Dataset) -> None:
    result = check_dataset(mini)
    assert result.questions == len(mini.questions)
    assert result.disagreements == ()


def test_the_second_opinion_sees_a_wrong_key_and_a_wrong_annotation(mini: Dataset) -> None:
    item, rows = next(iter(mini.by_item()))
    recording = mini.recording(item)
    from dataclasses import replace

    wrong = [replace(row, answer="banana") for row in rows]
    assert len(check_item(recording, wrong)) == len(rows)
    unknown = replace(rows[0], text="Where is the lift?")
    assert "not understood" in check_item(recording, [unknown])[0]


def test_answers_are_balanced(mini: Dataset) -> None:
    sides = Counter(row.answer for row in mini.questions if row.task == "left_right")
    assert abs(sides["left"] - sides["right"]) <= 24  # by lot: 6 at one standard deviation
    orders = Counter(row.answer for row in mini.questions if row.task == "ordering")
    assert len(orders) == 3


def test_no_ordering_question_asks_about_one_type_twice(mini: Dataset) -> None:
    for row in mini.questions:
        if row.task in ("ordering", "left_right", "comparison"):
            names = [value["category"] for value in row.program.values() if isinstance(value, dict)]
            assert len(names) == 2
            first, second = (value for value in row.program.values() if isinstance(value, dict))
            assert first != second


def test_actions_name_the_direction_and_match_the_poses(mini: Dataset) -> None:
    recording = mini.recording(mini.items[-1])
    assert recording.frames[0].action == "start"
    for before, after in pairwise(recording.frames):
        here, there = (recording.path.headings[f.index] for f in (before, after))
        if after.action.startswith("move forward"):
            assert here.moved(1.0).ground_distance(there.position) < 1e-5
        else:
            side = 15.0 if "right" in after.action else -15.0
            assert abs(here.turned(side).yaw_deg - there.yaw_deg) % 360 < 1e-4


def test_rotation_truths_and_layout(tmp_path: Path) -> None:
    dataset = make_dataset(RemRecipe("rotation", scale=4 / 101, seed=3, **SMALL), tmp_path / "rotation")
    for item, rows in dataset.by_item():
        recording = dataset.recording(item)
        assert len(recording) == 24
        truths = Counter(row.answer for row in rows)
        doubles = truths["2"]
        assert doubles in (1, 2)
        assert truths == {"0": doubles, "1": 24 - 2 * doubles, "2": doubles}
        front, back = (recording.ids(i) > 0 for i in (0, 12))
        assert np.corrcoef(front.ravel(), back.ravel())[0, 1] > 0.95
    assert check_dataset(dataset).disagreements == ()


def test_compat_keeps_the_faults(tmp_path: Path) -> None:
    dataset = make_dataset(
        RemRecipe("baseline", compat=True, scale=20 / 3119, seed=1, **SMALL), tmp_path / "c"
    )
    assert check_dataset(dataset).disagreements == ()
    for row in dataset.questions:
        if row.task == "left_right":
            thing, anchor = (row.program[key] for key in ("thing", "anchor"))
            names = [f"{p['attributes'][0][1]}_{p['category']}" for p in (thing, anchor)]
            smaller_is_left = (names == sorted(names)) == (row.program["claim"] == "left")
            assert (row.answer == "yes") == smaller_is_left
        if row.task == "ordering":
            assert ("or same time as" in row.text) == (row.answer == "same time")


def test_single_frame_sets_only_count(tmp_path: Path) -> None:
    dataset = make_dataset(RemRecipe("single", scale=12 / 350, seed=1, **SMALL), tmp_path / "single")
    assert {row.task for row in dataset.questions} == {"counting"}
    assert {len(dataset.recording(item)) for item in dataset.items} == {1}
    assert 0.6 * 1289 * 12 / 350 < len(dataset.questions) <= round(1289 * 12 / 350)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variant": "maxi"}, "unknown REM variant 'maxi'"),
        ({"scale": 0.0}, "scale must be above 0"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"variant": "rotation", "compat": True}, "leave out --compat"),
    ],
)
def test_bad_options_are_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        RemRecipe(**arguments)  # type: ignore[arg-type]


CopyOf = Callable[[Dataset], Path]


def test_damage_is_found_by_the_check(mini: Dataset, copy_of: CopyOf) -> None:
    folder = copy_of(mini)
    frames = folder / "items" / mini.items[2] / "frames.parquet"
    frames.write_bytes(frames.read_bytes()[: frames.stat().st_size // 2])
    problems = check_dataset(Dataset.open(folder)).disagreements
    assert len(problems) == 1
    assert "frames.parquet" in problems[0]
