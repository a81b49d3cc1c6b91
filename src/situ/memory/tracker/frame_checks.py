"""What a frame must satisfy before the memory believes a word of it. Nothing here changes anything."""

import math
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.memory.tables.vocabulary import check_text
from situ.memory.tracker.working_memory import WorkingMemory
from situ.perception.freespace import FreeSpace
from situ.perception.observation import Observation, ObservedFrame

MOST_M = 1e7  # beyond this no world is metric
_MOST_TIME_S = 1e11  # three thousand years; beyond it a clock counts something else
_OBSERVATIONS = {Observation}
_NUMBERS = (float, int, np.integer, np.floating)
_MOST_THUMBNAIL = 1 << 24  # bytes: a picture of full size, and no video
_MOST_LOOK = 1 << 16  # numbers: many times the longest descriptor in use
_MOST_PIXELS = 1 << 16  # along a side: more than any sensor has


def check_frame(memory: WorkingMemory, frame: ObservedFrame) -> None:
    """Refuse a frame that would spoil the memory; nothing has been changed when this raises. What the numbers
    of its pose and observations must satisfy is looked into where they are read, see `to_columns`."""
    _check_times(memory, frame)
    pose = frame.T_world_camera
    if not (isinstance(pose, np.ndarray) and pose.shape == (4, 4) and pose.dtype == np.float64):
        raise BadInput(
            f"the pose at {frame.time:g} s is not a finite 4x4 matrix of floats, but {_short(pose)}"
        )
    seen = frame.observations
    plain = type(seen) is tuple and set(map(type, seen)) <= _OBSERVATIONS
    if not plain and not (isinstance(seen, tuple) and all(isinstance(o, Observation) for o in seen)):
        raise BadInput(f"the observations at {frame.time:g} s are no tuple of Observation: {str(seen)[:60]}")
    if len(seen) > memory.options.max_detections:
        raise BadInput(
            f"{len(seen)} detections in one frame (limit {memory.options.max_detections}); "
            "raise the detector's threshold, or max_detections if the frame is real"
        )
    if frame.camera is not None and not memory.knows_camera(frame.camera):
        _check_camera(frame.camera)
    if frame.free is not None:
        _check_free(frame.free)
    if frame.place is not None and frame.place != "" and not memory.words.knows_place(frame.place):
        check_text("the name of a place", frame.place)
    picture = frame.thumbnail
    if picture is not None and not (isinstance(picture, bytes) and len(picture) <= _MOST_THUMBNAIL):
        raise BadInput(
            f"a thumbnail is up to {_MOST_THUMBNAIL} bytes of an encoded picture, got {_short(picture)}"
        )


def _check_times(memory: WorkingMemory, frame: ObservedFrame) -> None:
    time, known = frame.time, frame.time if frame.known_at is None else frame.known_at
    if not _is_number(time) or not abs(time) <= _MOST_TIME_S:
        raise BadInput(f"a frame has time {_short(time)}; give seconds on the recording's clock")
    if time <= memory.time:
        raise BadInput(
            f"time goes backwards: frame at {time:g} s after one at {memory.time:g} s; "
            "feed frames in order and once each"
        )
    if not _is_number(known) or not time <= known <= _MOST_TIME_S or known < memory.known:
        raise BadInput(
            f"a frame at {time:g} s cannot be known at {_short(known)} s: knowledge follows the frame "
            f"and never goes backwards (last {memory.known:g} s)"
        )


def refuse_pose(frame: ObservedFrame) -> NoReturn:
    """Say what is wrong with a pose that is not rigid."""
    if np.isfinite(frame.T_world_camera).all():
        raise BadInput(
            f"the pose at {frame.time:g} s holds no rotation, or lies beyond {MOST_M:g} m; "
            "give T_world_camera, rigid"
        )
    raise BadInput(
        f"the pose at {frame.time:g} s is not a finite 4x4 matrix; drop frames whose tracking is lost"
    )


def check_step(memory: WorkingMemory, frame: ObservedFrame, step_m: float) -> None:
    if step_m > memory.options.max_step_m:
        raise BadInput(
            f"the pose jumps {step_m:.0f} m at {frame.time:g} s (limit {memory.options.max_step_m:g} m); "
            "tracking was lost, or this is another recording: merge it instead"
        )


