"""Floor plans: rectangular rooms that fill a house, and the doors between them.

There are two kinds: rooms along both sides of a hallway, and recursive subdivision. Doors form a spanning
tree of neighbouring rooms, so every room is reachable, plus a few that form loops.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from situ.errors import BadInput, Impossible
from situ.worlds.furniture import kind as names
from situ.worlds.homes.uses import HOME, OUTDOORS, PATH, programme
from situ.worlds.walks.fit import Rect

MIN_ROOMS, MAX_ROOMS = 4, 12  # of a home
DOOR_WIDTH_M = 0.95
DOOR_MARGIN_M = 0.25  # from a door's edge to the corner of a room
HALL_WIDTH_M = 1.9
MIN_SIDE_M = 2.7
LOOP_SHARE = 0.2  # of neighbours that are not connected yet


@dataclass(frozen=True)
class Room:
    """A room: its kind ("kitchen"), and the rectangle between the centre lines of its walls."""

    name: str
    area: Rect


OUTSIDE = -1  # room number on the outer side of a front door


class Door(NamedTuple):
    """An opening between two rooms (by number), in a wall along x (`axis` 0) or y (`axis` 1)."""

    first: int
    second: int
    x: float
    y: float
    axis: int


@dataclass(frozen=True)
class Plan:
    """Rooms and doors. The outline is the rectangle that the rooms fill."""

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    outline: Rect

    def doors_of(self, room: int) -> tuple[Door, ...]:
        return tuple(door for door in self.doors if room in (door.first, door.second))

    @property
    def area_m2(self) -> float:
        return sum(room.area.size[0] * room.area.size[1] for room in self.rooms)


def draw_plan(rooms: int, rng: np.random.Generator, tries: int = 200, use: str = HOME) -> Plan:
    """Random plan with a given number of rooms, the hallway included."""
    kinds = programme(use)
    most = min(MAX_ROOMS, len(kinds) + 1)
    if not MIN_ROOMS <= rooms <= most:
        raise BadInput(f"a {use} has {MIN_ROOMS} to {most} rooms, got {rooms}")
    for _ in range(tries):
        with_hall = rooms >= 6 or rooms > len(kinds) or rng.random() < 0.5
        cut = _hall_plan(kinds[: rooms - 1], rng) if with_hall else _cut_plan(kinds[:rooms], rng)
        if cut is None:
            continue
        if use == OUTDOORS:
            cut = [Room(PATH if room.name == names.HALL else room.name, room.area) for room in cut]
        doors = _doors(cut, rng)
        if doors is not None:
            xs = [v for room in cut for v in (room.area.x0, room.area.x1)]
            ys = [v for room in cut for v in (room.area.y0, room.area.y1)]
            return Plan(tuple(cut), tuple(doors), Rect(min(xs), min(ys), max(xs), max(ys)))
    raise Impossible(f"no floor plan with {rooms} rooms was found in {tries} tries; use another seed")


def with_front_door(plan: Plan, rng: np.random.Generator) -> Plan:
    """The plan with a door to the outside, in the hallway if possible."""
    need = DOOR_WIDTH_M + 2 * DOOR_MARGIN_M
    outline = plan.outline
    found: list[tuple[bool, float, Door]] = []
    for number, room in enumerate(plan.rooms):
        area = room.area
        sides = (
            (0, area.x0, area.x1, area.y0, outline.y0),
            (0, area.x0, area.x1, area.y1, outline.y1),
            (1, area.y0, area.y1, area.x0, outline.x0),
            (1, area.y0, area.y1, area.x1, outline.x1),
        )
        for axis, low, high, here, outside in sides:
            if abs(here - outside) < 1e-6 and high - low >= need and room.name != names.BATH:
                along = float(rng.uniform(low + need / 2, high - need / 2))
                x, y = (along, here) if axis == 0 else (here, along)
                found.append(
                    (room.name != names.HALL, float(rng.random()), Door(number, OUTSIDE, x, y, axis))
                )
    if not found:
        raise Impossible("no outer wall of this plan is long enough for a front door; use another seed")
    return Plan(plan.rooms, (*plan.doors, min(found)[2]), outline)


def _hall_plan(programme: Sequence[str], rng: np.random.Generator) -> list[Room] | None:
    """A hallway with rooms on both sides; in half of the homes the living room closes one end."""
    kinds = list(programme)
    end = kinds.pop(0) if rng.random() < 0.5 else None
    order = [kinds[int(i)] for i in rng.permutation(len(kinds))]
    split = (len(order) + int(rng.integers(2))) // 2
    sides = (order[:split], order[split:])
    if not all(sides):
        return None
    depths = rng.uniform(3.2, 4.8, 2)
    length = max(sum(_width(name, d, rng) for name in side) for side, d in zip(sides, depths, strict=True))
    hall_y = (-HALL_WIDTH_M / 2, HALL_WIDTH_M / 2)
    found = [Room(names.HALL, Rect(0.0, hall_y[0], length, hall_y[1]))]
    for side, depth, sign in zip(sides, depths, (-1, 1), strict=True):
        weights = np.array([_width(name, float(depth), rng) for name in side])
        edges = np.concatenate([[0.0], np.cumsum(weights) / weights.sum() * length])
        if np.diff(edges).min() < MIN_SIDE_M * 0.8:
            return None
        y0, y1 = (hall_y[1], hall_y[1] + depth) if sign > 0 else (hall_y[0] - depth, hall_y[0])
        found += [
            Room(name, Rect(float(a), float(y0), float(b), float(y1)))
            for name, a, b in zip(side, edges, edges[1:], strict=False)
        ]
    if end is not None:
        wide = float(rng.uniform(4.2, 5.8))
        low, high = hall_y[0] - float(depths[0]), hall_y[1] + float(depths[1])
        found.append(Room(end, Rect(length, low, length + wide, high)))
    return _turned(found, rng)


def _width(name: str, depth: float, rng: np.random.Generator) -> float:
    """Width of a room along the hallway."""
    area = {names.BATH: 9.0, names.LAUNDRY: 9.5, names.LIVING: 22.0, names.KITCHEN: 13.0}.get(name, 14.0)
    return float(max(MIN_SIDE_M, area * rng.uniform(0.85, 1.2) / depth))


def _cut_plan(programme: Sequence[str], rng: np.random.Generator) -> list[Room] | None:
    """Cut a rectangle in two, then the largest piece again, and so on."""
    rooms = len(programme)
    area = rooms * float(rng.uniform(14.0, 17.0))
    ratio = float(rng.uniform(0.7, 1.4))
    pieces = [Rect(0.0, 0.0, float(np.sqrt(area * ratio)), float(np.sqrt(area / ratio)))]
    while len(pieces) < rooms:
        pieces.sort(key=lambda p: p.size[0] * p.size[1])
        big = pieces.pop()
        share = float(rng.uniform(0.4, 0.6))
        if big.size[0] > big.size[1]:
            x = big.x0 + share * big.size[0]
            pieces += [Rect(big.x0, big.y0, x, big.y1), Rect(x, big.y0, big.x1, big.y1)]
        else:
            y = big.y0 + share * big.size[1]
            pieces += [Rect(big.x0, big.y0, big.x1, y), Rect(big.x0, y, big.x1, big.y1)]
    if min(min(piece.size) for piece in pieces) < MIN_SIDE_M:
        return None
    pieces.sort(key=lambda p: -p.size[0] * p.size[1])
    small_last = sorted(programme, key=lambda n: n in (names.BATH, names.LAUNDRY))
    return _turned([Room(name, piece) for name, piece in zip(small_last, pieces, strict=True)], rng)


def _turned(rooms: list[Room], rng: np.random.Generator) -> list[Room]:
    """The house rotated by a multiple of 90 degrees and mirrored at random."""
    swap, flip_x, flip_y = (bool(rng.random() < 0.5) for _ in range(3))

    def place(area: Rect) -> Rect:
        xs, ys = (area.x0, area.x1), (area.y0, area.y1)
        if swap:
            xs, ys = ys, xs
        if flip_x:
            xs = (-xs[1], -xs[0])
        if flip_y:
            ys = (-ys[1], -ys[0])
        return Rect(xs[0], ys[0], xs[1], ys[1])

    return [Room(room.name, place(room.area)) for room in rooms]


def _doors(rooms: list[Room], rng: np.random.Generator) -> list[Door] | None:
    """A spanning tree of neighbours from the hallway, and a few more doors; None if a room is unreachable."""
    found = [
        shared
        for i in range(len(rooms))
        for j in range(i + 1, len(rooms))
        if (shared := _shared_wall(i, j, rooms, rng)) is not None
    ]
    weights = {
        door: (0 if names.HALL in (rooms[door.first].name, rooms[door.second].name) else 1)
        + rng.random() * 0.5
        for door in found
    }
    group = list(range(len(rooms)))
    chosen = []
    for door in sorted(found, key=lambda d: weights[d]):
        a, b = group[door.first], group[door.second]
        private = any(rooms[k].name == names.BATH for k in (door.first, door.second))
        if a != b:
            group = [b if g == a else g for g in group]
            chosen.append(door)
        elif not private and rng.random() < LOOP_SHARE:
            chosen.append(door)
    return chosen if len(set(group)) == 1 else None


def _shared_wall(i: int, j: int, rooms: list[Room], rng: np.random.Generator) -> Door | None:
    """A door in the shared wall of two rooms, if it is long enough."""
    a, b = rooms[i].area, rooms[j].area
    need = DOOR_WIDTH_M + 2 * DOOR_MARGIN_M
    for axis in (0, 1):
        lo, hi = (max(a.x0, b.x0), min(a.x1, b.x1)) if axis == 0 else (max(a.y0, b.y0), min(a.y1, b.y1))
        ends = ((a.y1, b.y0), (b.y1, a.y0)) if axis == 0 else ((a.x1, b.x0), (b.x1, a.x0))
        for near, far in ends:
            if abs(near - far) < 1e-6 and hi - lo >= need:
                along = float(rng.uniform(lo + need / 2, hi - need / 2))
                x, y = (along, near) if axis == 0 else (near, along)
                return Door(i, j, x, y, axis)
    return None
