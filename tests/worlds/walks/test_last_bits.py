"""Libraries of mathematics differ in the last bit; walks over a grid, full of ties, do not."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from situ.geometry.heading import Heading
from situ.geometry.rounding import stable_ceil, stable_floor, stable_round
from situ.worlds.homes.walkable import CELL_M
from situ.worlds.tours import along
from situ.worlds.walks.body import body_motion
from situ.worlds.walks.route import Route

CELLS = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
_hypot = np.hypot


@settings(max_examples=60, deadline=None)
@example([(0, 0), (6, 8), (6, 28)], -np.inf)  # legs of 1 m and 2 m, rounded by 0.45 m: 27.5 and 77.5 steps
@example([(0, 0), (6, 8), (6, 28)], np.inf)
@given(st.lists(CELLS, min_size=2, max_size=6, unique=True), st.sampled_from([-np.inf, np.inf]))
def test_a_bit_in_a_length_moves_nobody(cells: list[tuple[int, int]], towards: float) -> None:
    points, start = np.array(cells) * CELL_M, Heading(0.0, 0.0, 0.0, 0.0)
    walked = []
    with pytest.MonkeyPatch.context() as patch:
        for hypot in (_hypot, lambda x, y: np.nextafter(_hypot(x, y), towards)):
            patch.setattr(np, "hypot", hypot)
            walked.append(body_motion(Route(start, tuple(along(points, start)[0])), 1.1))
    for here, there in zip(*walked, strict=True):
        np.testing.assert_allclose(here, there, rtol=0, atol=1e-9)


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.5]), st.sampled_from([-np.inf, np.inf]))
def test_counts_do_not_hang_on_the_last_bit(whole: int, rest: float, towards: float) -> None:
    number = whole + rest
    for count in (stable_round, stable_floor, stable_ceil):
        assert count(math.nextafter(number, towards)) == count(number)
