"""Camera poses as tools write them: TUM, KITTI, rows of matrices, a matrix per file, nerfstudio, NumPy.

Every pose is T_world_camera in OpenCV axes afterwards. A form without times belongs to frames by number.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from situ.errors import BadFormat
from situ.geometry.axes import T_OPENGL_OPENCV
from situ.geometry.pose import Matrix, pose_from_quat_wxyz
from situ.recording.formats.base import need, read_numbers
from situ.recording.formats.pose_columns import COLUMNS, TURN, in_order, read_columns
from situ.recording.formats.timing import Times, as_numbered, numbered

FORMS = (
    "TUM lines 'time x y z qx qy qz qw', or these columns in the order of a header; lines of 12 (KITTI) or "
    "16 numbers, or of 4 lines a pose, one pose a frame, a frame's number may stand first; a folder of 4x4 "
    "files; .npy; transforms.json of nerfstudio"
)
NOT_A_ROTATION = 0.02  # the most that an axis may differ from a unit vector square to the others


@dataclass(frozen=True, eq=False)
class PoseRows:
    """Poses, each with its time, or else with the number of its frame. Frames without one were lost."""

    poses: Matrix
    times: Times | None = None
    numbers: tuple[int, ...] = ()
    header: tuple[str, ...] = ()  # the columns as the file names them

    @property
    def columns(self) -> str:
        """In which order the columns were read, for a report; "" where they are matrices."""
        if self.times is None:
            return ""
        by = "as the header says" if self.header else "as TUM has them, for want of a header"
        return f"columns {' '.join(self.header or COLUMNS)}, {by}"

    def by_number(self) -> dict[int, Matrix]:
        return dict(zip(self.numbers, self.poses, strict=True))


def read_poses(path: Path) -> PoseRows:
    """The poses of a file or folder; its form is told by its name and by how many numbers a row has."""
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
    """Matrices of 3x4 or 4x4, flat or not, as 4x4."""
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
    """Poses by number; those that are not finite mark frames where tracking was lost."""
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
