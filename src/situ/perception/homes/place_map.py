"""What has been seen of a place so far, and how well a new picture fits into it from some spot."""

from copy import copy
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.perception.homes.channels import STRIDE
from situ.perception.homes.fitting import fallen_on, met_again, seen_again
from situ.perception.homes.pictures import Picture
from situ.perception.homes.sight import Array, Sight
from situ.perception.homes.views import Cells, Views, turned

CELL_M, HALF_CELLS = 0.05, 1200  # a square of 120 m around the first spot
REACH_M = 9.0  # things and walls farther from a spot say nothing about it
_WALLS = 150  # points that are tried
_WALL_SIGMA_M = 0.12
_SAME_HEIGHT_M = 0.35
_LOOK_FROM, _LOOK_SPAN = 0.3, 0.6  # cosines of looks between which two views may be of one thing
# What walls, a thing that is met again and one that is missed are worth, as logs of odds, and shares of cells
# of views near by and of the latest one, by how they are seen again: learnt from 6,861 pictures of sixteen
# streams, each of which fits four ways and more.
_WALL, _THING, _MISSED, _MOST_MISSED = 5.3, 2.5, 0.25, 2.0
_CELLS, _LATEST_CELLS = np.array([3.3, -3.4, -1.2, -4.5, 1.5]), np.array([1.9, -3.9, -2.8, -4.6, -2.5])
_ENOUGH_CELLS = 120


@dataclass(frozen=True, eq=False)
class Window:
    """The map around a spot as a field: what a wall is worth that is seen there."""

    walls: NDArray[np.float32]
    corner_m: Array


class PlaceMap:
    """Walls and floor over the ground, things with their looks, and the last views cell by cell."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._walls = np.zeros((2 * HALF_CELLS, 2 * HALF_CELLS), np.uint8)
        self._floor = np.zeros_like(self._walls)
        self._places, self._looks = np.zeros((0, 3)), np.zeros((0, 0))
        self._names, self._seen = np.zeros(0, int), np.zeros(0)
        self.views = Views()

    def copy(self) -> "PlaceMap":
        """A map that learns on by itself."""
        other = copy(self)
        other._walls, other._floor = self._walls.copy(), self._floor.copy()
        other._places, other._looks = self._places.copy(), self._looks.copy()
        other._seen, other.views = self._seen.copy(), self.views.copy()
        return other

    def learn(self, sight: Sight, picture: Picture, pose: Matrix, yaw: float) -> None:
        """Take a picture in that was taken from a spot."""
        spot = pose[:2, 3]
        for layer, points in ((self._walls, sight.walls), (self._floor, sight.floor)):
            cells = np.round((turned(points, yaw) + spot) / CELL_M).astype(np.intp) + HALF_CELLS
            cells = np.clip(cells, 0, 2 * HALF_CELLS - 1)
            flat = np.unique(cells[:, 0] * (2 * HALF_CELLS) + cells[:, 1])
            layer.flat[flat] = np.minimum(layer.flat[flat], 254) + 1
        self.views.keep(sight, picture, pose, yaw)
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
        walls = np.minimum(1.0, cv2.GaussianBlur(walls, (0, 0), _WALL_SIGMA_M / CELL_M) * np.float32(2.5))
        floor = cv2.blur((self._floor[part] > 0).astype(np.float32), (5, 5))
        floor[walls > 0.2] = 0.0
        return Window(walls - np.float32(0.7) * floor, np.asarray((corner - HALF_CELLS) * CELL_M))

    def fits(self, sight: Sight, window: Window, spots: Array, yaw: float) -> Array:
        """How well walls and things of a picture fall on what is known, for each spot, as a log of odds."""
        found = np.zeros(len(spots))
        some = sight.walls[np.linspace(0, len(sight.walls) - 1, min(_WALLS, len(sight.walls))).astype(int)]
        if len(some):
            fallen_on(window.walls, window.corner_m, CELL_M, turned(some, yaw), spots, found)
            found *= _WALL / max(40, len(some))
        self._meets(sight, spots, yaw, found)
        return found

    def _meets(self, sight: Sight, spots: Array, yaw: float, found: Array) -> None:
        """Add what known things are worth that would be seen again from each spot."""
        if not len(sight.things) or not len(self._places):
            return
        middle, reach = spots.mean(axis=0), float(np.ptp(spots, axis=0).max()) / 2 + 0.5
        names = np.array([thing.name for thing in sight.things])
        scores = np.array([min(1.0, thing.score) for thing in sight.things])
        looks = np.array([thing.look for thing in sight.things], float)
        at = turned(sight.middles[:, :2], yaw)
        ways = self._places[None, :, :2] - at[:, None]
        may = (names[:, None] == self._names) & (np.hypot(*(ways - middle).transpose(2, 0, 1)) < reach)
        may &= np.abs(self._places[:, 2] - sight.middles[:, 2:]) < _SAME_HEIGHT_M
        near = np.flatnonzero(may.any(axis=0))
        if not len(near):
            return
        cosine = looks @ self._looks[near].T / np.maximum(1e-6, np.linalg.norm(self._looks[near], axis=1))
        worth = np.clip((cosine - _LOOK_FROM) / _LOOK_SPAN, 0.0, 1.0) * scores[:, None]
        sigma = np.hypot(0.1, 0.05 * np.hypot(*at.T))
        met_again(_THING * np.where(may[:, near], worth, 0.0), ways[:, near], sigma, spots, found)

    def agrees(self, sight: Sight, spot: Array, yaw: float) -> float:
        """Whether the last views would look so from a spot, less what should be in view and is not."""
        near = self._seen_again(self.views.near(spot, yaw), _CELLS, sight, spot, yaw)
        latest = self._seen_again(self.views.latest, _LATEST_CELLS, sight, spot, yaw)
        return near + latest - self._missed(sight, spot, yaw)

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

    def _seen_again(self, known: Cells | None, worth: Array, sight: Sight, spot: Array, yaw: float) -> float:
        if known is None:
            return 0.0
        lens = self._camera.resized(sight.label.shape[1] * STRIDE, sight.label.shape[0] * STRIDE)
        in_cells = np.array([lens.fx, lens.fy, lens.cx - 2.5, lens.cy - 2.5]) / STRIDE
        found = seen_again(
            *known, sight.label, sight.metres, sight.colors, sight.axes, in_cells,
            np.array([*spot, sight.eyes_m]), yaw,
        )  # fmt: skip
        count = float(found.sum())
        return float(found @ worth) / max(_ENOUGH_CELLS, count) if count >= 10 else 0.0

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
