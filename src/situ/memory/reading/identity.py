"""Whether two nodes of a memory are one object, and whether a word is a name of a thing: chances that were
learned from streams with known truth (`python -m benchmarks.identity`), and not set by hand."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from situ.memory.reading.state import MemoryState

_LEAST_REAL = 0.05  # nodes that are less likely to be real are no double of anything
_LEAST_SAME = 0.02  # less likely pairs are two
_NEAR_M = 1.2  # farther apart, by more than their spread, two nodes are two unless one ended before the other
_BESIDE_FRAMES = 3


@dataclass(frozen=True)
class Nodes:
    """What is known of the nodes of a table that tells whether two of them are one object."""

    state: "MemoryState"
    ids: NDArray[np.int64]
    centers: NDArray[np.float64]
    sizes: NDArray[np.float64]
    sigma_m: NDArray[np.float64]
    presence: NDArray[np.float64]
    remains: NDArray[np.float64]
    first: NDArray[np.float64]
    last: NDArray[np.float64]
    hits: NDArray[np.int64]
    labels: NDArray[np.int64]
    attributes: Sequence[Mapping[str, str]]

    def frames_of(self, column: int) -> NDArray[np.int64]:
        """The frames that show a node."""
        return np.array([seen.frame for seen in self.state.sightings(int(self.ids[column]))], np.int64)


@dataclass(frozen=True)
class Pair:
    """What tells whether two nodes are one object; lengths in metres, `overlap` 1 where two boxes share their
    middle, 0 where they touch, below 0 with free air between them."""

    together: int  # frames that show both
    fewer: int  # frames that show the one seen more rarely
    gap_m: float
    sigma_m: float
    overlap: float
    alike: bool  # in attributes, and in name
    beside: (
        float  # share of the sightings of the later at which the other was seen a few frames before or after
    )
    apart: bool  # one was never seen again once the other had turned up
    left: float  # how likely the earlier one has gone

    @property
    def regime(self) -> str:
        return "together" if self.together else "apart" if self.apart else "near"

    def features(self) -> tuple[float, ...]:
        """What the logistic models take, with a constant in front."""
        near = self.gap_m / (0.3 + self.sigma_m)
        return (
            1.0,
            min(near, 8.0),
            max(-2.0, min(self.overlap, 1.0)),
            math.log1p(self.fewer),
            math.log1p(self.together),
            float(self.alike),
            self.beside,
            self.left,
        )


@dataclass(frozen=True)
class IdentityModel:
    """Weights of logistic models, and how much of a doubt all that it concerns share (a correlation)."""

    together: tuple[float, ...]
    near: tuple[float, ...]
    apart: tuple[float, ...]
    name: tuple[float, ...]
    shared_name: float
    shared_double: float
    shared_wall: float

    def p_same(self, pair: Pair) -> float:
        """How likely two nodes are one object."""
        return _logistic(getattr(self, pair.regime), pair.features())

    def p_name(self, share: float, hits: int, first: bool, names: int) -> float:
        """How likely a word with a share of the votes for a thing is a name of it."""
        if names < 2:
            return 1.0
        return _logistic(self.name, name_features(share, hits, first))


def name_features(share: float, hits: int, first: bool) -> tuple[float, ...]:
    share = min(max(share, 0.005), 0.995)
    odds = math.log(share / (1.0 - share))
    return 1.0, odds, float(first), math.log1p(hits), odds * math.log1p(hits)


def _logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    x = sum(w * f for w, f in zip(weights, features, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


def likely_doubles(nodes: Nodes, columns: Sequence[int]) -> list[tuple[int, int, float]]:
    """For each of some nodes, in order of age, the elder one that it most likely is again, and how likely."""
    kept = [k for k in columns if nodes.presence[k] > _LEAST_REAL]
    found = []
    for j, pairs in pairs_of(nodes, kept):
        best = max(((MODEL.p_same(pair), i) for i, pair in pairs), default=(0.0, -1))
        if best[0] > _LEAST_SAME:
            found.append((j, best[1], best[0]))
    return found


def pairs_of(nodes: Nodes, columns: Sequence[int]) -> list[tuple[int, list[tuple[int, Pair]]]]:
    """Of each of some nodes, in order of age, the elder ones that it may be."""
    if len(columns) < 2:
        return []
    rows = np.array(columns)
    away = np.abs(nodes.centers[rows][:, None] - nodes.centers[rows][None])
    gaps = np.sqrt((away**2).sum(axis=2))
    sigma = np.hypot(nodes.sigma_m[rows][:, None], nodes.sigma_m[rows][None])
    first, last = nodes.first[rows], nodes.last[rows]
    apart = (first[None] > last[:, None]) | (last[None] < first[:, None])
    possible = (gaps < np.maximum(_NEAR_M, 4 * sigma)) | apart
    frames: dict[int, NDArray[np.int64]] = {}

    def shown(column: int) -> NDArray[np.int64]:
        if column not in frames:
            frames[column] = nodes.frames_of(column)
        return frames[column]

    found = []
    for b in range(1, len(rows)):
        pairs = []
        for a in np.flatnonzero(possible[b, :b]).tolist():
            i, j = int(rows[a]), int(rows[b])
            pair = _pair(
                nodes, i, j, float(gaps[a, b]), float(sigma[a, b]), bool(apart[a, b]), shown(i), shown(j)
            )
            if pair is not None:
                pairs.append((i, pair))
        found.append((int(rows[b]), pairs))
    return found


def _pair(
    nodes: Nodes, i: int, j: int, gap_m: float, sigma_m: float, apart: bool,
    first: NDArray[np.int64], second: NDArray[np.int64],
) -> Pair | None:  # fmt: skip
    if not len(first) or not len(second):
        return None
    together = len(np.intersect1d(first, second))
    at = np.searchsorted(first, second)
    before = np.abs(second - first[np.clip(at - 1, 0, len(first) - 1)])
    after = np.abs(second - first[np.clip(at, 0, len(first) - 1)])
    beside = float((np.minimum(before, after) <= _BESIDE_FRAMES).mean())
    halves = (nodes.sizes[i] + nodes.sizes[j]) / 2
    ratio = np.abs(nodes.centers[i] - nodes.centers[j]) / np.maximum(halves, 0.05)
    alike = nodes.labels[i] == nodes.labels[j] and nodes.attributes[i] == nodes.attributes[j]
    early = i if first[-1] < second[0] else j
    return Pair(
        together, min(len(first), len(second)), gap_m, sigma_m, 1.0 - float(ratio.max()), bool(alike), beside,
        apart, 1.0 - float(nodes.remains[early]) if apart else 0.0,
    )  # fmt: skip


# Made by `python -m benchmarks.identity --write`; see there for the streams and the figures.
MODEL = IdentityModel(
    together=(-4.0, -0.3, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    near=(0.0, -0.4, 1.0, 0.0, 0.0, 0.5, 1.5, 0.0),
    apart=(-0.5, -0.3, 0.5, 0.0, 0.0, 1.0, 0.0, 1.0),
    name=(0.0, 1.5, 1.0, 0.0, 0.5),
    shared_name=0.8,
    shared_double=0.6,
    shared_wall=0.7,
)
