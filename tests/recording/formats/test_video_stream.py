"""Videos as people have them: portrait, with a varying rate, damaged in the middle."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from situ.errors import BadFormat, BadInput
from situ.recording.formats.videos.video_stream import VideoStream
from situ.recording.video import VideoWriter

TIMES = [0.0, 0.1, 0.25, 0.3, 0.7, 0.8, 0.95, 1.3, 1.4, 1.5]


def clip(folder: Path, times=TIMES) -> Path:
    """Frame i has a bright top edge and the grey level 40 + 10 i below it."""
    path = folder / "clip.mp4"
    writer = VideoWriter(path, 96, 64)
    for i, time in enumerate(times):
        picture = np.full((64, 96, 3), 40 + 10 * (i % 20), np.uint8)
        picture[:16] = 250
        writer.add(picture, time)
    writer.close()
    return path


def turned(path: Path, degrees_clockwise: int) -> Path:
    """The same file with a display matrix, as phones write it for portrait clips."""
    matrices = {90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}
    a, b, c, d = (value * 65536 for value in matrices[degrees_clockwise])
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    for offset, value in ((0, a), (4, b), (12, c), (16, d)):
        data[at + offset : at + offset + 4] = value.to_bytes(4, "big", signed=True)
    out = path.with_name(f"turned{degrees_clockwise}.mp4")
    out.write_bytes(bytes(data))
    return out


def test_times_are_those_of_the_file(tmp_path) -> None:
    with VideoStream(clip(tmp_path)) as stream:
        frames = list(stream)
    assert [frame.time for frame in frames] == pytest.approx(TIMES, abs=1e-5)
    assert [frame.number for frame in frames] == list(range(10))
    levels = [int(frame.rgb[40:].mean()) for frame in frames]
    assert levels == pytest.approx([40 + 10 * i for i in range(10)], abs=4)


@pytest.mark.parametrize(
    ("degrees", "edge"), [(90, np.s_[:, -8:]), (180, np.s_[-8:, :]), (270, np.s_[:, :8])]
)
def test_a_turned_clip_stands_upright(tmp_path, degrees, edge) -> None:
    with VideoStream(turned(clip(tmp_path), degrees)) as stream:
        frame = next(iter(stream))
    assert frame.rgb.shape[1::-1] == stream.size == ((64, 96) if degrees % 180 else (96, 64))
    assert frame.rgb[edge].mean() > 230
    assert frame.rgb.mean() < 130  # one edge only


def test_pixels_that_are_not_square_become_so(tmp_path) -> None:
    """Old camcorders and some screen recorders store pictures squeezed; what is round is to be round."""
    path = tmp_path / "squeezed.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 96, 96, "yuv420p"
        stream.codec_context.sample_aspect_ratio = Fraction(3, 2)
        for _ in range(3):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((96, 96, 3), np.uint8))))
        container.mux(stream.encode())
    with VideoStream(path) as upright, VideoStream(turned(path, 90)) as portrait:
        assert upright.native_size == portrait.native_size == (96, 96)
        assert upright.size == (96, 64)
        assert portrait.size == (96, 144)
        assert next(iter(upright)).rgb.shape == (64, 96, 3)


def test_at_most_fps_frames_a_second_and_resized_once(tmp_path) -> None:
    with VideoStream(clip(tmp_path), width=48, fps=2.0) as stream:
        frames = list(stream)
    assert [frame.time for frame in frames] == pytest.approx([0.0, 0.7, 1.3], abs=1e-5)
    assert frames[0].rgb.shape == (32, 48, 3)
    assert stream.native_size == (96, 64)


def test_damage_in_the_middle_costs_only_what_it_hit(tmp_path) -> None:
    path = clip(tmp_path, [i / 10 for i in range(60)])
    data = bytearray(path.read_bytes())
    start = data.index(b"mdat")
    middle = start + (len(data) - start) // 3
    data[middle : middle + 500] = b"\xff" * 500
    path.write_bytes(bytes(data))
    with VideoStream(path) as stream:
        frames = list(stream)
    assert stream.notes
    assert 20 <= len(frames) < 60
    assert frames[-1].time > 5.0


def test_what_is_no_video_is_refused(tmp_path) -> None:
    (tmp_path / "a.mp4").write_text("no video at all")
    with pytest.raises(BadFormat, match=r"a\.mp4"):
        VideoStream(tmp_path / "a.mp4")
    with pytest.raises(BadInput, match="missing"):
        VideoStream(tmp_path / "b.mp4")
    with pytest.raises(BadInput, match="fps"):
        VideoStream(clip(tmp_path), fps=0)
