"""Depth from the camera's own motion, against the depth that was rendered."""

import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse, transform
from situ.perception.detection_eye import placed
from situ.perception.detections import Detections
from situ.perception.parallax import Parallax
from situ.perception.stages import InputFrame, Look
from situ.perception.triangulation import Triangulation
from situ.rendering import Renderer
from situ.worlds.scene import Material, Part, Scene, SceneObject

CAMERA = Camera.from_fov(320, 240, 70)
FLOOR = Material((0.45, 0.44, 0.42), "tiles", (0.27, 0.26, 0.25), 0.5, 3)


def crates():
    """Crates at different distances."""
    rng = np.random.default_rng(5)
    for number, (x, y) in enumerate([(2.2, 0.9), (2.6, -0.6), (3.4, 0.3), (5.0, 1.6), (6.0, -1.0)]):
        dark, light = tuple(rng.uniform(0.0, 0.2, 3)), tuple(rng.uniform(0.5, 0.9, 3))
        part = Part("box", (0.8, 0.8, 1.8), (0.0, 0.0, 0.9), Material(light, "noise", dark, 0.15, number))
        yield SceneObject(number + 1, "crate", (x, y, 0.0), (part,), float(rng.uniform(0, 90)))


@pytest.fixture(scope="module")
def filmed():
    """A few steps aside and ahead past textured things: pictures, depths and poses."""
    renderer = Renderer(Scene(tuple(crates()), FLOOR), CAMERA)
    poses = [camera_pose([0.02 * k, 0.07 * k, 1.6], 12.0 - k, -12.0) for k in range(8)]
    frames = [renderer.render(pose) for pose in poses]
    return [(frame.rgb, frame.depth, pose) for frame, pose in zip(frames, poses, strict=True)]


def walked(filmed, scale: float = 1.0) -> Parallax:
    parallax = Parallax(CAMERA)
    for rgb, _, pose in filmed[:-1]:
        parallax.pass_by(rgb, scaled(pose, scale))
    return parallax


def scaled(pose: np.ndarray, scale: float) -> np.ndarray:
    moved = pose.copy()
    moved[:3, 3] *= scale
    return moved


def test_it_is_right_where_it_says_anything(filmed) -> None:
    rgb, true, pose = filmed[-1]
    found = walked(filmed).depth(rgb, pose)
    known = (found > 0) & np.isfinite(true) & (true > 0)
    assert known.mean() > 0.1
    off = np.abs(np.log(found[known] / true[known]))
    assert np.median(off) < 0.05
    assert np.mean(off < 0.15) > 0.85


def test_it_grows_with_the_units_of_the_poses(filmed) -> None:
    rgb, _, pose = filmed[-1]
    found, doubled = (walked(filmed, s).depth(rgb, scaled(pose, s)) for s in (1.0, 1.5))
    both = (found > 0) & (doubled > 0)
    assert both.sum() > 0.5 * (found > 0).sum()
    assert np.median(doubled[both] / found[both]) == pytest.approx(1.5, rel=0.02)


def test_who_stands_or_was_lost_sees_no_depth(filmed) -> None:
    rgb, _, pose = filmed[-1]
    standing = Parallax(CAMERA)
    for turned, _, _ in filmed:
        standing.pass_by(turned, pose)
    assert not standing.depth(rgb, pose).any()
    lost = walked(filmed)
    lost.lose()
    assert not lost.depth(rgb, pose).any()


def test_a_box_gets_a_place_from_one_look_and_says_how_far_it_may_be_off(filmed) -> None:
    rgb, true, pose = filmed[-1]
    parallax = walked(filmed)
    corners = CAMERA.project(transform(inverse(pose), [(2.6, -0.9, 1.6), (2.6, -0.3, 0.3)]))
    box = np.concatenate([corners.min(axis=0), corners.max(axis=0)])[None]
    found, rays = Detections(("crate",), (0.9,), box), Triangulation()
    (thing,) = placed(found, Look(InputFrame(7, 0.7, rgb), CAMERA, pose, None, parallax), rays)
    (wanted,) = found.placed(np.where(np.isfinite(true), true, 0.0), CAMERA, pose)
    off = np.array(thing.position) - np.array(wanted.position)
    assert off @ np.linalg.solve(thing.covariance, off) < 9
    assert thing.sigma_m > wanted.sigma_m
    assert not rays.seen
