"""How objects stand to the wearer and to each other: on, under, near, within reach, behind, on the left."""

from dataclasses import dataclass

import numpy as np

from situ.questions.programs.run import Numbers, Run
from situ.questions.programs.schema import Set
from situ.questions.programs.table import OUT, Margins
from situ.questions.rules.landmarks import ON_M
from situ.questions.rules.relations import ASIDE_M, NEAR_M
from situ.questions.rules.wearer import HIGHEST_M, LOWEST_M

QUARTERS = {"front": 0.0, "right": 90.0, "behind": 180.0, "left": -90.0}
HALF_DEG = 60.0  # people call "left" what is within so much of it: ahead to the left is both
NEAR_ME_M = 3.0
BETWEEN_M = 0.75  # from the line between two things: about what stands in the way of somebody who walks it
ARM_M = 0.75  # what an arm reaches without a step
# The least distance from a boundary at which an answer is fair; margins are in these.
FAIR_DEG, FAIR_NEAR_M, FAIR_REACH_M, FAIR_EDGE_M, FAIR_ASIDE_M = 5.0, 0.3, 0.2, 0.05, 0.2
# What is farther than the first from an anchor stands in no relation to it, clearly by the second more.
_FARTHEST_M, _CLEARLY_M = max(NEAR_M, ASIDE_M, ARM_M), 1.0
_SIDE_M, _UNDER_M, _BOTTOMS_M, _WEDGE_M = 0.05, 0.2, 0.05, 0.3


def sides_of_me(run: Run, side: str, metres: float | None) -> Margins:
    """Whether things are near, within reach or on a side of the observer."""
    if side == "reach":
        margins = ((metres or ARM_M) - arm_gaps(run)) / FAIR_REACH_M
    elif side == "near":
        margins = ((metres or NEAR_ME_M) - run.ground_gaps()) / FAIR_NEAR_M
    else:
        off = np.abs((run.bearings() - QUARTERS[side] + 180.0) % 360.0 - 180.0)
        margins = (HALF_DEG - off) / FAIR_DEG
        if metres is not None:
            margins = np.minimum(margins, (metres - run.ground_gaps()) / FAIR_NEAR_M)
    return np.where(run.table.placed, margins, OUT)


def arm_gaps(run: Run) -> Numbers:
    """Metres that an arm has to bridge from where the observer stands, too high or low included."""
    middle, half = run.table.centers[..., 2], run.table.sizes[:, 2] / 2
    over = np.maximum(middle - half - HIGHEST_M, LOWEST_M - (middle + half))
    return np.hypot(run.ground_gaps(), np.maximum(0, over))


@dataclass(frozen=True)
class _Near:
    """The columns around an anchor, as a table of their own in which the anchor is the first."""

    centers: Numbers
    sizes: Numbers
    yaws: Numbers

    @property
    def count(self) -> int:
        return len(self.centers)

    @property
    def number(self) -> int:
        return len(self.sizes)


def beside(run: Run, relation: str, to: Set, metres: float | None) -> Margins:
    """Whether things stand in a relation to any of some others."""
    table = run.table
    anchors, margins = run.anchors(to)
    found = np.full((table.count, table.number), OUT)
    half = np.linalg.norm(table.sizes, axis=1) / 2
    low, high = table.centers[..., :2].min(axis=0), table.centers[..., :2].max(axis=0)
    for anchor in anchors.tolist():
        away = np.maximum(0.0, np.maximum(low - high[anchor], low[anchor] - high)).max(axis=1)
        reach = (metres or _FARTHEST_M) + half + half[anchor] + _CLEARLY_M
        columns = np.flatnonzero(away <= reach)
        columns = np.concatenate([[anchor], columns[columns != anchor]])
        part = _Near(table.centers[:, columns], table.sizes[columns], table.yaws[columns])
        near = to_anchor(Run(part, run.observer), relation, 0, metres)  # type: ignore[arg-type]
        both = table.placed[:, columns] & table.placed[:, [anchor]] & (margins[:, [anchor]] > 0)
        near = np.where(both, near, OUT)[:, 1:]
        found[:, columns[1:]] = np.maximum(found[:, columns[1:]], near)
    return found


