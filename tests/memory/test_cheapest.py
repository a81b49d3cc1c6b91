"""The cheapest assignment, against the one of a library."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from situ.memory.tracker.association import min_cost_assignment


@given(lines=st.integers(1, 9), more=st.integers(0, 6), seed=st.integers(0, 2**32 - 1), alike=st.booleans())
def test_no_assignment_is_cheaper(lines: int, more: int, seed: int, alike: bool) -> None:
    """Also where many costs are the same, negative, or forbidding."""
    rng = np.random.default_rng(seed)
    shape = lines, lines + more
    costs = rng.integers(-2, 3, shape).astype(float) if alike else rng.normal(size=shape)
    costs[rng.random(shape) < 0.3] = 1e6
    chosen = min_cost_assignment(costs)
    assert len(set(chosen.tolist())) == lines
    best = costs[linear_sum_assignment(costs)].sum()
    assert np.isclose(costs[np.arange(lines), chosen].sum(), best, rtol=1e-12, atol=1e-6)
