"""Writer for recordings of generated worlds, with rounded numbers; see `situ.recording.quantization`."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.recording.codec import Depth, Ids, Rgb
from situ.recording.quantization import quantized, quantized_pose, quantized_scene
from situ.recording.records import JSON, Event, FrameRecord, ObjectRecord
from situ.recording.writer import RecordingWriter
from situ.worlds.scene import Scene


class WorldWriter(RecordingWriter):
    """A `RecordingWriter` that rounds all numbers to six decimals."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        camera: Camera,
        *,
        scene: Scene,
        meta: Mapping[str, JSON],
        **options: Any,
    ) -> None:
        super().__init__(folder, camera, scene=quantized_scene(scene), meta=quantized(meta), **options)

    def add_object(self, obj: ObjectRecord) -> None:
        box = obj.box
        center, size = (tuple(quantized([float(v) for v in part])) for part in (box.center, box.size))
        super().add_object(replace(obj, box=Box(center, size, quantized(float(box.yaw_deg)))))

    def add_event(self, event: Event) -> None:
        super().add_event(replace(event, time=quantized(float(event.time)), data=quantized(event.data)))

    def add_frame(
        self,
        frame: FrameRecord,
        rgb: Rgb | None = None,
        depth: Depth | None = None,
        ids: Ids | None = None,
    ) -> None:
        pose = quantized_pose(frame.T_world_camera)
        stated = replace(frame, time=quantized(float(frame.time)), T_world_camera=pose)
        super().add_frame(stated, rgb, depth, ids)
