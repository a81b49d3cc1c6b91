"""Reading a memory through and through: every row, against the others and against what may be."""

import json
import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from situ.errors import SituError
from situ.memory.checkpoint import load
from situ.memory.file.database import Database
from situ.memory.file.packing import PoseBlock, unpack_free, unpack_page, unpack_seen, unpack_sightings
from situ.memory.memory import SpatialMemory
from situ.memory.reading.history import History
from situ.memory.tables.row_types import VERSION
from situ.memory.tables.tracks import TRACK
from situ.memory.tables.vocabulary import LABEL

_MOST_FAULTS = 20  # more than anybody reads before mending


def inspect(memory: SpatialMemory) -> list[str]:
    """What is wrong with a memory, in words; nothing if it is sound."""
    connection = memory.history.connection
    faults: list[str] = []
    checks = (_integrity, _stream, _sightings, _versions, _words, _working_memory)
    for check in (*checks, partial(_loads, memory)):
        try:
            faults += check(connection)
        except SituError as error:
            faults.append(str(error))
        except (ValueError, TypeError, KeyError, IndexError, AssertionError) as error:
            faults.append(f"its content cannot be read: {type(error).__name__} {str(error)[:100]}")
    return faults[:_MOST_FAULTS]


def _integrity(connection: Database) -> Iterator[str]:
    with connection.unhurried():
        said = [row[0] for row in connection.execute("PRAGMA integrity_check").fetchall()]
        places = connection.execute("SELECT rtreecheck('segment')").fetchone()[0]
    yield from (f"database: {line}" for line in said if line != "ok")
    if places != "ok":
        yield "database: the index of places is damaged"


def _stream(connection: Database) -> Iterator[str]:
    """Runs of frames, without overlap, in order of time."""
    rows = connection.execute(
        "SELECT first_frame, frames, first_time, last_time, observations, poses, seen, free FROM chunk "
        "ORDER BY first_frame"
    )
    last_frame, last_time = -1, -math.inf
    for first, frames, start, stop, count, poses, seen, free in rows:
        block = PoseBlock.unpack(first, poses)
        numbers, times = block.frames, block.times
        where = f"run of frames from {first}"
        if len(times) != frames or numbers[0] < first or (np.diff(numbers) <= 0).any():
            yield f"{where}: its frames are not those that it names"
        if not np.isfinite(block.table).all() or (np.diff(times) <= 0).any():
            yield f"{where}: its times or poses are no numbers, or out of order"
        if (start, stop) != (float(times[0]), float(times[-1])) or start <= last_time or first <= last_frame:
            yield f"{where}: it does not follow the one before"
        lines = unpack_seen(seen, count)
        if len(lines) and not np.isfinite(lines["in_camera"]).all():
            yield f"{where}: places of things are no numbers"
        if free is not None:
            unpack_free(free)
        last_frame, last_time = int(numbers[-1]), float(times[-1])
    state = connection.execute("SELECT body FROM mind WHERE key = 'state'").fetchone()
    held = json.loads(state[0])["frames"] - 1 if state is not None else last_frame
    cut = connection.execute("SELECT count(*) FROM tombstone WHERE name IS NULL").fetchone()[0]
    if last_frame > held or (0 <= last_frame < held and not cut):
        yield f"the stream ends with frame {last_frame}, working memory with {held}"


def _sightings(connection: Database) -> Iterator[str]:
    """Each sighting is of a frame of its run."""
    ends = dict(connection.execute("SELECT first_frame, frames FROM chunk").fetchall())
    for number, first, body in connection.execute("SELECT object_id, first_frame, body FROM sighting"):
        frames, _ = unpack_sightings(first, body)
        if first not in ends or not len(frames) or (np.diff(frames) < 0).any():
            yield f"sightings of object {number} from frame {first} on are of no frames that there are"


def _versions(connection: Database) -> Iterator[str]:
    """Every version is of an object and of one of its stays, and can be read."""
    orphans = connection.execute(
        "SELECT v.object_id FROM version v LEFT JOIN stay s ON s.object_id = v.object_id AND s.stay = v.stay "
        "LEFT JOIN object o ON o.id = v.object_id WHERE s.stay IS NULL OR o.id IS NULL"
    ).fetchall()
    yield from (f"object {row[0]} has a version that belongs to nothing" for row in orphans)
    for number, body in connection.execute("SELECT object_id, body FROM version"):
        if len(body) > VERSION.itemsize:
            yield f"a version of object {number} is too long"
            continue
        row = np.frombuffer(body.ljust(VERSION.itemsize, b"\0"), VERSION)[0]
        if not (np.isfinite(row["position"]).all() and 0.0 <= row["exists"] <= 1.0 + 1e-6):
            yield f"a version of object {number} holds what is no place or no probability"


def _words(connection: Database) -> Iterator[str]:
    words = History(connection).words
    for number, body in connection.execute("SELECT object_id, body FROM version"):
        row = np.frombuffer(body.ljust(VERSION.itemsize, b"\0")[: VERSION.itemsize], VERSION)[0]
        for label in row["labels"][row["labels"] > 0].tolist():
            if not words.has(LABEL, label):
                yield f"object {number} is called by a name that is not in the vocabulary"


def _loads(memory: SpatialMemory, _: Database) -> Iterator[str]:
    """The working memory can be taken up again."""
    load(memory.store, None)
    yield from ()


def _working_memory(connection: Database) -> Iterator[str]:
    """Every track is a track."""
    for slot, page in connection.execute("SELECT slot, body FROM track"):
        rows = np.frombuffer(unpack_page(page), TRACK)
        if not np.isfinite(rows["position"][rows["id"] > 0]).all():
            yield f"tracks from {slot} on hold what is no place"
