"""What a frame must satisfy before the memory believes a word of it."""

import math

import numpy as np

from situ.compiled import njit
from situ.errors import BadInput
from situ.geometry.pose import Matrix
from situ.memory.mind import Mind
from situ.perception.observation import ObservedFrame


def check_frame(mind: Mind, frame: ObservedFrame) -> float:
    """How far the wearer has come since the last frame, in metres. Refuses a frame that would spoil the
    memory; nothing has been changed when this raises."""
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
    step = _checked_step(mind, frame)
    if len(frame.observations) > mind.options.max_detections:
        raise BadInput(
            f"{len(frame.observations)} detections in one frame (limit {mind.options.max_detections}); "
            "raise the detector's threshold, or max_detections if the frame is real"
        )
    for number, seen in enumerate(frame.observations):
        if not seen.label.strip():
            raise BadInput(f"observation {number} of the frame at {frame.time:g} s has an empty label")
    return step


def _checked_step(mind: Mind, frame: ObservedFrame) -> float:
    pose = frame.T_world_camera
    if pose.shape != (4, 4) or not (is_rotation(pose) and math.isfinite(pose[:3, 3].sum())):
        if pose.shape == (4, 4) and np.isfinite(pose).all():
            raise BadInput(f"the pose at {frame.time:g} s holds no rotation; give T_world_camera, rigid")
        raise BadInput(
            f"the pose at {frame.time:g} s is not a finite 4x4 matrix; drop frames whose tracking is lost"
        )
    if mind.pose is None:
        return 0.0
    step = math.dist(pose[:3, 3].tolist(), mind.pose[:3, 3].tolist())
    if step > mind.options.max_step_m:
        raise BadInput(
            f"the pose jumps {step:.0f} m at {frame.time:g} s (limit {mind.options.max_step_m:g} m); "
            "tracking was lost, or this is another recording: merge it instead"
        )
    return step


@njit(cache=True)
def is_rotation(pose: Matrix) -> bool:
    """Whether the axes are of unit length, at right angles, and right-handed."""
    for i in range(3):
        for j in range(3):
            dot = pose[0, i] * pose[0, j] + pose[1, i] * pose[1, j] + pose[2, i] * pose[2, j]
            if not abs(dot - (1.0 if i == j else 0.0)) <= 1e-3:  # so that NaN is none either
                return False
    x = pose[1, 0] * pose[2, 1] - pose[2, 0] * pose[1, 1]
    y = pose[2, 0] * pose[0, 1] - pose[0, 0] * pose[2, 1]
    z = pose[0, 0] * pose[1, 1] - pose[1, 0] * pose[0, 1]
    handed: bool = x * pose[0, 2] + y * pose[1, 2] + z * pose[2, 2] > 0.0
    return handed
