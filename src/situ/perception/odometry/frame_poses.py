"""Poses of all frames, each stored relative to a keyframe and moved along when the keyframe is corrected."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.keyframes import Keyframes
from situ.perception.odometry.result import OdometryStep, Status

_INITIAL_ROWS = 64


def _zeros(*shape: int) -> NDArray[np.float64]:
    return np.zeros((_INITIAL_ROWS, *shape))


@dataclass(eq=False)
class FramePoses:
    """Growing columns with one row per frame.

    `keyframe_of` is the keyframe number of a frame, `relative` the frame's pose in that keyframe's axes.
    """

    count: int = 0
    time: Vector = field(default_factory=_zeros)
    keyframe_of: NDArray[np.int64] = field(default_factory=lambda: np.zeros(_INITIAL_ROWS, np.int64))
    relative: NDArray[np.float64] = field(default_factory=lambda: _zeros(4, 4))
    covariance: NDArray[np.float64] = field(default_factory=lambda: _zeros(6, 6))
    confidence: Vector = field(default_factory=_zeros)
    status: list[Status] = field(default_factory=list)
    reason: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return self.count

    @property
    def last_time(self) -> float:
        return float(self.time[self.count - 1])

    def append(self, step: OdometryStep, keyframes: Keyframes) -> None:
        if self.count == len(self.time):
            for name in ("time", "keyframe_of", "relative", "covariance", "confidence"):
                column = getattr(self, name)
                setattr(self, name, np.concatenate([column, np.zeros_like(column)]))
        row, newest = self.count, max(0, len(keyframes.poses) - 1)
        self.count += 1
        self.time[row], self.keyframe_of[row], self.confidence[row] = step.time, newest, step.confidence
        self.covariance[row] = step.covariance
        self.status.append(step.status)
        self.reason.append(step.reason)
        self.put(np.array([row]), step.T_world_camera[None], keyframes)

    def put(self, rows: NDArray[np.int64], poses: NDArray[np.float64], keyframes: Keyframes) -> None:
        """Set the world poses of frames, relative to the keyframes that they belong to."""
        if not len(keyframes.poses):  # no usable frame so far
            self.relative[rows] = poses
            return
        anchors, scales = keyframes.poses[self.keyframe_of[rows]], keyframes.scales[self.keyframe_of[rows]]
        back = anchors[:, :3, :3].transpose(0, 2, 1)
        self.relative[rows] = np.eye(4)
        self.relative[rows, :3, :3] = back @ poses[:, :3, :3]
        away = np.einsum("nij,nj->ni", back, poses[:, :3, 3] - anchors[:, :3, 3])
        self.relative[rows, :3, 3] = away / scales[:, None]

    def poses(self, rows: NDArray[np.int64], keyframes: Keyframes) -> NDArray[np.float64]:
        """`T_world_camera` of frames, from the current keyframe poses."""
        if not len(keyframes.poses):
            return self.relative[rows].copy()
        anchors, scales = keyframes.poses[self.keyframe_of[rows]], keyframes.scales[self.keyframe_of[rows]]
        relative = self.relative[rows].copy()
        relative[:, :3, 3] *= scales[:, None]
        placed: NDArray[np.float64] = anchors @ relative
        return placed

    def pose(self, row: int, keyframes: Keyframes) -> Matrix:
        pose: Matrix = self.poses(np.array([row]), keyframes)[0]
        return pose

    def rows_of_keyframes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Frames that belong to these keyframes. Keyframe numbers increase with frame numbers."""
        start = int(np.searchsorted(self.keyframe_of[: self.count], numbers.min()))
        return start + np.flatnonzero(np.isin(self.keyframe_of[start : self.count], numbers))

    def steps(self, keyframes: Keyframes) -> list[OdometryStep]:
        poses = self.poses(np.arange(self.count), keyframes)
        return [
            OdometryStep(
                float(self.time[i]), poses[i], self.covariance[i].copy(), float(self.confidence[i]),
                self.status[i], self.reason[i],
            )
            for i in range(self.count)
        ]  # fmt: skip
