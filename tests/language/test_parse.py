"""Sentences to programs."""

import pytest

from situ import questions as q
from situ.language.parse import Clock, NotUnderstood, OutsideMemory, parse
from situ.language.vocabulary import Ambiguous, NotSeen, Vocabulary
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
    ("Where was the cup before I moved it?", q.CameFrom(CUP)),
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
    ("is the lamp above or below the desk", q.PairRelation(LAMP, DESK, "height")),
    ("is the lamp behind or in front of the desk", q.PairRelation(LAMP, DESK, "depth")),
    ("is the lamp behind the desk", q.IsRelated("behind", DESK, LAMP)),
    ("what is at my nine o'clock", q.Around("left")),
    ("Anything at my 12 o'clock?", q.Around("front")),
    ("is the cup red or blue", q.LooksLike(CUP)),
    ("what did my wife move", q.MovedThings(mine=False, others=True)),
    ("which things were moved since 300 seconds", q.MovedThings(since=300.0, mine=False)),
    ("what did I bring to the desk", q.TakenAway(anchor=DESK, brought=True)),
    ("Would you be so kind as to tell me where I left the cup?", q.WhereFromHere(CUP)),
    ("I would love to know when I last saw the lamp", q.SeenWhen(LAMP)),
    ("where is the cup red", q.WhereFromHere(RED_CUP)),
    ("where in the house is the lamp", q.PlaceOf(LAMP)),
    ("state the last known position of the lamp", q.WhereFromHere(LAMP)),
    ("was the cup observed before the sofa", q.FirstSeenOrder(CUP, SOFA)),
    ("if I stand by the desk and face the sofa, where is the lamp?",
     q.RelativeDirection(DESK, SOFA, LAMP, "hard")),
    ("which is larger, the sofa or the cup", q.Larger(SOFA, CUP)),
    ("could the cup stand on the desk?", q.FitsOn(CUP, DESK)),
    ("how long is the sofa", q.SizeOf(SOFA)),
    ("in which order did the cup, the sofa and the lamp appear", q.AppearanceOrder((CUP, SOFA, LAMP))),
    ("which way did I come?", q.WayBack()),
    ("where did I start", q.RouteDirection("end")),
    ("what shape is my path", q.RouteShape()),
    ("what happened to the cup", q.HappenedTo(CUP)),
    ("what is next to the lamp?", q.RelatedTo("near", LAMP)),
    ("what is the closest thing to the lamp?", q.NextTo(LAMP)),
    ("what is behind me", q.Around("back")),
    ("is there anything on my left?", q.Around("left")),
    ("what's the nearest thing", q.NearestThing()),
    ("where is the nearest chair", q.NearestOne(q.Selector.make("chair"))),
    ("what is on the desk", q.RelatedTo("on", DESK)),
    ("did I leave the cup on the desk?", q.IsRelated("on", DESK, CUP)),
    ("how many cups are on the desk", q.CountRelated("on", DESK, CUP)),
    ("what changed", q.Changes()),
    ("did anything change in the last 5 minutes", q.Changes(since=300.0)),
    ("what did I carry last", q.LastMoved()),
    ("has my cup been moved?", q.HasMoved(CUP)),
    ("is the cup gone", q.StillThere(CUP, gone=True)),
    ("who moved my cup", q.MovedBy(CUP)),
    ("how far have I walked", q.DistanceWalked()),
    ("have I been here before", q.BeenHere()),
    ("what colour is the cup", q.LooksLike(CUP)),
    ("is it far to the sofa", q.IsNear(SOFA, far=True)),
    ("is the lamp on my left or right", q.SideOfMe(LAMP)),
    ("where are all the chairs", q.AllOf(q.Selector.make("chair"))),
    ("wher is teh lapm", q.WhereFromHere(LAMP)),
    ("how mny shelfs are ther", q.CountNow(q.Selector.make("shelf"))),
    ("I can't find my cup", q.WhereFromHere(CUP)),
    ("any idea where the red cup got to?", q.WhereFromHere(RED_CUP)),
    ("can I sit on the sofa", q.Affords("sit on", 0.55, SOFA)),
    ("can I walk between the sofa and the desk", q.Affords("pass through", 0.5, SOFA, DESK)),
    ("how big is this room", q.RoomSize()),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "question"), SAID, ids=[s for s, _ in SAID])
def test_a_sentence_becomes_its_program(sentence: str, question: Question) -> None:
    assert parse(sentence, HOME, Clock(0.0, 600.0)).question == question


