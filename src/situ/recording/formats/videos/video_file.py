"""Import of plain video: images and times only; the camera path is left to odometry."""

from collections.abc import Iterator
from pathlib import Path

from situ.geometry.camera import Camera
from situ.recording.formats.base import (
    ASSUMED_FOV_DEG,
    STILL,
    ImportReport,
    SourceFrame,
    World,
    write_recording,
)
from situ.recording.formats.videos.video_stream import VideoStream


def import_video(
    source: Path,
    out: Path,
    fps: float | None = None,
    width: int = 960,
    horizontal_fov_deg: float | None = None,
) -> ImportReport:
    """Import a video file at most at `fps` and `width` pixels, with the stated field of view.

    All frames get the same pose; the metadata says `"poses": "unknown"`, and `"lens": "unknown"` without a
    stated field of view.
    """
    with VideoStream(source, width, fps) as stream:
        camera = Camera.from_fov(*stream.size, horizontal_fov_deg or ASSUMED_FOV_DEG)
        meta = {"format": "video", "source": source.name, "poses": "unknown"}
        if horizontal_fov_deg is None:
            meta["lens"] = "unknown"
        return write_recording(out, World(camera, meta=meta), _frames(stream), stream.notes)


def _frames(stream: VideoStream) -> Iterator[SourceFrame]:
    for number, time, rgb in stream:
        yield SourceFrame(f"{stream.source}, frame {number}", time, STILL, rgb)
