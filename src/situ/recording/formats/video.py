"""Plain video: pictures and times, nothing else. Where the camera was is left for odometry to find."""

from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np

from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.recording.formats.base import ImportReport, SourceFrame, World, need, write_recording

EYE_HEIGHT_M = 1.6


def import_video(
    source: Path, out: Path, fps: float | None = None, width: int = 960, horizontal_fov_deg: float = 70.0
) -> ImportReport:
    """Import a video file at most at `fps`, scaled to `width`. The field of view is what you say it is.

    All frames get one and the same pose; the recording's meta says `"poses": "unknown"`.
    """
    need(source, "the video file")
    if fps is not None and fps <= 0:
        raise BadInput(f"fps must be greater than 0, got {fps}")
    skipped: list[str] = []
    try:
        with av.open(str(source)) as container:
            if not container.streams.video:
                raise BadFormat(f"{source} holds no video stream")
            stream = container.streams.video[0]
            height = round(width * stream.height / stream.width / 2) * 2
            camera = Camera.from_fov(width, height, horizontal_fov_deg)
            meta = {"format": "video", "source": source.name, "poses": "unknown"}
            frames = _frames(source, container, (width, height), fps)
            return write_recording(out, World(camera, meta=meta), frames, skipped)
    except av.FFmpegError as error:
        raise BadFormat(f"{source} cannot be decoded ({error}); it is cut short or not a video") from error


def _frames(
    source: Path, container: "av.container.InputContainer", size: tuple[int, int], fps: float | None
) -> Iterator[SourceFrame]:
    still = camera_pose((0.0, 0.0, EYE_HEIGHT_M), 0.0)
    due = -np.inf
    start: float | None = None
    for number, frame in enumerate(container.decode(video=0)):
        if frame.time is None:
            continue
        start = frame.time if start is None else start
        time = float(frame.time - start)
        if time < due - 1e-6:
            continue
        due = time + 1 / fps if fps else -np.inf
        picture = cv2.resize(frame.to_ndarray(format="rgb24"), size, interpolation=cv2.INTER_AREA)
        yield SourceFrame(f"{source}, frame {number}", time, still, np.ascontiguousarray(picture))
