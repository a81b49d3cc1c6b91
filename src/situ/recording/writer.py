"""Writing of recordings frame by frame in bounded memory, atomically."""

import json
import os
import pathlib
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.recording.codec import Depth, Ids, Rgb, depth_to_plain, encode_jpeg, ids_to_plain
from situ.recording.frame_table import FrameTableWriter
from situ.recording.layout import EVENTS, FRAMES, OBJECTS, VIDEO, file_sha256, write_metadata
from situ.recording.records import JSON, Event, FrameRecord, ObjectRecord
from situ.recording.staging import StagedFolder
from situ.recording.tables import (
    EVENT_SCHEMA,
    OBJECT_SCHEMA,
    event_row,
    frame_schema,
    object_row,
    rows_sha256,
    write_rows,
)
from situ.recording.validation import (
    check_event,
    check_frame,
    check_image,
    check_known,
    check_object,
    plain_json,
)
from situ.worlds.scene import Scene, scene_to_json

if TYPE_CHECKING:
    from situ.recording.video import VideoWriter

Images = Literal["jpeg", "video", "none"]


class RecordingWriter:
    """Streams a recording to disk. Use it as a context manager:

        with RecordingWriter(folder, camera, images="jpeg") as writer:
            writer.add_object(ObjectRecord(1, "chair", box))
            writer.add_frame(FrameRecord(0, 0.0, pose), rgb=rgb, ids=ids)

    On a clean exit `folder` appears in one step, synced to disk. On an exception nothing appears. At most one
    row group of frames is held in memory (64 frames or about 2 MiB of images); objects and events are held
    until the end.

    `images`: "jpeg" stores the exact bytes that models will receive, "video" needs a third of the space; both
    require `rgb` for every frame. `depth` and `ids` are stored if enabled (`store_depth`, `store_ids`) and
    may be missing from single frames. `fps` is the nominal rate, if any. `meta` is any plain JSON.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        camera: Camera,
        *,
        images: Images = "jpeg",
        fps: float | None = None,
        store_depth: bool = False,
        store_ids: bool = True,
        scene: Scene | None = None,
        meta: Mapping[str, JSON] | None = None,
    ) -> None:
        if images not in ("jpeg", "video", "none"):
            raise BadInput(f'images must be "jpeg", "video" or "none", got {images!r}')
        if fps is not None and not (np.isfinite(fps) and fps > 0):
            raise BadInput(f"fps must be greater than 0, or None if the rate varies; got {fps}")
        self._folder = pathlib.Path(folder).absolute()
        self._camera, self._images, self._fps = camera, images, fps
        self._store_depth, self._store_ids = store_depth, store_ids
        # Serialised at once: invalid values are reported before the first frame, and later changes have no
        # effect.
        self._meta = plain_json(dict(meta or {}), "meta")
        self._scene = plain_json(None if scene is None else scene_to_json(scene), "scene")
        self._count = self._with_depth = self._with_ids = 0
        self._last_time: float | None = None
        self._seen: set[int] = set()
        self._objects: dict[int, dict[str, Any]] = {}
        self._events: list[dict[str, Any]] = []
        self._open: _OpenFiles | None = None

    def __enter__(self) -> Self:
        self._open = _OpenFiles(
            self._folder,
            self._camera,
            jpeg=self._images == "jpeg",
            video=self._images == "video",
            depth=self._store_depth,
            ids=self._store_ids,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        files, self._open = self._files(), None
        if error is not None:
            files.abandon()
            return
        try:
            self._finish(files)
        except OSError as problem:
            files.abandon()
            raise BadInput(f"{self._folder} could not be written: {problem}") from problem
        except BaseException:
            files.abandon()
            raise
        files.staged.commit()

    def add_object(self, obj: ObjectRecord) -> None:
        """Describe an object that frames and events refer to, before or after them."""
        self._files()
        check_object(obj, self._objects)
        self._objects[obj.id] = object_row(obj)

    def add_event(self, event: Event) -> None:
        """Add an event. Events are stored in order of time, whatever order they are added in."""
        self._files()
        check_event(event)
        self._events.append(event_row(event))

    def add_frame(
        self,
        frame: FrameRecord,
        rgb: Rgb | None = None,
        depth: Depth | None = None,
        ids: Ids | None = None,
    ) -> None:
        """Add the next frame. An invalid frame raises and leaves the recording unchanged."""
        files = self._files()
        check_frame(frame, self._camera, self._count, self._last_time)
        self._check_pictures(frame.index, rgb, depth, ids)
        plain_depth = depth_to_plain(depth) if depth is not None and self._store_depth else None
        plain_ids = ids_to_plain(ids) if ids is not None and self._store_ids else None
        jpeg = encode_jpeg(rgb) if rgb is not None and self._images == "jpeg" else None
        if files.video is not None and rgb is not None:
            files.video.add(rgb, frame.time)
        files.table.add(frame, jpeg, plain_depth, plain_ids)
        self._count += 1
        self._with_depth += plain_depth is not None
        self._with_ids += plain_ids is not None
        self._last_time = frame.time
        self._seen.update(seen.object_id for seen in frame.visible)

    def _files(self) -> "_OpenFiles":
        if self._open is None:
            raise BadInput(
                "this writer is not open; use `with RecordingWriter(...) as writer:` and stay inside"
            )
        return self._open

    def _check_pictures(self, frame: int, rgb: Rgb | None, depth: Depth | None, ids: Ids | None) -> None:
        shape = (self._camera.height, self._camera.width)
        if rgb is None and self._images != "none":
            raise BadInput(f'frame {frame}: images="{self._images}" needs rgb for every frame')
        if rgb is not None:
            check_image(rgb, "rgb", (*shape, 3), np.uint8, frame)
        if depth is not None:
            check_image(depth, "depth", shape, np.float32, frame)
        if ids is not None:
            check_image(ids, "ids", shape, np.uint16, frame)

    def _finish(self, files: "_OpenFiles") -> None:
        """Validate references that are complete only at the end, and write everything except the frames."""
        if self._count == 0:
            raise BadInput(f"{self._folder}: a recording needs at least one frame, none was added")
        check_known(self._seen, self._objects, "frames")
        mentioned = (row["object_id"] for row in self._events if row["object_id"] is not None)
        check_known(mentioned, self._objects, "events")
        objects = [row for _, row in sorted(self._objects.items())]
        events = sorted(self._events, key=lambda row: row["time"])
        work = files.staged.work
        write_rows(work / OBJECTS, objects, OBJECT_SCHEMA)
        write_rows(work / EVENTS, events, EVENT_SCHEMA)
        hashes = files.close() | {OBJECTS: rows_sha256(objects), EVENTS: rows_sha256(events)}
        content = {
            "camera": _camera_json(self._camera),
            "fps": None if self._fps is None else float(self._fps),
            "images": self._images,
            "counts": {
                "frames": self._count,
                "frames_with_depth": self._with_depth,
                "frames_with_ids": self._with_ids,
                "objects": len(objects),
                "events": len(events),
            },
            "meta": json.loads(self._meta),
            "scene": json.loads(self._scene),
            "sha256": hashes,
        }
        write_metadata(work, content)


def _camera_json(camera: Camera) -> dict[str, float]:
    """Camera as JSON; equal cameras give equal JSON, whatever number types they hold."""
    sizes = {"width": int(camera.width), "height": int(camera.height)}
    return sizes | {name: float(getattr(camera, name)) for name in ("fx", "fy", "cx", "cy")}


class _OpenFiles:
    """Files of a recording that is being written."""

    def __init__(
        self, folder: pathlib.Path, camera: Camera, *, jpeg: bool, video: bool, depth: bool, ids: bool
    ) -> None:
        self.staged = StagedFolder(folder)
        self.video: VideoWriter | None = None
        try:
            schema = frame_schema(image=jpeg, depth=depth, ids=ids)
            self.table = FrameTableWriter(self.staged.work / FRAMES, schema)
            if video:
                self.video = _video(self.staged.work / VIDEO, camera)
        except BaseException:
            self.staged.discard()
            raise

    def close(self) -> dict[str, Any]:
        """Finish the frames; hashes by file name."""
        hashes = {FRAMES: self.table.close()}
        if self.video is not None:
            self.video.close()
            hashes[VIDEO] = file_sha256(self.staged.work / VIDEO)
        return hashes

    def abandon(self) -> None:
        """Close and delete the files. Errors while closing (a full disk) are ignored."""
        for close in (self.table.abandon, self.video.abandon if self.video is not None else None):
            if close is not None:
                with suppress(Exception):
                    close()
        self.staged.discard()


def _video(file: pathlib.Path, camera: Camera) -> "VideoWriter":
    from situ.recording.video import VideoWriter  # slow to import

    return VideoWriter(file, camera.width, camera.height)
