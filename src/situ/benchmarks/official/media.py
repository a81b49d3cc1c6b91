"""What an item of a published set is made of: a video, pictures, a recording, or words alone."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.official.files import MediaFile
from situ.benchmarks.official.records import StoredFile, StoredPictures
from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.recording import FrameRecord, RecordingWriter
from situ.recording.codec import Rgb
from situ.recording.formats.base import ASSUMED_FOV_DEG, STILL
from situ.recording.formats.videos.video_stream import VideoStream
from situ.recording.staging import StagedFolder

MOST_PIXELS = 100_000_000  # of one picture


@dataclass(frozen=True)
class Video:
    file: MediaFile | StoredFile

    @property
    def about(self) -> str:
        return self.file.name


@dataclass(frozen=True)
class Pictures:
    """Pictures one second apart; with `actions` and `poses` where the data set tells them."""

    files: tuple[MediaFile, ...] = ()
    stored: StoredPictures | None = None
    actions: tuple[str, ...] = ()
    poses: tuple[Matrix, ...] = ()
    fov_deg: float = ASSUMED_FOV_DEG

    @property
    def about(self) -> str:
        return self.files[0].name if self.files else "pictures stored with the questions"


@dataclass(frozen=True)
class Stored:
    """A recording that was imported before."""

    folder: Path

    @property
    def about(self) -> str:
        return self.folder.name


Media = Video | Pictures | Stored


class Frame(NamedTuple):
    time: float
    rgb: Rgb
    pose: Matrix = STILL
    action: str = ""


def write_item(
    folder: Path, media: Media | None, meta: Mapping[str, Any], fps: float | None, width: int | None
) -> None:
    """Write an item as a recording; it appears whole or not at all."""
    about = {**meta, "source": media.about if media else "", "poses": _poses(media)}
    if media is None:
        with RecordingWriter(
            folder, Camera.from_fov(640, 480, ASSUMED_FOV_DEG), images="none", meta=about
        ) as words:
            words.add_frame(FrameRecord(0, 0.0, STILL))
    elif isinstance(media, Stored):
        _copy(media.folder, folder)
    elif isinstance(media, Video):
        with media.file.on_disk() as path, VideoStream(path, width, fps) as stream:
            filmed = (Frame(time, rgb) for _, time, rgb in stream)
            _write(folder, Camera.from_fov(*stream.size, ASSUMED_FOV_DEG), about, filmed)
    else:
        size, frames = _pictures(media, width)
        _write(folder, Camera.from_fov(*size, media.fov_deg), about, frames)


def seconds_of(media: Media | None) -> float | None:
    """How long a video lasts, as its file says; None where that is not known."""
    if not isinstance(media, Video):
        return None
    with media.file.on_disk() as path:
        try:
            with av.open(str(path)) as container:
                stream = container.streams.video[0]
                if stream.duration:
                    return float(stream.duration * stream.time_base)
                return None if container.duration is None else container.duration / 1e6
        except (av.FFmpegError, OSError, IndexError) as error:
            raise BadFormat(f"{media.about} cannot be decoded ({error})") from error


def _poses(media: Media | None) -> str:
    return "from the actions" if isinstance(media, Pictures) and media.poses else "unknown"


def _write(folder: Path, camera: Camera, meta: Mapping[str, Any], frames: Iterator[Frame]) -> None:
    with RecordingWriter(folder, camera, images="jpeg", meta=dict(meta)) as writer:
        for index, frame in enumerate(frames):
            record = FrameRecord(index, frame.time, frame.pose, frame.action)
            writer.add_frame(record, rgb=frame.rgb)


def _copy(source: Path, folder: Path) -> None:
    staged = StagedFolder(folder)
    try:
        shutil.copytree(source, staged.work, dirs_exist_ok=True)
    except BaseException:
        staged.discard()
        raise
    staged.commit()


def _pictures(media: Pictures, width: int | None) -> tuple[tuple[int, int], Iterator[Frame]]:
    """The size that all pictures fit, and the frames; smaller pictures get black borders."""
    sizes = [picture.shape[1::-1] for picture in _decoded(media)]
    if not sizes:
        raise BadFormat(f"{media.about}: there is no picture")
    widest, highest = (max(size[i] for size in sizes) for i in (0, 1))
    scale = min(1.0, width / widest) if width else 1.0
    size = (max(2, round(widest * scale)), max(2, round(highest * scale)))

    def frames() -> Iterator[Frame]:
        for index, picture in enumerate(_decoded(media)):
            pose = media.poses[index] if media.poses else STILL
            action = media.actions[index] if media.actions else ""
            yield Frame(float(index), _fitted(picture, size, scale), pose, action)

    return size, frames()


def _fitted(picture: Rgb, size: tuple[int, int], scale: float) -> Rgb:
    if scale < 1.0:
        shape = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
        picture = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA)
    if picture.shape[1::-1] == size:
        return np.ascontiguousarray(picture)
    canvas = np.zeros((size[1], size[0], 3), np.uint8)
    height, width = (min(a, b) for a, b in zip(picture.shape[:2], canvas.shape[:2], strict=True))
    top, left = (size[1] - height) // 2, (size[0] - width) // 2
    canvas[top : top + height, left : left + width] = picture[:height, :width]
    return canvas


def _decoded(media: Pictures) -> Iterator[Rgb]:
    for file in media.files:
        with file.on_disk() as path:
            yield decode(path.read_bytes(), file.name)
    for name, content in media.stored.read() if media.stored else ():
        if content is None:
            raise BadInput(f"the picture '{name}' is named but not stored; give --media the pictures' folder")
        yield decode(content, name or "picture")


def decode(content: bytes, name: str) -> Rgb:
    """A picture as RGB; one that says it is enormous is refused before it is unpacked."""
    width, height = _stated_size(content)
    if width * height > MOST_PIXELS:
        raise BadFormat(f"{name} says it is {width} x {height} pixels; it is not unpacked")
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise BadFormat(f"{name} is no readable picture")
    rgb: NDArray[np.uint8] = np.ascontiguousarray(picture[:, :, ::-1])
    return rgb


def _stated_size(content: bytes) -> tuple[int, int]:
    """Width and height as a PNG or JPEG header states them; 0 for other formats."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) >= 24:
        return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")
    place = 2 if content[:2] == b"\xff\xd8" else len(content)
    while place + 9 < len(content) and content[place] == 0xFF:
        marker, length = content[place + 1], int.from_bytes(content[place + 2 : place + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = content[place + 5 : place + 7], content[place + 7 : place + 9]
            return int.from_bytes(width, "big"), int.from_bytes(height, "big")
        place += 2 + length
    return 0, 0


def picture_names(value: object) -> Sequence[str]:
    """Names of pictures in a field: one, a list, or a list written as text."""
    if isinstance(value, str):
        text = value.strip()
        inner = text[1:-1].split(",") if text.startswith("[") and text.endswith("]") else [text]
        return [name.strip(" '\"") for name in inner if name.strip(" '\"")]
    if isinstance(value, (list, tuple)):
        return [str(name["path"] if isinstance(name, Mapping) else name) for name in value]
    return []
