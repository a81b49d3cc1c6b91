import numpy as np
import pytest

from perception.tabletop import BLUE, CAMERA, RED, view
from situ.errors import BadFormat
from situ.perception.clicks import Clicks, meeting_point
from situ.perception.stages import InputFrame, Look
from situ.recording.formats.hand_labels import Annotation

SIZE = (CAMERA.width, CAMERA.height)


def look(index, position, yaw=0.0, depth=True, block=None):
    rgb, z, pose = view(position, yaw, -25.0)
    if block is not None:
        z = np.minimum(z, block)
    return Look(InputFrame(index, float(index), rgb), CAMERA, pose, z if depth else None)


def click_on(label, index, point, position, yaw=0.0, size=SIZE):
    _, _, pose = view(position, yaw, -25.0)
    x, y = CAMERA.project_world(pose, point)
    return Annotation(label, index, float(x) * size[0] / SIZE[0], float(y) * size[1] / SIZE[1])


HERE, THERE = (0.3, 0.2, 1.6), (0.5, -0.6, 1.5)


def test_one_click_places_a_thing_and_later_frames_see_it_again() -> None:
    eye = Clicks([click_on("kettle", 0, (1.8, 0.35, 0.84), HERE)], SIZE, CAMERA, [])
    first = eye.look(look(0, HERE))
    again = eye.look(look(1, THERE))
    for seen in (first, again):
        assert [o.label for o in seen] == ["kettle"]
        assert np.linalg.norm(np.subtract(seen[0].position, RED.center)) < 0.12
    assert first[0].track_id == again[0].track_id
    assert eye.covers(RED.center)
    assert not eye.covers(BLUE.center)


def test_a_thing_behind_something_or_out_of_view_is_not_seen() -> None:
    eye = Clicks([click_on("kettle", 0, (1.8, 0.35, 0.84), HERE)], SIZE, CAMERA, [])
    eye.look(look(0, HERE))
    assert list(eye.look(look(1, THERE, block=0.8))) == []
    assert list(eye.look(look(2, HERE, yaw=180.0))) == []


def test_clicks_are_in_the_pixels_of_the_file() -> None:
    large = (2 * SIZE[0], 2 * SIZE[1])
    eye = Clicks([click_on("kettle", 0, (1.8, 0.35, 0.84), HERE, size=large)], large, CAMERA, [])
    assert np.linalg.norm(np.subtract(eye.look(look(0, HERE))[0].position, RED.center)) < 0.12
    with pytest.raises(BadFormat, match="320x240"):
        Clicks([Annotation("cup", 0, 321.0, 5.0)], SIZE, CAMERA, [])


def test_without_depth_two_clicks_cross() -> None:
    notes: list[str] = []
    clicks = [click_on("box", 0, BLUE.center, HERE), click_on("box", 1, BLUE.center, THERE)]
    eye = Clicks(clicks, SIZE, CAMERA, notes)
    assert list(eye.look(look(0, HERE, depth=False))) == []
    assert "another frame" in notes[0]
    placed = eye.look(look(1, THERE, depth=False))
    assert np.linalg.norm(np.subtract(placed[0].position, BLUE.center)) < 0.01


def test_rays_that_are_almost_parallel_meet_nowhere() -> None:
    a, b = np.zeros(3), np.array([0.01, 0.0, 0.0])
    assert meeting_point([a, b], [np.array([0, 0, 1.0]), np.array([0, 0.001, 1.0])]) is None
    behind = meeting_point([a, np.array([1.0, 0, 0])], [np.array([-1, 0, 1.0]), np.array([1, 0, 1.0])])
    assert behind is None


def test_several_clicks_on_one_thing_are_one_thing() -> None:
    """From two sides, and once beside its middle; a second thing of the name stays a second one."""
    clicks = [
        click_on("kettle", 0, (1.8, 0.35, 0.84), HERE),
        click_on("kettle", 1, (1.78, 0.33, 0.8), THERE),
        click_on("kettle", 1, BLUE.center, THERE),
    ]
    eye = Clicks(clicks, SIZE, CAMERA, [])
    eye.look(look(0, HERE))
    eye.look(look(1, THERE))
    assert [label for label, _ in eye.things] == ["kettle", "kettle"]
    assert np.linalg.norm(np.subtract(eye.things[0][1].center, RED.center)) < 0.12
    assert max(eye.things[0][1].size) < 0.6


def test_a_small_hole_in_the_depth_is_bridged() -> None:
    click = click_on("kettle", 0, (1.8, 0.35, 0.84), HERE)
    rgb, z, pose = view(HERE, 0.0, -25.0)
    z = z.copy()
    z[int(click.y) - 5 : int(click.y) + 6, int(click.x) - 5 : int(click.x) + 6] = 0.0
    notes: list[str] = []
    eye = Clicks([click], SIZE, CAMERA, notes)
    eye.look(Look(InputFrame(0, 0.0, rgb), CAMERA, pose, z))
    assert notes == []
    assert np.linalg.norm(np.subtract(eye.things[0][1].center, RED.center)) < 0.2


def test_no_click_vanishes_without_a_word() -> None:
    eye = Clicks([click_on("box", 7, BLUE.center, HERE)], SIZE, CAMERA, [])
    eye.look(look(0, HERE))
    assert "'box' in frame 7" in eye.closing_notes()[0]
    eye.look(look(7, HERE))
    assert eye.closing_notes() == []


def test_one_click_without_depth_is_a_direction() -> None:
    eye = Clicks([click_on("box", 0, BLUE.center, HERE)], SIZE, CAMERA, [])
    eye.look(look(0, HERE, depth=False))
    count, _, bearing = eye.unplaced()["box"]
    away = np.subtract(BLUE.center, HERE)
    assert count == 1
    assert bearing == pytest.approx(-np.degrees(np.arctan2(away[1], away[0])), abs=1.0)


def test_a_click_on_a_hole_in_the_depth_is_noted() -> None:
    notes: list[str] = []
    eye = Clicks([Annotation("ghost", 0, 160.0, 120.0)], SIZE, CAMERA, notes)
    rgb, z, pose = view(HERE, 0.0, -25.0)
    assert list(eye.look(Look(InputFrame(0, 0.0, rgb), CAMERA, pose, np.zeros_like(z)))) == []
    assert "no depth" in notes[0]
