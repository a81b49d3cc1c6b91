"""Sources of a queue: videos and recordings with their frame tables, located relative to the queue."""

import json
import os
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from situ.annotate.pictures import FrameTimes, Pictures, RecordedPictures, VideoPictures, video_times
from situ.annotate.store import Store
from situ.benchmarks.official.names import safe_name
from situ.errors import BadInput
from situ.recording import Recording
from situ.recording.fingerprint import fingerprint
from situ.recording.layout import METADATA

VIDEO, RECORDING, WORDS = "video", "recording", "words"


@dataclass(frozen=True)
class Source:
    """`path` and `memory` are relative to the queue's folder; `words` sources have no images."""

    name: str
    kind: str
    path: str = ""
    memory: str = ""
    print: str = ""
    frames: int = 0
    start_s: float = 0.0
    end_s: float = 0.0
    width: int = 0
    style: str = ""  # layout of the imported record file


@dataclass(frozen=True, eq=False)
class Opened:
    """A source with its frame table."""

    source: Source
    table: FrameTimes


def look_at(path: Path, queue: Path, memory: Path | None = None) -> Opened:
    """Read the frame table of a video file or a recording."""
    beside = os.path.relpath(path.resolve(), queue.resolve().parent)
    kept = "" if memory is None else os.path.relpath(memory.resolve(), queue.resolve().parent)
    empty = np.zeros(0, np.int64)
    if (path / METADATA).is_file():
        recording = Recording.open(path)
        kind, table = RECORDING, FrameTimes(empty, empty, recording.path.times)
    elif path.is_file():
        kind, table = VIDEO, video_times(path)
    else:
        raise BadInput(f"{path} is neither a video file nor the folder of a recording")
    if not len(table.times):
        raise BadInput(f"{path} holds no frame")
    name = safe_name(path.name if path.is_dir() else path.stem)
    ends = float(table.times[0]), float(table.times[-1])
    return Opened(Source(name, kind, beside, kept, fingerprint(path), len(table.times), *ends), table)


def words_only(name: str) -> Opened:
    empty = np.zeros(0, np.int64)
    return Opened(Source(safe_name(name), WORDS), FrameTimes(empty, empty, np.zeros(0)))


def save(store: Store, opened: Sequence[Opened]) -> None:
    names = [one.source.name for one in opened]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadInput(f"two sources are called {twice[0]}; rename one of them")
    with store.writing() as sql:
        for place, one in enumerate(opened):
            table = one.table
            sql.execute(
                "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?)",
                (one.source.name, place, json.dumps(asdict(one.source)), table.times.astype("<f8").tobytes(),
                 table.stamps.astype("<i8").tobytes(), table.keys.astype("<i8").tobytes()),
            )  # fmt: skip


def sources_of(store: Store) -> dict[str, Source]:
    with store.reading() as sql:
        rows = sql.execute("SELECT data FROM sources ORDER BY place").fetchall()
    found = [Source(**json.loads(row[0])) for row in rows]
    return {source.name: source for source in found}


class Media:
    """Sources of a queue, opened on first use."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.sources = sources_of(store)
        self._open: dict[str, Pictures] = {}
        self._tables: dict[str, FrameTimes] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> Source:
        found = self.sources.get(name)
        if found is None:
            raise BadInput(f"the queue has no source '{name[:80]}'")
        return found

    def path(self, name: str) -> Path:
        return Path(os.path.normpath(self._store.path.resolve().parent / self.get(name).path))

    def memory(self, name: str) -> Path | None:
        kept = self.get(name).memory
        return Path(os.path.normpath(self._store.path.resolve().parent / kept)) if kept else None

    def table(self, name: str) -> FrameTimes:
        self.get(name)
        with self._lock:
            if name not in self._tables:
                with self._store.reading() as sql:
                    row = sql.execute(
                        "SELECT times, stamps, keys FROM sources WHERE name = ?", (name,)
                    ).fetchone()
                times, stamps, keys = (
                    np.frombuffer(b, t) for b, t in zip(row, ("<f8", "<i8", "<i8"), strict=True)
                )
                self._tables[name] = FrameTimes(stamps, keys, times)
            return self._tables[name]

    def times(self, name: str) -> NDArray[np.float64]:
        return self.table(name).times

    def pictures(self, name: str) -> Pictures:
        source, table = self.get(name), self.table(name)
        with self._lock:
            if name not in self._open:
                self._open[name] = self._opened(source, table)
            return self._open[name]

    def _opened(self, source: Source, table: FrameTimes) -> Pictures:
        if source.kind == WORDS:
            raise BadInput(f"{source.name} came without pictures")
        path = self.path(source.name)
        if not path.exists() or fingerprint(path) != source.print:
            raise BadInput(
                f"{source.name} is gone or is another file than when the queue was made; put it back at "
                f"{source.path}, or make the queue again"
            )
        if source.kind == VIDEO:
            return VideoPictures(path, table)
        return RecordedPictures(Recording.open(path))

    def close(self) -> None:
        with self._lock:
            for pictures in self._open.values():
                pictures.close()
            self._open.clear()
