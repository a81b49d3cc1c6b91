"""What has been seen of a place so far, and how well a new picture fits into it from some spot."""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from situ.geometry.camera import Camera
from situ.perception.homes.channels import STRIDE
from situ.perception.homes.sight import Array, Sight

CELL_M, HALF_CELLS = 0.05, 1200  # a square of 120 m around the first spot
REACH_M = 9.0  # things and walls farther from a spot say nothing about it
VIEWS, EVERY, VIEW_M = 14, 3, 7.0  # the last views are kept, every third cell of them
_WALLS, _FLOORS = 150, 120  # points that are tried
_WALL_SIGMA_M = 0.12
_SAME_HEIGHT_M = 0.35
_LOOK_FROM, _LOOK_SPAN = 0.3, 0.6  # cosines of looks between which two views may be of one thing
_THING, _GROUND, _AGREES = 0.35, 0.6, 1.5  # what a thing, the ground and the last views weigh against walls
_MISSED, _MOST_MISSED = 0.25, 2.0
_ALIKE = 40.0  # sums of differences of red, green and blue below which a cell may show the same
_ENOUGH_CELLS = 120


@dataclass(frozen=True, eq=False)
class Window:
    """The map around a spot as fields: walls near, and floor where no wall is."""

    walls: NDArray[np.float32]
    floor: NDArray[np.float32]
    corner: NDArray[np.intp]

    def at(self, field: NDArray[np.float32], spots: Array) -> NDArray[np.float32]:
        cells = np.round(spots / CELL_M).astype(np.intp) + HALF_CELLS - self.corner
        cells = np.clip(cells, 0, np.array(field.shape) - 1)
        return np.asarray(field[cells[..., 0], cells[..., 1]])


