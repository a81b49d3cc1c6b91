import pytest

from perception.odometry.walks import Walk, courtyard, frames
from situ.geometry.camera import Camera

CAMERA = Camera.from_fov(320, 240, 80)


@pytest.fixture(scope="session")
def camera():
    return CAMERA


@pytest.fixture(scope="session")
def l_walk():
    """Frames (time, rgb, depth) of a short L with a turn on the spot, and the true path."""
    walk = Walk("short_l", seed=21)
    return list(frames(walk, courtyard(21, "tiles"), CAMERA)), walk.path()


@pytest.fixture(scope="session")
def other_place():
    """A few frames of somewhere else."""
    walk = Walk("straight", seed=22)
    return list(frames(walk, courtyard(29, "grass"), CAMERA, until=1.5))
