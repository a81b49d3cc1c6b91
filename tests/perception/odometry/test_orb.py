"""Matches of descriptions are those that OpenCV's brute-force matcher finds, ties included."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.perception.odometry.orb import cross_matched


def drawn(rng, count, levels):
    """Descriptions of few different bytes: many are equally far from each other."""
    return rng.integers(0, levels, (count, 32)).astype(np.uint8)


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 60), st.sampled_from([1, 2, 4, 256]))
def test_the_same_pairs_as_a_brute_force_matcher(seed, some, others, levels):
    rng = np.random.default_rng(seed)
    first, second = drawn(rng, some, levels), drawn(rng, others, levels)
    found = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(first, second)
    told = [(match.queryIdx, match.trainIdx, int(match.distance)) for match in found]
    assert told == list(zip(*(column.tolist() for column in cross_matched(first, second)), strict=True))


@pytest.mark.parametrize("counts", [(0, 3), (3, 0), (0, 0)])
def test_nothing_matches_nothing(counts):
    first, second = (drawn(np.random.default_rng(0), count, 256) for count in counts)
    assert [len(column) for column in cross_matched(first, second)] == [0, 0, 0]


def test_rows_of_a_larger_table_need_not_lie_side_by_side():
    table, other = (drawn(np.random.default_rng(seed), 40, 4) for seed in (1, 2))
    apart, together = cross_matched(table[::2], other), cross_matched(table[::2].copy(), other)
    assert len(together[0])
    assert all(map(np.array_equal, apart, together))
