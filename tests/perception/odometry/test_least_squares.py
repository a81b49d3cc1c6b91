"""The normal equations of a pose against derivatives that are taken by small steps."""

import cv2
import numpy as np
import pytest

from situ.perception.odometry.least_squares import solved, turned_by, turned_correlations
from situ.perception.odometry.resection import CameraEstimate, Sightings, linearise, normal_equations
from situ.perception.odometry.rotation import exp_rotation

FOCAL, NOISE, SCALE = 450.0, 0.3, 2.5


def some(count: int, seed: int) -> tuple[Sightings, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    seen = Sightings(
        rng.normal(0, 0.4, (count, 3)) + np.array([0, 0, 1.0]), rng.normal(0, 0.3, (count, 3)),
        rng.uniform(0.1, 1.0, count), rng.uniform(0.0, 0.3, count), rng.normal(0, 0.4, (count, 2)),
    )  # fmt: skip
    return seen, exp_rotation(rng.normal(0, 0.1, 3)), rng.normal(0, 0.2, 3)


@pytest.mark.parametrize("seed", range(4))
def test_they_are_those_of_least_squares_with_doubtful_depths(seed: int) -> None:
    seen, rotation, centre = some(30, seed)
    squared = np.empty(len(seen))
    normal, right = normal_equations(
        seen.arrays(),
        CameraEstimate(rotation, centre, FOCAL, NOISE),
        SCALE,
        squared,
        seen.inverse_depth.copy(),
        False,
    )

    def residuals(step: np.ndarray) -> np.ndarray:
        return linearise(seen, exp_rotation(step[:3]) @ rotation, centre + step[3:], FOCAL).residual

    small = 1e-6
    slopes = [(residuals(-small * axis) - residuals(small * axis)) / (2 * small) for axis in np.eye(6)]
    by_pose = np.stack(slopes, axis=2)  # of where a point is seen, so that residuals fall
    terms = linearise(seen, rotation, centre, FOCAL)
    wanted, wanted_right = np.zeros((6, 6)), np.zeros(6)
    towards = seen.rays + seen.inverse_depth[:, None] * (seen.anchors - centre)
    in_front = towards @ rotation[2] >= 0.05
    assert (squared[~in_front] < 0).all()
    assert in_front.sum() > 20
    for k in np.flatnonzero(in_front):
        deep = terms.by_depth[k]
        information = np.linalg.inv(NOISE**2 * np.eye(2) + seen.sigma[k] ** 2 * np.outer(deep, deep))
        length = terms.residual[k] @ information @ terms.residual[k]
        assert squared[k] == pytest.approx(length)
        weight = 1 / (1 + length / SCALE**2)
        wanted += weight * by_pose[k].T @ information @ by_pose[k]
        wanted_right += weight * by_pose[k].T @ information @ terms.residual[k]
    assert np.allclose(normal, wanted, rtol=1e-4, atol=1e-6 * np.abs(wanted).max())
    assert np.allclose(right, wanted_right, rtol=1e-4, atol=1e-6 * np.abs(wanted_right).max())


@pytest.mark.parametrize("size", [3, 6])
def test_small_equations_are_solved_as_by_anybody(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(20):
        half, right = rng.normal(0, 1, (size + 2, size)), rng.normal(0, 1, size)
        assert np.allclose(solved(half.T @ half, right), np.linalg.solve(half.T @ half, right), rtol=1e-7)


@pytest.mark.parametrize("angle", [0.0, 1e-13, 1e-8, 1e-3, 1.0, 3.0])
def test_a_turn_by_a_vector_is_that_of_rodrigues(angle: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(5):
        axis, before = rng.normal(0, 1, 3), exp_rotation(rng.normal(0, 1, 3))
        vector = angle * axis / np.linalg.norm(axis)
        assert np.allclose(turned_by(vector, before), exp_rotation(vector) @ before, atol=1e-14)


def test_what_lies_behind_the_camera_is_told_apart() -> None:
    seen, rotation, _ = some(5, 9)
    squared = np.empty(len(seen))
    ahead = np.array([0.0, 0.0, 40.0])
    normal_equations(
        seen.arrays(),
        CameraEstimate(rotation, ahead, FOCAL, NOISE),
        SCALE,
        squared,
        seen.inverse_depth.copy(),
        False,
    )
    assert (squared < 0).all()
    normal_equations(
        seen.arrays(),
        CameraEstimate(rotation, -ahead, FOCAL, NOISE),
        SCALE,
        squared,
        seen.inverse_depth.copy(),
        False,
    )
    assert (squared > 0).all()


LENS = (50.0, 50.0, 40.0, 30.0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("degrees", [0.0, 7.0, -25.0])
def test_pictures_correlate_as_numpy_says_where_one_is_turned_to(seed: int, degrees: float) -> None:
    rng = np.random.default_rng(seed)
    noise = rng.uniform(0, 255, (2, 60, 80)).astype(np.float32)
    first, other = (cv2.GaussianBlur(one, (0, 0), 2.0) for one in noise)
    turn = exp_rotation(np.radians([0.3 * degrees, degrees, 0.2 * degrees]))
    k = np.array([[LENS[0], 0, LENS[2]], [0, LENS[1], LENS[3]], [0, 0, 1]])
    homography = k @ turn @ np.linalg.inv(k)
    turned = cv2.warpPerspective(first, homography, (80, 60), borderMode=cv2.BORDER_REPLICATE)
    there = cv2.warpPerspective(first, homography, (80, 60), borderValue=-1000) >= 0
    second = (0.7 * turned + 0.3 * other).astype(np.float32)
    expected = np.corrcoef(turned[there], second[there])[0, 1]

    def told(after: np.ndarray, least_shared: float) -> float:
        return float(turned_correlations(first, after, turn[None], LENS, least_shared)[0][0])

    assert told(second, 0.2) == pytest.approx(expected, abs=0.01)
    assert told(50.0 - 0.1 * turned, 0.2) < -0.99
    assert told(second, 1.01) == -1.0
    assert told(np.full_like(first, 7.0), 0.2) == -1.0
    several = np.array([turn, np.eye(3), exp_rotation(np.radians([0.0, 170.0, 0.0]))])
    correlations, shared = turned_correlations(first, second, several, LENS, 0.2)
    assert correlations[0] == told(second, 0.2)
    assert correlations[2] == -1.0
    assert shared[0] == pytest.approx(there.mean(), abs=0.03)
    assert shared[1] == pytest.approx(59 * 79 / (60 * 80), abs=0.03)  # the last row and column have no next
    assert shared[2] == 0.0
