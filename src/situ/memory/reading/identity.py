"""Whether two nodes of a memory are one object, a node is an object at all, and a word is a name of it.

The weights were learned from streams with known truth (`python -m benchmarks.identity --write`), and are
kept beside this file with where they come from.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.memory.reading.observed import Observed
from situ.memory.tables.tracks import INSIDE_ANOTHER, INTO_EMPTY, PARTED, STRAY

WEIGHTS = "identity_weights.json"
_LEAST_REAL = 0.05  # nodes that are less likely to be real are no double of anything
_LEAST_SAME = 0.02  # less likely pairs are two
_NEAR_M = 1.2  # farther apart, by more than their spread, two nodes are two unless one ended before the other
_BESIDE_FRAMES = 3  # so many frames off is nearly the same look; the weights were learned so
_UNKNOWN_SIDE_M = 0.3  # the usual side of a thing whose size nobody told
_LOOK_S = 1.0  # about so long one look lasts: what was seen once was known for so long
_USUAL_HITS = 4  # seen so often a node can tell how often one is found
_FAR = 1 << 40  # beyond the number of any frame
_MOST_ELDERS, _MOST_LOOKS = 6, 400  # that are compared with a node; of a node, the latest


Features = NDArray[np.float64]


@dataclass(frozen=True)
class Nodes:
    """What is known of the nodes of a table that tells whether two of them are one object."""

    observed: Observed
    ids: NDArray[np.int64]
    centers: NDArray[np.float64]
    sizes: NDArray[np.float64]
    sigma_m: NDArray[np.float64]
    presence: NDArray[np.float64]
    remains: NDArray[np.float64]  # how likely it has not gone, as the tracker holds it
    first: NDArray[np.float64]
    last: NDArray[np.float64]
    hits: NDArray[np.int64]
    labels: NDArray[np.int64]  # (N, names), 0 for none
    origin: NDArray[np.int64]  # why each is one of its own, see `births`
    misfit: NDArray[np.float64]
    track: NDArray[np.int64]  # the number that it always had, -1 where it had none or several
    attributes: Sequence[Mapping[str, str]]


TOGETHER, NEAR, APART = range(3)


@dataclass(frozen=True)
class Pairs:
    """Pairs of nodes that may be one object: the elder `i` and the younger `j`, as places in a list of
    columns; whether some frame shows both, they lie near each other, or one was never seen again once the
    other had turned up; and what tells whether they are one (pairs, features)."""

    i: NDArray[np.int64]
    j: NDArray[np.int64]
    regime: NDArray[np.int64]
    features: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.i)


FEATURES = (
    "one", "near", "log gap", "overlap", "overlap > 0", "few", "late", "log together", "share together",
    "in view", "alike", "tracks", "beside", "log since", "left", "sizes", "weakest", "few x near",
    "few x overlap", "few x share together", "inside another", "parted", "stray", "log misfit", "own tracks",
)  # fmt: skip


@dataclass(frozen=True)
class IdentityModel:
    """Weights of logistic models, and how much of a doubt all that it concerns share (a correlation)."""

    together: tuple[float, ...]
    near: tuple[float, ...]
    apart: tuple[float, ...]
    name: tuple[float, ...]
    real: tuple[float, ...]
    there: tuple[float, ...]
    shared_name: float
    shared_double: float
    shared_wall: float
    moved: tuple[float, ...] = ()  # see `move_doubts`
    by_wearer: tuple[float, float] = (0.0, 1.0)  # of moves that seem another's, and the wearer's
    overlooked: tuple[float, float] = (0.0, 0.0)  # changes missing in a list, and more for each that is told

    def p_same(self, pairs: Pairs) -> NDArray[np.float64]:
        """How likely the nodes of each pair are one object."""
        weights = np.array([self.together, self.near, self.apart])
        return _share((weights[pairs.regime] * pairs.features).sum(axis=1))

    def p_name(self, share: float, hits: int, first: bool, names: int) -> float:
        """How likely a word with a share of the votes for a thing is a name of it."""
        if names < 2:
            return 1.0
        return float(_share(np.dot(self.name, name_features(share, hits, first))))

    def p_moved(self, features: tuple[float, ...]) -> float:
        """How likely a move happened."""
        if not self.moved:
            return 1.0
        return float(_share(np.dot(self.moved, features)))

    def p_there(self, features: Features) -> NDArray[np.float64]:
        """How likely nodes that were missed are still where they were."""
        return _share(features @ np.asarray(self.there))

    def p_real(self, features: Features) -> NDArray[np.float64]:
        """How likely nodes are objects."""
        return _share(features @ np.asarray(self.real))


def name_features(share: float, hits: int, first: bool) -> tuple[float, ...]:
    share = min(max(share, 0.005), 0.995)
    odds, many = math.log(share / (1.0 - share)), math.log1p(hits)
    return 1.0, odds, float(first), many, odds * many


def real_features(
    table: NDArray[np.void], hits: NDArray[np.int64], scores: NDArray[np.float64], usual: float
) -> Features:
    """Features for the probability that a node is an object (n, features): its version, how often it was
    seen, how confident the detector was, and how its detection rate compares with the usual one."""
    odds, many, beside = _log_odds(table["exists"]), np.log1p(hits), detection_rates(table) - usual
    beside = np.where(table["looked"] > 0, beside, 0.0)
    scores = _log_odds(np.clip(scores, 0.02, 0.98))
    looks, origin = np.log1p(table["looked"]), table["origin"].astype(np.int64)
    # A rate counts for as much as the looks that it comes from: large things are detected in many frames and
    # wholly in view in few.
    often = np.minimum(many, looks)
    columns = (
        np.ones(len(odds)), odds, many, odds * many, beside, looks * beside, often * beside, scores, looks,
        _log_misfit(table), *((origin & bit > 0) for bit in (INTO_EMPTY, INSIDE_ANOTHER, PARTED, STRAY)),
    )  # fmt: skip
    return np.stack(columns, axis=1).astype(float)


REAL = (
    "one", "log odds", "log hits", "log odds x log hits", "found beside what is usual",
    "the same x log looks", "the same x log hits", "log odds of score", "log looks", "log misfit",
    "where nothing was", "inside another", "parted", "stray",
)  # fmt: skip


def there_features(table: NDArray[np.void], last_seen: NDArray[np.float64], now: float) -> Features:
    """Features for the probability that a missed node is still in place (n, features): the tracker's odds,
    and for how long nobody has seen it, as a share of how long it had been seen. Minutes and looks as such
    would mean nothing in streams that are longer than those that the weights were learned from."""
    odds = _log_odds(table["here"])
    unseen = np.maximum(now - last_seen, 0.0)
    known = np.maximum(last_seen - table["first_seen"], 0.0)
    ago = np.log((unseen + _LOOK_S) / (known + _LOOK_S))
    return np.stack((np.ones(len(odds)), odds, ago, odds * ago), axis=1).astype(float)


THERE = "one", "log odds", "log share of time unseen", "log odds x log share of time unseen"


def detection_rates(table: NDArray[np.void]) -> NDArray[np.float64]:
    """How often each node is detected where it is expected, as log odds (n,)."""
    looked = table["looked"].astype(float)
    found = np.minimum(table["found"].astype(float), looked)
    return np.asarray(np.log((found + 0.5) / (looked - found + 0.5)))


def usual_detection_rate(table: NDArray[np.void], hits: NDArray[np.int64]) -> float:
    """The median of these rates over the nodes of a memory that were seen often enough to have one."""
    known = hits >= _USUAL_HITS
    return float(np.median(detection_rates(table[known]))) if known.any() else 0.0


def _log_misfit(table: NDArray[np.void]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.clip(table["misfit"].astype(float), 0.01, 100.0)))


def _log_odds(share: NDArray[np.float64]) -> NDArray[np.float64]:
    share = np.clip(share, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(share / (1.0 - share)))


def _share(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0))))


@cache
def model() -> IdentityModel:
    """The weights that came with this version."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))["weights"]
    weights: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in found.items()}
    return IdentityModel(**weights)


