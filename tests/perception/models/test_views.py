"""Pieces of a stream joined into one world, and a second opinion on whether anybody moved."""

from types import SimpleNamespace

import numpy as np
import pytest

from perception.odometry.walks import Walk, courtyard, frames
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose, inverse, rigid
from situ.geometry.trajectory import compare
from situ.perception.models.moge import MogeDepth, missing_shift
from situ.perception.models.views import DepthAnything3, Views, from_world_to_camera, with_views
from situ.perception.motion_check import StandingCheck
from situ.perception.sources import Source
from situ.perception.stages import InputFrame

CAMERA = Camera.from_fov(64, 48, 70)


class FakeNetwork:
    """The truth, in a world, an orientation and a scale that differ from call to call."""

    def __init__(self, poses, seed=0):
        self._poses, self._rng, self.calls = poses, np.random.default_rng(seed), []

    def views(self, pictures):
        numbers = [int(picture[0, 0, 0]) for picture in pictures]
        self.calls.append(numbers)
        scale = self._rng.uniform(0.3, 3.0)
        turn = np.linalg.qr(self._rng.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        world = rigid(turn, self._rng.normal(size=3))
        poses = np.stack([world @ self._poses[i] for i in numbers])
        poses[:, :3, 3] *= scale
        depth = np.full((len(numbers), 24, 32), 2.0 * scale, np.float32)
        return Views(poses, depth)


def stream(count):
    def read(after):
        for i in range(after + 1, count):
            yield InputFrame(i, i / 10, np.full((48, 64, 3), i, np.uint8))

    return Source("clip", CAMERA, read, False, False, (64, 48), count)


@pytest.mark.parametrize(("size", "shared"), [(16, 4), (10, 2), (60, 5)])
def test_no_motion_is_lost_at_a_seam(size, shared) -> None:
    angles = np.linspace(0, 200, 50)
    truth = np.array([camera_pose((0.1 * i, np.sin(i / 9), 0.0), a, -10.0) for i, a in enumerate(angles)])
    source = with_views(stream(50), FakeNetwork(truth), size, shared)
    made = list(source.read(-1))
    assert [f.index for f in made] == list(range(50))
    path = Path(np.array([f.time for f in made]), np.array([f.T_world_camera for f in made]))
    error = compare(path, Path(path.times, truth), "sim3")
    assert error.ate_rmse < 1e-6
    assert error.rpe_rotation_rmse_deg < 1e-3
    ratio = made[-1].depth.mean() / made[0].depth.mean()
    assert ratio == pytest.approx(1.0, abs=1e-5)  # one scale from end to end
    assert made[0].depth.shape == (48, 64)
    late = list(with_views(stream(50), FakeNetwork(truth), size, shared).read(40))
    assert [f.index for f in late] == list(range(41, 50))


def test_extrinsics_of_depth_anything_3_take_the_world_to_the_camera() -> None:
    poses = np.stack([camera_pose((i, 2.0, 1.5), 30.0 * i, -5.0) for i in range(3)])
    extrinsics = np.stack([inverse(p)[:3] for p in poses])
    assert np.allclose(from_world_to_camera(extrinsics), poses)
    # A point ahead of camera 1, taken to that camera by its extrinsics, lies on the optical axis.
    ahead = poses[1] @ [0, 0, 3.0, 1.0]
    assert extrinsics[1] @ ahead == pytest.approx([0, 0, 3.0])
    package = SimpleNamespace(
        inference=lambda pictures: SimpleNamespace(depth=np.ones((3, 4, 4)), extrinsics=extrinsics)
    )
    assert np.allclose(DepthAnything3("x", model=package).views([]).T_world_camera, poses)
    with pytest.raises(BadInput, match="extrinsics"):
        from_world_to_camera(np.eye(4))


def test_a_network_that_walks_while_the_head_turns_is_held(camera) -> None:
    clip = list(frames(Walk("look_around", seed=41), courtyard(41, "tiles"), camera, until=1.6))
    check = StandingCheck(camera)
    drifting = [rigid(np.eye(3), [0.05 * i, 0.0, 0.0]) for i in range(len(clip))]
    held = np.array([check.checked(f[1], pose)[:3, 3] for f, pose in zip(clip, drifting, strict=True)])
    assert np.ptp(held[:, 0]) < 0.3 * np.ptp([p[0, 3] for p in drifting])


def test_a_network_that_walks_while_the_wearer_walks_is_believed(l_walk, camera) -> None:
    clip, truth = l_walk
    check = StandingCheck(camera)
    moving = [(f, p) for f, p in zip(clip, truth.poses, strict=True)][8:20]
    held = np.array([check.checked(f[1], p)[:3, 3] for f, p in moving])
    walked = np.linalg.norm(np.diff(held, axis=0), axis=1).sum()
    assert walked > 0.8 * np.linalg.norm(np.diff([p[:3, 3] for _, p in moving], axis=0), axis=1).sum()


def affine_points(shift, focal, rows=36, columns=48):
    rng = np.random.default_rng(2)
    z = 2.0 + 0.5 * np.sin(np.arange(rows) / 7)[:, None] + 0.3 * rng.random((rows, columns))
    u = ((np.arange(columns) + 0.5) / columns - 0.5)[None] * np.ones((rows, 1))
    v = (((np.arange(rows) + 0.5) / rows - 0.5) * rows / columns)[:, None] * np.ones((1, columns))
    return np.stack([u / focal * z, v / focal * z, z - shift], -1), z


@pytest.mark.parametrize(("shift", "focal"), [(0.4, 0.8), (-0.3, 1.1)])
def test_the_shift_that_moge_leaves_open_is_found(shift, focal) -> None:
    points, _ = affine_points(shift, focal)
    mask = np.ones(points.shape[:2], bool)
    assert missing_shift(points, mask, focal, 48 / 36)[0] == pytest.approx(shift, abs=2e-3)
    found, guessed = missing_shift(points, mask, None, 48 / 36)
    assert found == pytest.approx(shift, abs=0.02)
    assert guessed == pytest.approx(focal, rel=0.02)


def test_moge_depth_is_metres_in_the_grid() -> None:
    points, z = affine_points(0.4, CAMERA.fx / CAMERA.width)
    session = SimpleNamespace(
        get_inputs=lambda: [SimpleNamespace(name="image"), SimpleNamespace(name="num_tokens")],
        get_outputs=lambda: [SimpleNamespace(name=n) for n in ("points", "mask", "metric_scale")],
        run=lambda names, feed: [points[None], np.ones((1, 36, 48)), np.array([1.7])],
    )
    rgb = np.zeros((48, 64, 3), np.uint8)
    metres = MogeDepth("moge", CAMERA, session).depth(InputFrame(0, 0.0, rgb))
    assert metres.shape == (48, 64)
    assert np.median(metres) == pytest.approx(1.7 * np.median(z), rel=0.01)
    lens = MogeDepth("moge", None, session).lens(rgb)
    assert lens.fx == pytest.approx(CAMERA.fx, rel=0.03)
    other = SimpleNamespace(
        get_inputs=list, get_outputs=lambda: [SimpleNamespace(name="y")], run=lambda n, f: [np.zeros(1)]
    )
    with pytest.raises(BadInput, match="no MoGe-2"):
        MogeDepth("other", CAMERA, other).depth(InputFrame(0, 0.0, rgb))
