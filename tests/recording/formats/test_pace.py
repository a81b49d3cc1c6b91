"""Which frames of a video are used: on time, and as the picture moves."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from situ.recording.formats.videos.frame_selection import next_due
from situ.recording.formats.videos.video_stream import VideoStream
from situ.recording.video import VideoWriter

FPS, MOST = 30.0, 15.0


def panned(path: Path, shifts: list[int]) -> Path:
    """A camera that pans over a picture by so many pixels from frame to frame."""
    coarse = np.random.default_rng(1).integers(0, 255, (16, 120), np.uint8)
    scene = cv2.resize(coarse, (1920, 256), interpolation=cv2.INTER_CUBIC)
    writer = VideoWriter(path, 160, 96)
    for k, left in enumerate(np.cumsum([40, *shifts]).tolist()):
        writer.add(np.repeat(scene[40:136, left : left + 160, None], 3, axis=2), k / FPS)
    writer.close()
    return path


def used(path: Path, adapt: bool = True, keep: frozenset[int] = frozenset()) -> list[int]:
    with VideoStream(path, None, MOST, keep, adapt) as stream:
        return [frame.number for frame in stream]


def test_a_usual_motion_is_seen_so_many_times_a_second(tmp_path: Path) -> None:
    path = panned(tmp_path / "clip.mp4", [2] * 40)
    assert used(path) == used(path, adapt=False) == list(range(0, 41, 2))


def test_a_fast_turn_is_seen_in_every_frame(tmp_path: Path) -> None:
    numbers = used(panned(tmp_path / "clip.mp4", [2] * 20 + [14] * 10 + [2] * 20))
    assert set(range(21, 31)) <= set(numbers)
    assert len(numbers) < 40


def test_a_picture_that_stands_is_seen_twice_a_second(tmp_path: Path) -> None:
    path = panned(tmp_path / "clip.mp4", [2] * 20 + [0] * 60 + [2] * 20)
    numbers = used(path)
    still = [n for n in numbers if 22 <= n <= 80]
    assert 3 <= len(still) <= 6
    assert np.diff([n for n in numbers if n > 80]).max() <= 2
    assert 50 in used(path, keep=frozenset({50}))


@pytest.mark.parametrize("rate", [16.0, 24.0, 25.0, 29.97, 50.0, 60.0])
def test_the_rate_is_kept_on_average(rate: float) -> None:
    due, taken = -np.inf, 0
    for k in range(round(10 * rate)):
        if k / rate >= due - 1e-6:
            due, taken = next_due(due, k / rate, MOST), taken + 1
    assert taken == pytest.approx(10 * MOST, rel=0.05)
