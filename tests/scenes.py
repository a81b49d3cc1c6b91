"""Small worlds and states for tests, built by hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from situ.benchmarks.rem.scenes import ObjectType, field_scene, solid
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.recording import ObjectRecord, visible_objects
from situ.rendering import Renderer
from situ.state import Sighting, TruthState, Visibility
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


def observed(scene: Scene, path: Path, camera: Camera | None = None) -> TruthState:
    """The truth of walking a path through a scene, with visibility from rendered instance masks."""
    camera = camera or Camera.from_fov(240, 160, 90.0)
    renderer, rule = Renderer(scene, camera), Visibility(clear_share=0.002, unseen_share=0.0002)
    sightings: dict[int, list[Sighting]] = {}
    for frame, (time, pose) in enumerate(zip(path.times, path.poses, strict=True)):
        ids, _ = renderer.render_ids(pose)
        for seen in visible_objects(ids):
            if (clarity := rule.clarity(seen.share)) > 0:
                sightings.setdefault(seen.object_id, []).append(Sighting(frame, float(time), clarity))
    records = {o.id: ObjectRecord(o.id, o.category, o.box, o.attributes) for o in scene.objects}
    return TruthState(path, records, sightings)
