"""Sentences are read by what they are made of; what no clause takes whole is no reading."""

from dataclasses import replace
from datetime import datetime

import pytest

from situ.errors import Unanswerable
from situ.language import Vocabulary
from situ.language.reading import LEAST_READING, read
from situ.language.running import SURELY_READ
from situ.language.times import Clock
from situ.memory.file.wall_clock import WallClock

HOME = Vocabulary(
    frozenset({"cup", "lamp", "table", "sofa", "phone", "shoe", "person"}),
    frozenset({("color", "red"), ("color", "blue")}),
    None,
    frozenset({"kitchen", "bedroom"}),
    "kitchen",
)
CLOCK = Clock(0.0, 900.0)


def program(sentence: str) -> object:
    found = read(sentence, HOME, CLOCK)
    assert found is not None, sentence
    assert found.certainty >= LEAST_READING, sentence
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
    assert program("from the sofa, where is the lamp") == {"stand": sofa, "do": asked}
    assert program("if I am standing at the sofa facing the table, where is the lamp") != asked


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
    found = read(sentence, HOME, CLOCK)
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


def test_the_last_of_several_sentences_asks_and_is_announced() -> None:
    told = "I had the phone with me when I came in, and now I haven't."
    found = read(f"{told} Where did I put it?", HOME, CLOCK)
    plainly = read("where did I put the phone", HOME, CLOCK)
    assert found is not None
    assert plainly is not None
    assert found.program == plainly.program
    assert found.certainty < SURELY_READ


def test_a_time_that_the_memory_does_not_know_is_told_for_questions_alone() -> None:
    wall = WallClock(((0.0, datetime(2026, 1, 1, 13, 40)),))
    clock = Clock(0.0, 1800.0, told=wall)
    with pytest.raises(Unanswerable, match="my memory covers 13:40 to 14:10"):
        read("where was I at 9:45", HOME, clock)
    assert read("will the shop open at 9:45", HOME, clock) is None
