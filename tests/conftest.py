"""Marks the tests of `slow.txt`, so that `make test-fast` can leave them out.

The list holds tests that take more than about half a second of CPU time; `make test` runs them all.
"""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLOW = frozenset((HERE / "slow.txt").read_text(encoding="utf-8").split())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        file = item.path.relative_to(HERE.parent).as_posix()
        name = getattr(item, "originalname", item.name)
        if f"{file}::{name}" in SLOW:
            item.add_marker(pytest.mark.slow)
