import numpy as np
import pytest

from perception.tabletop import BLUE, CAMERA, RED, STOOL, TABLE, WALL_X, view
from situ.perception.colour import colour_name
from situ.perception.stages import InputFrame, Look
from situ.perception.surfaces import find_surfaces
from situ.perception.things import Things, find_segments, segment_at

EYES = (0.3, 0.2, 1.6)


def look(position=EYES, yaw=0.0, pitch=-25.0, noise=0.0):
    rgb, depth, pose = view(position, yaw, pitch, noise=noise)
    return Look(InputFrame(0, 0.0, rgb, depth), CAMERA, pose, depth)


@pytest.mark.parametrize("noise", [0.0, 0.002])
def test_floor_table_and_wall_are_found(noise) -> None:
    seen = look(noise=noise)
    surfaces = find_surfaces(seen.depth, CAMERA, seen.T_world_camera)
    assert min(abs(h) for h in surfaces.heights) < 0.02
    assert min(abs(h - TABLE.top) for h in surfaces.heights) < 0.02
    on_wall = np.abs(surfaces.points[..., 0] - WALL_X) < 0.02
    assert surfaces.walls[on_wall].mean() > 0.8
    assert surfaces.walls[~on_wall].mean() < 0.1


@pytest.mark.parametrize("noise", [0.0, 0.002])
def test_what_stands_on_a_surface_is_a_thing(noise) -> None:
    found = Things().look(look(noise=noise))
    for box, color in ((RED, "red"), (BLUE, "blue"), (STOOL, "green")):
        near = [o for o in found if np.linalg.norm(np.subtract(o.position, box.center)) < 0.12]
        assert len(near) == 1, (color, [o.position for o in found])
        assert near[0].attributes["color"] == color
        assert near[0].size is not None
        assert near[0].size[2] == pytest.approx(box.size[2], abs=0.06)
    assert len(found) <= 4  # the table itself may count


@pytest.mark.parametrize("yaw", [-20.0, 15.0])
def test_things_stay_where_they_are_when_the_head_turns(yaw) -> None:
    places = [np.array(o.position) for o in Things().look(look(yaw=yaw)) if o.attributes["color"] == "red"]
    assert len(places) == 1
    assert np.linalg.norm(places[0] - RED.center) < 0.12


def test_named_things_are_left_to_their_names() -> None:
    seen = look()
    named = Things(lambda position: RED.contains(position, 0.1))
    assert {o.attributes["color"] for o in named.look(seen)} == {
        o.attributes["color"] for o in Things().look(seen)
    } - {"red"}


def test_a_pixel_picks_its_segment() -> None:
    seen = look()
    surfaces = find_surfaces(seen.depth, CAMERA, seen.T_world_camera)
    segments = find_segments(surfaces, seen.frame.rgb)
    x, y = CAMERA.project_world(seen.T_world_camera, [1.8, 0.35, 0.84])
    chosen = segment_at(segments, surfaces.step, x, y)
    assert chosen is not None
    assert RED.contains(chosen.box.center, 0.1)
    assert segment_at(segments, surfaces.step, 2, 2) is None


def test_without_depth_or_with_nothing_in_it_nothing_is_seen() -> None:
    rgb, depth, pose = view(EYES, 0.0, -25.0)
    assert Things().look(Look(InputFrame(0, 0.0, rgb), CAMERA, pose, None)) == ()
    for empty in (np.zeros_like(depth), np.full_like(depth, np.nan), np.full_like(depth, np.inf)):
        assert list(Things().look(Look(InputFrame(0, 0.0, rgb), CAMERA, pose, empty))) == []


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((200, 30, 30), "red"),
        ((30, 50, 200), "blue"),
        ((20, 20, 20), "black"),
        ((240, 240, 240), "white"),
        ((128, 128, 130), "grey"),
        ((110, 70, 30), "brown"),
        ((230, 210, 40), "yellow"),
        ((30, 150, 40), "green"),
    ],
)
def test_colours_have_everyday_names(rgb, name) -> None:
    assert colour_name(np.array([rgb] * 5, np.uint8)) == name
