"""What a frame must satisfy before the memory believes a word of it."""

import math

import numpy as np
from numba import njit

from situ.errors import BadInput
from situ.geometry.pose import Matrix
from situ.memory.mind import Mind
from situ.perception.observation import ObservedFrame


def check_frame(mind: Mind, frame: ObservedFrame) -> None:
    """Refuse a frame that would spoil the memory; nothing has been changed when this raises."""
    if not math.isfinite(frame.time):
        raise BadInput(f"a frame has time {frame.time}; give seconds on the recording's clock")
    if frame.time <= mind.time:
        raise BadInput(
            f"time goes backwards: frame at {frame.time:g} s after one at {mind.time:g} s; "
            "feed frames in order and once each"
        )
    known = frame.time if frame.known_at is None else frame.known_at
    if not math.isfinite(known) or known < frame.time or known < mind.known:
        raise BadInput(
            f"a frame at {frame.time:g} s cannot be known at {known:g} s: knowledge follows the frame "
            f"and never goes backwards (last {mind.known:g} s)"
        )
    _check_pose(mind, frame)
    if len(frame.observations) > mind.options.max_detections:
        raise BadInput(
            f"{len(frame.observations)} detections in one frame (limit {mind.options.max_detections}); "
            "raise the detector's threshold, or max_detections if the frame is real"
        )
    for number, seen in enumerate(frame.observations):
        if not seen.label.strip():
            raise BadInput(f"observation {number} of the frame at {frame.time:g} s has an empty label")
        if not (0.0 < seen.score <= 1.0 and seen.sigma_m > 0.0 and math.isfinite(seen.sigma_m)):
            raise BadInput(
                f"observation {number} ('{seen.label}') needs a score in (0, 1] and a positive sigma_m, "
                f"got {seen.score} and {seen.sigma_m}"
            )


def _check_pose(mind: Mind, frame: ObservedFrame) -> None:
    pose = frame.T_world_camera
    if pose.shape != (4, 4) or not np.isfinite(pose).all():
        raise BadInput(
            f"the pose at {frame.time:g} s is not a finite 4x4 matrix; drop frames whose tracking is lost"
        )
    if not is_rotation(pose):
        raise BadInput(f"the pose at {frame.time:g} s holds no rotation; give T_world_camera, rigid")
    if mind.pose is None:
        return
    step = math.dist(pose[:3, 3], mind.pose[:3, 3])
    if step > mind.options.max_step_m:
        raise BadInput(
            f"the pose jumps {step:.0f} m at {frame.time:g} s (limit {mind.options.max_step_m:g} m); "
            "tracking was lost, or this is another recording: merge it instead"
        )


@njit(cache=True)
def is_rotation(pose: Matrix) -> bool:
    """Whether the axes are of unit length, at right angles, and right-handed."""
    for i in range(3):
        for j in range(3):
            dot = pose[0, i] * pose[0, j] + pose[1, i] * pose[1, j] + pose[2, i] * pose[2, j]
            if abs(dot - (1.0 if i == j else 0.0)) > 1e-3:
                return False
    x = pose[1, 0] * pose[2, 1] - pose[2, 0] * pose[1, 1]
    y = pose[2, 0] * pose[0, 1] - pose[0, 0] * pose[2, 1]
    z = pose[0, 0] * pose[1, 1] - pose[1, 0] * pose[0, 1]
    handed: bool = x * pose[0, 2] + y * pose[1, 2] + z * pose[2, 2] > 0.0
    return handed
