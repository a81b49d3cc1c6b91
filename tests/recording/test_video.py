import av
import numpy as np
import pytest

from recording.samples import number_of, picture
from situ.errors import BadFormat, BadInput
from situ.recording.video import VideoReader, VideoWriter, ticks

UNEVEN_TIMES = np.cumsum(np.random.default_rng(4).uniform(0.001, 0.5, 200)) + 1.7e9


def encode(file, images, times):
    height, width = images[0].shape[:2]
    writer = VideoWriter(file, width, height)
    for image, time in zip(images, times, strict=True):
        writer.add(image, time)
    writer.close()
    return VideoReader(file, width, height, ticks(times, times[0]))


@pytest.fixture(scope="module")
def numbered(tmp_path_factory):
    file = tmp_path_factory.mktemp("video") / "video.mp4"
    return encode(file, [picture(i) for i in range(200)], UNEVEN_TIMES)


def test_any_frame_in_any_order(numbered):
    order = np.random.default_rng(0).permutation(200)
    assert [number_of(numbered.frame(i)) for i in order] == order.tolist()


def test_stretches_start_and_stop_where_asked(numbered):
    assert [number_of(image) for image in numbered.frames(37, 52)] == list(range(37, 52))


def test_seeking_and_reading_on_give_the_same_pixels(numbered):
    for index, image in enumerate(numbered.frames(0, 200)):
        if index % 20 == 0:
            assert np.array_equal(image, numbered.frame(index))


@pytest.mark.parametrize(("width", "height"), [(64, 48), (66, 46), (65, 47), (17, 33), (2, 2)])
def test_flat_colours_come_back_at_every_size(tmp_path, width, height):
    colours = np.random.default_rng(1).integers(0, 256, (12, 3))
    images = [np.full((height, width, 3), colour, np.uint8) for colour in colours]
    reader = encode(tmp_path / "v.mp4", images, np.arange(12) / 30)
    errors = np.array([reader.frame(i).astype(int) - images[i] for i in range(12)])
    assert errors.shape[1:] == (height, width, 3)
    assert np.abs(errors).max() <= 4
    assert abs(errors.mean()) < 0.7  # a wrong range or matrix shifts colours by five levels and more


def test_file_says_what_it_holds(tmp_path):
    encode(tmp_path / "v.mp4", [picture(i) for i in range(3)], [0.0, 0.25, 1.0])
    with av.open(str(tmp_path / "v.mp4")) as container:
        stream = container.streams.video[0]
        codec = stream.codec_context
        assert (codec.colorspace, codec.color_primaries, codec.color_trc, codec.color_range) == (1, 1, 1, 1)
        assert codec.pix_fmt == "yuv420p"
        frames = list(container.decode(stream))
    assert [frame.time for frame in frames] == [0.0, 0.25, 1.0]
    assert all(frame.key_frame for frame in frames)


def test_same_frames_same_bytes(tmp_path):
    noise = np.random.default_rng(2).integers(0, 256, (4, 48, 64, 3), np.uint8)
    for name in ("a.mp4", "b.mp4"):
        encode(tmp_path / name, list(noise), [0.0, 0.1, 0.2, 0.3])
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_frames_too_close_in_time_are_refused(tmp_path):
    writer = VideoWriter(tmp_path / "v.mp4", 64, 48)
    writer.add(picture(0), 0.0)
    with pytest.raises(BadInput, match="microsecond"):
        writer.add(picture(1), 1e-7)
    writer.add(picture(2), 1e-3)
    writer.close()


def test_other_timestamps_than_the_table_says(tmp_path):
    file = tmp_path / "v.mp4"
    encode(file, [picture(i) for i in range(3)], [0.0, 0.1, 0.2])
    reader = VideoReader(file, 64, 48, [0, 150_000, 900_000])
    with pytest.raises(BadFormat, match=r"v\.mp4: frame 1 should be at 150000 us, found 200000 us"):
        reader.frame(1)
    with pytest.raises(BadFormat, match=r"v\.mp4.*end of the file"):
        reader.frame(2)


def test_not_a_video(tmp_path):
    file = tmp_path / "v.mp4"
    file.write_bytes(b"nothing like a video" * 50)
    with pytest.raises(BadFormat, match=r"v\.mp4"):
        VideoReader(file, 64, 48, [0]).frame(0)
    with pytest.raises(BadFormat, match=r"v\.mp4"):
        list(VideoReader(file, 64, 48, [0]).frames(0, 1))
