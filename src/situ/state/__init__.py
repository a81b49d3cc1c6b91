"""Who and what is where, as of a time, for an observer with a heading."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.state.path_state import PathState
    from situ.state.protocol import ObjectView, Sighting, SpatialState
    from situ.state.truth import TruthState
    from situ.state.visibility import Visibility

__all__ = [
    "ObjectView",
    "PathState",
    "Sighting",
    "SpatialState",
    "TruthState",
    "Visibility",
]

_MODULES = {
    "ObjectView": "situ.state.protocol",
    "PathState": "situ.state.path_state",
    "Sighting": "situ.state.protocol",
    "SpatialState": "situ.state.protocol",
    "TruthState": "situ.state.truth",
    "Visibility": "situ.state.visibility",
}
__getattr__ = exports(__name__, _MODULES)
