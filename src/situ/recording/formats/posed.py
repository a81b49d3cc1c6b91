"""Shared parts of importers of posed images: undistorted frames of one size, with poses and depth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, transform
from situ.recording.codec import Depth, Rgb
from situ.recording.formats.base import (
    ImportReport,
    SourceFrame,
    World,
    read_raw,
    read_rgb,
    write_recording,
)

MAX_WIDTH = 960  # pixels; larger images are scaled down
_MAX_LENSES = 8  # cached undistortion maps, each 100 MB for phone images
SPACING_S = 1.0  # between images without times, which may be far apart


@dataclass(frozen=True)
class Optics:
    """A calibrated camera: lens parameters of COLMAP and OpenCV, pinhole or fisheye."""

    camera: Camera
    distortion: tuple[float, ...] = ()
    fisheye: bool = False


@dataclass(frozen=True, eq=False)
class Posed:
    """An image with its camera pose, and a depth map if there is one.

    `taken_by`: its camera, if different from that of the source; the image is resampled to the latter.
    """

    time: float
    T_world_camera: Matrix
    picture: Path
    depth: Path | None = None
    confidence: Path | None = None  # image that is 0 where depth is unreliable
    taken_by: Optics | None = None


@dataclass(frozen=True)
class Source:
    """What a format says about all its frames.

    `conventions`: axes, units and clock of the source, for the report and the recording.
    """

    format: str
    camera: Camera
    conventions: tuple[str, ...]
    depth_units_per_metre: float = 1000.0
    no_depth: int = 0  # value for missing depth, besides 0
    distortion: tuple[float, ...] = ()
    fisheye: bool = False
    unknown: tuple[str, ...] = ()  # "times", "scale", "poses", "lens"


class Lens:
    """Undistorts images and scales them to the size of `camera`."""

    def __init__(self, source: Source, widest: int = MAX_WIDTH, taken_by: Optics | None = None) -> None:
        own = source.camera
        share = min(1.0, widest / own.width)
        wide, high = round(own.width * share), round(own.height * share)
        x, y = wide / own.width, high / own.height
        self.camera = Camera(wide, high, own.fx * x, own.fy * y, own.cx * x, own.cy * y)
        taken = taken_by or Optics(own, source.distortion, source.fisheye)
        self._taken = taken.camera
        self._maps: Any = None
        if any(taken.distortion) or taken.camera != own:
            lens = np.array(taken.distortion or np.zeros(4))
            rectify: Any = cv2.fisheye if taken.fisheye else cv2
            self._maps = rectify.initUndistortRectifyMap(
                _opencv_matrix(taken.camera), lens, np.eye(3), _opencv_matrix(own), (own.width, own.height),
                cv2.CV_32FC1,
            )  # fmt: skip

    def picture(self, rgb: Rgb) -> Rgb:
        if rgb.shape[:2] != (self._taken.height, self._taken.width):
            return rgb  # reported and skipped by the common rules
        if self._maps is not None:
            rgb = np.asarray(cv2.remap(rgb, self._maps[0], self._maps[1], cv2.INTER_LINEAR), np.uint8)
        size = (self.camera.width, self.camera.height)
        return (
            rgb
            if rgb.shape[1::-1] == size
            else np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA))
        )

    def depth(self, depth: Depth) -> Depth:
        """Depth of any size with the same view; nearest neighbour, because edges must not be mixed."""
        size = (self.camera.width, self.camera.height)
        if depth.shape[1::-1] == size:
            return depth
        return np.asarray(cv2.resize(depth, size, interpolation=cv2.INTER_NEAREST), np.float32)


def _opencv_matrix(camera: Camera) -> Matrix:
    """Camera matrix for OpenCV, which counts pixels from the centre of the first one."""
    return np.array([[camera.fx, 0, camera.cx - 0.5], [0, camera.fy, camera.cy - 0.5], [0, 0, 1.0]])


def import_posed(out: Path, name: str, source: Source, posed: Iterable[Posed]) -> ImportReport:
    """Write a recording from image files."""
    usual, skipped = Lens(source), list[str]()
    lenses = lru_cache(_MAX_LENSES)(lambda taken_by: Lens(source, taken_by=taken_by))

    def frame(one: Posed) -> SourceFrame:
        lens = usual if one.taken_by is None else lenses(one.taken_by)
        return posed_frame(one, source, lens, read_rgb(one.picture), skipped)

    frames = map(frame, posed)
    return write_recording(out, world_of(name, source, usual), frames, skipped)


def world_of(name: str, source: Source, lens: Lens) -> World:
    """What is known apart from the frames."""
    meta = {"format": source.format, "source": name, "conventions": list(source.conventions)}
    return World(lens.camera, meta=meta | dict.fromkeys(source.unknown, "unknown"))


def posed_frame(one: Posed, source: Source, lens: Lens, rgb: Rgb | None, skipped: list[str]) -> SourceFrame:
    """A frame from an image that was read before."""
    depth = None if one.depth is None else read_posed_depth(one, source, skipped)
    return SourceFrame(
        str(one.picture),
        one.time,
        one.T_world_camera,
        None if rgb is None else lens.picture(rgb),
        None if depth is None else lens.depth(depth),
    )


def read_posed_depth(one: Posed, source: Source, skipped: list[str]) -> Depth | None:
    """Depth in metres, 0 where it is missing or unreliable."""
    raw = None if one.depth is None else read_raw(one.depth)
    if raw is None:
        skipped.append(f"{one.depth}: the depth map is missing or unreadable; kept the frame without it")
        return None
    depth = np.where(raw == source.no_depth, 0, raw).astype(np.float32) / np.float32(
        source.depth_units_per_metre
    )
    sure = None if one.confidence is None else read_raw(one.confidence)
    if sure is not None and sure.shape == depth.shape:
        depth = np.where(sure == 0, 0, depth)
    return np.asarray(depth, np.float32)


def upright_by_cameras(poses: Sequence[Matrix]) -> Matrix:
    """Rotation of the world that points the cameras' mean up direction along z, without a gravity cue."""
    up = np.mean([-pose[:3, 1] for pose in poses], axis=0)
    up /= max(1e-9, float(np.linalg.norm(up)))
    side = np.cross([0.0, 0.0, 1.0] if abs(up[2]) < 0.9 else [0.0, 1.0, 0.0], up)
    side /= np.linalg.norm(side)
    turn = np.eye(4)
    turn[:3, :3] = np.stack([side, np.cross(up, side), up])
    return turn


