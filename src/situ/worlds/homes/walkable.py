"""Free floor of a room or a home, as a grid of positions where a person fits."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from situ.geometry.pose import Matrix
from situ.worlds.homes.placing import Placed, RoomSpace
from situ.worlds.walks.fit import ON_THE_FLOOR_M, OVERHEAD_M, Rect

CELL_M = 0.1
BODY_M = 0.27  # half of a person's width
BEFORE_DOOR_M = 0.45
ROUNDING_M = 0.05  # margin when a room is checked, because grids do not line up


class Floor(NamedTuple):
    """Grid over a rectangle: True where the middle of a body may be."""

    free: NDArray[np.bool_]
    x0: float
    y0: float

    def cell(self, x: float, y: float) -> tuple[int, int]:
        row, column = round((y - self.y0) / CELL_M - 0.5), round((x - self.x0) / CELL_M - 0.5)
        rows, columns = self.free.shape
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    def point(self, row: int, column: int) -> tuple[float, float]:
        return self.x0 + (column + 0.5) * CELL_M, self.y0 + (row + 0.5) * CELL_M


def blank_floor(area: Rect) -> Floor:
    columns, rows = (max(1, int(np.ceil(side / CELL_M))) for side in area.size)
    return Floor(np.zeros((rows, columns), dtype=bool), area.x0, area.y0)


def open_rect(floor: Floor, low: Matrix, high: Matrix, free: bool) -> None:
    """Mark the cells whose centre lies in a rectangle."""
    first = np.ceil((np.asarray(low)[:2] - (floor.x0, floor.y0)) / CELL_M - 0.5).astype(int)
    last = np.floor((np.asarray(high)[:2] - (floor.x0, floor.y0)) / CELL_M - 0.5).astype(int) + 1
    (c0, r0), (c1, r1) = np.maximum(first, 0), np.maximum(last, 0)
    floor.free[r0:r1, c0:c1] = free


def block(floor: Floor, placed: Iterable[Placed], body: float = BODY_M) -> None:
    """Close the cells where a body would touch a placed object."""
    for obj in placed:
        if obj.low[2] < OVERHEAD_M - 0.2 and obj.high[2] > ON_THE_FLOOR_M:
            open_rect(floor, obj.low[:2] - body, obj.high[:2] + body, False)


def room_floor(room: RoomSpace) -> Floor:
    floor = blank_floor(room.area)
    inner = room.area.shrunk(BODY_M)
    open_rect(floor, np.array([inner.x0, inner.y0]), np.array([inner.x1, inner.y1]), True)
    block(floor, room.placed, BODY_M + ROUNDING_M)
    return floor


def enterable(floor: Floor, areas: Iterable[Rect], least_m2: float = 0.5) -> bool:
    """Whether one connected part of the floor reaches well into every area."""
    labels, count = ndimage.label(floor.free, structure=np.ones((3, 3)))
    if count == 0:
        return False
    main = int(np.argmax(np.bincount(labels[labels > 0])))
    for area in areas:
        (r0, c0), (r1, c1) = floor.cell(area.x0, area.y0), floor.cell(area.x1, area.y1)
        if (labels[r0 + 3 : r1 - 2, c0 + 3 : c1 - 2] == main).sum() * CELL_M**2 < least_m2:
            return False
    return True


def walkable(room: RoomSpace, least_m2: float = 1.0) -> bool:
    """Whether all doors of a room lead into one free area of sufficient size."""
    floor = room_floor(room)
    labels, count = ndimage.label(floor.free)
    if count == 0:
        return False
    doors = [
        wall.point((o.start + o.end) / 2, BEFORE_DOOR_M)
        for wall in room.walls
        for o in wall.openings
        if not o.is_window
    ]
    regions = {int(labels[floor.cell(x, y)]) for x, y in doors}
    if len(regions) != 1 or 0 in regions:
        return False
    return bool((labels == regions.pop()).sum() * CELL_M**2 >= least_m2)
