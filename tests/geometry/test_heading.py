import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from situ.geometry.heading import SECTORS, Heading, sector, sector_margin_deg
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
