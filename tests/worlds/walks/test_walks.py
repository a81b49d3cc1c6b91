"""Natural walks: soft starts, walking speeds, a head that is free of the feet, and room to walk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.errors import Impossible
from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.geometry.pose import pitch_deg, yaw_deg
from situ.worlds.walks import (
    RESTLESS,
    STEADY,
    Obstacles,
    Rect,
    Route,
    Style,
    bend,
    film,
    pause,
    place_route,
    polyline_route,
    straight,
    turn,
)
from situ.worlds.walks.body import body_motion

ORIGIN = Heading(0.0, 0.0, 0.0, 0.0)


def l_route() -> Route:
    return Route(ORIGIN, (pause(1.0), *polyline_route([5.0, 4.0], [90.0], 0.5), pause(1.0)))


def test_route_ends_where_its_legs_lead() -> None:
    end = l_route().points()[-1]
    assert end == pytest.approx([5.0, -4.0], abs=1e-6)
    assert Route(ORIGIN, (bend(2.0, -360.0),)).points()[-1] == pytest.approx([0.0, 0.0], abs=1e-6)
    assert Route(ORIGIN, (turn(90.0), straight(2.0))).points()[-1] == pytest.approx([0.0, -2.0], abs=1e-6)


def test_corners_too_wide_for_their_legs_are_refused() -> None:
    with pytest.raises(Impossible, match="too short"):
        polyline_route([1.0, 1.0], [90.0], 1.5)


@given(st.floats(0.8, 1.6), st.floats(2.0, 9.0), st.floats(0.3, 1.0))
@settings(deadline=None, max_examples=20)
def test_body_starts_and_stops_softly_and_never_exceeds_its_pace(
    speed: float, leg: float, radius: float
) -> None:
    motion = body_motion(Route(ORIGIN, tuple(polyline_route([leg, leg], [-90.0], radius))), speed)
    assert motion.speed[0] == motion.speed[-1] == 0.0
    assert motion.speed.max() <= speed + 1e-9
    change = np.abs(np.diff(motion.speed)) / np.maximum(np.diff(motion.times), 1e-6)
    assert change.max() < 1.5
    walked = np.linalg.norm(np.diff(motion.ground, axis=0), axis=1).sum()
    assert walked == pytest.approx(2 * leg - radius * (2 - np.pi / 2), rel=0.01)


def test_turning_on_the_spot_takes_time_and_no_ground() -> None:
    motion = body_motion(Route(ORIGIN, (turn(180.0, 60.0),)), 1.2)
    assert motion.times[-1] == pytest.approx(3.0)
    assert np.ptp(motion.ground, axis=0).max() == 0.0
    assert motion.yaw_deg[-1] == pytest.approx(-180.0)


def test_head_turns_leave_the_track_alone() -> None:
    route = Route(ORIGIN, (pause(1.0), straight(10.0), pause(1.0)))
    steady, restless = (
        film(route, Style(head=head), 15, np.random.default_rng(3)) for head in (STEADY, RESTLESS)
    )
    yaws = np.array([yaw_deg(p) for p in restless.poses])
    assert np.abs(yaws).max() > 30
    assert max(abs(yaw_deg(p)) for p in steady.poses) < 4
    assert np.abs(restless.positions[:, 1]).max() < 0.06
    assert np.abs(steady.positions[:, 1]).max() < 0.06


def test_first_and_last_view_face_along_the_body() -> None:
    path = film(l_route(), Style(head=RESTLESS), 15, np.random.default_rng(8))
    assert abs(yaw_deg(path.poses[0])) < 1
    assert abs(yaw_deg(path.poses[-1]) + 90) < 1


def test_gait_bobs_while_walking_and_not_while_standing() -> None:
    path = film(Route(ORIGIN, (pause(3.0), straight(8.0))), Style(), 30, np.random.default_rng(1))
    heights = path.positions[:, 2]
    assert np.ptp(heights[:60]) < 1e-6
    assert 0.02 < np.ptp(heights[110:]) < 0.08
    assert max(abs(pitch_deg(p)) for p in path.poses) < 25


def test_looking_aside_lasts_the_whole_walk() -> None:
    path = film(
        Route(ORIGIN, (straight(6.0),)),
        Style(head=STEADY, look_aside_deg=-90.0),
        10,
        np.random.default_rng(0),
    )
    assert all(abs(yaw_deg(p) + 90) < 4 for p in path.poses)


def test_same_seed_same_walk() -> None:
    one, two = (film(l_route(), Style(), 15, np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(one.poses, two.poses)


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=25)
def test_a_placed_route_keeps_its_shape_and_its_distance(seed: int) -> None:
    area = Rect(-8, -8, 8, 8)
    obstacles = Obstacles([Box((0, 0, 0.5), (2, 1, 1), 30.0), Box((5, 5, 1), (1, 1, 2))])
    placed = place_route(l_route(), area, obstacles, np.random.default_rng(seed))
    if placed is None:
        return
    points = placed.points()
    assert obstacles.distance(points).min() >= 0.45
    assert (points >= -8 - 1e-9).all()
    assert (points <= 8 + 1e-9).all()
    assert np.linalg.norm(points[-1] - points[0]) == pytest.approx(np.hypot(5, 4), abs=1e-6)


def test_no_room_is_said_so() -> None:
    assert place_route(l_route(), Rect(0, 0, 2, 2), Obstacles([]), np.random.default_rng(0)) is None


def test_obstacle_distance_is_that_of_the_box() -> None:
    box = Box((1.0, 2.0, 0.5), (2.0, 0.6, 1.0), 40.0)
    points = np.random.default_rng(2).uniform(-4, 6, (50, 2))
    expected = [box.distance_to_point((x, y, 0.5)) for x, y in points]
    assert Obstacles([box]).distance(points) == pytest.approx(expected)
    assert np.isinf(Obstacles([Box((0, 0, 2.6), (1, 1, 0.4))]).distance(points)).all()  # overhead
