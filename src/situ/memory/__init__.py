"""A streaming memory of where things are: associate, fuse, move, forget, and tell the past."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.memory.memory import SpatialMemory
    from situ.memory.options import Forgetting, MemoryOptions
    from situ.memory.reading.objects import RememberedObject
    from situ.memory.reading.places import Place
    from situ.memory.reading.state import MemoryState
    from situ.memory.upkeep.corrections import correct_poses, join_objects, part_object
    from situ.memory.upkeep.export import to_json, to_networkx, write_glb, write_parquet, write_ply
    from situ.memory.upkeep.merging import merge_all, merge_memories, replay
    from situ.perception.freespace import FreeSpace
    from situ.perception.observation import Observation, ObservedFrame

__all__ = [
    "Forgetting",
    "FreeSpace",
    "MemoryOptions",
    "MemoryState",
    "Observation",
    "ObservedFrame",
    "Place",
    "RememberedObject",
    "SpatialMemory",
    "correct_poses",
    "join_objects",
    "merge_all",
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
    "SpatialMemory": "situ.memory.memory",
    "MemoryOptions": "situ.memory.options",
    "MemoryState": "situ.memory.reading.state",
    "Observation": "situ.perception.observation",
    "ObservedFrame": "situ.perception.observation",
    "Place": "situ.memory.reading.places",
    "RememberedObject": "situ.memory.reading.objects",
    "correct_poses": "situ.memory.upkeep.corrections",
    "join_objects": "situ.memory.upkeep.corrections",
    "merge_all": "situ.memory.upkeep.merging",
    "merge_memories": "situ.memory.upkeep.merging",
    "part_object": "situ.memory.upkeep.corrections",
    "replay": "situ.memory.upkeep.merging",
    "to_json": "situ.memory.upkeep.export",
    "to_networkx": "situ.memory.upkeep.export",
    "write_glb": "situ.memory.upkeep.export",
    "write_parquet": "situ.memory.upkeep.export",
    "write_ply": "situ.memory.upkeep.export",
}
__getattr__ = exports(__name__, _MODULES)
