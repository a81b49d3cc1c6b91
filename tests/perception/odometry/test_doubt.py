"""What odometry says of its own doubt."""

import numpy as np

from situ.geometry.camera import Camera
from situ.perception.odometry import RgbOdometry
from situ.perception.odometry.doubt import path_doubt


def test_before_there_is_a_map_the_place_is_in_doubt() -> None:
    """Pictures that tell no depth say how the head turned, not how far it went."""
    camera = Camera.from_fov(160, 120, 70)
    odometry = RgbOdometry(camera)
    assert path_doubt(odometry, False) is None
    picture = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    for k in range(3):
        odometry.step(k / 2, picture)
    doubt = path_doubt(odometry, False)
    assert doubt is not None
    assert doubt.sigma[:, 1].max() > 0.01
