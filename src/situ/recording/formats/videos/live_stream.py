"""Live cameras at a URL (RTSP, MJPEG over HTTP, ...) as streams of frames with wall-clock times.

A slow consumer misses frames; a broken connection is reopened.
"""

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import av
import cv2
import numpy as np

from situ.errors import BadFormat, BadInput
from situ.recording.codec import Rgb
from situ.recording.formats.videos.video_stream import StreamFrame
from situ.recording.latest_queue import LatestQueue

_ADDRESS = re.compile(r"^(rtsps?|https?|rtmps?|udp|tcp):/+(.+)$")
_WAITING = 8  # frames in the queue
_SILENT_S = 10.0  # without a frame, before the connection is reopened
_MAX_RETRIES = 5  # in a row, without a frame between them


def address_of(source: Path | str) -> str | None:
    """The URL that a source is, or None. A URL that was converted to a Path has lost a slash."""
    found = _ADDRESS.match(str(source))
    return f"{found[1]}://{found[2]}" if found else None


class LiveStream:
    """Frames at most `fps` per second, scaled to `width` pixels.

    Times are seconds since 1970, so that watching a camera again later continues the same memory.
    """

    def __init__(
        self, address: str, width: int | None = None, fps: float | None = None, pause_s: float = 1.0
    ) -> None:
        if fps is not None and not fps > 0:
            raise BadInput(f"fps must be greater than 0, got {fps}")
        self.address, self._fps, self._pause_s = address, fps, pause_s
        self.notes: list[str] = []
        with _opened(address) as container:
            video = container.streams.video[0]
            self.native_size: tuple[int, int] = (video.width, video.height)
        if not all(self.native_size):
            raise BadFormat(f"{address} does not say how large its pictures are; it is no video")
        wide = min(width or self.native_size[0], self.native_size[0])
        self.size = (wide, max(2, round(wide * self.native_size[1] / self.native_size[0] / 2) * 2))
        self._frames: LatestQueue[tuple[float, Rgb]] = LatestQueue(_WAITING)
        self._stopped = threading.Event()

    @property
    def dropped(self) -> int:
        """Number of frames dropped because earlier ones were still being processed."""
        return self._frames.dropped

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()

    def __iter__(self) -> Iterator[StreamFrame]:
        threading.Thread(target=self._read, name="situ-camera", daemon=True).start()
        last = -np.inf
        for number, (taken, rgb) in enumerate(self._frames):
            if taken > last:
                last = taken
                yield StreamFrame(number, taken, rgb)

    def _read(self) -> None:
        failed = 0
        try:
            while failed < _MAX_RETRIES and not self._stopped.is_set():
                failed = 0 if self._read_once() else failed + 1
                self._stopped.wait(self._pause_s)
            self.notes.append(f"{self.address} sent nothing more")
        finally:
            self._frames.close()

    def _read_once(self) -> bool:
        """Read frames until the connection breaks; whether there were any."""
        due, some = -np.inf, False
        try:
            with _opened(self.address) as container:
                for frame in container.decode(video=0):
                    now = time.time()
                    if self._stopped.is_set():
                        return some
                    if frame.is_corrupt or now < due - 1e-6:
                        continue
                    due = now + 1 / self._fps if self._fps else now
                    self._frames.put((now, self._scaled(frame)))
                    some = True
        except (av.FFmpegError, BadFormat, OSError) as error:
            if len(self.notes) < 20:
                self.notes.append(f"{self.address}: {error}; opened again")
        return some

    def _scaled(self, frame: Any) -> Rgb:
        picture = frame.to_ndarray(format="rgb24")
        if picture.shape[1::-1] != self.size:
            picture = cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA)
        return np.ascontiguousarray(picture)


def _opened(address: str) -> Any:
    options = {"rtsp_transport": "tcp"} if address.startswith("rtsp") else {}
    try:
        container = av.open(address, timeout=_SILENT_S, options=options)
    except (av.FFmpegError, OSError) as error:
        raise BadFormat(
            f"{address} cannot be watched ({error}); is it on, and is that its address?"
        ) from error
    if not container.streams.video:
        container.close()
        raise BadFormat(f"{address} has no video")
    return container
