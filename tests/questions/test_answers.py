import json

import pytest

from scenes import solid_record, state_of
from situ.errors import BadFormat, Unanswerable
from situ.questions import Compare, Count, FirstSeenOrder, Selector, SideInView, from_program, to_program
from situ.questions.select import plural

RED_CONE = Selector.make("cone", {"color": "red"})
BLUE_CONE = Selector.make("cone", {"color": "blue"})
CONES = Selector.make("cone")
RED = Selector.make(None, {"color": "red"})

RECORDS = [
    solid_record(1, "red", "cone", 5.0, 2.0),
    solid_record(2, "red", "cone", 6.0, 1.0),
    solid_record(3, "blue", "cone", 5.0, -2.0),
    solid_record(4, "red", "sphere", 7.0, 3.0),
]
STATE = state_of(RECORDS, {1: {1: 1.0}, 2: {0: 0.5, 2: 1.0}, 3: {1: 1.0, 2: 1.0}})


def test_counting_counts_what_was_seen_and_shows_where() -> None:
    answer = Count(RED_CONE).answer(STATE)
    assert (answer.value, answer.margin, answer.evidence) == (2, 1.0, (1, 2))
    assert Count(RED).answer(STATE).value == 2  # the red sphere was never seen
    assert Count(Selector.make("cuboid")).answer(STATE).value == 0


def test_an_object_that_was_only_glimpsed_leaves_no_margin() -> None:
    glimpsed = state_of(RECORDS, {1: {0: 1.0}, 2: {1: 0.5}})
    assert Count(RED_CONE).answer(glimpsed).margin == 0.0
    assert Compare(RED_CONE, BLUE_CONE).answer(glimpsed).margin == 0.0


def test_comparison_names_the_larger_side_or_calls_it_equal() -> None:
    assert Compare(RED_CONE, BLUE_CONE).answer(STATE).value == "red cones"
    assert Compare(BLUE_CONE, RED_CONE).answer(STATE).value == "red cones"
    assert Compare(BLUE_CONE, Selector.make(None, {"color": "blue"})).answer(STATE).value == "equal"


def test_a_glimpse_before_the_first_clear_view_makes_an_order_uncertain() -> None:
    assert FirstSeenOrder(RED_CONE, BLUE_CONE).answer(STATE).margin == 0.0
    clear = state_of(RECORDS, {1: {1: 1.0}, 3: {1: 1.0}})
    answer = FirstSeenOrder(RED_CONE, BLUE_CONE).answer(clear)
    assert (answer.value, answer.margin, answer.evidence) == ("same time", 1.0, (1,))


def test_sides_are_decided_in_shared_frames_only() -> None:
    state = state_of(RECORDS, {1: {0: 1.0, 1: 1.0}, 3: {1: 1.0}})
    answer = SideInView(RED_CONE, BLUE_CONE).answer(state)
    assert answer.value == "left"
    assert answer.evidence == (1,)
    assert answer.margin == pytest.approx(43.6, abs=0.1)
    assert SideInView(RED_CONE, BLUE_CONE, "right").answer(state).value == "no"


def test_a_glimpse_alone_decides_no_side() -> None:
    glimpsed = state_of(RECORDS, {1: {0: 0.5, 1: 1.0}, 3: {0: 1.0}})
    assert SideInView(RED_CONE, BLUE_CONE).answer(glimpsed).margin == 0.0


def test_what_cannot_be_answered_says_why() -> None:
    apart = state_of(RECORDS, {1: {0: 1.0}, 3: {1: 1.0}})
    with pytest.raises(Unanswerable, match="never share a frame"):
        SideInView(RED_CONE, BLUE_CONE).answer(apart)
    with pytest.raises(Unanswerable, match="picks out 2"):
        SideInView(RED_CONE, BLUE_CONE).answer(STATE)
    with pytest.raises(Unanswerable, match="no red sphere"):
        FirstSeenOrder(Selector.make("sphere", {"color": "red"}), BLUE_CONE).answer(STATE)


@pytest.mark.parametrize(
    "question",
    [
        Count(RED),
        Compare(RED_CONE, CONES),
        FirstSeenOrder(RED_CONE, BLUE_CONE),
        SideInView(RED_CONE, CONES, "left"),
    ],
)
def test_programs_survive_being_stored(question: Count) -> None:
    assert from_program(json.loads(json.dumps(to_program(question)))) == question


def test_unknown_programs_are_refused() -> None:
    with pytest.raises(BadFormat, match="unknown question kind 'fly'"):
        from_program({"kind": "fly"})
    with pytest.raises(BadFormat, match=r"a program is a dict .* got str; json\.loads"):
        from_program('{"kind": "count"}')  # type: ignore[arg-type]
    with pytest.raises(BadFormat, match="takes no argument wings"):
        from_program({"kind": "count", "which": {"category": None, "attributes": []}, "wings": 2})


def test_phrases() -> None:
    assert RED_CONE.plural == "red cones"
    assert RED.singular == "red object"
    assert FirstSeenOrder(Selector.make("cone", {"color": "orange"}), RED_CONE).text.startswith(
        "Did we first see an orange"
    )
    assert [plural(n) for n in ("box", "shelf", "berry", "key", "glass")] == [
        "boxes",
        "shelves",
        "berries",
        "keys",
        "glasses",
    ]
    assert CONES.covers(RED_CONE)
    assert not RED_CONE.covers(CONES)
