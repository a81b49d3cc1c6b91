"""Views that were taken and where from: what is seen again is judged by those taken near by."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.perception.homes.pictures import Matches, Picture
from situ.perception.homes.sight import Array, Sight

EVERY, VIEW_M = 3, 7.0  # every third cell is kept, up to so far away
ASKED, LATEST = 14, 4  # as many views are asked, and the latest always
COMPARED, COMPARED_LATEST = 5, 2  # the same for corners, which takes longer
_SAME_M, _SAME_RAD = 0.3, 0.2  # a view from nearer takes the place of the older one
_M_PER_RAD = 0.8  # how far away a view may be instead of being turned by so much
_LONGEST_M = 4.0
Cells = tuple[Array, NDArray[np.int32], Array]  # places, names and colours


@dataclass(frozen=True, eq=False)
class View:
    """A picture, where it was taken, and what cells of it show."""

    picture: Picture
    pose: Matrix
    cells: Cells


class Views:
    """One view from every spot and heading."""

    def __init__(self) -> None:
        self._from = np.zeros((0, 3))  # east, north, yaw
        self._views: list[View] = []

    def copy(self) -> "Views":
        other = Views()
        other._from, other._views = self._from, list(self._views)
        return other

    def keep(self, sight: Sight, picture: Picture, pose: Matrix, yaw: float) -> None:
        spot = pose[:2, 3]
        points = sight.points[::EVERY, ::EVERY].reshape(-1, 3)
        near = np.linalg.norm(points[:, :2], axis=1) < VIEW_M
        placed = np.column_stack([turned(points[near, :2], yaw) + spot, points[near, 2]])
        cells = (
            placed,
            sight.label[::EVERY, ::EVERY].ravel()[near],
            sight.colors[::EVERY, ::EVERY].reshape(-1, 3)[near],
        )
        away, aside = self._off(spot, yaw)
        other = (away > _SAME_M) | (aside > _SAME_RAD)
        self._views = [kept for kept, stays in zip(self._views, other, strict=True) if stays]
        self._from = np.vstack([self._from[other], [*spot, yaw]])
        self._views.append(View(picture, pose, cells))

    @property
    def latest(self) -> Cells | None:
        return self._views[-1].cells if self._views else None

    def near(self, spot: Array, yaw: float) -> Cells | None:
        """The cells of the latest views and of those taken from near a spot, about that way."""
        away, aside = self._off(spot, yaw)
        cost = away + _M_PER_RAD * aside
        cost[-LATEST:] = 0.0
        order = np.argsort(cost, kind="stable")[:ASKED]
        chosen = [self._views[k].cells for k in order if away[k] < _LONGEST_M]
        if not chosen:
            return None
        places, label, colors = (np.concatenate(part) for part in zip(*chosen, strict=True))
        return places, label, colors

    def matched(self, matches: Matches, spot: Array, yaw: float) -> list[tuple[Matrix, int]]:
        """Where corners of the latest views and of those near by say a picture was taken, and how many."""
        away, aside = self._off(spot, yaw)
        cost = away + _M_PER_RAD * aside
        cost[-COMPARED_LATEST:] = 0.0
        found = []
        for k in np.argsort(cost, kind="stable")[:COMPARED]:
            match = matches.to(self._views[k].picture)
            pose = None if match is None else match.pose(self._views[k].pose)
            if match is not None and pose is not None:
                found.append((pose, match.corners))
        return found

    def _off(self, spot: Array, yaw: float) -> tuple[Array, Array]:
        aside = np.abs((self._from[:, 2] - yaw + np.pi) % (2 * np.pi) - np.pi)
        return np.hypot(*(self._from[:, :2] - spot).T), aside


def turned(points: Array, yaw: float) -> Array:
    """Points (n, 2) turned to the left."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.column_stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]])
