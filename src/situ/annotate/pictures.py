"""Images of a source by frame number, from a video file or a recording, and the frame table of a video.

The table is read from packets without decoding, except the first frame, so hours of video take seconds. A
frame's number is its position in display order; its time stamp identifies it, so a wrong frame is detected.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat, BadInput
from situ.recording import Recording
from situ.recording.codec import Rgb

Stamps = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FrameTimes:
    """`stamps`: in ticks of the stream. `keys`: numbers of key frames. `times`: seconds from the first
    frame."""

    stamps: Stamps
    keys: NDArray[np.int64]
    times: NDArray[np.float64]


def video_times(file: Path) -> FrameTimes:
    try:
        with av.open(str(file)) as container:
            if not container.streams.video:
                raise BadFormat(f"{file} holds no video stream")
            stream = container.streams.video[0]
            first, rows = None, []
            for packet in container.demux(stream):
                if packet.size == 0 or packet.is_discard:
                    continue
                if packet.pts is None:
                    raise BadInput(
                        f"{file} does not say when its frames are shown; write it anew, for instance with "
                        f"`ffmpeg -i {file.name} -c:v libx264 new.mp4`"
                    )
                rows.append((packet.pts, packet.is_keyframe))
            tick = stream.time_base
        with av.open(str(file)) as container:
            first = next((frame.pts for frame in container.decode(video=0) if frame.pts is not None), None)
    except (av.FFmpegError, OSError) as error:
        raise BadFormat(f"{file} cannot be decoded ({error}); it is cut short or not a video") from error
    if first is None or tick is None:
        raise BadFormat(f"{file} holds no frame that can be decoded")
    shown = dict(sorted((pts, key) for pts, key in rows if pts >= first))
    stamps = np.fromiter(shown, np.int64, len(shown))
    keys = np.flatnonzero(np.fromiter(shown.values(), bool, len(shown)))
    # Computed as decoders do: ticks times tick length, in integers up to the division.
    times = (stamps - first) * tick.numerator / float(tick.denominator)
    return FrameTimes(stamps, keys.astype(np.int64), times)


_QUALITY = 85  # JPEG
_DECODERS = 4  # open decoders per file, for simultaneous viewers


class Pictures(Protocol):
    """Frames by number, thread-safe."""

    def __len__(self) -> int: ...

    def jpegs(self, start: int, count: int, width: int | None) -> Iterator[bytes]:
        """Consecutive frames as JPEG, at most `width` wide; ends with the last frame."""
        ...

    def close(self) -> None: ...


class VideoPictures:
    """Frames of a video file by time stamp.

    A decoder shortly before the wanted frame continues from there; otherwise it seeks to the previous key
    frame.
    """

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
        """The decoder with the fewest frames to decode."""
        with self._lock:
            best = min(self._idle, key=lambda d: d.way_to(number), default=None)
            if best is None or (best.way_to(number) == _FAR and len(self._idle) < _DECODERS):
                return _Decoder(self._file, self._table)
            self._idle.remove(best)
            return best


_FAR = 1 << 60  # frames: larger than any distance


class _Decoder:
    def __init__(self, file: Path, table: FrameTimes) -> None:
        self._file, self._table = file, table
        self._at: int | None = None  # last decoded frame
        try:
            self._container = av.open(str(file))
        except (av.FFmpegError, OSError) as error:
            raise BadFormat(f"{file.name} cannot be opened any more ({error})") from error
        self._stream = self._container.streams.video[0]
        self._frames: Iterator[av.VideoFrame] | None = None

    def close(self) -> None:
        self._container.close()

    def way_to(self, number: int) -> int:
        """Frames to decode from here without seeking; very large if impossible."""
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
            while found is None and key > 0:  # the file's index was wrong, or this is no key frame
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
    """Frames of a recording, stored or rendered."""

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
    """Concatenated images, each preceded by its length in four bytes, big-endian."""
    return b"".join(len(one).to_bytes(4, "big") + one for one in pictures)
