"""Camera poses in common text formats: TUM, KITTI, rows of matrices, a matrix per file, nerfstudio, NumPy.

Results are T_world_camera in OpenCV axes. In formats without times, poses belong to frames by number.

Positions and quaternions are written in several column orders, and a wrong order gives a valid but wrong
rotation. A header is therefore followed, and an unreadable one is an error.
"""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from situ.errors import BadFormat
from situ.geometry.axes import T_OPENGL_OPENCV
from situ.geometry.pose import Matrix, pose_from_quat_wxyz
from situ.recording.formats.base import need, read_numbers
from situ.recording.formats.time_matching import Times, as_numbered, numbered

FORMS = (
    "TUM lines 'time x y z qx qy qz qw', or these columns in the order of a header; lines of 12 (KITTI) or "
    "16 numbers, or of 4 lines a pose, one pose a frame, a frame's number may stand first; a folder of 4x4 "
    "files; .npy; transforms.json of nerfstudio"
)
NOT_A_ROTATION = 0.02  # the most that an axis may differ from a unit vector square to the others


@dataclass(frozen=True, eq=False)
class PoseRows:
    """Poses with times or frame numbers. Frames without a pose were lost."""

    poses: Matrix
    times: Times | None = None
    numbers: tuple[int, ...] = ()
    header: tuple[str, ...] = ()  # column names in the file

    @property
    def columns(self) -> str:
        """Column order for a report; "" for matrices."""
        if self.times is None:
            return ""
        by = "as the header says" if self.header else "as TUM has them, for want of a header"
        return f"columns {' '.join(self.header or COLUMNS)}, {by}"

    def by_number(self) -> dict[int, Matrix]:
        return dict(zip(self.numbers, self.poses, strict=True))


def read_poses(path: Path) -> PoseRows:
    """Poses of a file or folder; the format follows from its name and the numbers per row."""
    need(path, "the camera poses")
    if path.is_dir():
        files = numbered(path, (".txt",))
        found = [(number, _square(read_numbers(file, 4), file)) for number, file in files.items()]
        return _of_frames(found, path)
    if path.suffix == ".json":
        return _nerfstudio(path)
    if path.suffix == ".npy":
        return _of_frames(list(enumerate(_stack(_load(path), path))), path)
    rows, names = read_columns(path)
    columns = rows.shape[1]
    if columns == 8 or set(names) >= TURN:
        return replace(_tum(in_order(rows, names, path), path), header=names)
    if columns in (13, 17):
        return _of_frames(
            [(int(row[0]), matrix) for row, matrix in zip(rows, _stack(rows[:, 1:], path), strict=True)], path
        )
    if columns == 4 and len(rows) % 4 == 0:
        return _of_frames(list(enumerate(rows.reshape(-1, 4, 4))), path)
    if columns in (12, 16):
        return _of_frames(list(enumerate(_stack(rows, path))), path)
    raise BadFormat(f"{path} has {columns} numbers in a row; known are {FORMS}")


def _tum(rows: Matrix, path: Path) -> PoseRows:
    if not np.isfinite(rows).all():
        raise BadFormat(f"{path} holds numbers that are not finite; drop the lines where tracking was lost")
    norms = np.linalg.norm(rows[:, 4:], axis=1)
    if len(rows) == 0 or np.any(np.abs(norms - 1) > 0.01):
        raise BadFormat(f"{path} must hold lines of 'time x y z qx qy qz qw' with unit quaternions")
    rows = rows[np.unique(rows[:, 0], return_index=True)[1]]
    poses = np.stack([pose_from_quat_wxyz(row[[7, 4, 5, 6]], row[1:4]) for row in rows])
    return PoseRows(poses, times=rows[:, 0])


def _nerfstudio(path: Path) -> PoseRows:
    try:
        frames = json.loads(path.read_text(encoding="utf-8"))["frames"]
        frames.sort(key=lambda one: as_numbered(str(one["file_path"])))
        matrices = [one["transform_matrix"] for one in frames]
        poses = np.array(matrices, float).reshape(-1, 4, 4) @ T_OPENGL_OPENCV
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFormat(f"{path} must list frames with file_path and transform_matrix ({error})") from error
    return _of_frames(list(enumerate(poses)), path)


