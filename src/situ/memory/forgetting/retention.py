"""Bounding a memory that never stops: old observations go, what they taught stays."""

import uuid

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.packing import PoseBlock, pack_table, unpack_seen, unpack_sightings
from situ.memory.file.store import Store
from situ.memory.options import Forgetting
from situ.memory.reading.history import History
from situ.memory.reading.stream import GENERATION, HORIZON


def forget(store: Store, history: History, rule: Forgetting, now: float) -> int:
    """Thin everything older than the rule's horizon, in the open transaction; the count of runs thinned.

    Of the frames in an old run those stay that show an object best, and one in `keep_every`. Their poses
    are kept; their observations and free space are dropped. Of an object's sightings in an old run the first
    and the last stay. Of what was said about an object, the last word before the horizon stays, for each
    of its places. What places looked like goes.
    """
    limit = now - rule.horizon_s
    rows = store.connection.execute(
        "SELECT first_frame, poses, seen, observations FROM chunk "
        "WHERE last_time < ? AND (seen IS NOT NULL OR free IS NOT NULL)",
        (limit,),
    ).fetchall()
    for first_frame, poses, seen, count in rows:
        _thin_run(store, PoseBlock.unpack(first_frame, poses), unpack_seen(seen, count), rule.keep_every)
    if rows:
        store.connection.execute(
            "DELETE FROM version WHERE known_from < ? AND known_from < ("
            "SELECT max(known_from) FROM version w WHERE w.object_id = version.object_id "
            "AND w.stay = version.stay AND w.known_from < ?)",
            (limit, limit),
        )
        from situ.memory.file.visual_map import forget_views  # OpenCV is imported for it

        forget_views(store, lambda view: view.time < limit)
        store.put(HORIZON, str(limit))
        store.put(GENERATION, str(uuid.uuid4()))
        history.drop_cache()
    return len(rows)


def _thin_run(store: Store, block: PoseBlock, seen: NDArray[np.void], keep_every: int) -> None:
    run, first, numbers = store.connection, block.first_frame, block.frames
    best = run.execute(
        "SELECT DISTINCT frame FROM keyframe WHERE frame BETWEEN ? AND ?", (first, int(numbers[-1]))
    ).fetchall()
    needed = {row[0] for row in best}
    kept = []
    for object_id in np.unique(seen["object_id"]).tolist():
        key = (object_id, first)
        body = run.execute(
            "SELECT body FROM sighting WHERE object_id = ? AND first_frame = ?", key
        ).fetchone()[0]
        codes = np.frombuffer(body, "<u2")
        kept.append((codes[[0, -1]].tobytes() if len(codes) > 2 else body, *key))
        frames, _ = unpack_sightings(first, kept[-1][0])
        needed |= set(frames.tolist())
    run.executemany("UPDATE sighting SET body = ? WHERE object_id = ? AND first_frame = ?", kept)
    keep = (numbers % keep_every == 0) | np.isin(numbers, sorted(needed))
    keep[0] = keep[-1] = True
    run.execute(
        "UPDATE chunk SET poses = ?, seen = NULL, free = NULL, observations = 0, frames = ? "
        "WHERE first_frame = ?",
        (pack_table(block.table[:, keep]), int(keep.sum()), first),
    )
