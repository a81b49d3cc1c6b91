"""Where a picture may have been taken after the last one: by corners that are seen again, and where walls and
things fall on the map. What a spot is worth is the log of its odds."""

from collections.abc import Iterator

import numpy as np

from situ.perception.homes.guesses import SAME_M, SAME_RAD, Guess, within
from situ.perception.homes.pictures import Matches
from situ.perception.homes.sight import Array, Sight

WALKS_M_S, STANDS_M, FARTHEST_M = 1.3, 0.25, 12.0
STEP_M, FINE_M, MOST_STEPS = 0.15, 0.03, 20  # spots that are tried: so far apart, or so many to a side
_TRIED, _APART_M = 4, 0.35  # spots of each heading that are looked at closely, and how far apart
# Who turns far stands still, mostly, and goes on turning as before; hardly anybody turns farther in a second
# than the widest. Learnt with the weights of the map.
_PER_M, _PER_RAD, _PER_BOTH, _PER_CHANGE = 0.3, 0.9, 2.1, 0.5
_WIDEST_RAD, _PER_WIDER = np.radians(115.0), 2.75
# Corners that agree: as many are sure. Headings follow the walls by this share, where they are about right.
_SURE_CORNERS, _PER_CORNERS = 25, 1.5
_BY_WALLS, _CROOKED_RAD = 0.2, np.radians(5.0)
Found = tuple[Array, float, float]  # spot, heading, worth


class Search:
    """One picture by one guess about those before it."""

    def __init__(self, guess: Guess, sight: Sight, time: float) -> None:
        self._guess, self._sight = guess, sight
        self.seconds = max(0.05, time - guess.time)
        self._reach = min(STANDS_M + WALKS_M_S * self.seconds, FARTHEST_M)
        self._window = guess.map.window(guess.spot, self._reach)

    def found(self, matches: Matches) -> Iterator[Found]:
        """By corners; and by walls, unless corners leave no doubt."""
        sure, quarter = False, self._sight.quarter
        for spot, yaw, corners in self._agreed(matches):
            if quarter is not None:
                off = within(4 * (yaw - quarter)) / 4
                yaw -= _BY_WALLS * off if abs(off) < _CROOKED_RAD else 0.0
            sure |= corners >= _SURE_CORNERS
            bonus = _PER_CORNERS * min(1.0, corners / _SURE_CORNERS)
            yield spot, yaw, bonus + self._close(spot - self._guess.spot, yaw)
        if quarter is not None and not sure:
            for turn in range(4):
                yield self._best(quarter + turn * np.pi / 2)

    def _agreed(self, matches: Matches) -> Iterator[tuple[Array, float, int]]:
        """Spots and headings within reach on which matches agree, and the corners of the best of them."""
        guess = self._guess
        found = guess.map.views.matched(matches, guess.spot, guess.yaw)
        left = [one for one in found if np.hypot(*(one[0][:2, 3] - guess.spot)) < self._reach]
        left.sort(key=lambda one: -one[1])
        while left:
            poses, corners = np.stack([pose for pose, _ in left]), np.array([count for _, count in left])
            yaws = np.arctan2(poses[:, 1, 2], poses[:, 0, 2])
            aside = (yaws - yaws[0] + np.pi) % (2 * np.pi) - np.pi
            near = np.hypot(*(poses[:, :2, 3] - poses[0, :2, 3]).T) < SAME_M
            near &= np.abs(aside) < SAME_RAD
            share = corners[near] / corners[near].sum()
            yield share @ poses[near, :2, 3], float(yaws[0] + share @ aside[near]), int(corners[0])
            left = [one for one, joined in zip(left, near, strict=True) if not joined]

    def _best(self, yaw: float) -> Found:
        """The best spot for one heading: the likeliest ones of a coarse grid, looked at closely."""
        step = max(STEP_M, self._reach / MOST_STEPS)
        ways = _grid(self._reach, step)
        worth = self._worth(ways, yaw)
        tried: list[int] = []
        for number in np.argsort(-worth):
            if all(np.hypot(*(ways[number] - ways[other])) > _APART_M for other in tried):
                tried.append(int(number))
            if len(tried) == _TRIED:
                break
        close = [worth[k] + self._agrees(ways[k], yaw) for k in tried]
        way = ways[tried[int(np.argmax(close))]]
        while step > FINE_M:
            step /= 3
            around = way + _grid(2 * step, step)
            way = around[int(self._worth(around, yaw).argmax())]
        return self._guess.spot + way, yaw, self._close(way, yaw)

    def _close(self, way: Array, yaw: float) -> float:
        return float(self._worth(way[None], yaw)[0]) + self._agrees(way, yaw)

    def _agrees(self, way: Array, yaw: float) -> float:
        return self._guess.map.agrees(self._sight, self._guess.spot + way, yaw)

    def _worth(self, ways: Array, yaw: float) -> Array:
        """How well the picture fits after each way from the last spot, less what speaks against it."""
        guess, moved = self._guess, np.hypot(*ways.T)
        turn = within(yaw - guess.yaw)
        change = abs(within(turn - guess.turned * min(1.0, 1.0 / self.seconds)))
        unlikely = (
            _PER_M * moved + _PER_RAD * abs(turn) + _PER_BOTH * moved * abs(turn) + _PER_CHANGE * change
        )
        wider = _PER_WIDER * max(0.0, abs(turn) - _WIDEST_RAD * self.seconds)
        fits = guess.map.fits(self._sight, self._window, guess.spot + ways, yaw)
        return np.asarray(fits - unlikely / max(1.0, self.seconds) - wider)


def _grid(reach: float, step: float) -> Array:
    """Ways over the ground up to a reach, the shortest among them."""
    count = int(reach / step)
    line = np.arange(-count, count + 1) * step
    ways = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.asarray(ways[np.hypot(*ways.T) <= reach + 1e-9])
