"""The state of a watch beside its memory, so that an interrupted one goes on where it stopped."""

from pathlib import Path
from typing import Any

from situ.errors import BadFormat
from situ.geometry.box import Box
from situ.perception.clicks import Clicks
from situ.perception.odometry.frozen import freeze, thaw
from situ.perception.pipeline import Watch
from situ.perception.posing import OdometryPoses


class FileCheckpoints:
    """A file `NAME.situ-watch`, there only while the watch is unfinished."""

    def __init__(self, memory: Path) -> None:
        self.file = memory.with_name(f"{memory.name}-watch")

    def save(self, watch: Watch, last: int) -> None:
        poses = watch.stages.poses
        state: dict[str, Any] = {
            "last": last,
            "source": watch.source.name,
            "told": watch.told,
            "memory_frame": watch.memory_frame,
            "things": [
                [label, *box.center, *box.size, box.yaw_deg]
                for eye in watch.stages.eyes
                if isinstance(eye, Clicks)
                for label, box in eye.things
            ],
            "odometry": poses.odometry if isinstance(poses, OdometryPoses) else None,
            "given": poses.given if isinstance(poses, OdometryPoses) else {},
        }
        freeze(state, self.file)

    def load(self, watch: Watch) -> int:
        """A checkpoint that cannot be read, or is of another source, costs time and nothing else."""
        if not self.file.exists() or watch.memory.frames == 0:
            return -1
        try:
            state = thaw(self.file)
        except BadFormat:
            return -1
        poses = watch.stages.poses
        if state["source"] != watch.source.name or (state["odometry"] is None) == isinstance(
            poses, OdometryPoses
        ):
            return -1
        watch.told, watch.memory_frame = state["told"], state["memory_frame"]
        if isinstance(poses, OdometryPoses):
            poses.odometry, poses.given = state["odometry"], state["given"]
        for eye in watch.stages.eyes:
            if isinstance(eye, Clicks):
                eye.things = [
                    (label, Box((x, y, z), (a, b, c), yaw))
                    for label, x, y, z, a, b, c, yaw in state["things"]
                ]
        return int(state["last"])

    def clear(self) -> None:
        self.file.unlink(missing_ok=True)
