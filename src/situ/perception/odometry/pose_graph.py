"""Pose graph of a recording: stations along the path, loop edges, and the solution applied to keyframes.

The number of stations is bounded: above the limit the older half is thinned, and the two edges of a removed
station are composed into one.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from situ.geometry.pose import Matrix, Vector, inverse, rigid
from situ.perception.odometry.keyframes import Keyframes, Relocalization
from situ.perception.odometry.pose_graph_solver import Edges, Nodes, Priors, optimise, proper

_MAX_STATIONS, _MAX_LOOPS = 500, 1000  # bounds of memory and solution time
# Odometry noise per station: rotation (radians), metres plus metres per metre, log of the scale.
_TURN_SIGMA, _MOVE_SIGMA, _MOVE_SHARE, _SCALE_SIGMA = 0.005, 0.01, 0.02, 0.03
_MIN_LOOP_SIGMA, _LOOP_SCALE_SIGMA = np.array([0.004, 0.01]), 0.06  # radians and metres; log of the scale
_SHARED_ERRORS = 2.0  # loop sigmas are widened: the matches of a loop share depth errors
_UNINFORMATIVE = 1e6  # sigma of a quantity that is not constrained
# Column names of `StationPrior`, in the order of `Priors`.
_PRIOR_COLUMNS = ("up", "up_sigma", "height", "height_sigma", "scale_sigma")


@dataclass(frozen=True, eq=False)
class StationPrior:
    """Prior of one station: up in camera axes, height above the ground (metres), relative scale."""

    up: Vector
    up_sigma: float = _UNINFORMATIVE
    height: float = 0.0
    height_sigma: float = _UNINFORMATIVE
    scale_sigma: float = _UNINFORMATIVE


@dataclass(eq=False)
class Table:
    """Named columns of equal length."""

    columns: dict[str, NDArray[np.float64]]

    @classmethod
    def empty(cls, **shapes: tuple[int, ...]) -> "Table":
        """A table without rows; the shapes are those of one entry."""
        return cls({name: np.zeros((0, *shape)) for name, shape in shapes.items()})

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


def _no_stations() -> Table:
    return Table.empty(
        keyframe=(), motion=(4, 4), log_scale=(), sigma=(3,), up=(3,), up_sigma=(), height=(),
        height_sigma=(), scale_sigma=(),
    )  # fmt: skip


def _no_loops() -> Table:
    return Table.empty(first=(), second=(), motion=(4, 4), log_scale=(), sigma=(3,))


@dataclass(eq=False)
class PoseGraph:
    """Stations, the odometry edges between them, and loop edges. Keyframes are identified by number."""

    free_scale: bool
    stations: Table = field(default_factory=_no_stations)
    loops: Table = field(default_factory=_no_loops)

    @property
    def newest(self) -> int:
        """Keyframe number of the latest station."""
        return int(self.stations["keyframe"][-1])

    def add_station(
        self, keyframe: int, keyframes: Keyframes, known: StationPrior, extra_sigma: Vector
    ) -> None:
        """Add a station after the latest one; `extra_sigma` widens the edge between them."""
        motion, log_scale, sigma = np.eye(4), 0.0, np.ones(3)
        if len(self.stations):
            motion, log_scale = motion_between(self.newest, keyframe, keyframes)
            walked = float(np.linalg.norm(motion[:3, 3]))
            sigma = np.hypot(usual_sigma(walked), extra_sigma)
        self.stations.append(
            keyframe=keyframe, motion=motion, log_scale=log_scale, sigma=sigma, up=known.up,
            up_sigma=known.up_sigma, height=known.height, height_sigma=known.height_sigma,
            scale_sigma=known.scale_sigma,
        )  # fmt: skip
        if len(self.stations) > _MAX_STATIONS:
            self._thin()

    def update_edges(
        self, keyframes: Keyframes, numbers: NDArray[np.int64], poses: NDArray[np.float64]
    ) -> None:
        """Update odometry edges when the latest keyframes are about to get better poses.

        Call this before changing `keyframes`.
        """
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

    def set_prior(self, keyframe: int, known: StationPrior) -> None:
        """Replace the prior of a station, if it has not been thinned out."""
        rows = self.stations["keyframe"] == keyframe
        for name in _PRIOR_COLUMNS:
            self.stations[name][rows] = getattr(known, name)

    def inflate_rotations_since(self, keyframe: int, angle: float) -> None:
        """Distribute a possible rotation error over the edges since a keyframe."""
        since = np.flatnonzero(self.stations["keyframe"] > keyframe)
        if len(since):
            turns = self.stations["sigma"][:, 0]
            turns[since] = np.hypot(turns[since], angle / np.sqrt(len(since)))

    def drift_between(self, first: int, second: int, keyframes: Keyframes) -> float:
        """Standard deviation (metres) of the position of a keyframe relative to an earlier one, without
        loops.

        Rotation and scale errors displace everything walked after them. Ground observations bound the scale
        error.
        """
        numbers, between = self._between(first, second)
        turn, move, scale = self.stations["sigma"][between].T
        if self.free_scale:
            turn = np.hypot(turn, np.minimum(scale, self.stations["scale_sigma"][between]))
        away = np.linalg.norm(keyframes.poses[numbers][:, :3, 3] - keyframes.poses[second][:3, 3], axis=1)
        return float(np.sqrt(np.sum(move**2 + (turn * away) ** 2)))

    def walked_between(self, first: int, second: int, keyframes: Keyframes) -> float:
        """Path length in metres between two keyframes."""
        places = keyframes.poses[self._between(first, second)[0]][:, :3, 3]
        return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())

    def _between(self, first: int, second: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Stations after one keyframe up to another: keyframe numbers, and a mask over all stations."""
        numbers = self.stations.numbers("keyframe")
        between = (numbers > first) & (numbers <= second)
        return numbers[between], between

    def add_loop(self, second: int, found: Relocalization) -> None:
        """Add a loop edge from a recognised place to a newer station."""
        log_scale = float(np.log(found.scale)) if self.free_scale and found.scale else None
        scale_sigma = _UNINFORMATIVE if log_scale is None else _LOOP_SCALE_SIGMA
        sigma = np.array([*np.hypot(_MIN_LOOP_SIGMA, _SHARED_ERRORS * found.sigma), scale_sigma])
        self.loops.append(
            first=found.keyframe,
            second=second,
            motion=proper(found.motion),
            log_scale=log_scale or 0.0,
            sigma=sigma,
        )
        if len(self.loops) > _MAX_LOOPS:
            keep = np.ones(len(self.loops), np.bool_)
            keep[: _MAX_LOOPS // 2 : 2] = False
            self.loops.keep(keep)

    def solving(self, keyframes: Keyframes) -> Callable[[], "GraphSolution"]:
        """Function that optimises a snapshot of the graph; it can run in a background thread."""
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
        return Priors(*(self.stations[name].copy() for name in _PRIOR_COLUMNS))

    def _thin(self) -> None:
        """Remove every second station of the older half, except ends of loops."""
        numbers = self.stations.numbers("keyframe")
        keep = np.isin(numbers, np.concatenate([self.loops["first"], self.loops["second"]]))
        keep[0], keep[len(numbers) // 2 :], keep[::2] = True, True, True
        motion, logs, sigma = (self.stations[name] for name in ("motion", "log_scale", "sigma"))
        for i in np.flatnonzero(~keep).tolist():  # no two neighbours are removed
            both = motion[i] @ motion[i + 1]
            both[:3, 3] = motion[i][:3, 3] + np.exp(logs[i]) * motion[i][:3, :3] @ motion[i + 1][:3, 3]
            motion[i + 1] = both
            logs[i + 1] += logs[i]
            sigma[i + 1] = np.hypot(sigma[i], sigma[i + 1])
        self.stations.keep(keep)


@dataclass(frozen=True, eq=False)
class GraphSolution:
    """Station poses before and after an optimisation."""

    numbers: NDArray[np.int64]
    before: Nodes
    after: Nodes

    @property
    def latest(self) -> tuple[Matrix, float]:
        """Similarity (motion and scale factor) applied to the newest station and all later frames."""
        old, new = self.before.poses[-1], self.after.poses[-1]
        factor = float(self.after.scales[-1] / self.before.scales[-1])
        turn = new[:3, :3] @ old[:3, :3].T
        return rigid(turn, new[:3, 3] - factor * turn @ old[:3, 3]), factor

    def rigid_since(self, keyframe: int) -> "GraphSolution":
        """The same solution, but everything since a keyframe moves rigidly with the newest station."""
        move, factor = self.latest
        since = max(1, int(np.searchsorted(self.numbers, keyframe, "right")) - 1)
        poses, scales = self.after.poses.copy(), self.after.scales.copy()
        poses[since:] = self.before.poses[since:]
        poses[since:, :3, :3] = move[:3, :3] @ poses[since:, :3, :3]
        poses[since:, :3, 3] = factor * poses[since:, :3, 3] @ move[:3, :3].T + move[:3, 3]
        scales[since:] = self.before.scales[since:] * factor
        return replace(self, after=Nodes(poses, scales))

    def applied_to(self, poses: NDArray[np.float64], scales: Vector) -> tuple[NDArray[np.float64], Vector]:
        """All keyframe poses and scales after the solution, interpolated between stations."""
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
) -> GraphSolution:
    return GraphSolution(numbers, before, optimise(before, edges, priors, free_scale))


def usual_sigma(walked: float) -> Vector:
    """Typical standard deviations of the motion between two stations this many metres apart."""
    return np.array([_TURN_SIGMA, _MOVE_SIGMA + _MOVE_SHARE * walked, _SCALE_SIGMA])


def motion_between(first: int, second: int, keyframes: Keyframes) -> tuple[Matrix, float]:
    """Current motion between two keyframes, in units of the first, and the log of their relative scale."""
    motion = proper(inverse(keyframes.poses[first]) @ keyframes.poses[second])
    motion[:3, 3] /= keyframes.scales[first]
    return motion, float(np.log(keyframes.scales[second] / keyframes.scales[first]))
