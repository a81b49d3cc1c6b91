"""Phone captures with depth: Stray Scanner, Record3D, Polycam. Worlds are ARKit's, y up."""

import ctypes
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from situ.errors import BadFormat, BadInput, MissingExtra
from situ.geometry.axes import T_OPENGL_OPENCV, z_up_from
from situ.geometry.pose import Matrix, pose_from_quat_wxyz
from situ.recording.codec import Depth
from situ.recording.formats.base import (
    ImportReport,
    SourceFrame,
    need,
    pinhole,
    write_recording,
)
from situ.recording.formats.posed import (
    Lens,
    Posed,
    Source,
    depth_error,
    import_posed,
    posed_frame,
    read_posed_depth,
    world_of,
)
from situ.recording.formats.videos.video_stream import VideoStream
from situ.text_files import read_table

CLEARLY = 2.0  # times that one reading of the axes must fit better than the other
_MAX_MEMBER_BYTES = 1 << 28  # of a file in an archive


def import_stray(source: Path, out: Path) -> ImportReport:
    """Import Stray Scanner: rgb.mp4, odometry.csv, camera_matrix.csv, depth/ and confidence/.

    The format does not specify camera axes, so the depth maps decide if possible.
    """
    rows = _odometry(need(source / "odometry.csv", "the poses"))
    K = np.loadtxt(need(source / "camera_matrix.csv", "the intrinsics"), delimiter=",", ndmin=2)
    if K.shape != (3, 3):
        raise BadFormat(f"{source / 'camera_matrix.csv'} must hold a 3x3 matrix, it holds {K.shape}")
    with VideoStream(need(source / "rgb.mp4", "the video")) as stream:
        camera = pinhole(*stream.native_size, K)
        plain = [
            Posed(
                time,
                pose,
                source / f"rgb.mp4, frame {number}",
                _there(source / "depth" / f"{number:06d}.png"),
                _there(source / "confidence" / f"{number:06d}.png"),
            )
            for time, number, pose in rows
        ]
        flip, why = axes_by_depth(plain, Source("stray", camera, ()))
        about = Source(
            "stray",
            camera,
            (
                f"axes: camera {why}, world y up",
                "units: metres, depth in millimetres",
                "clock: the capture's, s",
            ),
        )
        lens, skipped, up = Lens(about), list[str](), z_up_from("y")
        known = {number: one for (_, number, _), one in zip(rows, plain, strict=True)}
        frames = (
            posed_frame(
                replace(one, T_world_camera=up @ one.T_world_camera @ flip), about, lens, frame.rgb, skipped
            )
            for frame in stream
            if (one := known.get(frame.number)) is not None
        )
        return write_recording(out, world_of(source.name, about, lens), frames, skipped)


def _there(path: Path) -> Path | None:
    return path if path.is_file() else None


def _odometry(path: Path) -> list[tuple[float, int, Matrix]]:
    wanted = ("timestamp", "frame", "x", "y", "z", "qx", "qy", "qz", "qw")
    rows = [{(k or "").strip(): v for k, v in row.items()} for row in read_table(path)]
    missing = set(wanted) - set(rows[0] if rows else ())
    if missing:
        raise BadFormat(
            f"{path} must have the columns {', '.join(wanted)}; it lacks {', '.join(sorted(missing))}"
        )
    try:
        poses = [{name: float(row[name]) for name in wanted} for row in rows]
    except (TypeError, ValueError) as error:
        raise BadFormat(f"{path} holds something that is no number ({error})") from error
    return [
        (
            pose["timestamp"],
            int(pose["frame"]),
            pose_from_quat_wxyz([pose[q] for q in ("qw", "qx", "qy", "qz")], [pose[axis] for axis in "xyz"]),
        )
        for pose in poses
    ]


