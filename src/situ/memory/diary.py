"""The diary of a memory, read from its file: the stays of things, and the places the wearer was in."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.memory.history import History
from situ.memory.remembered import LAYOUT
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
    numbers, times = [np.zeros(0)], [np.zeros(0)]
    for block in history.blocks(last_frame):
        keep = block.frames <= last_frame
        numbers.append(block.table[13][keep])
        times.append(block.times[keep])
    places: NDArray[np.int64] = np.concatenate(numbers).astype(np.int64)
    # Only where the place changes is there anything to say: a day has many frames and few visits.
    edges = np.flatnonzero(np.diff(places, prepend=-1, append=-1))
    moments = np.concatenate(times)
    ends = [(int(a), int(b) - 1) for a, b in pairwise(edges)]
    spans = [(tags.get(int(places[a]), ""), float(moments[a]), float(moments[b])) for a, b in ends]
    flat = [(tag, time) for tag, start, end in spans for time in (start, end)]
    return visits_from([tag for tag, _ in flat], [time for _, time in flat])
