"""Sentences are read by what they are made of; what no clause takes whole is no reading."""

from dataclasses import replace
from datetime import datetime

import pytest

from situ.errors import Unanswerable
from situ.language import Vocabulary
from situ.language.context import from_elsewhere, in_context, questions
from situ.language.reading import LEAST_READING, read
from situ.language.running import SURELY_READ
from situ.language.times import Clock
from situ.language.topic import Topic
from situ.memory.file.wall_clock import WallClock
from understood import understood

HOME = Vocabulary(
    frozenset({"cup", "lamp", "table", "sofa", "phone", "shoe", "person"}),
    frozenset({("color", "red"), ("color", "blue")}),
    None,
    frozenset({"kitchen", "bedroom"}),
    "kitchen",
)
CLOCK = Clock(0.0, 900.0)


def program(sentence: str) -> object:
    found = understood(sentence, HOME, CLOCK)
    assert found is not None, sentence
    return found.program


@pytest.mark.parametrize(
    ("plainly", "otherwise"),
    [
        ("which room is the cup in",
         ["cup which room", "the cup belongs to which room", "in what room do we keep the cup"]),
        ("how many cups are there", ["cups how many", "cups: how many do I have", "I have how many cups?"]),
        ("how tall is the cup",
         ["the cup is how tall", "what height has the cup", "up to what height does the cup go"]),
        ("where is the cup", ["tell me how to get to the cup", "gimme the location of the cup",
                              "I can't remember where I left the cup",
     "would you know whereabouts the cup went"]),
        ("is the cup on the table",
         ["does the cup stand on the table", "tell me if the cup is on the table"]),
        ("where was I 5 minutes ago", ["I was where 5 minutes ago", "5 minutes ago, where was I standing"]),
        ("how far apart are the cup and the lamp", ["how far is it from the cup over to the lamp"]),
        ("who moved the cup", ["who is it that has moved the cup", "who's been messing with the cup"]),
    ],
)  # fmt: skip
def test_the_order_of_words_does_not_change_what_is_asked(plainly: str, otherwise: list[str]) -> None:
    for sentence in otherwise:
        assert program(sentence) == program(plainly), sentence


@pytest.mark.parametrize(
    "said", ["where is the lamp", "which room is the lamp in", "tell me how tall the lamp is"]
)
@pytest.mark.parametrize("before", ["please", "I wonder", "can you tell me", "hello robot,", "do you know"])
def test_politeness_changes_nothing(said: str, before: str) -> None:
    assert program(f"{before} {said.removeprefix('tell me ')}") == program(said)


def test_another_observer_is_a_part_of_the_program() -> None:
    asked = {"ask": "get", "what": "way", "of": {"op": "things", "kind": "lamp"}}
    sofa = {"op": "things", "kind": "sofa"}
    for sentence in ("from the sofa, where is the lamp", "if I stood by the sofa, where is the lamp"):
        found = from_elsewhere(sentence, HOME, CLOCK)
        assert found is not None
        assert found.program == {"stand": sofa, "do": asked}
    found = from_elsewhere("standing at the sofa facing the table, where is the lamp", HOME, CLOCK)
    assert found is None or found.program["facing"] == {"op": "things", "kind": "table"}


@pytest.mark.parametrize(
    "sentence", ["is there another cup", "where is the other cup", "is my other shoe on the table"]
)
def test_another_is_not_the_one_that_is_meant_by_the_name(sentence: str) -> None:
    assert "except" in str(program(sentence))


@pytest.mark.parametrize(
    "sentence",
    ["did I move the cup again", "where was the cup then", "put the cup on the table",
     "should I move the sofa",
     "why is the cup on the table", "what did the kitchen lose", "is the cup hardly on the table"],
)  # fmt: skip
def test_a_word_that_nothing_takes_leaves_no_reading(sentence: str) -> None:
    found = read(sentence, HOME, CLOCK)
    assert found is None or found.unknown or found.certainty < LEAST_READING


@pytest.mark.parametrize("sentence", ["the cup is how tall", "I walked how many metres", "cup which room"])
def test_what_is_read_in_another_order_is_announced(sentence: str) -> None:
    found = understood(sentence, HOME, CLOCK)
    assert found is not None
    assert found.certainty < SURELY_READ


