"""Marks the tests of `slow.txt`, so that `make test-fast` can leave them out, and puts files that have many
of them first, so that none is begun when the other process has nothing left; settles what properties try.

The list holds tests that take more than about a quarter of a second of CPU time on a busy machine, and
whole files where what all their tests look at takes long to make; `make test` runs them all.

Properties try the same examples in every run, so that a change is judged by what it changed; `make fuzz`
tries new ones. None has a deadline: a first call may compile, and machines differ.
"""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from shared import begin, made_once
from situ.perception.photos.installed import ANOTHER

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

HERE = Path(__file__).parent
SLOW = frozenset((HERE / "slow.txt").read_text(encoding="utf-8").split())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        file = item.path.relative_to(HERE.parent).as_posix()
        name = getattr(item, "originalname", item.name)
        if file in SLOW or f"{file}::{name}" in SLOW:
            item.add_marker(pytest.mark.slow)
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    items.sort(key=lambda item: -slow[item.path])


@pytest.fixture(scope="session", autouse=True)
def _folders_in_common(tmp_path_factory: pytest.TempPathFactory) -> None:
    begin(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def one_processor() -> Iterator[None]:
    """Files of tests share the machine, so what takes all processors takes one. Processes that would be
    started beside take longer to begin than small sets take to make; tests that are about them say how many.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_photo_eyes() -> Iterator[None]:
    """Films are watched without the network for photographs, which takes half a second a look."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ANOTHER, "")
        yield


@pytest.fixture(scope="session")
def demo_walk(_folders_in_common: None) -> Path:
    """What pages speak of: the first set of the demo, small, and a memory of its first walk."""

    def make(folder: Path) -> None:
        import situ

        rem = situ.make(
            "rem", folder / "demo" / "rem-mini-0", variant="mini", scale=0.1, seed=0, width=480, height=320
        )
        situ.watch(rem.recording("000001").folder, folder / "walk.situ")

    return made_once("demo-walk", make)
