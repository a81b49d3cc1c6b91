"""Comparisons: which of several sets has more, how near two come to each other, and what each group holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.questions.programs.asks import EQUAL, MOST_SHOWN, NO, NONE, YES, chances, likeliest, most
from situ.questions.programs.measures import UNITS, fair_unit
from situ.questions.programs.run import Entry, Result, Run, Value, fairness
from situ.questions.programs.schema import Ask, Measure, Set, fault, operator
from situ.questions.programs.sets import group_labels, group_name
from situ.questions.programs.table import SURE, Margins
from situ.questions.programs.tallies import Tally, measured, voted
from situ.questions.rules.listing import SEPARATOR


@operator
@dataclass(frozen=True)
class CompareAsk(Ask):
    """Which of several sets has more members; or, with `by`, which of several has less of a measure."""

    tag: ClassVar[str] = "compare"

    of: tuple[Set, ...]
    names: tuple[str, ...] = ()
    by: Measure | None = None
    least: bool | None = None
    diff: bool = False

    def checked(self, place: str) -> None:
        if len(self.of) < 2:
            raise fault(f"{place}.of", f"'compare' needs two sets or more, got {len(self.of)}")
        if self.names and len(self.names) != len(self.of):
            raise fault(f"{place}.names", f"{len(self.of)} sets need as many names, got {len(self.names)}")
        if self.diff and len(self.of) != 2:
            raise fault(f"{place}.of", f"a difference is between two sets, got {len(self.of)}")

    def answer(self, run: Run) -> Result:
        names = self.names or tuple(str(k + 1) for k in range(len(self.of)))
        return self._of_numbers(run, names) if self.by is None else self._of_measures(run, names, self.by)

    def _of_numbers(self, run: Run, names: Sequence[str]) -> Result:
        found = [chances(run, one) for one in self.of]
        tallies = [Tally.of(run, one) for one in found]
        columns = sorted({k for f, t in zip(found, tallies, strict=True) for k in likeliest(run, f, t.value)})
        if self.diff:
            gaps = tallies[0].against(tallies[1])
            best = max(sorted(gaps, key=abs), key=lambda gap: gaps[gap])
            value: Value = best
            odds = {str(gap): share for gap, share in sorted(gaps.items(), key=lambda pair: -pair[1])}
        elif len(tallies) == 2:
            gaps = tallies[0].against(tallies[1])
            first = sum(share for gap, share in gaps.items() if (gap < 0) == bool(self.least) and gap)
            same = gaps.get(0, 0.0)
            odds = {EQUAL: same, names[0]: first, names[1]: max(0.0, 1.0 - same - first)}
            value = max(odds, key=lambda name: odds[name])
        else:
            expected = np.stack([t.shares @ np.arange(t.shares.shape[1]) for t in tallies], axis=1)
            numbers = np.round(-expected if self.least else expected)
            value, odds = voted(
                run, [EQUAL if (row == row.max()).sum() > 1 else names[int(row.argmax())] for row in numbers]
            )
        margin = min(fairness(run.set(one)) for one in self.of)
        entries = tuple(
            Entry(name, t.odds[str(t.value)], t.value) for name, t in zip(names, tallies, strict=True)
        )
        return Result(
            "compare",
            value,
            odds,
            odds[str(value)],
            min(margin, SURE),
            run.clear_frames(columns),
            run.ids(columns),
            {"first": tallies[0].value, "second": tallies[1].value},
            entries=entries,
        )

    def _of_measures(self, run: Run, names: Sequence[str], by: Measure) -> Result:
        least = self.least is not False
        placed = getattr(by, "unit", "") == "m"
        ones = [run.meant(one, placed) for one in self.of]
        numbers = run.measure(by)
        worlds = np.arange(run.table.count)
        each = np.stack([np.where(k >= 0, numbers[worlds, k], np.nan) for k in ones], axis=1)
        known = np.isfinite(each).all(axis=1)
        if not known.any():
            raise Unanswerable("what this compares is not known")
        ordered = np.sort(each[known], axis=1) if least else -np.sort(-each[known], axis=1)
        margin = float(np.abs(ordered[:, 1] - ordered[:, 0]).min()) / fair_unit(by)
        leads = [most(k) for k in ones]
        middle = np.median(each[known], axis=0).tolist()
        entries = tuple(
            Entry(name, 1.0, round(number, 2), run.ids([k]))
            for name, number, k in zip(names, middle, leads, strict=True)
        )
        said = {"first": middle[0], "second": middle[1]}
        if self.diff:
            found = measured(run, each[:, 0] - each[:, 1])
            return Result(
                "compare",
                found.value,
                found.odds,
                found.confidence,
                margin,
                run.last_frames(leads),
                run.ids(leads),
                said,
                unit=UNITS[str(getattr(by, "unit", "m"))],
                interval=found.interval,
                entries=entries,
            )
        best = np.nanargmin(np.where(np.isfinite(each), each if least else -each, np.inf), axis=1)
        value, odds = voted(run, [names[int(k)] if ok else None for k, ok in zip(best, known, strict=True)])
        return Result(
            "compare",
            value,
            odds,
            odds[str(value)],
            margin,
            run.last_frames(leads),
            run.ids(leads),
            said,
            entries=entries,
        )


@operator
@dataclass(frozen=True)
class Gap(Ask):
    """Metres between the closest points of two sets."""

    tag: ClassVar[str] = "gap"

    of: Set
    to: Set

    def answer(self, run: Run) -> Result:
        gaps, pair = least_gaps(run, self.of, self.to)
        found = measured(run, gaps)
        return Result(
            "gap",
            found.value,
            found.odds,
            found.confidence,
            float(np.nanmin(gaps)) / 0.1,
            run.last_frames(pair),
            run.ids(pair),
            {"distance_m": found.value},
            unit="m",
            interval=found.interval,
        )


def least_gaps(run: Run, of: Set, to: Set) -> tuple[NDArray[np.float64], list[int]]:
    """How near the members of two sets come to each other in each world, NaN where one has none; and the pair
    that does in the first world."""
    columns, anchors = run.anchors(to)
    _, members = run.anchors(of)
    best = np.full((run.table.count, run.table.number), np.inf)
    by = np.zeros(best.shape, np.int64)
    for k in columns.tolist():
        gaps = np.where(
            (members > 0) & (anchors[:, [k]] > 0) & run.table.placed[:, [k]], run.box_gaps(k), np.inf
        )
        gaps[:, k] = np.inf
        by, best = np.where(gaps < best, k, by), np.minimum(best, gaps)
    best[~run.table.placed] = np.inf
    nearest = best.argmin(axis=1)
    least = best[np.arange(len(best)), nearest]
    return np.where(np.isfinite(least), least, np.nan), [int(nearest[0]), int(by[0, nearest[0]])]


@operator
@dataclass(frozen=True)
class Per(Ask):
    """By place, colour or kind: the groups that hold any (with `over`: more than so many; with `and`: any of
    another set too), none, most or least; how many each holds; whether all are in one."""

    tag: ClassVar[str] = "per"

    per: Literal["place", "color", "kind"]
    of: Set | None = None
    want: Literal["any", "none", "most", "least", "each", "one"] = "any"
    over: float = 0.0
    and_: Set | None = None

    def checked(self, place: str) -> None:
        if self.and_ is not None and self.per != "place":
            raise fault(f"{place}.and", f"only places hold things of two sets, got per '{self.per}'")

    def answer(self, run: Run) -> Result:
        margins = run.set(self.of)
        names, numbers = self._groups(run, margins)
        if self.and_ is not None:
            numbers = np.minimum(numbers, self._groups(run, run.set(self.and_))[1])
        columns = run.members(margins)
        share = (numbers > 0).mean(axis=0)
        middle = np.median(numbers, axis=0)
        value, odds = voted(run, [self._said(names, row) for row in numbers])
        if self.want == "each" and not run.table.certain:  # as a list: how many of its numbers are right
            told = next(one for one in numbers if str(self._said(names, one)) == str(value))
            odds = {str(value): float((numbers == told).mean())}
        entries = tuple(
            Entry(name, float(share[k] if middle[k] else 1.0 - share[k]), float(middle[k]))
            for k, name in enumerate(names)
            if self.want != "each" or middle[k]
        )
        rooms = float(run.table.room_margins[columns].min(initial=SURE)) if self.per == "place" else SURE
        return Result(
            "per",
            value,
            odds,
            odds[str(value)],
            min(fairness(margins), abs(rooms), SURE),
            run.last_frames(columns[:MOST_SHOWN]),
            run.ids(columns),
            {"count": len(columns), "groups": float((middle > 0).sum())},
            what=self.per,
            entries=entries,
        )

    def _groups(self, run: Run, margins: Margins) -> tuple[list[str], NDArray[np.int64]]:
        """The names of the groups, and how many of the set are in each in each world."""
        inside, labels = run.table.distinct(margins > 0), group_labels(run, self.per)
        if self.per == "place":
            tags = [node.tag for node in run.table.places.nodes]
            if not tags:
                raise Unanswerable("I have not been told the name of any place")
            names, keys = sorted(set(tags)), {tag: tags.index(tag) for tag in tags}
        else:
            members = np.flatnonzero(inside.any(axis=0)).tolist()
            found = {group_name(run, k, self.per): int(labels[0, k]) for k in members if labels[0, k] >= 0}
            names, keys = sorted(found), found
        numbers = [((labels == keys[name]) & inside).sum(axis=1) for name in names]
        return names, np.stack(numbers, axis=1) if numbers else np.zeros((run.table.count, 0), np.int64)

    def _said(self, names: Sequence[str], numbers: NDArray[np.int64]) -> Value | None:
        if self.want == "one":
            return YES if (numbers > 0).sum() <= 1 else NO
        if self.want in ("most", "least"):
            best = max if self.want == "most" else min
            if not len(numbers) or not numbers.max():
                return None
            extreme = best(numbers.tolist())
            return EQUAL if (numbers == extreme).sum() > 1 else names[numbers.tolist().index(extreme)]
        if self.want == "each":
            said = [f"{name}: {n}" for name, n in zip(names, numbers.tolist(), strict=True) if n]
        else:
            said = [
                name
                for name, n in zip(names, numbers, strict=True)
                if (n > self.over) == (self.want == "any")
            ]
        return SEPARATOR.join(said) or NONE
