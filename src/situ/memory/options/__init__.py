"""The numbers that steer the memory, each with its reason.

`MemoryOptions` is what differs between streams and devices, and is kept in the file of a memory. The others
describe objects, people and detectors as such. They are the same for all memories and compiled into the
kernels: `tracking` (association and belief), `visibility` (negative evidence), `moves` (hands, departures),
`poses` (drift and jumps), `publishing` (when a new version is written), `scales` (what many share).
"""

from situ.memory.options.memory_options import Forgetting, Limits, MemoryOptions

__all__ = ["Forgetting", "Limits", "MemoryOptions"]
