"""Ids and depth against an independent ray-caster."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import maximum_filter, minimum_filter

from rendering.raycaster import cast
from rendering.worlds import SHAPES, random_scene, single
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, camera_pose
from situ.rendering import Renderer
from situ.worlds.scene import Part, Scene, SceneObject

CAMERA = Camera.from_fov(160, 120, 90.0)


def assert_same_view(scene: Scene, pose: Matrix, camera: Camera = CAMERA) -> None:
    """Equal ids and depth (to 1e-3) wherever a pixel's neighbourhood sees one and the same thing."""
    ids, depth = Renderer(scene, camera).render_ids(pose)
    true_ids, true_depth = cast(scene, camera, pose)
    calm = maximum_filter(true_ids, 3) == minimum_filter(true_ids, 3)
    assert calm.mean() > 0.5
    np.testing.assert_array_equal(ids[calm], true_ids[calm])
    assert np.mean(ids == true_ids) > 0.995  # and nearly always on edges too
    wrong = np.abs(depth - true_depth) > 1e-3 * true_depth
    smooth = calm & (maximum_filter(true_depth, 3) < 1.2 * minimum_filter(true_depth, 3))
    assert not wrong[smooth].any()
    assert wrong.mean() < 0.01


@given(seed=st.integers(0, 10**6), yaw=st.floats(-40, 40), pitch=st.floats(-30, 20), roll=st.floats(-30, 30))
@settings(max_examples=15, deadline=None)
def test_random_scenes_match_the_raycaster(seed: int, yaw: float, pitch: float, roll: float) -> None:
    assert_same_view(random_scene(seed), camera_pose((-1.0, 0.0, 1.4), yaw, pitch, roll))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("height", [0.1, 0.6, 3.0])
def test_each_shape_from_low_level_and_above(shape: str, height: float) -> None:
    scene = single(shape)
    for x in (1.5, 4.0 - 0.7, 6.0):
        yaw = 0.0 if x < 4 else 180.0
        assert_same_view(scene, camera_pose((x, 0.13, height), yaw, -np.degrees(np.arctan(height / 3))))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_camera_among_solids_that_cross_the_near_plane(seed: int) -> None:
    """Standing where solids are: some surround the camera (unseen), some reach behind it."""
    scene = random_scene(seed, count=20)
    rng = np.random.default_rng(seed)
    pose = camera_pose(rng.uniform([2, -5, 0.2], [9, 5, 2]), rng.uniform(0, 360), rng.uniform(-40, 40))
    ids, _ = Renderer(scene, CAMERA).render_ids(pose)
    true_ids, true_depth = cast(scene, CAMERA, pose)
    # Nearer than the near plane the renderer sees through, which the ray-caster does not know.
    far = (minimum_filter(np.where(true_depth > 0, true_depth, 99), 3) > 0.03) & (
        maximum_filter(true_ids, 3) == minimum_filter(true_ids, 3)
    )
    np.testing.assert_array_equal(ids[far], true_ids[far])


def test_room_around_the_camera() -> None:
    """Long walls that pass beside and behind the camera are seen on both sides, and nothing else is."""
    walls = [
        ((10.0, 0.1, 2.5), (0.0, 1.5, 1.25)),
        ((10.0, 0.1, 2.5), (0.0, -1.5, 1.25)),
        ((0.1, 3.0, 2.5), (5.0, 0.0, 1.25)),
        ((0.1, 3.0, 2.5), (-5.0, 0.0, 1.25)),
    ]
    objects = tuple(
        SceneObject(i + 1, "wall", (0.0, 0.0, 0.0), (Part("box", size, center, RED_WALL),), structural=True)
        for i, (size, center) in enumerate(walls)
    )
    for yaw in (0.0, 37.0, 90.0, 181.0):
        assert_same_view(Scene(objects), camera_pose((0.3, 0.2, 1.5), yaw))


RED_WALL = random_scene(0).objects[0].parts[0].material


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_mirrored_world_gives_the_mirrored_image(seed: int) -> None:
    scene = random_scene(seed)
    mirrored = scene.with_objects(
        dataclasses.replace(
            o,
            position=(o.position[0], -o.position[1], o.position[2]),
            yaw_deg=-o.yaw_deg,
            parts=tuple(
                dataclasses.replace(p, center=(p.center[0], -p.center[1], p.center[2]), yaw_deg=-p.yaw_deg)
                for p in o.parts
            ),
        )
        for o in scene.objects
    )
    ids, depth = Renderer(scene, CAMERA).render_ids(camera_pose((-1, 0.3, 1.4), 12.0, -8.0))
    other_ids, other_depth = Renderer(mirrored, CAMERA).render_ids(camera_pose((-1, -0.3, 1.4), -12.0, -8.0))
    assert np.mean(ids == other_ids[:, ::-1]) > 0.999
    same = ids == other_ids[:, ::-1]
    assert np.mean(np.isclose(depth, other_depth[:, ::-1], rtol=1e-3)[same]) > 0.995


def test_what_is_behind_the_camera_never_appears() -> None:
    scene = random_scene(3, count=30)
    ids, _ = Renderer(scene, CAMERA).render_ids(camera_pose((0.0, 0.0, 1.2), 180.0))
    assert not ids.any()


def test_share_of_the_image_does_not_depend_on_resolution() -> None:
    scene, pose = random_scene(4), camera_pose((-1, 0, 1.4), 0.0)
    shares = []
    for width, height in ((160, 120), (640, 480), (1000, 750)):
        ids, _ = Renderer(scene, Camera.from_fov(160, 120, 90.0).resized(width, height)).render_ids(pose)
        shares.append(np.bincount(ids.ravel(), minlength=20) / ids.size)
    np.testing.assert_allclose(shares[0], shares[1], atol=2e-3)
    np.testing.assert_allclose(shares[1], shares[2], atol=1e-3)


def test_ground_at_the_horizon_has_a_finite_depth() -> None:
    """Rays that are level but for rounding meet no ground; no depth is infinite, no colour undefined."""
    camera = Camera(41, 31, 30.0, 30.0, 20.5, 15.5)  # the middle row looks exactly at the horizon
    for pitch in (0.0, 1e-9, -1e-9, 1e-13):
        frame = Renderer(single("box"), camera).render(camera_pose((0.0, 0.0, 1.3), 33.0, pitch))
        assert np.isfinite(frame.depth).all()
        assert frame.rgb.min() > 20
