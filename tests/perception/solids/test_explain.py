"""Pictures of solids explained by solids."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes import solids_scene
from situ.benchmarks.rem.scenes import COLORS
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.perception.solids.explain import Picture, Solid, explain
from situ.perception.solids.palette import GROUND, UNSURE, Palette
from situ.perception.solids.silhouette import SHAPES, outline, view_of
from situ.rendering import Renderer

CAMERA = Camera.from_fov(960, 640, 90.0)
PALETTE = Palette(COLORS)
POSE = camera_pose((0.0, 0.0, 1.25), 0.0)


def look(*kinds: tuple[str, str, float, float]) -> list[Solid]:
    """The solids found in a picture of (color, shape, ahead, left) solids."""
    rgb = Renderer(solids_scene(*kinds), CAMERA).render(POSE).rgb
    return explain(Picture(PALETTE.classify(rgb[320:]), view_of(CAMERA, 1.25, 1.0, 0.0)))


def found(solids: list[Solid]) -> set[tuple[str, str, int, int]]:
    return {
        (PALETTE.names[s.color - 1], SHAPES[s.shape], round(s.z), round(-s.x))
        for s in solids
        if s.visible > 60
    }


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_kind_is_told_and_placed(color: str, shape: str) -> None:
    (solid,) = look((color, shape, 6.0, 1.0))
    assert (PALETTE.names[solid.color - 1], SHAPES[solid.shape]) == (color, shape)
    assert math.hypot(solid.z - 6.0, solid.x + 1.0) < 0.15
    assert solid.sure


def test_twins_side_by_side_and_one_behind_the_other_stay_two() -> None:
    kinds = (
        ("red", "cone", 5.0, 0.0),
        ("red", "cone", 7.0, 1.0),
        ("blue", "cuboid", 6.0, -3.0),
        ("blue", "cuboid", 8.0, -3.0),
    )
    assert found(look(*kinds)) == {(c, s, int(x), int(y)) for c, s, x, y in kinds}


def test_what_is_half_hidden_keeps_its_place() -> None:
    kinds = (("green", "sphere", 5.0, 0.0), ("yellow", "cuboid", 7.0, 0.0))
    assert found(look(*kinds)) == {(c, s, int(x), int(y)) for c, s, x, y in kinds}


def test_an_empty_field_holds_nothing() -> None:
    assert look() == []


def test_what_is_expected_but_not_there_is_not_seen() -> None:
    rgb = Renderer(solids_scene(("red", "cone", 6.0, 0.0)), CAMERA).render(POSE).rgb
    picture = Picture(PALETTE.classify(rgb[320:]), view_of(CAMERA, 1.25, 1.0, 0.0))
    red, blue = 1 + PALETTE.names.index("red"), 1 + PALETTE.names.index("blue")
    solids = explain(picture, [Solid(blue, 0, 3.0, 8.0, known=True), Solid(red, 2, 0.0, 6.05, known=True)])
    assert [(s.color, s.shape, s.known) for s in solids] == [(red, 2, True)]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(range(3)), st.floats(3.0, 18.0), st.floats(-0.7, 0.7), st.floats(-180.0, 180.0))
def test_outlines_match_the_renderer(shape: int, ahead: float, slope: float, yaw: float) -> None:
    """The pixels inside an outline are those that the renderer gives to the solid."""
    yaw_rad, x = math.radians(yaw), slope * ahead
    world = (
        ahead * math.cos(yaw_rad) + x * math.sin(yaw_rad),
        ahead * math.sin(yaw_rad) - x * math.cos(yaw_rad),
    )
    camera = Camera.from_fov(480, 320, 90.0)
    scene = solids_scene(("red", SHAPES[shape], *world))
    ids, _ = Renderer(scene, camera).render_ids(camera_pose((0.0, 0.0, 1.25), yaw))
    left, right = np.empty(160), np.empty(160)
    first, last = outline(view_of(camera, 1.25, 1.0, yaw), shape, x, ahead, left, right)
    columns = np.arange(480) + 0.5
    inside = np.zeros((160, 480), bool)
    for row in range(first, last):
        inside[row] = (columns >= left[row]) & (columns <= right[row])
    truth = ids[160:] > 0
    assert (inside ^ truth).sum() <= 4 + 2.0 * math.sqrt(truth.sum())


def test_mixed_pixels_are_unsure_and_ground_is_ground() -> None:
    grey, red = np.array([120, 120, 121]), np.array([200, 60, 60])
    row = np.stack([grey, red, (grey + red) // 2]).astype(np.uint8)[None]
    assert PALETTE.classify(row).tolist() == [[GROUND, 1 + PALETTE.names.index("red"), UNSURE]]
