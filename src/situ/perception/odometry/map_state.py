"""State of the map: keyframes, landmarks, frame poses and submaps, and rigid or similarity updates of them.

A loss without relocalization starts a new submap. A loop between two submaps merges them, and the older one
keeps its place in the world.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.frame_poses import FramePoses
from situ.perception.odometry.ground_plane import turn_between
from situ.perception.odometry.images import checked_camera
from situ.perception.odometry.keyframes import Keyframes
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.pose_graph import GraphSolution
from situ.perception.odometry.pose_graph_solver import proper
from situ.perception.odometry.result import OdometryStep
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.rotation import nearest_rotation


@dataclass(eq=False)
class Submaps:
    """Assignment of keyframe intervals to submaps.

    `first` lists the first keyframe of each interval and `map_of` its submap; `begun` lists the step at which
    each submap starts.
    """

    first: list[int] = field(default_factory=lambda: [0])
    map_of: list[int] = field(default_factory=lambda: [0])
    begun: list[int] = field(default_factory=lambda: [0])

    @property
    def now(self) -> int:
        """Submap of the current frame."""
        return self.map_of[-1]

    @property
    def detached(self) -> bool:
        """Whether the current submap has no known relation to the first one."""
        return self.now != 0

    def begin(self, keyframe: int, step: int) -> None:
        """Start a new submap with this keyframe."""
        self._enter(keyframe, len(self.begun))
        self.begun.append(step)

    def continue_in(self, keyframe: int, place: int) -> None:
        """Assign this keyframe and later ones to the submap of `place`, a keyframe that was recognised."""
        if self.of(place) != self.now:
            self._enter(keyframe, self.of(place))

    def of(self, keyframe: int) -> int:
        return int(self.ids_of(np.array([keyframe]))[0])

    def ids_of(self, keyframes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Submap of each keyframe."""
        stretch = np.searchsorted(self.first, keyframes, "right") - 1
        return np.asarray(self.map_of, dtype=np.int64)[stretch]

    def join(self, later: int, earlier: int) -> None:
        self.map_of = [earlier if one == later else one for one in self.map_of]

    def _enter(self, keyframe: int, number: int) -> None:
        self.first.append(keyframe)
        self.map_of.append(number)


_MEASURED, _TRIANGULATED = 0.02, 0.05  # relative errors of depths from a sensor and from parallax
_UP, _AHEAD = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


class MapState(ABC):
    """Camera pose, keyframes, landmarks and frame poses, which move together when the map is corrected."""

    free_scale: bool

    def __init__(self, camera: Camera) -> None:
        self.camera = checked_camera(camera)
        self.keyframes = Keyframes(camera, _TRIANGULATED if self.free_scale else _MEASURED)
        self.landmarks = Landmarks()
        self.shutter = RollingShutter(self.camera)
        self.frame_poses = FramePoses()
        self.maps = Submaps()
        self.revision = 0  # incremented whenever poses of earlier frames change
        self.pose: Matrix = self.first_pose()

    @classmethod
    def restored(cls, **state: Any) -> Self:
        """An object with the attributes that another one had."""
        made = cls(state["camera"])
        vars(made).update(state)
        return made

    @abstractmethod
    def first_pose(self) -> Matrix:
        """Assumed camera pose of the first frame."""

    @abstractmethod
    def on_map_moved(self, move: Matrix, factor: float) -> None:
        """Called after the newest part of the map was moved and scaled, to update dependent state."""

    @property
    def steps(self) -> list[OdometryStep]:
        """All frames so far, with their current best poses."""
        return self.frame_poses.steps(self.keyframes)

    def apply_solution(self, solved: GraphSolution) -> None:
        """Apply a pose graph solution to all keyframes.

        Active landmarks and all keyframes since the first of their anchors move rigidly with the newest
        station.
        """
        move, factor = solved.latest
        used_since = int(self.landmarks.anchor.min(initial=len(self.keyframes.poses) - 1))
        self.keyframes.poses, self.keyframes.scales = solved.rigid_since(used_since).applied_to(
            proper(self.keyframes.poses), self.keyframes.scales
        )
        self._move_latest(move, factor)
        self.revision += 1

    def merge_maps(self, younger: int, older: int, move: Matrix, factor: float) -> None:
        """Move one submap to its place in another."""
        moved = np.flatnonzero(self.maps.ids_of(np.arange(len(self.keyframes.poses))) == younger)
        poses = self.keyframes.poses
        poses[moved] = [_moved(pose, move, factor) for pose in poses[moved]]
        self.keyframes.scales[moved] *= factor
        if younger == self.maps.now:
            self._move_latest(move, factor)
        self.frame_poses.reason[self.maps.begun[younger]] = "restarted, merged with an earlier map later"
        self.maps.join(younger, older)
        self.revision += 1

    def _move_latest(self, move: Matrix, factor: float) -> None:
        self.landmarks.rescale(factor)
        self.pose = _moved(self.pose, move, factor)
        self.on_map_moved(move, factor)

    def level(self, up_world: Vector, from_the_start: bool) -> None:
        """Rotate the world so that `up_world` points up.

        From the start: the whole path rotates and the first frame looks along +x. Otherwise only the anchors
        of active landmarks rotate, and frame poses stay.
        """
        turn = turn_between(up_world, _UP)
        if from_the_start and len(self.frame_poses):
            ahead = turn @ self.frame_poses.pose(0, self.keyframes)[:3, 2]
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
        """Update the poses of landmark anchors without moving the frames attached to them."""
        if not len(numbers):
            return
        rows = self.frame_poses.rows_of_keyframes(numbers)
        frames = self.frame_poses.poses(rows, self.keyframes)
        self.keyframes.poses[numbers] = poses
        self.keyframes.scales[numbers] *= factor
        self.frame_poses.put(rows, frames, self.keyframes)

    def rescale_active(self, factor: float) -> None:
        """Scale active landmarks and their anchors about the camera; frame poses stay."""
        used = np.unique(self.landmarks.anchor)
        poses, here = self.keyframes.poses[used], self.pose[:3, 3]
        poses[:, :3, 3] = here + factor * (poses[:, :3, 3] - here)
        self.move_anchors(used, poses, factor)
        self.landmarks.rescale(factor)
        self.on_map_moved(np.eye(4), factor)

    def rewrite(self, start: int, poses: NDArray[np.float64]) -> None:
        """Replace frame poses from step number `start` on."""
        self.revision += 1
        self.frame_poses.put(np.arange(start, start + len(poses)), poses, self.keyframes)


def _moved(pose: Matrix, move: Matrix, factor: float) -> Matrix:
    """A pose transformed by a similarity."""
    return rigid(
        nearest_rotation(move[:3, :3] @ pose[:3, :3]), factor * move[:3, :3] @ pose[:3, 3] + move[:3, 3]
    )


def _flat(direction: Vector) -> Vector:
    level = np.array([direction[0], direction[1], 0.0])
    return level / max(float(np.linalg.norm(level)), 1e-9)
