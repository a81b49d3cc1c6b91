"""The pipeline: options that are unique, wrong and of even length; bad questions are listed."""

import json
from pathlib import Path

import numpy as np
import pytest

from real_data import real_data
from situ.authoring.author import Settings, author
from situ.authoring.blind import Posed, blind_test
from situ.authoring.items import Item, check_items, read_items
from situ.authoring.logic import entails, normal
from situ.benchmarks.question_types import BINARY, COUNT

THINGS = [
    "lamp",
    "vase",
    "clock",
    "mirror",
    "plant",
    "basket",
    "radio",
    "candle",
    "kettle",
    "globe",
    "pillow",
    "teapot",
    "helmet",
    "rug",
]


def _items(count: int = 40) -> list[Item]:
    rng = np.random.default_rng(3)
    made = []
    for i in range(count):
        thing = THINGS[int(rng.integers(len(THINGS)))]
        made.append(Item(f"q{i}", f"What stands on table {i}?", f"A {thing}", f"video {i % 9}", "recall"))
    return made


def test_options_are_unique_wrong_and_the_truth_is_among_them() -> None:
    made = author(_items())
    assert len(made.items) == 40
    for item in made.items:
        assert len(item.options) == 5
        assert item.answer in item.options
        for option in item.options:
            if option != item.answer:
                assert entails(option, item.answer) < 0.7
                assert entails(item.answer, option) < 0.7
        assert len({normal(option) for option in item.options}) == 5


def test_the_same_seed_gives_the_same_options() -> None:
    first, second = author(_items(), Settings(seed=5)), author(_items(), Settings(seed=5))
    assert first.items == second.items


def test_a_right_answer_in_other_words_is_never_a_distractor() -> None:
    items = _items()
    items[0] = Item("q0", "What stands on table 0?", "A TV", "video 0", "recall", also=("A monitor",))
    items[1] = Item("q1", "What stands on table 1?", "A television", "video 1", "recall")
    items[2] = Item("q2", "What stands on table 2?", "The monitor", "video 2", "recall")
    first = next(item for item in author(items).items if item.id == "q0")
    assert not {"A television", "The monitor"} & set(first.options)


def test_too_few_questions_to_draw_from_are_listed_not_hidden() -> None:
    made = author(_items(2))
    assert made.items == ()
    assert len(made.problems) == 2
    assert "distractors" in made.problems[0].what


def test_binary_and_counts_have_their_own_options() -> None:
    items = [
        *_items(),
        Item("b", "Is the door open?", "Yes", "video 0", qtype=BINARY),
        Item("c", "How many cups are left?", "6", "video 0", qtype=COUNT),
    ]
    found = {item.id: item.options for item in author(items).items}
    assert set(found["b"]) == {"Yes", "No"}
    assert "6" in found["c"]


def test_a_guesser_finds_the_leak_of_the_published_counts_and_none_in_even_ones() -> None:
    rng = np.random.default_rng(0)
    items = [
        Item(
            f"c{i}",
            f"How many cups are in room {i}?",
            str(int(rng.integers(4, 30))),
            f"v{i % 30}",
            qtype=COUNT,
        )
        for i in range(120)
    ]
    leaky, fair = author(items, Settings(compat=True)), author(items)
    assert leaky.after.accuracy > 0.4
    assert fair.after.accuracy < 0.29


def test_a_guesser_sees_that_the_longest_is_right() -> None:
    posed = [
        Posed(f"v{i % 20}", "what", tuple("x" * (9 if k == i % 5 else 4) for k in range(5)), i % 5)
        for i in range(200)
    ]
    assert blind_test(posed).accuracy > 0.9


BAD = [
    ({"question": "What?", "answer": " "}, "answer is empty"),
    ({"question": "", "answer": "x"}, "no question"),
    ({"question": "What?", "answer": "x", "time": "soon"}, "cannot be read"),
    ({"question": "What?", "answer": "x", "time": "frame 9"}, "fps"),
    ({"question": "What?", "answer": "x", "evidence": [[9, 3]], "time": 20}, "ends before it starts"),
    ("just a text", "not a JSON object"),
]


@pytest.mark.parametrize(("record", "what"), BAD)
def test_a_bad_record_costs_itself_alone(record: object, what: str, tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_text(json.dumps([record, {"question": "What is it?", "answer": "A cup", "time": "00:03:1.8"}]))
    items, problems = read_items(path)
    assert [item.answer for item in items] == ["A cup"]
    assert items[0].time == pytest.approx(181.8)
    assert len(problems) == 1
    assert what in problems[0].what


@pytest.mark.parametrize(
    ("item", "what"),
    [
        (Item("a", "q", "x", time=5.0, spans=((1.0, 6.0),)), "before its evidence ends"),
        (Item("a", "q", "x", time=50.0, length=20.0), "lasts 20 s"),
        (Item("a", "q", "x", options=("X", "x", "y")), "2 times among its options"),
        (Item("a", "q", "x", options=("y", "z")), "0 times among its options"),
    ],
)
def test_what_cannot_be_right_is_reported(item: Item, what: str) -> None:
    assert any(what in problem.what for problem in check_items([item]))


def test_repeats_and_contradictions_are_reported_but_another_time_is_another_question() -> None:
    same = Item("a", "Where is it?", "left", "v", time=1.0)
    found = check_items(
        [
            same,
            Item("b", "where is IT", "Left", "v", time=1.0),
            Item("c", "Where is it?", "right", "v", time=1.0),
            Item("d", "Where is it?", "right", "v", time=9.0),
        ]
    )
    assert [problem.id for problem in found] == ["b", "c"]


def test_two_hundred_human_questions() -> None:
    items, problems = read_items(real_data("openeqa") / "open-eqa-v0.json")
    made = author(items[:200])
    assert not problems
    assert len(made.items) + len({problem.id for problem in made.problems}) == 200
    assert len(made.items) >= 190
    many = [item for item in made.items if len(item.options) > 2]
    longest = np.mean([len(item.answer) >= max(map(len, item.options)) for item in many])
    assert 0.1 < longest < 0.32
    for item in many:
        wrong = [option for option in item.options if option != item.answer]
        assert len({normal(option) for option in item.options}) == 5
        for option in wrong:
            for right in (item.answer, *item.also):
                assert max(entails(option, right), entails(right, option)) < 0.7
