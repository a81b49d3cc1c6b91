"""Made worlds are stored to a millionth, so that the same seed gives the same bytes on every processor.

Sines, roots and products of matrices differ in the last bit between processors and their libraries. A made
recording says micrometres, microseconds and millionths of a degree, far below what any key depends on, and
its pictures show what it says. What others bring is stored as it comes.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.recording.codec import Depth, Ids, Rgb
from situ.recording.records import JSON, Event, FrameRecord, ObjectRecord
from situ.recording.writer import RecordingWriter
from situ.worlds.scene import Scene, scene_from_json, scene_to_json

DECIMALS = 6


def grained(value: JSON) -> JSON:
    """Plain JSON with every number to a millionth."""
    if isinstance(value, float):
        return round(float(value), DECIMALS) + 0.0  # no minus before a zero
    if isinstance(value, Mapping):
        return {name: grained(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [grained(part) for part in value]
    return value


def grained_pose(pose: Matrix) -> Matrix:
    return np.asarray(pose, np.float64).round(DECIMALS) + 0.0


def grained_scene(scene: Scene) -> Scene:
    return scene_from_json(grained(scene_to_json(scene)))


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
