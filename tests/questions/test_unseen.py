"""Lists know what may be missing from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.box import Box
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
