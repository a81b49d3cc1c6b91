"""The numbers that steer the memory, each with its reason.

`MemoryOptions` is what differs between streams and devices, and is kept in the file of a memory. The others
describe things, people and detectors as such. They are the same for all memories and compiled into the
kernels: `sightings` (matching and belief), `looks` (what a look in vain tells), `moves` (hands, departures,
look-alikes), `poses` (drift and jumps), `telling` (what is worth a new version).
"""

from situ.memory.options.memory_options import Forgetting, Limits, MemoryOptions

__all__ = ["Forgetting", "Limits", "MemoryOptions"]
