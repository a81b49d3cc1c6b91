"""Who moved a thing is worked out once for all questions, and told as if it were looked up for each."""

import math
from dataclasses import replace

from benchmarks.house import Plan, Stream

from situ.memory import MemoryState, SpatialMemory
from situ.memory.reading.caches import WhereAskedAgain
from situ.memory.reading.version_book import VersionBook
from situ.questions.rules.courses import _COURSES, UNKNOWN
from situ.questions.rules.moves import _handled, all_runs

SMALL = Plan(rooms=2, objects=60, moved=8, carried=5, removed=4, added=3, seconds=400, calm=40)


def test_who_moved_a_thing_is_found_once_and_told_of_every_time_as_if_it_were_looked_up() -> None:
    once = [frame.exact() for frame in Stream(SMALL, 23, keep_all=False).frames()]
    with SpatialMemory.create(":memory:") as memory:
        for second in range(4 * len(once)):  # to and fro, so that things are moved again and again
            turn, k = divmod(second, len(once))
            memory.observe(replace(once[k if turn % 2 == 0 else -1 - k], time=float(second)))
        memory.commit()
        memory.history.cached.versions = WhereAskedAgain(VersionBook.read, -1)
        memory.state(at=5.0).objects()[0]  # all versions are at hand from now on
        told: list[bool] = []
        for at in (1599.0, 700.0, 1000.0, 1300.0, 1000.5, 1599.0):
            told += _who_moved_what(memory.state(at=at))
        assert any(told)
        assert not all(told)
        assert sum(len(c.handled) - c.handled.count(UNKNOWN) for c in _COURSES.values()) > 10


def _who_moved_what(state: MemoryState) -> list[bool]:
    told = []
    for run in all_runs(state, -math.inf):
        moves, stays = list(run), state.stays(run.view.id)
        for move in moves:
            between = [stay for stay in stays if move.left <= stay.start < move.arrived]
            if move.after is not None:
                assert move.by_wearer == _handled(state, between)
        told += [move.by_wearer for move in moves]
        for mine in (True, False):
            latest = sorted(moves, key=lambda move: -move.arrived)
            some = [(move.left, move.arrived) for move in latest if move.by_wearer == mine]
            assert [(move.left, move.arrived) for move in run.latest_first(mine)] == some
            assert [(move.left, move.arrived) for move in run.earliest_first(mine)] == some[::-1]
            in_order = [move.arrived for move in moves if move.by_wearer == mine]
            last = run.last_by(mine)
            assert in_order[-1:] == ([] if last is None else [last.arrived])
    return told
