"""Frames that came and are not yet looked at: a few, the oldest dropped when more come."""

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from situ.serve.hello import FrameHeader

QUEUE = 8


@dataclass(frozen=True, eq=False)
class RawFrame:
    """A frame as it came over the wire."""

    header: FrameHeader
    jpeg: bytes
    depth: bytes | None = None


class WaitingFrames:
    """Between the socket and the thread that watches."""

    def __init__(self, most: int = QUEUE) -> None:
        self._most = most
        self._frames: deque[RawFrame] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._frames)

    def put(self, frame: RawFrame) -> bool:
        """Whether there was room without dropping another."""
        with self._changed:
            full = len(self._frames) >= self._most
            if full:
                self._frames.popleft()
                self.dropped += 1
            self._frames.append(frame)
            self._changed.notify_all()
        return not full

    def close(self) -> None:
        """Nothing more comes; what waits is still given out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def __iter__(self) -> Iterator[RawFrame]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._frames or self._closed)
                if not self._frames:
                    return
                frame = self._frames.popleft()
            yield frame
