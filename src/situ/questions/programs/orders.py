"""Which of several kinds of objects came into view first."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.questions.programs.asks import chances
from situ.questions.programs.run import Result, Run, described
from situ.questions.programs.schema import Ask, Set, fault, operator
from situ.questions.programs.table import SURE
from situ.state.protocol import LIKELY

BEFORE, AFTER, SAME_TIME = "before", "after", "same time"


class FirstSeen(NamedTuple):
    """The first frame that shows a kind clearly, and the first that may show it.

    `shares` is how likely each frame is the first, and `things` the object that it shows.
    """

    clear: int
    possible: int
    shares: Mapping[int, float]
    things: Mapping[int, int]


def first_seen(run: Run, which: Set) -> FirstSeen:
    """When an object of a set came into view for the first time."""
    share = _chances(run, which)
    clear: dict[int, int] = {}  # the column that each frame shows first
    found: dict[int, float] = {}
    possible, likely = math.inf, False
    for k in np.flatnonzero(share > 0.0).tolist():
        first, frame = run.table.first_frames(k)
        if first >= 0 and share[k] >= LIKELY:
            possible = min(possible, first)
        if frame is not None:
            clear.setdefault(frame, k)
            found[frame] = 1.0 - (1.0 - found.get(frame, 0.0)) * (1.0 - share[k])
    frames = sorted(found)
    likely = any(share[clear[frame]] > LIKELY for frame in frames)
    if not likely:
        raise Unanswerable(f"no {described(which, '')} has been seen clearly")
    first_of = _first_shares([found[frame] for frame in frames])
    shares = {frame: part for frame, part in zip(frames, first_of, strict=True) if part > 0.0}
    best = max(shares, key=lambda frame: shares[frame])
    return FirstSeen(
        best, int(possible), shares, {frame: int(run.table.ids[k]) for frame, k in clear.items()}
    )


def _chances(run: Run, which: Set) -> NDArray[np.float64]:
    """How likely each object is one of a set (N,); what truth only glimpsed is as likely as not."""
    if run.table.certain:
        margins = np.maximum(run.set(which)[0], -SURE)
        return np.asarray((margins / SURE + 1.0) / 2.0)
    return np.asarray(chances(run, which).mean(axis=0))


def _first_shares(each: Sequence[float]) -> list[float]:
    """For objects in order, how likely each is the first of those that are there at all."""
    shares, none = [], 1.0
    for p in each:
        shares.append(none * p)
        none *= 1.0 - p
    return shares


def _order(a: int, b: int) -> str:
    if a == b:
        return SAME_TIME
    return BEFORE if a < b else AFTER


@operator
@dataclass(frozen=True)
class Order(Ask):
    """Whether the first of several sets came into view before the second, or after it; of more than two the
    order of their names."""

    tag: ClassVar[str] = "order"

    of: tuple[Set, ...]
    names: tuple[str, ...] = ()

    def checked(self, place: str) -> None:
        if len(self.of) < 2 or (self.names and len(self.names) != len(self.of)):
            raise fault(f"{place}.of", "'order' needs two sets or more, and as many names if any")
        if len(self.of) > 2 and not self.names:
            raise fault(f"{place}.names", f"{len(self.of)} sets need as many names")

    def answer(self, run: Run) -> Result:
        seen = [first_seen(run, one) for one in self.of]
        return self._of_names(seen) if self.names else self._of_two(*seen[:2])

    def _of_two(self, a: FirstSeen, b: FirstSeen) -> Result:
        odds: dict[str, float] = defaultdict(float)
        for x, p in a.shares.items():
            for y, r in b.shares.items():
                odds[_order(x, y)] += p * r
        value = max((_order(a.clear, b.clear), BEFORE, AFTER, SAME_TIME), key=lambda name: odds[name])
        pairs = [(x, y) for x in a.shares for y in b.shares if _order(x, y) == value]
        x, y = max(pairs, key=lambda pair: a.shares[pair[0]] * b.shares[pair[1]])
        # A glimpse before the first clear view makes the moment uncertain: every reading must agree.
        readings = {_order(i, j) for i in (x, a.possible) for j in (y, b.possible)}
        margin = 0.0 if len(readings) > 1 else float(max(1, abs(x - y)))
        things, numbers = (a.things[x], b.things[y]), {"first": x, "second": y}
        frames = tuple(sorted({x, y}))
        return Result("order", value, dict(odds), odds[value], margin, frames, things, numbers, fair=0.5)

    def _of_names(self, seen: Sequence[FirstSeen]) -> Result:
        by_name = dict(zip(self.names, seen, strict=True))
        order = sorted(by_name, key=lambda name: by_name[name].clear)
        # A glimpse may already count as an appearance, so a kind must be clear before the next one glimmers.
        gaps = [min(by_name[b].clear, by_name[b].possible) - by_name[a].clear for a, b in pairwise(order)]
        frames, value = tuple(sorted({first.clear for first in seen})), ", ".join(order)
        sure = math.prod(_in_order(by_name[a], by_name[b]) for a, b in pairwise(order))
        return Result("order", value, {value: sure}, sure, float(max(0, min(gaps, default=0))), frames)


def _in_order(a: FirstSeen, b: FirstSeen) -> float:
    """How likely one kind was seen first before another."""
    return sum(p * r for x, p in a.shares.items() for y, r in b.shares.items() if x < y)
