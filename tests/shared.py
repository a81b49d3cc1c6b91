"""Folders that several files of tests need: made once in a run, by whichever process comes first."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from situ.file_locks import fcntl

_base: Path | None = None  # of the run that this process is part of


def begin(factory: pytest.TempPathFactory) -> None:
    """Note where folders are made; the processes of one run have it in common."""
    global _base
    base = factory.getbasetemp()
    _base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name, made by the first that asks. It is for all: copy it before changing it."""
    base = _base
    if base is None:
        raise RuntimeError("shared folders belong to a run of tests: `begin` was not called")
    folder, done = base / name, base / f"{name}.done"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
