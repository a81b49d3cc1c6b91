"""Folders that several files of tests need: made once in a run, by whichever process comes first."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from situ.file_locks import fcntl


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name, made by the first that asks. It is for all: copy it before changing it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # the processes of one run have it in common
    folder, done = base / name, base / f"{name}.done"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
