"""Recordings whose pictures are drawn when they are asked for: hours of life in a few megabytes."""

import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from situ.benchmarks.dataset import DRAWN
from situ.benchmarks.stage import Stage
from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.recording import ObjectRecord, Recording, RecordingWriter
from situ.recording.codec import Depth, Ids, Rgb, encode_jpeg
from situ.recording.reader import DRAWN as DRAWN_RECORDINGS
from situ.worlds.scene import Scene

COARSE = (96, 72)


@DRAWN_RECORDINGS.register(DRAWN)
class DrawnRecording(Recording):
    """A recording that holds a world, a path and events, and draws any frame from them.

    Colour, depth and ids of a frame are the same bytes whenever they are drawn. Frames in order of time are
    cheap. Not for use by several threads at once.
    """

    def __init__(self, folder: pathlib.Path, metadata: Mapping[str, Any]) -> None:
        super().__init__(folder, metadata)
        self.has_images = self.has_depth = self.has_ids = True
        self._stage: Stage | None = None

    def image(self, index: int) -> Rgb:
        self._check_index(index)
        frame = self.frames[index]
        return self._drawing.frame(frame.time, frame.T_world_camera).rgb

    def images(self, indices: Sequence[int] | None = None) -> Iterator[Rgb]:
        yield from map(self.image, range(len(self)) if indices is None else indices)

    def jpeg(self, index: int) -> bytes:
        return encode_jpeg(self.image(index))

    def depth(self, index: int) -> Depth:
        return self._ids_and_depth(index)[1]

    def ids(self, index: int) -> Ids:
        return self._ids_and_depth(index)[0]

    def _ids_and_depth(self, index: int) -> tuple[Ids, Depth]:
        self._check_index(index)
        frame = self.frames[index]
        return self._drawing.ids_and_depth(frame.time, frame.T_world_camera)

    @property
    def _drawing(self) -> Stage:
        if self._stage is None:
            self._stage = Stage(_scene(self), self.events, self.camera)
        return self._stage


class CoarselyDrawn(DrawnRecording):
    """The same with depth in few pixels: enough to know how far the view is clear, at a third of the cost."""

    def depth(self, index: int) -> Depth:
        self._check_index(index)
        if self._coarse is None:
            self._coarse = Stage(_scene(self), self.events, self.camera.resized(*COARSE))
        frame = self.frames[index]
        return self._coarse.ids_and_depth(frame.time, frame.T_world_camera)[1]

    _coarse: Stage | None = None


def write_span(
    recording: Recording, frames: Sequence[int], folder: pathlib.Path, camera: Camera | None = None
) -> None:
    """Store some frames with their pictures as a recording of its own, at another size if wanted.

    The times are kept; `meta["frames"]` says which frames of the whole they are.
    """
    stage = Stage(_scene(recording), recording.events, camera or recording.camera)
    things: dict[int, ObjectRecord] = dict(recording.objects)
    meta = {**recording.meta, "pictures": "stored", "frames": list(frames)}
    with RecordingWriter(folder, camera or recording.camera, scene=recording.scene, meta=meta) as writer:
        for thing in things.values():
            writer.add_object(thing)
        for event in recording.events:
            writer.add_event(event)
        for number, index in enumerate(frames):
            record = recording.frames[index]
            drawn = stage.frame(record.time, record.T_world_camera)
            writer.add_frame(
                type(record)(number, record.time, record.T_world_camera, "", record.visible),
                rgb=drawn.rgb,
                ids=drawn.ids,
            )


def _scene(recording: Recording) -> Scene:
    if recording.scene is None:
        raise BadFormat(f"{recording.folder} holds no world to draw; only simulated days can be drawn")
    return recording.scene
