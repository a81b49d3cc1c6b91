import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from situ.errors import BadInput, Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions import FitsOn, Larger, PairRelation, Selector, UniqueObjects, UseShown, WithinReach
from situ.recording import ObjectRecord
from situ.state import Sighting, TruthState

VASE, BED = Selector("vase"), Selector("bed")


def world(
    vase: Box, bed: Box, yaw: float = 0.0, pitch: float = 0.0, glimpse: bool = False, **attributes: str
) -> TruthState:
    """Frame 0 shows the vase, frame 1 the bed (at the origin), seen from x = -3 when yaw is 0."""
    position = (-3 * np.cos(np.radians(yaw)), -3 * np.sin(np.radians(yaw)), 0.5)
    pose = camera_pose(position, yaw, pitch)
    away = camera_pose((0, 0, 0.5), 90.0)
    path = Path(np.arange(3.0), np.stack([away, pose, pose]))
    records = {1: ObjectRecord(1, "vase", vase, attributes), 2: ObjectRecord(2, "bed", bed, attributes)}
    seen = {1: [Sighting(0, 0.0)], 2: [Sighting(1, 1.0)]}
    if glimpse:
        seen[1].append(Sighting(2, 2.0, 0.5))
    return TruthState(path, records, seen)


def at(x: float, y: float, z: float = 0.5, size: tuple[float, float, float] = (0.2, 0.2, 0.2)) -> Box:
    return Box((x, y, z), size)


@pytest.mark.parametrize(
    ("place", "axis", "expected"),
    [
        ((0, 2, 0.5), "side", "left"),
        ((0, -2, 0.5), "side", "right"),
        ((2, 0, 0.5), "depth", "behind"),
        ((-2, 0, 0.5), "depth", "in front"),
        ((0.5, 0, 2.0), "height", "above"),
        ((0.5, 0, -2.0), "height", "below"),
    ],
)
def test_each_axis_has_its_two_answers(place, axis, expected) -> None:
    answer = PairRelation(VASE, BED, axis).answer(world(at(*place), at(0, 0)))
    assert answer.value == expected
    assert answer.margin >= PairRelation.min_margin
    assert answer.evidence == (0, 1)


@given(st.floats(1.0, 5.0), st.floats(10, 170), st.floats(-180, 180), st.sampled_from(["side", "depth"]))
def test_turning_the_world_with_the_camera_changes_nothing_and_mirroring_swaps_sides(
    r, bearing, turn, axis
) -> None:
    def placed(sign: float, yaw: float) -> TruthState:
        angle = np.radians(sign * bearing + yaw)
        return world(at(r * np.cos(angle), r * np.sin(angle)), at(0, 0), yaw)

    question = PairRelation(VASE, BED, axis)
    here = question.answer(placed(1, 0))
    assume(here.margin > 1e-6)  # what lies exactly beside is neither behind nor in front
    assert question.answer(placed(1, turn)).value == here.value
    mirrored = question.answer(placed(-1, 0))
    assert (mirrored.value == here.value) == (axis == "depth")


def test_a_nod_that_would_turn_the_answer_makes_it_unfair() -> None:
    level = world(at(0.6, 0.0, 3.0), at(0, 0))
    nodding = world(at(0.6, 0.0, 3.0), at(0, 0), pitch=-25.0)
    question = PairRelation(VASE, BED, "depth")
    assert question.answer(level).value == "behind"
    assert question.answer(nodding).margin == 0


def test_things_that_overlap_in_height_are_neither_above_nor_below() -> None:
    tall = at(1, 0, 1.2, (0.3, 0.3, 2.4))
    assert PairRelation(VASE, BED, "height").answer(world(tall, at(0, 0))).margin == 0


def test_only_the_given_frames_count() -> None:
    state = world(at(0, 2), at(0, 0))
    with pytest.raises(Unanswerable, match="none of the frames"):
        PairRelation(VASE, BED, "side", (0,)).answer(state)
    with pytest.raises(BadInput, match="axis"):
        PairRelation(VASE, BED, "sideways")


def test_reach_is_measured_between_the_nearest_points() -> None:
    near, far = world(at(0.8, 0), at(0, 0)), world(at(1.6, 0), at(0, 0))
    assert WithinReach(VASE, BED).answer(near).value == "yes"
    assert WithinReach(VASE, BED).answer(far).value == "no"
    assert WithinReach(VASE, BED, both_arms=True).answer(far).value == "yes"
    assert WithinReach(VASE, BED).answer(world(at(0.95, 0), at(0, 0))).margin < 0.25


def test_larger_needs_volume_and_length_to_agree() -> None:
    big = at(1, 0, 0.5, (1.0, 1.0, 1.0))
    assert Larger(VASE, BED).answer(world(big, at(0, 0))).value == "vase"
    long_and_thin = at(1, 0, 0.5, (0.25, 0.01, 0.01))
    assert Larger(VASE, BED).answer(world(long_and_thin, at(0, 0))).margin == 0


def test_fitting_allows_a_quarter_turn_and_needs_a_flat_top() -> None:
    plate, shelf = at(1, 0, 0.5, (0.8, 0.2, 0.1)), at(0, 0, 0.5, (0.3, 0.9, 0.5))
    assert FitsOn(VASE, BED).answer(world(plate, shelf, flat_top="yes")).value == "yes"
    assert FitsOn(VASE, BED).answer(world(plate, shelf, flat_top="no")).value == "no"
    assert FitsOn(BED, VASE).answer(world(plate, shelf, flat_top="yes")).value == "no"
    with pytest.raises(Unanswerable, match="flat"):
        FitsOn(VASE, BED).answer(world(plate, shelf))


def test_listing_is_fair_only_when_nothing_is_merely_glimpsed() -> None:
    state = world(at(1, 0), at(0, 0), glimpse=True)
    assert UniqueObjects((0, 1)).answer(state).value == "bed, vase"
    assert UniqueObjects((1, 2)).answer(state).margin == 0


def test_the_use_that_is_shown_is_the_answer() -> None:
    state = world(at(1, 0), at(0, 0), use="sleeping")
    assert UseShown(("cooking", "sleeping"), (1,)).answer(state).value == "sleeping"
    with pytest.raises(Unanswerable, match="purposes"):
        UseShown(("cooking",), (1,)).answer(state)
