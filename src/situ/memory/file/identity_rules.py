"""Identity rules: under which numbers the sightings of an object were filed before it was known to be one."""

import math
from bisect import bisect_right
from collections.abc import Container, Sequence
from operator import itemgetter
from typing import NamedTuple

from situ.memory.file.database import Database
from situ.memory.tables.pending_rows import FOREVER

Source = tuple[int, float, float]  # a number under which sightings are filed, and between which times
# The source of several that lasts longest, if there is any, and until when the longest of the others does.
_Latest = tuple[Source | None, float]


class _Rule(NamedTuple):
    row: int
    from_id: int
    into_id: int
    start: float
    stop: float
    known: float


class _Filed:
    """The sources of one object as the rules came. A rule that adds some leaves those before as they are."""

    __slots__ = ("_told",)  # thousands are kept

    def __init__(self, number: int) -> None:
        # How many rules were known, how many of the sources counted then, and which was the latest of these;
        # tuples of plain values cost Python's collector nothing, so that only what has grown is a list.
        self._told: list[tuple[int, int, Sequence[Source], _Latest]] = []
        self.become(0, ((number, -FOREVER, FOREVER),))

    def by(self, rules: int) -> Sequence[Source]:
        """As of so many rules."""
        _, count, sources, _ = self.as_of(rules)
        return sources[:count]

    def as_of(self, rules: int) -> tuple[int, int, Sequence[Source], _Latest]:
        return self._told[bisect_right(self._told, rules, key=itemgetter(0)) - 1]

    def become(self, rules: int, sources: Sequence[Source]) -> None:
        self._told.append((rules, len(sources), sources, _latest_of(sources)))

    def grow(self, rules: int, more: Sequence[Source]) -> None:
        _, _, sources, latest = self._told[-1]
        grown = sources if isinstance(sources, list) else list(sources)
        grown.extend(more)
        self._told.append((rules, len(grown), grown, _latest_of(more, *latest)))


class IdentityRules:
    """All rules of a file, which are only ever added to, at hand: a question about the past asks for the
    sources of hundreds of objects."""

    def __init__(self) -> None:
        self._of: dict[int, list[_Rule]] = {}  # by the numbers that they name
        self._known: list[float] = []  # when the rules became known, in order
        self._filed: dict[int, _Filed] = {}
        self._read = 0

    def update(self, connection: Database, last_row: int) -> None:
        """Read the rules up to a row that are not known yet."""
        if last_row == self._read:
            return
        rows = connection.execute(
            "SELECT rowid, from_id, into_id, valid_from, valid_to, known_from FROM identity "
            "WHERE rowid > ? ORDER BY rowid",
            (self._read,),
        ).fetchall()
        for rule in map(_Rule._make, rows):
            for number in {rule.from_id, rule.into_id}:
                self._of.setdefault(number, []).append(rule)
                self._filed.setdefault(number, _Filed(number))
            # Each was written down after those before it, and so was known no sooner.
            self._known.append(max(rule.known, self._known[-1] if self._known else -math.inf))
            self._apply(rule, len(self._known))
            self._read = rule.row

    def _apply(self, rule: _Rule, rules: int) -> None:
        """What a rule takes from a number was filed by the time that the rule was known."""
        start, stop, latest = rule.start, rule.stop, min(rule.stop, math.nextafter(rule.known, math.inf))
        given = self._filed[rule.from_id].by(rules)
        left = [source for source in given if source[1] >= stop or source[2] <= start]  # most of many
        touched = [source for source in given if source[1] < stop and source[2] > start]
        left += [(number, *part) for number, a, b in touched for part in _without(a, b, start, stop)]
        taken = [(number, max(a, start), min(b, latest)) for number, a, b in touched]
        self._filed[rule.from_id].become(rules, tuple(left))
        self._filed[rule.into_id].grow(rules, [source for source in taken if source[1] < source[2]])

    @property
    def named(self) -> Container[int]:
        """All numbers that some rule names."""
        return self._of

    def sources(self, object_id: int, known: float) -> Sequence[Source]:
        """Under which numbers, and between which times, an object's sightings are filed."""
        filed = self._filed.get(object_id)
        if filed is None:
            return ((object_id, -FOREVER, FOREVER),)
        return filed.by(bisect_right(self._known, known))

    def latest_source(self, object_id: int, known: float) -> tuple[int, float]:
        """The number under which an object's sightings are filed now, and up to when others may be later;
        found as rules come, because a thing that is taken for others hundreds of times has as many."""
        filed = self._filed.get(object_id)
        if filed is None:
            return object_id, -FOREVER
        latest, rival = filed.as_of(bisect_right(self._known, known))[3]
        if latest is None:
            return object_id, math.inf
        number, start, stop = latest
        return number, max(start, rival) if stop >= FOREVER else math.inf

    def owner(self, number: int, known: float) -> int:
        """The object that what was filed under a number last belongs to now."""
        row = 0
        while True:
            rules = (
                rule
                for rule in self._of.get(number, ())
                if rule.from_id == number and rule.row > row and rule.known <= known and rule.stop >= FOREVER
            )
            rule = next(rules, None)
            if rule is None:
                return number
            number, row = rule.into_id, rule.row

    def heirs(self, number: int, known: float) -> set[int]:
        """The objects that some of what was filed under a number may belong to now."""
        found, fresh = {number}, [number]
        while fresh:
            current = fresh.pop()
            for rule in self._of.get(current, ()):
                if rule.from_id == current and rule.known <= known and rule.into_id not in found:
                    found.add(rule.into_id)
                    fresh.append(rule.into_id)
        return found


def _latest_of(sources: Sequence[Source], latest: Source | None = None, rival: float = -FOREVER) -> _Latest:
    """`latest` and `rival`: of those that come before these."""
    for source in sources:
        if latest is None or source[2] >= latest[2]:
            latest, rival = source, rival if latest is None else max(rival, latest[2])
        else:
            rival = max(rival, source[2])
    return latest, rival


def _without(a: float, b: float, start: float, stop: float) -> list[tuple[float, float]]:
    """What is left of a span of time when another one is cut out."""
    return [(c, d) for c, d in ((a, min(b, start)), (max(a, stop), b)) if c < d]
