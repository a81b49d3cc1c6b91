"""Sentences to programs."""

import pytest

from situ import questions as q
from situ.ask.parse import NotUnderstood, parse
from situ.ask.vocabulary import NotSeen, Vocabulary
from situ.questions.base import Question

HOME = Vocabulary(
    frozenset({"cup", "desk", "sofa", "chair", "office chair", "lamp", "shelf", "tv", "cuboid", "sphere"}),
    frozenset({("color", "red"), ("color", "blue")}),
)
CUP, RED_CUP, DESK = q.Selector.make("cup"), q.Selector.make("cup", {"color": "red"}), q.Selector.make("desk")
SOFA, LAMP = q.Selector.make("sofa"), q.Selector.make("lamp")

SAID: list[tuple[str, Question]] = [
    ("Where is the red cup?", q.WhereFromHere(RED_CUP)),
    ("where's my cup now", q.WhereFromHere(CUP)),
    ("which way is the cup", q.WhereFromHere(CUP)),
    ("where is the red cup on the desk?", q.WhereFromHere(RED_CUP, "on", DESK)),
    ("Where did I put the cup next to the lamp?", q.WhereFromHere(CUP, "near", LAMP)),
    ("where was the cup 2 minutes ago", q.WhereWas(CUP, time=480.0)),
    ("where was the cup at 1:10?", q.WhereWas(CUP, time=70.0)),
    ("Where was the cup before I moved it?", q.WhereWas(CUP)),
    ("where was the cup when I came in", q.WhereWas(CUP, time=0.0)),
    ("how far away is the couch?", q.DistanceFromHere(SOFA)),
    ("how far is the cup from the desk", q.ClosestDistance(CUP, DESK)),
    ("can I reach the television", q.CanReach(q.Selector.make("tv"))),
    ("is the lamp within reach?", q.CanReach(LAMP)),
    ("Which is closer, the sofa or the desk?", q.CloserToMe(SOFA, DESK)),
    ("which is closer to the lamp, the sofa or the desk?", q.NearestTo((SOFA, DESK), LAMP)),
    ("can I see the lamp right now?", q.InViewNow(LAMP)),
    ("when did I last see the lamp", q.SeenWhen(LAMP)),
    ("when did I first see the lamp", q.SeenWhen(LAMP, first=True)),
    ("how many shelves are left?", q.CountNow(q.Selector.make("shelf"))),
    ("How many different red objects did we see in total?", q.Count(q.Selector.make(None, {"color": "red"}))),
    ("Did we see more cups or more sofas, or equally many of both?", q.Compare(CUP, SOFA)),
    ("Did we first see a cup before, after, or at the same time as we first saw a sofa?",
     q.FirstSeenOrder(CUP, SOFA)),
    ("When both are in view, is the cup to the left or to the right of the sofa?", q.SideInView(CUP, SOFA)),
    ("When both are in view, is the cup on the left of the sofa?", q.SideInView(CUP, SOFA, "left")),
    ("is the lamp above the desk", q.PairRelation(LAMP, DESK, "height")),
    ("is the lamp behind the desk", q.PairRelation(LAMP, DESK, "depth")),
    ("if I stand by the desk and face the sofa, where is the lamp?",
     q.RelativeDirection(DESK, SOFA, LAMP, "hard")),
    ("which is larger, the sofa or the cup", q.Larger(SOFA, CUP)),
    ("could the cup stand on the desk?", q.FitsOn(CUP, DESK)),
    ("how long is the sofa", q.LongestSide(SOFA)),
    ("in which order did the cup, the sofa and the lamp appear", q.AppearanceOrder((CUP, SOFA, LAMP))),
    ("which way did I come?", q.ReversePlan()),
    ("where did I start", q.RouteDirection("end")),
    ("what shape is my path", q.RouteShape()),
    ("what happened to the cup", q.WhatHappenedTo(CUP, 0.0)),
    ("what is next to the lamp?", q.NextTo(LAMP)),
    ("can I sit on the sofa", q.Affords("sit on", 0.55, SOFA)),
    ("can I walk between the sofa and the desk", q.Affords("pass through", 0.5, SOFA, DESK)),
    ("how big is this room", q.RoomSize()),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "question"), SAID, ids=[s for s, _ in SAID])
def test_a_sentence_becomes_its_program(sentence: str, question: Question) -> None:
    assert parse(sentence, HOME, 0.0, 600.0).question == question


ROUND_TRIP = (
    *("count", "compare", "side_in_view", "can_reach", "distance_from_here", "where_from_here", "next_to"),
    *("count_now", "closer_to_me", "seen_when", "first_seen_order"),
)


@pytest.mark.parametrize("question", [q for _, q in SAID if q.kind in ROUND_TRIP], ids=lambda x: x.text)
def test_what_a_question_says_of_itself_asks_for_it(question: Question) -> None:
    words = question.text.replace(" without taking a step", "")
    assert parse(words, HOME, 0.0, 600.0).question == question


def test_counting_in_the_past_is_as_of_then() -> None:
    asked = parse("how many chairs were there 5 minutes ago", HOME, 0.0, 600.0)
    assert asked.question == q.CountNow(q.Selector.make("chair"))
    assert asked.at == 300.0


@pytest.mark.parametrize("name", ["lift", "mug", "coffee table", "glass", "green sofa"])
def test_an_unknown_name_is_never_another_thing(name: str) -> None:
    with pytest.raises(NotSeen, match="not seen"):
        parse(f"where is the {name}", HOME)


def test_a_thing_labelled_box_is_not_a_cuboid_but_a_cuboid_may_be_called_box() -> None:
    assert HOME.select("the boxes") == q.Selector.make("cuboid")
    assert Vocabulary(frozenset({"box", "cuboid"}), frozenset()).select("box") == q.Selector.make("box")
    with pytest.raises(NotSeen):
        Vocabulary(frozenset({"box"}), frozenset()).select("cuboid")


def test_a_more_specific_name_is_suggested_not_taken() -> None:
    with pytest.raises(NotSeen, match="I have seen a chair and an office chair"):
        HOME.select("swivel chair")


@pytest.mark.parametrize("sentence", ["", "???", "what is the meaning of life", "the cup", "where"])
def test_what_is_no_question_is_refused_with_examples(sentence: str) -> None:
    with pytest.raises(NotUnderstood, match="where is the red cup"):
        parse(sentence, HOME)
