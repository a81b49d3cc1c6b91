"""Write the recording of a world that was made, to a millionth; see `situ.recording.grain`."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.recording.codec import Depth, Ids, Rgb
from situ.recording.grain import grained, grained_pose, grained_scene
from situ.recording.records import JSON, Event, FrameRecord, ObjectRecord
from situ.recording.writer import RecordingWriter
from situ.worlds.scene import Scene


class WorldWriter(RecordingWriter):
    """A `RecordingWriter` for worlds that were made."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        camera: Camera,
        *,
        scene: Scene,
        meta: Mapping[str, JSON],
        **options: Any,
    ) -> None:
        super().__init__(folder, camera, scene=grained_scene(scene), meta=grained(meta), **options)

    def add_object(self, thing: ObjectRecord) -> None:
        box = thing.box
        center, size = (tuple(grained([float(v) for v in part])) for part in (box.center, box.size))
        super().add_object(replace(thing, box=Box(center, size, grained(float(box.yaw_deg)))))

    def add_event(self, event: Event) -> None:
        super().add_event(replace(event, time=grained(float(event.time)), data=grained(event.data)))

    def add_frame(
        self,
        frame: FrameRecord,
        rgb: Rgb | None = None,
        depth: Depth | None = None,
        ids: Ids | None = None,
    ) -> None:
        pose = grained_pose(frame.T_world_camera)
        told = replace(frame, time=grained(float(frame.time)), T_world_camera=pose)
        super().add_frame(told, rgb, depth, ids)
