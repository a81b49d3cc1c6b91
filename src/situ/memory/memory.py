"""`SpatialMemory`: feed it frames, ask it for the state of the world as of any time."""

import math
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from situ.errors import BadInput
from situ.memory.clock import ClockJump
from situ.memory.file.store import IN_RAM, Store, create_file
from situ.memory.file.wall_clock import WallClock
from situ.memory.options import MemoryOptions
from situ.memory.reading.history import History
from situ.memory.reading.state import MemoryState
from situ.memory.reading.stream import WALL_CLOCK
from situ.perception.observation import ObservedFrame

# Who only reads needs nothing of what a writer does, which is most of this room: it is imported when needed.
if TYPE_CHECKING:
    from situ.memory.checkpoint import Saver
    from situ.memory.forgetting.erasure import Erased
    from situ.memory.tracker.tracker import Tracker
    from situ.memory.tracker.working_memory import WorkingMemory


class _Latest(threading.local):
    """The snapshot that a thread of a reader took last, while anything holds it, and of which version of the
    file it is where that is known. Threads share none: one connection serves one of them at a time."""

    history: "Callable[[], History | None]" = staticmethod(lambda: None)
    version: int | None = None


class SpatialMemory:
    """A spatial memory in one `.situ` file, or in RAM with the path ":memory:".

    One process writes, any number read at the same time. What has been committed survives anything;
    frames that were observed after the last commit are fed again.
    """

    _saver: "Saver"  # of a writer, as the next
    _tracker: "Tracker"

    def __init__(self, store: Store, working: "WorkingMemory | None") -> None:
        self._store = store
        self._working = working
        self._own_history: History | None = None
        self._latest = _Latest()
        self._committed_at = time.monotonic()
        self._committed_frames = 0
        if working is not None:
            from situ.memory.checkpoint import Saver
            from situ.memory.tracker.tracker import Tracker

            self._tracker, self._saver = Tracker(working), Saver(store)
            self._own_history = History(store.connection)
            self._committed_frames = working.frames

    @classmethod
    def create(cls, path: str | Path, options: MemoryOptions | None = None) -> Self:
        """A new, empty memory. Refuses to overwrite."""
        if str(path) != IN_RAM:
            create_file(path)
        from situ.memory.tracker.working_memory import WorkingMemory

        store = Store(path, writer=True)
        try:
            memory = cls(store, WorkingMemory(options or MemoryOptions()))
            memory.commit()
        except BaseException:
            store.close()
            raise
        return memory

    @classmethod
    def open(
        cls,
        path: str | Path,
        read_only: bool = False,
        options: MemoryOptions | None = None,
        checked: bool = True,
    ) -> Self:
        """An existing memory: to read, or to go on writing where it stopped. One that is not `checked` need
        not be as its last writer left it; for looking into damage."""
        store = Store(path, not read_only, checked)
        try:
            return cls(store, None if read_only else _load(store, options))
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None and self._working is not None:
                self.commit()
        finally:  # also where the disk is full: whoever comes next may write
            self.close()

    @property
    def working(self) -> "WorkingMemory":
        """The working memory; only a writer has one."""
        if self._working is None:
            raise BadInput(f"{self._store.path} is open read-only; open it for writing to change it")
        return self._working

    @property
    def path(self) -> str:
        return self._store.path

    @property
    def store(self) -> Store:
        return self._store

    @property
    def history(self) -> History:
        """Lookups in the file. A reader's are on one snapshot, which lives as long as they do; while nobody
        writes, all states share one, since each snapshot takes a connection and its open files."""
        self._store.check_usable()
        if self._own_history is not None:
            return self._own_history
        shared, latest, version = self._latest.history(), self._latest, None
        if shared is not None:
            version = self._store.version()  # looked up before the snapshot, which can thus only be newer
            if version == latest.version:
                return shared
        connection = self._store.snapshot()
        history = History(connection)
        weakref.finalize(history, self._store.release, connection).atexit = False
        latest.history, latest.version = weakref.ref(history), version
        return history

    @property
    def frames(self) -> int:
        """How many frames have been observed."""
        if self._working is not None:
            return self._working.frames
        return self.history.last_frame(math.inf, math.inf) + 1

    @property
    def now(self) -> float:
        """Time of the last frame, 0 before the first."""
        if self._working is not None:
            return self._working.time if self._working.frames else 0.0
        return self.history.end

    def observe(self, frame: ObservedFrame) -> None:
        """Take in one frame; every full chunk is committed, and what has waited for `commit_every_s`."""
        working = self.working
        self._store.check_usable()
        try:
            self._tracker.step(working.clock.read(frame, working.time, self._holds))
        except BadInput:
            raise  # nothing has been changed
        except BaseException as error:
            self._store.give_up(error)
            raise
        options = working.options
        # What was flushed for a query is not yet durable.
        waiting = working.frames - self._committed_frames
        if waiting >= options.chunk_frames or self._has_waited(options.commit_every_s):
            self.commit()

    def _holds(self, time: float) -> bool:
        """Whether there is a frame of a time, filed or waiting to be."""
        waiting, frames = self.working.journal.frames, self.history.frames
        if (waiting.frames["time"][: len(waiting)] == time).any():
            return True
        k = frames.run_at(time)
        return k >= 0 and bool((frames.run(k).times == time).any())

    @property
    def clock_jumps(self) -> tuple[ClockJump, ...]:
        """When the clock of the frames was found to have been set, and how far it is behind since."""
        return tuple(self.working.clock.jumps)

    def _has_waited(self, most_s: float | None) -> bool:
        return most_s is not None and time.monotonic() - self._committed_at >= most_s

    def flush(self) -> None:
        """Make all that was observed visible to queries of this process, without making it durable."""
        if self._working is not None and not self._working.journal.empty:
            with self._store.transaction(durable=False):
                self._write(self._working)

    def _write(self, working: "WorkingMemory") -> None:
        """The journal into the open transaction."""
        journal = working.journal
        journal.spell_out()
        first, began = journal.frames.start if journal.frames else (-1, 0.0)
        start = began if first == 0 else self.history.start
        self._saver.save_words(working)
        self._saver.save_cameras(working)
        self._store.rows.write(journal, start, working.options.chunk_frames)
        journal.clear()

    def commit(self) -> None:
        """Make all that was observed durable."""
        working = self.working
        with self._store.transaction():
            if not working.journal.empty:
                self._write(working)
            rule = working.options.forgetting
            if rule is not None and working.frames:
                from situ.memory.forgetting.retention import forget

                forget(self._store, self.history, rule, working.time)
            saved = self._saver.save(working)
        self._saver.adopt(saved)
        self._committed_at, self._committed_frames = time.monotonic(), working.frames

    def forget(
        self,
        *,
        thing: int | None = None,
        kind: str | None = None,
        person: str | None = None,
        place: str | None = None,
        start: float | None = None,
        stop: float | None = None,
    ) -> "Erased":
        """Delete one thing, a kind, a person, what was seen in a place, or a span of time: rows, pictures,
        embeddings and names. The file is written anew; questions about it are told that it was deleted."""
        from situ.memory.checkpoint import Saver
        from situ.memory.forgetting.erasure import Request, erase
        from situ.memory.forgetting.selection import select
        from situ.memory.tracker.tracker import Tracker

        request = Request(thing, kind, person, place, start, stop)
        self.commit()
        select(self.history, self.working, **vars(request))  # so that a wrong request changes nothing
        with self._store.transaction():
            erased = erase(self._store, self.history, self.working, request)
        self._working = _load(self._store, None)
        self._tracker = Tracker(self._working)
        self._saver, self._own_history = Saver(self._store), History(self._store.connection)
        self.commit()
        return replace(erased, complete=self._store.shrink())

    def close(self) -> None:
        """Close without committing; `with` commits unless an error is on its way out. The log is folded, so
        that the memory is one file again."""
        self._store.close()

    def set_clock(self, shown: datetime, at: float | None = None) -> None:
        """Say what the clock on the wall showed at a time, by default at the first frame. A later reading
        holds from its time on."""
        known = self.history.wall_clock() or WallClock(())
        time_of = self.history.start if at is None else at
        with self._store.transaction(durable=False):
            self._store.put(WALL_CLOCK, known.with_reading(time_of, shown).to_json())
        self.commit()

    def state(self, at: float | None = None, known_at: float | None = None) -> MemoryState:
        """The state at an event time, as known at a knowledge time (by default the same: no hindsight)."""
        if self._working is not None and at is None:
            self._working.publish_changed()
        self.flush()
        history, working, moment = self.history, self._working, at
        if moment is None:
            moment = history.end if working is None else self.now
        if known_at is None:
            known_at = moment if at is not None or working is None else max(moment, working.known)
        return MemoryState(history, moment, known_at)


def _load(store: Store, options: MemoryOptions | None) -> "WorkingMemory":
    from situ.memory.checkpoint import load

    return load(store, options)
