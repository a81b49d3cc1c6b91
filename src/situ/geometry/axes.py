"""Conversion of other axis conventions to ours (world z up, OpenCV camera). All axis flips are here."""

import numpy as np

from situ.errors import BadInput
from situ.geometry.pose import Matrix, rigid

# Right-multiply a T_world_camera whose camera has OpenGL axes (x right, y up, z backward).
T_OPENGL_OPENCV: Matrix = np.diag([1.0, -1.0, -1.0, 1.0])

# Right-multiply a T_world_camera of a sensor mounted rotated, whose image must be turned clockwise by 90
# degrees: "right" is then the sensor's up, and "down" is its right.
T_SENSOR_TURNED_CW: Matrix = rigid([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.0, 0.0])

_FLIPS = {
    "z": np.eye(3),
    "y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
    "x": np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]),
    "-z": np.diag([1.0, -1.0, -1.0]),
    "-y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    "-x": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]]),
}
UP_AXES = tuple(_FLIPS)


def z_up_from(up: str) -> Matrix:
    """`T_ours_theirs` of a world whose axis `up` ("y", "-z", ...) points up: left-multiply its poses."""
    if up not in _FLIPS:
        raise BadInput(f"the up axis must be one of {', '.join(UP_AXES)}, got {up!r}")
    return rigid(_FLIPS[up], [0.0, 0.0, 0.0])


def up_axis_from_gravity(gravity: Matrix) -> str:
    """The axis that points up, from the direction of gravity."""
    down = np.asarray(gravity, dtype=float)
    length = float(np.linalg.norm(down))
    axis = int(np.argmax(np.abs(down)))
    if length == 0 or abs(down[axis]) < 0.999 * length:
        raise BadInput(f"gravity must point along one of the world's axes, got {down.tolist()}")
    return ("-" if down[axis] > 0 else "") + "xyz"[axis]
