"""The ground: the one surface whose distance is known without measuring, because eyes stay at one height.

A point of the ground seen along `ray` (z = 1) from height H with up direction n has inverse depth
-(n . ray) / H, which is linear in n / H. So the plane is fitted to inverse depths, whose noise is even.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.tracks import Pixels
from situ.perception.odometry.turning import exp_rotation

Mask = NDArray[np.bool_]
# Nothing can be told from points this close to the horizon (sine of the angle below it).
LOWEST_SINE = 0.06
_NEIGHBOURS = 3
STEEPEST, _BOB_M = 0.12, 0.04


@dataclass(frozen=True, eq=False)
class Plane:
    """The ground in camera axes: `up` (unit), the eyes' height above it, and how well both are known."""

    up: Vector
    height: float
    tilt_sigma: Vector  # radians: sideways (roll) and along the view (pitch)
    height_sigma: float  # relative


@dataclass(frozen=True, eq=False)
class Ground:
    """A plane that was found, and which of the points lie on it."""

    plane: Plane
    inliers: Mask


def inverse_depth_on(plane_up: Vector, height: float, rays: Matrix) -> Vector:
    """Inverse depth of the ground along rays; not positive at and above the horizon."""
    return -(rays @ plane_up) / height


def guess_ground(
    points: Pixels, rays: Matrix, up: Vector, neighbours: Pixels, on_ground: Mask, within: float = 0.2
) -> Mask:
    """Which new points to take for ground: those below the horizon most of whose neighbours lie on it.

    Neighbours count up to a distance of `within` image widths (in units of the largest pixel coordinate).
    """
    if len(points) == 0 or len(neighbours) < _NEIGHBOURS:
        return np.zeros(len(points), np.bool_)
    below = -(rays @ up) / np.linalg.norm(rays, axis=1) > LOWEST_SINE
    gaps = np.linalg.norm(points[:, None] - neighbours[None], axis=2)
    nearest = np.argpartition(gaps, _NEIGHBOURS - 1, axis=1)[:, :_NEIGHBOURS]
    votes = on_ground[nearest].sum(axis=1)
    near = gaps.min(axis=1) < within * max(float(points.max()), 1.0)
    guessed: Mask = below & near & (2 * votes > _NEIGHBOURS)
    return guessed


def walkable(up: Vector, motion: Vector) -> bool:
    """Whether a motion goes along the ground, as walking does: it may climb a little, bobs included.

    A table's edge or a shelf can look like a tilted ground; nobody walks up it.
    """
    length = float(np.linalg.norm(motion))
    return length < 1e-6 or abs(float(up @ motion)) < STEEPEST * length + _BOB_M


def turn_between(first: Vector, second: Vector) -> Matrix:
    """The smallest rotation that takes one unit vector to another."""
    axis = np.cross(first, second)
    sine, cosine = float(np.linalg.norm(axis)), float(first @ second)
    if sine < 1e-12:
        return np.eye(3)
    return exp_rotation(axis / sine * np.arctan2(sine, cosine))
