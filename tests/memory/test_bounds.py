"""What a memory holds in working memory depends on the things around it, not on how long it watches them."""

import sqlite3
from collections.abc import Mapping, Set

import numpy as np
from benchmarks.house import Plan, Stream

from situ.memory import SpatialMemory
from situ.perception import Noise, noisy

HOUSE = Plan(rooms=2, objects=60, moved=40, carried=20, removed=5, added=5, seconds=2400, calm=60)
NOISE = Noise(miss=0.1, false_positive=0.05, confuse=0.02, depth_m=0.05, depth_share=0.02)


def held(root: object) -> int:
    """How many rows and entries all tables and containers hold that can be reached from an object."""
    seen: dict[int, object] = {}
    waiting, total = [root], 0
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (str, bytes, type, sqlite3.Connection)):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, np.ndarray):
            total += len(thing) if thing.ndim else 1
        elif isinstance(thing, Mapping):
            total += len(thing)
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, (list, tuple, Set)):
            total += len(thing)
            waiting += list(thing)
        elif type(thing).__module__.startswith("situ."):
            names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
            waiting += [*vars(thing).values()] if hasattr(thing, "__dict__") else []
            waiting += [getattr(thing, name) for name in names if hasattr(thing, name)]
    return total


def test_working_memory_does_not_grow_with_the_stream() -> None:
    memory = SpatialMemory.create(":memory:")
    sizes = []
    for number, frame in enumerate(noisy(Stream(HOUSE, 61).frames(), NOISE, np.random.default_rng(61)), 1):
        memory.observe(frame)
        if number in (800, 2400):
            memory.commit()
            sizes.append(held(memory.working))
    first, last = sizes
    assert first > 1000
    # Of 1,600 frames and sixteen thousand observations: what sixty moved things have met since.
    things, met = len(memory.working.tracks), sum(map(len, memory.working.seen_together.values()))
    assert met <= things * (things - 1)
    assert last - first < 300
    _ask_all_over(memory)
    cached = held(memory) - held(memory.working)
    _ask_all_over(memory)
    assert held(memory) - held(memory.working) <= cached  # asked again, nothing is added


def _ask_all_over(memory: SpatialMemory) -> None:
    """Questions about many times, so that every cache of reading is full."""
    for time in np.linspace(0.0, memory.now, 60):
        assert memory.state(at=float(time)).pose is not None
        memory.state(at=float(time)).names()


def test_one_more_thing_is_one_more_entry() -> None:
    """The count above counts: what is left behind for each frame would show."""
    memory = SpatialMemory.create(":memory:")
    before = held(memory)
    memory.working.within_reach.update(dict.fromkeys(range(500), 0.0))
    assert held(memory) >= before + 500