@pytest.mark.parametrize(
    ("sentence", "positive"),
    [("tell me if the cup is not on the table", "is the cup on the table"),
     ("what things didn't I move", "what did I move")],
)  # fmt: skip
def test_a_negator_is_never_dropped(sentence: str, positive: str) -> None:
    found = read(sentence, HOME, CLOCK)
    assert found is None or found.program != program(positive)


@pytest.mark.parametrize("measure", ["bigger", "taller", "further from me", "closer"])
def test_two_qualities_behind_a_kind_are_of_that_kind(measure: str) -> None:
    named = program(f"which is {measure}, the red cup or the blue cup")
    assert isinstance(named, dict)
    for which in ("which of the two cups", "which of the cups"):
        asked = program(f"{which} is {measure}, the red one or the blue one")
        assert isinstance(asked, dict)
        assert {**asked, "names": 0} == {**named, "names": 0}


def test_one_is_of_the_kind_that_was_named_before() -> None:
    assert program("is the red cup bigger than the blue one") == program(
        "is the red cup bigger than the blue cup"
    )


@pytest.mark.parametrize(("side", "other"), [("left", "right"), ("right", "left")])
def test_the_other_side_is_of_the_same_thing(side: str, other: str) -> None:
    beside = {"op": "rel", "to": {"op": "things", "kind": "lamp"}}
    cup = {"op": "things", "kind": "cup"}
    asked = [{"ask": "is", "of": cup, "in": {**beside, "rel": one}} for one in (side, other)]
    assert program(f"is the cup on the {side} of the lamp or on the {other}") == asked
    assert program(f"is the cup {side} or {other} of the lamp") == asked


def test_to_get_a_thing_is_to_reach_it_only_where_one_can() -> None:
    assert "reach" in str(program("can I get at the cup from here"))
    found = read("did you get the cup", HOME, CLOCK)
    assert found is None or "reach" not in str(found.program)


def test_people_go_by_their_own_names() -> None:
    people = frozenset({*HOME.attributes, ("name", "Mr Hughes"), ("name", "Tom")})
    home = replace(HOME, attributes=people)
    for name in ("Mr Hughes", "Tom"):
        found = read(f"where is {name}", home, CLOCK)
        assert found is not None
        assert found.program["of"] == {"op": "things", "with": {"name": name}}
    stranger = read("where is Mr Hughes", HOME, CLOCK)
    assert stranger is not None
    assert stranger.unknown == ("mr hughes",)


@pytest.mark.parametrize(
    ("story", "question"),
    [("I had the phone with me when I came in, and now I haven't.", "Where did I put it?"),
     ("I need the phone!", "is it on the table"), ("the phone,", "where is it"),
     ("my phone:", "how far is it")],
)  # fmt: skip
def test_it_is_what_the_story_before_names(story: str, question: str) -> None:
    one = next(in_context(f"{story} {question}", HOME, CLOCK, Topic()))
    assert one.question == question
    assert one.topic.it == {"op": "things", "kind": "phone"}
    assert not one.unknown


def test_a_thing_that_nobody_saw_is_not_the_one_it_is_named_like() -> None:
    for one in in_context("her sofa box is gone. is it in the kitchen", HOME, CLOCK, Topic()):
        assert one.topic.it != {"op": "things", "kind": "box"}


def test_questions_that_follow_each_other_are_asked_one_by_one() -> None:
    assert questions("where is the cup and how far is it", HOME, CLOCK) == [
        "where is the cup",
        "how far is it",
    ]
    assert questions("Is the cup here? Where is the lamp?", HOME, CLOCK) == [
        "Is the cup here?", "Where is the lamp?"
    ]  # fmt: skip
    for one in ("is the cup on the table and red", "where is the cup and the lamp"):
        assert questions(one, HOME, CLOCK) == []


def test_a_time_that_the_memory_does_not_know_is_told_for_questions_alone() -> None:
    wall = WallClock(((0.0, datetime(2026, 1, 1, 13, 40)),))
    clock = Clock(0.0, 1800.0, told=wall)
    with pytest.raises(Unanswerable, match="my memory covers 13:40 to 14:10"):
        read("where was I at 9:45", HOME, clock)
    assert read("will the shop open at 9:45", HOME, clock) is None
