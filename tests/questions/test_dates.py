"""When moves ended, as far as sightings tell, and what that is worth for questions about their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import situ.questions as q
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions.rules.dates import Ended, in_order, in_time
from situ.questions.rules.moves import all_moves, all_puts
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState

CUP, LAMP = 1, 2
spans = st.lists(st.floats(0.0, 1e4), min_size=3, max_size=3).map(sorted)


@given(spans, st.booleans(), st.floats(0.0, 1e4), st.floats(0.0, 1e4))
def test_the_later_the_time_the_less_likely_a_move_ended_after_it(
    span: list[float], mine: bool, a: float, b: float
) -> None:
    end = Ended(span[0], span[1], span[2], mine)
    early, late = sorted((a, b))
    assert 0.0 <= end.after(late) <= end.after(early) <= 1.0
    assert end.after(span[2]) == 0.0
    assert end.after(span[0] - 1.0) == 1.0
    assert all(span[0] <= time <= span[2] for time in end.times())
    share = sum(time > a for time in end.times()) / len(end.times())
    assert end.after(a) == pytest.approx(share, abs=0.06)


@given(spans)
def test_a_date_is_the_surer_the_more_closely_it_is_asked_for(span: list[float]) -> None:
    end = Ended(span[0], span[1], span[2], True)
    assert end.within(0.0) >= 0.8
    assert end.within(1.0) <= end.within(10.0) <= end.within(1e5) == 1.0


def carried(number: int, taken: float, put: float, to: float) -> list[Event]:
    """Taken up, in the hands second by second, put down elsewhere."""
    size = {"size": [0.1, 0.1, 0.1]}
    events = [
        Event(float(t), "moved", number, {"center": [0.5, 0.0, 1.3], "act": "carried", **size})
        for t in np.arange(taken, put)
    ]
    return [*events, Event(put, "moved", number, {"center": [to, 3.0, 0.8], "act": "put", **size})]


def world(cup_seen_again: float) -> TruthState:
    """The cup is put down at 30 s and seen again at some time, the lamp is put down in view at 50 s."""
    times = np.arange(0.0, 101.0)
    path = Path(times, np.stack([camera_pose((0.0, 0.0, 1.6), 0.0, 0.0, 0.0)] * len(times)))
    records = {
        CUP: ObjectRecord(CUP, "cup", Box((2.0, 0.0, 0.8), (0.1, 0.1, 0.1))),
        LAMP: ObjectRecord(LAMP, "lamp", Box((3.0, 0.0, 0.8), (0.1, 0.1, 0.1))),
    }
    seen = {CUP: [*range(30), *range(int(cup_seen_again), 101)], LAMP: range(101)}
    sightings = {i: [Sighting(f, float(f)) for f in frames] for i, frames in seen.items()}
    events = sorted([*carried(CUP, 20.0, 30.0, 5.0), *carried(LAMP, 40.0, 50.0, 7.0)], key=lambda e: e.time)
    return TruthState(path, records, sightings, events)


def test_what_was_put_down_out_of_view_may_have_been_the_last() -> None:
    sure, unsure = (q.LastMoved().answer(world(seen)) for seen in (31.0, 90.0))
    assert sure.value == unsure.value == "lamp"
    assert sure.odds is not None
    assert unsure.odds is not None
    assert 0.8 < unsure.odds["lamp"] < sure.odds["lamp"] - 0.05


def test_one_of_two_moves_was_the_later() -> None:
    for seen in (31.0, 45.0, 60.0, 90.0):
        state = world(seen)
        lamp, cup = all_moves(state, 0.0)
        assert in_order(state, lamp, [cup]) + in_order(state, cup, [lamp]) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("since", [35.0, 29.5])
def test_a_list_since_a_time_is_doubted_where_a_date_about_it_is(since: float) -> None:
    sure, unsure = (in_time(state, all_moves(state, since), since) for state in (world(31.0), world(90.0)))
    assert sure == 1.0
    assert unsure < 1.0 if since > 30.0 else unsure == 1.0


@pytest.mark.parametrize(("near_m", "puts"), [(0.5, 1), (2.0, 0)])
def test_what_is_lifted_and_put_back_without_a_step_was_put_down(near_m: float, puts: int) -> None:
    """Between two rests it is in the hands if it is near the wearer; they need not carry it anywhere."""
    times = np.arange(0.0, 41.0)
    path = Path(times, np.stack([camera_pose((0.0, 0.0, 1.6), 0.0, 0.0, 0.0)] * len(times)))
    box = Box((near_m, 0.2, 0.8), (0.1, 0.1, 0.1))
    size = {"size": [0.1, 0.1, 0.1]}
    events = [
        Event(20.0, "moved", CUP, {"center": [near_m, 0.0, 1.3], **size}),
        Event(23.0, "moved", CUP, {"center": list(box.center), **size}),
    ]
    seen = {CUP: [Sighting(f, float(f)) for f in range(41)]}
    state = TruthState(path, {CUP: ObjectRecord(CUP, "cup", box)}, seen, events)
    assert len(all_puts(state)) == puts
