"""What depth images say of points: measured, guessed beside what was measured, or not known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.perception.odometry.depth_sampling import depth_sigma, first_guesses, sample_depth


def test_depth_is_not_taken_at_edges_holes_or_infinity():
    depth = np.full((40, 40), 2.0)
    depth[:, 20:] = 3.0
    depth[10, 10] = 0
    depth[30, 30] = np.nan
    depth[5, 30] = np.inf
    points = np.array([[5, 30], [19, 30], [10, 10], [30, 30], [30, 5], [33, 20]], np.float32)
    values, valid = sample_depth(depth, points)
    assert valid.tolist() == [True, False, False, False, False, True]
    assert values[0] == 2.0
    assert values[5] == 3.0


@given(st.integers(0, 2**32), st.sampled_from([np.float16, np.float32, np.float64]))
def test_depth_is_the_median_of_five_where_these_agree(seed, kind):
    rng = np.random.default_rng(seed)
    depth = rng.choice(
        [0.0, 2.0, 2.05, 2.1, 2.3, 13.0, np.nan, np.inf], (12, 15), p=[0.02, *[0.23] * 4, *[0.02] * 3]
    )
    depth = depth.astype(kind)
    points = rng.uniform(-2, 17, (40, 2)).astype(np.float32)
    values, valid = sample_depth(depth, points)
    for (x, y), value, good in zip(points, values, valid, strict=True):
        c, r = int(np.clip(np.rint(x), 2, 12)), int(np.clip(np.rint(y), 2, 9))
        around = depth[[r, r - 2, r + 2, r, r], [c, c, c, c - 2, c + 2]].astype(float)
        measured = bool(np.isfinite(around).all() and (around > 0.15).all() and (around < 12).all())
        assert good == (measured and np.ptp(around) < 0.06 * around[0])
        assert value == (np.median(around) if good else 1.0)


def test_what_was_measured_is_believed_as_far_as_the_sensor_goes():
    inverse, sigma = first_guesses(np.full((40, 40), 2.5), np.array([[20, 20]], np.float32))
    assert inverse[0] == pytest.approx(0.4)
    assert sigma[0] == pytest.approx(depth_sigma(2.5) / 2.5**2)


@given(st.floats(0.5, 5.0), st.floats(1.2, 2.0))
def test_a_point_at_an_edge_is_as_far_as_one_of_its_sides(near, jump):
    depth = np.full((40, 40), near)
    depth[:, 20:] = jump * near
    inverse, sigma = first_guesses(depth, np.array([[19, 20], [20, 20], [5, 5]], np.float32))
    for side in (1 / near, 1 / (jump * near)):
        assert (np.abs(inverse[:2] - side) < sigma[:2]).all()
    assert (sigma[:2] > 0.29 * inverse[:2]).all()  # never as sure as what was measured
    assert sigma[2] < 0.03 * inverse[2]


def test_one_side_alone_says_how_far_an_edge_is():
    depth = np.zeros((40, 40))
    depth[:, :20] = 2.0
    inverse, sigma = first_guesses(depth, np.array([[20, 20], [30, 20]], np.float32))
    assert abs(inverse[0] - 0.5) < sigma[0] < 0.2
    assert inverse[1] < 0.2 < sigma[1]  # nothing was measured near: most likely far
    depth[:, 20:] = np.nan
    assert np.array_equal(first_guesses(depth, np.array([[20, 20], [30, 20]], np.float32)), (inverse, sigma))
