"""A memory as the pipeline of perception sees it: somewhere to put frames, better poses and a few facts."""

import json
from collections.abc import Mapping

from situ.geometry.pose import Matrix
from situ.memory.corrections import correct_poses
from situ.memory.history import WATCHED
from situ.memory.memory import Memory
from situ.perception.observation import ObservedFrame


class MemorySink:
    """Feeds a memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @property
    def frames(self) -> int:
        return self._memory.frames

    @property
    def now(self) -> float:
        return self._memory.now

    def observe(self, frame: ObservedFrame) -> None:
        self._memory.observe(frame)

    def correct(self, poses: Mapping[int, Matrix]) -> None:
        correct_poses(self._memory, poses, going_on=False)

    def keep(self, facts: Mapping[str, str]) -> None:
        store = self._memory.store
        with store.transaction(durable=False):
            store.put(WATCHED, json.dumps(dict(facts)))
        self._memory.commit()
