"""Forgetting on request: what somebody wants deleted leaves no trace in the file but that it was deleted."""

import json
import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.memory.file.packing import (
    PAGE,
    PoseBlock,
    pack_lines,
    pack_page,
    pack_table,
    pack_tables,
    unpack_free,
    unpack_page,
    unpack_seen,
    unpack_sightings,
)
from situ.memory.file.store import Store
from situ.memory.file.tombstones import bury
from situ.memory.file.visual_map import forget_views
from situ.memory.forgetting.selection import Selected, select
from situ.memory.reading.history import History
from situ.memory.reading.stream import GENERATION
from situ.memory.tables.row_types import VERSION
from situ.memory.tables.tracks import TRACK
from situ.memory.tables.version_log import to_bodies
from situ.memory.tables.vocabulary import FEATURE, KEY, LABEL, PLACE
from situ.memory.tracker.working_memory import WorkingMemory
from situ.perception.odometry.visual_map import MapView

Spans = list[tuple[float, float]]


@dataclass(frozen=True)
class Request:
    """What is to be forgotten: a thing by its number, all things of a kind, a person or anything else by a
    name, all that was seen in a place, or all that was seen in a span of time."""

    thing: int | None = None
    kind: str | None = None
    person: str | None = None
    place: str | None = None
    start: float | None = None
    stop: float | None = None

    def __post_init__(self) -> None:
        asked = (self.thing, self.kind, self.person, self.place)
        ranged = self.start is not None or self.stop is not None
        if sum(part is not None for part in asked) + ranged != 1:
            raise BadInput("say one thing to forget: a thing, a kind, a person, a place, or a span of time")
        if ranged and not self.span[0] <= self.span[1]:
            raise BadInput(f"a span of time from {self.start} to {self.stop} holds nothing")

    @property
    def span(self) -> tuple[float, float]:
        return (
            -math.inf if self.start is None else self.start,
            math.inf if self.stop is None else self.stop,
        )


@dataclass(frozen=True)
class Erased:
    """How much was deleted."""

    things: int
    frames: int
    pictures: int
    complete: bool = True  # False while a reader holds on to the log, which goes when it closes


def erase(store: Store, history: History, working: WorkingMemory, request: Request) -> Erased:
    """Delete from the tables, in the open transaction, all that a request names. Working memory is not
    touched: it has to be loaded anew."""
    chosen = select(history, working, **vars(request))
    numbers, times = _frame_times(store)
    shown, frames = _rewrite_stream(store, chosen, _resumed(times, chosen))
    _drop_views(store, numbers, times, shown, chosen)
    pictures = _drop_pictures(store, shown, chosen)
    _drop_things(store, chosen)
    _rewrite_versions(store, chosen)
    _rewrite_tracks(store, chosen)
    _rewrite_places(store, chosen)
    _rewrite_scalars(store, chosen)
    _blank_unused_words(store)
    # Half-open, so that the present, which goes on, is in none.
    spans = [(max(a, -1e12), min(math.nextafter(b, math.inf), working.time)) for a, b in chosen.spans]
    bury(store.connection, chosen.names, spans)
    store.put(GENERATION, str(uuid.uuid4()))
    return Erased(len(chosen.things), frames, pictures)


def _resumed(times: NDArray[np.float64], chosen: Selected) -> NDArray[np.float64]:
    """Times of the first frames after forgotten spans."""
    after = np.searchsorted(times, [stop for _, stop in chosen.spans], "right")
    return np.asarray(times[after[after < len(times)]])


def _rewrite_stream(store: Store, chosen: Selected, resumed: NDArray[np.float64]) -> tuple[set[int], int]:
    """Frames, observations and sightings; the frames that showed what goes, and how many frames went."""
    run, shown, dropped = store.connection, set(chosen.frames), 0
    rows = run.execute("SELECT first_frame, observations, poses, seen, free FROM chunk").fetchall()
    for first, count, poses, seen, free in rows:
        block = PoseBlock.unpack(first, poses)
        lines = unpack_seen(seen, count)
        keep = ~chosen.in_spans(block.times)
        times = _times_of(block, lines["frame"].astype(np.int64) + first)
        out = chosen.is_gone(lines["object_id"], times) | np.isin(lines["label"], list(chosen.labels))
        for feature in chosen.features:
            lines["features"][lines["features"] == feature] = 0
        shown |= set((lines["frame"][out].astype(np.int64) + first).tolist())
        shown |= _rewrite_sightings(store, first, block, chosen)
        lines = lines[~out & ~chosen.in_spans(times)]
        dropped += int((~keep).sum())
        if not keep.any():
            run.execute("DELETE FROM chunk WHERE first_frame = ?", (first,))
            continue
        table = block.table[:, keep].copy()
        table[13, np.isin(table[13], list(chosen.places))] = 0
        table[13, np.isin(table[0], resumed)] = 0  # no visit goes on across a span that nobody knows of
        tables = None if free is None else pack_tables(unpack_free(free)[keep])
        run.execute(
            "UPDATE chunk SET frames = ?, first_time = ?, last_time = ?, observations = ?, poses = ?, "
            "seen = ?, free = ? WHERE first_frame = ?",
            (
                int(keep.sum()), float(table[0, 0]), float(table[0, -1]), len(lines), pack_table(table),
                pack_lines(lines) if len(lines) else None, tables, first,
            ),
        )  # fmt: skip
    return shown, dropped