def to_anchor(run: Run, relation: str, anchor: int, metres: float | None = None) -> Margins:
    """How clearly each thing stands in a relation to one, wherever both are."""
    table = run.table
    middle, half = table.centers[:, [anchor]], table.sizes[anchor] / 2
    east, north, up = (table.centers - middle).transpose(2, 0, 1)
    cos, sin = np.cos(table.yaws[anchor]), np.sin(table.yaws[anchor])
    along, across = np.abs(east * cos + north * sin), np.abs(-east * sin + north * cos)
    tall = table.sizes[:, 2] / 2
    smaller = table.sizes.prod(axis=1) < table.sizes[anchor].prod()  # nothing carries what is larger
    if relation == "on":
        # A shelf carries things between its boards as well as on top.
        over = np.minimum(half[0] + _SIDE_M - along, half[1] + _SIDE_M - across)
        within = np.minimum(up + half[2] + _SIDE_M, half[2] - up)
        rests = ON_M - np.abs(up - tall - half[2])
        return np.where(smaller, np.minimum(over, np.maximum(within, rests)) / FAIR_EDGE_M, OUT)
    if relation == "inside":
        depth = np.minimum(np.minimum(half[0] - along, half[1] - across), half[2] - np.abs(up))
        return np.where(smaller, depth / FAIR_EDGE_M, OUT)
    if relation in ("under", "above"):
        over = np.minimum(half[0] + _UNDER_M - along, half[1] + _UNDER_M - across)
        sign = -1.0 if relation == "under" else 1.0
        bottoms = sign * (up - tall + half[2]) - _BOTTOMS_M
        return np.asarray(np.minimum(over, np.minimum(sign * up, bottoms)) / FAIR_EDGE_M)
    if relation == "reach":
        return np.asarray(((metres or ARM_M) - run.box_gaps(anchor)) / FAIR_REACH_M)
    gap = _gap_to(run, anchor)
    if relation == "near":
        return np.asarray(((metres or NEAR_M) - gap) / FAIR_NEAR_M)
    # Somebody looks from where the observer stands at the anchor.
    look = np.arctan2(middle[:, 0, 1] - run.observer.y, middle[:, 0, 0] - run.observer.x)[:, None]
    ahead = east * np.cos(look) + north * np.sin(look)
    right = east * np.sin(look) - north * np.cos(look)
    aside = {"behind": ahead, "front": -ahead, "left": -right, "right": right}[relation]
    wide = right if relation in ("behind", "front") else ahead
    inside = np.minimum(aside, aside + _WEDGE_M - np.abs(wide)) / FAIR_ASIDE_M
    return np.asarray(np.minimum(((metres or ASIDE_M) - gap) / FAIR_NEAR_M, inside))


def between(run: Run, one: Set, other: Set, metres: float | None) -> Margins:
    """Whether things lie between two that are meant: not past either, and not far from the line."""
    table = run.table
    worlds, ends = np.arange(table.count), (run.meant(one), run.meant(other))
    a, b = (table.centers[worlds, end, :2] for end in ends)
    length = np.maximum(np.hypot(*(b - a).T), 1e-6)
    along = (b - a) / length[:, None]
    away = table.centers[..., :2] - a[:, None]
    ahead = (away * along[:, None]).sum(axis=2)
    aside = np.abs(away[..., 0] * along[:, None, 1] - away[..., 1] * along[:, None, 0])
    wide = metres or BETWEEN_M
    margins = np.minimum(np.minimum(ahead, length[:, None] - ahead), wide - aside) / FAIR_ASIDE_M
    margins = np.where(table.placed & (ends[0] >= 0)[:, None] & (ends[1] >= 0)[:, None], margins, OUT)
    for end in ends:
        margins[worlds, end] = OUT
    return margins


def _gap_to(run: Run, anchor: int) -> Numbers:
    """From an anchor to the point of each thing that is nearest to the anchor's middle."""
    table, half = run.table, run.table.sizes / 2
    away = table.centers[:, [anchor]] - table.centers
    cos, sin = np.cos(table.yaws), np.sin(table.yaws)
    east, north = away[..., 0] * cos + away[..., 1] * sin, -away[..., 0] * sin + away[..., 1] * cos
    east, north = np.clip(east, -half[:, 0], half[:, 0]), np.clip(north, -half[:, 1], half[:, 1])
    up = np.clip(away[..., 2], -half[:, 2], half[:, 2]) - away[..., 2]
    x, y = east * cos - north * sin - away[..., 0], east * sin + north * cos - away[..., 1]
    cos, sin = np.cos(table.yaws[anchor]), np.sin(table.yaws[anchor])
    local = np.stack([x * cos + y * sin, -x * sin + y * cos, up], axis=-1)
    return np.asarray(np.linalg.norm(np.maximum(0, np.abs(local) - half[anchor]), axis=-1))
