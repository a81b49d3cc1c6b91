"""An eye that knows what to expect: what is known badly must not keep out what is known well."""

from dataclasses import replace

import pytest

from scenes import solids_scene
from situ.benchmarks.rem.scenes import COLORS
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.perception.solids import SolidEye, SolidWorld
from situ.rendering import Renderer
from situ.state import ObjectView

CAMERA = Camera.from_fov(960, 640, 90.0)


def known(number: int, color: str, shape: str, ahead: float, left: float, spread_m: float) -> ObjectView:
    box = Box((ahead, left, 0.5), (1.0, 1.0, 1.0))
    return ObjectView(number, shape, box, {"color": color}, 0.98, spread_m)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_in_one_place_the_better_placed_one_stands(order: tuple[int, int]) -> None:
    """A cuboid that was half hidden is remembered half a metre off, where a cone stands before it."""
    scene = solids_scene(("blue", "cone", 17.0, -10.4), ("green", "cuboid", 18.4, -10.8))
    rgb = Renderer(scene, CAMERA).render(camera_pose((0.0, 0.0, 1.25), 0.0)).rgb
    things = [known(1, "green", "cuboid", 17.6, -10.3, 0.5), known(2, "blue", "cone", 17.0, -10.4, 0.3)]
    eye = SolidEye(SolidWorld(COLORS), CAMERA)
    seen = eye.look(rgb, "start", 0.0, [things[k] for k in order], eager=True).observations
    assert [(o.attributes["color"], o.label) for o in seen] == [("blue", "cone"), ("green", "cuboid")]
    assert seen[0].position[:2] == pytest.approx((17.0, -10.4), abs=0.4)


@pytest.mark.parametrize("better", [False, True])
def test_what_was_in_doubt_is_told_when_no_better_view_comes(better: bool) -> None:
    """A cone behind a cuboid: the first picture leaves it in doubt. Turned away, it is told as it was
    seen; past the cuboid it is told once, as it is seen there."""
    renderer = Renderer(
        solids_scene(("blue", "cuboid", 4.43, -2.02), ("green", "cone", 11.02, -3.92)), CAMERA
    )
    eye = SolidEye(SolidWorld(COLORS), CAMERA)
    first = eye.look(renderer.render(camera_pose((0.0, 0.0, 1.25), 0.0)).rgb, "start", 0.0).observations
    assert [o.label for o in first] == ["cuboid"]
    walk = [(0.0, -180.0, "turn right 180 degrees")]
    if better:
        walk = [(6.0, 0.0, "move forward 6 metres"), (6.0, -180.0, "turn right 180 degrees")]
    pictures = [(renderer.render(camera_pose((x, 0.0, 1.25), yaw)).rgb, action) for x, yaw, action in walk]
    told = [o for rgb, action in pictures for o in eye.look(rgb, action, 1.0).observations]
    (cone,) = (o for o in told if o.attributes["color"] == "green")
    assert cone.label == "cone"
    assert cone.position[:2] == pytest.approx((11.02, -3.92), abs=0.5)


def test_two_guesses_at_one_thing_that_stays_in_doubt_are_told_as_one() -> None:
    scene = solids_scene(("blue", "cuboid", 4.43, -2.02), ("green", "cone", 11.02, -3.92))
    renderer, eye = Renderer(scene, CAMERA), SolidEye(SolidWorld(COLORS), CAMERA)
    eye.look(renderer.render(camera_pose((0.0, 0.0, 1.25), 0.0)).rgb, "start", 0.0)
    (guess,) = eye._doubted
    off = replace(guess, position=(guess.position[0] + 0.3, guess.position[1] - 0.2, guess.position[2]))
    beyond = replace(guess, position=(guess.position[0] + 1.2, *guess.position[1:]))
    assert guess.covariance is not None
    eye._doubted = [replace(off, covariance=2.0 * guess.covariance), guess, beyond]
    away = renderer.render(camera_pose((0.0, 0.0, 1.25), -180.0)).rgb
    told = eye.look(away, "turn right 180 degrees", 1.0).observations
    assert sorted(o.position for o in told) == [guess.position, beyond.position]
