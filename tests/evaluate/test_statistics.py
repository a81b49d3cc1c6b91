import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.evaluate.statistics import wilson


@given(st.integers(1, 500), st.floats(0, 1))
def test_the_interval_holds_the_share_and_stays_in_range(total: int, share: float) -> None:
    right = round(share * total)
    low, high = wilson(right, total)
    assert 0.0 <= low <= right / total + 1e-12
    assert right / total - 1e-12 <= high <= 1.0


def test_known_values_and_the_empty_sample() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 0) == (0.0, 1.0)


def test_it_covers_the_true_share_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    draws = rng.binomial(60, 0.3, 4000)
    covered = np.mean([wilson(int(right), 60).holds(0.3) for right in draws])
    assert 0.93 < covered < 0.97
