"""Marks the tests of `slow.txt`, so that `make test-fast` can leave them out, and puts files that have many
of them first, so that none is begun when the other process has nothing left; settles what properties try.

The list holds tests that take more than about half a second of CPU time; `make test` runs them all.

Properties try the same examples in every run, so that a change is judged by what it changed; `make fuzz`
tries new ones. None has a deadline: a first call may compile, and machines differ.
"""

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

HERE = Path(__file__).parent
SLOW = frozenset((HERE / "slow.txt").read_text(encoding="utf-8").split())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        file = item.path.relative_to(HERE.parent).as_posix()
        name = getattr(item, "originalname", item.name)
        if f"{file}::{name}" in SLOW:
            item.add_marker(pytest.mark.slow)
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    items.sort(key=lambda item: -slow[item.path])
