"""What becomes of a memory when things go wrong: kills, full disks, failed statements, damage, copies.

`python -m benchmarks.faults kills=1000 damage=10000 statements full copies=1000` prints one line of JSON for
each; a figure that is not 0 under "silent" or "lost" is a fault. Nothing is asserted.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.house import Plan, Stream
from situ.errors import SituError
from situ.memory import MemoryOptions, ObservedFrame, SpatialMemory
from situ.memory.file import store as store_module
from situ.memory.file.database import Database, connect
from situ.memory.upkeep.inspection import inspect
from situ.state import SpatialState

HOUSE = Plan(rooms=2, objects=30, moved=4, carried=2, removed=2, added=2, seconds=240, calm=40)
OPTIONS = MemoryOptions(chunk_frames=8)


def frames_of(seed: int, plan: Plan = HOUSE) -> list[ObservedFrame]:
    return [oracle.exact() for oracle in Stream(plan, seed).frames()]


def said(state: SpatialState) -> list[tuple[object, ...]]:
    """All that a state says of its things."""
    return [
        (view.id, view.category, view.box, view.presence, tuple(s.frame for s in state.sightings(view.id)))
        for view in state.objects()
    ]


def everything(path: Path) -> list[object]:
    """What a file says, now and at two earlier times."""
    with SpatialMemory.open(path, read_only=True) as memory:
        return _all_of(memory)


def _all_of(memory: SpatialMemory) -> list[object]:
    # A state of the present would have a writer say what it has not said yet.
    return [memory.frames, *(said(memory.state(at=memory.now / part)) for part in (1, 2, 3))]


def kills(count: int, frames: Sequence[ObservedFrame], folder: Path, seed: int = 0) -> dict[str, object]:
    """Kill a writer at random moments, again and again; what was committed must be there, and in the end the
    answers must be those of a writer that nobody killed."""
    rng, path, lost, done = random.Random(seed), folder / "killed.situ", 0, 0
    rounds, alike = 0, 0
    while done < count:
        SpatialMemory.create(path, OPTIONS).close()
        committed, whole = 0, False
        while not whole:
            kill = done < count
            child = os.fork()
            if child == 0:
                _feed(path, frames)
            if kill:
                time.sleep(rng.expovariate(1 / 0.05))
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            done += kill
            with SpatialMemory.open(path, read_only=True) as memory:
                lost += max(0, committed - memory.frames)
                committed = memory.frames
            whole = committed == len(frames)
        rounds += 1
        alike += everything(path) == _unharmed(frames)
        path.unlink()
    return {"kills": done, "recordings": rounds, "lost": lost, "as_if_never_killed": alike}


def _feed(path: Path, frames: Sequence[ObservedFrame]) -> None:
    """In a process of its own, which ends here."""
    try:
        with SpatialMemory.open(path) as memory:
            for frame in frames[memory.frames :]:
                memory.observe(frame)
                if memory.frames % 5 == 0:  # what is flushed for a question is not committed
                    memory.state(at=memory.now).objects()
    finally:
        os._exit(0)


def _unharmed(frames: Sequence[ObservedFrame]) -> list[object]:
    memory = SpatialMemory.create(":memory:", OPTIONS)
    for frame in frames:
        memory.observe(frame)
    return _all_of(memory)


@contextmanager
def failing(at: int, what: str = "") -> Iterator[list[int]]:
    """The statement of this number, of those that hold a word, finds the disk full. Yields their count."""
    count, real = [0], connect

    def counted(self: Database, sql: str) -> None:
        if what in sql:
            count[0] += 1
            if count[0] == at:
                raise store_module.StorageFailed(f"{self.name} could not be written (disk is full)")

    class Failing(Database):
        def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
            counted(self, sql)
            return super().execute(sql, parameters)

        def executemany(self, sql: str, parameters: Any) -> sqlite3.Cursor:
            counted(self, sql)
            return super().executemany(sql, parameters)

    def to_failing(path: str, name: str, mode: str = "rw", immutable: bool = False) -> Database:
        connection = real(path, name, mode, immutable)
        if mode == "rw":
            connection.close()
            made = sqlite3.connect(
                f"{Path(path).as_uri()}?mode=rw", uri=True, isolation_level=None, factory=Failing
            )
            made.name = name
            return made
        return connection

    store_module.connect = to_failing
    try:
        yield count
    finally:
        store_module.connect = real


def statements(
    frames: Sequence[ObservedFrame], folder: Path, what: str = "", step: int = 1
) -> dict[str, object]:
    """Every statement of a writer fails once. Afterwards the file must hold what was committed, and the rest
    fed again must give what a writer gives to whom nothing happened."""
    outcome: Counter[str] = Counter()
    expected, at = _unharmed(frames), 1
    while True:
        path = folder / f"failing{at}.situ"
        SpatialMemory.create(path, OPTIONS).close()
        before = 0
        with failing(at, what) as count:
            outcome[_feed_or_fail(path, frames)] += 1
        with SpatialMemory.open(path, read_only=True) as memory:
            before = memory.frames
            outcome["damaged"] += bool(inspect(memory))
        with SpatialMemory.open(path) as memory:
            outcome["lost"] += memory.frames < before
            for frame in frames[memory.frames :]:
                memory.observe(frame)
        outcome["silent"] += everything(path) != expected
        path.unlink()
        if count[0] < at:
            return {"statements": at - 1, **outcome}
        at += step


def _feed_or_fail(path: Path, frames: Sequence[ObservedFrame]) -> str:
    """Feeds on whatever happens; after a failure everything must be refused."""
    failed = False
    try:
        memory = SpatialMemory.open(path)
    except SituError:
        return "refused to open"
    for frame in frames:
        try:
            memory.observe(frame)
            if failed:
                return "went on silently"
        except SituError:
            failed = True
        if memory.frames % 7 == 0:
            with suppress(SituError):  # what could not be read can be read again
                memory.state(at=memory.now).objects()
    try:
        memory.commit()
        if failed:
            return "went on silently"
    except SituError:
        failed = True
    memory.close()
    return "clear error" if failed else "nothing failed"


def full_disk(frames: Sequence[ObservedFrame], folder: Path, pages: Sequence[int]) -> dict[str, object]:
    """The disk has room for so many pages more, then for none, then again."""
    outcome: Counter[str] = Counter()
    expected = _unharmed(frames)
    for room in pages:
        path = folder / "full.situ"
        memory = SpatialMemory.create(path, OPTIONS)
        connection = memory.store.connection
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {size + room}")
        failed = False
        for frame in frames:
            try:
                memory.observe(frame)
                outcome["silent"] += failed
            except SituError:
                failed = True
                connection.execute("PRAGMA max_page_count = 1000000")
        memory.close()
        outcome["clear error" if failed else "had room"] += 1
        with SpatialMemory.open(path) as memory:
            outcome["damaged"] += bool(inspect(memory))
            for frame in frames[memory.frames :]:
                memory.observe(frame)
        outcome["silent"] += everything(path) != expected
        path.unlink()
    return dict(outcome)


def damage(count: int, frames: Sequence[ObservedFrame], folder: Path, seed: int = 0) -> dict[str, object]:
    """Bits, blocks, truncations and rows: each file must be refused or say what it said before."""
    whole, path, rng = folder / "whole.situ", folder / "damaged.situ", random.Random(seed)
    with SpatialMemory.create(whole, OPTIONS) as memory:
        for frame in frames:
            memory.observe(frame)
    expected, outcome = everything(whole), Counter[str]()
    for number in range(count):
        kind = ("bits", "block", "truncated", "rows")[number % 4]
        shutil.copy(whole, path)
        HARM[kind](path, rng)
        try:
            same = everything(path) == expected
            outcome[f"{kind}: {'right' if same else 'silent change'}"] += 1
        except SituError:
            outcome[f"{kind}: clear error"] += 1
        except Exception as error:
            outcome[f"{kind}: traceback {type(error).__name__}"] += 1
        found = not _sound(path)
        outcome["verify missed"] += not found and path.read_bytes() != whole.read_bytes()
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    return {"files": count, **outcome}


def _sound(path: Path) -> bool:
    try:
        with SpatialMemory.open(path, read_only=True) as memory:
            return not inspect(memory)
    except SituError:
        return False


def _bits(path: Path, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 1, 2, 8))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def _block(path: Path, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    size = min(len(data) // 2, rng.choice((16, 512, 4096, 65536)))
    start = rng.randrange(len(data) - size)
    other = rng.randrange(len(data) - size)
    data[start : start + size] = rng.choice((bytes(size), rng.randbytes(size), data[other : other + size]))
    path.write_bytes(data)


def _truncated(path: Path, rng: random.Random) -> None:
    size = path.stat().st_size
    os.truncate(path, rng.choice((rng.randrange(size), size - 1, size // 4096 * 4096, rng.randrange(200))))


def _rows(path: Path, rng: random.Random) -> None:
    """Somebody changes or deletes rows with another program."""
    connection = sqlite3.connect(path, isolation_level=None)
    tables = ("chunk", "sighting", "word", "object", "stay", "version", "called", "keyframe", "track", "mind")
    table = rng.choice(tables)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]
    total = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    if total:
        at = rng.randrange(total)
        row = connection.execute(f"SELECT {', '.join(keys)} FROM {table} LIMIT 1 OFFSET {at}").fetchone()
        where = " AND ".join(f"{key} = ?" for key in keys)
        column = rng.choice(columns)
        if rng.random() < 0.5 or column in keys:
            connection.execute(f"DELETE FROM {table} WHERE {where}", row)
        else:
            value = rng.choice((None, 7, 0.5, b"", b"\1" * 50, "x"))
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *row))
    connection.close()


HARM: dict[str, Callable[[Path, random.Random], None]] = {
    "bits": _bits, "block": _block, "truncated": _truncated, "rows": _rows,
}  # fmt: skip


def copies(count: int, frames: Sequence[ObservedFrame], folder: Path, seed: int = 0) -> dict[str, object]:
    """`cp` of a memory that is being written, with and without its log: refused, or as it once was."""
    path, out, rng = folder / "live.situ", folder / "copied.situ", random.Random(seed)
    SpatialMemory.create(path, OPTIONS).close()
    states, outcome = {}, Counter[str]()
    alone = SpatialMemory.create(":memory:", OPTIONS)
    states[0] = said(alone.state(at=0.0))
    for number, frame in enumerate(frames, 1):
        alone.observe(frame)
        states[number] = said(alone.state(at=alone.now))
    while sum(outcome.values()) < count:
        child = os.fork()
        if child == 0:
            _feed(path, frames)
        running = True
        while running and sum(outcome.values()) < count:
            time.sleep(rng.expovariate(1 / 0.01))
            shutil.copyfile(path, out)
            if rng.random() < 0.5:
                try:
                    shutil.copyfile(f"{path}-wal", f"{out}-wal")
                except FileNotFoundError:
                    Path(f"{out}-wal").unlink(missing_ok=True)
            try:
                with SpatialMemory.open(out, read_only=True) as memory:
                    right = said(memory.state()) == states[memory.frames]
                outcome["right" if right else "silent change"] += 1
            except SituError:
                outcome["clear error"] += 1
            for ending in ("", "-wal", "-shm"):
                Path(f"{out}{ending}").unlink(missing_ok=True)
            running = os.waitpid(child, os.WNOHANG)[0] == 0
        if running:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for ending in ("", "-wal", "-shm", "-lock"):
            Path(f"{path}{ending}").unlink(missing_ok=True)
        SpatialMemory.create(path, OPTIONS).close()
    return {"copies": count, **outcome}


def measure(figure: str, number: int, seed: int, folder: Path) -> dict[str, object]:
    """One figure; 0 for as many cases as it is meant to have."""
    frames = frames_of(seed)
    if figure == "kills":
        return kills(number or 1000, frames, folder, seed)
    if figure == "damage":
        return damage(number or 10_000, frames, folder, seed)
    if figure == "statements":
        return statements(frames[:40], folder, step=number or 1)
    if figure == "full":
        return full_disk(frames, folder, range(number or 120))
    if figure == "copies":
        return copies(number or 1000, frames, folder, seed)
    raise SystemExit(f"unknown figure '{figure}'; choose from kills, damage, statements, full, copies")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    few = ["kills=50", "damage=400", "statements=9", "full=20", "copies=50"]
    parser.add_argument("figures", nargs="*", default=few, metavar="FIGURE[=NUMBER]")
    parser.add_argument("--seed", type=int, default=901)
    given = parser.parse_args()
    for figure in given.figures:
        name, _, number = figure.partition("=")
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            found = measure(name, int(number or 0), given.seed, Path(folder))
        print(
            json.dumps({"figure": name, **found, "seconds": round(time.perf_counter() - start)}), flush=True
        )


if __name__ == "__main__":
    main()
