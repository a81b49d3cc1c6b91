"""Other people: a figure that walks to the objects it moves and steps out of the wearer's way."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree

from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.worlds.days.events import OTHER, DayEvent
from situ.worlds.props.shapes import COLORS, ball, box, cylinder, plain
from situ.worlds.scene import Material, Part, SceneObject

TALL_M = 1.74
BEFORE_S = 9.0  # the figure is at the first place this long before moving an object
ROOM_M, ASIDE_M = 0.75, 1.0  # a person closer than the first steps aside, and keeps the second
NOTICE_S = 1.5  # before the wearer arrives
STOREY_M = 1.5  # vertical distance: beyond it, another floor
HAIR = ((0.03, 0.02, 0.015), (0.14, 0.07, 0.03), (0.45, 0.32, 0.12), (0.30, 0.30, 0.30))
SKIN = ((0.62, 0.44, 0.34), (0.45, 0.28, 0.19), (0.24, 0.13, 0.08))


def figure(number: int, spot: tuple[float, float], rng: np.random.Generator) -> SceneObject:
    """A standing person facing +x: shoes, trousers, a shirt of one colour, hands, a face and hair."""
    colors = list(COLORS)
    shirt = plain(COLORS[colors[int(rng.integers(len(colors)))]])
    yaw = float(rng.uniform(-180, 180))
    skin = plain(SKIN[int(rng.integers(len(SKIN)))])
    hair = plain(HAIR[int(rng.integers(len(HAIR)))])
    trousers, leather = plain((0.08, 0.09, 0.14)), plain((0.05, 0.03, 0.02))
    return SceneObject(
        number,
        OTHER,
        (*spot, 0.0),
        (*_legs(trousers, leather), *_trunk(shirt, skin), *_head(skin, hair)),
        yaw,
    )


def _legs(trousers: Material, leather: Material) -> list[Part]:
    parts = []
    for side in (-0.095, 0.095):
        parts += [
            Part("sphere", (0.27, 0.1, 0.12), (0.045, side, 0.05), leather),
            cylinder(0.13, 0.46, (0.0, side, 0.06), trousers),
            cylinder(0.165, 0.42, (0.0, side, 0.46), trousers),
        ]
    return [*parts, Part("cylinder", (0.22, 0.34, 0.14), (0.0, 0.0, 0.88), trousers)]


def _trunk(shirt: Material, skin: Material) -> list[Part]:
    parts = [
        Part("cylinder", (0.22, 0.33, 0.34), (0.0, 0.0, 1.08), shirt),
        Part("sphere", (0.25, 0.44, 0.42), (0.0, 0.0, 1.25), shirt),
        cylinder(0.11, 0.14, (0.0, 0.0, 1.4), skin),
    ]
    for side in (-1, 1):
        parts += [
            ball((0.13, 0.13, 0.13), (0.0, side * 0.2, 1.29), shirt),
            Part("cylinder", (0.1, 0.1, 0.32), (0.0, side * 0.235, 1.2), shirt, side * 90.0, -8.0),
            Part("cylinder", (0.08, 0.08, 0.3), (0.05, side * 0.255, 0.94), skin, 0.0, -18.0),
            ball((0.09, 0.06, 0.12), (0.1, side * 0.255, 0.73), skin),
        ]
    return parts


def _head(skin: Material, hair: Material) -> list[Part]:
    dark = plain((0.02, 0.02, 0.02))
    return [
        ball((0.19, 0.16, 0.24), (0.01, 0.0, 1.49), skin),
        Part("sphere", (0.19, 0.175, 0.17), (-0.018, 0.0, 1.655), hair),
        ball((0.035, 0.03, 0.04), (0.1, 0.0, 1.585), skin),
        *(ball((0.02, 0.025, 0.018), (0.09, side * 0.034, 1.62), dark) for side in (-1, 1)),
        box((0.01, 0.05, 0.012), (0.088, 0.0, 1.545), plain((0.4, 0.1, 0.09))),
    ]


def steps(
    person: SceneObject,
    when: float,
    spots: tuple[tuple[float, float], ...],
    heights: tuple[float, ...],
    faces: tuple[tuple[float, float], ...],
) -> list[DayEvent]:
    """Events that put the figure where an object is taken, and then where it is put."""
    found = []
    for time, spot, height, face in zip((when - BEFORE_S, when), spots, heights, faces, strict=True):
        found.append(_step(person, time, spot, height, face))
    return found


def make_way(
    person: SceneObject, log: Sequence[DayEvent], path: Path, floors: Sequence[tuple[np.ndarray, float]]
) -> list[DayEvent]:
    """Events that move the figure aside wherever the wearer would walk through it.

    `floors` are the free spots of each home with their height. A figure stays where its last event put it, so
    only the moment at which the wearer comes too near and the path until its next event matter.
    """
    stays = [(0.0, person.position), *((h.time, h.obj.position) for h in log if h.act == "stepped")]
    ends = [time for time, _ in stays[1:]] + [float("inf")]
    found = []
    for (start, (x, y, z)), end in zip(stays, ends, strict=True):
        here = (path.times >= start) & (path.times < end)
        walk = path.poses[here, :3, 3]
        walk, times = walk[_same_storey(walk, z)], path.times[here][_same_storey(walk, z)]
        near = np.hypot(walk[:, 0] - x, walk[:, 1] - y) < ROOM_M
        if not near.any():
            continue
        when = max(start, float(times[int(np.argmax(near))]) - NOTICE_S)
        spot = _aside((x, y), z, walk[times >= when, :2], floors)
        if spot is not None:
            found.append(_step(person, when, spot, z, (x, y)))
    return found


def _same_storey(walk: np.ndarray, floor: float) -> np.ndarray:
    return np.asarray((walk[:, 2] > floor) & (walk[:, 2] < floor + STOREY_M + 1.0))


def _aside(
    here: tuple[float, float], height: float, walk: np.ndarray, floors: Sequence[tuple[np.ndarray, float]]
) -> tuple[float, float] | None:
    """Nearest spot that the path leaves free, or the most distant one from the path if none is free."""
    level = [spots for spots, floor in floors if abs(floor - height) < 0.01]
    homes = sorted(level, key=lambda spots: float(np.hypot(*(spots - here).T).min()))
    if not homes:
        return None
    spots = homes[0]
    apart = cKDTree(walk).query(spots)[0]
    lonely = apart >= ASIDE_M
    far = np.hypot(*(spots - here).T)
    best = int(np.argmin(np.where(lonely, far, np.inf))) if lonely.any() else int(np.argmax(apart))
    return float(spots[best, 0]), float(spots[best, 1])


def _step(
    person: SceneObject, time: float, spot: tuple[float, float], height: float, face: tuple[float, float]
) -> DayEvent:
    yaw = Heading.facing(spot, face).yaw_deg
    there = replace(person, position=(*spot, height), yaw_deg=yaw)
    return DayEvent(time, "stepped", there, OTHER)


_HAND_SKIN = plain((0.62, 0.44, 0.34))
_SLEEVE = plain((0.16, 0.2, 0.3))
_FINGERS_M = (-0.03, -0.01, 0.01, 0.03)


def hand_below(number: int, obj: SceneObject) -> SceneObject:
    """A hand under a carried object: palm, fingers along the far side, forearm towards the body.

    The object's x axis points ahead. Wide objects are held at the edge, so that the hand stays visible.
    """
    box = obj.box
    half = min(box.size[0] / 2, 0.09)
    up = min(0.05, box.size[2] / 3)
    parts = (
        Part("sphere", (0.12, 0.1, 0.035), (0.0, 0.0, -0.018), _HAND_SKIN),
        *(ball((0.022, 0.018, 0.03 + up), (half + 0.008, y, -0.02), _HAND_SKIN) for y in _FINGERS_M),
        Part("sphere", (0.07, 0.025, 0.03), (-0.02, 0.05, 0.0), _HAND_SKIN, -30.0),
        Part("cylinder", (0.06, 0.06, 0.16), (-0.1, -0.01, -0.06), _HAND_SKIN, 0.0, 60.0),
        Part("cylinder", (0.09, 0.09, 0.3), (-0.28, -0.02, -0.165), _SLEEVE, 0.0, 60.0),
    )
    x, y, z = box.center
    return SceneObject(number, "hand", (x, y, z - box.size[2] / 2), parts, box.yaw_deg, structural=True)