def likely_doubles(nodes: Nodes, columns: Sequence[int]) -> list[tuple[int, int, float]]:
    """For each of some nodes, in order of age, the elder one that it most likely is again, and how likely."""
    kept = [k for k in columns if nodes.presence[k] > _LEAST_REAL]
    pairs = pairs_of(nodes, kept)
    same = model().p_same(pairs)
    order = np.lexsort((-same, pairs.j))
    first = order[np.unique(pairs.j[order], return_index=True)[1]]
    return [(kept[pairs.j[k]], kept[pairs.i[k]], float(same[k])) for k in first if same[k] > _LEAST_SAME]


def pairs_of(nodes: Nodes, columns: Sequence[int]) -> Pairs:
    """The pairs of some nodes that may be one object, of each node those with the few elder ones nearest."""
    rows, count = np.array(columns, np.int64), len(columns)
    first, last = nodes.first[rows], nodes.last[rows]
    gaps = np.linalg.norm(nodes.centers[rows][:, None] - nodes.centers[rows][None], axis=2)
    sigma = np.hypot(nodes.sigma_m[rows][:, None], nodes.sigma_m[rows][None])
    apart = (first[None] > last[:, None]) | (last[None] < first[:, None])
    possible = (gaps < np.maximum(_NEAR_M, 4 * sigma)) | (apart & _share_a_name(nodes.labels[rows]))
    possible &= np.arange(count)[:, None] > np.arange(count)[None]  # younger by elder
    j, i = _nearest(np.where(possible, gaps, np.inf))
    seen = _Seen(nodes.observed, nodes.ids[rows])
    same_frames, view = seen.together(i, j)
    beside, tracks = seen.beside(i, j), seen.tracks(i, j)
    apart = apart[j, i]
    regime = np.where(same_frames > 0, TOGETHER, np.where(apart, APART, NEAR))
    sides = nodes.sizes[rows].max(axis=1)
    half = np.where(sides > 0, sides, _UNKNOWN_SIDE_M) / 2
    away = np.abs(nodes.centers[rows[i]] - nodes.centers[rows[j]])
    ratio = away / np.maximum((nodes.sizes[rows[i]] + nodes.sizes[rows[j]]) / 2, 0.05)
    overlap = np.clip(1.0 - ratio.max(axis=1), -2.0, 1.0)
    few, late = np.minimum(seen.frames[i], seen.frames[j]), seen.frames[j]
    near = np.minimum(gaps[j, i] / (0.3 + sigma[j, i]), 8.0)
    share, log_few = same_frames / np.maximum(few, 1), np.log1p(few)
    early = np.where(last[i] <= last[j], i, j)
    since = np.maximum(0.0, np.maximum(first[i], first[j]) - np.minimum(last[i], last[j]))
    attributes = [nodes.attributes[k] for k in rows.tolist()]
    looks = np.array(
        [attributes[a] == attributes[b] for a, b in zip(i.tolist(), j.tolist(), strict=True)], bool
    )
    log_odds, track = _log_odds(nodes.presence[rows]), nodes.track[rows]
    columns_ = (
        np.ones(len(i)), near, np.log(0.05 + gaps[j, i]), overlap, np.maximum(0.0, overlap), log_few,
        np.log1p(late), np.log1p(same_frames), share, np.minimum(2 * view / (half[i] + half[j]), 4.0),
        looks & (nodes.labels[rows[i], 0] == nodes.labels[rows[j], 0]), tracks,
        beside, np.log1p(since), np.where(apart, 1.0 - nodes.remains[rows[early]], 0.0),
        np.minimum(np.abs(np.log2(half[i] / half[j])), 3.0), np.minimum(log_odds[i], log_odds[j]),
        log_few * near, log_few * overlap, log_few * share,
        *(nodes.origin[rows[j]] & bit > 0 for bit in (INSIDE_ANOTHER, PARTED, STRAY)),
        np.log(np.clip(np.maximum(nodes.misfit[rows[i]], nodes.misfit[rows[j]]), 0.01, 100.0)),
        (track[i] >= 0) & (track[j] >= 0) & (track[i] != track[j]),
    )  # fmt: skip
    return Pairs(i, j, regime, np.stack(columns_, axis=1).astype(float))


