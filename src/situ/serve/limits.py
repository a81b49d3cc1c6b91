"""What one request or one client may cost."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from situ.serve.failure import too_many

MIB = 1 << 20
_MOST_CLIENTS = 4096  # remembered at a time; the one that was quiet longest is forgotten


@dataclass(frozen=True)
class Limits:
    """Bytes of a body or a message, requests in a second for each client, seconds for a question, pixels of a
    picture, and frames in a second that a stream may bring."""

    max_body: int = 4 * MIB
    rate: float = 20.0
    burst: float = 60.0
    body_s: float = 10.0
    question_s: float = 10.0
    question_chars: int = 500
    most_waiting: int = 64  # questions that wait for a free thread
    threads: int = 4
    max_pixels: int = 1920 * 1080
    max_fps: float = 30.0
    streams: int = 8


class RateLimit:
    """A bucket of requests for each client, refilled steadily."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, max(burst, 1.0), clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._guard = threading.Lock()

    def take(self, client: str) -> None:
        """One request of a client; raises if there have been too many."""
        now = self._clock()
        with self._guard:
            left, then = self._buckets.pop(client, (self._burst, now))
            left = min(self._burst, left + (now - then) * self._rate)
            allowed = left >= 1.0
            self._buckets[client] = (left - 1.0 if allowed else left, now)
            if len(self._buckets) > _MOST_CLIENTS:
                self._buckets.popitem(last=False)
        if not allowed:
            raise too_many((1.0 - left) / self._rate)
