"""Sets of objects as signed margins: above 0 is in, and how far above is how clearly, in fair units.

`and` is the least of two, `or` the largest, `not` the other sign; so negations, exceptions and superlatives
compose and keep their margins. A set that stands alone means what is there now, unless it says otherwise
(`ever`, or an event); what only says something of the members of another (`raw`) leaves that to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.questions.programs.measures import fair_unit
from situ.questions.programs.relations import beside, between, sides_of_me
from situ.questions.programs.run import Run, described
from situ.questions.programs.schema import NO_LOOKS, Attributes, Json, Measure, Set, fault, operator
from situ.questions.programs.table import OUT, SURE, Margins

HERE_OR_UNNAMED = "here or unnamed"
_SAID = {
    "reach": "within reach of",
    "front": "in front of",
    "left": "left of",
    "right": "right of",
    "inside": "in",
}


@operator
@dataclass(frozen=True)
class Things(Set):
    """Objects of a kind, of certain looks; with `ever` also those that have gone."""

    tag: ClassVar[str] = "things"

    kind: str | None = None
    with_: Attributes = NO_LOOKS
    ever: bool = False

    def margins(self, run: Run, raw: bool) -> Margins:
        table, found = run.table, run.table.real
        if self.kind is not None:
            found = np.where(table.named(self.kind), found, OUT)
        for key, value in self.with_:
            found = np.where(table.bears(key, value), found, OUT)
        return found if self.ever or raw else run.there_only(found)


@operator
@dataclass(frozen=True)
class In(Set):
    """What is in a named place, or in that of the wearer ("here"); with `ever` what was there at any time.
    "here or unnamed" is everywhere where the place of the wearer has no name, and holds what is in none."""

    tag: ClassVar[str] = "in"
    filters: ClassVar[bool] = True
    places: ClassVar[bool] = True

    place: str
    of: Set | None = None
    ever: bool = False

    @property
    def words(self) -> str:
        return "here" if self.place == "here" else f"in the {self.place}"

    def margins(self, run: Run, raw: bool) -> Margins:
        table, places = run.table, run.table.places
        if self.place == HERE_OR_UNNAMED:
            return self._around(run, raw)
        if not places:
            raise Unanswerable("I have not been told the name of any place")
        if self.place == "here":
            here = int(places.locate((float(run.observer.x[0]), float(run.observer.y[0]))).place[0])
            if here < 0:
                raise Unanswerable("I do not know the name of the place that you are in")
        else:
            here = places.called(self.place, table.state)[0]
        of = run.set(self.of, raw)
        inside = (table.rooms == here) & table.placed
        found = np.where(inside, table.room_margins, -np.abs(table.room_margins))
        if self.ever:
            tag = places.nodes[here].tag
            for k in np.flatnonzero((of > 0).any(axis=0)):
                stays = table.state.stays(int(table.ids[k])) if hasattr(table.state, "stays") else ()
                if tag in places.tags_of([stay.box.center for stay in stays]):
                    found[:, k] = SURE
        return np.minimum(of, found)

    def _around(self, run: Run, raw: bool) -> Margins:
        table, of = run.table, run.set(self.of, raw)
        here = int(table.places.locate((float(run.observer.x[0]), float(run.observer.y[0]))).place[0])
        inside = (table.rooms == here) | (table.rooms < 0) | (here < 0)
        margins = np.where(table.rooms < 0, SURE, table.room_margins) if here >= 0 else SURE
        return np.minimum(of, np.where(inside, margins, -np.abs(margins)))


@operator
@dataclass(frozen=True)
class Rel(Set):
    """What stands in a relation to the wearer ("me") or to any of some other objects; `m` is how near."""

    tag: ClassVar[str] = "rel"
    filters: ClassVar[bool] = True
    places: ClassVar[bool] = True
    also: ClassVar[Mapping[str, Mapping[str, Json]]] = {
        "rel": {
            "back": "behind",
            "beside": "near",
            "next to": "near",
            "in": "inside",
            "in front of": "front",
            "left of": "left",
            "right of": "right",
        }
    }

    rel: Literal["on", "inside", "under", "above", "near", "reach", "left", "right", "front", "behind"]
    to: Literal["me"] | Set
    of: Set | None = None
    m: float | None = None

    def checked(self, place: str) -> None:
        if self.to == "me" and self.rel in ("on", "inside", "under", "above"):
            raise fault(f"{place}.rel", f"nothing is '{self.rel}' the wearer; 'to' must be a set here")
        if self.m is not None and not 0 < self.m < 1e5:
            raise fault(f"{place}.m", f"metres are above 0, got {self.m:g}")

    @property
    def words(self) -> str:
        said = _SAID.get(self.rel, self.rel)
        return f"{said} {'you' if self.to == 'me' else described(self.to, 'the')}"

    def margins(self, run: Run, raw: bool) -> Margins:
        of = run.set(self.of, raw)
        if self.to == "me":
            return np.minimum(of, sides_of_me(run, self.rel, self.m))
        assert isinstance(self.to, Set)
        return np.minimum(of, beside(run, self.rel, self.to, self.m))


@operator
@dataclass(frozen=True)
class Between(Set):
    """What lies between two things that are meant; `m` is how far from the line between them at most."""

    tag: ClassVar[str] = "between"
    filters: ClassVar[bool] = True
    places: ClassVar[bool] = True

    one: Set
    other: Set
    of: Set | None = None
    m: float | None = None

    def checked(self, place: str) -> None:
        if self.m is not None and not 0 < self.m < 1e5:
            raise fault(f"{place}.m", f"metres are above 0, got {self.m:g}")

    def margins(self, run: Run, raw: bool) -> Margins:
        return np.minimum(run.set(self.of, raw), between(run, self.one, self.other, self.m))


@operator
@dataclass(frozen=True)
class Then(Set):
    """What was in a set at a time, by what is known now."""

    tag: ClassVar[str] = "then"

    of: Set
    at: float

    def margins(self, run: Run, raw: bool) -> Margins:
        earlier = run.table.back_at(self.at)
        before = Run(earlier).set(self.of)
        found = np.full((run.table.count, run.table.number), OUT)
        _, mine, theirs = np.intersect1d(run.table.ids, earlier.ids, return_indices=True)
        found[:, mine] = before[:, theirs]
        return np.asarray(np.minimum(run.table.real, found))


@operator
@dataclass(frozen=True)
class Same(Set):
    """What shares a colour, a place, a kind, or what it stands on, with the one that is meant."""

    tag: ClassVar[str] = "same"
    filters: ClassVar[bool] = True

    as_: Set
    what: Literal["color", "place", "kind", "support"]
    of: Set | None = None

    def margins(self, run: Run, raw: bool) -> Margins:
        table = run.table
        one = run.meant(self.as_, placed=self.what in ("place", "support"))
        labels = group_labels(run, self.what)
        worlds = np.arange(table.count)
        own = np.where(one >= 0, labels[worlds, one], -1)[:, None]
        found = np.where((labels == own) & (own >= 0), SURE, -SURE)
        found[worlds, one] = np.where(one >= 0, OUT, found[worlds, one])
        return np.minimum(run.set(self.of, raw), found)


def group_labels(run: Run, what: str) -> NDArray[np.int64]:
    """A number for each object in each world, alike for those that share something; -1 for none (S, N)."""
    table = run.table
    if what == "place":
        tags = [node.tag for node in table.places.nodes]
        first = np.array([tags.index(tag) for tag in tags] or [0])
        return np.where((table.rooms >= 0) & table.placed, first[np.maximum(table.rooms, 0)], -1)
    if what == "support":
        rows = np.full((table.count, table.number), -1)
        for k in range(table.number):
            on = run.set(Rel("on", One(k)), raw=True) > 0
            rows[on] = k
        return rows
    words = [group_name(run, k, what) for k in range(table.number)]
    known = sorted({word for word in words if word})
    numbers = np.array([known.index(word) if word else -1 for word in words], np.int64)
    return np.tile(numbers, (table.count, 1))


def group_name(run: Run, column: int, what: str) -> str:
    had = run.table.attributes[column]
    if what == "color":
        return had.get("color") or had.get("colour") or ""
    return run.table.categories[column] if what == "kind" else had.get(what, "")


@dataclass(frozen=True)
class One(Set):
    """One object by its column: for other operators, and not for programs."""

    column: int

    def margins(self, run: Run, raw: bool) -> Margins:
        found = np.full((run.table.count, run.table.number), OUT)
        found[:, self.column] = run.table.real[:, self.column]
        return found


@dataclass(frozen=True)
class Any(Set):
    """Some columns, surely: for other operators, and not for programs."""

    columns: tuple[int, ...]

    def margins(self, run: Run, raw: bool) -> Margins:
        found = np.full((run.table.count, run.table.number), OUT)
        found[:, [*self.columns]] = SURE
        return found


@operator
@dataclass(frozen=True)
class Top(Set):
    """The `n` of a set with the least (or most) of a measure, from the rank-th on."""

    tag: ClassVar[str] = "top"

    by: Measure
    of: Set | None = None
    least: bool = True
    n: int = 1
    rank: int = 1

    def margins(self, run: Run, raw: bool) -> Margins:
        of, table = run.set(self.of, raw), run.table
        numbers = run.measure(self.by)
        key = np.where((of > 0) & np.isfinite(numbers), numbers if self.least else -numbers, np.inf)
        found = np.full(of.shape, OUT)
        if not table.number:
            return found
        order = np.argsort(key, axis=1, kind="stable")
        sorted_ = np.take_along_axis(key, order, axis=1)
        first, last = self.rank - 1, self.rank - 1 + self.n
        chosen = order[:, first:last]
        # How far the choice is from another one, at both of its ends.
        gap = np.full(table.count, np.inf)
        for k in {first, last} - {0}:
            if k < table.number:
                with np.errstate(invalid="ignore"):
                    step = sorted_[:, k] - sorted_[:, k - 1]
                gap = np.minimum(gap, np.where(np.isfinite(step), step, np.inf))
        clear = np.maximum(gap / fair_unit(self.by), 1e-9)[:, None]
        inside = np.isfinite(sorted_[:, first:last])
        margins = np.minimum(np.take_along_axis(of, chosen, axis=1), clear)
        np.put_along_axis(found, chosen, np.where(inside, margins, OUT), axis=1)
        return found


@operator
@dataclass(frozen=True)
class Compare(Set):
    """What has more (or less) of a measure than a number, or than the object that is meant."""

    tag: ClassVar[str] = "compare"
    filters: ClassVar[bool] = True

    by: Measure
    than: Set | float
    of: Set | None = None
    less: bool = False

    def margins(self, run: Run, raw: bool) -> Margins:
        numbers, of = run.measure(self.by), run.set(self.of, raw)
        if isinstance(self.than, Set):
            one = run.meant(self.than, placed=False)
            rows = np.arange(run.table.count)
            limit = np.where(one >= 0, numbers[rows, one], np.nan)[:, None]
        else:
            limit = np.array([[self.than]])
        over = (limit - numbers if self.less else numbers - limit) / fair_unit(self.by)
        found = np.where(np.isfinite(over), over, OUT)
        if isinstance(self.than, Set):
            found[rows, one] = OUT
        return np.minimum(of, found)


@operator
@dataclass(frozen=True)
class The(Set):
    """The one of a set that is meant: in view, else seen lately, else nearest."""

    tag: ClassVar[str] = "the"

    of: Set
    strict: bool = False

    def margins(self, run: Run, raw: bool) -> Margins:
        margins = run.set(self.of, raw)
        one = run.meant(self.of, placed=False, strict=self.strict)
        found, rows = np.full(margins.shape, OUT), np.arange(len(margins))
        found[rows, one] = np.where(one >= 0, margins[rows, one], OUT)
        return found


@operator
@dataclass(frozen=True)
class Hole(Set):
    """What a dialogue still has to fill in."""

    tag: ClassVar[str] = "hole"

    what: str

    def checked(self, place: str) -> None:
        raise fault(place, f"'{self.what}' is still open; put in its place the set that it stands for")

    def margins(self, run: Run, raw: bool) -> Margins:
        raise Unanswerable(f"it is not said what '{self.what}' stands for")