def _share_a_name(labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether one name at least has been heard for both of two nodes (n, n)."""
    found = np.zeros((len(labels), len(labels)), bool)
    for mine in labels.T:
        for theirs in labels.T:
            found |= (mine[:, None] == theirs[None]) & (mine > 0)[:, None]
    return found


def _nearest(gaps: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and columns of the few least finite gaps of each row."""
    if gaps.shape[1] > _MOST_ELDERS:
        chosen = np.argpartition(gaps, _MOST_ELDERS, axis=1)[:, :_MOST_ELDERS]
        rows, places = np.nonzero(np.isfinite(np.take_along_axis(gaps, chosen, axis=1)))
        return rows, chosen[rows, places]
    rows, columns = np.nonzero(np.isfinite(gaps))
    return rows, columns


class _Seen:
    """In which frames, where and on which tracks some nodes were seen: what pairs of them have in common."""

    def __init__(self, observed: Observed, ids: NDArray[np.int64]) -> None:
        parts = [observed.of(int(number))[-_MOST_LOOKS:] for number in ids]
        rows = np.concatenate(parts) if parts else observed.table[:0]
        node = np.repeat(np.arange(len(ids)), [len(part) for part in parts])
        # A node and a frame are one number, in order, and so are a node and a track.
        self._looks, first = np.unique(node * _FAR + rows["frame"], return_index=True)
        self._at = rows["at"][first].astype(float)
        tracked = rows["track"] >= 0
        _, numbers = np.unique(rows["track"], return_inverse=True)
        self._tracks = np.unique((node * _FAR + numbers)[tracked])
        self._starts = np.searchsorted(self._looks, np.arange(len(ids) + 1) * _FAR)
        self.frames = np.diff(self._starts)

    def together(
        self, i: NDArray[np.int64], j: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """In how many frames both of a pair are, and how far apart they lay there on average, in metres."""
        pair, mine = self._each_look(j)
        wanted = i[pair] * _FAR + self._looks[mine] % _FAR
        theirs = np.minimum(np.searchsorted(self._looks, wanted), max(0, len(self._looks) - 1))
        both = self._looks[theirs] == wanted
        pair, away = pair[both], np.linalg.norm(self._at[mine[both]] - self._at[theirs[both]], axis=1)
        number = np.bincount(pair, minlength=len(i)).astype(float)
        return number, np.bincount(pair, away, len(i)) / np.maximum(number, 1)

    def beside(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """At which share of the sightings of the younger the elder was seen a few frames off at most."""
        pair, mine = self._each_look(j)
        wanted = i[pair] * _FAR + self._looks[mine] % _FAR
        at = np.minimum(np.searchsorted(self._looks, wanted - _BESIDE_FRAMES), max(0, len(self._looks) - 1))
        near = (self._looks[at] >= wanted - _BESIDE_FRAMES) & (self._looks[at] <= wanted + _BESIDE_FRAMES)
        return np.bincount(pair[near], minlength=len(i)) / np.maximum(self.frames[j], 1)

    def tracks(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.float64]:
        """Whether a track of the detector went from one to the other."""
        node, track = np.divmod(self._tracks, _FAR)
        start = np.searchsorted(node, np.arange(len(self.frames) + 1))
        pair, mine = _spread(start[j], start[j + 1])
        both = np.isin(i[pair] * _FAR + track[mine], self._tracks)
        return (np.bincount(pair[both], minlength=len(i)) > 0).astype(float)

    def _each_look(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return _spread(self._starts[nodes], self._starts[nodes + 1])


def _spread(start: NDArray[np.int64], stop: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers from each start to its stop, one after the other, and of which of them each is."""
    counts = stop - start
    of = np.repeat(np.arange(len(start)), counts)
    return of, np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts) + start[of]
