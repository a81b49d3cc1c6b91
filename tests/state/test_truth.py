import numpy as np

from scenes import solid_record, standing_path, state_of
from situ.geometry.box import Box
from situ.recording import Event
from situ.state import Sighting, TruthState, Visibility
from situ.state.truth import MOVED


def test_visibility_has_a_band_in_which_nothing_may_be_decided() -> None:
    rule = Visibility(clear_share=0.01, unseen_share=0.001)
    assert [rule.clarity(s) for s in (0.02, 0.01, 0.005, 0.001, 0.0009, 0.0)] == [
        1.0,
        1.0,
        0.5,
        0.5,
        0.0,
        0.0,
    ]


def test_only_what_was_in_view_is_known_and_glimpses_are_doubtful() -> None:
    records = [solid_record(i, "red", "cone") for i in (1, 2, 3)]
    state = state_of(records, {1: {0: 1.0}, 2: {1: 0.5}})
    assert {view.id: view.presence for view in state.objects()} == {1: 1.0, 2: 0.5}
    assert state.sightings(3) == ()


def test_as_of_hides_the_future() -> None:
    state = state_of([solid_record(1, "red", "cone")], {1: {2: 1.0}})
    assert state.as_of(1.0).objects() == ()
    assert state.as_of(1.0).now == 1.0
    assert len(state.as_of(2.0).objects()) == 1


def test_things_are_where_the_last_move_put_them() -> None:
    record = solid_record(1, "red", "cone", 5.0, 0.0)
    moved = Event(2.0, MOVED, 1, {"center": [1.0, 2.0, 0.5], "size": [1.0, 1.0, 1.0], "yaw_deg": 30.0})
    state = TruthState(standing_path(), {1: record}, {1: [Sighting(0, 0.0)]}, [moved])
    assert state.objects()[0].box == Box((1.0, 2.0, 0.5), (1.0, 1.0, 1.0), 30.0)
    assert state.where(1, 1.9) == record.box
    assert state.as_of(1.0).objects()[0].box == record.box
    assert state.where(7, 0.0) is None
    assert np.isclose(state.now, 3.0)
