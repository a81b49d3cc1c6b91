"""The journal's rows into the tables; frames are packed in runs."""

import json
from collections.abc import Iterable, Sequence

from situ.memory.file.database import Database
from situ.memory.file.packing import pack_free, pack_poses, pack_seen, pack_sightings
from situ.memory.tables.frame_log import FrameRun
from situ.memory.tables.pending_rows import SEGMENT_M, Journal, Segment

_NO_END = 1e12  # seconds since the start
_MOST_FRAMES = 32767  # a sighting's offset in its chunk has fifteen bits


class RowWriter:
    """Writes into the open transaction of a connection. Of no use once a transaction has failed."""

    def __init__(self, connection: Database) -> None:
        self._connection = connection
        self._tail: list[FrameRun] = []

    def write(self, journal: Journal, start: float, chunk_frames: int) -> None:
        """`start` is the time of the first frame of all."""
        run = self._connection.executemany
        if journal.frames:
            self._write_chunk(journal.frames.run(), min(chunk_frames, _MOST_FRAMES))
        run("INSERT INTO object(id, born) VALUES(?, ?)", journal.births)
        run("UPDATE object SET died = ? WHERE id = ?", journal.deaths)
        run("INSERT OR IGNORE INTO stay VALUES(?, ?, ?, ?)", journal.stays)
        run("INSERT OR REPLACE INTO version VALUES(?, ?, ?, ?)", journal.versions)
        called = [(*key, known) for key, known in journal.called.items()]
        run("INSERT OR IGNORE INTO called VALUES(?, ?, ?, ?)", called)
        self._write_segments(journal.segments, start)
        run(
            "UPDATE segment SET max_time = ? WHERE id = ?",
            [(known - start, key) for known, key in journal.closings],
        )
        run("INSERT INTO identity VALUES(?, ?, ?, ?, ?)", journal.identities)
        run("INSERT OR REPLACE INTO keyframe VALUES(?, ?, ?, ?)", journal.keyframes)
        run("INSERT OR REPLACE INTO thumbnail VALUES(?, ?)", journal.thumbnails)
        run("INSERT OR REPLACE INTO place VALUES(?, ?, ?, ?, ?, ?, ?)", journal.places)
        run("INSERT OR IGNORE INTO near_pair VALUES(?, ?)", journal.near_pairs)

    def _write_segments(self, segments: Sequence[Segment], start: float) -> None:
        """A box for each stay. If its place was said anew, the box grows: the past is found under what was
        said then."""
        sides: dict[int, tuple[float, float, float, float]] = {}
        for key, x, y, *_ in segments:
            a, b, c, d = sides.get(key, (x, x, y, y))
            sides[key] = min(a, x), max(b, x), min(c, y), max(d, y)
        half, known = SEGMENT_M, self._known_segments(sides)
        boxes = {key: (a - half, b + half, c - half, d + half) for key, (a, b, c, d) in sides.items()}
        self._connection.executemany(
            "UPDATE segment SET min_x = min(min_x, ?), max_x = max(max_x, ?), min_y = min(min_y, ?), "
            "max_y = max(max_y, ?) WHERE id = ?",
            [(*boxes[key], key) for key in sides if key in known],
        )
        fresh = {key: (since, number, stay) for key, _, _, since, number, stay in reversed(segments)}
        self._connection.executemany(
            "INSERT INTO segment VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (key, *boxes[key], fresh[key][0] - start, _NO_END, *fresh[key][1:])
                for key in sides
                if key not in known
            ],
        )

    def _known_segments(self, keys: Iterable[int]) -> set[int]:
        rows = self._connection.execute(
            "SELECT s.id FROM json_each(?) j CROSS JOIN segment s ON s.id = j.value",
            (json.dumps(list(keys)),),
        )
        return {row[0] for row in rows.fetchall()}

    def _write_chunk(self, run: FrameRun, chunk_frames: int) -> None:
        """Small runs are joined with the one before while it is no longer than they are: few rewrites,
        and few rows even if every frame is written on its own."""
        while (
            self._tail and len(self._tail[-1]) <= len(run) and len(self._tail[-1]) + len(run) <= chunk_frames
        ):
            before = self._tail.pop()
            self._delete_chunk(before)
            run = before.followed_by(run)
        observations = len(run.observed)
        first, times = run.first, run.frames["time"]
        self._connection.execute(
            "INSERT INTO chunk VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            (
                first,
                len(run),
                float(times[0]),
                float(times[-1]),
                observations,
                pack_poses(run),
                pack_seen(run) if observations else None,
                pack_free(run),
            ),
        )
        if observations:
            rows = [(object_id, first, body) for object_id, body in pack_sightings(run).items()]
            self._connection.executemany("INSERT INTO sighting VALUES(?, ?, ?)", rows)
        self._tail.append(run)
        if len(run) > chunk_frames // 2:
            self._tail.clear()

    def _delete_chunk(self, run: FrameRun) -> None:
        first = run.first
        rows = {(number, first) for number in run.object_ids.tolist()}
        self._connection.execute("DELETE FROM chunk WHERE first_frame = ?", (first,))
        self._connection.executemany("DELETE FROM sighting WHERE object_id = ? AND first_frame = ?", rows)
