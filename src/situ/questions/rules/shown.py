"""Whether a thing is one to tell of: clearly seen at least once, and none that walks off by itself.

Truth has answered both already: what was only glimpsed has a presence of 0.5, and it knows who is where.
"""

import math

from situ.questions.rules.moves import last_seen, walks
from situ.state.protocol import LIKELY, ObjectView, SpatialState

_STAYS_S = 60.0  # for about so long somebody stays where they were seen
_OFTEN = 4  # what was seen so often was seen clearly; to look that up takes longer than all the rest


def shown(state: SpatialState, view: ObjectView) -> float:
    """How likely something that a memory holds for real, and for not having been moved, is to be told of."""
    if not hasattr(view, "here"):
        return 1.0
    often = getattr(view, "seen_count", _OFTEN) >= _OFTEN
    clear = 1.0 if often or _seen_clearly(state, view) else LIKELY
    if not walks(view):
        return clear
    return clear * math.exp((last_seen(state, view.id) - state.now) / _STAYS_S)


def _seen_clearly(state: SpatialState, view: ObjectView) -> bool:
    return any(sighting.clarity == 1.0 for sighting in state.sightings(view.id))
