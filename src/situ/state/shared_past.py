"""What states of different times say alike of a thing's past, so that it can be worked out once for all."""

from abc import abstractmethod
from bisect import bisect_left
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from situ.lazy import lazily
from situ.state.protocol import Skill
from situ.state.stay_log import SettledStays


@dataclass(frozen=True, eq=False)
class SharedPast:
    """The past of a thing as a state has it, without the state. `until`: all that is said of earlier times is
    said for good. `filed` (n, 4): the numbers under which its sightings are filed, from when until when, and
    when the first of those was filed."""

    settled: SettledStays
    until: float
    filed: NDArray[np.float64]
    _said: dict[int, bytes] = field(default_factory=dict)

    def before(self, time: float) -> bytes | None:
        """States that give the same of a time, and have the same settled stays, say the same of all that was
        before it; None where that is not settled."""
        if time > self.until:
            return None
        turns, rows = self._in_order
        span = bisect_left(turns, time)
        if span not in self._said:
            filed = rows[(rows[:, 1] < time) & (rows[:, 3] < time), :3]
            filed[filed[:, 2] >= time, 2] = np.inf  # when that ends is not known yet
            self._said[span] = blake2b(filed.tobytes(), digest_size=16).digest()
        return self._said[span]

    @lazily
    def _in_order(self) -> tuple[list[float], NDArray[np.float64]]:
        """The times between which the same is said, and what was filed, in an order that all states share."""
        rows = self.filed[np.lexsort(self.filed[:, 2::-1].T)]
        return np.unique(rows[:, 1:]).tolist(), rows


class WithSharedPast(Skill):
    """A state that knows what it shares with others."""

    @abstractmethod
    def shared_past(self, object_id: int) -> SharedPast | None:
        """None where nothing is known to be shared."""