class PlaceMap:
    """Walls and floor over the ground, things with their looks, and the last views cell by cell."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._walls = np.zeros((2 * HALF_CELLS, 2 * HALF_CELLS), np.uint8)
        self._floor = np.zeros_like(self._walls)
        self._places, self._looks = np.zeros((0, 3)), np.zeros((0, 0))
        self._names, self._seen = np.zeros(0, int), np.zeros(0)
        self._views: deque[tuple[Array, NDArray[np.int32], Array]] = deque(maxlen=VIEWS)

    def learn(self, sight: Sight, spot: Array, yaw: float) -> None:
        """Take a picture in that was taken from a spot."""
        for layer, points in ((self._walls, sight.walls), (self._floor, sight.floor)):
            cells = np.round((turned(points, yaw) + spot) / CELL_M).astype(np.intp) + HALF_CELLS
            cells = np.unique(np.clip(cells, 0, 2 * HALF_CELLS - 1), axis=0)
            held = layer[cells[:, 0], cells[:, 1]]
            layer[cells[:, 0], cells[:, 1]] = np.minimum(held, 254) + 1
        points = sight.points[::EVERY, ::EVERY].reshape(-1, 3)
        near = np.linalg.norm(points[:, :2], axis=1) < VIEW_M
        placed = np.column_stack([turned(points[near, :2], yaw) + spot, points[near, 2]])
        self._views.append(
            (placed, sight.label[::EVERY, ::EVERY].ravel()[near],
             sight.colors[::EVERY, ::EVERY].reshape(-1, 3)[near])
        )  # fmt: skip
        for thing, middle in zip(sight.things, sight.middles, strict=True):
            self._meet(thing.name, thing.look.astype(float), middle, spot, yaw)

    def _meet(self, name: int, look: Array, middle: Array, spot: Array, yaw: float) -> None:
        place = np.array([*(turned(middle[None, :2], yaw)[0] + spot), middle[2]])
        mine = np.flatnonzero(self._names == name)
        gaps = np.linalg.norm(self._places[mine] - place, axis=1)
        if len(mine) and gaps.min() < 2 * np.hypot(0.12, 0.06 * np.hypot(*middle[:2])):
            known = mine[gaps.argmin()]
            self._places[known] += (place - self._places[known]) / min(12.0, self._seen[known] + 1)
            self._looks[known] += 0.2 * (look - self._looks[known])
            self._seen[known] += 1
            return
        self._places = np.vstack([self._places, place])
        self._looks = np.vstack([self._looks.reshape(-1, len(look)), look])
        self._names, self._seen = np.append(self._names, name), np.append(self._seen, 1.0)

    def window(self, spot: Array, reach_m: float) -> Window:
        half = int((REACH_M + reach_m) / CELL_M)
        middle = np.clip(
            np.round(spot / CELL_M).astype(np.intp) + HALF_CELLS, half, 2 * HALF_CELLS - half - 1
        )
        corner = middle - half
        part = tuple(slice(low, low + 2 * half + 1) for low in corner)
        walls = np.minimum(self._walls[part], 3).astype(np.float32) / 3
        walls = np.minimum(1.0, ndimage.gaussian_filter(walls, _WALL_SIGMA_M / CELL_M) * 2.5)
        floor = ndimage.uniform_filter((self._floor[part] > 0).astype(np.float32), 5)
        return Window(walls, np.where(walls > 0.2, np.float32(0.0), floor), corner)

    def fits(self, sight: Sight, window: Window, spots: Array, yaw: float) -> Array:
        """How well walls, floor and things of a picture fall on those that are known, for each spot."""
        found = np.zeros(len(spots))
        for points, field, most in (
            (sight.walls, window.walls - 0.7 * window.floor, _WALLS),
            (sight.floor, _GROUND * (0.5 * window.floor - window.walls), _FLOORS),
        ):
            some = points[np.linspace(0, len(points) - 1, min(most, len(points))).astype(int)]
            if len(some):
                there = turned(some, yaw)[None] + spots[:, None]
                found += window.at(field, there).sum(axis=1) / max(40, len(some))
        middle, reach = spots.mean(axis=0), float(np.ptp(spots, axis=0).max()) / 2 + 0.5
        heights = sight.middles[:, 2]
        for thing, at, height in zip(sight.things, turned(sight.middles[:, :2], yaw), heights, strict=True):
            mine = np.flatnonzero(
                (self._names == thing.name) & (np.abs(self._places[:, 2] - height) < _SAME_HEIGHT_M)
            )
            ways = self._places[mine, :2] - at
            near = np.hypot(*(ways - middle).T) < reach
            mine, ways = mine[near], ways[near]
            if len(mine):
                looks = self._looks[mine]
                cosine = looks @ thing.look / np.maximum(1e-6, np.linalg.norm(looks, axis=1))
                worth = np.clip((cosine - _LOOK_FROM) / _LOOK_SPAN, 0.0, 1.0) * min(1.0, thing.score)
                sigma = np.hypot(0.1, 0.05 * np.hypot(*at))
                off = ((spots[:, None] - ways[None]) ** 2).sum(axis=-1)
                found += _THING * (worth * np.exp(-0.5 * off / sigma**2)).max(axis=1)
        return found

    def agrees(self, sight: Sight, spot: Array, yaw: float) -> float:
        """Whether the last views would look so from a spot, less what should be in view and is not."""
        return self._seen_again(sight, spot, yaw) - self._missed(sight, spot, yaw)

    def _in_picture(
        self, sight: Sight, places: Array, spot: Array, yaw: float
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
        """Row, column and depth of places in the picture, if it was taken from a spot."""
        ground = turned(places[:, :2] - spot, -yaw)
        seen = np.column_stack([ground, places[:, 2] - sight.eyes_m]) @ sight.axes
        depth = seen[:, 2]
        safe = np.maximum(depth, 0.1)
        lens = self._camera.resized(sight.label.shape[1] * STRIDE, sight.label.shape[0] * STRIDE)
        column = np.round((seen[:, 0] / safe * lens.fx + lens.cx) / STRIDE - 0.625).astype(np.intp)
        row = np.round((seen[:, 1] / safe * lens.fy + lens.cy) / STRIDE - 0.625).astype(np.intp)
        return row, column, depth

    def _seen_again(self, sight: Sight, spot: Array, yaw: float) -> float:
        if not self._views:
            return 0.0
        places, label, colors = (np.concatenate(part) for part in zip(*self._views, strict=True))
        row, column, depth = self._in_picture(sight, places, spot, yaw)
        rows, columns = sight.label.shape
        inside = (depth > 0.4) & (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        row, column, depth, label, colors = (x[inside] for x in (row, column, depth, label, colors))
        if len(row) < 10:
            return 0.0
        apart, same = np.full(len(row), np.inf), np.zeros(len(row), bool)
        for down in (-1, 0, 1):
            for across in (-1, 0, 1):
                y, x = np.clip(row + down, 0, rows - 1), np.clip(column + across, 0, columns - 1)
                apart = np.minimum(apart, np.abs(colors - sight.colors[y, x]).sum(axis=1))
                same |= sight.label[y, x] == label
        shown, slack = sight.metres[row, column], 0.25 + 0.08 * depth
        alike = apart < _ALIKE
        value = np.where(alike & same, 1.0, np.where(alike | same, -0.1, -0.8))
        value = np.where(shown > depth + slack, -1.0, np.where(shown < depth - slack, -0.15, value))
        return float(_AGREES * value.sum() / max(_ENOUGH_CELLS, len(row)))

    def _missed(self, sight: Sight, spot: Array, yaw: float) -> float:
        """Known things near by that nothing hides, and that the picture does not show."""
        row, column, depth = self._in_picture(sight, self._places, spot, yaw)
        rows, columns = sight.label.shape
        inside = (depth > 0.6) & (depth < 4.5) & (row >= 4) & (row < rows - 4)
        inside &= (column >= 6) & (column < columns - 6)
        here = turned(sight.middles[:, :2], yaw) + spot
        names = np.array([thing.name for thing in sight.things], int)
        missed = 0.0
        for number in np.flatnonzero(inside):
            if sight.metres[row[number], column[number]] < depth[number] - 0.5:
                continue
            gaps = np.hypot(*(here[names == self._names[number]] - self._places[number, :2]).T)
            if not len(gaps) or gaps.min() >= 0.3 + 0.08 * depth[number]:
                missed += _MISSED * min(1.0, self._seen[number] / 2)
        return min(missed, _MOST_MISSED)


def turned(points: Array, yaw: float) -> Array:
    """Points (n, 2) turned to the left."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.column_stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]])
