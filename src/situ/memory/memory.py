"""`Memory`: feed it frames, ask it for the state of the world as of any time."""

import math
from pathlib import Path
from types import TracebackType
from typing import Self

from situ.errors import BadInput
from situ.memory.forgetting import forget
from situ.memory.history import History
from situ.memory.mind import Mind
from situ.memory.observe import observe
from situ.memory.options import MemoryOptions
from situ.memory.resume import Saver, load
from situ.memory.state import MemoryState, Told
from situ.memory.store import Store
from situ.perception.observation import ObservedFrame


class Memory:
    """A spatial memory in one `.situ` file, or in RAM with the path ":memory:".

    One process writes, any number read at the same time. What has been committed survives anything;
    frames that were observed after the last commit are fed again.
    """

    def __init__(self, store: Store, mind: Mind | None) -> None:
        self._store = store
        self._mind = mind
        self._saver = Saver(store)
        self.history = History(store.connection)

    @classmethod
    def create(cls, path: str | Path, options: MemoryOptions | None = None) -> Self:
        """A new, empty memory. Refuses to overwrite."""
        store = Store(path, writer=True, create=True)
        memory = cls(store, Mind(options or MemoryOptions()))
        memory.commit()
        return memory

    @classmethod
    def open(cls, path: str | Path, read_only: bool = False, options: MemoryOptions | None = None) -> Self:
        """An existing memory: to read, or to go on writing where it stopped."""
        store = Store(path, writer=not read_only)
        try:
            return cls(store, None if read_only else load(store, options))
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._mind is not None:
            self.commit()
        self.close()

    @property
    def mind(self) -> Mind:
        """The working memory; only a writer has one."""
        if self._mind is None:
            raise BadInput(f"{self._store.path} is open read-only; open it for writing to change it")
        return self._mind

    @property
    def path(self) -> str:
        return self._store.path

    @property
    def store(self) -> Store:
        return self._store

    @property
    def frames(self) -> int:
        """How many frames have been observed."""
        if self._mind is not None:
            return self._mind.frames
        return self.history.last_frame(math.inf, math.inf) + 1

    @property
    def now(self) -> float:
        """Time of the last frame, 0 before the first."""
        if self._mind is not None:
            return self._mind.time if self._mind.frames else 0.0
        return self.history.end

    def observe(self, frame: ObservedFrame) -> None:
        """Take in one frame; every full chunk is committed."""
        mind = self.mind
        observe(mind, frame)
        if len(mind.journal.frames) >= mind.options.chunk_frames:
            self.commit()

    def flush(self) -> None:
        """Make all that was observed visible to queries of this process, without making it durable."""
        if self._mind is not None and not self._mind.journal.empty:
            journal = self._mind.journal
            first = bool(journal.frames) and journal.frames[0].frame == 0
            start = journal.frames[0].time if first else self.history.start
            if self._mind.words.fresh:
                self._store.begin()
                self._saver.save_words(self._mind)
            self._store.write(journal, start, self._mind.options.chunk_frames)

    def commit(self) -> None:
        """Make all that was observed durable."""
        self.flush()
        self._store.begin()
        rule = self.mind.options.forgetting
        if rule is not None and self.mind.frames:
            forget(self._store, self.history, rule, self.mind.time)
        self._saver.save(self.mind)
        self._store.commit()

    def close(self) -> None:
        """Close without committing; `with` commits unless an error is on its way out."""
        self._store.close()

    def state(self, at: float | None = None, known_at: float | None = None) -> MemoryState:
        """The state at an event time, as known at a knowledge time (by default the same: no hindsight)."""
        self.flush()
        moment = self.now if at is None else at
        if known_at is None:
            known_at = moment if at is not None or self._mind is None else max(moment, self._mind.known)
        mind = self._mind
        latest = mind is not None and at is None and known_at >= mind.known
        told = Told(mind.told, mind.by_label) if mind is not None and latest else None
        return MemoryState(self.history, moment, known_at, told)
