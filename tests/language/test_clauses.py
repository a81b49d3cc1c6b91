"""Questions with a story before them, with tails, turned round; and names that are parts of others."""

import pytest

from situ import questions as q
from situ.language.parse import Clock, parse
from situ.language.vocabulary import NotSeen, Vocabulary
from situ.questions.base import Question

HOME = Vocabulary(
    frozenset({"cup", "desk", "lamp", "chair", "picture frame", "tv stand"}),
    frozenset({("color", "red")}),
    places=frozenset({"kitchen", "hallway"}),
)
CLOCK = Clock(0.0, 600.0)
CUP, DESK, CHAIR = q.Selector.make("cup"), q.Selector.make("desk"), q.Selector.make("chair")

STORIES = (
    "I am out of breath.",
    "Grandma is calling -",
    "For the shopping list:",
    "We are leaving soon,",
    "Sorry!",
)
ASKED: list[tuple[str, Question]] = [
    ("where is the cup", q.WhereFromHere(CUP)),
    ("how many chairs are there in the kitchen?", q.CountInPlace("kitchen", CHAIR)),
    ("is the cup on the desk?", q.IsRelated("on", DESK, CUP)),
    ("how long was I in the hallway?", q.TimeIn("hallway")),
    ("what is behind me", q.Around("back")),
]


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize(("sentence", "question"), ASKED, ids=[sentence for sentence, _ in ASKED])
def test_a_story_before_a_question_changes_nothing(story: str, sentence: str, question: Question) -> None:
    assert parse(f"{story} {sentence}", HOME, CLOCK).question == question


SAID: list[tuple[str, Question]] = [
    ("I am cooking and need the cup. Where did it go?", q.WhereFromHere(CUP)),
    ("I want to sit. Is there a chair nearby? Direct me to the closest", q.NearestOne(CHAIR)),
    ("do we need more chairs? How many are there?", q.CountNow(CHAIR)),
    ("in the kitchen, how many chairs do you count", q.CountInPlace("kitchen", CHAIR)),
    ("the cup - in the kitchen or not?", q.IsIn("kitchen", CUP)),
    ("we think the cup is in the kitchen. True?", q.IsIn("kitchen", CUP)),
    ("how many chairs are standing in the kitchen", q.CountInPlace("kitchen", CHAIR)),
    ("is the cup lying on the desk", q.IsRelated("on", DESK, CUP)),
    ("is it possible to sit down on the desk", q.Affords("sit on", 0.55, DESK)),
    ("how do visitors get to the kitchen from here", q.WayToPlace("kitchen")),
    ("lead us back to the kitchen", q.WayBack("kitchen")),
    ("describe what stands in front", q.Around("front")),
    ("am I standing with my back to the desk", q.IsToward(DESK, direction="back")),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "question"), SAID, ids=[sentence for sentence, _ in SAID])
def test_the_clause_that_asks_is_found(sentence: str, question: Question) -> None:
    assert parse(sentence, HOME, CLOCK).question == question


def test_of_two_things_in_a_story_neither_is_taken_for_it() -> None:
    asked = parse("did I leave the cup on the desk? Is it there?", HOME, CLOCK).question
    assert asked == q.IsRelated("on", DESK, CUP)


def test_a_place_in_the_story_is_not_left_out() -> None:
    """What is said of a place before the comma belongs to the question."""
    asked = parse("in the hallway, is there a chair", HOME, CLOCK).question
    assert asked == q.IsIn("hallway", CHAIR)


@pytest.mark.parametrize("name", ["walking frame", "reading lamp", "drinking cup"])
def test_a_name_that_ends_another_is_not_that_other(name: str) -> None:
    with pytest.raises(NotSeen, match=name.split(" ")[0]):
        parse(f"have you seen my {name} about", HOME, CLOCK)
