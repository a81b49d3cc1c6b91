"""The diary of a memory, read from its file: the stays of things, and the places the wearer was in."""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.memory.history import History
from situ.memory.remembered import LAYOUT
from situ.state.diary import Stay, Visit, visits_from
from situ.state.protocol import ObjectView

Views = Iterable[ObjectView]

_STAYS = """
SELECT s.object_id, s.valid_from, v.body FROM stay s JOIN version v
ON v.object_id = s.object_id AND v.stay = s.stay AND v.known_from = (
  SELECT max(w.known_from) FROM version w
  WHERE w.object_id = s.object_id AND w.stay = s.stay AND w.known_from <= :known)
WHERE s.object_id = :which AND s.known_from <= :known AND s.valid_from <= :at ORDER BY s.stay
"""
_MOVED = """
SELECT DISTINCT s.object_id FROM stay s JOIN object o ON o.id = s.object_id
WHERE s.stay > 0 AND s.valid_from > :since AND s.valid_from <= :at AND s.known_from <= :known
AND o.died > :at ORDER BY s.object_id
"""
_POSITION, _SIZE = slice(2, 5), slice(11, 14)


def stays(history: History, object_id: int, at: float, known: float) -> list[Stay]:
    """What was last said, by a time, of each stay of an object that had begun by another."""
    rows = history.connection.execute(_STAYS, {"which": object_id, "at": at, "known": known})
    found = []
    for number, start, body in rows:
        row = LAYOUT.unpack(body.ljust(LAYOUT.size, b"\0"))
        found.append(Stay(number, Box(row[_POSITION], row[_SIZE]), start, bool(row[0] & 1)))
    return found


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


MOST_FRAMES = 20_000  # a longer diary costs too much to read for one question
_NEAR_M = 4.5  # what was never seen from nearer may be behind a window
_CELL_M = 0.4  # walked spots nearer to each other say the same
_BEST = "SELECT object_id, frame, quality FROM keyframe WHERE frame <= ? AND known_from <= ?"
_SETTLED = (
    "SELECT object_id, max(valid_from) FROM stay WHERE stay > 0 AND valid_from <= ? AND known_from <= ? "
    "GROUP BY object_id"
)


class Anchors(NamedTuple):
    """Spots of which it is known in which place they are: (n, 2), and the number of the place (n,)."""

    spots: NDArray[np.float64]
    places: NDArray[np.int64]


def anchors(history: History, last_frame: int, at: float, known: float, views: Views) -> Anchors | None:
    """Where the wearer walked, and each thing by where they stood at its nearest clear sighting since then.

    What is seen from near is seen from its own room: walls hide the rest.
    """
    if last_frame < 0 or last_frame > MOST_FRAMES:
        return None
    blocks = list(history.blocks(last_frame))
    frames = np.concatenate([block.frames for block in blocks])
    places = np.concatenate([block.table[13] for block in blocks]).astype(np.int64)
    ground = np.concatenate([block.positions for block in blocks])[:, :2]
    times = np.concatenate([block.times for block in blocks])
    told = places > 0
    if not told.any():
        return None
    cells = np.column_stack([np.round(ground[told] / _CELL_M), places[told]]).astype(np.int64)
    _, first = np.unique(cells, axis=0, return_index=True)
    settled = dict(history.connection.execute(_SETTLED, (at, known)).fetchall())
    rows = np.array(history.connection.execute(_BEST, (last_frame, known)).fetchall()).reshape(-1, 3)
    k = np.minimum(np.searchsorted(frames, rows[:, 1]), len(frames) - 1)
    since = np.array([settled.get(number, -np.inf) for number in rows[:, 0].tolist()])
    fits = (places[k] > 0) & (times[k] >= since)
    order = np.argsort(rows[fits, 2], kind="stable")  # the best comes last and stays
    numbers, inside = rows[fits, 0][order].astype(np.int64), places[k][fits][order]
    best = dict(zip(numbers.tolist(), inside.tolist(), strict=True))
    spot_of = dict(zip(numbers.tolist(), ground[k][fits][order].tolist(), strict=True))
    seen = [
        (view.box.center[:2], best[view.id])
        for view in views
        if view.id in best and math.dist(view.box.center[:2], spot_of[view.id]) <= _NEAR_M
    ]
    spots = np.concatenate([ground[told][first], np.array([spot for spot, _ in seen]).reshape(-1, 2)])
    return Anchors(spots, np.concatenate([places[told][first], np.array([p for _, p in seen], np.int64)]))
