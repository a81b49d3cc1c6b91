"""Identity rules: under which numbers the sightings of an object were filed before it was known to be one."""

from situ.memory.file.database import Database
from situ.memory.tables.pending_rows import FOREVER


def sources(connection: Database, object_id: int, known: float) -> list[tuple[int, float, float]]:
    """Under which numbers, and between which times, an object's sightings are filed.

    Rules apply in the order in which they became known, so they are undone from the last to the first.
    """
    spans = [(object_id, -FOREVER, FOREVER)]
    for from_id, into_id, start, stop in reversed(_rules(connection, object_id, known)):
        before = []
        for number, a, b in spans:
            if number == from_id:
                before += [(number, *part) for part in _without(a, b, start, stop)]
            else:
                before.append((number, a, b))
            if number == into_id and max(a, start) < min(b, stop):
                before.append((from_id, max(a, start), min(b, stop)))
        spans = before
    return spans


def named_after(connection: Database, row: int) -> set[int]:
    """The objects that the rules after a row name."""
    rows = connection.execute("SELECT from_id, into_id FROM identity WHERE rowid > ?", (row,)).fetchall()
    return {number for pair in rows for number in pair}


def owner(connection: Database, number: int, known: float) -> int:
    """The object that what was filed under a number last belongs to now."""
    rows = connection.execute(
        "SELECT from_id, into_id FROM identity WHERE known_from <= ? AND valid_to >= 1e300 ORDER BY rowid",
        (known,),
    )
    for from_id, into_id in rows:
        number = into_id if from_id == number else number
    return number


def _rules(connection: Database, object_id: int, known: float) -> list[tuple[int, int, float, float]]:
    """The identity rules that can matter to an object, in order."""
    related, rules, fresh = {object_id}, {}, [object_id]
    while fresh:
        number = fresh.pop()
        rows = connection.execute(
            "SELECT rowid, from_id, into_id, valid_from, valid_to FROM identity "
            "WHERE (into_id = ? OR from_id = ?) AND known_from <= ?",
            (number, number, known),
        )
        for row, from_id, into_id, start, stop in rows:
            rules[row] = (from_id, into_id, start, stop)
            if into_id in related and from_id not in related:
                related.add(from_id)
                fresh.append(from_id)
    return [rules[row] for row in sorted(rules)]


def _without(a: float, b: float, start: float, stop: float) -> list[tuple[float, float]]:
    """What is left of a span of time when another one is cut out."""
    return [(c, d) for c, d in ((a, min(b, start)), (max(a, stop), b)) if c < d]
