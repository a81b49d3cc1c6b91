"""Tours of a home: a walk that visits every room, looks around and goes on, at walking pace."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.sparse.csgraph import dijkstra

from situ.errors import Impossible
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, wrap_deg
from situ.geometry.rounding import stable_floor
from situ.worlds.homes.build import Home
from situ.worlds.homes.plan import OUTSIDE
from situ.worlds.homes.walkable import CELL_M, Floor
from situ.worlds.walks.film import Style, film
from situ.worlds.walks.route import Piece, Route, bend, straight, turn

VISITOR = Style(resting_pitch_deg=-13.0)  # visitors look at objects, most of which are below the eyes
CORNER_M = 0.45  # distance before a corner at which the body starts to turn
LOOK_DEG = (110.0, 200.0)  # range of a look to each side of a room
LOOK_DEG_PER_S = 45.0
SHY_M = 0.5  # preferred distance of paths from obstacles
_STEPS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def tour(home: Home, rng: np.random.Generator, fps: float = 2.0, style: Style | None = None) -> Path:
    """Camera poses of a tour that enters every room."""
    return film(tour_route(home, rng), style or VISITOR, fps, rng)


def tour_route(home: Home, rng: np.random.Generator) -> Route:
    """Route from a random room through all others, with a look around at a free spot near each middle."""
    stops = room_stops(home, rng)
    grid = FloorGrid(home.floor)
    order = visiting_order(home, int(rng.integers(len(stops))))
    legs = [grid.path(stops[a], stops[b]) for a, b in pairwise(order)]
    first = legs[0] if legs else np.array([stops[order[0]], stops[order[0]]])
    start = Heading.facing(first[0], first[min(1, len(first) - 1)])
    pieces: list[Piece] = []
    seen: set[int] = set()
    here = start
    for room, leg in zip(order, [*legs, None], strict=True):
        if room not in seen:
            seen.add(room)
            around = look_around(rng)
            pieces += around
            for piece in around:
                here = here.turned(piece.turn_right_deg)
        if leg is not None and len(leg) > 1:
            walked, here = along(leg, here)
            pieces += walked
    return Route(start, tuple(pieces))


def look_around(rng: np.random.Generator) -> list[Piece]:
    """Look to one side, across to the other, and part of the way back."""
    side = 1.0 if rng.random() < 0.5 else -1.0
    out, over = (float(v) for v in rng.uniform(*LOOK_DEG, 2))
    return [turn(side * out, LOOK_DEG_PER_S), turn(-side * (out + over), LOOK_DEG_PER_S)]


def room_stops(home: Home, rng: np.random.Generator) -> list[tuple[float, float]]:
    """A spacious free spot in each room, on the connected part of the floor."""
    labels, count = ndimage.label(home.floor.free, structure=np.ones((3, 3)))
    if count == 0:
        raise Impossible("this home has no free floor to walk on; use fewer objects or another seed")
    main = int(np.argmax(np.bincount(labels[labels > 0]))) if count else 0
    air = ndimage.distance_transform_edt(home.floor.free) * CELL_M
    stops = []
    for room in home.plan.rooms:
        (r0, c0), (r1, c1) = (
            home.floor.cell(room.area.x0, room.area.y0),
            home.floor.cell(room.area.x1, room.area.y1),
        )
        inside = np.zeros_like(home.floor.free)
        inside[r0 + 2 : r1 - 1, c0 + 2 : c1 - 1] = True
        rows, columns = np.nonzero(inside & (labels == main))
        if len(rows) == 0:
            raise Impossible(f"the {room.name} cannot be entered; use fewer objects or another seed")
        middle = np.array([(r0 + r1) / 2, (c0 + c1) / 2])
        off_centre = np.hypot(rows - middle[0], columns - middle[1]) * CELL_M
        worth = np.minimum(air[rows, columns], 0.6) * 2 - 0.25 * off_centre + rng.uniform(0, 0.15, len(rows))
        best = int(np.argmax(worth))
        stops.append(home.floor.point(int(rows[best]), int(columns[best])))
    return stops


def visiting_order(home: Home, start: int) -> list[int]:
    """Depth-first order through the doors, including the rooms passed again on the way back."""
    neighbours: dict[int, list[int]] = {i: [] for i in range(len(home.plan.rooms))}
    for door in home.plan.doors:
        if door.second == OUTSIDE:
            continue
        neighbours[door.first].append(door.second)
        neighbours[door.second].append(door.first)
    order, seen = [start], {start}

    def visit(room: int) -> None:
        for other in neighbours[room]:
            if other not in seen:
                seen.add(other)
                order.append(other)
                visit(other)
                order.append(room)

    visit(start)
    last_new = max(i for i, room in enumerate(order) if room not in order[:i])
    return order[: last_new + 1]  # the way back from the last new room is not needed


class FloorGrid:
    """Shortest paths over free cells, with higher cost near obstacles."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        rows, columns = floor.free.shape
        number = np.arange(rows * columns).reshape(rows, columns)
        air = ndimage.distance_transform_edt(floor.free) * CELL_M
        cost = 1.0 + 4.0 * np.maximum(0.0, 1 - air / SHY_M)
        links, ends, weights = [], [], []
        for dr, dc in _STEPS:
            a = (slice(0, rows - dr), slice(max(0, -dc), columns - max(0, dc)))
            b = (slice(dr, rows), slice(max(0, dc), columns + min(0, dc)))
            both = floor.free[a] & floor.free[b]
            links.append(number[a][both])
            ends.append(number[b][both])
            weights.append((math.hypot(dr, dc) * (cost[a] + cost[b]) / 2)[both])
        shape = (rows * columns, rows * columns)
        matrix = sparse.coo_matrix(
            (np.concatenate(weights), (np.concatenate(links), np.concatenate(ends))), shape=shape
        )
        self._graph = sparse.csr_matrix(matrix)

    def path(self, start: tuple[float, float], goal: tuple[float, float]) -> Matrix:
        """Corner points (n, 2) of a walk over free cells."""
        width = self._floor.free.shape[1]
        (r0, c0), (r1, c1) = self._floor.cell(*start), self._floor.cell(*goal)
        _, before = dijkstra(self._graph, directed=False, indices=r0 * width + c0, return_predecessors=True)
        cell = r1 * width + c1
        if before[cell] < 0 and (r0, c0) != (r1, c1):
            raise Impossible("two rooms of this home are not connected; use another seed")
        cells = [cell]
        while cells[-1] != r0 * width + c0:
            cells.append(int(before[cells[-1]]))
        points = [self._floor.point(*divmod(c, width)) for c in reversed(cells)]
        return self._shortcut(np.array(points))

    def _shortcut(self, points: Matrix) -> Matrix:
        """Only the points at which the path has to bend."""
        kept, i = [0], 0
        while i < len(points) - 1:
            j = len(points) - 1
            while j > i + 1 and not self._clear(points[i], points[j]):
                j -= max(1, (j - i) // 12)
            kept.append(j)
            i = j
        found: Matrix = points[kept]
        return found

    def _clear(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
        count = max(2, stable_floor(float(np.hypot(*(b - a))) / (CELL_M / 2)))
        line = a + (b - a) * np.linspace(0, 1, count)[:, None]
        cells = [self._floor.cell(float(x), float(y)) for x, y in line]
        rows, columns = zip(*cells, strict=True)
        return bool(self._floor.free[list(rows), list(columns)].all())


def along(points: Matrix, here: Heading) -> tuple[list[Piece], Heading]:
    """Turn towards the first leg, then walk a polyline with rounded corners; also the final heading."""
    steps = np.diff(points, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    yaws = np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))
    pieces: list[Piece] = []
    first = wrap_deg(here.yaw_deg - float(yaws[0]))
    if abs(first) > 1.0:
        pieces.append(turn(first))
    bends = [wrap_deg(float(a - b)) for a, b in pairwise(yaws)]
    cuts = _cuts(lengths)
    for i, length in enumerate(lengths):
        rest = float(length) - cuts[i] - cuts[i + 1]
        if rest > 1e-6:
            pieces.append(straight(rest))
        if i < len(bends) and abs(bends[i]) > 1e-6:
            pieces.append(bend(cuts[i + 1] / math.tan(math.radians(abs(bends[i])) / 2), bends[i]))
    return pieces, Heading(float(points[-1, 0]), float(points[-1, 1]), 0.0, float(yaws[-1]))


def _cuts(lengths: NDArray[np.float64]) -> list[float]:
    """Length of each corner that is rounded: 0 at both ends, less than half of either leg between."""
    inner = [min(CORNER_M, 0.49 * float(min(a, b))) for a, b in pairwise(lengths)]
    return [0.0, *inner, 0.0]
