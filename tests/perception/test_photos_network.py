"""The network for photographs of `situ-eyes`, on pictures of a home that it was not taught on."""

import numpy as np
import pytest
from numpy.typing import NDArray

from situ.benchmarks.stage import Stage
from situ.geometry.camera import Camera
from situ.perception.eyes_package import packaged_eyes
from situ.perception.photos.installed import ANOTHER, FILE, installed_eyes
from situ.perception.photos.network import PhotoGlance, PhotoNetwork
from situ.recording.codec import Depth
from situ.train.eyes.worlds import build, source_of

LENS = Camera.from_fov(448, 336, 75)
NUMBER, SHOTS = 910_000_003, 3  # far beyond what a run of teaching draws


@pytest.fixture(scope="module")
def seen() -> list[tuple[PhotoGlance, Depth, NDArray[np.float64]]]:
    network = PhotoNetwork(packaged_eyes(FILE))
    world = build(source_of(3, 0, NUMBER), "homes")
    stage = Stage(world.scene, world.events, LENS)
    found = []
    for k in np.linspace(0, len(world.path.times) - 1, SHOTS + 2).astype(int)[1:-1]:
        pose = world.path.poses[k]
        frame = stage.frame(float(world.path.times[k]), pose)
        found.append((network.glance(frame.rgb, LENS), frame.depth.astype(np.float32), pose))
    return found


def test_depth_is_metric_and_up_is_up(seen: list[tuple[PhotoGlance, Depth, NDArray[np.float64]]]) -> None:
    for glance, true, pose in seen:
        rows, columns = glance.metres.shape
        across, down = np.arange(columns), np.arange(rows)
        at = true[(down * true.shape[0] // rows)[:, None], across * true.shape[1] // columns]
        ratio = glance.metres[at > 0] / at[at > 0]
        assert np.mean(np.abs(np.log(ratio)) < np.log(1.25)) > 0.6
        assert float(glance.up @ pose[2, :3]) > np.cos(np.radians(8))
        assert glance.readable > 0.5


def test_a_covered_lens_is_told(seen: list[tuple[PhotoGlance, Depth, NDArray[np.float64]]]) -> None:
    network = PhotoNetwork(packaged_eyes(FILE))
    assert network.glance(np.full((336, 448, 3), 9, np.uint8), LENS).readable < 0.5


def test_a_film_is_watched_with_it_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed_eyes() is None  # as all tests here have it
    monkeypatch.delenv(ANOTHER)
    assert installed_eyes() is not None
