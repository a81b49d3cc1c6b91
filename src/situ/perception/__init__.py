"""Pixels, or truth, turned into observations: what was seen, where, and how surely."""

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
