"""Rigid poses as 4x4 matrices, and the angles that describe them."""

import math
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

# Columns: the camera's x (right), y (down) and z (forward) in a body frame with x forward, y left, z up, for
# a camera that looks along the body's forward axis.
_R_BODY_CAMERA = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])


def camera_pose(position: ArrayLike, yaw_deg: float, pitch_deg: float = 0.0, roll_deg: float = 0.0) -> Matrix:
    """`T_world_camera` of a camera at `position` that looks along `yaw_deg`.

    Positive pitch looks up; positive roll tilts the head to the right. Yaw 0 looks along the world's x, 90
    along its y; z is up.

    >>> import situ
    >>> (situ.camera_pose((1, 2, 1.6), yaw_deg=90) @ [0, 0, 3, 1]).round(6).tolist()  # 3 m ahead
    [1.0, 5.0, 1.6, 1.0]
    """
    cy, sy = _cos_sin(yaw_deg)
    cp, sp = _cos_sin(-pitch_deg)
    cr, sr = _cos_sin(roll_deg)
    r_yaw = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]])
    r_pitch = np.array([[cp, 0.0, sp], [0.0, 1.0, 0.0], [-sp, 0.0, cp]])
    r_roll = np.array([[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]])
    return rigid(r_yaw @ r_pitch @ r_roll @ _R_BODY_CAMERA, position)


def rigid(rotation: ArrayLike, translation: ArrayLike) -> Matrix:
    """A 4x4 pose from a 3x3 rotation and a translation."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = translation
    return matrix


def inverse(pose: Matrix) -> Matrix:
    """Inverse of a rigid pose, without a general solver."""
    matrix = pose.T.copy()
    matrix[3, :3] = 0.0
    matrix[:3, 3] = -(matrix[:3, :3] * pose[:3, 3]).sum(axis=1)
    return matrix


def product(a: Matrix, b: Matrix) -> Matrix:
    """`a @ b` term by term: bit-identical on every processor, unlike `@`."""
    whole: Matrix = (a[..., :, :, None] * b[..., None, :, :]).sum(axis=-2)
    return whole


def transform(pose: Matrix, points: ArrayLike) -> Matrix:
    """Apply a pose to points of shape (..., 3)."""
    return np.asarray(points, dtype=float) @ pose[:3, :3].T + pose[:3, 3]


def forward(pose: Matrix) -> Vector:
    """Viewing direction of a `T_world_camera` in the world."""
    return pose[:3, 2]


def yaw_deg(pose: Matrix) -> float:
    """Heading of a `T_world_camera`: counter-clockwise from +x, seen from above.

    For a camera that looks straight up or down, the image's up direction gives the heading.
    """
    ahead = pose[:3, 2]
    if math.hypot(ahead[0], ahead[1]) < 1e-6:
        ahead = pose[:3, 1] * np.sign(ahead[2])
    return math.degrees(math.atan2(ahead[1], ahead[0]))


def pitch_deg(pose: Matrix) -> float:
    """Angle by which a `T_world_camera` looks up (positive) or down."""
    return math.degrees(math.asin(float(np.clip(pose[2, 2], -1.0, 1.0))))


def wrap_deg(angle: float) -> float:
    """An angle in (-180, 180]."""
    wrapped = math.fmod(angle, 360.0)
    if wrapped <= -180.0:
        return wrapped + 360.0
    return wrapped - 360.0 if wrapped > 180.0 else wrapped


def quat_wxyz(pose: Matrix) -> Vector:
    """Rotation part of poses (..., 4, 4) as unit quaternions (..., 4), scalar first, with w >= 0."""
    xx, yy, zz = pose[..., 0, 0], pose[..., 1, 1], pose[..., 2, 2]
    x, xs = pose[..., 2, 1] - pose[..., 1, 2], pose[..., 2, 1] + pose[..., 1, 2]
    y, ys = pose[..., 0, 2] - pose[..., 2, 0], pose[..., 0, 2] + pose[..., 2, 0]
    z, zs = pose[..., 1, 0] - pose[..., 0, 1], pose[..., 1, 0] + pose[..., 0, 1]
    # Shepperd's method: start from the largest squared component, to avoid division by small numbers.
    rows = np.array(
        [
            [1 + xx + yy + zz, x, y, z],
            [x, 1 + xx - yy - zz, zs, ys],
            [y, zs, 1 - xx + yy - zz, xs],
            [z, ys, xs, 1 - xx - yy + zz],
        ]
    )
    squared = np.array([rows[k, k] for k in range(4)])
    largest = np.argmax(squared, axis=0)
    quaternion = np.moveaxis(np.take_along_axis(rows, largest[None, None], axis=0)[0], 0, -1)
    quaternion = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    return cast(Vector, np.where(quaternion[..., :1] >= 0, quaternion, -quaternion))


def pose_from_quat_wxyz(quaternion: ArrayLike, translation: ArrayLike) -> Matrix:
    """A pose from a scalar-first quaternion (normalised here) and a translation."""
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    rotation = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return rigid(rotation, translation)


def poses_from_quats_wxyz(quaternions: NDArray[np.float64], translations: ArrayLike) -> NDArray[np.float64]:
    """The same for many (n, 4) and (n, 3), bit-identical: poses (n, 4, 4)."""
    rows = np.ascontiguousarray(quaternions)
    squared = (rows[:, None] @ rows[:, :, None]).reshape(-1)  # as in `np.linalg.norm` of one vector
    w, x, y, z = rows.T / np.sqrt(squared)
    poses = np.tile(np.eye(4), (len(rows), 1, 1))
    poses[:, :3, :3] = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
    poses[:, :3, 3] = translations
    return poses


def _cos_sin(angle_deg: float) -> tuple[float, float]:
    """Cosine and sine, exact at multiples of 90 degrees, so that opposite turns cancel."""
    exact = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}
    wrapped = angle_deg % 360.0
    if wrapped in exact:
        return exact[int(wrapped)]
    radians = math.radians(wrapped)
    return math.cos(radians), math.sin(radians)
