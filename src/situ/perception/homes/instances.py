"""From cells to things: every cell votes for the middle of its thing, and votes that meet are one thing.

Cells of one name that touch are one thing unless their votes or colours say otherwise; parts whose votes meet
are one thing although something stands before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from situ.perception.homes.network import Glance, Network

LEAST_SCORE = 0.3
LEAST_EVIDENCE = 2.5  # cells of its name, each as far as it is sure
CLEAR_EVIDENCE = 4.0  # less is a glimpse, of which a fifth to a half show something else
_REACH = 0.4  # of a thing's longest side: votes nearer to its middle are for it
_REACH_PX = 2.5  # and at least so many pixels
_DEPTH_SHARE = 0.1  # depth is less sure than direction
_STRANGER = 0.7  # patches of another name must agree more closely
_OTHER_SIZE = 0.5  # and be of about the same size (log)
_TORN = 0.7  # quantile of a patch's votes that must lie within reach, or it is more than one thing
_COLORS_APART = 0.8  # reaches between what two colours vote for: namesakes that touch in the picture
# Depth is blurred between what is held up close and what lies far behind: the rim of it votes for the same
# direction, but for a middle farther away.
_HELD_M, _RIM_FARTHER = 1.2, 1.1
_TOUCHING = np.ones((3, 3))


@dataclass(frozen=True, eq=False)
class Instance:
    """A thing in a picture. `cells` are those that show it; `middle` is in camera axes."""

    name: int
    score: float
    evidence: float
    cells: NDArray[np.bool_]  # (rows, columns)
    middle: NDArray[np.float64]
    size: NDArray[np.float64]  # longer side, shorter side, height
    turn_deg: float  # from the heading of the view to the longer side
    spread_m: float
    color: NDArray[np.float64]  # chances
    material: NDArray[np.float64]
    look: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class _Votes:
    """The cells that show things: where they are, what they are called, and for what middle they vote."""

    shell: int  # names below this are parts of buildings
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    label: NDArray[np.int32]
    sure: NDArray[np.float32]
    middle: NDArray[np.float64]  # (n, 3)
    size: NDArray[np.float64]  # (n, 3) logs
    reach: NDArray[np.float64]
    deep: NDArray[np.float64]
    color: NDArray[np.intp]
    tinted: NDArray[np.float64]  # how sure the colour is

    def gap(self, cells: NDArray[np.intp], middle: NDArray[np.float64], like: int) -> NDArray[np.float64]:
        """How far votes are from a middle, in reaches of one cell: nearer across the view than along it."""
        off = self.middle[cells] - middle
        along = off @ (middle / max(1e-6, float(np.linalg.norm(middle))))
        across = np.maximum(0.0, (off * off).sum(axis=1) - along * along)
        return np.asarray(np.sqrt(across / self.reach[like] ** 2 + (along / self.deep[like]) ** 2))


def instances(glance: Glance, network: Network) -> list[Instance]:
    """All things of a picture, surest first."""
    votes = _votes(glance, network.shell)
    parts = [
        part
        for patch in _patches(glance, votes)
        for piece in _by_color(votes, patch, network)
        for part in _torn(votes, piece)
    ]
    parts.sort(key=lambda part: -float(votes.sure[part].sum()))
    groups: list[list[NDArray[np.intp]]] = []
    heads: list[tuple[int, NDArray[np.float64]]] = []
    for part in parts:
        like = int(part[votes.sure[part].argmax()])
        middle = np.median(votes.middle[part], axis=0)
        home = _home(votes, like, middle, heads)
        if home is None:
            groups.append([part])
            heads.append((like, middle))
        else:
            groups[home].append(part)
    found = [_joined(glance, votes, np.concatenate(group)) for group in groups]
    return sorted((thing for thing in found if thing is not None), key=lambda thing: -thing.score)


def _votes(glance: Glance, shell: int) -> _Votes:
    rows, columns = np.nonzero(glance.label >= shell)
    sizes = glance.fields["size"][:, rows, columns].T.astype(float)
    pixel = glance.pixel_m[rows, columns].astype(float)
    colors = _chances(glance.fields["color"][:, rows, columns].astype(float))
    reach = np.maximum(_REACH * np.exp(sizes).max(axis=1, initial=0.0), _REACH_PX * pixel)
    return _Votes(
        shell,
        rows,
        columns,
        glance.label[rows, columns],
        glance.sure[rows, columns],
        glance.middles[rows, columns].astype(float),
        sizes,
        reach,
        reach + _DEPTH_SHARE * glance.metres[rows, columns],
        colors.argmax(axis=0),
        colors.max(axis=0, initial=0.0),
    )


def _patches(glance: Glance, votes: _Votes) -> Iterator[NDArray[np.intp]]:
    """Cells of one name that touch each other."""
    for name in np.unique(votes.label):
        patches, count = ndimage.label(glance.label == name, structure=_TOUCHING)
        number = patches[votes.rows, votes.columns]
        for patch in range(1, count + 1):
            yield np.flatnonzero(number == patch)


def _by_color(votes: _Votes, patch: NDArray[np.intp], network: Network) -> list[NDArray[np.intp]]:
    """A patch in pieces where its colours vote for middles apart; every cell goes with the nearest."""
    if network.names[votes.label[patch[0]]] not in network.colored:
        return [patch]
    sums = np.bincount(votes.color[patch], weights=votes.sure[patch] * votes.tinted[patch])
    middles: list[NDArray[np.float64]] = []
    for color in np.argsort(-sums, kind="stable"):
        if sums[color] < CLEAR_EVIDENCE:
            break
        mine = patch[votes.color[patch] == color]
        middle = np.median(votes.middle[mine], axis=0)
        like = int(mine[votes.sure[mine].argmax()])
        if all(_gap(votes, middle, other, like) > _COLORS_APART for other in middles):
            middles.append(middle)
    if len(middles) < 2:
        return [patch]
    like = int(patch[votes.sure[patch].argmax()])
    nearest = np.stack([votes.gap(patch, middle, like) for middle in middles]).argmin(axis=0)
    return [patch[nearest == number] for number in np.unique(nearest)]


def _gap(votes: _Votes, middle: NDArray[np.float64], other: NDArray[np.float64], like: int) -> float:
    """How far two middles are apart, in reaches of a cell."""
    off = middle - other
    along = float(off @ other) / max(1e-6, float(np.linalg.norm(other)))
    across = max(0.0, float(off @ off) - along * along)
    return float(np.sqrt(across / votes.reach[like] ** 2 + (along / votes.deep[like]) ** 2))


def _torn(votes: _Votes, patch: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """A patch as it is if most of it votes for one middle; else one part for each middle: things in a row."""
    while len(patch):
        like = int(patch[votes.sure[patch].argmax()])
        middle = np.median(votes.middle[patch], axis=0)
        if np.quantile(votes.gap(patch, middle, like), _TORN) <= 1.0:
            yield patch
            return
        near = votes.gap(patch, votes.middle[like], like) <= 1.0
        near[patch == like] = True
        yield patch[near]
        patch = patch[~near]


def _home(
    votes: _Votes, like: int, middle: NDArray[np.float64], heads: list[tuple[int, NDArray[np.float64]]]
) -> int | None:
    """Which of the larger things a part belongs to: seen past something, or misnamed in places."""
    best, home = 1.0, None
    for number, (head, theirs) in enumerate(heads):
        gap = _gap(votes, middle, theirs, head)
        if votes.label[head] == votes.label[like]:
            gap = 0.0 if _is_rim(votes, middle, theirs, head) else gap
        else:
            gap /= _STRANGER
            if np.abs(votes.size[head] - votes.size[like]).max() > _OTHER_SIZE:
                continue
        if gap < best:
            best, home = gap, number
    return home


def _is_rim(votes: _Votes, middle: NDArray[np.float64], theirs: NDArray[np.float64], head: int) -> bool:
    """Whether a part is the rim of a thing close by: within its outline, yet farther away."""
    near, far = float(np.linalg.norm(theirs)), float(np.linalg.norm(middle))
    if near > _HELD_M or far < _RIM_FARTHER * near:
        return False
    turned = float(np.arccos(min(1.0, float(middle @ theirs) / max(1e-9, near * far))))
    return turned < 0.5 * float(np.linalg.norm(np.exp(votes.size[head]))) / max(1e-6, near)


def _joined(glance: Glance, votes: _Votes, mine: NDArray[np.intp]) -> Instance | None:
    """One thing out of the cells that voted for it; its name is that of the surest share of them."""
    rows, columns, sure = votes.rows[mine], votes.columns[mine], votes.sure[mine]
    by_name = glance.chances_of_names(rows, columns)
    name = votes.shell + int(by_name[votes.shell :].argmax())
    score = float(by_name[name] / len(mine))
    if score < LEAST_SCORE or by_name[name] < LEAST_EVIDENCE:
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
        float(by_name[name]),
        cells,
        np.median(votes.middle[mine], axis=0),
        np.exp(np.median(glance.fields["size"][:, rows, columns], axis=1).astype(float)),
        float(np.degrees(np.arctan2(sine, cosine)) / 2),
        float(np.exp(np.clip(np.median(glance.fields["spread"][0, rows, columns]), -6.0, 3.0))),
        _chances(mean("color")),
        _chances(mean("material")),
        (look / max(1e-9, float(np.linalg.norm(look)))).astype(np.float32),
    )


def _chances(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores along the first axis as chances."""
    grown = np.exp(scores - scores.max(axis=0))
    return np.asarray(grown / grown.sum(axis=0))
