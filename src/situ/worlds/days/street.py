"""Outdoor area between homes: lawn, paths from door to door, trees, lamps and cars."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import dijkstra

from situ.geometry.pose import Matrix
from situ.worlds.homes.build import LAWN
from situ.worlds.homes.plan import Door
from situ.worlds.props.outdoor import bench, broad_tree, bush, car, fir_tree, lamp_post, litter_bin
from situ.worlds.props.shapes import COLORS, CONCRETE, box, plain, textured
from situ.worlds.scene import Part, SceneObject
from situ.worlds.walks.fit import Rect

BESIDE_M = 1.4  # between a wall and a path
STEP_RISE_M, STEP_RUN_M = 0.175, 0.28
PAVING = textured("tiles", CONCRETE, scale=0.5)
BY_STAIRS_M = 2.0  # homes raised higher have a lift
LIFT_SIDE_M = 1.3
LIFT = "lift"
CLEAR_M = 1.5  # between the middle of a path and an object
Place = tuple[Rect, Door, float]


class OutdoorPath(NamedTuple):
    """A path from one front door to another: corner points (n, 2) and the height at each.

    Two heights at the same point are the ends of a lift ride.
    """

    points: Matrix
    heights: tuple[float, ...]


def lay_street(
    places: Sequence[Place], first_id: int, rng: np.random.Generator
) -> tuple[dict[tuple[int, int], OutdoorPath], list[SceneObject]]:
    """Paths between all pairs of doors, and all outdoor objects, none of which blocks a path."""
    outlines = [outline for outline, _, _ in places]
    outdoor_paths: dict[tuple[int, int], OutdoorPath] = {}
    for i, (_, door_i, up_i) in enumerate(places):
        for j, (_, door_j, up_j) in enumerate(places):
            if i < j:
                start, goal = _outward(places[i]), _outward(places[j])
                middle = _around(start[-1], goal[-1], outlines)
                first, last = _lifted(start, up_i), _lifted(goal, up_j)[::-1]
                stops = [
                    ((door_i.x, door_i.y), up_i), *first, *((p, 0.0) for p in middle), *last,
                    ((door_j.x, door_j.y), up_j),
                ]  # fmt: skip
                points, heights = np.array([p for p, _ in stops]), tuple(h for _, h in stops)
                outdoor_paths[i, j] = OutdoorPath(points, heights)
                outdoor_paths[j, i] = OutdoorPath(points[::-1], heights[::-1])
    objects = [_ground(outlines, first_id)]
    for place in places:
        if place[2] > 0:
            climb = _stairs if place[2] <= BY_STAIRS_M else _lift
            objects.append(climb(place, first_id + len(objects)))
            objects.append(_plinth(place, first_id + len(objects)))
    lines = [way.points for way in outdoor_paths.values()] or [np.array([_outward(places[0])[-1]])]
    objects += _props(outlines, lines, first_id + len(objects), rng)
    return outdoor_paths, objects


def _outward(place: Place) -> list[tuple[float, float]]:
    """Points outside a door: on its step, and clear of the house and its stairs."""
    outline, door, height = place
    run = 0.8 + (math.ceil(height / STEP_RISE_M) * STEP_RUN_M if height <= BY_STAIRS_M else 0.6)
    dx, dy = _out_of(outline, door)
    return [
        (door.x + 0.7 * dx, door.y + 0.7 * dy),
        (door.x + (0.7 + run) * dx, door.y + (0.7 + run) * dy),
    ]


def _lifted(outward: list[tuple[float, float]], height: float) -> list[tuple[tuple[float, float], float]]:
    """Points outside a door with heights: along a slope, or straight down at a lift."""
    at_door, clear = outward
    ride = [(at_door, 0.0)] if height > BY_STAIRS_M else []
    return [(at_door, height), *ride, (clear, 0.0)]


def _out_of(outline: Rect, door: Door) -> tuple[float, float]:
    cx, cy = outline.center
    return (
        (0.0, math.copysign(1.0, door.y - cy)) if door.axis == 0 else (math.copysign(1.0, door.x - cx), 0.0)
    )


def _around(
    start: tuple[float, float], goal: tuple[float, float], outlines: Sequence[Rect]
) -> list[tuple[float, float]]:
    """Shortest path around the houses, along their corners."""
    nodes = [start, goal]
    for outline in outlines:
        wide = outline.shrunk(-BESIDE_M)
        nodes += [(x, y) for x in (wide.x0, wide.x1) for y in (wide.y0, wide.y1)]
    walls = [outline.shrunk(-BESIDE_M + 0.1) for outline in outlines]
    gaps = np.zeros((len(nodes), len(nodes)))
    for a in range(len(nodes)):
        for b in range(a + 1, len(nodes)):
            if not any(_crosses(nodes[a], nodes[b], wall) for wall in walls):
                gaps[a, b] = gaps[b, a] = math.dist(nodes[a], nodes[b])
    _, before = dijkstra(gaps, indices=0, return_predecessors=True)
    chain = [1]
    while chain[-1] != 0 and before[chain[-1]] >= 0:
        chain.append(int(before[chain[-1]]))
    return [nodes[i] for i in reversed(chain[1:-1])]


def _crosses(a: tuple[float, float], b: tuple[float, float], area: Rect) -> bool:
    """Whether a line crosses the inside of a rectangle; its ends near a door do not count."""
    for share in np.linspace(0.0, 1.0, 40)[1:-1]:
        x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        near_end = min(math.dist((x, y), a), math.dist((x, y), b)) < 0.8
        if not near_end and area.x0 < x < area.x1 and area.y0 < y < area.y1:
            return True
    return False


def _ground(outlines: Sequence[Rect], number: int) -> SceneObject:
    x0, x1 = min(o.x0 for o in outlines), max(o.x1 for o in outlines)
    y0, y1 = min(o.y0 for o in outlines), max(o.y1 for o in outlines)
    slab = Part("box", (x1 - x0 + 120.0, y1 - y0 + 120.0, 0.1), ((x0 + x1) / 2, (y0 + y1) / 2, -0.2), LAWN)
    return SceneObject(number, "lawn", (0.0, 0.0, 0.0), (slab,), structural=True)


def _stairs(place: Place, number: int) -> SceneObject:
    """A landing in front of a raised door, and the steps down from it."""
    outline, door, height = place
    dx, dy = _out_of(outline, door)
    yaw = math.degrees(math.atan2(dy, dx))
    parts = [box((1.0, 1.6, height + 0.15), (0.5, 0.0, -0.15), PAVING)]
    steps = math.ceil(height / STEP_RISE_M)
    for k in range(1, steps):
        top = height * (1 - k / steps)
        parts.append(box((STEP_RUN_M, 1.6, top + 0.15), (1.0 + (k - 0.5) * STEP_RUN_M, 0.0, -0.15), PAVING))
    return SceneObject(number, "stairs", (door.x, door.y, 0.0), tuple(parts), yaw, structural=True)


def _lift(place: Place, number: int) -> SceneObject:
    """An open platform between two rails. It waits on the ground and rises with its passenger."""
    outline, door, _ = place
    dx, dy = _out_of(outline, door)
    side, rail = LIFT_SIDE_M, plain(COLORS["yellow"])
    parts = (
        box((side, side, 0.1), (0.7, 0.0, -0.1), plain((0.35, 0.36, 0.38))),
        box((side, 0.05, 0.9), (0.7, side / 2, 0.0), rail),
        box((side, 0.05, 0.9), (0.7, -side / 2, 0.0), rail),
    )
    yaw = math.degrees(math.atan2(dy, dx))
    return SceneObject(number, LIFT, (door.x, door.y, 0.0), parts, yaw, structural=True)


def _plinth(place: Place, number: int) -> SceneObject:
    """The base of a raised house."""
    outline, _, height = place
    (x, y), (width, depth) = outline.center, outline.size
    block = box((width, depth, height + 0.04), (x, y, -0.15), PAVING)
    return SceneObject(number, "plinth", (0.0, 0.0, 0.0), (block,), structural=True)


def _props(
    outlines: Sequence[Rect], lines: Sequence[Matrix], first_id: int, rng: np.random.Generator
) -> list[SceneObject]:
    """Outdoor objects clear of houses and paths. Questions may be about them."""
    colors = list(COLORS)
    makers: list[tuple[str, Callable[[], tuple[Part, ...]]]] = [
        ("tree", lambda: broad_tree(rng)),
        ("fir tree", lambda: fir_tree(rng)),
        ("bush", lambda: bush(rng)),
        ("street lamp", lambda: lamp_post()),
        ("park bench", lambda: bench(int(rng.integers(99)))),
        ("litter bin", lambda: litter_bin(int(rng.integers(99)))),
    ]
    area = Rect(
        min(o.x0 for o in outlines), min(o.y0 for o in outlines),
        max(o.x1 for o in outlines), max(o.y1 for o in outlines),
    ).shrunk(-7.0)  # fmt: skip
    found: list[SceneObject] = []
    for k in range(8 + 6 * len(outlines)):
        for _ in range(12):
            x, y = area.at(*(float(v) for v in rng.random(2)))
            if _free(x, y, outlines, lines, found):
                if k % 5 == 4:
                    name, color = "car", colors[int(rng.integers(len(colors)))]
                    parts, attributes = car(COLORS[color]), {"color": color}
                else:
                    (name, make), attributes = makers[int(rng.integers(len(makers)))], {}
                    parts = make()
                yaw = float(rng.choice([0.0, 90.0, 180.0, 270.0]))
                found.append(SceneObject(first_id + len(found), name, (x, y, -0.15), parts, yaw, attributes))
                break
    return found


def _free(
    x: float, y: float, outlines: Sequence[Rect], lines: Sequence[Matrix], found: Sequence[SceneObject]
) -> bool:
    for outline in outlines:
        wide = outline.shrunk(-2.6)
        if wide.x0 < x < wide.x1 and wide.y0 < y < wide.y1:
            return False
    for line in lines:
        for a, b in pairwise(line):
            share = np.linspace(0, 1, 12)[:, None]
            if np.hypot(*(a + share * (b - a) - (x, y)).T).min() < CLEAR_M + 1.2:
                return False
    return all(math.dist((x, y), obj.position[:2]) > 3.5 for obj in found)
