"""Small worlds and states for tests, built by hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from situ.benchmarks.rem.scenes import ObjectType, field_scene, solid
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.recording import ObjectRecord
from situ.state import Sighting, TruthState
from situ.worlds.scene import Scene


def standing_path(frames: int = 4, yaw_deg: float = 0.0) -> Path:
    """A wearer who stands at the origin and does not move."""
    poses = np.stack([camera_pose((0.0, 0.0, 1.25), yaw_deg)] * frames)
    return Path(np.arange(frames, dtype=float), poses)


def solid_record(object_id: int, color: str, shape: str, x: float = 5.0, y: float = 0.0) -> ObjectRecord:
    return ObjectRecord(object_id, shape, Box((x, y, 0.5), (1.0, 1.0, 1.0)), {"color": color})


def state_of(
    records: Sequence[ObjectRecord], seen: Mapping[int, Mapping[int, float]], path: Path | None = None
) -> TruthState:
    """A truth in which object i has clarity `seen[i][frame]`."""
    sightings = {
        key: [Sighting(frame, float(frame), clarity) for frame, clarity in sorted(frames.items())]
        for key, frames in seen.items()
    }
    return TruthState(path or standing_path(), {record.id: record for record in records}, sightings)


def solids_scene(*kinds: tuple[str, str, float, float]) -> Scene:
    """A field with (color, shape, x, y) solids."""
    return field_scene([solid(i + 1, ObjectType(c, s), (x, y)) for i, (c, s, x, y) in enumerate(kinds)])
