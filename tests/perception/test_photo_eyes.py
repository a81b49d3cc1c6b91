"""Eyes for photographs in a watch, through a stub that says exactly what generated worlds hold."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from perception.homes_glance import MEANING, faultless
from perception.tabletop import CAMERA, view
from situ.benchmarks.stage import Stage
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, rigid
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.detection_eye import placed
from situ.perception.detections import Detections
from situ.perception.freespace import FreeSpace
from situ.perception.observing import observed
from situ.perception.odometry import RgbdOdometry
from situ.perception.odometry.depth_sampling import SENSOR_DEPTH, DepthUncertainty
from situ.perception.photos.eye import PhotoEye
from situ.perception.photos.network import PhotoGlance, shows_nothing
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import OdometryPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame, Look
from situ.perception.triangulation import Triangulation
from situ.train.eyes.filming import Shot
from situ.train.eyes.labels import labels_of
from situ.train.eyes.worlds import build, source_of

LENS = Camera.from_fov(320, 240, 80)
FRAMES, FPS = 20, 6.0


class Exact:
    """A network that knows the world which it is shown."""

    names, shell, colored, rooms = MEANING.names, MEANING.shell, MEANING.colored, MEANING.rooms
    colors, materials = MEANING.colors, MEANING.materials

    def __init__(self, said: dict[bytes, PhotoGlance]) -> None:
        self._said = said

    def glance(self, rgb: Any, camera: Camera) -> PhotoGlance:
        return self._said[rgb.tobytes()]

    def chance_of(self, score: float) -> float:
        return min(1.0, score)


def knowing(shot: Shot, readable: float = 1.0) -> PhotoGlance:
    seen = faultless(shot, labels_of(shot))
    return PhotoGlance(
        **vars(seen), doubt=np.full(seen.metres.shape, 0.01, np.float32), scale_doubt=0.01,
        up=shot.T_world_camera[2, :3].copy(), up_rad=0.02, readable=readable,
        five=np.repeat(seen.label[..., None], 5, axis=2),
        chances=np.repeat(seen.sure[..., None] / 5, 5, axis=2),
    )  # fmt: skip


@pytest.fixture(scope="module")
def walk() -> list[Shot]:
    """Some seconds through a home, as one films them."""
    world = build(source_of(3, 0, 5), "homes")
    stage = Stage(world.scene, world.events, LENS)
    times, poses = world.path.times, world.path.poses
    start = float(times[len(times) // 3])
    turns, shots = Slerp(times, Rotation.from_matrix(poses[:, :3, :3])), []
    for time in start + np.arange(FRAMES) / FPS:
        spot = [np.interp(time, times, poses[:, axis, 3]) for axis in range(3)]
        pose = rigid(turns(time).as_matrix(), spot)
        shots.append(Shot(stage.frame(float(time), pose), LENS, pose, stage.objects(float(time)), None))
    return shots


def watched(walk: list[Shot], with_depth: bool, readable: float = 1.0) -> tuple[Any, Any, np.ndarray]:
    """Objects that are believed, the report and the path, of RGB-D or of pictures alone."""

    def read(after: int) -> Any:
        for i in range(after + 1, FRAMES):
            frame = walk[i].frame
            yield InputFrame(i, i / FPS, frame.rgb, frame.depth.astype(np.float32) if with_depth else None)

    source = Source("walk", LENS, read, with_depth, False, (LENS.width, LENS.height), FRAMES)
    eye = PhotoEye(Exact({shot.frame.rgb.tobytes(): knowing(shot, readable) for shot in walk}), LENS)  # type: ignore[arg-type]
    poses = OdometryPoses(LENS)
    with SpatialMemory.create(":memory:") as memory:
        watch = Watch(source, Stages(poses, (eye,), depth=eye, places=eye), MemorySink(memory))
        report = watch.run()
        believed = {
            (v.category, *np.round(v.box.center, 0)): v.box.center for v in memory.state().objects()
            if v.presence > 0.5
        }  # fmt: skip
        assert report.fault == ""
        assert poses.odometry is not None
        return believed, report, poses.odometry.result().path.poses


def test_exact_channels_give_what_depth_of_a_sensor_gives(walk: list[Shot]) -> None:
    sensed, _, way = watched(walk, with_depth=True)
    told, _, own = watched(walk, with_depth=False)
    true = np.linalg.norm(walk[-1].T_world_camera[:3, 3] - walk[0].T_world_camera[:3, 3])
    for path in (way, own):
        assert np.linalg.norm(path[-1, :3, 3] - path[0, :3, 3]) == pytest.approx(true, rel=0.04, abs=0.03)
    names = sorted(name for name, *_ in sensed)
    assert len(names) >= 4
    assert sorted(name for name, *_ in told) == names


def test_what_cannot_be_made_out_is_not_told(walk: list[Shot]) -> None:
    believed, report, _ = watched(walk, with_depth=True, readable=0.1)
    assert not believed
    assert any("nothing could be made out" in note for note in report.notes)


@pytest.mark.parametrize("level", [0, 3, 128, 255])
def test_nobody_sees_anything_in_the_dark_or_in_a_few_pixels(level: int) -> None:
    rng = np.random.default_rng(level)
    noise = np.clip(rng.normal(level, 8, (240, 320, 3)), 0, 255).astype(np.uint8)
    assert shows_nothing(noise)
    assert shows_nothing(rng.integers(0, 255, (8, 8, 3), dtype=np.uint8))
    assert not shows_nothing(view((0.3, 0.2, 1.6), 0.0, -25.0)[0])


def test_doubt_of_a_depth_is_heeded() -> None:
    rgb, depth, pose = view((0.3, 0.2, 1.6), 0.0, -25.0)
    frame = InputFrame(0, 0.0, rgb, depth)
    spread, clear = [], []
    for doubt in (
        SENSOR_DEPTH,
        DepthUncertainty(0.1, 0.1),
        DepthUncertainty(0.2, 0.3),
        DepthUncertainty(0.5, 0.5),
    ):
        look = Look(replace(frame, depth_uncertainty=doubt), CAMERA, pose, depth)
        box = np.array([[100.0, 80.0, 160.0, 140.0]])
        (thing,) = placed(Detections(("cup",), (0.9,), box), look, Triangulation())
        spread.append(thing.sigma_m)
        free = observed(look, (), None, None).free
        assert isinstance(free, FreeSpace)
        clear.append(float(free.metres.mean()))
    assert spread == sorted(spread)
    assert spread[0] < spread[1] < spread[2]
    assert clear == sorted(clear, reverse=True)
    assert clear[-1] == 0.0


def test_depths_that_are_off_as_a_whole_are_brought_to_one_scale() -> None:
    """Each picture's depth is off by another factor; the walk is as long as their mean says."""
    rng = np.random.default_rng(2)
    odometry, plain = RgbdOdometry(CAMERA), RgbdOdometry(CAMERA)
    factors = []
    for i in range(24):
        rgb, depth, _ = view((0.3, 0.3 - 0.03 * i, 1.6), 0.0, -25.0, seed=i)
        off = float(np.exp(rng.normal(0, 0.12)))
        factors.append(off)
        odometry.step(i / 10, rgb, depth * off, depth_uncertainty=DepthUncertainty(0.12, 0.02))
        plain.step(i / 10, rgb, depth)
    gone, true = (
        np.linalg.norm(o.result().path.poses[-1, :3, 3] - o.result().path.poses[0, :3, 3])
        for o in (odometry, plain)
    )
    assert all(step.status != "lost" for step in odometry.steps)
    assert gone / true == pytest.approx(float(np.exp(np.mean(np.log(factors)))), rel=0.1)
    assert odometry.depth_factor * factors[-1] == pytest.approx(gone / true, rel=0.1)


