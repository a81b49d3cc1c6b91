"""The renderer's promises: same bytes, one visibility for all outputs, blended edges, light from one side."""

import dataclasses
import hashlib
import subprocess
import sys

import numpy as np
import pytest

from rendering.worlds import RED, random_scene, single
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering import Frame, Renderer
from situ.worlds.scene import Material, Part, Scene, SceneObject, Sun

CAMERA = Camera.from_fov(160, 120, 90.0)
POSE = camera_pose((-1.0, 0.0, 1.4), 3.0, -5.0)


def digest(frame: Frame) -> str:
    return hashlib.sha256(frame.rgb.tobytes() + frame.depth.tobytes() + frame.ids.tobytes()).hexdigest()


def test_two_renderers_give_the_same_bytes() -> None:
    scene = random_scene(1, textured=True)
    first = Renderer(scene, CAMERA)
    first.render(camera_pose((0.0, 1.0, 1.0), 90.0))  # what was drawn before leaves no trace
    assert digest(first.render(POSE)) == digest(Renderer(scene, CAMERA).render(POSE))


def test_another_process_gives_the_same_bytes() -> None:
    code = (
        "from rendering.test_renderer import *\n"
        "print(digest(Renderer(random_scene(1, textured=True), CAMERA).render(POSE)))"
    )
    tests = __file__.rsplit("/rendering/", 1)[0]
    other = subprocess.run(
        [sys.executable, "-c", code], cwd=tests, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert other == digest(Renderer(random_scene(1, textured=True), CAMERA).render(POSE))


def test_ids_pass_equals_the_frame() -> None:
    renderer = Renderer(random_scene(2), CAMERA)
    frame = renderer.render(POSE)
    ids, depth = renderer.render_ids(POSE)
    np.testing.assert_array_equal(ids, frame.ids)
    np.testing.assert_array_equal(depth, frame.depth)
    assert (frame.rgb.dtype, frame.depth.dtype, frame.ids.dtype) == (np.uint8, np.float32, np.uint16)
    assert frame.rgb.shape == (120, 160, 3)


def test_results_are_not_overwritten_by_the_next_frame() -> None:
    renderer = Renderer(random_scene(2), CAMERA)
    frame = renderer.render(POSE)
    before = digest(frame)
    renderer.render(camera_pose((-1.0, 0.0, 1.4), 90.0))
    assert digest(frame) == before


def test_edges_are_blends_of_both_sides() -> None:
    scene = dataclasses.replace(single("box"), ground=None, sun=None)
    frame = Renderer(scene, CAMERA).render(camera_pose((0.0, 0.0, 0.5), 0.0, 0.0, 10.0))
    colors = np.unique(frame.rgb[frame.ids == 7][:, 0])
    row = frame.rgb[60].astype(int)
    red, sky = row[80], row[5]
    between = [c for c in row if min(red[2], sky[2]) + 15 < c[2] < max(red[2], sky[2]) - 15]
    assert between, "no pixel between the box's colour and the sky's"
    assert len(colors) > 2


def test_ids_are_never_blended() -> None:
    frame = Renderer(random_scene(5), CAMERA).render(POSE)
    assert set(np.unique(frame.ids)) <= set(range(13))


@pytest.mark.parametrize("azimuth", [0.0, 90.0, 180.0, 270.0])
def test_shadow_falls_away_from_the_sun(azimuth: float) -> None:
    ground = Material((0.5, 0.5, 0.5))
    scene = dataclasses.replace(single("box", (0.0, 0.0, 0.0)), ground=ground, sun=Sun(azimuth, 45.0))
    frame = Renderer(scene, CAMERA).render(camera_pose((0.0, 0.0, 6.0), 0.0, -90.0))
    image = frame.rgb.sum(axis=2).astype(float)
    # Looking straight down with heading 0: +x is up in the image, +y is left.
    away = -np.array([np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth))])
    pixels_per_metre = CAMERA.fx / 6.0

    def brightness(x: float, y: float) -> float:
        return float(image[round(60 - x * pixels_per_metre), round(80 - y * pixels_per_metre)])

    shaded, lit = brightness(*(away * 0.95)), brightness(*(-away * 0.95))
    assert shaded < 0.75 * lit
    assert brightness(*(away * 2.2)) > 0.9 * brightness(*(-away * 2.2))  # as long as high, at 45 degrees


def test_objects_do_not_shade_their_own_lit_side() -> None:
    for shape in ("box", "sphere", "cylinder", "wedge", "cone"):
        scene = dataclasses.replace(single(shape, (0.0, 0.0, 0.0)), sun=Sun(0.0, 60.0))
        frame = Renderer(scene, CAMERA).render(camera_pose((0.0, 0.0, 5.0), 0.0, -90.0))
        red = frame.rgb[frame.ids == 7][:, 0]
        lit_side = frame.rgb[55:60, 80, 0] if shape != "wedge" else red
        assert lit_side.min() > 150, shape


def test_empty_scene_and_no_ground() -> None:
    empty = Renderer(Scene(()), CAMERA).render(POSE)
    assert not empty.ids.any()
    assert (empty.depth[-1] > 0).all()
    assert (empty.depth[0] == 0).all()
    void = Renderer(Scene((), ground=None), CAMERA).render(POSE)
    assert not void.depth.any()


def test_without_sun_faces_still_differ() -> None:
    scene = dataclasses.replace(single("box", (2.0, 0.0, 0.0)), sun=None)
    frame = Renderer(scene, CAMERA).render(camera_pose((0.4, 0.8, 2.0), -27.0, -40.0))
    faces = frame.rgb[frame.ids == 7]
    assert np.unique(faces[:, 0]).size > 3
    assert np.ptp(faces[:, 0].astype(int)) > 15


def test_moved_object_moves_in_the_next_renderer_with_its_texture() -> None:
    """A texture belongs to the object: far from the origin it looks as it does at the origin."""
    material = Material((0.8, 0.2, 0.2), "checker", (0.1, 0.1, 0.1), 0.25)
    frames = []
    for shift in (0.0, 100.0):
        scene = dataclasses.replace(single("box", (4.0, shift, 0.0), material), ground=None)
        frames.append(Renderer(scene, CAMERA).render(camera_pose((2.0, shift, 0.6), 0.0)))
    inside = frames[0].ids == 7
    np.testing.assert_array_equal(frames[0].ids, frames[1].ids)
    difference = np.abs(frames[0].rgb.astype(int) - frames[1].rgb.astype(int))[inside]
    assert difference.mean() < 2.0


def test_bad_input_is_refused_with_advice() -> None:
    flat = SceneObject(1, "sheet", (0.0, 0.0, 0.0), (Part("box", (1.0, 0.0, 1.0), (0.0, 0.0, 0.5), RED),))
    with pytest.raises(BadInput, match="greater than 0"):
        Renderer(Scene((flat,)), CAMERA)
    with pytest.raises(BadInput, match="up to 65535"):
        Renderer(Scene((dataclasses.replace(single("box").objects[0], id=70000),)), CAMERA)
    with pytest.raises(BadInput, match="4x4"):
        Renderer(Scene(()), CAMERA).render(np.eye(3))
