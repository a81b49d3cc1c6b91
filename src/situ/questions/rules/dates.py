"""When a move ended, as far as sightings tell: between the last one before it and the first one after it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.questions.rules.moves import Move
from situ.state.protocol import SpatialState
from situ.state.sightings import before, since

# Of the objects that the wearer put down out of view, so many were carried on unseen for a while.
CARRIED_ON = 0.15


@dataclass(frozen=True)
class Ended:
    """The times between which a move ended, and the one it is dated by. What was in the wearer's hands was
    put down soon after it was last seen there, if it was not carried on unseen; what somebody else moved may
    have come at any time."""

    earliest: float
    dated: float
    latest: float
    by_wearer: bool

    def times(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        """When it ended, at some levels of doubt between 0 and 1."""
        if not self.by_wearer:
            return self.earliest + levels * (self.latest - self.earliest)
        late = np.maximum(0.0, levels - (1.0 - CARRIED_ON)) / CARRIED_ON
        return self.dated + late * (self.latest - self.dated)


def ended(state: SpatialState, move: Move) -> Ended:
    """Between which times a move ended."""
    if move.in_hand:
        return Ended(move.arrived, move.arrived, move.arrived, True)
    seen = state.sightings(move.view.id)
    last, first = next(before(seen, move.arrived), None), next(since(seen, move.arrived), None)
    earliest = move.left if last is None else last.time
    return Ended(earliest, move.arrived, move.arrived if first is None else first.time, move.by_wearer)
