"""Video files as streams of upright frames with true times. Broken packets are skipped and reported."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import av
import cv2
import numpy as np

from situ.errors import BadFormat, BadInput
from situ.recording.codec import Rgb
from situ.recording.formats.base import need
from situ.recording.formats.videos.frame_selection import FrameSelector

_MAX_NOTES = 20  # problems reported per file


class StreamFrame(NamedTuple):
    """`number` counts all frames of the file from 0, including skipped ones."""

    number: int
    time: float
    rgb: Rgb


class VideoStream:
    """Frames of a video file, rotated as its display matrix says and scaled to `width` square pixels.

    Times are those of the file, from 0 at the first frame; the rate may vary. At most `fps` frames per second
    are returned, plus those whose number is in `keep`; with `adapt` up to twice as many during fast motion,
    and two at standstill. Undecodable packets are reported in `notes` and skipped.
    """

    def __init__(
        self,
        source: Path,
        width: int | None = None,
        fps: float | None = None,
        keep: frozenset[int] = frozenset(),
        adapt: bool = False,
    ) -> None:
        need(source, "the video file")
        if fps is not None and not fps > 0:
            raise BadInput(f"fps must be greater than 0, got {fps}")
        self.source, self._fps, self._keep, self._adapt = source, fps, keep, adapt
        self.notes: list[str] = []
        self._container = _opened(source)
        self.rotation = self._first_rotation()
        stream = self._container.streams.video[0]  # of the reopened container
        upright = (stream.height, stream.width) if self.rotation % 180 else (stream.width, stream.height)
        self.native_size: tuple[int, int] = upright
        shape = self._shape(stream.sample_aspect_ratio)
        wide = min(width or upright[0], upright[0])
        self.size = (wide, max(2, round(wide / shape / 2) * 2))
        rate = float(stream.average_rate or 0)
        seconds = float(stream.duration * stream.time_base) if stream.duration else 0.0
        self.expected_frames = round(seconds * (min(rate, fps) if fps else rate))
        self._rate = rate or 30.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._container.close()

    def __iter__(self) -> Iterator[StreamFrame]:
        pace = FrameSelector(self._fps, self._adapt)
        first, last = None, -np.inf
        number = -1
        for frame in self._decoded():
            number += 1
            time = float(frame.time) if frame.time is not None else number / self._rate
            first = time if first is None else first
            time -= first
            if frame.is_corrupt:
                self._note(f"frame {number} is damaged; passed over")
                continue
            if time <= last or not (pace.wants(time, frame) or number in self._keep):
                continue
            last = time
            yield StreamFrame(number, time, self._upright(frame))

    def _decoded(self) -> Iterator["av.VideoFrame"]:
        """Decode packet by packet, so that a broken one affects only its own frames."""
        stream = self._container.streams.video[0]
        packets = self._container.demux(stream)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except av.FFmpegError as error:
                self._note(f"the file ends early ({error.strerror}); all before that was read")
                return
            try:
                yield from packet.decode()
            except av.FFmpegError as error:
                self._note(f"a packet at {packet.pts} cannot be decoded ({error.strerror}); passed over")

    def _upright(self, frame: "av.VideoFrame") -> Rgb:
        picture = frame.to_ndarray(format="rgb24")
        turned = np.rot90(picture, self.rotation // 90) if self.rotation else picture
        if turned.shape[1::-1] != self.size:
            turned = cv2.resize(turned, self.size, interpolation=cv2.INTER_AREA)
        return np.ascontiguousarray(turned)

    def _first_rotation(self) -> int:
        """Rotation of frames in degrees counter-clockwise, a multiple of 90."""
        for frame in self._decoded():
            self._container.close()
            self._container = _opened(self.source)
            self.notes.clear()
            return int(round(frame.rotation / 90) * 90 % 360)
        reason = self.notes[0] if self.notes else "it holds no frame"
        self._container.close()
        raise BadFormat(f"{self.source} cannot be decoded ({reason}); it is cut short or not a video")

    def _shape(self, pixel: Fraction | None) -> float:
        """Aspect ratio of the upright image; pixels of a file need not be square."""
        stretch = float(pixel) if pixel else 1.0
        stretch = 1 / stretch if self.rotation % 180 else stretch
        return self.native_size[0] * stretch / self.native_size[1]

    def _note(self, text: str) -> None:
        if len(self.notes) < _MAX_NOTES:
            self.notes.append(f"{self.source.name}: {text}")


def _opened(source: Path) -> "av.container.InputContainer":
    try:
        container = av.open(str(source))
    except (av.FFmpegError, OSError) as error:
        raise BadFormat(f"{source} cannot be decoded ({error}); it is cut short or not a video") from error
    if not container.streams.video:
        container.close()
        raise BadFormat(f"{source} holds no video stream")
    return container
