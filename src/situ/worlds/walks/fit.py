"""Placement of a route inside an area, clear of obstacles."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.geometry.pose import Matrix
from situ.worlds.scene import SceneObject
from situ.worlds.walks.route import Route

CLEARANCE_M = 0.45  # from the middle of the body: half its width and a hand
OVERHEAD_M = 2.1  # objects above this height are no obstacle
ON_THE_FLOOR_M = 0.06  # lower objects, such as rugs and kerbs, are stepped on


@dataclass(frozen=True)
class Rect:
    """An axis-aligned rectangle on the ground."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def center(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    @property
    def size(self) -> tuple[float, float]:
        return self.x1 - self.x0, self.y1 - self.y0

    def at(self, u: float, v: float) -> tuple[float, float]:
        """The point at shares of the width and the depth."""
        return self.x0 + u * (self.x1 - self.x0), self.y0 + v * (self.y1 - self.y0)

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def shrunk(self, by: float) -> "Rect":
        return Rect(self.x0 + by, self.y0 + by, self.x1 - by, self.y1 - by)


class Obstacles:
    """Obstacles for a walking person, by their footprints."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        solid = [b for b in boxes if b.bottom < OVERHEAD_M and b.top > ON_THE_FLOOR_M]
        self._centers = np.array([b.center[:2] for b in solid]).reshape(-1, 2)
        self._halves = np.array([b.size[:2] for b in solid]).reshape(-1, 2) / 2
        yaw = np.radians([b.yaw_deg for b in solid])
        self._axes = np.stack([np.cos(yaw), np.sin(yaw)], axis=1).reshape(-1, 2)

    @classmethod
    def of(cls, objects: Iterable[SceneObject]) -> "Obstacles":
        return cls(obj.box for obj in objects)

    def distance(self, points: Matrix) -> NDArray[np.float64]:
        """Distance of each ground point (n, 2) from the nearest obstacle; infinite without obstacles."""
        if not len(self._centers):
            return np.full(len(points), np.inf)
        offset = points[:, None, :] - self._centers
        along = np.abs((offset * self._axes).sum(axis=2)) - self._halves[:, 0]
        across = np.abs(offset[..., 1] * self._axes[:, 0] - offset[..., 0] * self._axes[:, 1])
        across -= self._halves[:, 1]
        nearest: NDArray[np.float64] = np.hypot(np.maximum(along, 0), np.maximum(across, 0)).min(axis=1)
        return nearest


def place_route(
    route: Route, area: Rect, obstacles: Obstacles, rng: np.random.Generator, tries: int = 60
) -> Route | None:
    """The route rotated and shifted at random so that it fits; None if no attempt succeeded."""
    for _ in range(tries):
        yaw = float(rng.uniform(-180.0, 180.0))
        turned = route.moved_to(Heading(0.0, 0.0, 0.0, yaw))
        points = turned.points()
        low, high = points.min(axis=0), points.max(axis=0)
        room = np.array(area.size) - (high - low)
        if (room < 0).any():
            continue
        shift = np.array([area.x0, area.y0]) - low + room * rng.random(2)
        if obstacles.distance(points + shift).min() >= CLEARANCE_M:
            return route.moved_to(Heading(float(shift[0]), float(shift[1]), 0.0, yaw))
    return None