def _load(path: Path) -> Matrix:
    try:
        return np.asarray(np.load(path, allow_pickle=False), float)
    except (OSError, ValueError) as error:
        raise BadFormat(f"{path} must hold an array of poses ({error})") from error


def _stack(rows: Matrix, path: Path) -> Matrix:
    """3x4 or 4x4 matrices, flat or not, as 4x4."""
    if rows.size == 0 or rows.size // len(rows) not in (12, 16):
        raise BadFormat(f"{path} must hold 3x4 or 4x4 matrices, it holds an array of {rows.shape}")
    parts = rows.reshape(len(rows), -1, 4)
    last = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(rows), 1, 4))
    return np.concatenate([parts[:, :3], last], axis=1)


def _square(matrix: Matrix, path: Path) -> Matrix:
    if matrix.shape != (4, 4):
        raise BadFormat(f"{path} must hold a 4x4 matrix, it holds {matrix.shape[0]}x{matrix.shape[1]}")
    return matrix


def _of_frames(found: list[tuple[int, Matrix]], path: Path) -> PoseRows:
    """Poses by frame number; non-finite ones mark frames with lost tracking."""
    sound = [(number, pose) for number, pose in found if np.isfinite(pose).all()]
    if not sound:
        raise BadFormat(f"{path} holds no pose; known are {FORMS}")
    for number, pose in sound:
        turn = pose[:3, :3]
        if np.abs(turn.T @ turn - np.eye(3)).max() > NOT_A_ROTATION or np.linalg.det(turn) < 0:
            raise BadFormat(
                f"{path}: pose {number} is no rotation and place, so it is in another form: {FORMS}"
            )
    return PoseRows(np.stack([pose for _, pose in sound]), numbers=tuple(number for number, _ in sound))


COLUMNS = ("time", "x", "y", "z", "qx", "qy", "qz", "qw")  # TUM's order, the default
TURN = frozenset(COLUMNS[4:])
_TIMES = frozenset({"t", "time", "timestamp", "timestamps", "stamp", "sec", "seconds"})
_UNIT = re.compile(r"[\[(](?:s|sec|m)?[\])]|_s$")
_PLACE = re.compile(r"(?:t|p|pos_|position_|t_|p_)([xyz])")
_TURN = re.compile(r"(?:q|q_|quat_|rot_|orientation_)([xyzw])")


def read_columns(path: Path) -> tuple[Matrix, tuple[str, ...]]:
    """Numbers of a file separated by blanks or commas, and its column names, empty without a header.

    A header is a first line without numbers, or a comment that names a quaternion.
    """
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    names: tuple[str, ...] = ()
    rows: list[str] = []
    for line in lines:
        text = line.strip()
        if text.startswith("#"):
            said = _names(text.lstrip("# "))
            if not rows and set(said) >= TURN:
                first = min(said.index(name) for name in COLUMNS if name in said)
                names = said[first:]  # "# format: time x y …"
        elif text and not rows and not names and not _is_number(_words(text)[0]):
            names = _names(text)
        elif text:
            rows.append(text.replace(",", " "))
    try:
        return np.loadtxt(rows, ndmin=2), names
    except ValueError as error:
        raise BadFormat(f"{path} must hold rows of numbers ({error})") from error


def in_order(rows: Matrix, names: tuple[str, ...], path: Path) -> Matrix:
    """The columns of a pose with time, in the order of COLUMNS."""
    if not names:
        return rows
    if len(names) != rows.shape[1] or any(names.count(name) != 1 for name in COLUMNS):
        raise BadFormat(
            f"{path} has the header '{' '.join(names)}' over {rows.shape[1]} columns; for a pose with a time "
            f"it must name each of {', '.join(COLUMNS)} once, in any order"
        )
    return rows[:, [names.index(name) for name in COLUMNS]]


def _words(line: str) -> list[str]:
    return [word.strip(" \"'") for word in (line.split(",") if "," in line else line.split())]


def _names(line: str) -> tuple[str, ...]:
    return tuple(_column(word) for word in _words(line))


def _column(word: str) -> str:
    """Canonical name of a column, whatever a tool calls it."""
    name = _UNIT.sub("", word.lower()).strip()
    if name in _TIMES:
        return "time"
    if found := _PLACE.fullmatch(name):
        return found[1]
    found = _TURN.fullmatch(name)
    return f"q{found[1]}" if found else name


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
