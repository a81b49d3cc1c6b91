"""A streaming memory of where things are: associate, fuse, move, forget, and tell the past."""

from situ.memory.corrections import correct_poses, join_objects, part_object
from situ.memory.export import to_json, to_networkx, write_glb, write_parquet, write_ply
from situ.memory.memory import Memory
from situ.memory.merging import merge_memories, replay
from situ.memory.options import Forgetting, MemoryOptions
from situ.memory.remembered import RememberedObject
from situ.memory.sampling import SampledState, draw
from situ.memory.state import MemoryState, Place
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
    "correct_poses",
    "draw",
    "join_objects",
    "merge_memories",
    "part_object",
    "replay",
    "to_json",
    "to_networkx",
    "write_glb",
    "write_parquet",
    "write_ply",
]
