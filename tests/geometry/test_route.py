"""Routes: shapes do not depend on the head, directions turn with the view, plans lead back."""

import csv
import itertools
import math
from collections import defaultdict
from pathlib import Path as File

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from real_data import real_data
from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.geometry.route import (
    CIRCULAR,
    IN_PLACE,
    L_SHAPE,
    MANHATTAN,
    SHAPES,
    SQUARE,
    STRAIGHT,
    TRIANGLE,
    U_SHAPE,
    ZIGZAG,
    direction_between,
    follow,
    plan_in_words,
    reverse_plan,
    route_shape,
    turn_words,
)
from situ.geometry.track import thinned

LEG = 5.0
STEPS = st.tuples(
    st.sampled_from([0.0, 1e-7, 0.01, 0.1, 0.25, 0.3, 1.0]), st.sampled_from([0.0, 0.5, 1.0, 2.2])
)


def walk(corners: list[tuple[float, float]], yaw_offset: float = 0.0, spacing: float = 0.1) -> Path:
    """Along a polyline at 1 m/s, facing along it plus an offset."""
    points, yaws = [], []
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        count = max(1, round(float(np.hypot(bx - ax, by - ay)) / spacing))
        shares = np.arange(count) / count
        points += [(ax + s * (bx - ax), ay + s * (by - ay)) for s in shares]
        yaws += [float(np.degrees(np.arctan2(by - ay, bx - ax)))] * count
    points.append(corners[-1])
    yaws.append(yaws[-1])
    poses = [camera_pose((x, y, 1.6), a + yaw_offset) for (x, y), a in zip(points, yaws, strict=True)]
    return Path(np.arange(len(poses)) * spacing, np.stack(poses))


def circle(turns: float = 1.0, radius: float = 3.0) -> list[tuple[float, float]]:
    angles = np.linspace(0.0, 2 * np.pi * turns, 60)
    return [(radius * float(np.sin(a)), radius - radius * float(np.cos(a))) for a in angles]


ROUTES: dict[str, list[tuple[float, float]]] = {
    STRAIGHT: [(0, 0), (9, 0)],
    L_SHAPE: [(0, 0), (LEG, 0), (LEG, -LEG)],
    MANHATTAN: [(0, 0), (3, 0), (3, 6), (6, 6)],
    ZIGZAG: [(0, 0), (2, 2), (4, 0), (6, 2), (8, 0)],
    CIRCULAR: circle(),
    SQUARE: [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)],
    TRIANGLE: [(0, 0), (5, 0), (2.5, 4.33), (0, 0)],
    U_SHAPE: [(0, 0), (6, 0), *[(6 + x, y) for x, y in circle(0.5, 1.4)], (0, 2.8)],
}


@pytest.mark.parametrize("name", ROUTES)
def test_shapes_of_ideal_routes(name: str) -> None:
    shape = route_shape(walk(ROUTES[name]))
    assert shape.name == name
    assert shape.certainty > 0.3


def test_turning_on_the_spot_is_no_route() -> None:
    poses = np.stack([camera_pose((1.0, 2.0, 1.6), yaw) for yaw in np.linspace(0, 300, 50)])
    assert route_shape(Path(np.arange(50) / 10, poses)).name == IN_PLACE


def test_equal_legs_with_two_turns_to_one_side_are_manhattan_and_a_narrow_one_is_a_u() -> None:
    wide, narrow = [(0, 0), (3, 0), (3, 6), (0, 6)], [(0, 0), (6, 0), (6, 2.5), (0, 2.5)]
    assert route_shape(walk(wide)).name == MANHATTAN
    assert route_shape(walk(narrow)).name == U_SHAPE


@given(
    st.sampled_from(sorted(ROUTES)),
    st.floats(-180, 180),
    st.floats(0.6, 2.0),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=40, deadline=None)
