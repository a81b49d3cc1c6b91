import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry import nearest
from situ.geometry.nearest import nearest_of_runs


@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.lists(st.integers(1, 6), min_size=1, max_size=8))
def test_the_nearest_of_each_run_is_the_least_of_all_gaps(seed: int, points: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    here, spots, beyond = (
        rng.normal(0, 5, (points, 2)),
        rng.normal(0, 5, (sum(sizes), 2)),
        rng.random(sum(sizes)),
    )
    runs = np.cumsum([0, *sizes[:-1]])
    found = nearest_of_runs(here, spots, runs, beyond)
    gaps = np.hypot(*(here[:, None] - spots).transpose(2, 0, 1)) + beyond
    plain = [gaps[:, a : a + size].min(axis=1) for a, size in zip(runs, sizes, strict=True)]
    assert found == pytest.approx(np.array(plain).T.reshape(points, len(sizes)))


def test_some_points_at_a_time_are_told_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    here, spots, runs = rng.normal(0, 5, (50, 2)), rng.normal(0, 5, (30, 2)), np.array([0, 7, 19])
    whole = nearest_of_runs(here, spots, runs)
    monkeypatch.setattr(nearest, "_CELLS", 70)
    assert nearest_of_runs(here, spots, runs).tolist() == whole.tolist()
