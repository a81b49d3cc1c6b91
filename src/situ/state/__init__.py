"""Who and what is where, as of a time, for an observer with a heading."""

from situ.state.path_state import PathState
from situ.state.protocol import Candidate, ObjectView, Phrase, Sighting, SpatialState
from situ.state.truth import TruthState
from situ.state.visibility import Visibility

__all__ = [
    "Candidate",
    "ObjectView",
    "PathState",
    "Phrase",
    "Sighting",
    "SpatialState",
    "TruthState",
    "Visibility",
]
