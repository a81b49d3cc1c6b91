"""The scale of a map from depth images that are each off by a factor, while the map itself drifts."""

import numpy as np
import pytest

from situ.perception.odometry.scale_filter import ScaleFilter

SIGMA = 0.12


def walked(drift: float, seed: int, count: int = 80) -> np.ndarray:
    """Log scale error of a corrected map at each keyframe."""
    rng = np.random.default_rng(seed)
    image = float(rng.normal(0, SIGMA))
    error, kept, scales = image, ScaleFilter.started(SIGMA), []
    for _ in range(count):
        image = 0.8 * image + 0.6 * float(rng.normal(0, SIGMA))
        error += drift + float(rng.normal(0, 0.01))
        error += float(np.log(kept.correction(image - error, SIGMA)))
        scales.append(error)
    return np.array(scales)


@pytest.mark.parametrize("drift", [-0.03, 0.0, 0.02])
def test_a_map_that_drifts_keeps_the_scale_of_its_images(drift: float) -> None:
    late = np.concatenate([walked(drift, seed)[30:] for seed in range(20)])
    assert abs(late.mean()) < 0.03
    assert late.std() < SIGMA  # surer than one image
    assert abs(80 * drift) > 1.5 or drift == 0.0  # what it would be off by uncorrected


def test_images_that_agree_with_the_map_change_nothing() -> None:
    kept = ScaleFilter.started(SIGMA)
    assert all(kept.correction(0.0, SIGMA) == pytest.approx(1.0) for _ in range(30))


def test_surer_images_count_for_more() -> None:
    factors = []
    for sigma in (0.05, 0.3):
        kept = ScaleFilter.started(0.3)
        factors.append(kept.correction(-0.2, sigma))
    assert factors[0] < factors[1] < 1.0
