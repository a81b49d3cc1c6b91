"""A log that was left beside a file by a writer that was killed: it goes on from that file, or is refused."""

from pathlib import Path

import pytest

from situ.errors import BadFormat
from situ.memory.file.store import Store, create_file


def put(path: Path, value: str) -> tuple[bytes, bytes]:
    """Write a value and close; the file and its log as a kill before closing would have left them."""
    store = Store(path, writer=True)
    with store.transaction():
        store.put("value", value)
    left = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    store.close()
    return left


def leave(path: Path, file: bytes, log: bytes) -> None:
    """Put a file and a log where they were; in place, as `cp` does."""
    Path(f"{path}-shm").unlink(missing_ok=True)
    path.write_bytes(file)
    Path(f"{path}-wal").write_bytes(log)


def read(path: Path) -> object:
    store = Store(path, writer=False)
    try:
        return store.get("value")
    finally:
        store.close()


def test_only_the_log_of_the_file_itself_is_read(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    create_file(path)
    put(path, "first")
    backup = path.read_bytes()
    put(path, "second")
    killed = put(path, "third")
    folded = path.read_bytes()

    leave(path, *killed)
    assert read(path) == "third"
    leave(path, folded, killed[1])  # killed between the seal and the emptying of the log
    assert read(path) == "third"
    leave(path, backup, killed[1])  # a backup over what the killed writer left
    for writer in (False, True):
        with pytest.raises(BadFormat, match="was replaced while the log"):
            Store(path, writer)
    assert path.read_bytes() == backup
    Path(f"{path}-wal").unlink()
    Path(f"{path}-shm").unlink(missing_ok=True)
    assert read(path) == "first"


def test_a_log_goes_on_from_what_was_folded_in_between(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    create_file(path)
    store = Store(path, writer=True)
    with store.transaction():
        store.put("value", "first")
    store.fold()
    with store.transaction():
        store.put("value", "second")
    killed = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    store.close()
    leave(path, *killed)
    assert read(path) == "second"
