"""What a program answers: how many, whether there is any, whether all are, whether the one is, and which."""

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.questions.programs.events import CHANGES, Did, frames_of_changes
from situ.questions.programs.logic import Or
from situ.questions.programs.run import Entry, Result, Run, fairness
from situ.questions.programs.schema import Ask, Measure, Set, operator, parts_of
from situ.questions.programs.sets import Any, Things
from situ.questions.programs.table import SURE, Margins
from situ.questions.programs.tallies import Tally, voted
from situ.questions.rules.listing import NOTHING, SEPARATOR, several
from situ.state.protocol import LIKELY

YES, NO, EQUAL, NONE = "yes", "no", "equal", "none"
MOST_SHOWN = 8  # frames as evidence of a long list


def chances(run: Run, which: Set | None) -> Margins:
    """How likely each object is in a set, given what the worlds share (S, N): in closed form for kinds of
    things, which 64 worlds would tell in steps of 2 %, and for those of them of which something is so; of all
    else whether it is in it in each world."""
    which = which or Things()
    if (kinds := _kinds(which)) is not None:
        return run.table.membership(*kinds)
    if not which.filters:
        return (run.set(which) > 0).astype(float)
    inner = getattr(which, "of", None) or Things()
    if which.places and isinstance(inner, Things):  # what is in place has not gone
        inner = replace(inner, ever=True)
    found = chances(run, inner)
    columns = tuple(np.flatnonzero((found > 0).any(axis=0)).tolist())
    holds = run.set(replace(which, of=Any(columns)), raw=True) > 0  # type: ignore[call-arg]
    return found * holds


def _kinds(which: Set) -> tuple[list[str], tuple[tuple[str, str], ...], bool] | None:
    """The names, looks, and whether those that have gone count, of a set that is no more than that."""
    parts = which.of if isinstance(which, Or) else (which,)
    plain = [one for one in parts if isinstance(one, Things)]
    if len(plain) != len(parts) or len({(one.with_, one.ever) for one in plain}) != 1:
        return None
    kinds = [one.kind for one in plain if one.kind is not None]
    return (kinds, plain[0].with_, plain[0].ever) if len(kinds) in (0, len(plain)) else None


def blurred(run: Run, which: Set | None) -> float:
    """How much worlds can tell: 64 cannot tell 0.99 from 1, where they had to be counted."""
    if run.table.certain or _kinds(which or Things()) is not None:
        return 1.0
    return run.table.count / (run.table.count + 1)


def likeliest(run: Run, found: Margins, number: int) -> list[int]:
    """The columns of the so many that most likely are in a set, by id."""
    share = found.mean(axis=0)
    order = sorted(np.flatnonzero(share > 0).tolist(), key=lambda k: (-share[k], run.table.ids[k]))
    return sorted(order[:number], key=lambda k: int(run.table.ids[k]))


def shown(run: Run, which: Set | None, columns: list[int]) -> tuple[int, ...]:
    """The frames that show some things: of all that was ever seen the first clear ones, else the last."""
    parts = which.of if isinstance(which, Or) else (which,)
    ever = all(isinstance(one, Things) and one.ever for one in parts)
    return run.clear_frames(columns) if ever else run.last_frames(columns)


@operator
@dataclass(frozen=True)
class Count(Ask):
    """How many; with `kinds`, how many different kinds."""

    tag: ClassVar[str] = "count"

    of: Set | None = None
    kinds: bool = False

    def answer(self, run: Run) -> Result:
        margins = run.set(self.of)
        if self.kinds:
            names = np.array(run.table.categories, dtype=object)
            _, odds = voted(run, [len(set(names[row])) for row in margins > 0])
            columns = run.members(margins)
            value = len(set(names[columns]))  # of what is likely there: the answer counts what it lists
        else:
            found = chances(run, self.of)
            tally, known = Tally.of(run, found), blurred(run, self.of)
            value = tally.value
            odds = {number: share * known for number, share in tally.odds.items()}
            columns = likeliest(run, found, tally.value)
        return Result(
            "count",
            value,
            odds,
            odds.get(str(value), 0.0),
            min(fairness(margins), SURE),
            shown(run, self.of, columns),
            run.ids(columns),
            {"count": int(value)},
        )


@operator
@dataclass(frozen=True)
class Exists(Ask):
    """Whether there is any."""

    tag: ClassVar[str] = "exists"

    of: Set | None = None

    def answer(self, run: Run) -> Result:
        margins, found = run.set(self.of), chances(run, self.of)
        none = float(np.prod(1.0 - found, axis=1).mean())
        known = blurred(run, self.of)
        none = none * known + 0.5 * (1.0 - known)
        odds = {YES: 1.0 - none, NO: none}
        value = YES if odds[YES] > odds[NO] else NO
        columns = run.members(margins) or (likeliest(run, found, 1) if value == YES else [])
        return Result(
            "exists",
            value,
            odds,
            odds[value],
            abs(float(margins.max(initial=-SURE))),
            shown(run, self.of, columns[:4]),
            run.ids(columns),
            {"count": len(columns)},
        )