ROUND_TRIP = (
    *("count", "compare", "side_in_view", "can_reach", "distance_from_here", "where_from_here", "related_to"),
    *("count_now", "closer_to_me", "seen_when", "first_seen_order", "around", "nearest_one", "is_related"),
    *("has_moved", "still_there", "moved_by", "looks_like", "is_near", "side_of_me", "last_moved"),
    *("relative_direction", "larger", "closest_distance", "nearest_to", "pair_relation", "route_shape"),
    *("route_direction", "room_size", "appearance_order", "happened_to", "all_of", "size_of", "been_here"),
)


@pytest.mark.parametrize("question", [q for _, q in SAID if q.kind in ROUND_TRIP], ids=lambda x: x.text)
def test_what_a_question_says_of_itself_asks_for_it(question: Question) -> None:
    words = question.text.replace(" without taking a step", "")
    assert parse(words, HOME, Clock(0.0, 600.0)).question == question


def test_counting_in_the_past_is_as_of_then() -> None:
    asked = parse("how many chairs were there 5 minutes ago", HOME, Clock(0.0, 600.0))
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


@pytest.mark.parametrize("sentence", ["", "???", "colourless green ideas sleep", "help", "where"])
def test_what_is_no_question_is_refused_with_examples(sentence: str) -> None:
    with pytest.raises(NotUnderstood, match="where is the red cup"):
        parse(sentence, HOME)


@pytest.mark.parametrize(
    "sentence", ["is my cup charged", "what time is it", "is the lamp on", "turn on the lamp"]
)
def test_what_no_memory_of_places_holds_is_refused_as_such(sentence: str) -> None:
    with pytest.raises(OutsideMemory, match="outside what I can know"):
        parse(sentence, HOME)


def test_a_name_for_several_kinds_is_ambiguous_and_a_toy_car_is_no_car() -> None:
    lamps = Vocabulary(frozenset({"desk lamp", "floor lamp", "toy car", "bean bag"}), frozenset())
    with pytest.raises(Ambiguous, match="which lamp do you mean"):
        lamps.select("lamp")
    for name in ("car", "bag"):
        with pytest.raises(NotSeen, match="not seen"):
            lamps.select(name)


@pytest.mark.parametrize("word", ["mug", "rug", "cap", "cart", "bow"])
def test_a_word_of_its_own_is_never_taken_for_a_slip(word: str) -> None:
    near = Vocabulary(frozenset({"cup", "bowl", "card", "lamp"}), frozenset())
    with pytest.raises(NotSeen):
        parse(f"where is the {word}", near)


def test_units_are_as_asked() -> None:
    assert parse("how far is the sofa in feet", HOME).unit == "ft"
    assert parse("how many steps to the sofa", HOME).unit == "steps"


@pytest.mark.parametrize("steps", [("", "lamp"), ("", "lamp", "", "desk"), ("", "tv", "shelf", "", "lamp")])
def test_a_way_with_gaps_is_read_step_by_step(steps: tuple[str, ...]) -> None:
    plans = ("Turn Left, Turn Right", "Turn Back, Turn Back")
    asked = q.RoutePlan(RED_CUP, SOFA, steps, plans)
    assert parse(asked.text, HOME, Clock(0.0, 600.0), asked.options).question == asked


def test_options_may_name_what_nobody_saw() -> None:
    options = ("from the desk to the sofa", "from the wardrobe to the desk")
    asked = parse("From where to where was my cup moved the last time?", HOME, Clock(0.0, 600.0), options)
    ways = ((DESK, SOFA), (q.Selector.make("wardrobe"), DESK))
    assert asked.question == q.CarriedFromTo(CUP, ways)


def test_how_near_is_said_in_metres() -> None:
    for said in ("what is within two metres of me", "anything within 2 m"):
        assert parse(said, HOME).question == q.Around(within_m=2.0)


def test_what_changed_between_two_clips_is_read_with_its_claims() -> None:
    crate, stool = q.Selector.make("crate", {"color": "red"}), q.Selector.make("stool", {"color": "blue"})
    claims = (
        q.Claim("added", crate),
        q.Claim("swapped", CUP, RED_CUP),
        q.Claim("moved", SOFA),
        q.Claim("removed", stool),
    )
    asked = q.WhatChanged(0.0, claims, "classroom")
    assert parse(asked.text, HOME, options=asked.options).question == q.WhatChanged(0.0, claims)
    for told in ("The cup flew", "A cup"):
        with pytest.raises(NotUnderstood):
            parse(asked.text, HOME, options=(*asked.options, told))


def test_here_is_since_the_wearer_came_in() -> None:
    home = Vocabulary(frozenset({"cup"}), frozenset(), places=frozenset({"kitchen"}), here="kitchen")
    for said in ("how long have I been here", "how long have I been in this room now"):
        assert parse(said, home).question == q.TimeIn("kitchen", last=True)
    assert parse("is the cup in the same room as me", home).question == q.IsIn("kitchen", CUP)
