"""Keyframes, landmarks and the way so far as one body, and how it is turned, moved and scaled as a better
place for it becomes known."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.graph import proper
from situ.perception.odometry.ground import turn_between
from situ.perception.odometry.images import checked_camera
from situ.perception.odometry.keyframes import Keyframes
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.maps import Maps
from situ.perception.odometry.posegraph import Moved
from situ.perception.odometry.result import OdometryStep
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.trail import Trail
from situ.perception.odometry.turning import nearest_rotation

_MEASURED, _TRIANGULATED = 0.02, 0.05  # relative errors of depths
_UP, _AHEAD = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


class MovingMap(ABC):
    """Where the camera is and was, and what it saw there."""

    free_scale: bool

    def __init__(self, camera: Camera) -> None:
        self.camera = checked_camera(camera)
        self.keyframes = Keyframes(camera, _TRIANGULATED if self.free_scale else _MEASURED)
        self.landmarks = Landmarks()
        self.shutter = Shutter(self.camera)
        self.trail = Trail()
        self.maps = Maps()
        self.revision = 0  # grows whenever earlier steps get better poses
        self.pose: Matrix = self.first_pose()

    @abstractmethod
    def first_pose(self) -> Matrix:
        """Where the camera is taken to be in the first frame."""

    @abstractmethod
    def after_moving(self, move: Matrix, factor: float) -> None:
        """The newest part of the map was moved and scaled: move along what else depends on it."""

    @property
    def steps(self) -> list[OdometryStep]:
        """All frames so far, each pose as good as it is known by now."""
        return self.trail.steps(self.keyframes)

    def carry(self, solved: Moved) -> None:
        """To where the pose graph puts it: the landmarks in use move as one, with the newest station that was
        solved for, and so does all of the way since the first of them was seen."""
        move, factor = solved.latest
        used_since = int(self.landmarks.anchor.min(initial=len(self.keyframes.poses) - 1))
        self.keyframes.poses, self.keyframes.scales = solved.as_one_since(used_since).carried(
            proper(self.keyframes.poses), self.keyframes.scales
        )
        self._move_latest(move, factor)
        self.revision += 1

    def join_maps(self, younger: int, older: int, move: Matrix, factor: float) -> None:
        """All of one map to where it belongs in another."""
        moved = np.flatnonzero(self.maps.of_all(np.arange(len(self.keyframes.poses))) == younger)
        poses = self.keyframes.poses
        poses[moved] = [_moved(pose, move, factor) for pose in poses[moved]]
        self.keyframes.scales[moved] *= factor
        if younger == self.maps.now:
            self._move_latest(move, factor)
        self.trail.reason[self.maps.begun[younger]] = "started again, joined later"
        self.maps.join(younger, older)
        self.revision += 1

    def _move_latest(self, move: Matrix, factor: float) -> None:
        self.landmarks.rescale(factor)
        self.pose = _moved(self.pose, move, factor)
        self.after_moving(move, factor)

    def level(self, up_world: Vector, from_the_start: bool) -> None:
        """Turn the world so that `up_world` is up; from the start, the first frame then looks along +x.

        Otherwise only the landmarks in use turn, and the way so far stays as it is.
        """
        turn = turn_between(up_world, _UP)
        if from_the_start and len(self.trail):
            ahead = turn @ self.trail.pose(0, self.keyframes)[:3, 2]
            turn = turn_between(_flat(ahead), _AHEAD) @ turn
        pivot = self.pose[:3, 3]
        moved = rigid(turn, pivot - turn @ pivot)
        self.pose = moved @ self.pose
        if from_the_start:
            self.keyframes.poses = moved @ self.keyframes.poses
            self.revision += 1
        else:
            used = np.unique(self.landmarks.anchor)
            self.move_anchors(used, moved @ self.keyframes.poses[used], 1.0)

    def move_anchors(self, numbers: NDArray[np.int64], poses: NDArray[np.float64], factor: float) -> None:
        """Better poses for the anchors of landmarks, while the frames that hang on them stay."""
        if not len(numbers):
            return
        rows = self.trail.rows_on(numbers)
        frames = self.trail.poses(rows, self.keyframes)
        self.keyframes.poses[numbers] = poses
        self.keyframes.scales[numbers] *= factor
        self.trail.put(rows, frames, self.keyframes)

    def rewrite(self, start: int, poses: NDArray[np.float64]) -> None:
        """Put better poses in the record, from step number `start` on."""
        self.revision += 1
        self.trail.put(np.arange(start, start + len(poses)), poses, self.keyframes)


def _moved(pose: Matrix, move: Matrix, factor: float) -> Matrix:
    """A pose under a similarity."""
    return rigid(
        nearest_rotation(move[:3, :3] @ pose[:3, :3]), factor * move[:3, :3] @ pose[:3, 3] + move[:3, 3]
    )


def _flat(direction: Vector) -> Vector:
    level = np.array([direction[0], direction[1], 0.0])
    return level / max(float(np.linalg.norm(level)), 1e-9)
