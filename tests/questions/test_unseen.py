"""Lists know what may be missing from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.box import Box
from situ.geometry.pose import camera_pose
from situ.memory import Observation, ObservedFrame, SpatialMemory
from situ.questions import Around, ContentsOf, CountRelated, RelatedTo, Selector
from situ.questions.rules.unseen import agreement, put_down_unseen
from situ.state.protocol import ByFate, ObjectView, Sighting


class Things(list[ObjectView], ByFate):
    def gone(self) -> Sequence[ObjectView]:
        return ()

    def held(self) -> Sequence[ObjectView]:
        return self

    def alike(self, since: float) -> Iterator[Sequence[ObjectView]]:
        return iter(())


@dataclass
class Walk:
    """A metre a second to the east."""

    def index_at(self, time: float) -> int:
        return round(time)

    def ground(self, first: int, last: int) -> np.ndarray:
        return np.array([(float(k), 0.0) for k in range(first, last + 1)])


@dataclass
class Belief:
    """One cup, last seen in the hands."""

    now: float
    last: float
    path: Walk

    def objects(self) -> Things:
        return Things([ObjectView(1, "cup", Box((0.0, 0.0, 1.0), (0.1, 0.1, 0.1)))])

    def sightings(self, object_id: int) -> list[Sighting]:
        return [Sighting(round(self.last), self.last)]


def expected(now: float, last: float, x: float, reach_m: float) -> float:
    return put_down_unseen(Belief(now, last, Walk()), (x, 0.0, 1.0), reach_m)  # type: ignore[arg-type]


def test_of_a_kind_only_that_kind_may_have_been_put_down() -> None:
    belief, here = Belief(160.0, 100.0, Walk()), (105.0, 0.0, 1.0)
    every = put_down_unseen(belief, here, 5.0)  # type: ignore[arg-type]
    assert every > 0.0
    assert put_down_unseen(belief, here, 5.0, Selector.make("cup")) == every  # type: ignore[arg-type]
    assert put_down_unseen(belief, here, 5.0, Selector.make("plate")) == 0.0  # type: ignore[arg-type]


def at_a_table(clarity: float, person_until: int, seconds: int = 40) -> SpatialMemory:
    """A table with a plate that is clear and a cup that is so clear, and somebody beside it for a while."""
    memory = SpatialMemory.create(":memory:")
    for second in range(seconds):
        seen = [
            Observation("table", (2.0, 0.0, 0.4), size=(1.0, 1.0, 0.8)),
            Observation("plate", (2.2, 0.1, 0.85), size=(0.2, 0.2, 0.1)),
        ]
        if second < 2:
            seen.append(Observation("cup", (1.8, -0.2, 0.85), size=(0.1, 0.1, 0.1), clarity=clarity))
        if second < person_until:
            seen.append(Observation("housemate", (2.0, 1.2, 0.9), size=(0.4, 0.4, 1.8)))
        pose = camera_pose((0.0, 0.0, 1.6), 0.0)
        memory.observe(ObservedFrame(float(second), pose, observations=tuple(seen), place="kitchen"))
    return memory


def test_what_was_only_glimpsed_is_neither_listed_nor_counted() -> None:
    table, cup = Selector.make("table"), Selector.make("cup")
    for clarity, number in ((1.0, 1), (0.5, 0)):
        state = at_a_table(clarity, 0).state()
        assert "plate" in str(RelatedTo("on", table).answer(state).value)
        assert ("cup" in str(RelatedTo("on", table).answer(state).value)) == number
        assert CountRelated("on", table, cup).answer(state).value == number
        assert ("cup" in str(Around().answer(state).value)) == number
        assert ("cup" in str(ContentsOf("kitchen").answer(state).value)) == number


def test_somebody_who_walks_is_not_told_of_long_after() -> None:
    memory = at_a_table(1.0, 30, 200)
    near = [str(Around().answer(memory.state(float(at))).value) for at in (29, 199)]
    assert ["housemate" in words for words in near] == [True, False]
    assert all("plate" in words for words in near)


def test_what_is_in_the_hands_now_was_not_put_down() -> None:
    assert expected(100.0, 100.0, 100.0, 5.0) == 0.0


@given(st.integers(1, 300), st.floats(0, 300), st.floats(0.5, 20))
def test_it_is_one_thing_and_where_the_wearer_was_since(after: int, x: float, reach_m: float) -> None:
    here = expected(100.0 + after, 100.0, x, reach_m)
    assert 0.0 <= here <= 1.0
    assert here <= expected(100.0 + after, 100.0, x, reach_m + 1.0)
    assert expected(100.0 + after, 100.0, 50.0, 49.0) == 0.0, "it was seen in the hands after that"
    assert expected(100.0 + after, 100.0, 100.0, 1000.0) == pytest.approx(1.0 - np.exp(-after / 15.0))


@given(st.integers(0, 20), st.floats(0, 1), st.floats(0, 5))
def test_a_list_is_the_less_sure_the_more_may_be_missing(said: int, share: float, missing: float) -> None:
    sure = agreement(said, said * share, missing)
    assert 0.0 <= sure <= 1.0
    assert agreement(said, said * share, missing + 1.0) <= sure
    assert agreement(said, float(said), 0.0) == 1.0
