"""Light keeps colours apart, and the sun's direction is what the scene says."""

import dataclasses
from itertools import combinations

import cv2
import numpy as np
import pytest

from rendering.worlds import single
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering import Renderer
from situ.rendering.light import sun_direction
from situ.worlds.props.shapes import box, cylinder, plain
from situ.worlds.scene import Material, Scene, SceneObject, Sun, Vec3

CAMERA = Camera.from_fov(80, 60, 60.0)
COLORS: dict[str, Vec3] = {
    "red": (0.9, 0.08, 0.08),
    "green": (0.114, 0.412, 0.078),
    "blue": (0.165, 0.294, 0.843),
    "yellow": (1.0, 0.933, 0.2),
    "purple": (0.506, 0.149, 0.753),
    "brown": (0.213, 0.122, 0.041),
    "black": (0.005, 0.005, 0.005),
    "orange": (0.75, 0.2, 0.05),
}


def seen(color: Vec3, sun_azimuth: float, shape: str = "box") -> np.ndarray:
    """Mean Lab colour of a solid seen from the side the sun is on (180) or from the other (0)."""
    scene = dataclasses.replace(single(shape, material=Material(color)), sun=Sun(sun_azimuth, 35.0))
    frame = Renderer(scene, CAMERA).render(camera_pose((2.0, 0.0, 0.6), 0.0))
    lab = cv2.cvtColor(frame.rgb.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    return lab[frame.ids == 7].mean(axis=0)


@pytest.mark.parametrize("sun_azimuth", [180.0, 0.0])
def test_eight_colours_stay_apart_in_sun_and_in_shadow(sun_azimuth: float) -> None:
    labs = {name: seen(color, sun_azimuth) for name, color in COLORS.items()}
    for one, two in combinations(COLORS, 2):
        assert np.linalg.norm(labs[one] - labs[two]) > 15.0, (one, two)


@pytest.mark.parametrize("name", ["red", "green", "blue", "yellow", "purple", "orange"])
def test_hue_is_the_same_in_sun_and_in_shadow(name: str) -> None:
    bright, dark = seen(COLORS[name], 180.0), seen(COLORS[name], 0.0)
    assert bright[0] > dark[0] + 8
    turn = np.degrees(np.arctan2(bright[2], bright[1]) - np.arctan2(dark[2], dark[1]))
    assert abs((turn + 180) % 360 - 180) < 20


def test_sun_direction() -> None:
    np.testing.assert_allclose(sun_direction(90.0, 0.0), [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(sun_direction(0.0, 90.0), [0, 0, 1], atol=1e-12)


def test_the_foot_of_a_wall_is_darker_than_open_floor_without_any_sun() -> None:
    scene = dataclasses.replace(single("box"), sun=None, ground=Material((0.5, 0.5, 0.5)))
    frame = Renderer(scene, CAMERA).render(camera_pose((4.0, -1.5, 1.5), 90.0, -40.0))
    ground = np.where((frame.ids == 0) & (frame.depth > 0), frame.rgb[..., 0], 0).astype(int)
    column = ground[:, 40][ground[:, 40] > 0]
    assert column[0] < column[-1] - 10


def test_what_stands_on_a_table_darkens_the_table_around_it() -> None:
    """Near a cup the top gets less light than the same spot of a bare table; far from it nothing changes."""
    top = SceneObject(1, "table", (3.0, 0.0, 0.0), (box((2.0, 1.6, 0.7), (0, 0, 0), plain((0.5, 0.5, 0.5))),))
    cup = SceneObject(2, "cup", (3.0, 0.0, 0.7), (cylinder(0.1, 0.12, (0, 0, 0), plain((0.6, 0.1, 0.1))),))
    camera, pose = Camera.from_fov(160, 120, 60.0), camera_pose((1.0, 0.0, 1.9), 0.0, -31.0)
    bare, laid = (
        Renderer(Scene(objects, None, sun=None), camera).render(pose) for objects in ((top,), (top, cup))
    )
    table = (laid.ids == 1) & (bare.ids == 1)
    darker = bare.rgb.astype(int).sum(axis=2) - laid.rgb.astype(int).sum(axis=2)
    assert (darker[table] >= -3).all()
    ring = np.zeros_like(table)
    rows, columns = np.nonzero(laid.ids == 2)
    ring[rows.max() - 2 : rows.max() + 4, columns.min() - 4 : columns.max() + 5] = True
    assert darker[table & ring].max() > 20
    assert np.mean(darker[table] > 6) < 0.2


def test_a_wide_lawn_does_not_blur_the_shade_at_the_foot_of_things() -> None:
    """The floor beside a box is as dark in a room on a wide lawn as in a room alone."""
    alone = dataclasses.replace(single("box"), sun=None, ground=Material((0.5, 0.5, 0.5)))
    slab = box((160.0, 160.0, 0.1), (0.0, 0.0, 0.0), plain((0.1, 0.4, 0.1)))
    lawn = SceneObject(90, "lawn", (0.0, 0.0, -0.5), (slab,), structural=True)
    pose = camera_pose((4.0, -1.5, 1.5), 90.0, -40.0)
    pictures = [
        Renderer(scene, CAMERA).render(pose).rgb.astype(int)
        for scene in (alone, alone.with_objects((*alone.objects, lawn)))
    ]
    assert np.abs(pictures[0] - pictures[1]).max() <= 2
