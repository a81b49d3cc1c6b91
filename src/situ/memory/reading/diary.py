"""The diary of a memory, read from its file: the stays of things, and the places the wearer was in."""

from collections.abc import Iterator, Sequence

from situ.geometry.box import Box
from situ.memory.file.packing import PlaceRun
from situ.memory.reading.history import History
from situ.memory.reading.version_records import LAYOUT
from situ.state.diary import Stay, Visit, visits_from

_STAYS = """
SELECT s.object_id, s.valid_from, v.body FROM stay s JOIN version v
ON v.object_id = s.object_id AND v.stay = s.stay AND v.known_from = (
  SELECT max(w.known_from) FROM version w
  WHERE w.object_id = s.object_id AND w.stay = s.stay AND w.known_from <= ?)
WHERE s.object_id IN ({}) AND s.known_from <= ? AND s.valid_from <= ? ORDER BY s.object_id, s.stay
"""
_MOVED = """
SELECT DISTINCT s.object_id FROM stay s JOIN object o ON o.id = s.object_id
WHERE s.stay > 0 AND s.valid_from > :since AND s.valid_from <= :at AND s.known_from <= :known
AND o.died > :at ORDER BY s.object_id
"""
_COUNT = """
SELECT count(*) FROM object o WHERE o.born <= :known AND o.died > :known AND EXISTS(
    SELECT 1 FROM stay t WHERE t.object_id = o.id AND t.known_from <= :known AND t.valid_from <= :at)
"""
_AT_ONCE = 500
_POSITION, _SIZE = slice(2, 5), slice(11, 14)


def stays(history: History, numbers: Sequence[int], at: float, known: float) -> dict[int, list[Stay]]:
    """What was last said, by a time, of each stay of some objects that had begun by another."""
    found: dict[int, list[Stay]] = {number: [] for number in numbers}
    for first in range(0, len(numbers), _AT_ONCE):
        some = numbers[first : first + _AT_ONCE]
        query = _STAYS.format(",".join("?" * len(some)))
        for number, start, body in history.connection.execute(query, (known, *some, known, at)):
            row = LAYOUT.unpack(body.ljust(LAYOUT.size, b"\0"))
            found[number].append(Stay(number, Box(row[_POSITION], row[_SIZE]), start, bool(row[0] & 1)))
    return found


def count_staying(history: History, at: float, known: float) -> int:
    """How many objects were somewhere at a time; `History.views` without reading them."""
    return int(history.connection.execute(_COUNT, {"at": at, "known": known}).fetchone()[0])


def moved_since(history: History, since: float, at: float, known: float) -> list[int]:
    """Objects that began another stay after a time."""
    rows = history.connection.execute(_MOVED, {"since": since, "at": at, "known": known})
    return [row[0] for row in rows]


def visits(history: History, last_frame: int, tags: dict[int, str]) -> list[Visit]:
    """Runs of frames at one place, up to a frame."""
    spans: list[PlaceRun] = []
    for place, start, end in _place_runs(history, last_frame):
        if spans and spans[-1][0] == place:  # goes on from one run of frames into the next
            spans[-1] = (place, spans[-1][1], end)
        else:
            spans.append((place, start, end))
    flat = [(tags.get(place, ""), time) for place, start, end in spans for time in (start, end)]
    return visits_from([tag for tag, _ in flat], [time for _, time in flat])


def _place_runs(history: History, last_frame: int) -> Iterator[PlaceRun]:
    """The places of all frames up to one; those of whole runs of frames are read once."""
    known = history.kept_runs
    query = "SELECT first_frame, frames FROM chunk WHERE first_frame <= ? ORDER BY first_frame"
    for row in history.connection.execute(query, (last_frame,)).fetchall():
        if row in known and known[row][1] <= last_frame:
            yield from known[row][0]
        elif (block := history.block_of(row[0])) is not None:
            runs, end = block.place_runs(last_frame), int(block.frames[-1])
            if end <= last_frame:
                known[row] = runs, end
            yield from runs