def test_up_of_a_picture_levels_the_first_camera() -> None:
    rgb, depth, pose = view((0.3, 0.2, 1.6), 0.0, -25.0)
    poses = OdometryPoses(CAMERA)
    rolled = camera_pose([0, 0, 0], 0.0, -25.0, 20.0)
    found = poses.locate(InputFrame(0, 0.0, rgb, np.zeros_like(depth), up=rolled[2, :3].copy()))
    assert found.T_world_camera[2, :3] == pytest.approx(rolled[2, :3], abs=1e-6)
    assert poses.gravity_from == "picture"
    by_floor = OdometryPoses(CAMERA).locate(InputFrame(0, 0.0, rgb, depth)).T_world_camera
    assert by_floor[2, :3] == pytest.approx(pose[2, :3], abs=0.05)


def test_a_things_place_and_size_follow_the_scale_of_the_map(walk: list[Shot]) -> None:
    shot = walk[0]
    eye = PhotoEye(Exact({shot.frame.rgb.tobytes(): knowing(shot)}), LENS)  # type: ignore[arg-type]
    frame = InputFrame(0, 0.0, shot.frame.rgb)
    once, twice = (eye.look(Look(frame, LENS, np.eye(4), None, None, factor)) for factor in (1.0, 2.0))
    assert len(once) > 0
    for a, b in zip(once, twice, strict=True):
        assert b.label == a.label
        assert np.allclose(b.position, 2 * np.array(a.position), rtol=1e-3)