@operator
@dataclass(frozen=True)
class All(Ask):
    """Whether every one of a set is in another."""

    tag: ClassVar[str] = "all"

    of: Set
    are: Set

    def answer(self, run: Run) -> Result:
        of, are = run.set(self.of), run.set(self.are, raw=True)
        columns = run.members(of)
        if not columns:
            raise Unanswerable("I have not seen any of those")
        inside = of > 0
        outside = (inside & (are <= 0)).sum(axis=1).tolist()
        value, odds = voted(run, [NO if number else YES for number in outside])
        against = [k for k in columns if (are[:, k] > 0).mean() < 0.5]
        margin = fairness(np.where(inside, are, np.inf))
        return Result(
            "all",
            value,
            odds,
            odds[str(value)],
            min(margin, fairness(of)),
            run.last_frames(columns[:MOST_SHOWN]),
            run.ids(against or columns),
            {"count": len(columns), "against": len(against)},
        )


@operator
@dataclass(frozen=True)
class Is(Ask):
    """Whether the one that is meant is in a set."""

    tag: ClassVar[str] = "is"

    of: Set
    in_: Set
    strict: bool = False

    def answer(self, run: Run) -> Result:
        # Of what may be anywhere nobody knows where it is not, either.
        of_place = any(isinstance(part, Set) and part.places for part in parts_of(self.in_))
        one = run.meant(self.of, of_place, self.strict)
        worlds, known = np.arange(run.table.count), one >= 0
        margins = run.set(self.in_, raw=True)[worlds, one]
        value, odds = voted(
            run, [None if not ok else YES if m > 0 else NO for ok, m in zip(known, margins, strict=True)]
        )
        lead = most(one)
        return Result(
            "is",
            value,
            odds,
            odds[str(value)],
            fairness(margins[known]),
            run.last_frames([lead]),
            run.ids([lead]),
            {"count": int(known.any()), **self._from_here(run, lead)},
        )

    @staticmethod
    def _from_here(run: Run, lead: int) -> dict[str, float]:
        """How far it is, and in which direction, where that is known."""
        entry = run.entry(lead, 1.0)
        told = {"distance_m": entry.distance_m, "bearing_deg": entry.bearing_deg}
        return {name: number for name, number in told.items() if number is not None}


def most(columns: NDArray[np.int64]) -> int:
    """The column that is meant in most worlds."""
    return int(np.bincount(columns[columns >= 0]).argmax())


@operator
@dataclass(frozen=True)
class List(Ask):
    """Which; in the order of a measure, if one is given."""

    tag: ClassVar[str] = "list"

    of: Set | None = None
    by: Measure | None = None
    least: bool = True

    def answer(self, run: Run) -> Result:
        margins = run.set(self.of)
        inside = run.table.distinct(margins > 0)
        share = inside.mean(axis=0)
        columns = np.flatnonzero(share > LIKELY + 1e-9).tolist()
        if not columns and inside.any(axis=1).mean() > 0.5:  # a superlative that worlds disagree about
            columns = [int(share.argmax())]
        if self.by is not None:
            first = run.measure(self.by)[0]  # the order of a list is that of the first world
            order = first if self.least else -first
            columns.sort(key=lambda k: (math.inf if math.isnan(order[k]) else order[k], run.table.ids[k]))
        names = Counter(run.table.name(k) for k in columns)
        value = SEPARATOR.join(several(name, number) for name, number in names.items()) or NOTHING
        sure = self._agreement(run, inside, columns)
        frames = run.last_frames(columns[:MOST_SHOWN])
        if of_changes(self.of):
            frames = frames_of_changes(run, columns)
        return Result(
            "list",
            value,
            {value: sure},
            sure,
            min(fairness(margins), SURE),
            frames,
            run.ids(columns),
            {"count": len(columns)},
            entries=tuple(run.entry(k, float(share[k])) for k in columns),
            nearest=None if columns else _nearest(run, self.of),
        )

    def _agreement(self, run: Run, inside: NDArray[np.bool_], columns: list[int]) -> float:
        """How well a list is expected to agree with what is so (F1), over the worlds; of an empty one how
        likely nothing is missing."""
        if run.table.certain:
            return 1.0
        told = np.zeros(inside.shape[1], bool)
        told[columns] = True
        right, number = (inside & told).sum(axis=1), inside.sum(axis=1)
        if of_changes(self.of):
            number = number + run.table.overlooked(len(columns))
        both = number + len(columns)
        agree = np.where(both > 0, 2 * right / np.maximum(both, 1), 1.0)
        return float((agree.sum() + 0.5) / (len(agree) + 1))


def of_changes(which: Set | None) -> bool:
    return any(isinstance(part, Did) and part.act in CHANGES for part in parts_of(which))


def _nearest(run: Run, which: Set | None) -> Entry | None:
    """Where a list is empty: the nearest of the things that it was to be chosen from."""
    while which is not None and not isinstance(which, Things):
        inner = getattr(which, "of", None)
        which = (
            next((one for one in inner if isinstance(one, Set)), None) if isinstance(inner, tuple) else inner
        )
    inside = (run.set(which) > 0) & run.table.placed
    share = inside.mean(axis=0)
    near = np.flatnonzero(share > LIKELY)
    if not len(near):
        return None
    gaps = np.median(run.ground_gaps()[:, near], axis=0)
    column = int(near[gaps.argmin()])
    return run.entry(column, float(share[column]))
