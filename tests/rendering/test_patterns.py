"""Textures: distinct, alive at every distance they should be, calm where details are smaller than a pixel."""

import dataclasses
from typing import get_args

import cv2
import numpy as np
import pytest

from rendering.worlds import single
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering import Renderer
from situ.rendering.patterns import FEATURES, pattern
from situ.rendering.sample import octaves_of
from situ.worlds.scene import Material, Texture

CAMERA = Camera.from_fov(240, 180, 60.0)
TEXTURED = [t for t in get_args(Texture) if t != "plain"]


def face(texture: Texture, seed: int = 0, shift: float = 0.0) -> np.ndarray:
    """Grey image of a textured box's side that fills the view."""
    material = Material((0.7, 0.6, 0.5), texture, (0.2, 0.25, 0.3), 1.0 if texture == "poster" else 0.2, seed)
    scene = dataclasses.replace(single("box", material=material), sun=None)
    frame = Renderer(scene, CAMERA).render(camera_pose((2.75 + shift, 0.0, 0.5), 0.0))
    assert (frame.ids == 7).mean() > 0.95
    grey: np.ndarray = cv2.cvtColor(frame.rgb, cv2.COLOR_RGB2GRAY)
    return grey


@pytest.mark.parametrize("texture", TEXTURED)
def test_every_texture_has_corners_to_track(texture: Texture) -> None:
    corners = cv2.goodFeaturesToTrack(face(texture), 400, 0.02, 5)
    assert corners is not None
    assert len(corners) > (3 if texture in ("checker", "stripes") else 20)


def test_textures_differ_from_each_other() -> None:
    images = {t: face(t).astype(float) for t in TEXTURED}
    for one in TEXTURED:
        for two in TEXTURED:
            if one < two:
                assert np.abs(images[one] - images[two]).mean() > 2.0, (one, two)


def test_seed_changes_the_surface() -> None:
    for texture in ("noise", "poster", "bricks"):
        assert np.abs(face(texture, 1).astype(float) - face(texture, 2)).mean() > 2.0


def test_far_texture_turns_into_its_mean_instead_of_shimmering() -> None:
    """A tiny step of the camera hardly changes a far, finely checked floor."""
    ground = Material((0.9, 0.9, 0.9), "checker", (0.05, 0.05, 0.05), 0.05)
    scene = dataclasses.replace(single("box", (40.0, 30.0, 0.0)), ground=ground)
    renderer = Renderer(scene, CAMERA)
    one, two = (renderer.render(camera_pose((x, 0.0, 1.5), 0.0)) for x in (0.0, 0.013))
    far = (one.depth > 20) & (one.ids == 0)
    assert far.sum() > 300
    assert np.abs(one.rgb[far].astype(int) - two.rgb[far].astype(int)).mean() < 2.0


def test_tiles_repeat_without_a_border() -> None:
    for name in FEATURES:
        tile = pattern(name)[: 512 * 512].reshape(512, 512)
        mix = (tile >> 16).astype(float)
        inside = np.abs(np.diff(mix, axis=1)).mean()
        seam = np.abs(mix[:, 0] - mix[:, -1]).mean()
        assert seam < 30 * inside + 260 * (name in ("checker", "stripes", "tiles", "bricks", "fabric"))


def test_octaves_are_close_to_log2() -> None:
    for value in (0.01, 0.7, 1.0, 3.0, 500.0):
        assert abs(octaves_of(value) - np.log2(value)) < 0.1
