"""Spatial memories of recordings, for strategies that put what is remembered to a model."""

from collections import OrderedDict

from situ.evaluate.cues.ladder import visibility_of
from situ.evaluate.memory_participant import remember_with_hindsight
from situ.memory import Memory
from situ.perception.oracle import oracle_frames
from situ.recording import Recording

KEPT = 2
_MEMORIES: OrderedDict[str, Memory] = OrderedDict()


def memory_of(recording: Recording) -> Memory:
    """The memory of a recording; those of the last few are kept, since questions come recording by recording.

    Coloured solids are seen in the pixels. Elsewhere the recording's own annotations stand in for eyes, so
    that what is measured is the model's use of a memory and not the making of one.
    """
    key = str(recording.folder.resolve())
    if key not in _MEMORIES:
        _MEMORIES[key] = _watch(recording)
        while len(_MEMORIES) > KEPT:
            _MEMORIES.popitem(last=False)[1].close()
    _MEMORIES.move_to_end(key)
    return _MEMORIES[key]


def _watch(recording: Recording) -> Memory:
    if recording.meta.get("benchmark") == "rem":
        return remember_with_hindsight(recording)
    memory = Memory.create(":memory:")
    for frame in oracle_frames(recording, visibility_of(recording)):
        memory.observe(frame.exact())
    return memory
