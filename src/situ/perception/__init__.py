"""Pixels, or truth, turned into observations: what was seen, where, and how surely."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.perception.freespace import FreeSpace
    from situ.perception.lifting import lift_boxes, lift_masks
    from situ.perception.observation import Observation, ObservedFrame
    from situ.perception.oracle import Noise, Oracle, Seen, noisy, oracle_frames

__all__ = [
    "FreeSpace",
    "Noise",
    "Observation",
    "ObservedFrame",
    "Oracle",
    "Seen",
    "lift_boxes",
    "lift_masks",
    "noisy",
    "oracle_frames",
]

_MODULES = {
    "FreeSpace": "situ.perception.freespace",
    "Noise": "situ.perception.oracle",
    "Observation": "situ.perception.observation",
    "ObservedFrame": "situ.perception.observation",
    "Oracle": "situ.perception.oracle",
    "Seen": "situ.perception.oracle",
    "lift_boxes": "situ.perception.lifting",
    "lift_masks": "situ.perception.lifting",
    "noisy": "situ.perception.oracle",
    "oracle_frames": "situ.perception.oracle",
}
__getattr__ = exports(__name__, _MODULES)
