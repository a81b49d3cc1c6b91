"""Places from threes of points: exact where there is nothing wrong, right where most is, none where nothing
is to be had."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from situ.perception.odometry.ransac import p3p_distances, quartic_roots, ransac_p3p

OFF = 6 / 500
seeds = st.integers(0, 2**32 - 1)


def scene(rng, count):
    """Points before two cameras: where they are for the first, and where they are for the second."""
    points = rng.uniform([-2, -2, 2], [2, 2, 6], (count, 3))
    turn, shift = Rotation.from_rotvec(rng.normal(0, 0.15, 3)).as_matrix(), rng.uniform(-0.5, 0.5, 3)
    return points, turn, shift, points @ turn.T + shift


@given(seeds)
def test_one_of_the_answers_is_the_true_one(seed):
    points, _, _, seen = scene(np.random.default_rng(seed), 3)
    true = np.linalg.norm(seen, axis=1)
    found, count = p3p_distances(points, seen / true[:, None])
    assert count
    assert np.abs(found[:count] - true).max(axis=1).min() < 1e-2


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4).filter(lambda x: np.diff(sorted(x)).min() > 0.05))
def test_roots_are_those_of_the_polynomial(wanted):
    found, count = quartic_roots(*np.poly(wanted))
    assert count == 4
    assert np.allclose(np.sort(found), np.sort(wanted), atol=1e-4)


@settings(max_examples=40, deadline=None)
@given(seeds, st.floats(0.4, 1.0))
def test_wrong_pairs_are_outvoted(seed, right):
    rng = np.random.default_rng(seed)
    points, turn, shift, seen = scene(rng, 120)
    flat = seen[:, :2] / seen[:, 2:] + rng.normal(0, 0.5 / 500, (120, 2))
    wrong = np.arange(120) >= round(right * 120)
    flat[wrong] = rng.uniform(-0.6, 0.6, (int(wrong.sum()), 2))
    found, away, cost = ransac_p3p(points, flat, OFF, 400)
    assert np.linalg.norm(found @ found.T - np.eye(3)) < 1e-6
    assert np.linalg.norm(found - turn) < 0.05
    assert np.linalg.norm(away - shift) < 0.2
    assert cost <= 120 * OFF**2
    again = ransac_p3p(points, flat, OFF, 400)
    assert np.array_equal(again[0], found)
    assert np.array_equal(again[1], away)


@pytest.mark.parametrize("count", [0, 2, 30])
@pytest.mark.parametrize("along", [0.0, 1.0])
def test_points_that_show_no_triangle_have_no_place(count, along):
    """None, too few, all the same, or all on one line."""
    points = np.ones((count, 3)) + along * np.arange(count)[:, None]
    turn, shift, cost = ransac_p3p(points, np.full((count, 2), 0.1), OFF, 50)
    assert np.isnan(shift).all()
    assert np.array_equal(turn, np.eye(3))
    assert cost == count * OFF**2
