"""Where things rested, what was taken, what was passed: on a small world made by hand."""

import numpy as np
import pytest

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions import CarriedFromTo, KeptWhere, Selector, TakenFrom, WayAfter, from_program, to_program
from situ.questions.rules.resting import rests
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState

CUP, DESK, SOFA, SHELF, LAMP = 1, 2, 3, 4, 5
SPOTS = {DESK: (2.0, 0.0), SOFA: (10.0, 0.0), SHELF: (6.0, 6.0), LAMP: (2.0, 0.3)}


def _box(x: float, y: float, z: float = 0.8, size: float = 0.1) -> Box:
    return Box((x, y, z), (size, size, size))


def _moved(time: float, x: float, y: float) -> Event:
    return Event(time, "moved", CUP, {"center": [x, y, 0.8], "size": [0.1, 0.1, 0.1]})


def _world(turn_deg: float = 0.0, until: float = 40.0) -> TruthState:
    """The wearer stands 1.2 m from the desk, takes the cup at 10 s, walks to the sofa, puts it down at 20 s,
    and goes on to the shelf. All is turned about the origin by an angle, which must not matter."""
    times = np.arange(0.0, 41.0)
    xs = np.interp(times, [0, 10, 20, 24, 40], [0.8, 0.8, 8.8, 8.8, 6.0])
    ys = np.interp(times, [0, 10, 20, 24, 40], [0.0, 0.0, 0.0, 0.0, 4.8])
    turn = np.radians(turn_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    ground = np.column_stack([xs, ys]) @ spin.T
    poses = np.stack([camera_pose((x, y, 1.6), turn_deg, 0.0, 0.0) for x, y in ground])

    def put(x: float, y: float) -> tuple[float, float]:
        u, v = spin @ (x, y)
        return float(u), float(v)

    records = {
        i: ObjectRecord(i, n, _box(*put(*SPOTS[i]), 0.4, 0.7))
        for i, n in ((DESK, "desk"), (SOFA, "sofa"), (SHELF, "shelf"))
    }
    records[CUP] = ObjectRecord(CUP, "cup", _box(*put(2.0, 0.0)))
    records[LAMP] = ObjectRecord(LAMP, "lamp", _box(*put(*SPOTS[LAMP])))
    events = [_moved(t, *put(xs[int(t)] + 0.5, ys[int(t)])) for t in times[11:20]]
    events.append(_moved(20.0, *put(10.0, 0.0)))
    seen = {
        CUP: [0, 2, 4, 6, 8, *range(11, 23)],
        DESK: range(9),
        SOFA: range(12, 23),
        SHELF: range(24, 40),
        LAMP: range(9),
    }
    sightings = {i: [Sighting(f, float(f)) for f in frames] for i, frames in seen.items()}
    return TruthState(Path(times, poses), records, sightings, events).as_of(until)


NAMES = {
    i: Selector(n)
    for i, n in ((CUP, "cup"), (DESK, "desk"), (SOFA, "sofa"), (SHELF, "shelf"), (LAMP, "lamp"))
}
PLACES = (NAMES[DESK], NAMES[SOFA], NAMES[SHELF])


@pytest.mark.parametrize("turn_deg", [0.0, 37.0, 180.0])
def test_hands_are_no_place(turn_deg: float) -> None:
    state = _world(turn_deg)
    now, before = rests(state, CUP)
    assert before.last <= 11.0
    assert now.first >= 19.0


@pytest.mark.parametrize("turn_deg", [0.0, 37.0, -90.0])
def test_where_it_was_and_how_it_travelled(turn_deg: float) -> None:
    state = _world(turn_deg)
    assert KeptWhere(NAMES[CUP], PLACES).answer(state).value == "at the desk"
    pairs = ((NAMES[SOFA], NAMES[DESK]), (NAMES[DESK], NAMES[SHELF]), (NAMES[DESK], NAMES[SOFA]))
    moved = CarriedFromTo(NAMES[CUP], pairs).answer(state)
    assert moved.value == "from the desk to the sofa"
    assert moved.margin > 1.0


def test_before_it_was_moved_there_is_nothing_to_tell() -> None:
    with pytest.raises(Unanswerable):
        KeptWhere(NAMES[CUP], PLACES).answer(_world(until=8.0))


def test_what_was_taken_is_what_left() -> None:
    found = TakenFrom(NAMES[DESK], (NAMES[LAMP], NAMES[CUP])).answer(_world())
    assert found.value == "cup"
    assert found.margin > 0.25


@pytest.mark.parametrize("turn_deg", [0.0, 123.0])
def test_the_way_after_in_order(turn_deg: float) -> None:
    state = _world(turn_deg)
    pairs = ((NAMES[SHELF], NAMES[SOFA]), (NAMES[SOFA], NAMES[SHELF]), (NAMES[DESK], NAMES[SHELF]))
    found = WayAfter(NAMES[CUP], 19.0, pairs).answer(state)
    assert found.value == "past the sofa, then past the shelf"
    assert found.margin > 0.5
    with pytest.raises(Unanswerable):
        WayAfter(NAMES[CUP], 30.0, pairs).answer(state)


def test_programs_survive_being_stored() -> None:
    pairs = ((NAMES[DESK], NAMES[SOFA]), (NAMES[SOFA], NAMES[DESK]))
    for question in (
        KeptWhere(NAMES[CUP], PLACES),
        CarriedFromTo(NAMES[CUP], pairs),
        TakenFrom(NAMES[DESK], (NAMES[LAMP], NAMES[CUP])),
        WayAfter(NAMES[CUP], 15.0, pairs),
    ):
        assert from_program(to_program(question)) == question
