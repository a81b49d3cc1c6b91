"""Reading of recordings: random access to frames, thread-safe."""

import os
import pathlib
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import pyarrow.parquet as pq

from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.recording.codec import (
    Depth,
    Ids,
    Rgb,
    decode_jpeg,
    depth_from_plain,
    encode_jpeg,
    ids_from_plain,
)
from situ.recording.frame_table import FrameTable, LightColumns, Picture
from situ.recording.layout import (
    EVENTS,
    FRAMES,
    METADATA,
    OBJECTS,
    VIDEO,
    content_sha256,
    file_sha256,
    metadata_sha256,
    read_metadata,
    reading,
)
from situ.recording.records import JSON, Event, FrameRecord, ObjectRecord
from situ.recording.remote import fetch_recording
from situ.recording.tables import event_from_row, event_row, object_from_row, object_row, rows_sha256
from situ.registry import Registry
from situ.stores import Store, url_of
from situ.worlds.scene import Scene, scene_from_json

if TYPE_CHECKING:
    from situ.recording.video import VideoReader

# Subclasses that render images on demand, by `meta["pictures"]`.
DRAWN: Registry["type[Recording]"] = Registry("drawn recording", ("situ.benchmarks.drawn_recording",))


class Recording:
    """An egocentric sequence on disk. Open one with `Recording.open(folder)`.

    Opening reads the metadata; everything else is read on access. The tables are plain Parquet, for instance
    for Hugging Face `datasets`, where the frames become an image column:

        datasets.load_dataset("parquet", data_files=f"{folder}/frames.parquet", split="train")
    """

    def __init__(self, folder: pathlib.Path, metadata: Mapping[str, Any]) -> None:
        self.folder = folder
        self._metadata = metadata
        content = metadata["content"]
        with reading(folder / METADATA):
            self.camera = Camera(**content["camera"])
            self.meta: Mapping[str, JSON] = MappingProxyType(content["meta"])
            counts = content["counts"]
            self._count, self._fps = int(counts["frames"]), content["fps"]
            self.has_images = content["images"] != "none"
            self.has_depth, self.has_ids = counts["frames_with_depth"] > 0, counts["frames_with_ids"] > 0
            self.image_format: str = content["images"]  # "jpeg", "video" or "none"
            self._is_video = self.image_format == "video"

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Self:
        """Open a recording. Raises BadFormat for newer formats and for missing or truncated files.

        `folder` may be a URL (s3://, hf://, https://); the recording is then copied for as long as it is
        used. Recordings that store no images but a world render them on access.

        >>> import situ, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     day = situ.make("ucs", folder + "/ucs", scale=0.001, seed=2, hours=0.02, questions=4)
        ...     situ.Recording.open(day.recording(day.items[0]).folder).image(0).shape
        (240, 320, 3)
        """
        if url := url_of(folder):
            copy = tempfile.TemporaryDirectory(prefix="situ-recording-")
            fetch_recording(Store(url), "", pathlib.Path(copy.name))
            recording = cls.open(copy.name)
            weakref.finalize(recording, copy.cleanup)
            return recording
        path = pathlib.Path(folder)
        metadata = read_metadata(path)
        if cls is Recording:
            with reading(path / METADATA):
                pictures = metadata["content"]["meta"].get("pictures")
                drawn = None if pictures is None else DRAWN.get(str(pictures))
            if drawn is not None:
                return drawn.open(path)  # type: ignore[return-value]  # a Recording all the same
        return cls(path, metadata)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[pathlib.Path]]:
        return type(self).open, (self.folder,)

    def __repr__(self) -> str:
        return f"<Recording {self.folder}: {len(self)} frames, {len(self.objects)} objects>"

    def _repr_html_(self) -> str:
        """Notebook view: four frames and the path from above."""
        from situ.display import card, map_from_above, note, picture

        chosen = sorted({round(part * (len(self) - 1) / 3) for part in range(4)}) if len(self) else []
        shown = [picture(self.jpeg(i), f"frame {i}") for i in chosen] if self.has_images else []
        facts = f"{len(self)} frames, {len(self.objects)} objects, {self.camera.width} x {self.camera.height}"
        known = len(self) and self.meta.get("poses") != "unknown"
        places = [((o.box.center[0], o.box.center[1]), o.category) for o in self.objects.values()]
        way = [(h.x, h.y) for h in self.path.headings] if known else []
        return card(str(self.folder), note(facts), *shown, map_from_above(way, places) if known else "")

    def __len__(self) -> int:
        return self._count

    @property
    def fps(self) -> float | None:
        """Nominal frame rate if it was stated, else the mean rate; None for a single frame."""
        if self._fps is not None:
            return float(self._fps)
        times = self.path.times
        return float((len(times) - 1) / (times[-1] - times[0])) if len(times) > 1 else None

    @cached_property
    def frames(self) -> tuple[FrameRecord, ...]:
        """All frames without their images."""
        with reading(self.folder / FRAMES):
            return self._light.records()

    @cached_property
    def path(self) -> Path:
        """The camera path."""
        return Path(self._light.times, self._light.poses)

    @cached_property
    def objects(self) -> Mapping[int, ObjectRecord]:
        """Objects of the recorded world by id, as they were at the start."""
        return MappingProxyType({obj.id: obj for obj in self._read(OBJECTS, object_from_row)})

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All events, in order of time."""
        return tuple(self._read(EVENTS, event_from_row))

    @cached_property
    def scene(self) -> Scene | None:
        """The world that the recording was rendered from, or None."""
        data = self._metadata["content"]["scene"]
        with reading(self.folder / METADATA, "scene"):
            return None if data is None else scene_from_json(data)

    def image(self, index: int) -> Rgb:
        """One frame as RGB, uint8 (height, width, 3)."""
        if self._is_video:
            self._check_index(index)
            return self._video.frame(index)
        with reading(self.folder / FRAMES, f"frame {index}"):
            return decode_jpeg(self._picture(index, "image"))

    def images(self, indices: Sequence[int] | None = None) -> Iterator[Rgb]:
        """Frames as RGB in the given order (default: all); neighbours are read without seeking."""
        wanted = range(len(self)) if indices is None else indices
        for index in wanted:
            self._check_index(index)
        if self._is_video:
            yield from self._video_images(wanted)
            return
        for index, jpeg in zip(wanted, self._table.pictures(wanted, "image"), strict=True):
            with reading(self.folder / FRAMES, f"frame {index}"):
                yield decode_jpeg(self._stored(jpeg, index, "image"))

    def jpeg(self, index: int) -> bytes:
        """One frame as JPEG: the stored bytes, or a decoded video frame at quality 95, 4:4:4."""
        return encode_jpeg(self.image(index)) if self._is_video else self._picture(index, "image")

    def depth(self, index: int) -> Depth:
        """Depth along the optical axis in metres, float32 (height, width), accurate to half a millimetre."""
        with reading(self.folder / FRAMES, f"frame {index}"):
            return depth_from_plain(self._picture(index, "depth"), self.camera.height, self.camera.width)

    def ids(self, index: int) -> Ids:
        """Object id of each pixel, uint16 (height, width); 0 is the background."""
        with reading(self.folder / FRAMES, f"frame {index}"):
            return ids_from_plain(self._picture(index, "ids"), self.camera.height, self.camera.width)

    def content_hash(self) -> str:
        """SHA-256 (hex) of the content. Equal content has equal hashes.

        It is computed from the stored hashes; `verify()` checks the files against them.
        """
        return content_sha256(self._metadata["content"])

    def verify(self) -> None:
        """Read all files and compare them with their hashes; BadFormat names a file that differs."""
        self._compare(METADATA, metadata_sha256(self._metadata), self._metadata["sha256"])
        self._compare(METADATA, self.content_hash(), self._metadata["content_sha256"])
        for name, about in self._metadata["files"].items():
            with reading(self.folder / name):
                self._compare(name, file_sha256(self.folder / name), about["sha256"])
        said = self._metadata["content"]["sha256"]
        self._compare(OBJECTS, rows_sha256(map(object_row, self.objects.values())), said[OBJECTS])
        self._compare(EVENTS, rows_sha256(map(event_row, self.events)), said[EVENTS])
        self._compare(FRAMES, self._table.sha256(), said[FRAMES])

    def _compare(self, name: str, found: str, expected: str) -> None:
        if found != expected:
            raise BadFormat(
                f"{self.folder / name} was changed after it was written (its hash differs). "
                "Copy or make the recording again"
            )

    @cached_property
    def _table(self) -> FrameTable:
        table = FrameTable(self.folder / FRAMES)
        if len(table) != self._count:
            raise BadFormat(f"{self.folder / FRAMES} has {len(table)} frames, {METADATA} says {self._count}")
        return table

    @cached_property
    def _light(self) -> LightColumns:
        return self._table.light()

    @cached_property
    def _video(self) -> "VideoReader":
        from situ.recording.video import VideoReader, ticks  # slow to import

        times = self._light.times.tolist()
        return VideoReader(self.folder / VIDEO, self.camera.width, self.camera.height, ticks(times, times[0]))

    def _video_images(self, wanted: Sequence[int]) -> Iterator[Rgb]:
        start = 0
        while start < len(wanted):
            stop = start + 1
            while stop < len(wanted) and wanted[stop] == wanted[stop - 1] + 1:
                stop += 1
            yield from self._video.frames(wanted[start], wanted[stop - 1] + 1)
            start = stop

    def _picture(self, index: int, which: Picture) -> bytes:
        self._check_index(index)
        return self._stored(self._table.picture(index, which), index, which)

    def _stored(self, picture: bytes | None, index: int, which: Picture) -> bytes:
        if picture is None:
            raise BadInput(f"{self.folder}: frame {index} was recorded without {which}")
        return picture

    def _check_index(self, index: int) -> None:
        if not 0 <= index < len(self):
            raise BadInput(f"{self.folder}: there is no frame {index}; frames go from 0 to {len(self) - 1}")

    def _read(self, name: str, from_row: Callable[[Mapping[str, Any]], Any]) -> list[Any]:
        with reading(self.folder / name):
            rows = pq.ParquetFile(self.folder / name, page_checksum_verification=True).read().to_pylist()
            return [from_row(row) for row in rows]
