"""Pictures of a source by the number of the frame: a video file of any kind, or a recording."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import av
import cv2
import numpy as np

from situ.annotate.frame_times import FrameTimes
from situ.errors import BadFormat, BadInput
from situ.recording import Recording
from situ.recording.codec import Rgb

_QUALITY = 85
_DECODERS = 4  # at different places of one file, for as many people


class Pictures(Protocol):
    """Frames by number. Safe to be used from several threads."""

    def __len__(self) -> int: ...

    def jpegs(self, start: int, count: int, width: int | None) -> Iterator[bytes]:
        """Consecutive frames, at most so wide; ends with the last frame of the source."""
        ...

    def close(self) -> None: ...


class VideoPictures:
    """Frames of a video file, found by their time stamps. A decoder that stands shortly before a frame goes
    on from there; otherwise it goes back to the key frame before it."""

    def __init__(self, file: Path, table: FrameTimes) -> None:
        self._file, self._table = file, table
        self._lock = threading.Lock()
        self._idle: list[_Decoder] = []

    def __len__(self) -> int:
        return len(self._table.stamps)

    def jpegs(self, start: int, count: int, width: int | None) -> Iterator[bytes]:
        stop = _stop(self, start, count)
        decoder = self._take(start)
        try:
            for number in range(start, stop):
                yield _jpeg(decoder.frame(number), width)
        except BaseException:
            decoder.close()
            raise
        with self._lock:
            self._idle.append(decoder)
            spare = self._idle[:-_DECODERS]
            del self._idle[:-_DECODERS]
        for old in spare:
            old.close()

    def close(self) -> None:
        with self._lock:
            for decoder in self._idle:
                decoder.close()
            self._idle.clear()

    def _take(self, number: int) -> "_Decoder":
        """The decoder that has the shortest way to a frame."""
        with self._lock:
            best = min(self._idle, key=lambda d: d.way_to(number), default=None)
            if best is None or (best.way_to(number) == _FAR and len(self._idle) < _DECODERS):
                return _Decoder(self._file, self._table)
            self._idle.remove(best)
            return best


_FAR = 1 << 60


class _Decoder:
    def __init__(self, file: Path, table: FrameTimes) -> None:
        self._file, self._table = file, table
        self._at: int | None = None  # the frame that was decoded last
        try:
            self._container = av.open(str(file))
        except (av.FFmpegError, OSError) as error:
            raise BadFormat(f"{file.name} cannot be opened any more ({error})") from error
        self._stream = self._container.streams.video[0]
        self._frames: Iterator[av.VideoFrame] | None = None

    def close(self) -> None:
        self._container.close()

    def way_to(self, number: int) -> int:
        """Frames to be decoded from here without going back to a key frame; far if there is no such way."""
        if self._at is None or self._at >= number or self._key_before(number) > self._at:
            return _FAR
        return number - self._at

    def frame(self, number: int) -> Rgb:
        wanted = int(self._table.stamps[number])
        if self.way_to(number) == _FAR:
            self._seek(self._key_before(number))
        try:
            found = self._next(wanted)
            key = self._key_before(number)
            while found is None and key > 0:  # an index of the file led too far, or this key frame is none
                key = self._key_before(key - 1)
                self._seek(key)
                found = self._next(wanted)
        except av.FFmpegError as error:
            self._at = None
            raise BadFormat(f"frame {number} of {self._file.name} cannot be decoded ({error})") from error
        if found is None:
            self._at = None
            raise BadFormat(f"frame {number} of {self._file.name} cannot be decoded: it is damaged")
        self._at = number
        picture = found.to_ndarray(format="rgb24")
        turns = round(found.rotation / 90) % 4
        return np.ascontiguousarray(np.rot90(picture, turns)) if turns else picture

    def _next(self, wanted: int) -> "av.VideoFrame | None":
        assert self._frames is not None
        for frame in self._frames:
            if frame.pts == wanted:
                return frame
            if frame.pts is not None and frame.pts > wanted:
                return None
        return None

    def _seek(self, key: int) -> None:
        self._container.seek(int(self._table.stamps[key]), stream=self._stream)
        self._frames = self._container.decode(self._stream)
        self._at = None

    def _key_before(self, number: int) -> int:
        place = int(np.searchsorted(self._table.keys, number, side="right")) - 1
        return int(self._table.keys[place]) if place >= 0 else 0


class RecordedPictures:
    """Frames of a recording, stored or drawn."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def __len__(self) -> int:
        return len(self._recording)

    def jpegs(self, start: int, count: int, width: int | None) -> Iterator[bytes]:
        numbers = range(start, _stop(self, start, count))
        if not self._recording.has_images and "pictures" not in self._recording.meta:
            raise BadInput(f"the recording {self._recording.folder.name} has no pictures")
        if self._recording.image_format == "jpeg" and (
            width is None or width >= self._recording.camera.width
        ):
            for number in numbers:
                yield self._recording.jpeg(number)
            return
        for picture in self._recording.images(numbers):
            yield _jpeg(picture, width)

    def close(self) -> None:
        pass


def _stop(pictures: Pictures, start: int, count: int) -> int:
    if not 0 <= start < len(pictures):
        raise BadInput(f"there is no frame {start}; frames go from 0 to {len(pictures) - 1}")
    return min(len(pictures), start + count)


def _jpeg(picture: Rgb, width: int | None) -> bytes:
    if width is not None and width < picture.shape[1]:
        size = (width, max(2, round(width * picture.shape[0] / picture.shape[1])))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", picture[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1])


def joined(pictures: Sequence[bytes]) -> bytes:
    """Pictures behind each other, each after its length in four bytes, most significant first."""
    return b"".join(len(one).to_bytes(4, "big") + one for one in pictures)
