"""A clock that jumps: what it says is quarantined until it goes on so, then followed, and named.

Devices are switched off, are set by hand and take the time of a network. A frame behind the last one is
refused, for frames come once each and in order. If several frames in a row are behind, and go on from one to
the next as frames do, the clock was set back: from then on its times are counted on from where the memory is.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from situ.errors import BadInput
from situ.perception.observation import ObservedFrame

_log = logging.getLogger(__name__)
_IN_A_ROW = 3  # frames: two may have been delivered out of order
_GOES_ON_S = 10.0  # a walk goes on within so many seconds, or somebody has paused


@dataclass(frozen=True)
class ClockJump:
    """Since a time of the memory the clock is `seconds` behind it."""

    since: float
    seconds: float


@dataclass
class Clock:
    """How the memory's time follows from that of the frames."""

    jumps: list[ClockJump] = field(default_factory=list)
    _behind: list[float] = field(default_factory=list)  # times in quarantine

    def __getstate__(self) -> dict[str, object]:
        """What is in quarantine is no part of a memory: a refused frame leaves it as it was."""
        return {"jumps": self.jumps, "_behind": []}

    def read(self, frame: ObservedFrame, last: float, is_known: Callable[[float], bool]) -> ObservedFrame:
        """A frame on the memory's time, the last of which is given. Raises BadInput for a frame whose time is
        known already, and while a clock is in quarantine."""
        if not isinstance(frame.time, int | float | np.floating):  # not what its type says
            return frame  # type: ignore[unreachable]  # refused for what it is
        now = self.jumps[-1].seconds if self.jumps else 0.0
        time = frame.time + now
        if not time <= last:
            self._behind.clear()
            was = 0.0 if len(self.jumps) < 2 else self.jumps[-2].seconds
            if self.jumps and last < frame.time + was <= last + _GOES_ON_S < time:
                self._follow(last, was)  # it has been put right
            return self._shifted(frame)
        if is_known(time) or is_known(frame.time):
            raise BadInput(f"time goes backwards: a frame at {frame.time:g} s is known; feed each one once")
        if self._behind and not 0.0 < frame.time - self._behind[-1] <= _GOES_ON_S:
            self._behind.clear()
        self._behind.append(frame.time)
        if len(self._behind) < _IN_A_ROW:
            raise BadInput(
                f"time goes backwards: frame at {frame.time:g} s after one at {last - now:g} s; feed them in "
                f"order, once each; if the clock was set back, frames are taken again after {_IN_A_ROW}"
            )
        step = self._behind[1] - self._behind[0]
        self._behind.clear()
        self._follow(last, last + step - frame.time)
        return self._shifted(frame)

    def _follow(self, since: float, seconds: float) -> None:
        before = self.jumps[-1].seconds if self.jumps else 0.0
        _log.warning("the clock jumped by %+.1f s at %.1f s; times are counted on", before - seconds, since)
        self.jumps.append(ClockJump(since, seconds))

    def _shifted(self, frame: ObservedFrame) -> ObservedFrame:
        if not self.jumps or not self.jumps[-1].seconds:
            return frame
        more = self.jumps[-1].seconds
        known = None if frame.known_at is None else frame.known_at + more
        return replace(frame, time=frame.time + more, known_at=known)
