"""Visits along a path: as a whole, in pieces, and as they were at an earlier time."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from situ.state.visit_log import AWAY_S, BRIEF_S, Run, VisitLog

_STAYS = st.lists(st.tuples(st.sampled_from(["", "hall", "den"]), st.integers(1, 6)), min_size=1, max_size=30)


def runs_of(stays: list[tuple[str, int]]) -> list[Run]:
    """A frame every second."""
    runs, now = [], 0
    for tag, seconds in stays:
        runs.append((tag, float(now), float(now + seconds - 1)))
        now += seconds
    return runs


@given(_STAYS)
def test_visits_are_in_order_apart_and_no_mere_step_through_a_door(stays) -> None:
    runs = runs_of(stays)
    now = runs[-1][2]
    log = VisitLog.along(runs, now)
    for one, two in pairwise(log):
        assert one.end < two.start
        assert one.tag != two.tag or two.start - one.end > AWAY_S
    assert all(visit.tag for visit in log)
    assert all(visit.end - visit.start >= BRIEF_S or visit.end == now for visit in log)


@given(_STAYS, st.data())
def test_the_log_of_an_earlier_time_is_the_beginning_of_the_whole(stays, data) -> None:
    """But for its last visit, which may go on, or turn out to have been a step through a door."""
    frames = [tag for tag, seconds in stays for _ in range(seconds)]
    last = data.draw(st.integers(0, len(frames) - 1))
    early, whole = (
        VisitLog.along([(frames[k], float(k), float(k)) for k in range(end + 1)], float(end))
        for end in (last, len(frames) - 1)
    )
    assert list(early)[:-1] == list(whole)[: max(0, len(early) - 1)]


@given(_STAYS, st.floats(-1.0, 200.0))
def test_lookups_agree_with_going_through_all_visits(stays, time) -> None:
    runs = runs_of(stays)
    log = VisitLog.along(runs, runs[-1][2])
    since = [visit for visit in log if visit.end > time]
    assert list(log.since(time)) == since
    assert log.of("den") == [visit for visit in log if visit.tag == "den"]
    begun = [visit for visit in log if visit.start <= time]
    assert log.begun_by(time) == (begun[-1] if begun else None)
    assert list(log[::-1]) == list(reversed(list(log)))
