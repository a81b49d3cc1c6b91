"""Kills, full disks, failed statements, damage, copies, links, readers that stay: nothing is lost."""

import gc
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from benchmarks.faults import (
    OPTIONS,
    copies,
    damage,
    everything,
    frames_of,
    full_disk,
    kills,
    said,
    statements,
)
from benchmarks.house import Plan
from benchmarks.reopening import reopenings

from desk import frame
from situ.errors import BadFormat, BadInput, Refused, SituError, StorageFailed
from situ.memory import SpatialMemory, merge_memories
from situ.memory.upkeep.inspection import inspect
from situ.memory.upkeep.repair import copy, repair

FRAMES = frames_of(77, Plan(rooms=2, objects=20, moved=2, carried=1, removed=1, added=1, seconds=90, calm=20))
CUP = {"cup": [(2.0, 0.0, 1.0)]}


def left(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def small(path: Path, seconds: int = 20) -> None:
    with SpatialMemory.create(path, OPTIONS) as memory:
        for second in range(seconds):
            memory.observe(frame(float(second), CUP))


def test_a_closed_memory_is_one_file(tmp_path: Path) -> None:
    small(tmp_path / "m.situ")
    assert left(tmp_path) == ["m.situ"]
    everything(tmp_path / "m.situ")
    assert left(tmp_path) == ["m.situ"]


@pytest.mark.parametrize("looking", [True, False])
def test_a_reader_that_stays_longer_than_the_writer(tmp_path: Path, looking: bool) -> None:
    path = tmp_path / "m.situ"
    small(path)
    writer = SpatialMemory.open(path)
    reader = SpatialMemory.open(path, read_only=True)
    state = reader.state()
    before = said(state)
    for second in range(20, 60):
        writer.observe(frame(float(second), {**CUP, "lamp": [(3.0, 0.5, 1.0)]}))
    writer.commit()
    assert said(state) == before
    if not looking:
        del state
    writer.close()
    if not looking:
        shutil.copy(path, tmp_path / "early.situ")
        assert SpatialMemory.open(tmp_path / "early.situ", read_only=True).frames == 60
        (tmp_path / "early.situ").unlink()
    assert reader.frames == 60
    reader.close()
    for stray in tmp_path.glob("early*"):
        stray.unlink()
    assert left(tmp_path) == ["m.situ"]
    shutil.copy(path, tmp_path / "copied.situ")
    with SpatialMemory.open(tmp_path / "copied.situ", read_only=True) as copied:
        assert copied.frames == 60


@pytest.mark.parametrize("abandoned", [True, False])
def test_what_is_half_read_does_not_hold_a_closed_memory_open(tmp_path: Path, abandoned: bool) -> None:
    path = tmp_path / "m.situ"
    small(path)
    writer = SpatialMemory.open(path)
    writer.observe(frame(20.0, CUP))
    writer.commit()
    sightings = iter(writer.state().sightings(1))
    rows = writer._store.connection.execute("SELECT frame FROM keyframe UNION SELECT id FROM object")
    next(sightings), next(rows)
    if abandoned:
        del writer
        gc.collect()
    else:
        writer.close()
    del sightings, rows
    gc.collect()
    assert left(tmp_path) == ["m.situ"]
    with SpatialMemory.open(path, read_only=True) as reader:
        assert reader.frames == 21


@pytest.mark.parametrize("collecting", [True, False])
def test_a_snapshot_is_given_up_with_its_state(tmp_path: Path, collecting: bool) -> None:
    """Whether or not the garbage collector happens to run."""
    path = tmp_path / "m.situ"
    small(path)
    writer, reader = SpatialMemory.open(path), SpatialMemory.open(path, read_only=True)
    if not collecting:
        gc.disable()
    try:
        state = reader.state()
        said(state)
        writer.observe(frame(20.0, CUP))
        writer.commit()
        circle = [state]
        if collecting:
            circle.append(circle)  # type: ignore[arg-type]
        del state, circle
        writer.close()
    finally:
        gc.enable()
    assert not Path(f"{path}-wal").exists() or not Path(f"{path}-wal").stat().st_size
    reader.close()


_UNCLOSED = """
import sys
from desk import frame
from situ.memory import SpatialMemory
memory = SpatialMemory.create(sys.argv[1])
memory.observe(frame(0.0, {"cup": [(2.0, 0.0, 1.0)]}))
memory.commit()
memory.observe(frame(1.0, {"cup": [(2.0, 0.0, 1.0)]}))
memory.state(at=1.0)
raise KeyboardInterrupt
"""


def test_a_program_that_ends_without_closing(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    paths = os.pathsep.join(filter(None, sys.path))
    ended = subprocess.run(
        [sys.executable, "-c", _UNCLOSED, path], env={**os.environ, "PYTHONPATH": paths}, capture_output=True
    )
    assert b"KeyboardInterrupt" in ended.stderr
    assert left(tmp_path) == ["m.situ"]
    with SpatialMemory.open(path) as memory:
        assert memory.frames == 1


def test_a_writer_that_is_let_go_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    small(path)
    for second in range(20, 23):
        memory = SpatialMemory.open(path)
        assert memory.frames == second
        memory.observe(frame(float(second), CUP))
        memory.commit()
        state = memory.state()
        del memory
        assert state.now == second
        del state
        gc.collect()
        assert left(tmp_path) == ["m.situ"]


def test_an_interrupted_close_leaves_a_file_that_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.situ"
    small(path)
    memory = SpatialMemory.open(path)
    memory.observe(frame(20.0, CUP))
    memory.commit()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("situ.memory.file.write_ahead_log.seal", interrupted)
    with pytest.raises(KeyboardInterrupt):
        memory.close()
    monkeypatch.undo()
    del memory
    gc.collect()
    with SpatialMemory.open(path) as again:
        assert again.frames == 21
    assert left(tmp_path) == ["m.situ"]


def test_a_log_without_its_file_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "m.situ-wal").write_bytes(b"left behind")
    with pytest.raises(Refused, match="log of a memory"):
        SpatialMemory.create(tmp_path / "m.situ")
    assert left(tmp_path) == ["m.situ-wal"]


def test_writers_killed_at_any_moment_leave_a_file_that_opens(tmp_path: Path) -> None:
    found = reopenings(40, FRAMES, tmp_path, seed=6)
    assert (found["refused"], found["lost"]) == (0, 0), found["said"]


def test_a_commit_between_two_lookups_is_not_seen(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    writer = SpatialMemory.create(path)
    for second in range(3):
        writer.observe(frame(float(second), CUP))
        writer.commit()
    reader = SpatialMemory.open(path, read_only=True)
    history = reader.history
    assert history.last_frame(1e9, 1e9) == 2
    writer.observe(frame(3.0, CUP))
    writer.commit()  # joins the runs of frames that the reader knows of
    assert 2 in history.frames.block(history.frames.run_of(2)).frames
    assert history.last_frame(1e9, 1e9) == 2
    assert reader.frames == 4
    reader.close()
    writer.close()


def test_no_name_evades_the_lock(tmp_path: Path) -> None:
    path, link, twin = tmp_path / "m.situ", tmp_path / "link.situ", tmp_path / "sub" / "twin.situ"
    small(path)
    link.symlink_to(path)
    writer = SpatialMemory.open(path)
    with pytest.raises(Refused, match="another process"):
        SpatialMemory.open(link)
    writer.close()
    with SpatialMemory.open(link) as memory:
        memory.observe(frame(20.0, CUP))
    assert left(tmp_path) == ["link.situ", "m.situ"]
    twin.parent.mkdir()
    os.link(path, twin)
    with pytest.raises(Refused, match="hard links"):
        SpatialMemory.open(twin)
    with SpatialMemory.open(twin, read_only=True) as memory:
        assert memory.frames == 21


def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t(x)")
    connection.commit()
    connection.close()
    before = other.read_bytes()
    for read_only in (True, False):
        with pytest.raises(BadFormat, match="another program"):
            SpatialMemory.open(other, read_only=read_only)
    empty = tmp_path / "empty.situ"
    empty.touch()
    with pytest.raises(BadFormat, match="empty"):
        SpatialMemory.open(empty)
    with pytest.raises(BadInput, match="folder"):
        SpatialMemory.open(tmp_path, read_only=True)
    assert other.read_bytes() == before
    assert left(tmp_path) == ["empty.situ", "other.sqlite"]


def test_a_failed_merge_leaves_nothing(tmp_path: Path) -> None:
    small(tmp_path / "a.situ")
    bad = np.eye(4)
    bad[0, 0] = 2.0
    for wrong in (bad, np.eye(3), np.full((4, 4), np.nan)):
        with pytest.raises(BadInput):
            merge_memories(tmp_path / "a.situ", tmp_path / "a.situ", tmp_path / "c.situ", wrong)
    shutil.copy(tmp_path / "a.situ", tmp_path / "b.situ")
    (tmp_path / "b.situ").write_bytes((tmp_path / "b.situ").read_bytes()[:-5000])
    with pytest.raises(SituError):
        merge_memories(tmp_path / "a.situ", tmp_path / "b.situ", tmp_path / "c.situ")
    assert left(tmp_path) == ["a.situ", "b.situ"]


def test_an_interrupted_observation_is_not_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.situ"
    small(path)
    memory = SpatialMemory.open(path)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("situ.memory.tracker.tracker.Tracker.remember", interrupted)
    with pytest.raises(KeyboardInterrupt):
        memory.observe(frame(20.0, CUP))
    monkeypatch.undo()
    for call in (memory.commit, memory.state, lambda: memory.observe(frame(21.0, CUP))):
        with pytest.raises(StorageFailed, match="Close it"):
            call()
    memory.close()
    with SpatialMemory.open(path) as again:
        assert again.frames == 20


@pytest.mark.parametrize("read_only", [True, False])
def test_what_is_closed_says_so(tmp_path: Path, read_only: bool) -> None:
    small(tmp_path / "m.situ")
    memory = SpatialMemory.open(tmp_path / "m.situ", read_only=read_only)
    state = memory.state()
    memory.close()
    memory.close()
    for call in (memory.state, lambda: memory.history.end, lambda: list(state.path.times)):
        with pytest.raises(BadInput, match="closed"):
            call()


def test_every_commit_that_fails_is_told(tmp_path: Path) -> None:
    found = statements(FRAMES[:30], tmp_path, "COMMIT")
    assert int(str(found["statements"])) >= 4
    assert found["clear error"] == found["statements"]
    assert not {"silent", "lost", "damaged"} & {name for name, n in found.items() if n}


def test_any_statement_that_fails_is_told(tmp_path: Path) -> None:
    found = statements(FRAMES[:20], tmp_path, step=29)
    assert found["clear error"]
    assert not {"silent", "lost", "damaged", "went on silently"} & {name for name, n in found.items() if n}


def test_a_full_disk_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    found = full_disk(FRAMES, tmp_path, range(0, 20, 6))
    assert found["clear error"]
    assert not {"silent", "damaged"} & {name for name, n in found.items() if n}


def test_a_writer_whose_disk_is_full_leaves_its_lock_to_the_next(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    small(path)
    failed = SpatialMemory.open(path)
    failed.store.connection.execute("PRAGMA max_page_count = 1")
    failed.observe(frame(30.0, CUP, thumbnail=bytes(100_000)))
    with pytest.raises(StorageFailed), failed:
        pass  # all is committed at its end
    with SpatialMemory.open(path) as memory:  # while the other is still held on to
        assert memory.frames == 20
    assert left(tmp_path) == ["m.situ"]


def test_damage_is_found_by_readers_and_by_verify(tmp_path: Path) -> None:
    found = damage(120, FRAMES, tmp_path, seed=5)
    assert not found["verify missed"]
    assert not [name for name in found if "silent" in name or "traceback" in name]


def test_copies_taken_at_any_moment(tmp_path: Path) -> None:
    assert not copies(12, FRAMES, tmp_path, seed=3).get("silent change")


def test_a_killed_writer_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    found = kills(12, FRAMES, tmp_path, seed=4)
    assert found["lost"] == 0
    assert found["as_if_never_killed"] == found["recordings"]


def test_a_copy_of_the_log_need_not_fit_and_is_taken_over_only_when_asked(tmp_path: Path) -> None:
    path, taken = tmp_path / "m.situ", tmp_path / "taken.situ"
    small(path)
    writer = SpatialMemory.open(path)
    for second in range(20, 40):
        writer.observe(frame(float(second), CUP))
    writer.commit()
    copy(path, tmp_path / "whole.situ")
    shutil.copy(path, taken)
    shutil.copy(f"{path}-wal", f"{taken}-wal")
    writer.close()
    for read_only in (True, False):
        with pytest.raises(BadFormat, match="copied while"):
            SpatialMemory.open(taken, read_only=read_only)
    repair(taken, tmp_path / "repaired.situ")
    for good in ("whole.situ", "repaired.situ"):
        with SpatialMemory.open(tmp_path / good) as memory:
            assert (memory.frames, inspect(memory)) == (40, [])
