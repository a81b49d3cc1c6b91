"""The state of a watch beside its memory, so that an interrupted one goes on where it stopped."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat
from situ.geometry.box import Box
from situ.perception.clicks import Clicks
from situ.perception.odometry.serialization import load_state, save_state
from situ.perception.pipeline import Watch
from situ.perception.posing import OdometryPoses


class FileCheckpoints:
    """A file `NAME.situ-watch`, there only while the watch is unfinished."""

    ended = True  # a recording that runs out is over

    def __init__(self, memory: Path) -> None:
        self.file = memory.with_name(f"{memory.name}-watch")

    def save(self, watch: Watch, last: int) -> None:
        poses = watch.stages.poses
        state: dict[str, Any] = {
            "last": last,
            "source": watch.source.name,
            "time": watch.time,
            "due": watch.locator.due,
            "located": watch.located,
            "lost": [list(span) for span in watch.lost],
            "told": _poses_of(watch),
            "things": [
                [label, *box.center, *box.size, box.yaw_deg]
                for eye in watch.stages.eyes
                if isinstance(eye, Clicks)
                for label, box in eye.things
            ],
            "odometry": poses.odometry if isinstance(poses, OdometryPoses) else None,
            "given": poses.given if isinstance(poses, OdometryPoses) else {},
            "revision": poses.seen_revision if isinstance(poses, OdometryPoses) else 0,
        }
        save_state(state, self.file)

    def _read(self, source: str) -> dict[str, Any] | None:
        """The state of a source; one that cannot be read, or is of another source, is none."""
        try:
            state = load_state(self.file) if self.file.exists() else {"source": ""}
            return state if state["source"] == source and "located" in state else None
        except BadFormat:
            return None

    def time_of(self, source: str) -> float | None:
        """The time of the last frame of a source that need not be seen again; None if all of them must."""
        state = self._read(source)
        return None if state is None else float(state["time"])

    def load(self, watch: Watch) -> int:
        """A checkpoint that does not fit costs time and nothing else."""
        state = self._read(watch.source.name) if watch.memory.frames else None
        poses = watch.stages.poses
        if state is None or (state["odometry"] is None) == isinstance(poses, OdometryPoses):
            return -1
        if not getattr(poses, "resumes", True):
            return -1
        watch.time, watch.locator.due, watch.located = state["time"], state["due"], state["located"]
        watch.lost = [(begin, end) for begin, end in state["lost"]]
        indices, numbers, told = state["told"]
        watch.locator.told = dict(zip(indices.tolist(), told, strict=True))
        watch.memory_frame = dict(zip(indices.tolist(), numbers.tolist(), strict=True))
        if isinstance(poses, OdometryPoses):
            poses.odometry, poses.given = state["odometry"], state["given"]
            poses.seen_revision = state["revision"]
        for eye in watch.stages.eyes:
            if isinstance(eye, Clicks):
                eye.things = [
                    (label, Box((x, y, z), (a, b, c), yaw))
                    for label, x, y, z, a, b, c, yaw in state["things"]
                ]
        return int(state["last"])

    def clear(self) -> None:
        self.file.unlink(missing_ok=True)


def _poses_of(watch: Watch) -> list[NDArray[Any]]:
    """The poses that the memory was given, as three arrays: number in the source, in the memory, and pose.
    Only odometry will know them better one day."""
    told = watch.locator.told if isinstance(watch.stages.poses, OdometryPoses) else {}
    known = {index: pose for index, pose in told.items() if index in watch.memory_frame}
    indices = np.array(list(known), dtype=np.int64)
    numbers = np.array([watch.memory_frame[index] for index in known], dtype=np.int64)
    return [indices, numbers, np.array(list(known.values())).reshape(-1, 4, 4)]
