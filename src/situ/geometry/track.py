"""The ground track of a path: where the body went, freed from gait and from standing still."""

import itertools
import math
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.path import Path
from situ.geometry.pose import Matrix

GAIT_WINDOW_S = 0.5  # to each side; a stride lasts about one second
KEEP_EVERY_M = 0.1
SAMPLES = 160
TANGENT_SHARE = 0.025  # of the track's length, to each side
STRAIGHT_WITHIN_DEG = 12.0
LEAST_LEG_SHARE = 0.08
LEAST_TURN_DEG = 25.0


@dataclass(frozen=True)
class Leg:
    """A straight stretch: its ends, and its direction counter-clockwise from +x, never wrapped.

    Differences between the directions of consecutive legs are therefore true turns, even beyond 180.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    yaw_deg: float
    length: float


@dataclass(frozen=True, eq=False)
class Track:
    """Evenly spaced ground points (n, 2), and the direction of travel at each, unwrapped."""

    points: NDArray[np.float64]
    yaw_deg: NDArray[np.float64]
    length: float

    @property
    def extent(self) -> float:
        """The longer side of the upright rectangle around the track."""
        return float(np.ptp(self.points, axis=0).max()) if len(self.points) else 0.0

    @property
    def gap(self) -> float:
        """From where it ends to where it starts."""
        return float(np.linalg.norm(self.points[-1] - self.points[0])) if len(self.points) else 0.0


def ground_track(path: Path) -> Track:
    """Only positions count: a turning head leaves no trace here."""
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
    """The straight legs in order; bends and rounded corners lie between them."""
    if track.length == 0.0:
        return ()
    found: list[tuple[int, int]] = []
    _straight_runs(track.yaw_deg, 0, len(track.yaw_deg), found)
    legs: list[Leg] = []
    for start, stop in sorted(found):
        leg = _leg(track, start, stop)
        if legs and abs(leg.yaw_deg - legs[-1].yaw_deg) < LEAST_TURN_DEG:
            previous = legs.pop()
            weight = leg.length / (leg.length + previous.length)
            yaw = previous.yaw_deg + weight * (leg.yaw_deg - previous.yaw_deg)
            leg = Leg(previous.start, leg.end, yaw, previous.length + leg.length)
        legs.append(leg)
    return tuple(legs)


def turns_right_deg(legs: tuple[Leg, ...]) -> tuple[float, ...]:
    """The turn between each leg and the next: positive to the right."""
    return tuple(a.yaw_deg - b.yaw_deg for a, b in itertools.pairwise(legs))


def corners_of(points: Matrix, tolerance: float) -> Matrix:
    """The fewest of the points whose polyline stays within `tolerance` of all of them; keeps both ends."""
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
    """How far the points between two lie from the segment that joins these, and which is the farthest."""
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
    """Each place averaged over about one stride, so that bob and sway do not add to the distance."""
    times, ground = path.times, path.positions[:, :2]
    if len(times) < 3:
        return ground
    # A window that shrinks towards the ends stays symmetric, so it never pulls the ends inwards.
    reach = np.minimum(GAIT_WINDOW_S, np.minimum(times - times[0], times[-1] - times))
    low = np.searchsorted(times, times - reach - 1e-9)
    high = np.searchsorted(times, times + reach + 1e-9, side="right")
    sums = np.concatenate([np.zeros((1, 2)), np.cumsum(ground, axis=0)])
    mean: Matrix = (sums[high] - sums[low]) / (high - low)[:, None]
    return mean


def _walked(ground: Matrix) -> Matrix:
    """Points at least a hand apart: what is left when the time spent standing is taken out."""
    kept = ground[thinned(ground, KEEP_EVERY_M)]
    if len(kept) > 1:
        kept[-1] = ground[-1]
    return kept


def thinned(ground: Matrix, least_m: float) -> list[int]:
    """The first of some points (n, 2), and each that is at least so far from the one kept before."""
    steps = np.hypot(*np.diff(ground, axis=0).T)
    # One stride after the other is kept; who stands goes on where the steps add up to enough.
    stands = np.flatnonzero(steps < least_m * (1.0 + 1e-9)).tolist()
    along, (x, y) = [0.0, *steps.cumsum().tolist()], ground.T.tolist()  # a list for each point is slow
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
    """The longest stretch within the allowed spread, then the same on what is left at both sides."""
    best_start, best_stop = _longest_run(yaw[start:stop].tolist(), 2 * STRAIGHT_WITHIN_DEG)
    best_start, best_stop = start + best_start, start + best_stop
    if best_stop - best_start < LEAST_LEG_SHARE * len(yaw):
        return
    found.append((best_start, best_stop))
    _straight_runs(yaw, start, best_start, found)
    _straight_runs(yaw, best_stop, stop, found)


def _longest_run(values: list[float], spread: float) -> tuple[int, int]:
    """The first of the longest stretches whose values differ by no more than a spread: from, and up to."""
    best, first = (0, 0), 0
    lows: deque[int] = deque()  # where the least value of the stretch is, and those that follow it
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
    # The run's ends reach into the rounded corners; its middle says where the leg points.
    trim = (stop - start) // 6
    yaw = float(np.mean(track.yaw_deg[start + trim : stop - trim]))
    return Leg(
        (float(first[0]), float(first[1])),
        (float(last[0]), float(last[1])),
        yaw,
        float(np.linalg.norm(last - first)),
    )
