"""Uncertainty of an estimated path: relative errors between any two times, and samples of them.

Odometry drifts: yaw, position and scale follow a random walk over knots, and a yaw error rotates everything
after it. A loop closure ties two knots together. The model is linear and Gaussian, so samples are exact:
random walks are drawn first, then conditioned on the ties (Matheron's rule).
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat

MAX_KNOTS, MAX_TIES, MAX_LOST = 96, 48, 200  # bounds of memory and of the cost of samples
_SIZE = 4  # yaw, x, y, log of the scale
_MIN_SIGMA = 1e-6  # keeps matrices invertible
_BREAK_M = 1.0  # sigma of a step above which the path restarts there
# Motion while lost: radians and metres per second, and their maxima.
_TURNS_RAD_S, _WALKS_M_S, _MAX_RAD, _MAX_M = 0.8, 0.7, math.pi, 20.0
Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PathUncertainty:
    """Knots along a path with the uncertainty of the motion between them.

    `sigma` (n, 3): yaw in radians, metres, log scale of the motion from the previous knot; the first row is
    of the first knot itself, and so of the scale of the whole path. `ties` (m, 2): pairs of knots.
    `tie_sigma` (m, 3): of the motion between them. `tie_known` (m,): time of the observation. `lost` (k, 2):
    time spans with lost tracking.
    """

    times: Array
    ground: Array  # (n, 2)
    sigma: Array
    ties: NDArray[np.int64]
    tie_sigma: Array
    tie_known: Array
    lost: Array

    @classmethod
    def of(
        cls, times: Sequence[float], ground: Array, sigma: Array, lost: Array | None = None
    ) -> "PathUncertainty":
        """Uncertainty without ties."""
        spans = np.zeros((0, 2)) if lost is None else np.asarray(lost, dtype=float).reshape(-1, 2)
        return cls(
            np.asarray(times, dtype=float), np.asarray(ground, dtype=float).reshape(-1, 2),
            np.asarray(sigma, dtype=float).reshape(-1, 3), np.zeros((0, 2), np.int64), np.zeros((0, 3)),
            np.zeros(0), spans,
        )  # fmt: skip

    @property
    def none(self) -> bool:
        """Whether all sigmas are negligible."""
        return not len(self.lost) and not bool((self.sigma > 0).any())

    @property
    def present(self) -> float:
        """Latest time covered; later than the last knot if tracking is lost."""
        return float(max(self.times[-1], self.lost[:, 1].max(initial=-math.inf)))

    def until(self, at: float, known: float) -> "PathUncertainty":
        """The uncertainty that was known at an earlier time."""
        count = max(1, int(np.searchsorted(self.times, at, "right")))
        kept = (self.ties.max(axis=1, initial=0) < count) & (self.tie_known <= known)
        lost = self.lost[self.lost[:, 0] < at]
        return replace(
            self, times=self.times[:count], ground=self.ground[:count], sigma=self.sigma[:count],
            ties=self.ties[kept], tie_sigma=self.tie_sigma[kept], tie_known=self.tie_known[kept], lost=lost,
        )  # fmt: skip

    def thinned(self, most: int = MAX_KNOTS, most_ties: int = MAX_TIES) -> "PathUncertainty":
        """The same with fewer knots and ties; variances between remaining knots are added."""
        kept = np.unique(np.linspace(0, len(self.times) - 1, min(most, len(self.times))).round().astype(int))
        if len(kept) < len(self.times):
            # Keep restarts of the path as knots, so that frames do not move to the wrong side of one.
            breaks = np.flatnonzero(self.sigma[1:, 1] > _BREAK_M)[-most // 4 :]
            kept = np.unique(np.concatenate([kept, breaks, breaks + 1]))
        segment = np.searchsorted(kept, np.arange(len(self.times)), "left")  # the next remaining knot
        sigma = np.zeros((len(kept), 3))
        np.add.at(sigma, segment, self.sigma**2)
        # A yaw error within a segment displaces the rest of the segment.
        length = np.hypot(*np.diff(self.ground[kept], axis=0).T)
        inside = (np.diff(kept) > 1) * length**2 / 3
        sigma[1:, 1] += sigma[1:, 0] * inside + sigma[1:, 2] * inside
        nearest = np.searchsorted((kept[1:] + kept[:-1]) / 2, np.arange(len(self.times)))
        walked = np.cumsum(self.sigma**2, axis=0)
        ties = nearest[self.ties].reshape(-1, 2)
        moved = np.abs(walked[self.ties] - walked[kept[ties]]).sum(axis=1).reshape(-1, 3)
        tie_sigma = np.sqrt(self.tie_sigma**2 + moved)
        surest: dict[tuple[int, int], int] = {}
        for k in np.argsort(-tie_sigma[:, 1], kind="stable").tolist():
            if ties[k, 0] != ties[k, 1]:
                surest[int(ties[k].min()), int(ties[k].max())] = k
        order = sorted(surest.values(), key=lambda k: float(tie_sigma[k, 1]))[:most_ties]
        rows = np.array(sorted(order), dtype=np.int64)
        longest = np.argsort(self.lost[:, 0] - self.lost[:, 1], kind="stable")[:MAX_LOST]
        return PathUncertainty(
            self.times[kept], self.ground[kept], np.sqrt(sigma), ties[rows], tie_sigma[rows],
            self.tie_known[rows], self.lost[np.sort(longest)],
        )  # fmt: skip

    def followed_by(
        self, other: "PathUncertainty", turn: Array, shift: Array, later: float
    ) -> "PathUncertainty":
        """This path followed by another, rotated (2, 2) and shifted (2,) into this world."""
        return PathUncertainty(
            np.concatenate([self.times, other.times + later]),
            np.concatenate([self.ground, other.ground @ np.asarray(turn).T + shift]),
            np.concatenate([self.sigma, other.sigma]),
            np.concatenate([self.ties, other.ties + len(self.times)]),
            np.concatenate([self.tie_sigma, other.tie_sigma]),
            np.concatenate([self.tie_known, other.tie_known + later]),
            np.concatenate([self.lost, other.lost + later]),
        )

    def tied(self, first: Array, second: Array, sigma: Array, known: float) -> "PathUncertainty":
        """The path with more ties: between the knots nearest to pairs of times (m,), with sigmas (m, 3)."""
        nearest = [np.abs(self.times - np.asarray(when)[:, None]).argmin(axis=1) for when in (first, second)]
        ties = np.stack(nearest, axis=1).astype(np.int64)
        walked = np.cumsum(self.sigma**2, axis=0)
        spread = np.asarray(sigma) ** 2
        for when, knots in zip((first, second), nearest, strict=True):
            there = np.stack([np.interp(when, self.times, column) for column in walked.T], axis=1)
            spread = spread + np.abs(there - walked[knots])
        return replace(
            self, ties=np.concatenate([self.ties, ties]),
            tie_sigma=np.concatenate([self.tie_sigma, np.sqrt(spread)]),
            tie_known=np.concatenate([self.tie_known, np.full(len(ties), known)]),
        )  # fmt: skip

    def scaled(self, factor: float) -> "PathUncertainty":
        """The same path in other units."""
        return replace(
            self, ground=self.ground * factor, sigma=self.sigma * [1.0, factor, 1.0],
            tie_sigma=self.tie_sigma * [1.0, factor, 1.0],
        )  # fmt: skip

    def samples(self, count: int) -> "PathSamples":
        """Samples of the path errors; deterministic."""
        knots = len(self.times)
        steps = self._steps()
        whole, steps[3] = steps[3], 0.0
        normal = np.random.default_rng(7).standard_normal((len(steps), (count + 1) // 2))
        normal = np.concatenate([normal, -normal], axis=1)[:, :count]
        walks = self._walked(steps[:, None] * normal)
        if len(self.ties):
            walks = self._tied(walks, steps)
        walks[3::_SIZE] += whole * normal[3]
        lost = np.random.default_rng(11).standard_normal((3, (count + 1) // 2))
        return PathSamples(
            self, walks.T.reshape(count, knots, _SIZE), np.concatenate([lost, -lost], axis=1)[:, :count].T
        )

    def _steps(self) -> Array:
        """Standard deviations of the increments at all knots (n * 4,): yaw, x, y, log scale."""
        return np.asarray(self.sigma[:, [0, 1, 1, 2]].reshape(-1))

    def _walked(self, increments: Array) -> Array:
        """Errors at the knots (n * 4, any) from increments."""
        way = np.diff(self.ground, axis=0)
        errors = increments.reshape(len(self.times), _SIZE, -1).copy()
        for k in range(1, len(errors)):
            (x, y), before = way[k - 1], errors[k - 1]
            errors[k] += before
            errors[k, 1] += x * before[3] - y * before[0]
            errors[k, 2] += y * before[3] + x * before[0]
        return errors.reshape(increments.shape)

    def _tied(self, walks: Array, steps: Array) -> Array:
        """Random walks conditioned on the ties."""
        kernel = self._walked(np.diag(steps))  # kernel @ kernel.T is the covariance of the walk
        rows = [self._tie_rows(i, j) for i, j in self.ties.tolist()]
        matrix = np.concatenate(rows)
        noise = np.maximum(self.tie_sigma[:, [0, 1, 1, 2]].reshape(-1), _MIN_SIGMA)
        seen = matrix @ kernel
        gain = np.linalg.solve(seen @ seen.T + np.diag(noise**2), seen @ kernel.T).T
        drawn = np.random.default_rng(13).standard_normal((len(noise), walks.shape[1])) * noise[:, None]
        return np.asarray(walks - gain @ (matrix @ walks + drawn))

    def _tie_rows(self, i: int, j: int) -> Array:
        """Measurement matrix of a tie (4, n * 4): the error of the motion between two knots."""
        rows = np.zeros((_SIZE, len(self.times), _SIZE))
        x, y = self.ground[j] - self.ground[i]
        for k in range(_SIZE):
            rows[k, j, k], rows[k, i, k] = 1.0, -1.0
        rows[1, i, 0], rows[2, i, 0] = y, -x
        rows[1, i, 3], rows[2, i, 3] = -x, -y
        return rows.reshape(_SIZE, -1)

    def to_text(self) -> str:
        return json.dumps({name: value.tolist() for name, value in vars(self).items()})

    @classmethod
    def from_text(cls, text: str | bytes) -> "PathUncertainty":
        try:
            data = json.loads(text)
            made = cls(
                np.asarray(data["times"], dtype=float),
                np.asarray(data["ground"], dtype=float),
                np.asarray(data["sigma"], dtype=float),
                np.asarray(data["ties"], dtype=np.int64).reshape(-1, 2),
                np.asarray(data["tie_sigma"], dtype=float).reshape(-1, 3),
                np.asarray(data["tie_known"], dtype=float),
                np.asarray(data["lost"], dtype=float).reshape(-1, 2),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise BadFormat(f"the doubt of a path is damaged ({str(error)[:80]})") from error
        knots = len(made.times)
        if made.ground.shape != (knots, 2) or made.sigma.shape != (knots, 3) or not knots:
            raise BadFormat("the doubt of a path is damaged: a place and deviations for each knot are needed")
        return made


@dataclass(frozen=True, eq=False)
class PathSamples:
    """Samples of path errors: yaw, shift and log scale at each knot.

    The scale of the first knot is that of the whole path; it is part of the scales of all knots and of no
    shift.
    """

    doubt: PathUncertainty
    errors: Array  # (samples, knots, 4)
    astray: Array  # (samples, 3): drift while lost, in standard deviations of yaw, x, y

    def __len__(self) -> int:
        return len(self.errors)

    def at(self, times: Array, wearer: bool = False) -> tuple[Array, Array]:
        """Errors at times (samples, k, 4), and the ground points that they rotate about (k, 2).

        `wearer`: include the drift while lost.
        """
        knots, last = self.doubt.times, len(self.doubt.times) - 1
        after = np.clip(np.searchsorted(knots, times, "right"), 1, max(last, 1))
        before, after = after - 1, np.minimum(after, last)
        span = np.maximum(knots[after] - knots[before], 1e-9)
        share = np.clip((times - knots[before]) / span, 0.0, 1.0)
        errors = (1 - share)[:, None] * self.errors[:, before] + share[:, None] * self.errors[:, after]
        spots = (1 - share)[:, None] * self.doubt.ground[before] + share[:, None] * self.doubt.ground[after]
        if wearer and len(self.doubt.lost):
            seconds = self._lost_for(np.asarray(times))
            turned = np.minimum(_TURNS_RAD_S * seconds, _MAX_RAD)
            walked = np.minimum(_WALKS_M_S * seconds, _MAX_M)
            errors[:, :, :3] += self.astray[:, None] * np.stack([turned, walked, walked], axis=1)
        return errors, spots

    def _lost_for(self, times: Array) -> Array:
        """Duration of lost tracking at each time."""
        begin, end = self.doubt.lost.T
        inside = (times[:, None] > begin) & (times[:, None] <= end)
        return np.asarray(np.where(inside, times[:, None] - begin, 0.0).max(axis=1, initial=0.0))

    def only(self, number: int) -> "PathSamples":
        """A single sample."""
        return PathSamples(self.doubt, self.errors[number : number + 1], self.astray[number : number + 1])

    def turned(self, now: float, times: Array) -> Array:
        """Rotation of earlier headings relative to the present one, in radians (samples, n)."""
        here, _ = self.at(np.array([now]), wearer=True)
        return np.asarray(self.at(times, wearer=True)[0][:, :, 0] - here[:, :, 0])

    def seen_from(self, now: float, points: Array, times: Array, wearer: bool = False) -> Array:
        """Earlier points (samples, n, 3) relative to the present pose, which is taken as exact.

        Each sample applies the error at the time of observation and removes the present one. `wearer`: the
        points are positions of the wearer. The uncertainty of the overall scale is kept, because it stretches
        everything seen from here; only the drift since the first knot is removed.
        """
        here, pivot = self.at(np.array([now]), wearer=True)
        then, spots = self.at(np.asarray(times, dtype=float), wearer)
        whole = self.errors[:, :1, 3]
        here[:, :, 3] -= whole
        then[:, :, 3] -= whole
        ground = spots + then[:, :, 1:3] + _swung(then, points[:, :, :2] - spots)
        about = pivot[0] + here[:, :, 1:3]
        ground = pivot[0] + np.exp(whole)[:, :, None] * _swung(-here, ground - about)
        return np.concatenate([ground, points[:, :, 2:]], axis=2)


def _swung(errors: Array, away: Array) -> Array:
    """Offsets (samples, n, 2) after applying yaw and scale errors (samples, n or 1, 4)."""
    yaw, factor = errors[:, :, 0], np.exp(errors[:, :, 3])
    c, s = factor * np.cos(yaw), factor * np.sin(yaw)
    x, y = away[:, :, 0], away[:, :, 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=2)
