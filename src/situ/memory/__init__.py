"""A streaming memory of where things are: associate, fuse, move, forget, and tell the past."""

from situ.memory.memory import Memory
from situ.memory.options import Forgetting, MemoryOptions
from situ.memory.sampling import SampledState
from situ.memory.state import MemoryState, Place, RememberedObject
from situ.perception.freespace import FreeSpace
from situ.perception.observation import Observation, ObservedFrame

__all__ = [
    "Forgetting",
    "FreeSpace",
    "Memory",
    "MemoryOptions",
    "MemoryState",
    "Observation",
    "ObservedFrame",
    "Place",
    "RememberedObject",
    "SampledState",
]