def _times_of(block: PoseBlock, frames: NDArray[np.int64]) -> NDArray[np.float64]:
    at = np.clip(np.searchsorted(block.frames, frames), 0, max(0, len(block.frames) - 1))
    return np.asarray(block.times[at]) if len(block.times) else np.zeros(len(frames))


def _frame_times(store: Store) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    rows = store.connection.execute("SELECT first_frame, poses FROM chunk ORDER BY first_frame").fetchall()
    blocks = [PoseBlock.unpack(first, poses) for first, poses in rows]
    numbers = [np.zeros(0, np.int64), *(block.frames for block in blocks)]
    return np.concatenate(numbers), np.concatenate([np.zeros(0), *(block.times for block in blocks)])


def _drop_views(
    store: Store, numbers: NDArray[np.int64], times: NDArray[np.float64], shown: set[int], chosen: Selected
) -> None:
    """What a place looked like goes with the span of time, and with the frames that show what goes."""

    def gone(view: MapView) -> bool:
        nearest = numbers[np.abs(times - view.time).argmin()] if len(times) else -1
        return bool(chosen.in_spans([view.time])[0]) or int(nearest) in shown

    forget_views(store, gone)


def _rewrite_sightings(store: Store, first: int, block: PoseBlock, chosen: Selected) -> set[int]:
    """Of one run of frames; the frames in which something that is forgotten was seen."""
    run, shown = store.connection, set[int]()
    rows = run.execute("SELECT object_id, body FROM sighting WHERE first_frame = ?", (first,)).fetchall()
    for number, body in rows:
        frames, _ = unpack_sightings(first, body)
        times = _times_of(block, frames)
        gone = chosen.is_gone(np.full(len(frames), number), times)
        shown |= set(frames[gone].tolist())
        out = gone | chosen.in_spans(times)
        if out.all():
            run.execute("DELETE FROM sighting WHERE object_id = ? AND first_frame = ?", (number, first))
        elif out.any():
            codes = np.frombuffer(body, "<u2")[~out].tobytes()
            run.execute(
                "UPDATE sighting SET body = ? WHERE object_id = ? AND first_frame = ?", (codes, number, first)
            )
    return shown


def _drop_pictures(store: Store, shown: set[int], chosen: Selected) -> int:
    run, frames = store.connection, [(frame,) for frame in sorted(shown)]
    before = run.execute("SELECT count(*) FROM thumbnail").fetchone()[0]
    run.executemany("DELETE FROM thumbnail WHERE frame = ?", frames)
    dropped = [(frame,) for frame in sorted(chosen.frames)]
    run.executemany("DELETE FROM keyframe WHERE frame = ?", dropped)
    run.executemany("DELETE FROM pose_revision WHERE frame = ?", dropped)
    for x, y, heading, newest, older in run.execute("SELECT * FROM past_view").fetchall():
        if newest in chosen.frames or older in chosen.frames:
            run.execute("DELETE FROM past_view WHERE x = ? AND y = ? AND heading = ?", (x, y, heading))
    return int(before - run.execute("SELECT count(*) FROM thumbnail").fetchone()[0])


def _drop_things(store: Store, chosen: Selected) -> None:
    run, gone = store.connection, [(number,) for number in sorted(chosen.numbers)]
    for table in ("stay", "version", "called", "keyframe", "embedding", "segment"):
        run.executemany(f"DELETE FROM {table} WHERE object_id = ?", gone)
    run.executemany("DELETE FROM object WHERE id = ?", gone)
    run.executemany("DELETE FROM identity WHERE into_id = ?", gone)
    run.executemany("DELETE FROM near_pair WHERE first = ? OR second = ?", [row * 2 for row in gone])
    for word in chosen.labels:
        run.execute("DELETE FROM called WHERE kind = 0 AND word = ?", (word,))
    for word in chosen.features:
        run.execute("DELETE FROM called WHERE kind = 1 AND word = ?", (word,))


