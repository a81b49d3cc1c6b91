"""The ground: the one surface whose distance is known without measuring, because eyes stay at one height.

A point of the ground seen along `ray` (z = 1) from height H with up direction n has inverse depth
-(n . ray) / H, which is linear in n / H. So the plane is fitted to inverse depths, whose noise is even.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.equations import plane_steps, tangents
from situ.perception.odometry.tracks import Pixels
from situ.perception.odometry.turning import exp_rotation

Mask = NDArray[np.bool_]
# Nothing can be told from points this close to the horizon (sine of the angle below it).
LOWEST_SINE = 0.06
_UNEVEN = 0.03  # relative: kerbs, grass and slopes
_FEWEST = 12
_SMALLEST_SHARE = 0.3
_HYPOTHESES = 250
_INLIER = 3.0
_NEIGHBOURS = 3
_STEEPEST, _BOB_M = 0.12, 0.04
# What walking usually climbs: heights of the eyes by bobbing, and a share of the way. As many points as this
# are needed to outweigh a deviation of it, squared, as neighbouring points share their errors.
_USUAL_BOB, _USUAL_CLIMB, _POINTS_AGAINST = 0.0125, 0.05, 5.0
_NO_MOTION = np.zeros(3)


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


def find_ground(
    rays: Matrix,
    inverse_depth: Vector,
    sigma: Vector,
    expected: Plane,
    rng: np.random.Generator,
    motion: Vector = _NO_MOTION,
) -> Ground | None:
    """The plane near what is expected that most points below the horizon lie on, or None. `motion` (camera
    axes) went along it."""
    noise = np.hypot(sigma, _UNEVEN * inverse_depth)
    slack = 3 * float(expected.tilt_sigma.max())
    below = -(rays @ expected.up) / np.linalg.norm(rays, axis=1) > LOWEST_SINE - min(slack, 0.3)
    usable = below & (noise < 0.35 * inverse_depth)
    if usable.sum() < _FEWEST:
        return None
    candidates = _hypotheses(rays[usable], inverse_depth[usable], expected, rng)
    # Support from points on the plane; points beneath the ground speak against a plane, and so does climbing:
    # what lies on bushes or stones can look like a tilted ground, as large as the true one.
    gaps = (inverse_depth[usable] - candidates @ rays[usable].T) / noise[usable]
    depth_of_plane = candidates @ rays[usable].T
    support = np.sum((np.abs(gaps) < _INLIER) & (depth_of_plane > 0), axis=1)
    beneath = np.sum((gaps < -2 * _INLIER) & (depth_of_plane > 0), axis=1)
    climbed = candidates @ motion  # in heights of the eyes, as is the way
    usual = np.hypot(_USUAL_BOB, _USUAL_CLIMB * np.linalg.norm(candidates, axis=1) * np.linalg.norm(motion))
    best = candidates[int(np.argmax(support - beneath - _POINTS_AGAINST * (climbed / usual) ** 2))]
    return _refine(rays, inverse_depth, noise, usable, best, expected)


def _hypotheses(rays: Matrix, depth: Vector, expected: Plane, rng: np.random.Generator) -> Matrix:
    """Candidate planes as -n / H: the expected tilt at each point's height, and through three points."""
    heights = -(rays @ expected.up) / np.maximum(depth, 1e-6)
    room = 3 * expected.height_sigma + 0.1
    fair = heights[np.abs(np.log(np.maximum(heights, 1e-9) / expected.height)) < room]
    single: Matrix = -expected.up[None] / np.append(fair, expected.height)[:, None]
    if expected.tilt_sigma.max() < np.radians(2.0):
        return single
    triples = rng.integers(0, len(rays), (_HYPOTHESES, 3))
    solvable = np.abs(np.linalg.det(rays[triples])) > 1e-4
    planes = np.linalg.solve(rays[triples[solvable]], depth[triples[solvable]][..., None])[..., 0]
    size = np.linalg.norm(planes, axis=1)
    side, ahead = tangents(expected.up)
    tilts = np.stack([planes @ side, planes @ ahead], axis=1) / np.maximum(size, 1e-9)[:, None]
    upright = np.all(np.abs(tilts) < np.sin(2.5 * expected.tilt_sigma), axis=1) & (planes @ expected.up < 0)
    fits = np.abs(np.log(np.maximum(size, 1e-9) * expected.height)) < room
    both: Matrix = np.concatenate([single, planes[upright & fits]])
    return both


def _refine(
    rays: Matrix, depth: Vector, noise: Vector, usable: Mask, start: Vector, expected: Plane
) -> Ground | None:
    """Robust least squares on (two tilts, log height), pulled towards what was expected."""
    pull = np.append(expected.tilt_sigma, expected.height_sigma) ** -2.0
    size = float(np.linalg.norm(start))
    up, height, normal = plane_steps(
        rays, depth, noise, usable, -start / size, 1.0 / size, expected.up, expected.height, pull
    )
    predicted = inverse_depth_on(up, height, rays)
    inliers = usable & (np.abs(depth - predicted) < _INLIER * noise) & (predicted > 0)
    if inliers.sum() < _FEWEST or inliers.sum() < _SMALLEST_SHARE * usable.sum():
        return None
    # Neighbouring points share errors of the pose they were triangulated from, so count a tenth of them.
    covariance = np.linalg.inv(normal / 10 + np.diag(pull))
    spread = np.sqrt(np.diag(covariance))
    return Ground(Plane(up, height, spread[:2], float(spread[2])), inliers)


def walkable(up: Vector, motion: Vector) -> bool:
    """Whether a motion goes along the ground, as walking does: it may climb a little, bobs included.

    A table's edge or a shelf can look like a tilted ground; nobody walks up it.
    """
    length = float(np.linalg.norm(motion))
    return length < 1e-6 or abs(float(up @ motion)) < _STEEPEST * length + _BOB_M


def turn_between(first: Vector, second: Vector) -> Matrix:
    """The smallest rotation that takes one unit vector to another."""
    axis = np.cross(first, second)
    sine, cosine = float(np.linalg.norm(axis)), float(first @ second)
    if sine < 1e-12:
        return np.eye(3)
    return exp_rotation(axis / sine * np.arctan2(sine, cosine))