def test_shape_survives_turning_scaling_mirroring_head_turns_and_noise(
    name: str, yaw: float, scale: float, mirror: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    corners = [
        (scale * (c * x - s * y * (-1 if mirror else 1)), scale * (s * x + c * y * (-1 if mirror else 1)))
        for x, y in ROUTES[name]
    ]
    path = walk(corners)
    poses = path.poses.copy()
    poses[:, :2, 3] += rng.normal(0, 0.01, (len(poses), 2))
    heads = [camera_pose(p[:3, 3], float(rng.uniform(-180, 180))) for p in poses]
    assert route_shape(Path(path.times, np.stack(heads))).name == name


@given(st.sampled_from(sorted(set(ROUTES) - {CIRCULAR, SQUARE, TRIANGLE})), st.integers(0, 7))
def test_direction_turns_with_the_view(name: str, eighths: int) -> None:
    """Looking 45 degrees further left moves every direction 45 degrees to the right."""
    plain = direction_between(walk(ROUTES[name]), "start")
    turned = direction_between(walk(ROUTES[name], 45.0 * eighths + 0.01), "start")
    if plain.margin_deg > 1:
        assert turned.name == SECTORS[(SECTORS.index(plain.name) + eighths) % 8]


def test_loops_end_where_they_began() -> None:
    for name in (CIRCULAR, SQUARE, TRIANGLE):
        for end in ("start", "end"):
            assert direction_between(walk(ROUTES[name]), end).name == SAME_LOCATION


def test_way_back_in_words() -> None:
    plan = reverse_plan(walk([(0, 0), (4, 0), (4, -7), (8, -7)]))  # right, then left
    assert plan_in_words(turn_words(plan)) == (
        "turn around, go straight, turn right, go straight, turn left, go straight"
    )
    assert [round(step.ahead_m) for step in plan] == [4, 7, 4]


@given(
    st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), min_size=2, max_size=8), st.floats(-90, 90)
)
@settings(deadline=None)
def test_following_the_plan_leads_to_the_start(corners: list[tuple[float, float]], offset: float) -> None:
    if max(np.hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(corners)) < 1:
        return
    path = walk(corners, offset, spacing=0.5)
    plan = reverse_plan(path)
    if plan:
        end = follow(plan, path.headings[-1])
        assert np.hypot(end.x - corners[0][0], end.y - corners[0][1]) < 0.01


def test_real_walks_have_a_shape_and_a_way_back() -> None:
    walks = surveyed_walks(real_data("indoor_walks") / "waypoints_site1.csv")
    assert len(walks) == 571
    for path in walks:
        assert route_shape(path).name in SHAPES
        plan = reverse_plan(path)
        assert plan
        end, start = follow(plan, path.headings[-1]), path.positions[0]
        assert np.hypot(end.x - start[0], end.y - start[1]) < 1.0


def surveyed_walks(file: File) -> list[Path]:
    """Waypoints with times; the wearer faces along the walk."""
    rows: dict[str, dict[float, tuple[float, float]]] = defaultdict(dict)
    with file.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            rows[row["path_id"]][float(row["t_ms"]) / 1000] = float(row["x_m"]), float(row["y_m"])
    paths = []
    for points in rows.values():
        times = np.array(sorted(points))
        ground = np.array([points[t] for t in times])
        steps = np.diff(ground, axis=0)
        yaws = np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))
        poses = [camera_pose((*p, 1.6), a) for p, a in zip(ground, [*yaws, yaws[-1]], strict=True)]
        paths.append(Path(times - times[0], np.stack(poses)))
    return paths


@given(st.lists(STEPS, max_size=60), st.sampled_from([0.1, 0.25]))
def test_points_that_are_kept_are_those_far_enough_from_the_one_before(
    steps: list[tuple[float, float]], least: float
) -> None:
    ground = np.cumsum([(far * np.cos(way), far * np.sin(way)) for far, way in steps], axis=0).reshape(-1, 2)
    kept: list[int] = []
    for k, (x, y) in enumerate(ground.tolist()):
        if not kept or math.hypot(x - ground[kept[-1], 0], y - ground[kept[-1], 1]) >= least:
            kept.append(k)
    assert thinned(ground, least) == kept
