"""A whole small set: made, checked by a second method, and made again to the same bytes."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.saw.check import check_item
from situ.benchmarks.saw.official import official_records
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.saw.wording import in_published_words
from situ.questions import from_program
from situ.state import PathState, TruthState

TINY = SawRecipe(scale=0.004, seed=90, width=160, height=120, fps=2)


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_dataset(TINY, tmp_path_factory.mktemp("saw") / "set")


def test_all_tasks_are_asked(small_set: Dataset) -> None:
    tasks = Counter(row.task for row in small_set.questions)
    assert set(tasks) == {"localization", "direction", "shape", "revplan", "memory", "affordance"}
    assert set(small_set.items) == set(TINY.item_names())


def test_keys_are_what_the_programs_give(small_set: Dataset) -> None:
    for item, rows in small_set.by_item():
        truth = TruthState.of(small_set.recording(item))
        for row in rows:
            answer = from_program(row.program).answer(truth)
            assert answer.text == row.answer
            assert answer.margin >= row.question.min_margin
            assert row.answer in row.options


def test_route_answers_need_the_path_alone(small_set: Dataset) -> None:
    for item, rows in small_set.by_item():
        state = PathState(small_set.recording(item).path)
        for row in rows:
            if row.task in ("direction", "shape", "revplan"):
                assert row.question.answer(state).text == row.answer


def test_the_second_opinion_agrees_and_notices_every_wrong_key(small_set: Dataset) -> None:
    for item, rows in small_set.by_item():
        recording = small_set.recording(item)
        assert check_item(recording, rows) == []
        wrong = [
            replace(row, answer=next(option for option in row.options if option != row.answer))
            for row in rows
        ]
        assert len(check_item(recording, wrong)) == len(rows)


def test_the_published_words_ask_the_same(small_set: Dataset) -> None:
    for item, rows in small_set.by_item():
        recording = small_set.recording(item)
        worded = [in_published_words(row) for row in rows]
        assert check_item(recording, worded) == []
        for row, said in zip(rows, worded, strict=True):
            assert (said.text != row.text) == (row.task not in ("memory", "affordance"))
            assert said.answer == row.answer


def test_a_video_is_asked_one_task_and_its_name_tells_nothing(small_set: Dataset) -> None:
    for item, rows in small_set.by_item():
        assert len({row.task for row in rows}) == 1
        assert item.isdigit()
        assert not set(small_set.recording(item).meta) & {"key", "video_id", "task"}
    assert [row.id for row in small_set.questions] == [f"q{i:05d}" for i in range(len(small_set.questions))]


def test_names_appear_in_questions(small_set: Dataset) -> None:
    for item, rows in small_set.by_item():
        place = str(small_set.recording(item).meta["place"])
        for row in rows:
            assert place in row.text or row.task == "affordance"


def test_official_shape(small_set: Dataset) -> None:
    records = official_records(small_set.questions)
    for record in records:
        assert record["options"][record["answer"]] == record["ground_truth"]
    assert len({(r["task"], r["id"]) for r in records}) == len(records)


def test_an_item_made_again_is_the_same(small_set: Dataset, tmp_path: Path) -> None:
    TINY.make_item(0, tmp_path / "again")
    again = Dataset(tmp_path, {}).folder / "again"
    item = TINY.item_names()[0]
    first = (small_set.folder / "items" / item / "video.mp4").read_bytes()
    assert (again / "video.mp4").read_bytes() == first
