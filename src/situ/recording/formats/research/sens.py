"""ScanNet's `.sens` files with colour, depth, poses and intrinsics of a scan.

Little-endian. The header holds the sensor name, four matrices, compression types, image sizes and depth units
per metre. Each frame holds a pose, two times in microseconds, and both images. The recording is of the depth
camera, as with ScanNet's exports; lost frames have a non-finite pose.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np

from situ.errors import BadFormat
from situ.geometry.pose import Matrix
from situ.recording.codec import Depth, Rgb
from situ.recording.formats.base import (
    NOMINAL_FPS,
    ImportReport,
    SourceFrame,
    World,
    pinhole,
    write_recording,
)
from situ.recording.formats.research.scannet import as_depth_sees

VERSION = 4  # of the file format
JPEG_OR_PNG, ZLIB_DEPTH, RAW_DEPTH = (1, 2), 1, 0
MAX_IMAGE_BYTES = 1 << 28  # of one compressed image; a larger length means damage
MAX_SIDE = 1 << 14  # pixels
MAX_NAME = 1 << 12  # bytes


@dataclass(frozen=True, eq=False)
class Head:
    K_color: Matrix
    K_depth: Matrix
    color_packing: int
    depth_packing: int
    size: tuple[int, int]  # of the depth maps
    units_per_metre: float
    frames: int


def import_sens(source: Path, out: Path) -> ImportReport:
    """Import a `.sens` file. Times that do not increase are treated as unknown."""
    with source.open("rb") as file:
        head = _head(file, source)
        timed = _goes_forward(file, head, source)
        wide, high = head.size
        conventions = (
            "axes: camera OpenCV, world z up",
            f"units: metres, depth in 1/{head.units_per_metre:g} m",
            "clock: microseconds of the colour camera"
            if timed
            else "clock: none; 30 frames a second assumed",
        )
        meta = {"format": "sens", "source": source.name, "conventions": list(conventions)}
        world = World(pinhole(wide, high, head.K_depth), meta=meta if timed else meta | {"times": "unknown"})
        return write_recording(out, world, _frames(file, head, source, timed), [])


def _frames(file: BinaryIO, head: Head, source: Path, timed: bool) -> Iterator[SourceFrame]:
    start = None
    turn = head.K_depth @ np.linalg.inv(head.K_color)
    camera = pinhole(*head.size, head.K_depth)
    for number in range(head.frames):
        pose, stamp, color, depth = _frame(file, number, source)
        start = stamp if start is None else start
        rgb = _color(color)
        yield SourceFrame(
            f"{source.name}, frame {number}",
            (stamp - start) * 1e-6 if timed else number / NOMINAL_FPS,
            pose,
            None if rgb is None else as_depth_sees(rgb, turn, camera),
            _depth(depth, head),
        )


def _head(file: BinaryIO, source: Path) -> Head:
    (version,) = _unpack(file, "<I", source)
    (length,) = _unpack(file, "<Q", source)
    if version != VERSION or length > MAX_NAME:
        raise BadFormat(f"{source} is no .sens file of version {VERSION}")
    _bytes(file, length, source)
    K_color, _, K_depth, _ = (np.array(_unpack(file, "<16f", source)).reshape(4, 4) for _ in range(4))
    color_packing, depth_packing = _unpack(file, "<2i", source)
    *_, wide, high = _unpack(file, "<4I", source)
    (units,) = _unpack(file, "<f", source)
    (frames,) = _unpack(file, "<Q", source)
    if color_packing not in JPEG_OR_PNG or depth_packing not in (RAW_DEPTH, ZLIB_DEPTH):
        raise BadFormat(
            f"{source}: colour packed as {color_packing} and depth as {depth_packing} are not read"
        )
    if not (0 < wide <= MAX_SIDE and 0 < high <= MAX_SIDE and units > 0):
        raise BadFormat(f"{source}: depth maps of {wide}x{high} at {units} units a metre make no sense")
    return Head(K_color[:3, :3], K_depth[:3, :3], color_packing, depth_packing, (wide, high), units, frames)


def _frame(file: BinaryIO, number: int, source: Path) -> tuple[Matrix, int, bytes, bytes]:
    pose = np.array(_unpack(file, "<16f", source, number)).reshape(4, 4)
    stamp, _, color, depth = _unpack(file, "<4Q", source, number)
    return pose, stamp, _bytes(file, color, source, number), _bytes(file, depth, source, number)


def _goes_forward(file: BinaryIO, head: Head, source: Path) -> bool:
    """Whether the second frame is later than the first; the file position is restored."""
    start = file.tell()
    times = [_frame(file, number, source)[1] for number in range(min(2, head.frames))]
    file.seek(start)
    return len(times) == 2 and times[1] > times[0]


def _color(packed: bytes) -> Rgb | None:
    found = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR_RGB) if packed else None
    return None if found is None else np.asarray(found, np.uint8)


def _depth(packed: bytes, head: Head) -> Depth | None:
    wide, high = head.size
    try:
        # Bounded by the size of a depth map, whatever the data claims.
        raw = zlib.decompressobj().decompress(packed, 2 * wide * high) if head.depth_packing else packed
    except zlib.error:
        return None
    if len(raw) != 2 * wide * high:
        return None
    values = np.frombuffer(raw, np.dtype("<u2")).reshape(high, wide).astype(np.float32)
    return np.asarray(values / np.float32(head.units_per_metre), np.float32)


def _unpack(file: BinaryIO, form: str, source: Path, number: int | None = None) -> tuple[Any, ...]:
    return struct.unpack(form, _bytes(file, struct.calcsize(form), source, number))


def _bytes(file: BinaryIO, count: int, source: Path, number: int | None = None) -> bytes:
    found = file.read(count) if count <= MAX_IMAGE_BYTES else b""
    if len(found) != count:
        where = "its head" if number is None else f"frame {number}"
        raise BadFormat(f"{source} is cut short or damaged in {where}")
    return found
