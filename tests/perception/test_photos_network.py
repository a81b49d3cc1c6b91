"""The network for photographs of `situ-eyes`, on pictures of a home that it was not taught on."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from situ.benchmarks.stage import Stage
from situ.geometry.camera import Camera
from situ.perception.eyes_package import packaged_eyes
from situ.perception.homes.instances import instances
from situ.perception.photos.eye import PhotoEye
from situ.perception.photos.installed import ANOTHER, FILE, installed_eyes
from situ.perception.photos.network import PhotoNetwork
from situ.perception.stages import InputFrame, Look
from situ.recording.codec import Rgb
from situ.train.eyes.worlds import build, source_of

LENS = Camera.from_fov(448, 336, 75)
NUMBER, SHOTS = 910_000_003, 3  # far beyond what a run of teaching draws


Spoil = Callable[[NDArray[np.float64]], NDArray[np.float64]]
SIZE = (LENS.width, LENS.height)


def noise(sigma: float) -> NDArray[np.float64]:
    return np.random.default_rng(0).normal(0.0, sigma, (LENS.height, LENS.width, 3))


def small(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.resize(rgb, (8, 8), interpolation=cv2.INTER_AREA))


def page(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    sheet = np.full(rgb.shape, 255, np.uint8)
    for line in range(12):
        at = (20, 30 + 26 * line)
        cv2.putText(sheet, "where did I leave my keys", at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
    return sheet.astype(float)


def cartoon(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    drawn, (x, y) = np.full(rgb.shape, 240.0), (LENS.width // 2, LENS.height // 2)
    cv2.circle(drawn, (x, y), y // 2, (240, 200, 40), -1)
    for side in (-1, 1):
        cv2.circle(drawn, (x + side * y // 5, y - y // 6), y // 15, (0, 0, 0), -1)
    cv2.ellipse(drawn, (x, y + y // 8), (y // 4, y // 6), 0, 0, 180, (0, 0, 0), 4)
    return drawn


# What nobody could make anything of.
NOTHING: dict[str, Spoil] = {
    "night": lambda rgb: 0.03 * rgb + 4 + noise(2),
    "fog": lambda rgb: 0.03 * rgb + 194 + noise(2),
    "covered lens": lambda rgb: np.full(rgb.shape, 9.0) + noise(2),
    "no signal": lambda rgb: 128 + noise(90),
    "out of focus": lambda rgb: np.asarray(cv2.GaussianBlur(rgb, (0, 0), LENS.width / 5)),
    "8x8": small,
    "8x8 enlarged": lambda rgb: np.asarray(cv2.resize(small(rgb), SIZE, interpolation=cv2.INTER_NEAREST)),
    "a page of text": page,
}
# What shows little of a room, or none.
LITTLE: dict[str, Spoil] = {"cartoon": cartoon, "over-exposed": lambda rgb: 4 * rgb + 150}


@pytest.fixture(scope="module")
def network() -> PhotoNetwork:
    return PhotoNetwork(packaged_eyes(FILE))


@pytest.fixture(scope="module")
def frames() -> list[InputFrame]:
    world = build(source_of(3, 0, NUMBER), "homes")
    stage = Stage(world.scene, world.events, LENS)
    found = []
    for number, k in enumerate(np.linspace(0, len(world.path.times) - 1, SHOTS + 2).astype(int)[1:-1]):
        time, pose = float(world.path.times[k]), world.path.poses[k]
        frame = stage.frame(time, pose)
        found.append(InputFrame(number, time, frame.rgb, frame.depth.astype(np.float32), pose))
    return found


@pytest.fixture(scope="module")
def room(frames: list[InputFrame]) -> Rgb:
    return frames[1].rgb


def spoilt(room: Rgb, spoil: Spoil) -> Rgb:
    return np.ascontiguousarray(np.clip(spoil(room.astype(float)), 0, 255).astype(np.uint8))


@pytest.mark.parametrize("what", NOTHING)
def test_nothing_is_made_of_what_shows_nothing(network: PhotoNetwork, room: Rgb, what: str) -> None:
    rgb = spoilt(room, NOTHING[what])
    lens = Camera.from_fov(rgb.shape[1], rgb.shape[0], 75)
    eye = PhotoEye(network, lens)
    frame = InputFrame(0, 0.0, rgb, None, np.eye(4))
    assert not eye.depth(frame).any()
    assert eye.look(Look(frame, lens, np.eye(4), None)) == ()
    assert "in 1 of 1 looks nothing could be made out" in eye.closing_notes()[0]


@pytest.mark.parametrize("what", LITTLE)
def test_no_name_is_sure_where_little_can_be_seen(network: PhotoNetwork, room: Rgb, what: str) -> None:
    glance = network.glance(spoilt(room, LITTLE[what]), LENS)
    assert all(network.chance_of(thing.score) < 0.9 for thing in instances(glance, network))


def test_depth_is_metric_and_up_is_up(network: PhotoNetwork, frames: list[InputFrame]) -> None:
    for frame in frames:
        glance, true = network.glance(frame.rgb, LENS), frame.depth
        assert true is not None
        assert frame.T_world_camera is not None
        rows, columns = glance.metres.shape
        across, down = np.arange(columns), np.arange(rows)
        at = true[(down * true.shape[0] // rows)[:, None], across * true.shape[1] // columns]
        ratio = glance.metres[at > 0] / at[at > 0]
        assert np.mean(np.abs(np.log(ratio)) < np.log(1.25)) > 0.6
        assert float(glance.up @ frame.T_world_camera[2, :3]) > np.cos(np.radians(8))
        assert glance.readable > 0.5


def test_a_film_is_watched_with_it_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed_eyes() is None  # as all tests here have it
    monkeypatch.delenv(ANOTHER)
    assert installed_eyes() is not None
