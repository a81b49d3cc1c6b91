"""The file: durable, resumable, one writer, many readers, and never a newer schema."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from desk import frame
from memory.test_history import SMALL, said
from situ.errors import BadFormat, BadInput, Refused, StorageFailed
from situ.memory import SpatialMemory
from situ.memory.file import database, packing
from situ.memory.file.packing import PoseBlock
from situ.memory.file.seal import seal
from situ.memory.upkeep.repair import repair


def integrity(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def test_a_memory_taken_up_again_goes_on_as_if_never_closed(tmp_path: Path) -> None:
    whole = SpatialMemory.create(":memory:")
    path = tmp_path / "m.situ"
    memory = SpatialMemory.create(path)
    for second, oracle in enumerate(Stream(SMALL, 21).frames()):
        whole.observe(oracle.exact())
        memory.observe(oracle.exact())
        if second % 97 == 96:
            memory.commit()
            memory.close()
            memory = SpatialMemory.open(path)
            assert memory.frames == second + 1
    assert said(memory.state()) == said(whole.state())
    assert said(memory.state(at=200.0)) == said(whole.state(at=200.0))
    memory.commit()
    memory.close()
    with SpatialMemory.open(path, read_only=True) as reader:
        assert said(reader.state()) == said(whole.state())


def test_how_often_is_committed_does_not_matter(tmp_path: Path) -> None:
    often, seldom = SpatialMemory.create(tmp_path / "a.situ"), SpatialMemory.create(tmp_path / "b.situ")
    for second, oracle in enumerate(Stream(Plan(rooms=2, objects=30, seconds=90, calm=30), 5).frames()):
        often.observe(oracle.exact())
        seldom.observe(oracle.exact())
        often.commit()
        if second % 10 == 0:
            assert len(often.state().path) == len(seldom.state().path) == second + 1
    assert said(often.state()) == said(seldom.state())
    assert often.history.connection.execute("SELECT count(*) FROM chunk").fetchone()[0] < 20


def test_a_second_writer_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    memory = SpatialMemory.create(path)
    memory.observe(frame(0.0, {"cup": [(2.0, 0.0, 1.0)]}))
    memory.commit()
    with pytest.raises(Refused, match="another process"):
        SpatialMemory.open(path)
    reader = SpatialMemory.open(path, read_only=True)
    assert len(reader.state().objects()) == 1
    memory.observe(frame(1.0, {"cup": [(2.0, 0.0, 1.0)], "lamp": [(3.0, 0.5, 1.0)]}))
    assert len(reader.state().objects()) == 1
    memory.commit()
    assert len(reader.state().objects()) == 2
    with pytest.raises(BadInput, match="read-only"):
        reader.observe(frame(2.0, {}))
    reader.close()
    memory.close()
    SpatialMemory.open(path).close()


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_states_of_a_reader_share_their_open_files_until_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    with SpatialMemory.create(path) as memory:
        for second in range(4):
            memory.observe(frame(float(second), {"cup": [(2.0, 0.0, 1.0)]}))
        memory.commit()
        with SpatialMemory.open(path, read_only=True) as reader:
            before = open_files()
            held = [reader.state(at=float(k % 4)) for k in range(300)]
            assert open_files() - before < 12
            assert all(len(state.objects()) == 1 for state in held[1:])
            memory.observe(frame(4.0, {"cup": [(2.0, 0.0, 1.0)], "lamp": [(3.0, 0.5, 1.0)]}))
            memory.commit()
            held += [reader.state() for _ in range(300)]
            assert open_files() - before < 18
            assert {len(state.objects()) for state in held[:300]} == {1}
            assert {len(state.objects()) for state in held[300:]} == {2}


def test_files_that_are_not_ours_or_too_new_are_refused(tmp_path: Path) -> None:
    newer = tmp_path / "newer.situ"
    SpatialMemory.create(newer).close()
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for read_only in (True, False):
        with pytest.raises(BadFormat, match="schema 99"):
            SpatialMemory.open(newer, read_only=read_only)
    text = tmp_path / "text.situ"
    text.write_text("not a database at all, but long enough to look like a file of some kind")
    with pytest.raises(BadFormat, match="not a spatial memory"):
        SpatialMemory.open(text)
    other = tmp_path / "other.situ"
    connection = sqlite3.connect(other)
    connection.execute("PRAGMA user_version = 1")
    connection.execute("CREATE TABLE t(x)")
    connection.close()
    with pytest.raises(BadFormat, match="another program"):
        SpatialMemory.open(other)
    with pytest.raises(BadInput, match="no memory at"):
        SpatialMemory.open(tmp_path / "nowhere.situ")
    with pytest.raises(Refused, match="already there"):
        SpatialMemory.create(newer)


def test_a_file_of_an_older_schema_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    SpatialMemory.create(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(BadFormat, match="schema 2, made by an older situ"):
            SpatialMemory.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_a_failed_block_commits_nothing_since_the_last_commit(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"

    def stop_halfway() -> None:
        with SpatialMemory.create(path) as memory:
            memory.observe(frame(0.0, {"cup": [(2.0, 0.0, 1.0)]}))
            memory.commit()
            memory.observe(frame(1.0, {"cup": [(2.0, 0.0, 1.0)]}))
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        stop_halfway()
    with SpatialMemory.open(path) as again:
        assert again.frames == 1
    assert integrity(path) == "ok"


def test_an_observation_takes_few_bytes(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    seen = 0
    with SpatialMemory.create(path) as memory:
        for oracle in Stream(Plan(seconds=1200), 4).frames():
            memory.observe(oracle.exact())
            seen += len(oracle.seen)
    assert path.stat().st_size / seen <= 150


def test_a_few_bytes_do_not_grow_without_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.zeros((16, 8))
    assert np.array_equal(PoseBlock.unpack(0, packing.pack_table(table)).table, table)
    monkeypatch.setattr(packing, "_MOST_BYTES", 1000)
    with pytest.raises(BadFormat, match="more than 1000 bytes"):
        PoseBlock.unpack(0, packing.pack_table(table))
    with pytest.raises(BadFormat, match="are not 4000000000 sightings"):
        packing.unpack_seen(packing.pack_lines(np.zeros(1, packing.SEEN_TYPE)), 4_000_000_000)


def test_a_pose_is_the_same_to_the_last_bit_whether_one_or_all_of_a_run_are_worked_out() -> None:
    rng = np.random.default_rng(12)
    for frames in (0, 1, 5, 256):
        block = PoseBlock(0, rng.normal(0.0, 3.0, (16, frames)))
        alone = [block.correction(k) @ block.given_pose(k) for k in range(frames)]
        assert block.poses.tobytes() == np.array(alone).tobytes()
        assert block.poses.shape == (frames, 4, 4)


def crafted(path: Path, *statements: str) -> Path:
    """A memory with a seal that holds, in which somebody ran statements of their own."""
    with SpatialMemory.create(path) as memory:
        memory.observe(frame(0.0, {"cup": [(2.0, 0.0, 1.0)]}))
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()
    with path.open("rb+") as file:
        seal(file.fileno())
    return path


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TABLE kept(a, b, c)",),
        ("CREATE TRIGGER t BEFORE DELETE ON word BEGIN SELECT 1; END",),
        ("CREATE VIEW v AS SELECT 1",),
        ("CREATE INDEX more ON word(text)",),
        ("DROP TABLE tombstone",),
        (
            "ALTER TABLE called RENAME TO c2",
            "CREATE VIEW called AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
            "SELECT kind, word, object_id, known_from FROM c2, r",
        ),
        (
            "DROP TABLE camera",
            "CREATE TABLE camera(id INTEGER PRIMARY KEY, body TEXT, x AS (hex(zeroblob(9))))",
        ),
    ],
    ids=["table", "trigger", "view", "index", "missing", "view for a table", "other columns"],
)
def test_a_file_with_anything_but_our_tables_is_refused_by_everybody(
    tmp_path: Path, statements: tuple[str, ...]
) -> None:
    path = crafted(tmp_path / "m.situ", *statements)
    before = path.read_bytes()
    for read_only, checked in ((True, True), (True, False), (False, True)):
        with pytest.raises(BadFormat, match=r"changed by another program|lacks the table"):
            SpatialMemory.open(path, read_only=read_only, checked=checked)
    with pytest.raises(BadFormat):
        repair(path, tmp_path / "new.situ")
    assert path.read_bytes() == before
    assert not (tmp_path / "new.situ").exists()


def test_a_log_that_brings_a_trigger_is_refused(tmp_path: Path) -> None:
    path = crafted(tmp_path / "m.situ")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TRIGGER t BEFORE DELETE ON word BEGIN SELECT 1; END")
    stolen = {name: (tmp_path / name).read_bytes() for name in ("m.situ", "m.situ-wal")}
    connection.close()
    for name, content in stolen.items():
        (tmp_path / name).write_bytes(content)
    for read_only in (True, False):
        with pytest.raises(BadFormat, match="trigger 't'"):
            SpatialMemory.open(path, read_only=read_only)


def test_a_statement_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_STATEMENT_S", 0.05)
    with SpatialMemory.open(crafted(tmp_path / "m.situ"), read_only=True) as memory:
        with pytest.raises(StorageFailed, match="was read for more than"):
            memory.history.connection.all(
                "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT sum(n) FROM r"
            )
        assert memory.history.connection.one("PRAGMA trusted_schema") == (0,)
        assert len(memory.state().objects()) == 1
