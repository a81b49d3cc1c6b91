"""Sentences that no phrase fits, read by their cues: in any order, with a story around them, announced."""

from itertools import permutations

import pytest

from situ import questions as q
from situ.language.parse import Clock, NotUnderstood, OutsideMemory, parse
from situ.language.vocabulary import NotSeen, Vocabulary
from situ.questions.base import Question

HOME = Vocabulary(
    frozenset({"cup", "desk", "sofa", "lamp", "car", "bean bag", "watering can"}),
    frozenset({("color", "red"), ("color", "blue")}),
    places=frozenset({"kitchen", "hallway"}),
)
CLOCK = Clock(0.0, 600.0)
CUP, DESK, LAMP = q.Selector.make("cup"), q.Selector.make("desk"), q.Selector.make("lamp")

SAID: list[tuple[str, Question]] = [
    ("if I wanted the cup, where would I have to look", q.WhereFromHere(CUP)),
    ("my daughter is asking for the lamp, do you know where it might be", q.WhereFromHere(LAMP)),
    ("what distance separates me from the lamp", q.DistanceFromHere(LAMP)),
    ("the cup, how far", q.DistanceFromHere(CUP)),
    ("between the cup and the lamp, which is the closer one", q.CloserToMe(CUP, LAMP)),
    ("that cup, it's on the desk, right?", q.IsRelated("on", DESK, CUP)),
    ("the lamp wouldn't be in the hallway, would it", q.IsIn("hallway", LAMP)),
    ("in the kitchen, how many lamps are there", q.CountInPlace("kitchen", LAMP)),
    ("what height is the lamp", q.SizeOf(LAMP, "height")),
    ("would the lamp be over to my left", q.IsToward(LAMP, direction="left")),
    ("how many trips did I make to the kitchen", q.Visits("kitchen")),
    ("who's been messing with my lamp", q.MovedBy(LAMP)),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "question"), SAID, ids=[sentence for sentence, _ in SAID])
def test_a_sentence_of_no_phrase_is_read_by_its_cues(sentence: str, question: Question) -> None:
    asked = parse(sentence, HOME, CLOCK)
    assert asked.question == question


def test_a_reading_by_cues_is_less_than_certain_and_a_phrase_is_certain() -> None:
    assert parse("where is the cup", HOME, CLOCK).certainty == 1.0
    loose = parse("if I wanted the cup, where would I have to look", HOME, CLOCK).certainty
    strange = parse("if I fancied perusing the cup, where would I have to look", HOME, CLOCK).certainty
    assert strange < loose < 1.0


def test_the_order_of_clauses_does_not_matter() -> None:
    parts = ("so the cup", "how far is it", "from me I mean")
    found = {parse(", ".join(order), HOME, CLOCK).question for order in permutations(parts)}
    assert found == {q.DistanceFromHere(CUP)}


@pytest.mark.parametrize(
    "sentence",
    ["I wanted the bag, where would I have to look", "if I wanted the toy car, where would I have to look",
     "if I wanted the car key, where would I have to look", "my unicycle, what distance is it from me"],
)  # fmt: skip
def test_an_unknown_name_is_never_another_thing(sentence: str) -> None:
    with pytest.raises(NotSeen):
        parse(sentence, HOME, CLOCK)


@pytest.mark.parametrize("sentence", ["is my lamp charged up", "who gave me the lamp", "do you like my lamp"])
def test_what_no_memory_holds_is_not_read_into_a_question(sentence: str) -> None:
    with pytest.raises((OutsideMemory, NotUnderstood)):
        parse(sentence, HOME, CLOCK)


def test_a_word_that_asks_is_no_thing() -> None:
    """There is a watering can; "can" asks."""
    assert parse("hey, can you get me to my red cup", HOME, CLOCK).question == q.WhereFromHere(
        q.Selector.make("cup", {"color": "red"})
    )
