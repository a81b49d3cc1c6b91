"""The pose graph of a recording as it grows: stations along the way, loops between them, and their solution.

A station is a keyframe some way from the one before. Its number is bounded: beyond that the older half is
thinned, and the motions on both sides of a station that goes become one.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from situ.geometry.pose import Matrix, Vector, inverse, rigid
from situ.perception.odometry.graph import Edges, Nodes, Priors, optimise, proper
from situ.perception.odometry.keyframes import Keyframes, Recognised

_MOST_STATIONS, _MOST_LOOPS = 500, 1000
# Per station: rotation (radians), metres and metres per metre, log of the scale.
_TURN_SIGMA, _MOVE_SIGMA, _MOVE_SHARE, _SCALE_SIGMA = 0.005, 0.01, 0.02, 0.03
_LOOP_FLOOR, _LOOP_SCALE_SIGMA = np.array([0.004, 0.01]), 0.06
_SHARED_ERRORS = 2.0  # matches share the errors of their depths: a loop is less sure than it says
_NOTHING = 1e6
_KNOWN = ("up", "up_sigma", "height", "height_sigma", "scale_sigma")  # columns, as in `Known` and `Priors`


@dataclass(frozen=True, eq=False)
class Known:
    """What a station knows of itself: up in camera axes, its height over the ground, its scale."""

    up: Vector
    up_sigma: float = _NOTHING
    height: float = 0.0
    height_sigma: float = _NOTHING
    scale_sigma: float = _NOTHING


class Table:
    """Named columns of equal length, kept as arrays."""

    def __init__(self, **shapes: tuple[int, ...]) -> None:
        self.columns: dict[str, NDArray[np.float64]] = {k: np.zeros((0, *s)) for k, s in shapes.items()}

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.columns[name]

    def numbers(self, name: str) -> NDArray[np.int64]:
        return self.columns[name].astype(np.int64)

    def append(self, **row: Any) -> None:
        for name, column in self.columns.items():
            self.columns[name] = np.concatenate([column, np.asarray(row[name], dtype=float)[None]])

    def keep(self, mask: NDArray[np.bool_]) -> None:
        self.columns = {name: column[mask] for name, column in self.columns.items()}


class PoseGraph:
    """Stations, the motions that led to each, and loops. Keyframes are named by their numbers."""

    def __init__(self, free_scale: bool) -> None:
        self.free_scale = free_scale
        self.stations = Table(
            keyframe=(), motion=(4, 4), log_scale=(), sigma=(3,), up=(3,), up_sigma=(), height=(),
            height_sigma=(), scale_sigma=(),
        )  # fmt: skip
        self.loops = Table(first=(), second=(), motion=(4, 4), log_scale=(), sigma=(3,))

    @property
    def newest(self) -> int:
        """Keyframe of the latest station."""
        return int(self.stations["keyframe"][-1])

    def add_station(self, keyframe: int, keyframes: Keyframes, known: Known, doubt: Vector) -> None:
        """A station that was reached from the one before; `doubt` adds to the deviations of that motion."""
        motion, log_scale, sigma = np.eye(4), 0.0, np.ones(3)
        if len(self.stations):
            motion, log_scale = motion_between(self.newest, keyframe, keyframes)
            walked = float(np.linalg.norm(motion[:3, 3]))
            sigma = np.hypot(usual_sigma(walked), doubt)
        self.stations.append(
            keyframe=keyframe, motion=motion, log_scale=log_scale, sigma=sigma, up=known.up,
            up_sigma=known.up_sigma, height=known.height, height_sigma=known.height_sigma,
            scale_sigma=known.scale_sigma,
        )  # fmt: skip
        if len(self.stations) > _MOST_STATIONS:
            self._thin()

    def follow(self, keyframes: Keyframes, numbers: NDArray[np.int64], poses: NDArray[np.float64]) -> None:
        """The latest keyframes are about to get better poses: the motions that led to stations change as
        their ends do."""
        better = dict(zip(numbers.tolist(), poses, strict=True))
        stations = self.stations.numbers("keyframe").tolist()
        for i in range(max(1, bisect_left(stations, int(numbers[0]))), len(stations)):
            ends = stations[i - 1], stations[i]
            first, second = (keyframes.poses[end] for end in ends)
            old = proper(inverse(first) @ second)
            new = proper(inverse(better.get(ends[0], first)) @ better.get(ends[1], second))
            motion = self.stations["motion"][i]
            units = float(np.linalg.norm(motion[:3, 3])) / max(float(np.linalg.norm(old[:3, 3])), 1e-9)
            motion[:3, :3] = motion[:3, :3] @ old[:3, :3].T @ new[:3, :3]
            motion[:3, 3] += units * (new[:3, 3] - old[:3, 3])

    def know(self, keyframe: int, known: Known) -> None:
        """What is known by now of a station, if it is one still."""
        rows = self.stations["keyframe"] == keyframe
        for name in _KNOWN:
            self.stations[name][rows] = getattr(known, name)

    def doubt_turns_since(self, keyframe: int, angle: float) -> None:
        """The motions since a keyframe have turned falsely, by so much in all."""
        since = np.flatnonzero(self.stations["keyframe"] > keyframe)
        if len(since):
            turns = self.stations["sigma"][:, 0]
            turns[since] = np.hypot(turns[since], angle / np.sqrt(len(since)))

    def drift_between(self, first: int, second: int, keyframes: Keyframes) -> float:
        """Standard deviation (metres) of where a keyframe is from an older one, by the way alone: motions are
        off themselves, and turns and scales that are off move all that was walked after them. Where the
        ground tells the scale, it is off by no more than that."""
        numbers, between = self._between(first, second)
        turn, move, scale = self.stations["sigma"][between].T
        if self.free_scale:
            turn = np.hypot(turn, np.minimum(scale, self.stations["scale_sigma"][between]))
        away = np.linalg.norm(keyframes.poses[numbers][:, :3, 3] - keyframes.poses[second][:3, 3], axis=1)
        return float(np.sqrt(np.sum(move**2 + (turn * away) ** 2)))

    def walked_between(self, first: int, second: int, keyframes: Keyframes) -> float:
        """Metres of the way from one keyframe to another."""
        places = keyframes.poses[self._between(first, second)[0]][:, :3, 3]
        return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())

    def _between(self, first: int, second: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Stations after one keyframe and up to another: their numbers, and which they are of all."""
        numbers = self.stations.numbers("keyframe")
        between = (numbers > first) & (numbers <= second)
        return numbers[between], between

    def add_loop(self, second: int, found: Recognised) -> None:
        """An old station was seen again from a newer one."""
        log_scale = float(np.log(found.scale)) if self.free_scale and found.scale else None
        scale_sigma = _NOTHING if log_scale is None else _LOOP_SCALE_SIGMA
        sigma = np.array([*np.hypot(_LOOP_FLOOR, _SHARED_ERRORS * found.sigma), scale_sigma])
        self.loops.append(
            first=found.keyframe,
            second=second,
            motion=proper(found.motion),
            log_scale=log_scale or 0.0,
            sigma=sigma,
        )
        if len(self.loops) > _MOST_LOOPS:
            keep = np.ones(len(self.loops), np.bool_)
            keep[: _MOST_LOOPS // 2 : 2] = False
            self.loops.keep(keep)

    def solving(self, keyframes: Keyframes) -> Callable[[], "Moved"]:
        """What finds better poses for all stations, and so for all keyframes, given all as it is now."""
        numbers = self.stations.numbers("keyframe")
        before = Nodes(proper(keyframes.poses[numbers]), keyframes.scales[numbers])
        return partial(_solved, numbers, before, self._edges(numbers), self._priors(), self.free_scale)

    def _edges(self, numbers: NDArray[np.int64]) -> Edges:
        s, loops, count = self.stations, self.loops, len(numbers)
        known = np.isin(loops["first"], numbers) & np.isin(loops["second"], numbers)
        ends = [np.searchsorted(numbers, loops.numbers(name)[known]) for name in ("first", "second")]
        return Edges(
            np.concatenate([np.arange(count - 1), ends[0]]),
            np.concatenate([np.arange(1, count), ends[1]]),
            np.concatenate([s["motion"][1:], loops["motion"][known]]),
            np.concatenate([s["log_scale"][1:], loops["log_scale"][known]]),
            np.concatenate([s["sigma"][1:], loops["sigma"][known]]),
            np.arange(count - 1 + int(known.sum())) >= count - 1,
        )

    def _priors(self) -> Priors:
        return Priors(*(self.stations[name].copy() for name in _KNOWN))

    def _thin(self) -> None:
        """Every second of the older half goes, but for the ends of loops."""
        numbers = self.stations.numbers("keyframe")
        keep = np.isin(numbers, np.concatenate([self.loops["first"], self.loops["second"]]))
        keep[0], keep[len(numbers) // 2 :], keep[::2] = True, True, True
        motion, logs, sigma = (self.stations[name] for name in ("motion", "log_scale", "sigma"))
        for i in np.flatnonzero(~keep).tolist():  # none of its neighbours goes
            both = motion[i] @ motion[i + 1]
            both[:3, 3] = motion[i][:3, 3] + np.exp(logs[i]) * motion[i][:3, :3] @ motion[i + 1][:3, 3]
            motion[i + 1] = both
            logs[i + 1] += logs[i]
            sigma[i + 1] = np.hypot(sigma[i], sigma[i + 1])
        self.stations.keep(keep)


@dataclass(frozen=True, eq=False)
class Moved:
    """Stations before and after a solution."""

    numbers: NDArray[np.int64]
    before: Nodes
    after: Nodes

    @property
    def latest(self) -> tuple[Matrix, float]:
        """What became of the newest station, and of all that came after it: a motion about it and a scale."""
        old, new = self.before.poses[-1], self.after.poses[-1]
        factor = float(self.after.scales[-1] / self.before.scales[-1])
        turn = new[:3, :3] @ old[:3, :3].T
        return rigid(turn, new[:3, 3] - factor * turn @ old[:3, 3]), factor

    def as_one_since(self, keyframe: int) -> "Moved":
        """The same, but what came after a keyframe moves as one with the newest station; the first station
        holds the world."""
        move, factor = self.latest
        since = max(1, int(np.searchsorted(self.numbers, keyframe, "right")) - 1)
        poses, scales = self.after.poses.copy(), self.after.scales.copy()
        poses[since:] = self.before.poses[since:]
        poses[since:, :3, :3] = move[:3, :3] @ poses[since:, :3, :3]
        poses[since:, :3, 3] = factor * poses[since:, :3, 3] @ move[:3, :3].T + move[:3, 3]
        scales[since:] = self.before.scales[since:] * factor
        return replace(self, after=Nodes(poses, scales))

    def carried(self, poses: NDArray[np.float64], scales: Vector) -> tuple[NDArray[np.float64], Vector]:
        """All keyframes: between two stations each is moved by its share of both."""
        place = np.clip(np.searchsorted(self.numbers, np.arange(len(poses)), "right") - 1, 0, None)
        following = np.minimum(place + 1, len(self.numbers) - 1)
        span = np.maximum(self.numbers[following] - self.numbers[place], 1)
        share = np.clip((np.arange(len(poses)) - self.numbers[place]) / span, 0.0, 1.0)
        first, second = self._by(place, poses), self._by(following, poses)
        between = Rotation.from_matrix(second[:, :3, :3] @ first[:, :3, :3].transpose(0, 2, 1)).as_rotvec()
        moved = first.copy()
        moved[:, :3, :3] = Rotation.from_rotvec(share[:, None] * between).as_matrix() @ first[:, :3, :3]
        moved[:, :3, 3] += share[:, None] * (second[:, :3, 3] - first[:, :3, 3])
        factors = self.after.scales / self.before.scales
        return moved, scales * factors[place] ** (1 - share) * factors[following] ** share

    def _by(self, station: NDArray[np.int64], poses: NDArray[np.float64]) -> NDArray[np.float64]:
        old, new = self.before.poses[station], self.after.poses[station]
        factor = (self.after.scales / self.before.scales)[station]
        turn = new[:, :3, :3] @ old[:, :3, :3].transpose(0, 2, 1)
        moved = poses.copy()
        moved[:, :3, :3] = turn @ poses[:, :3, :3]
        away = np.einsum("nij,nj->ni", turn, poses[:, :3, 3] - old[:, :3, 3])
        moved[:, :3, 3] = new[:, :3, 3] + factor[:, None] * away
        return moved


def _solved(
    numbers: NDArray[np.int64], before: Nodes, edges: Edges, priors: Priors, free_scale: bool
) -> Moved:
    return Moved(numbers, before, optimise(before, edges, priors, free_scale))


def usual_sigma(walked: float) -> Vector:
    """Deviations of a motion between two stations so far apart, where nothing went wrong."""
    return np.array([_TURN_SIGMA, _MOVE_SIGMA + _MOVE_SHARE * walked, _SCALE_SIGMA])


def motion_between(first: int, second: int, keyframes: Keyframes) -> tuple[Matrix, float]:
    """From one keyframe to another as their poses are now, in units of the first; and the log of scales."""
    motion = proper(inverse(keyframes.poses[first]) @ keyframes.poses[second])
    motion[:3, 3] /= keyframes.scales[first]
    return motion, float(np.log(keyframes.scales[second] / keyframes.scales[first]))
