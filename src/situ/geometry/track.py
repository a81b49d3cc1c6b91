"""Ground track of a path: the motion of the body, without gait and standstill."""

import itertools
import math
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.path import Path
from situ.geometry.pose import Matrix

GAIT_WINDOW_S = 0.5  # to each side; a stride takes about one second
KEEP_EVERY_M = 0.1
SAMPLES = 160  # points of a track
TANGENT_SHARE = 0.025  # of the track length, to each side
STRAIGHT_WITHIN_DEG = 12.0
MIN_LEG_SHARE = 0.08  # of the points of a track
MIN_TURN_DEG = 25.0


@dataclass(frozen=True)
class Leg:
    """A straight stretch: its ends, and its unwrapped direction counter-clockwise from +x.

    Differences between directions of consecutive legs are therefore true turns, even beyond 180 degrees.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    yaw_deg: float
    length: float


@dataclass(frozen=True, eq=False)
class Track:
    """Evenly spaced ground points (n, 2), and the unwrapped direction of travel at each."""

    points: NDArray[np.float64]
    yaw_deg: NDArray[np.float64]
    length: float

    @property
    def extent(self) -> float:
        """The longer side of the axis-aligned rectangle around the track."""
        return float(np.ptp(self.points, axis=0).max()) if len(self.points) else 0.0

    @property
    def gap(self) -> float:
        """Distance from its end to its start."""
        return float(np.linalg.norm(self.points[-1] - self.points[0])) if len(self.points) else 0.0


def ground_track(path: Path) -> Track:
    """Ground track from positions alone; head orientation has no effect."""
    points = _walked(_without_gait(path))
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    length = float(steps.sum())
    if length < KEEP_EVERY_M:
        return Track(points[:1], np.zeros(len(points[:1])), 0.0)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    even = _at(points, along, np.linspace(0.0, length, SAMPLES))
    reach = TANGENT_SHARE * length
    places = np.linspace(0.0, length, SAMPLES)
    chord = _at(points, along, np.minimum(places + reach, length)) - _at(
        points, along, np.maximum(places - reach, 0.0)
    )
    yaw = np.degrees(np.unwrap(np.arctan2(chord[:, 1], chord[:, 0])))
    return Track(even, yaw, length)


def legs_of(track: Track) -> tuple[Leg, ...]:
    """Straight legs in order, separated by bends and rounded corners."""
    if track.length == 0.0:
        return ()
    found: list[tuple[int, int]] = []
    _straight_runs(track.yaw_deg, 0, len(track.yaw_deg), found)
    legs: list[Leg] = []
    for start, stop in sorted(found):
        leg = _leg(track, start, stop)
        if legs and abs(leg.yaw_deg - legs[-1].yaw_deg) < MIN_TURN_DEG:
            previous = legs.pop()
            weight = leg.length / (leg.length + previous.length)
            yaw = previous.yaw_deg + weight * (leg.yaw_deg - previous.yaw_deg)
            leg = Leg(previous.start, leg.end, yaw, previous.length + leg.length)
        legs.append(leg)
    return tuple(legs)


def turns_right_deg(legs: tuple[Leg, ...]) -> tuple[float, ...]:
    """Turn between each leg and the next, positive to the right."""
    return tuple(a.yaw_deg - b.yaw_deg for a, b in itertools.pairwise(legs))


def corners_of(points: Matrix, tolerance: float) -> Matrix:
    """Fewest points whose polyline stays within `tolerance` of all points; includes both ends."""
    spots = points.tolist()
    keep = {0, len(spots) - 1}
    spans = [(0, len(spots) - 1)]
    while spans:
        first, last = spans.pop()
        away, middle = _farthest(spots, first, last)
        if away > tolerance:
            keep.add(middle)
            spans += [(first, middle), (middle, last)]
    return points[sorted(keep)]


def _farthest(spots: list[list[float]], first: int, last: int) -> tuple[float, int]:
    """Largest distance of the points between two from the segment joining them, and its index."""
    (ax, ay), (bx, by) = spots[first], spots[last]
    ux, uy = bx - ax, by - ay
    squared = ux * ux + uy * uy
    best, which = -1.0, first
    for k in range(first + 1, last):
        x, y = spots[k]
        share = ((x - ax) * ux + (y - ay) * uy) / squared if squared > 0 else 0.0
        share = 0.0 if share < 0.0 else 1.0 if share > 1.0 else share
        away = math.hypot(x - ax - share * ux, y - ay - share * uy)
        if away > best:
            best, which = away, k
    return best, which


def _without_gait(path: Path) -> Matrix:
    """Positions averaged over about one stride, so that bob and sway do not add to the length."""
    times, ground = path.times, path.positions[:, :2]
    if len(times) < 3:
        return ground
    # The window shrinks symmetrically towards the ends, so it does not pull them inwards.
    reach = np.minimum(GAIT_WINDOW_S, np.minimum(times - times[0], times[-1] - times))
    low = np.searchsorted(times, times - reach - 1e-9)
    high = np.searchsorted(times, times + reach + 1e-9, side="right")
    sums = np.concatenate([np.zeros((1, 2)), np.cumsum(ground, axis=0)])
    mean: Matrix = (sums[high] - sums[low]) / (high - low)[:, None]
    return mean


def _walked(ground: Matrix) -> Matrix:
    """Points at least 0.1 m apart, which removes standstill."""
    kept = ground[thinned(ground, KEEP_EVERY_M)]
    if len(kept) > 1:
        kept[-1] = ground[-1]
    return kept


def thinned(ground: Matrix, least_m: float) -> list[int]:
    """Indices of the first of points (n, 2), and of each that is far enough from the previous one kept."""
    steps = np.hypot(*np.diff(ground, axis=0).T)
    # Walking keeps each stride; at standstill the next point is kept once the steps add up.
    stands = np.flatnonzero(steps < least_m * (1.0 + 1e-9)).tolist()
    along, (x, y) = [0.0, *steps.cumsum().tolist()], ground.T.tolist()  # faster than a list per point
    kept: list[int] = []
    first = 0
    while first < len(ground):
        k = bisect_left(stands, first)
        if k == len(stands):
            return [*kept, *range(first, len(ground))]
        last = stands[k]
        kept += range(first, last + 1)
        first = max(last + 1, bisect_left(along, along[last] + least_m * (1.0 - 1e-6)))
        while first < len(ground) and math.hypot(x[first] - x[last], y[first] - y[last]) < least_m:
            first += 1
    return kept


def _at(points: Matrix, along: NDArray[np.float64], where: NDArray[np.float64]) -> Matrix:
    return np.stack([np.interp(where, along, points[:, axis]) for axis in (0, 1)], axis=1)


def _straight_runs(yaw: NDArray[np.float64], start: int, stop: int, found: list[tuple[int, int]]) -> None:
    """Find the longest run within the allowed spread, then search on both sides of it."""
    best_start, best_stop = _longest_run(yaw[start:stop].tolist(), 2 * STRAIGHT_WITHIN_DEG)
    best_start, best_stop = start + best_start, start + best_stop
    if best_stop - best_start < MIN_LEG_SHARE * len(yaw):
        return
    found.append((best_start, best_stop))
    _straight_runs(yaw, start, best_start, found)
    _straight_runs(yaw, best_stop, stop, found)


def _longest_run(values: list[float], spread: float) -> tuple[int, int]:
    """First of the longest runs whose values differ by at most a spread: start and end."""
    best, first = (0, 0), 0
    lows: deque[int] = deque()  # index of the minimum of the run, and of later candidates
    highs: deque[int] = deque()
    for last, value in enumerate(values):
        while lows and values[lows[-1]] >= value:
            lows.pop()
        while highs and values[highs[-1]] <= value:
            highs.pop()
        lows.append(last)
        highs.append(last)
        while values[highs[0]] - values[lows[0]] > spread:
            first += 1
            if lows[0] < first:
                lows.popleft()
            if highs[0] < first:
                highs.popleft()
        if last + 1 - first > best[1] - best[0]:
            best = first, last + 1
    return best


def _leg(track: Track, start: int, stop: int) -> Leg:
    first, last = track.points[start], track.points[stop - 1]
    # The ends of a run reach into the rounded corners, so the direction comes from its middle.
    trim = (stop - start) // 6
    yaw = float(np.mean(track.yaw_deg[start + trim : stop - trim]))
    return Leg(
        (float(first[0]), float(first[1])),
        (float(last[0]), float(last[1])),
        yaw,
        float(np.linalg.norm(last - first)),
    )