def _check_camera(camera: Camera) -> None:
    if not isinstance(camera, Camera):
        raise BadInput(f"a frame's camera is {_short(camera)}; give a Camera, or None")
    sides = (camera.width, camera.height)
    lens = (camera.fx, camera.fy, camera.cx, camera.cy)
    good = all(isinstance(n, int | np.integer) and 0 < n <= _MOST_PIXELS for n in sides)
    good = good and all(_is_number(n) and abs(n) <= MOST_M for n in lens) and min(camera.fx, camera.fy) > 0
    if not good:
        raise BadInput(
            f"a camera needs a size in pixels and a finite lens of positive focal length: {camera}"
        )


def _check_free(free: FreeSpace) -> None:
    codes = free.codes if isinstance(free, FreeSpace) else None
    if not (isinstance(codes, np.ndarray) and codes.dtype == np.uint8 and codes.ndim == 2 and codes.size):
        raise BadInput(f"free space is a table of bytes made by FreeSpace.from_depth, got {_short(free)}")
    if max(codes.shape) > 1024:
        raise BadInput(f"a table of free space has at most 1024 rows and columns, got {codes.shape}")


def check_look(label: str, look: NDArray[np.float32]) -> None:
    """An embedding: a vector of finite numbers."""
    if not (isinstance(look, np.ndarray) and look.ndim == 1 and look.dtype.kind == "f"):
        raise BadInput(f"the embedding of a '{label}' is no vector of floats, but {_short(look)}")
    with np.errstate(over="ignore"):
        fine = 0 < look.size <= _MOST_LOOK and np.isfinite(look.astype(np.float32)).all()
    if not fine or float(np.abs(look).max()) > MOST_M:
        raise BadInput(f"the embedding of a '{label}' holds what is no finite number, or {look.size} of them")


def check_box(label: str, box: tuple[float, float, float, float]) -> None:
    """A box in the picture."""
    try:
        fine = len(box) == 4 and all(_is_number(v) and abs(v) <= MOST_M for v in box)
    except TypeError:
        fine = False
    if not fine:
        raise BadInput(f"the box2d of a '{label}' is no four finite numbers, but {_short(box)}")


def six_of(label: str, given: NDArray[np.float64]) -> tuple[float, ...]:
    """The upper half of a covariance that is one."""
    try:
        matrix = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        matrix = np.zeros(0)
    good = matrix.shape == (3, 3) and bool(np.isfinite(matrix).all()) and np.allclose(matrix, matrix.T)
    if not good or not np.linalg.eigvalsh(matrix)[0] > 1e-12 or np.abs(matrix).max() > 1e8:
        raise BadInput(
            f"the covariance of a '{label}' is not a positive definite 3x3 matrix in square metres"
        )
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = matrix.tolist()
    return xx, xy, xz, yy, yz, zz


def _is_number(value: object) -> bool:
    if type(value) is not float and (isinstance(value, bool) or not isinstance(value, _NUMBERS)):
        return False
    return bool(-math.inf < value < math.inf)  # a whole number may be too big for a float


def _short(value: object) -> str:
    return repr(value)[:60]


@njit(cache=True)
def is_rigid(pose: Matrix, most_m: float) -> bool:
    """Whether the axes are of unit length, at right angles, and right-handed, and the rest is a place."""
    for i in range(3):
        if not abs(pose[i, 3]) <= most_m or pose[3, i] != 0.0:  # so that NaN is no place either
            return False
        for j in range(3):
            dot = pose[0, i] * pose[0, j] + pose[1, i] * pose[1, j] + pose[2, i] * pose[2, j]
            if not abs(dot - (1.0 if i == j else 0.0)) <= 1e-3:
                return False
    x = pose[1, 0] * pose[2, 1] - pose[2, 0] * pose[1, 1]
    y = pose[2, 0] * pose[0, 1] - pose[0, 0] * pose[2, 1]
    z = pose[0, 0] * pose[1, 1] - pose[1, 0] * pose[0, 1]
    handed: bool = x * pose[0, 2] + y * pose[1, 2] + z * pose[2, 2] > 0.0 and pose[3, 3] == 1.0
    return handed
