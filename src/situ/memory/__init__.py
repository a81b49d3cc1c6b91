"""A streaming memory of where things are: associate, fuse, move, forget, and tell the past."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
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

_MODULES = {
    "Forgetting": "situ.memory.options",
    "FreeSpace": "situ.perception.freespace",
    "Memory": "situ.memory.memory",
    "MemoryOptions": "situ.memory.options",
    "MemoryState": "situ.memory.state",
    "Observation": "situ.perception.observation",
    "ObservedFrame": "situ.perception.observation",
    "Place": "situ.memory.state",
    "RememberedObject": "situ.memory.remembered",
    "SampledState": "situ.memory.sampling",
    "correct_poses": "situ.memory.corrections",
    "draw": "situ.memory.sampling",
    "join_objects": "situ.memory.corrections",
    "merge_memories": "situ.memory.merging",
    "part_object": "situ.memory.corrections",
    "replay": "situ.memory.merging",
    "to_json": "situ.memory.export",
    "to_networkx": "situ.memory.export",
    "write_glb": "situ.memory.export",
    "write_parquet": "situ.memory.export",
    "write_ply": "situ.memory.export",
}
__getattr__ = exports(__name__, _MODULES)
