import cv2
import numpy as np
import pytest

from perception.odometry.real_clips import hololens_walk, tum_rpy
from perception.odometry.walks import Walk, courtyard, frames
from situ.geometry.camera import Camera
from situ.perception.lens import estimate_lens
from situ.perception.sources import ASSUMED_FOV_DEG, open_source
from situ.recording.video import VideoWriter


def pictures(shape, seed, fov, until=5.0):
    camera = Camera.from_fov(320, 240, fov)
    return [
        rgb for _, rgb, _ in frames(Walk(shape, seed=seed), courtyard(seed, "tiles"), camera, until=until)
    ]


@pytest.mark.parametrize("fov", [52.0, 98.0])
def test_a_walk_with_a_turn_tells_the_lens(fov) -> None:
    lens = estimate_lens(pictures("short_l", 51, fov, until=9.0))  # twice the pairs of frames that it needs
    assert lens is not None
    assert lens.fov_deg == pytest.approx(fov, abs=2.5)
    assert abs(lens.fov_deg - fov) < 3 * lens.spread_deg + 0.5


def test_what_does_not_move_tells_nothing() -> None:
    still = pictures("straight", 52, 80.0, until=0.2)[:1] * 12
    assert estimate_lens(still) is None
    assert estimate_lens([np.full((240, 320, 3), 90, np.uint8)] * 5) is None
    assert estimate_lens([]) is None


@pytest.mark.slow
@pytest.mark.parametrize("load", [hololens_walk, tum_rpy])
def test_real_lenses_are_found_from_their_motion(load) -> None:
    camera, clip, _ = load()
    true = 2 * np.degrees(np.arctan(camera.width / 2 / camera.fx))
    assert estimate_lens(rgb for _, rgb, _ in clip).fov_deg == pytest.approx(true, abs=3.0)


def test_a_folder_of_pictures_says_how_its_lens_was_found_or_takes_what_is_said(tmp_path) -> None:
    for number, rgb in enumerate(pictures("short_l", 53, 60.0, until=9.0)):
        cv2.imwrite(str(tmp_path / f"{number:04d}.png"), rgb[..., ::-1])
    for said, expected in ((None, 60.0), (75.0, 75.0)):
        source = open_source(tmp_path, fov_deg=said)
        found = 2 * np.degrees(np.arctan(source.camera.width / 2 / source.camera.fx))
        assert found == pytest.approx(expected, abs=3.0 if said is None else 1e-6)
        assert any("estimated from the motion" in note for note in source.notes) == (said is None)
        assert (source.lens_doubt > 0) == (said is None)


@pytest.mark.parametrize("moves", [True, False])
def test_a_video_says_how_its_lens_was_found(tmp_path, moves) -> None:
    shown = (
        pictures("short_l", 53, 60.0, until=9.0)
        if moves
        else pictures("straight", 53, 60.0, until=0.2)[:1] * 8
    )
    file = tmp_path / "clip.mp4"
    writer = VideoWriter(file, 320, 240)
    for number, rgb in enumerate(shown):
        writer.add(rgb, number / 10)
    writer.close()
    source = open_source(file)
    found = 2 * np.degrees(np.arctan(source.camera.width / 2 / source.camera.fx))
    assert found == pytest.approx(60.0, abs=3.0) if moves else found == pytest.approx(ASSUMED_FOV_DEG)
    assert ("estimated" if moves else "assumed") in source.notes[0]
