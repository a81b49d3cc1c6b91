"""Small films whose every frame tells its own number, in the ways that cameras and programs store them."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.recording import FrameRecord, RecordingWriter

WIDTH, HEIGHT, BITS = 192, 96, 12
Rgb = NDArray[np.uint8]


def picture(number: int) -> Rgb:
    """The frame's number as twelve black or white fields, large enough to survive any encoder."""
    fields = np.array([(number >> bit) & 1 for bit in range(BITS)], np.uint8).reshape(2, BITS // 2) * 200 + 25
    grey = np.kron(fields, np.ones((HEIGHT // 2, WIDTH // (BITS // 2)), np.uint8))
    return np.repeat(grey[:, :, None], 3, axis=2)


def number_in(jpeg: bytes) -> int:
    """Which frame a picture shows."""
    grey = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    small = cv2.resize(grey, (BITS // 2, 2), interpolation=cv2.INTER_AREA).ravel()
    return int(sum(1 << bit for bit in range(BITS) if small[bit] > 125))


def film(
    file: Path,
    count: int,
    ticks: Sequence[int] | None = None,
    keyint: int = 250,
    bframes: int = 3,
    extra: str = "",
) -> Path:
    """H.264 as programs write it: B-frames and long groups, or all-intra; `ticks` are times in 1/1000 s."""
    with av.open(str(file), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        base = Fraction(1, 1000) if ticks is not None else Fraction(1, 30)
        stream.time_base = stream.codec_context.time_base = base
        stream.options = {
            "x264-params": f"keyint={keyint}:min-keyint={min(keyint, 10)}:bframes={bframes}:scenecut=0{extra}"
        }
        for number in range(count):
            frame = av.VideoFrame.from_ndarray(picture(number), format="rgb24")
            frame.pts, frame.time_base = number if ticks is None else ticks[number], base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file


def uneven(count: int, seed: int = 1) -> list[int]:
    """Times in milliseconds of a camera whose rate varies."""
    return np.cumsum(np.random.default_rng(seed).integers(8, 120, count)).tolist()


def recording(folder: Path, count: int, images: str = "jpeg") -> Path:
    with RecordingWriter(folder, Camera.from_fov(WIDTH, HEIGHT, 70), images=images) as writer:  # type: ignore[arg-type]
        for number, time in enumerate(uneven(count, 3)):
            pose = camera_pose((0.0, 0.0, 1.6), 0.0)
            writer.add_frame(FrameRecord(number, time / 1000, pose), rgb=picture(number))
    return folder
