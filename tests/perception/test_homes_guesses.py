"""Guesses about a way, each with a map of its own, and what pictures say of up and of each other."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from perception.test_homes_placing import CAMERA, EYES_M, _Eye, _picture
from situ.geometry.pose import camera_pose, inverse
from situ.perception.homes.guesses import Guess, likeliest
from situ.perception.homes.pictures import Match, Matches, Picture
from situ.perception.homes.place_map import PlaceMap
from situ.perception.homes.sight import USUAL_UP, head_axes, sight_of
from situ.perception.homes.upright import normals_of, run_by, up_by


def _seen(x: float, y: float, yaw: float) -> tuple[Any, Picture]:
    glance, rgb = _picture(x, y, yaw)
    sight, _ = sight_of(glance, [], rgb, _Eye.network, USUAL_UP, EYES_M)  # type: ignore[arg-type]
    return sight, Picture.of(rgb, glance, CAMERA)


def _guess(score: float, x: float, yaw_deg: float, known: PlaceMap) -> Guess:
    return Guess(known, camera_pose([x, 0.0, EYES_M], yaw_deg), np.radians(yaw_deg), 0.0, 0.0, score)


def _worth(known: PlaceMap, sight: Any) -> tuple[float, ...]:
    spots = np.array([[0.0, 0.0], [0.4, -0.3]])
    window = known.window(np.zeros(2), 1.0)
    return (*known.fits(sight, window, spots, 0.0), known.agrees(sight, spots[1], 0.2))


@pytest.mark.parametrize("yaw", [5.0, 33.0, 71.0])
@pytest.mark.parametrize("pitch", [-45.0, -25.0, -12.0, 3.0])
def test_sides_tell_up_and_the_run_of_the_walls_without_floor(yaw: float, pitch: float) -> None:
    glance, _ = _picture(-0.5, 0.2, yaw, pitch)
    normals = normals_of(glance.points, glance.label)
    up = up_by(normals)
    assert up is not None
    assert np.degrees(np.arcsin(up[2])) == pytest.approx(pitch, abs=1.5)
    run = run_by(normals, head_axes(up))
    assert run is not None
    assert (np.degrees(run) - yaw + 45) % 90 - 45 == pytest.approx(0.0, abs=2.0)


def test_what_stands_anyhow_tells_no_run() -> None:
    turns = np.random.default_rng(5).uniform(0, 2 * np.pi, 3000)
    around = np.stack([np.cos(turns), np.sin(turns), np.zeros(3000)], axis=1)
    assert run_by(around, np.eye(3)) is None
    assert up_by(around[:10]) is None


def test_a_copy_of_a_map_learns_by_itself() -> None:
    sight, picture = _seen(-1.0, 0.0, 10.0)
    other, other_picture = _seen(0.5, 0.3, 40.0)
    known = PlaceMap(CAMERA)
    known.learn(sight, picture, camera_pose([0.0, 0.0, EYES_M], 10.0), np.radians(10.0))
    before = _worth(known, other)
    copied = known.copy()
    assert _worth(copied, other) == before
    copied.learn(other, other_picture, camera_pose([0.4, -0.3, EYES_M], 11.0), 0.2)
    assert _worth(known, other) == before
    assert _worth(copied, other) != before


def test_the_likeliest_guesses_differ_and_each_has_its_own_map() -> None:
    known = PlaceMap(CAMERA)
    near = [_guess(3.0, 0.0, 0.0, known), _guess(2.9, 0.1, 5.0, known), _guess(2.0, 0.0, 90.0, known)]
    far = [_guess(2.5, 2.0, 0.0, known), _guess(-10.0, 5.0, 0.0, known)]
    lost = replace(near[0], score=1.0, placed=False)
    kept = likeliest([*near, *far, lost])
    assert [guess.score for guess in kept] == [0.0, -0.5, -1.0, -2.0]
    assert not kept[-1].placed
    assert len({id(guess.map) for guess in kept}) == len(kept)


def test_pictures_tell_how_the_head_moved_and_nobody_leans() -> None:
    glance, _ = _picture(-1.0, 0.0, 10.0)
    rough = np.random.default_rng(7).integers(0, 256, (60, 80)).astype(np.uint8)
    picture = Picture.of(
        np.repeat(rough.repeat(4, axis=0).repeat(4, axis=1)[..., None], 3, 2), glance, CAMERA
    )
    match = Matches(picture, CAMERA).to(picture)
    assert match is not None
    assert match.corners > 100
    assert np.allclose(match.T_then_now, np.eye(4), atol=0.02)
    before, after = camera_pose([0, 0, 1.6], 0.0, -12.0), camera_pose([0.5, 0.1, 1.6], 40.0, -30.0)
    moved = Match(inverse(before) @ after, 30)
    assert np.allclose(moved.pose(before), after)
    risen = after.copy()
    risen[2, 3] += 0.3
    assert Match(inverse(before) @ risen, 30).pose(before) is None
    c, s = np.cos(0.2), np.sin(0.2)
    leaning = after.copy()
    leaning[:3, :3] = after[:3, :3] @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    assert Match(inverse(before) @ leaning, 30).pose(before) is None
