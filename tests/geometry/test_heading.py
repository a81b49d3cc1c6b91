import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from situ.geometry.heading import (
    HERE_M,
    SAME_LOCATION,
    SECTORS,
    Heading,
    named_way,
    sector,
    sector_margin_deg,
)
from situ.geometry.pose import camera_pose, wrap_deg

COORDS = st.floats(-50.0, 50.0)
ANGLES = st.floats(-180.0, 180.0)


@given(COORDS, COORDS, ANGLES, st.floats(-85, 85), st.floats(-60, 60))
def test_pitching_and_rolling_the_head_changes_no_bearing(
    x: float, y: float, yaw: float, pitch: float, roll: float
) -> None:
    assume(math.hypot(x, y) > 0.01)
    level = Heading.of(camera_pose((0, 0, 1.6), yaw))
    moved = Heading.of(camera_pose((0, 0, 1.6), yaw, pitch, roll))
    assert abs(wrap_deg(level.bearing_deg((x, y, 0)) - moved.bearing_deg((x, y, 0)))) < 1e-6


@given(COORDS, COORDS, ANGLES, ANGLES)
def test_turning_the_world_turns_nothing_for_the_observer(
    x: float, y: float, yaw: float, turn: float
) -> None:
    assume(math.hypot(x, y) > 0.01)
    before = Heading(0, 0, 0, yaw).bearing_deg((x, y, 0))
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    after = Heading(0, 0, 0, yaw + turn).bearing_deg((c * x - s * y, s * x + c * y, 0))
    assert abs(wrap_deg(before - after)) < 1e-6


@given(COORDS, COORDS, ANGLES)
def test_mirroring_the_world_swaps_left_and_right(x: float, y: float, yaw: float) -> None:
    assume(math.hypot(x, y) > 0.01)
    bearing = Heading(0, 0, 0, yaw).bearing_deg((x, y, 0))
    mirrored = Heading(0, 0, 0, -yaw).bearing_deg((x, -y, 0))
    assert abs(wrap_deg(bearing + mirrored)) < 1e-6


@given(ANGLES, st.floats(0.1, 10))
def test_walking_towards_a_point_reaches_it(turn: float, distance: float) -> None:
    there = Heading(1, 2, 0, 30).turned(turn).moved(distance)
    here = Heading.facing((1, 2, 0), there.position)
    assert here.moved(distance).ground_distance(there.position) < 1e-9


@pytest.mark.parametrize(
    ("point", "name"),
    [
        ((1, 0), "front"), ((1, -1), "front right"), ((0, -1), "right"), ((-1, -1), "back right"),
        ((-1, 0), "back"), ((-1, 1), "back left"), ((0, 1), "left"), ((1, 1), "front left"),
    ],
)  # fmt: skip
def test_the_eight_sectors_seen_from_a_heading_along_x(point: tuple[float, float], name: str) -> None:
    assert sector(Heading(0, 0, 0, 0).bearing_deg((*point, 0))) == name


@given(ANGLES)
def test_inside_its_margin_a_bearing_keeps_its_sector(bearing: float) -> None:
    margin = sector_margin_deg(bearing)
    assert 0 <= margin <= 22.5 + 1e-9
    for offset in (-0.99 * margin, 0.99 * margin):
        assert sector(bearing + offset) == sector(bearing)
    assert sector(bearing) in SECTORS


@given(st.floats(-180.0, 180.0) | st.sampled_from([22.5 * k for k in range(-8, 9)]), st.floats(0.0, 9.0))
def test_a_named_way_is_its_sector_with_its_margin(bearing: float, distance: float) -> None:
    here = distance < HERE_M
    named = (SAME_LOCATION, 0.0) if here else (sector(bearing), sector_margin_deg(bearing))
    assert named_way(bearing, distance) == named


@given(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0), st.floats(-720.0, 720.0))
def test_a_bearing_is_no_half_turn_to_the_left(x: float, y: float, yaw: float) -> None:
    """Straight behind is 180 degrees, whichever way it was turned."""
    heading = Heading(0.0, 0.0, 0.0, yaw)
    right, ahead, _ = heading.local((x, y, 0.0))
    assert heading.polar((x, y, 0.0))[0] == wrap_deg(math.degrees(math.atan2(right, ahead)))
    assert Heading(0.0, 0.0, 0.0, 0.0).polar((-1.0, 0.0, 0.0))[0] == 180.0
