from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.benchmarks.vsi.room import AnnotatedRoom
from situ.errors import BadInput, Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions import (
    AppearanceOrder,
    ClosestDistance,
    CountInRoom,
    LongestSide,
    NearestTo,
    RelativeDirection,
    RoomSize,
    RoutePlan,
    Selector,
    from_program,
    to_program,
)
from situ.recording import ObjectRecord
from situ.state import ObjectView, Sighting, TruthState

BED, DOOR, LAMP, DESK = (Selector(name) for name in ("bed", "door", "lamp", "desk"))


def room(**places: tuple[float, float]) -> AnnotatedRoom:
    views = [
        ObjectView(i, name, Box((x, y, 0.5), (0.4, 0.6, 1.0)))
        for i, (name, (x, y)) in enumerate(places.items(), 1)
    ]
    return AnnotatedRoom("room", tuple(views), {}, 20.04, (0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("place", "easy", "medium", "hard"),
    [
        ((1.0, 1.0), "left", "left", "front-left"),
        ((1.0, -1.0), "right", "right", "front-right"),
        ((-1.0, 0.5), "left", "back", "back-left"),
        ((-0.5, -1.0), "right", "right", "back-right"),
    ],
)
def test_directions_of_all_levels(place, easy, medium, hard) -> None:
    state = room(bed=(0, 0), door=(3, 0), lamp=place)
    for level, expected in (("easy", easy), ("medium", medium), ("hard", hard)):
        assert RelativeDirection(BED, DOOR, LAMP, level).answer(state).value == expected


@given(st.floats(0.3, 4), st.floats(-170, 170).filter(lambda a: abs(a) > 1), st.floats(-180, 180))
def test_mirroring_the_room_swaps_left_and_right_and_turning_it_changes_nothing(r, bearing, turn) -> None:
    def placed(sign: float, yaw: float) -> AnnotatedRoom:
        cos, sin = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
        spots = {
            "bed": (0, 0),
            "door": (3, 0),
            "lamp": (r * np.cos(np.radians(bearing)), sign * r * np.sin(np.radians(bearing))),
        }
        return room(**{k: (x * cos - y * sin, x * sin + y * cos) for k, (x, y) in spots.items()})

    question = RelativeDirection(BED, DOOR, LAMP, "easy")
    here = question.answer(placed(1, 0)).value
    assert question.answer(placed(1, turn)).value == here
    assert {question.answer(placed(-1, 0)).value, here} == {"left", "right"}


def test_a_name_of_two_things_that_disagree_has_no_margin() -> None:
    state = room(bed=(0, 0), door=(3, 0), lamp=(1, 1))
    second = ObjectView(9, "lamp", Box((1, -1, 0.5), (0.1, 0.1, 0.1)))
    both = replace(state, views=(*state.views, second))
    assert RelativeDirection(BED, DOOR, LAMP, "easy").answer(state).margin > 30
    assert RelativeDirection(BED, DOOR, LAMP, "easy").answer(both).margin == 0


def test_distance_size_and_nearest() -> None:
    state = room(bed=(0, 0), door=(3, 0), lamp=(1, 0))
    assert ClosestDistance(BED, DOOR).answer(state).value == 2.6
    assert LongestSide(BED).answer(state).value == 100
    answer = NearestTo((DOOR, LAMP), BED).answer(state)
    assert (answer.value, answer.margin) == ("lamp", pytest.approx(2.0))


def test_what_has_no_box_is_unanswerable() -> None:
    state = room(bed=(0, 0), door=(3, 0))
    for question in (
        ClosestDistance(BED, LAMP),
        NearestTo((BED, LAMP), DOOR),
        LongestSide(LAMP),
        CountInRoom(LAMP),
        RelativeDirection(BED, DOOR, LAMP),
    ):
        with pytest.raises(Unanswerable, match="lamp"):
            question.answer(state)


def test_a_survey_count_comes_before_the_boxes_and_is_not_sure_when_they_differ() -> None:
    state = room(bed=(0, 0), door=(3, 0))
    assert CountInRoom(BED).answer(state).value == 1
    surveyed = replace(state, tallies={"bed": 3})
    assert CountInRoom(BED).answer(surveyed).value == 3
    assert CountInRoom(BED).answer(surveyed).margin == 0


def test_room_size_needs_a_measured_floor() -> None:
    assert RoomSize().answer(room(bed=(0, 0))).value == 20.0
    with pytest.raises(Unanswerable, match="floor"):
        RoomSize().answer(replace(room(bed=(0, 0)), floor_area_m2=None))


def test_appearance_order_follows_the_first_clear_sighting() -> None:
    box = Box((0, 0, 0), (1, 1, 1))
    path = Path(np.arange(9.0), np.stack([camera_pose((0, 0, 1), 0)] * 9))
    records = {i: ObjectRecord(i, name, box) for i, name in enumerate(("bed", "door", "lamp"), 1)}
    seen = {1: [Sighting(5, 5.0)], 2: [Sighting(1, 1.0), Sighting(6, 6.0)], 3: [Sighting(7, 7.0)]}
    question = AppearanceOrder((BED, DOOR, LAMP))
    answer = question.answer(TruthState(path, records, seen))
    assert (answer.value, answer.margin, answer.evidence) == ("door, bed, lamp", 2.0, (1, 5, 7))
    assert answer.value in question.options
    glimpsed = seen | {3: [Sighting(4, 4.0, 0.5), Sighting(7, 7.0)]}
    assert question.answer(TruthState(path, records, glimpsed)).margin == 0


def test_route_turns_are_those_that_the_places_need() -> None:
    state = room(bed=(0, 0), door=(4, 0), lamp=(4, 4), desk=(0, 4))
    route = RoutePlan(
        BED, DOOR, ("door", "", "lamp", "", "desk"), ("Turn Left, Turn Left", "Turn Right, Turn Left")
    )
    assert route.answer(state).value == "Turn Left, Turn Left"
    assert route.answer(state).margin > RoutePlan.min_margin
    assert RoutePlan(BED, DOOR, ("", "desk")).answer(state).value == "Turn Left"


def test_facing_the_thing_one_stands_at_means_standing_before_it() -> None:
    state = room(bed=(3, 0), lamp=(0, 4), desk=(-3, 0.1))
    assert RoutePlan(BED, BED, ("", "desk")).answer(state).value == "Turn Back"


def test_malformed_questions_are_refused() -> None:
    with pytest.raises(BadInput, match="level"):
        RelativeDirection(BED, DOOR, LAMP, "extreme")
    with pytest.raises(BadInput, match="turn to fill in"):
        RoutePlan(BED, DOOR, ("desk",))


@pytest.mark.parametrize(
    "question",
    [
        NearestTo((DOOR, LAMP), BED, 0.05),
        AppearanceOrder((BED, DOOR), ("bed, door", "door, bed")),
        RoutePlan(BED, DOOR, ("", "desk"), ("Turn Left", "Turn Right")),
        RoomSize(),
    ],
)
def test_programs_find_their_way_back(question) -> None:
    import json

    assert from_program(json.loads(json.dumps(to_program(question)))) == question
