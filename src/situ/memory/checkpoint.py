"""The working memory to and from the file, exactly."""

import json
import math
from dataclasses import asdict, dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse
from situ.memory.clock import ClockJump
from situ.memory.file.packing import PAGE, PoseBlock, pack_page, unpack_free, unpack_page
from situ.memory.file.store import Store
from situ.memory.options import Forgetting, MemoryOptions
from situ.memory.tables.motion import AGENT
from situ.memory.tables.rates import RATES
from situ.memory.tables.tracks import TRACK
from situ.memory.tables.vocabulary import ALL_WORDS
from situ.memory.tracker.past_views import lens_of
from situ.memory.tracker.places import PlaceNode
from situ.memory.tracker.working_memory import WorkingMemory


class Saver:
    """Writes what changed in the working memory since the last commit."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._saved = _Saved()

    def save_words(self, working: WorkingMemory) -> None:
        rows = working.words.fresh
        self._store.connection.executemany("INSERT OR REPLACE INTO word VALUES(?, ?, ?)", rows)
        rows.clear()

    def save_cameras(self, working: WorkingMemory) -> None:
        """Those that are not committed: the frames that refer to them may be asked about before that."""
        fresh = [(k + 1, json.dumps(asdict(c))) for k, c in enumerate(working.cameras)][self._saved.cameras :]
        self._store.connection.executemany("INSERT OR REPLACE INTO camera VALUES(?, ?)", fresh)

    def save(self, working: WorkingMemory) -> "_Saved":
        """Put it into the open transaction; what has been saved then is adopted when that has ended."""
        run, saved = self._store.connection.executemany, self._saved
        rows = working.rows
        pages = {at: rows[at : at + PAGE].tobytes() for at in range(0, len(rows), PAGE)}
        changed = [(at, pack_page(page)) for at, page in pages.items() if saved.pages.get(at) != page]
        run("INSERT OR REPLACE INTO track VALUES(?, ?)", changed)
        self.save_words(working)
        self.save_cameras(working)
        run("INSERT OR REPLACE INTO past_view VALUES(?, ?, ?, ?, ?)", working.views.changed())
        looks = dict(working.embeddings)
        # A look that changed is another array.
        news = [(n, look.tobytes()) for n, look in looks.items() if saved.looks.get(n) is not look]
        run("INSERT OR REPLACE INTO embedding VALUES(?, ?)", news)
        run("DELETE FROM embedding WHERE object_id = ?", [(n,) for n in saved.looks.keys() - looks.keys()])
        self._store.put("rates", working.rates.tobytes())
        self._store.put("motion", working.motion.to_bytes())
        self._store.put("drift", working.drift.to_bytes())
        self._store.put("options", json.dumps(asdict(working.options)))
        self._store.put("state", json.dumps(_scalars(working)))
        self._store.put("places", json.dumps([_place(node) for node in working.places.nodes]))
        return _Saved(pages, len(working.cameras), looks)

    def adopt(self, saved: "_Saved") -> None:
        """What was saved is committed."""
        self._saved = saved


@dataclass(frozen=True)
class _Saved:
    """What the file holds of the working memory."""

    pages: dict[int, bytes] = field(default_factory=dict)
    cameras: int = 0
    looks: dict[int, NDArray[np.float32]] = field(default_factory=dict)


def load(store: Store, options: MemoryOptions | None) -> WorkingMemory:
    """The working memory as it was at the last commit."""
    stored = store.get("options")
    if stored is None:
        return WorkingMemory(options or MemoryOptions())
    working = WorkingMemory(options or _options(json.loads(stored)))
    connection = store.connection
    working.words.restore(connection.execute(ALL_WORDS))
    _load_tracks(working, store)
    for (body,) in connection.execute("SELECT body FROM camera ORDER BY id"):
        working.cameras.append(Camera(**json.loads(body)))
    working.rates = np.frombuffer(_bytes(store, "rates"), RATES).copy()
    working.motion.restore(_bytes(store, "motion"))
    working.drift.restore(_bytes(store, "drift"))
    for a, b in connection.execute("SELECT first, second FROM near_pair"):
        if a in working.tracks.slot_of and b in working.tracks.slot_of:
            working.note_together(a, b)
    for number, body in connection.execute("SELECT object_id, body FROM embedding"):
        if number in working.tracks.slot_of:
            working.embeddings[number] = np.frombuffer(body, np.float32)
    state = json.loads(_bytes(store, "state"))
    working.frames, working.next_id = state["frames"], state["next_id"]
    working.time, working.known = state["time"] or -math.inf, state["known"] or -math.inf
    if working.frames:
        working.time, working.known = state["time"], state["known"]
    working.pose = np.array(state["pose"]) if state["pose"] else None
    working.within_reach = {int(number): time for number, time in state["within_reach"]}
    working.clock.jumps = [ClockJump(since, seconds) for since, seconds in state.get("clock", ())]
    for data in json.loads(_bytes(store, "places")):
        working.places.restore(
            PlaceNode(**{**data, "mean": np.array(data["mean"]), "scatter": np.array(data["scatter"])})
        )
    _load_views(working, store)
    return working


def _load_tracks(working: WorkingMemory, store: Store) -> None:
    for first, packed in store.connection.execute("SELECT slot, body FROM track ORDER BY slot"):
        for slot, row in enumerate(np.frombuffer(unpack_page(packed), TRACK), first):
            if not row["id"]:
                continue
            working.tracks.restore(slot, row)
            if row["held"]:
                working.holding.add(int(row["id"]))
            if row["inside"]:
                working.contents[int(row["id"])] = int(row["inside"])
            if row["motion"] == AGENT:
                working.agents.add(int(row["id"]))
            working.by_label.setdefault(int(row["filed"]), set()).add(int(row["id"]))


def _load_views(working: WorkingMemory, store: Store) -> None:
    """Past views are kept as frame numbers; what was seen then is read back from the stream."""
    rows = store.connection.execute("SELECT x, y, heading, newest, older FROM past_view").fetchall()
    wanted = sorted({frame for *_, newest, older in rows for frame in (newest, older) if frame >= 0})
    views = _views_of(working, store, wanted)
    for x, y, heading, newest, older in rows:
        if newest in views:
            working.views.restore((x, y, heading), False, *views[newest])
            if older in views:
                working.views.restore((x, y, heading), True, *views[older])


_View = tuple[float, int, Matrix, NDArray[np.float64], NDArray[np.uint8]]


def _views_of(working: WorkingMemory, store: Store, frames: list[int]) -> dict[int, _View]:
    """Time, frame, pose, lens and free space of some frames."""
    views: dict[int, _View] = {}
    block, free = None, None
    for frame in frames:
        if block is None or frame > block.frames[-1]:
            row = store.connection.execute(
                "SELECT first_frame, poses, free FROM chunk WHERE first_frame <= ? "
                "ORDER BY first_frame DESC LIMIT 1",
                (frame,),
            ).fetchone()
            if row is None:
                continue
            block = PoseBlock.unpack(row[0], row[1])
            free = unpack_free(row[2]) if row[2] is not None else None
        k = int(np.searchsorted(block.frames, frame))
        if free is None or k == len(block.frames) or block.frames[k] != frame or not block.camera(k):
            continue  # forgotten
        pose = block.correction(k) @ block.given_pose(k)
        lens = lens_of(working.cameras[block.camera(k) - 1])
        views[frame] = (float(block.times[k]), frame, inverse(pose), lens, free[k])
    return views


def _scalars(working: WorkingMemory) -> dict[str, object]:
    started = working.frames > 0
    return {
        "frames": working.frames,
        "next_id": working.next_id,
        "time": working.time if started else None,
        "known": working.known if started else None,
        "pose": working.pose.tolist() if working.pose is not None else None,
        "within_reach": list(working.within_reach.items()),
        "clock": [[jump.since, jump.seconds] for jump in working.clock.jumps],
    }


def _place(node: PlaceNode) -> dict[str, object]:
    return {**vars(node), "mean": node.mean.tolist(), "scatter": node.scatter.tolist()}


def _options(data: dict[str, object]) -> MemoryOptions:
    forgetting = data.pop("forgetting")
    known = {field.name for field in fields(MemoryOptions)}  # an option may have gone since
    options = MemoryOptions(**{name: value for name, value in data.items() if name in known})  # type: ignore[arg-type]
    if isinstance(forgetting, dict):
        return MemoryOptions(**{**asdict(options), "forgetting": Forgetting(**forgetting)})
    return options


def _bytes(store: Store, key: str) -> bytes:
    value = store.get(key)
    assert value is not None
    return value if isinstance(value, bytes) else value.encode()
