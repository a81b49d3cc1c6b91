"""When moves ended, as far as sightings tell, and what that is worth for questions about their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import situ.questions as q
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions.rules.dates import Ended, ended
from situ.questions.rules.moves import all_moves, all_puts
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState

CUP, LAMP = 1, 2
spans = st.lists(st.floats(0.0, 1e4), min_size=3, max_size=3).map(sorted)


LEVELS = (np.arange(64) + 0.5) / 64


@given(spans, st.booleans())
def test_a_move_ended_between_the_sightings_beside_it(span: list[float], mine: bool) -> None:
    times = Ended(span[0], span[1], span[2], mine).times(LEVELS)
    assert ((times >= span[0] - 1e-6) & (times <= span[2] + 1e-6)).all()
    assert (np.diff(times) >= -1e-9).all()


@given(spans)
def test_what_the_wearer_put_down_is_dated_by_when_it_was_last_in_the_hands(span: list[float]) -> None:
    times = Ended(span[0], span[1], span[2], True).times(LEVELS)
    assert (np.abs(times - span[1]) <= 1e-6).mean() >= 0.8


@given(spans)
def test_what_others_moved_may_have_come_at_any_time(span: list[float]) -> None:
    times = Ended(span[0], span[1], span[2], False).times(LEVELS)
    middle = (span[0] + span[2]) / 2
    assert abs((times <= middle).mean() - 0.5) <= 0.02 or span[2] - span[0] < 1e-3


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


@pytest.mark.parametrize("seen", [31.0, 45.0, 60.0, 90.0])
def test_sightings_beside_a_move_say_between_which_times_it_ended(seen: float) -> None:
    state = world(seen)
    lamp, cup = (ended(state, move) for move in all_moves(state, 0.0))
    assert (cup.earliest, cup.dated, cup.latest) == (29.0, 30.0, seen)
    assert lamp.latest - lamp.earliest <= 1.0
    assert cup.by_wearer
    assert lamp.by_wearer


def test_keys_know_which_move_was_the_last() -> None:
    assert q.LastMoved().answer(world(90.0)).value == "lamp"


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