def axes_by_depth(posed: list[Posed], source: Source) -> tuple[Matrix, str]:
    """Camera axes for which depth maps of different frames agree; OpenCV's if undecided."""
    with_depth = [one for one in posed if one.depth is not None]
    some = with_depth[:: max(1, len(with_depth) // 8)][:9]
    lens = Lens(source, widest=256)
    depths: list[Depth] = []
    poses: list[Matrix] = []
    for one in some:
        found = read_posed_depth(one, source, [])
        if found is not None:
            depths.append(lens.depth(found))
            poses.append(one.T_world_camera)
    fits = {
        name: depth_error(lens.camera, depths, [pose @ flip for pose in poses])
        for name, flip in (("OpenCV", np.eye(4)), ("OpenGL", T_OPENGL_OPENCV))
    }
    if fits["OpenGL"] * CLEARLY < fits["OpenCV"]:
        return T_OPENGL_OPENCV, "OpenGL (the depth maps say so)"
    stated = "the depth maps say so" if fits["OpenCV"] * CLEARLY < fits["OpenGL"] else "assumed"
    return np.eye(4), f"OpenCV ({stated})"


def import_polycam(source: Path, out: Path) -> ImportReport:
    """Import Polycam's raw export: keyframes/, with one JSON per camera, corrected ones if present."""
    folder = source / "keyframes"
    corrected = (folder / "corrected_cameras").is_dir()
    cameras = need(folder / ("corrected_cameras" if corrected else "cameras"), "the cameras")
    pictures = folder / ("corrected_images" if corrected else "images")
    up, posed, first = z_up_from("y"), list[Posed](), None
    for path in sorted(cameras.glob("*.json"), key=lambda p: int("".join(filter(str.isdigit, p.stem)) or 0)):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            pose = np.array(
                [[float(data[f"t_{r}{c}"]) for c in range(4)] for r in range(3)] + [[0, 0, 0, 1.0]]
            )
            K = np.array([[data["fx"], 0, data["cx"]], [0, data["fy"], data["cy"]], [0, 0, 1.0]], float)
            size, time = (int(data["width"]), int(data["height"])), int(path.stem) * 1e-6
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadFormat(f"{path} is no camera of Polycam ({type(error).__name__}: {error})") from error
        first = first or pinhole(*size, K)
        posed.append(
            Posed(
                time,
                up @ pose @ T_OPENGL_OPENCV,
                pictures / f"{path.stem}.jpg",
                _there(folder / "depth" / f"{path.stem}.png"),
                _there(folder / "confidence" / f"{path.stem}.png"),
            )
        )
    if first is None:
        raise BadInput(f"{cameras} holds no camera")
    about = Source(
        "polycam",
        first,
        (
            "axes: camera OpenGL, world y up",
            "units: metres, depth in millimetres",
            "clock: file names, microseconds",
        ),
    )
    return import_posed(out, source.name, about, posed)


def import_record3d(source: Path, out: Path) -> ImportReport:
    """Import Record3D: a zip with `metadata`, rgbd/N.jpg and rgbd/N.depth (LZFSE, float32 metres)."""
    try:
        with zipfile.ZipFile(source) as archive:
            return _record3d(archive, source, out)
    except (OSError, zipfile.BadZipFile) as error:
        raise BadFormat(f"{source} cannot be read as a zip ({error})") from error


def _record3d(archive: zipfile.ZipFile, source: Path, out: Path) -> ImportReport:
    try:
        data = json.loads(_member(archive, "metadata"))
        K = np.array(data["K"], float).reshape(3, 3).T  # stored column-major
        poses = [pose_from_quat_wxyz([p[3], *p[:3]], p[4:7]) for p in data["poses"]]
        size, fps = (int(data["w"]), int(data["h"])), float(data["fps"])
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise BadFormat(
            f"{source}: metadata is not as Record3D writes it ({type(error).__name__}: {error})"
        ) from error
    if len(poses) > 1 and all(np.allclose(pose, poses[0]) for pose in poses):
        raise BadFormat(f"{source}: all poses are the same; the capture was made without tracking")
    conventions = ("axes: camera OpenGL, world y up", "units: metres", f"clock: {fps:g} frames a second")
    about = Source("record3d", pinhole(*size, K), conventions)
    lens, skipped, up = Lens(about), list[str](), z_up_from("y")
    names = set(archive.namelist())

    def frames() -> Any:
        for number, pose in enumerate(poses):
            name = f"rgbd/{number}.jpg"
            raw = _member(archive, name) if name in names else b""
            rgb = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR) if raw else None
            depth = _lzfse_depth(archive, f"rgbd/{number}.depth", data, names)
            yield SourceFrame(
                f"{source.name}, {name}",
                number / fps,
                up @ pose @ T_OPENGL_OPENCV,
                None if rgb is None else lens.picture(np.ascontiguousarray(rgb[..., ::-1])),
                None if depth is None else lens.depth(depth),
            )

    return write_recording(out, world_of(source.name, about, lens), frames(), skipped)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A file of an archive, with a limit on its size."""
    size = archive.getinfo(name).file_size
    if size > _MAX_MEMBER_BYTES:
        raise BadFormat(f"{name} grows to {size} bytes, which no picture or table does; it is not unpacked")
    return archive.read(name)


def _lzfse_depth(archive: zipfile.ZipFile, name: str, data: dict[str, Any], names: set[str]) -> Depth | None:
    if name not in names:
        return None
    try:
        wide, high = int(data.get("dw", 192)), int(data.get("dh", 256))
    except (TypeError, ValueError) as error:
        raise BadFormat(f"metadata: dw and dh must be the size of depth, {error}") from error
    size = wide * high * np.dtype(np.float32).itemsize
    if wide <= 0 or high <= 0 or size > _MAX_MEMBER_BYTES:
        raise BadFormat(f"metadata: depth of {wide}x{high} is none that a phone takes")
    values = np.frombuffer(unpacked(name, _member(archive, name), size, "depth of Record3D"), np.float32)
    return np.nan_to_num(values.reshape(high, wide)).astype(np.float32)


Decode = Callable[[ctypes.Array[ctypes.c_char], int, bytes, int, None], int]


def unpacked(name: str, packed: bytes, size: int, feature: str) -> bytes:
    """Decompress LZFSE data to exactly `size` bytes; anything else raises BadFormat.

    `pyliblzfse` does not limit its output, so the decoder inside it is called with a limit. `name` and
    `feature` are for error messages.
    """
    room = ctypes.create_string_buffer(size + 1)  # one more byte, to detect excess
    found = _decoder(feature)(room, size + 1, packed, len(packed), None)
    if found != size:
        more = f"more than {size}" if found > size else f"{found}"
        raise BadFormat(f"{name} unpacks to {more} bytes, {size} are expected; the file is damaged")
    return room.raw[:size]


def _decoder(feature: str) -> Decode:
    try:
        import liblzfse
    except ImportError as error:
        raise MissingExtra("phones", feature) from error
    decode: Decode | None = getattr(ctypes.CDLL(liblzfse.__file__), "lzfse_decode_buffer", None)
    if decode is None:
        raise BadFormat(
            f"{feature} cannot be unpacked safely: {liblzfse.__file__} does not offer the decoder; build "
            f"pyliblzfse from source (pip install --no-binary :all: pyliblzfse)"
        )
    decode.restype = ctypes.c_size_t  # type: ignore[attr-defined]
    decode.argtypes = [  # type: ignore[attr-defined]
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p,
    ]  # fmt: skip
    return decode
