import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry import nearest
from situ.geometry.nearest import nearest_of_runs, nearest_within, run_starts


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


@pytest.mark.parametrize("cells", [5, 80, 10**6])
def test_points_in_one_corner_are_told_the_same_together(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "_MANY_CELLS", cells)
    rng, reach = np.random.default_rng(2), 2.5
    here, spots, beyond = rng.uniform(-9, 9, (70, 2)), rng.uniform(-9, 9, (90, 2)), rng.random(90)
    groups = np.sort(rng.choice([0, 1, 3, 4], 90))
    found = nearest_within(here, spots, groups, 6, reach, beyond)
    runs = run_starts(groups)
    plain = np.full((70, 6), np.inf)
    plain[:, groups[runs]] = nearest_of_runs(here, spots, runs, beyond)
    near = plain <= reach
    assert 20 < near.sum() < 300
    assert (found[near] == plain[near]).all()
    assert (found[~near] > reach).all()
    assert nearest_within(here[:0], spots, groups, 6, reach, beyond).shape == (0, 6)
    assert np.isinf(nearest_within(here, spots[:0], groups[:0], 6, reach, beyond[:0])).all()
