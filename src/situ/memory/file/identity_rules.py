"""Identity rules: under which numbers the sightings of an object were filed before it was known to be one."""

import math
from bisect import bisect_right, insort
from collections.abc import Container
from typing import NamedTuple

from situ.memory.file.database import Database
from situ.memory.tables.pending_rows import FOREVER

_MOST_KEPT = 20_000  # lists of sources
Source = tuple[int, float, float]  # a number under which sightings are filed, and between which times


class _Rule(NamedTuple):
    row: int
    from_id: int
    into_id: int
    start: float
    stop: float
    known: float


class IdentityRules:
    """All rules of a file, which are only ever added to, at hand: a question about the past asks for the
    sources of hundreds of objects."""

    def __init__(self) -> None:
        self._of: dict[int, list[_Rule]] = {}  # by the numbers that they name
        self._known: list[float] = []  # when the rules became known, in order
        self._found: dict[tuple[int, int], list[Source]] = {}  # by object and how many rules were known
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
            insort(self._known, rule.known)
            self._read = rule.row
        self._found.clear()

    @property
    def named(self) -> Container[int]:
        """All numbers that some rule names."""
        return self._of

    def sources(self, object_id: int, known: float) -> list[Source]:
        """Under which numbers, and between which times, an object's sightings are filed.

        Rules apply in the order in which they became known, so they are undone from the last to the first.
        What a rule takes from a number was filed by the time that the rule was known.
        """
        if object_id not in self._of:
            return [(object_id, -FOREVER, FOREVER)]
        key = object_id, bisect_right(self._known, known)
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= _MOST_KEPT:
                self._found.clear()
            found = self._found[key] = self._undone(object_id, known)
        return found

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

    def _undone(self, object_id: int, known: float) -> list[Source]:
        spans: dict[int, list[tuple[float, float]]] = {object_id: [(-FOREVER, FOREVER)]}
        for rule in reversed(self._that_matter(object_id, known)):
            latest = min(rule.stop, math.nextafter(rule.known, math.inf))
            taken = [(max(a, rule.start), min(b, latest)) for a, b in spans.get(rule.into_id, ())]
            own = spans.get(rule.from_id, ())
            if taken or own:
                left = [part for a, b in own for part in _without(a, b, rule.start, rule.stop)]
                spans[rule.from_id] = left + [(a, b) for a, b in taken if a < b]
        return [(number, *span) for number, found in spans.items() for span in found]

    def _that_matter(self, object_id: int, known: float) -> list[_Rule]:
        """The rules that can matter to an object, in order."""
        related, rules, fresh = {object_id}, dict[int, _Rule](), [object_id]
        while fresh:
            for rule in self._of.get(fresh.pop(), ()):
                if rule.known <= known:
                    rules[rule.row] = rule
                    if rule.into_id in related and rule.from_id not in related:
                        related.add(rule.from_id)
                        fresh.append(rule.from_id)
        return [rules[row] for row in sorted(rules)]


def _without(a: float, b: float, start: float, stop: float) -> list[tuple[float, float]]:
    """What is left of a span of time when another one is cut out."""
    return [(c, d) for c, d in ((a, min(b, start)), (max(a, stop), b)) if c < d]