def _rewrite_versions(store: Store, chosen: Selected) -> None:
    """Names leave the versions of other things; what was said in a forgotten span is unsaid, or said only
    when the thing was seen again."""
    run = store.connection
    for number, stay, known, body in run.execute("SELECT * FROM version").fetchall():
        row = np.frombuffer(body.ljust(VERSION.itemsize, b"\0"), VERSION).copy()
        before = row.tobytes()
        _without_words(row[0], chosen)
        if chosen.spans and number in chosen.again:
            _shift_times(row[0], ("first_seen", "last_seen", "absent_since"), chosen, chosen.again[number])
        if row.tobytes() != before:
            run.execute(
                "UPDATE version SET body = ? WHERE object_id = ? AND stay = ? AND known_from = ?",
                (to_bodies(row)[0], number, stay, known),
            )
    for start, stop in chosen.spans:
        for number, again in chosen.again.items():
            _unsay(store, number, start, stop, again)


def _without_words(row: np.void, chosen: Selected) -> None:
    kept = [
        (label, share)
        for label, share in zip(row["labels"].tolist(), row["shares"].tolist(), strict=True)
        if label and label not in chosen.labels
    ]
    row["labels"], row["shares"] = 0, 0.0
    for k, (label, share) in enumerate(kept):
        row["labels"][k], row["shares"][k] = label, share
    features = [f for f in row["features"].tolist() if f and f not in chosen.features]
    row["features"] = features + [0] * (len(row["features"]) - len(features))


def _shift_times(row: np.void, names: tuple[str, ...], chosen: Selected, again: float) -> None:
    for name in names:
        if chosen.in_spans(np.array([row[name]]))[0]:
            row[name] = again if again < math.inf else chosen.spans[0][0]


def _unsay(store: Store, number: int, start: float, stop: float, again: float) -> None:
    """What was said of a thing within a span. Seen again later, the last of it holds from then on."""
    run, within = store.connection, (number, start, stop)
    stays = run.execute(
        "SELECT stay, max(known_from) FROM version WHERE object_id = ? AND known_from BETWEEN ? AND ? "
        "GROUP BY stay",
        within,
    ).fetchall()
    run.executemany(
        "DELETE FROM version WHERE object_id = ? AND stay = ? AND known_from BETWEEN ? AND ? "
        "AND known_from < ?",
        [(number, stay, start, stop, last if again < math.inf else math.inf) for stay, last in stays],
    )
    if again < math.inf:
        run.executemany(
            "UPDATE OR IGNORE version SET known_from = ? WHERE object_id = ? AND stay = ? AND known_from = ?",
            [(again, number, stay, last) for stay, last in stays],
        )
        run.execute("DELETE FROM version WHERE object_id = ? AND known_from BETWEEN ? AND ?", within)
        for column in ("known_from", "valid_from"):
            run.execute(
                f"UPDATE stay SET {column} = ? WHERE object_id = ? AND {column} BETWEEN ? AND ?",
                (again, *within),
            )
        for table, column, key in (("object", "born", "id"), ("called", "known_from", "object_id")):
            run.execute(
                f"UPDATE {table} SET {column} = ? WHERE {key} = ? AND {column} BETWEEN ? AND ?",
                (again, *within),
            )
    else:
        run.execute("DELETE FROM stay WHERE object_id = ? AND known_from BETWEEN ? AND ?", within)
        run.execute(
            "DELETE FROM segment WHERE object_id = ? AND stay NOT IN "
            "(SELECT stay FROM stay s WHERE s.object_id = ?)",
            (number, number),
        )


def _rewrite_tracks(store: Store, chosen: Selected) -> None:
    """Rows of working memory: gone things are blanked, as are rows that nothing uses, and others go back to
    what was known before a forgotten span if they were not seen since."""
    run = store.connection
    for slot, page in run.execute("SELECT slot, body FROM track").fetchall():
        rows = np.frombuffer(unpack_page(page), TRACK).copy()
        for k in range(PAGE):
            row, number = rows[k], int(rows[k]["id"])
            if number == 0 or number in chosen.numbers:
                rows[k] = np.zeros((), TRACK)
                continue
            _without_votes(row, "labels", "label_weights", chosen.labels)
            _without_votes(row, "stay_labels", "stay_weights", chosen.labels)
            _without_votes(row, "features", "feature_weights", chosen.features)
            row["renamed"], row["renamed_to"] = 0, 0  # the number may be that of a name
            if int(row["near_label"]) in chosen.labels:
                row["near_label"], row["near_m"] = 0, math.inf
            if number not in chosen.again:
                continue
            again = chosen.again[number]
            _shift_times(row, ("first_seen", "stay_since", "absent_since", "previous_since"), chosen, again)
            if again == math.inf:
                said = run.execute(
                    "SELECT stay, body FROM version WHERE object_id = ? ORDER BY stay DESC, known_from DESC",
                    (number,),
                ).fetchone()
                if said is not None:
                    _go_back(row, *said)
        run.execute("UPDATE track SET body = ? WHERE slot = ?", (pack_page(rows.tobytes()), slot))


