"""From cells to things: every cell votes for the middle of its thing, and votes that meet are one thing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.perception.homes.network import Glance, Network

FEWEST_CELLS = 2
LEAST_SCORE = 0.3
_REACH = 0.45  # of a thing's longest side: votes nearer to its middle are for it
_REACH_PX = 2.5  # and at least so many pixels
_DEPTH_SHARE = 0.06  # depth is less sure than direction
_STRANGER = 0.5  # cells of another name must agree twice as closely
_OTHER_SIZE = 0.5  # and be of about the same size (log)


@dataclass(frozen=True, eq=False)
class Instance:
    """A thing in a picture. `cells` are those that show it; `middle` is in camera axes."""

    name: int
    score: float
    cells: NDArray[np.bool_]  # (rows, columns)
    middle: NDArray[np.float64]
    size: NDArray[np.float64]  # longer side, shorter side, height
    turn_deg: float  # from the heading of the view to the longer side
    spread_m: float
    color: NDArray[np.float64]  # chances
    material: NDArray[np.float64]
    look: NDArray[np.float32]


def instances(glance: Glance, network: Network) -> list[Instance]:
    """All things of a picture, surest first."""
    rows, columns = np.nonzero(glance.label >= network.shell)
    if not len(rows):
        return []
    label, sure = glance.label[rows, columns], glance.sure[rows, columns]
    votes = glance.middles[rows, columns].astype(float)
    sizes = glance.fields["size"][:, rows, columns].T
    reach = np.maximum(_REACH * np.exp(sizes).max(axis=1), _REACH_PX * glance.pixel_m[rows, columns]).astype(
        float
    )
    deep = reach + _DEPTH_SHARE * glance.metres[rows, columns]
    free = np.ones(len(rows), bool)
    found = []
    for seed in np.argsort(-sure, kind="stable"):
        if not free[seed]:
            continue
        middle = votes[seed]
        mine = np.zeros(0, np.intp)
        for _ in range(2):
            mine = _voters(middle, seed, votes, label, sizes, reach, deep, free)
            middle = np.median(votes[mine], axis=0)
        mine = np.union1d(mine, [seed])
        free[mine] = False
        thing = _joined(glance, network, rows[mine], columns[mine], label[mine], sure[mine], votes[mine])
        if thing is not None:
            found.append(thing)
    return sorted(found, key=lambda thing: -thing.score)


def _voters(
    middle: NDArray[np.float64],
    seed: int,
    votes: NDArray[np.float64],
    label: NDArray[np.int32],
    sizes: NDArray[np.float32],
    reach: NDArray[np.float64],
    deep: NDArray[np.float64],
    free: NDArray[np.bool_],
) -> NDArray[np.intp]:
    """Free cells whose vote is near a middle: nearer across the view than along it."""
    off = votes - middle
    away = middle / max(1e-6, float(np.linalg.norm(middle)))
    along = off @ away
    across = np.maximum(0.0, (off * off).sum(axis=1) - along * along)
    gap = np.sqrt(across / reach[seed] ** 2 + (along / deep[seed]) ** 2)
    namesake = label == label[seed]
    alike = np.abs(sizes - sizes[seed]).max(axis=1) < _OTHER_SIZE
    near: NDArray[np.intp] = np.flatnonzero(free & ((namesake & (gap < 1.0)) | (alike & (gap < _STRANGER))))
    return near


def _joined(
    glance: Glance,
    network: Network,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    label: NDArray[np.int32],
    sure: NDArray[np.float32],
    votes: NDArray[np.float64],
) -> Instance | None:
    """One thing out of the cells that voted for it; its name is that of the surest share of them."""
    if len(rows) < FEWEST_CELLS:
        return None
    by_name = np.bincount(label, weights=sure)
    name = int(by_name.argmax())
    score = float(by_name[name] / len(rows))
    if score < LEAST_SCORE:
        return None
    cells = np.zeros(glance.label.shape, bool)
    cells[rows, columns] = True

    def mean(field: str) -> NDArray[np.float64]:
        values: NDArray[np.float64] = glance.fields[field][:, rows, columns].astype(float)
        return np.asarray((values * sure).sum(axis=1) / sure.sum())

    cosine, sine = mean("turn")
    look = mean("look")
    return Instance(
        name,
        score,
        cells,
        np.median(votes, axis=0),
        np.exp(np.median(glance.fields["size"][:, rows, columns], axis=1).astype(float)),
        float(np.degrees(np.arctan2(sine, cosine)) / 2),
        float(np.exp(np.clip(np.median(glance.fields["spread"][0, rows, columns]), -6.0, 3.0))),
        _chances(mean("color")),
        _chances(mean("material")),
        (look / max(1e-9, float(np.linalg.norm(look)))).astype(np.float32),
    )


def _chances(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum())
