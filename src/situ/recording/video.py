"""H.264 video with random access to every frame.

Every frame is a key frame, so reading one costs one decode. Colours are BT.709, limited range, 4:2:0, tagged
and converted accordingly. Timestamps are microseconds since the first frame, so the rate may vary. One
encoder thread and no version stamps give reproducible bytes. H.264 in 4:2:0 needs even sizes: the last column
or row of an odd size is duplicated, and cropped by the reader.
"""

import pathlib
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import cast

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from situ.errors import BadFormat, BadInput
from situ.recording.codec import Rgb

TICKS_PER_SECOND = 1_000_000
_TIME_BASE = Fraction(1, TICKS_PER_SECOND)
_BT709, _LIMITED = 1, 1  # values defined by H.264
# libswscale: bilinear, accurate rounding, full-resolution chroma. Its fast path darkens images by two levels
# at some widths.
_EXACT = 0x2 | 0x40000 | 0x2000
_X264 = {
    "preset": "superfast",
    "tune": "fastdecode",
    "crf": "18",
    "x264-params": "keyint=1:bframes=0:colorprim=bt709:transfer=bt709:colormatrix=bt709:range=tv",
}


def ticks(times: Sequence[float], first: float) -> list[int]:
    """Timestamps of frames: microseconds since the first one."""
    return [round((time - first) * TICKS_PER_SECOND) for time in times]


class VideoWriter:
    """Encodes frames one by one; `close()` finishes the file."""

    def __init__(self, file: pathlib.Path, width: int, height: int) -> None:
        self._file = file
        self._container = av.open(str(file), "w", format="mp4", options={"fflags": "+bitexact"})
        self._stream = self._container.add_stream("libx264")
        self._stream.width, self._stream.height = width + width % 2, height + height % 2
        self._stream.pix_fmt = "yuv420p"
        self._stream.time_base = _TIME_BASE
        self._stream.options = _X264
        codec = self._stream.codec_context
        codec.time_base = _TIME_BASE
        codec.thread_count = 1
        codec.color_primaries = codec.color_trc = codec.colorspace = _BT709
        codec.color_range = _LIMITED
        self._first: float | None = None
        self._last_tick = -1

    def add(self, rgb: Rgb, time: float) -> None:
        self._first = time if self._first is None else self._first
        tick = ticks([time], self._first)[0]
        if tick <= self._last_tick:
            raise BadInput(f"a video needs frames at least a microsecond apart; got another one at {time} s")
        self._last_tick = tick
        height, width = rgb.shape[:2]
        even = np.pad(rgb, ((0, height % 2), (0, width % 2), (0, 0)), "edge") if (height | width) % 2 else rgb
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(even), format="rgb24").reformat(
            format="yuv420p",
            src_colorspace=Colorspace.ITU709,
            dst_colorspace=Colorspace.ITU709,
            src_color_range=ColorRange.JPEG,
            dst_color_range=ColorRange.MPEG,
        )
        frame.pts, frame.time_base = tick, _TIME_BASE
        self._encode(frame)

    def close(self) -> None:
        self._encode(None)
        self._container.close()

    def abandon(self) -> None:
        """Close the file without finishing it."""
        self._container.close()

    def _encode(self, frame: "av.VideoFrame | None") -> None:
        try:
            self._container.mux(self._stream.encode(frame))
        except av.FFmpegError as error:
            raise BadInput(f"{self._file} could not be written: {error}") from error


class VideoReader:
    """Reads any frame of a recording's video, identified by its timestamp."""

    def __init__(self, file: pathlib.Path, width: int, height: int, timestamps: Sequence[int]) -> None:
        self._file, self._width, self._height = file, width, height
        self._timestamps = list(timestamps)
        self._lock = threading.Lock()
        self._container: av.container.InputContainer | None = None

    def frame(self, index: int) -> Rgb:
        """Seek to one frame and decode it."""
        wanted = self._timestamps[index]
        with self._lock:
            try:
                container = self._container = self._container or self._open()
                stream = container.streams.video[0]
                container.seek(wanted, stream=stream)
                found = next((f for f in container.decode(stream) if f.pts >= wanted), None)
            except (av.FFmpegError, OSError) as error:
                raise BadFormat(f"{self._file}: frame {index} cannot be decoded ({error})") from error
        return self._pixels(found, index)

    def frames(self, start: int, stop: int) -> Iterator[Rgb]:
        """Decode consecutive frames without seeking between them."""
        try:
            with self._open() as container:
                stream = container.streams.video[0]
                container.seek(self._timestamps[start], stream=stream)
                decoded = (f for f in container.decode(stream) if f.pts >= self._timestamps[start])
                for index in range(start, stop):
                    yield self._pixels(next(decoded, None), index)
        except (av.FFmpegError, OSError) as error:
            raise BadFormat(f"{self._file} cannot be decoded ({error})") from error

    def _open(self) -> "av.container.InputContainer":
        container = av.open(str(self._file))
        if not container.streams.video:
            container.close()
            raise BadFormat(f"{self._file} has no video stream")
        container.streams.video[0].codec_context.thread_count = 1
        return container

    def _pixels(self, frame: "av.VideoFrame | None", index: int) -> Rgb:
        if frame is None or frame.pts != self._timestamps[index]:
            got = "the end of the file" if frame is None else f"{frame.pts} us"
            raise BadFormat(
                f"{self._file}: frame {index} should be at {self._timestamps[index]} us, found {got}; "
                "the file was cut short or changed"
            )
        rgb = frame.reformat(
            format="rgb24",
            src_colorspace=Colorspace.ITU709,
            dst_colorspace=Colorspace.ITU709,
            src_color_range=ColorRange.MPEG,
            dst_color_range=ColorRange.JPEG,
            interpolation=_EXACT,
        ).to_ndarray()
        return cast(Rgb, np.ascontiguousarray(rgb[: self._height, : self._width]))