def _without_votes(row: np.void, names: str, weights: str, out: set[int]) -> None:
    for k, word in enumerate(row[names].tolist()):
        if word in out:
            row[names][k], row[weights][k] = 0, 0.0
    order = np.argsort(row[names] == 0, kind="stable")
    row[names], row[weights] = row[names][order].copy(), row[weights][order].copy()


def _go_back(row: np.void, stay: int, body: bytes) -> None:
    """A track as its last version that is left has it."""
    row["stay"] = row["published_stay"] = stay
    row["gone"] = row["unverified"] = 0
    row["steady"], row["lies_at"], row["seen_at"] = 0.0, 0.0, np.nan
    row["unsteady"], row["lies_since"] = -np.inf, np.nan
    said = np.frombuffer(body.ljust(VERSION.itemsize, b"\0"), VERSION)[0]
    for name in ("position", "covariance", "size", "offset", "last_seen"):
        row[name] = said[name]
    row["last_look"] = row["last_seen"]
    row["held"] = said["held"] & 1
    row["p_here"], row["p_gone"] = said["here"] * said["exists"], (1.0 - said["here"]) * said["exists"]
    row["p_false"] = 1.0 - said["exists"]
    row["published_position"], row["published_seen"] = said["position"], said["last_seen"]
    row["segment"], row["previous"] = said["position"][:2], said["position"]


def _rewrite_places(store: Store, chosen: Selected) -> None:
    run = store.connection
    run.executemany("DELETE FROM place WHERE place_id = ?", [(number,) for number in sorted(chosen.places)])
    for start, stop in chosen.spans:
        run.execute("DELETE FROM place WHERE known_from BETWEEN ? AND ?", (start, stop))
    nodes = json.loads(_text(store, "places"))
    for node in nodes:
        if node["id"] in chosen.places:  # its number stays taken
            node.update(
                tag=0, count=1, mean=[0.0] * 3, scatter=[[0.0] * 3] * 3, first=0.0, last=0.0, published=1
            )
    store.put("places", json.dumps(nodes))


def _rewrite_scalars(store: Store, chosen: Selected) -> None:
    state = json.loads(_text(store, "state"))
    for name in ("within_reach",):
        state[name] = [[n, *told] for n, *told in state[name] if n not in chosen.numbers]
    if state["time"] is not None and chosen.in_spans(np.array([state["time"]]))[0]:
        state["pose"] = None
    store.put("state", json.dumps(state))


def _blank_unused_words(store: Store) -> None:
    """Names that nothing bears any more; their numbers stay taken."""
    run = store.connection
    used: Mapping[str, set[int]] = {kind: {0} for kind in (LABEL, KEY, FEATURE, PLACE)}
    for count, seen in run.execute("SELECT observations, seen FROM chunk").fetchall():
        lines = unpack_seen(seen, count)
        used[LABEL].update(np.unique(lines["label"]).tolist())
        used[FEATURE].update(np.unique(lines["features"]).tolist())
    for (body,) in run.execute("SELECT body FROM version").fetchall():
        row = np.frombuffer(body.ljust(VERSION.itemsize, b"\0"), VERSION)[0]
        used[LABEL].update(row["labels"].tolist())
        used[FEATURE].update(row["features"].tolist())
    for (page,) in run.execute("SELECT body FROM track").fetchall():
        rows = np.frombuffer(unpack_page(page), TRACK)
        for name in ("labels", "stay_labels", "near_label", "filed", "published_label"):
            used[LABEL].update(np.unique(rows[name]).tolist())
        used[FEATURE].update(np.unique(rows["features"]).tolist())
    for kind, word in run.execute("SELECT kind, word FROM called").fetchall():
        used[FEATURE if kind else LABEL].add(word)
    used[PLACE].update(row[0] for row in run.execute("SELECT tag FROM place").fetchall())
    used[PLACE].update(node["tag"] for node in json.loads(_text(store, "places")))
    words = run.execute("SELECT kind, id, text FROM word").fetchall()
    keys = {
        text.split("\x1f", 1)[0]
        for kind, number, text in words
        if kind == FEATURE and number in used[FEATURE]
    }
    used[KEY].update(number for kind, number, text in words if kind == KEY and text in keys)
    unused = [(kind, number) for kind, number, _ in words if number not in used[kind]]
    run.executemany("UPDATE word SET text = '' WHERE kind = ? AND id = ?", unused)


def _text(store: Store, key: str) -> str:
    body = store.get(key)
    return body.decode() if isinstance(body, bytes) else body or "[]"
