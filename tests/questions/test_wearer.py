"""One rule for what counts: over all that is known, and in a named place."""

from dataclasses import replace

import numpy as np
import pytest

from scenes import solid_record, state_of
from situ.questions import CountInPlace, CountNow, Selector
from situ.questions.wearer import SURE
from situ.state.protocol import ObjectView, SpatialState


class Room:
    tag = "kitchen"
    mean = (0.0, 0.0, 1.5)
    covariance = np.eye(3)


class InDoubt:
    """A state in one room that is only so sure of the first of its objects."""

    def __init__(self, state: SpatialState, presence: float) -> None:
        self._state = state
        first, *others = state.objects()
        self._views = (replace(first, presence=presence), *others)
        self.now, self.path = state.now, state.path
        self.sightings, self.where, self.as_of = state.sightings, state.where, state.as_of

    def objects(self) -> tuple[ObjectView, ...]:
        return self._views

    def places(self) -> tuple[Room, ...]:
        return (Room(),)


@pytest.mark.parametrize(("presence", "counted"), [(1.0, 2), (SURE, 2), (SURE - 0.01, 1), (0.2, 1)])
def test_what_may_be_a_false_detection_is_counted_nowhere(presence: float, counted: int) -> None:
    records = [solid_record(1, "red", "cone", 1.0, 0.5), solid_record(2, "red", "cone", 1.0, -0.5)]
    state = InDoubt(state_of(records, {1: {0: 1.0}, 2: {0: 1.0}}), presence)
    assert CountNow(Selector("cone")).answer(state).value == counted
    assert CountInPlace("kitchen", Selector("cone")).answer(state).value == counted
