"""What states of different times say alike of a thing's past, so that it can be worked out once for all."""

from abc import abstractmethod
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

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

    def before(self, time: float) -> bytes | None:
        """States that give the same of a time, and have the same settled stays, say the same of all that was
        before it; None where that is not settled."""
        if time > self.until:
            return None
        filed = self.filed[(self.filed[:, 1] < time) & (self.filed[:, 3] < time), :3]
        np.minimum(filed[:, 2], time, out=filed[:, 2])
        return blake2b(filed[np.lexsort(filed.T)].tobytes(), digest_size=16).digest()


class WithSharedPast(Skill):
    """A state that knows what it shares with others."""

    @abstractmethod
    def shared_past(self, object_id: int) -> SharedPast | None:
        """None where nothing is known to be shared."""