def upright_by_axes(poses: Sequence[Matrix]) -> tuple[Matrix, str]:
    """Rotation of the world that points up along z, and the reason, for files with unknown axes.

    Cameras are mostly level or look down slightly, possibly in one direction only, so their mean up is
    tilted; the axis nearest to it is up. A world that starts at its first camera has no such axis.
    """
    up = np.mean([-pose[:3, 1] for pose in poses], axis=0)
    up /= max(1e-9, float(np.linalg.norm(up)))
    if np.allclose(poses[0][:3, :3], np.eye(3), atol=1e-6):
        return upright_by_cameras(poses), "the world is the first camera's: up is the mean of the cameras' up"
    for name, turn in _UP_AXES.items():
        if turn[2, :3] @ up > np.cos(np.radians(NEAR_AXIS_DEG)):
            return turn, f"the cameras' up is near {name}: {name} is up"
    return upright_by_cameras(poses), "near no axis of the file: up is the mean of the cameras' up"


NEAR_AXIS_DEG = 20.0  # head-worn and hand-held cameras look down by 10 to 15 degrees
_UP_AXES = {
    "+z": np.eye(4),
    "+y": np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]),
    "-y": np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]]),
}  # rotation of each axis to z


def depth_error(camera: Camera, depths: Sequence[Depth], poses: Sequence[Matrix]) -> float:
    """Median distance between surfaces that two frames see, from their depths and poses.

    It is small only if the poses are interpreted correctly; infinite if no two frames overlap.
    """
    errors = []
    for a, b in zip(range(len(depths) - 1), range(1, len(depths)), strict=True):
        v, u = np.mgrid[0 : camera.height : 4, 0 : camera.width : 4]
        z = depths[a][v, u].astype(float)
        good = z > 0
        rays = np.stack([(u + 0.5 - camera.cx) / camera.fx * z, (v + 0.5 - camera.cy) / camera.fy * z, z], -1)
        seen = transform(inverse(poses[b]) @ poses[a], rays[good])
        ahead = seen[seen[:, 2] > 0.1]
        x = np.floor(ahead[:, 0] / ahead[:, 2] * camera.fx + camera.cx).astype(int)
        y = np.floor(ahead[:, 1] / ahead[:, 2] * camera.fy + camera.cy).astype(int)
        inside = (x >= 0) & (x < camera.width) & (y >= 0) & (y < camera.height)
        found = depths[b][y[inside], x[inside]]
        pair = np.abs(found - ahead[inside, 2])[found > 0]
        if len(pair) >= 50:
            errors.append(float(np.median(pair)))
    return float(np.median(errors)) if errors else float("inf")
