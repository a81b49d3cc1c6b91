"""Which frames have a picture."""

import sqlite3
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from situ.memory.file.database import Database
from situ.memory.reading.views import pictured, pictured_beside

_FRAMES = st.sets(st.integers(0, 60), max_size=30)


def _history(frames: set[int]) -> Any:
    connection = sqlite3.connect(":memory:", factory=Database)
    connection.execute("CREATE TABLE thumbnail(frame INTEGER PRIMARY KEY, image BLOB)")
    connection.executemany("INSERT INTO thumbnail(frame) VALUES (?)", [(frame,) for frame in frames])
    return SimpleNamespace(connection=connection)


@given(_FRAMES, st.integers(0, 60), st.integers(0, 60), st.integers(1, 40))
def test_all_of_a_span_or_so_many_spread_over_it(frames: set[int], first: int, last: int, most: int) -> None:
    there = sorted(frame for frame in frames if first <= frame <= last)
    found = pictured(_history(frames), first, last, most)
    if len(there) <= most:
        assert found == there
        return
    assert set(found) <= set(there)
    assert len(found) <= most
    assert found[0] == there[0]
    assert found == sorted(set(found))
    step = (last - there[0] + 1) / most
    for frame in there:  # none is further from one that was chosen than the step
        assert min(frame - other for other in found if other <= frame) < 2 * step


@given(_FRAMES, st.lists(st.integers(0, 60), max_size=5), st.integers(0, 60))
def test_the_nearest_on_both_sides(frames: set[int], asked: list[int], last: int) -> None:
    there = {frame for frame in frames if frame <= last}
    for frame, before, after in pictured_beside(_history(frames), asked, last):
        assert before == max((other for other in there if other <= frame), default=None)
        assert after == min((other for other in there if other >= frame), default=None)
