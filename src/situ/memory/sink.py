"""A memory as the pipeline of perception sees it: somewhere to put frames, better poses and a few facts."""

import json
from collections.abc import Mapping

import numpy as np

from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Matrix
from situ.memory.file.visual_map import read_map, write_map
from situ.memory.memory import SpatialMemory
from situ.memory.options import MemoryOptions
from situ.memory.reading.stream import PATH_DOUBT, WATCHED
from situ.memory.upkeep.alignment import aligned
from situ.memory.upkeep.corrections import correct_poses
from situ.memory.upkeep.provenance import Recorded
from situ.perception.observation import ObservedFrame
from situ.perception.odometry.visual_map import VisualMap, moved

# Poses that were given are those of the camera: things that seem to lie elsewhere were misplaced themselves.
_BELIEVED = MemoryOptions(pose_drift_share=0.0, pose_drift_yaw_deg=0.0, pose_drift_yaw_share=0.0)


def options_for(scale_from: str) -> MemoryOptions:
    """The options of a memory by where the poses of its frames, and with them their scale, come from."""
    return _BELIEVED if scale_from == "poses" else MemoryOptions()


def _doubt_before(memory: SpatialMemory, part: Recorded) -> PathUncertainty | None:
    """The doubt of the recordings before one, also if some of it is in the memory already."""
    doubt = memory.history.path_doubt()
    memory.flush()
    begun_with = memory.history.frames.between(part.first_frame, part.first_frame)
    if doubt is None or not len(begun_with.times):
        return doubt
    begun = float(begun_with.times[0])
    return doubt.until(float(np.nextafter(begun, -np.inf)), np.inf)


class MemorySink:
    """Feeds a memory with one recording, whose frames, times and poses are its own."""

    def __init__(self, memory: SpatialMemory, part: Recorded | None = None) -> None:
        self._memory = memory
        self._part = part if part is not None and part.first_frame else None
        self._before = None if self._part is None else _doubt_before(memory, self._part)

    @property
    def frames(self) -> int:
        return self._memory.frames - (self._part.first_frame if self._part is not None else 0)

    @property
    def now(self) -> float:
        return self._memory.now - (self._part.time_shift if self._part is not None else 0.0)

    def observe(self, frame: ObservedFrame) -> None:
        part = self._part
        self._memory.observe(frame if part is None else aligned(frame, part.alignment, part.time_shift))

    def correct(self, poses: Mapping[int, Matrix]) -> None:
        part = self._part
        if part is not None:
            poses = {part.first_frame + number: part.alignment @ pose for number, pose in poses.items()}
        correct_poses(self._memory, poses, going_on=False)

    def keep(self, facts: Mapping[str, str], doubt: PathUncertainty | None) -> None:
        store = self._memory.store
        joined = self._joined(doubt)
        with store.transaction(durable=False):
            store.put(WATCHED, json.dumps(dict(facts)))
            if joined is not None:
                store.put(PATH_DOUBT, joined.thinned().to_text())
        self._memory.commit()

    def remember(self, seen: VisualMap) -> None:
        """What was seen before this recording, or before it was taken up again, stays."""
        if not len(seen):
            return
        if self._part is not None:
            part = self._part
            views = (moved(view, part.alignment, 1.0, part.time_shift) for view in seen.views)
            seen = VisualMap(tuple(views), seen.metric)
        store = self._memory.store
        known = read_map(store)
        older = known.only(known.times < seen.views[0].time)
        with store.transaction(durable=False):
            write_map(store, older.joined(seen) if len(older) else seen)

    def _joined(self, doubt: PathUncertainty | None) -> PathUncertainty | None:
        """The doubt of this recording after that of those before it, of which it knows as little as they of
        it: what is stated about how two recordings lie to each other is believed."""
        if self._part is None:
            return doubt
        if self._before is None and doubt is None:
            return None
        end = self._part.alignment[:2, 3][None]
        nothing = np.zeros((1, 3))
        before = self._before or PathUncertainty.of([0.0], end, nothing)
        after = doubt or PathUncertainty.of([self.now], end, nothing)
        turn, shift = self._part.alignment[:2, :2], self._part.alignment[:2, 3]
        return before.followed_by(after, turn, shift, self._part.time_shift)
