"""HoloLens-style folders: images/, depth/ (16-bit millimetres), poses.txt (camera to world), K.txt.

Row i of poses.txt belongs to the i-th image by name. The number in a name is the device's frame number, so
thinned folders keep their timing.
"""

from collections.abc import Iterator
from pathlib import Path

from situ.errors import BadFormat
from situ.geometry.axes import z_up_from
from situ.geometry.pose import Matrix
from situ.recording.formats.base import (
    NOMINAL_FPS,
    ImportReport,
    SourceFrame,
    World,
    need,
    pinhole,
    read_depth,
    read_numbers,
    read_rgb,
    times_of,
    write_recording,
)
from situ.recording.formats.time_matching import numbered


def import_hololens(
    source: Path, out: Path, up: str = "y", fps: float | None = None, depth_units_per_metre: float = 1000.0
) -> ImportReport:
    """Import a folder with world axis `up` up and numbered frames at `fps`.

    The folder has no times: without `fps` the recording marks them as unknown.
    """
    images = numbered(need(source / "images", "the pictures"))
    K = read_numbers(need(source / "K.txt", "the 3x3 intrinsics"), 3)
    poses = read_numbers(need(source / "poses.txt", "the camera poses"), 16).reshape(-1, 4, 4)
    if len(poses) != len(images):
        raise BadFormat(
            f"{source / 'poses.txt'} has {len(poses)} poses and {source / 'images'} has {len(images)} "
            "pictures; each picture needs one pose"
        )
    first = next((picture for path in images.values() if (picture := read_rgb(path)) is not None), None)
    if first is None:
        raise BadFormat(f"{source / 'images'} holds no readable picture")
    camera = pinhole(first.shape[1], first.shape[0], K)
    skipped: list[str] = []
    world = World(camera, meta={"format": "hololens", "source": source.name, **times_of(fps)})
    rate = fps or NOMINAL_FPS
    frames = _frames(source, images, z_up_from(up) @ poses, rate, depth_units_per_metre, skipped)
    return write_recording(out, world, frames, skipped)


def _frames(
    source: Path, images: dict[int, Path], poses: Matrix, fps: float, units: float, skipped: list[str]
) -> Iterator[SourceFrame]:
    for (number, path), pose in zip(images.items(), poses, strict=True):
        depth = read_depth(source / "depth" / f"{path.stem}.png", units, skipped)
        yield SourceFrame(str(path), number / fps, pose, read_rgb(path), depth)
