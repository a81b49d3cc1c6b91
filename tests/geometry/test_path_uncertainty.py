"""Doubt of a path: samples against simulated drift, ties, thinning, and being lost."""

import numpy as np
import pytest

from situ.errors import BadFormat
from situ.geometry.path_uncertainty import PathUncertainty


def square_walk(count: int = 41, side: float = 10.0) -> np.ndarray:
    """Once around a square, back to the start."""
    along = np.linspace(0, 4, count)
    corners = side * np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], float)
    return np.array([np.interp(along, range(5), corners[:, k]) for k in (0, 1)]).T


def doubt(
    ground: np.ndarray, yaw: float = 0.01, metres: float = 0.03, scale: float = 0.01
) -> PathUncertainty:
    sigma = np.tile([yaw, metres, scale], (len(ground), 1))
    sigma[0] = 0.0
    return PathUncertainty.of(np.arange(len(ground)), ground, sigma)


def tied(
    path: PathUncertainty, i: int, j: int, sigma: tuple[float, float, float], known: float
) -> PathUncertainty:
    return PathUncertainty(
        path.times,
        path.ground,
        path.sigma,
        np.array([[i, j]]),
        np.array([sigma]),
        np.array([known]),
        path.lost,
    )


def seen_at(
    path: PathUncertainty, now: float, point: tuple[float, float], at: float, count: int = 4000
) -> np.ndarray:
    """Where a point that was seen at a time is now (samples, 2)."""
    points = np.tile([[*point, 0.0]], (count, 1))[:, None]
    return path.samples(count).seen_from(now, points, np.array([at]))[:, 0, :2]


def test_samples_spread_as_simulated_walks_do() -> None:
    """Drift of yaw, place and scale, step by step, against what the samples say of the start."""
    ground, rng = square_walk(21), np.random.default_rng(1)
    path = doubt(ground, 0.02, 0.05, 0.02)
    steps = np.diff(ground, axis=0)
    ends = []
    for _ in range(3000):
        yaw, scale, place = 0.0, 0.0, np.zeros(2)
        for step in steps:
            c, s = np.exp(scale) * np.cos(yaw), np.exp(scale) * np.sin(yaw)
            place = place + np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
            place = place + rng.normal(0, 0.05, 2)
            yaw, scale = yaw + rng.normal(0, 0.02), scale + rng.normal(0, 0.02)
        back = np.exp(-scale) * (ground[0] - place)  # the start, in the axes of the end
        c, s = np.cos(-yaw), np.sin(-yaw)
        ends.append(ground[-1] + np.array([c * back[0] - s * back[1], s * back[0] + c * back[1]]))
    simulated, sampled = np.cov(np.array(ends).T), np.cov(seen_at(path, 20.0, (0.0, 0.0), 0.0).T)
    assert np.allclose(np.diag(sampled), np.diag(simulated), rtol=0.2)


def test_what_was_seen_just_now_is_sure_and_doubt_grows_with_the_way() -> None:
    path = doubt(square_walk())
    spreads = [seen_at(path, 40.0, (5.0, 5.0), at).std(axis=0).max() for at in (40.0, 38.0, 30.0, 20.0)]
    assert spreads[0] < 1e-9
    assert spreads == sorted(spreads)
    assert spreads[-1] > 0.2


@pytest.mark.parametrize("at", [40.0, 38.0, 20.0])
def test_doubt_of_the_scale_itself_stretches_distances_and_turns_nothing(at: float) -> None:
    """Units that nobody knows are the same units everywhere: all is seen where it is, nearer or farther."""
    ground = square_walk()
    sigma = np.zeros((len(ground), 3))
    sigma[0, 2] = 0.2
    path = PathUncertainty.of(np.arange(len(ground)), ground, sigma)
    away = seen_at(path, 40.0, (5.0, 5.0), at) - ground[-1]
    assert np.log(np.hypot(*away.T) / np.hypot(5.0, 5.0)).std() == pytest.approx(0.2, rel=0.05)
    assert np.arctan2(away[:, 1], away[:, 0]).std() < 1e-9


def test_a_tie_makes_the_ends_sure_and_leaves_the_middle_open() -> None:
    ground = square_walk()
    loose = doubt(ground)
    close = tied(loose, 0, 40, (0.003, 0.01, 0.003), 40.0)
    at_start = [seen_at(p, 40.0, (1.0, 0.0), 0.0).std(axis=0).max() for p in (loose, close)]
    halfway = [seen_at(p, 40.0, (10.0, 10.0), 20.0).std(axis=0).max() for p in (loose, close)]
    assert at_start[1] < 0.03 < 0.5 < at_start[0]
    assert 0.1 < halfway[1] < 0.8 * halfway[0]


def test_a_tie_counts_from_when_it_was_seen() -> None:
    ground = square_walk()
    close = tied(doubt(ground), 0, 30, (0.003, 0.01, 0.003), 35.0)
    assert len(close.until(32.0, 32.0).ties) == 0
    assert len(close.until(32.0, 36.0).ties) == 1
    assert len(close.until(25.0, 40.0).ties) == 0  # its end lies in the future


@pytest.mark.parametrize("with_tie", [False, True])
def test_fewer_knots_say_much_the_same(with_tie: bool) -> None:
    path = doubt(square_walk(401), 0.004, 0.01, 0.002)
    path = tied(path, 2, 399, (0.003, 0.01, 0.003), 400.0) if with_tie else path
    thin = path.thinned(40)
    assert len(thin.times) == 40
    for at in (0.0, 101.3, 250.0):
        spread, thinner = (seen_at(p, 400.0, (3.0, 3.0), at, 1500).std(axis=0).max() for p in (path, thin))
        assert thinner == pytest.approx(spread, rel=0.25, abs=0.02)


def test_who_is_lost_is_anywhere_and_faces_anyhow() -> None:
    path = PathUncertainty.of(
        [0.0, 10.0], np.array([[0.0, 0.0], [1.0, 0.0]]), np.zeros((2, 3)), np.array([[10.0, 14.0]])
    )
    assert path.present == 14.0
    bearings = np.arctan2(*(seen_at(path, 14.0, (3.0, 0.0), 5.0) - path.ground[-1]).T)
    assert bearings.std() > 1.0
    assert seen_at(path, 9.0, (3.0, 0.0), 5.0).std(axis=0).max() < 1e-9


def test_kept_as_text_and_back() -> None:
    path = tied(doubt(square_walk()), 0, 40, (0.01, 0.01, 0.01), 40.0)
    again = PathUncertainty.from_text(path.to_text())
    for name, value in vars(path).items():
        assert np.array_equal(value, getattr(again, name)), name
    for damaged in ("", "{}", '{"times": [1]}', path.to_text().replace("[0.0, 0.0]", "[0.0]", 1)):
        with pytest.raises(BadFormat):
            PathUncertainty.from_text(damaged)


def test_one_path_after_another() -> None:
    first, second = doubt(square_walk(5)), doubt(square_walk(5))
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    both = first.followed_by(second, turn, np.array([100.0, 0.0]), 60.0)
    assert both.times.tolist() == [0, 1, 2, 3, 4, 60, 61, 62, 63, 64]
    assert np.allclose(both.ground[6], [100.0, 10.0])
