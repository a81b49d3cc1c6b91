"""Ground plane: the surface whose distance is known without measurement, from the eye height.

A ground point along `ray` (z = 1), from height H with up direction n, has inverse depth -(n . ray) / H. This
is linear in n / H, so the plane is fitted to inverse depths, whose noise is homogeneous.
"""

from dataclasses import dataclass, replace

import numpy as np

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.images import Mask, Pixels
from situ.perception.odometry.least_squares import PlaneEstimate, PlanePoints, plane_steps, tangents
from situ.perception.odometry.rotation import exp_rotation

MIN_SINE_BELOW_HORIZON = 0.06  # rays closer to the horizon are not used
MAX_SLOPE = 0.12  # of a walkable motion
_BOB_M = 0.04  # vertical head motion while walking
_NEIGHBOURS = 3  # nearest tracked points that vote on a new point
_UNEVEN = 0.03  # relative deviation of real ground from a plane: kerbs, grass, slopes
_MIN_POINTS, _MIN_INLIER_SHARE = 12, 0.3  # of a plane
_HYPOTHESES = 250  # planes through three random points
_INLIER_SIGMAS = 3.0  # largest residual of an inlier
# Standard deviation of the climb on a walk: bobbing (in eye heights), and a share of the path. A deviation of
# one sigma costs a plane this many inliers; neighbouring points share errors, so it takes several.
_BOB_HEIGHTS, _CLIMB_SHARE, _INLIERS_PER_SIGMA2 = 0.0125, 0.05, 5.0
_NO_MOTION = np.zeros(3)
# In eye heights: the path over which bobbing does not hide a slope; the distance at which ground is mostly
# seen.
MIN_PATH_HEIGHTS, _AHEAD_HEIGHTS = 0.5, 3.0
_MIN_RELATIVE_SUPPORT = 0.8  # of the best plane's inliers, for a plane of another tilt to be considered


@dataclass(frozen=True, eq=False)
class GroundPlane:
    """Ground plane in camera axes: unit normal `up`, eye height, and their standard deviations."""

    up: Vector
    height: float
    tilt_sigma: Vector  # radians: sideways (roll) and along the view (pitch)
    height_sigma: float  # relative


@dataclass(frozen=True, eq=False)
class GroundFit:
    """A fitted plane and the mask of its inliers."""

    plane: GroundPlane
    inliers: Mask


def inverse_depth_on(plane_up: Vector, height: float, rays: Matrix) -> Vector:
    """Inverse depth of the ground along rays; not positive at and above the horizon."""
    return -(rays @ plane_up) / height


def guess_ground_points(
    points: Pixels, rays: Matrix, up: Vector, neighbours: Pixels, on_ground: Mask, within: float = 0.2
) -> Mask:
    """Mask of new points that probably lie on the ground: below the horizon, with neighbours on the ground.

    Neighbours count up to a distance of `within` image widths (in units of the largest pixel coordinate).
    """
    if len(points) == 0 or len(neighbours) < _NEIGHBOURS:
        return np.zeros(len(points), np.bool_)
    below = -(rays @ up) / np.linalg.norm(rays, axis=1) > MIN_SINE_BELOW_HORIZON
    gaps = np.linalg.norm(points[:, None] - neighbours[None], axis=2)
    nearest = np.argpartition(gaps, _NEIGHBOURS - 1, axis=1)[:, :_NEIGHBOURS]
    votes = on_ground[nearest].sum(axis=1)
    near = gaps.min(axis=1) < within * max(float(points.max()), 1.0)
    guessed: Mask = below & near & (2 * votes > _NEIGHBOURS)
    return guessed


def is_walkable(up: Vector, motion: Vector) -> bool:
    """Whether a motion follows the ground with little climb; head bobbing is tolerated.

    The edge of a table or a shelf can look like a tilted ground, which nobody walks up.
    """
    length = float(np.linalg.norm(motion))
    return length < 1e-6 or abs(float(up @ motion)) < MAX_SLOPE * length + _BOB_M


def turn_between(first: Vector, second: Vector) -> Matrix:
    """Smallest rotation that takes one unit vector to another."""
    axis = np.cross(first, second)
    sine, cosine = float(np.linalg.norm(axis)), float(first @ second)
    if sine < 1e-12:
        return np.eye(3)
    return exp_rotation(axis / sine * np.arctan2(sine, cosine))


def find_ground(
    rays: Matrix,
    inverse_depth: Vector,
    sigma: Vector,
    expected: GroundPlane,
    rng: np.random.Generator,
    motion: Vector = _NO_MOTION,
) -> GroundFit | None:
    """Plane near the expected one with most inliers below the horizon, or None.

    `motion`: recent translation in camera axes, which should follow the plane.
    """
    noise = np.hypot(sigma, _UNEVEN * inverse_depth)
    slack = 3 * float(expected.tilt_sigma.max())
    below = -(rays @ expected.up) / np.linalg.norm(rays, axis=1) > MIN_SINE_BELOW_HORIZON - min(slack, 0.3)
    usable = below & (noise < 0.35 * inverse_depth)
    if usable.sum() < _MIN_POINTS:
        return None
    one = _hypotheses(rays[usable], inverse_depth[usable], expected, rng)
    level = _with_level_motion(expected, motion)
    other = one[:0] if level is None else _at_points(rays[usable], inverse_depth[usable], level)
    candidates = np.concatenate([one, other])
    # Score: inliers, minus points below the plane, minus a penalty for climbing. Points on bushes or stones
    # can look like a tilted ground as large as the true one.
    gaps = (inverse_depth[usable] - candidates @ rays[usable].T) / noise[usable]
    depth_of_plane = candidates @ rays[usable].T
    support = np.sum((np.abs(gaps) < _INLIER_SIGMAS) & (depth_of_plane > 0), axis=1)
    beneath = np.sum((gaps < -2 * _INLIER_SIGMAS) & (depth_of_plane > 0), axis=1)
    climbed = candidates @ motion  # in eye heights, like the path
    usual = np.hypot(_BOB_HEIGHTS, _CLIMB_SHARE * np.linalg.norm(candidates, axis=1) * np.linalg.norm(motion))
    nearly = (
        _MIN_RELATIVE_SUPPORT * support[: len(one)].max()
    )  # planes of another tilt need nearly as many inliers
    support[len(one) :] = np.where(support[len(one) :] < nearly, 0, support[len(one) :])
    best = int(np.argmax(support - beneath - _INLIERS_PER_SIGMA2 * (climbed / usual) ** 2))
    near = expected if level is None or best < len(one) else level
    return _refine(rays, inverse_depth, noise, usable, candidates[best], near)


def _with_level_motion(expected: GroundPlane, motion: Vector) -> GroundPlane | None:
    """Expected plane if the motion was level and its climb comes from a wrong tilt.

    None if the motion is too short, or too steep for walking. A plane with a wrong tilt also has a wrong
    height, by its rise a few eye heights ahead.
    """
    way, climbed = float(np.linalg.norm(motion)), float(expected.up @ motion)
    if way < MIN_PATH_HEIGHTS * expected.height or abs(climbed) > MAX_SLOPE * way:
        return None
    up = expected.up - climbed / way**2 * motion
    up /= np.linalg.norm(up)
    rises = _AHEAD_HEIGHTS * float(np.linalg.norm(up - expected.up))
    return replace(expected, up=up, height_sigma=float(np.hypot(expected.height_sigma, rises)))


def _hypotheses(rays: Matrix, depth: Vector, expected: GroundPlane, rng: np.random.Generator) -> Matrix:
    """Candidate planes as -n / H: the expected tilt at the height of each point, and planes through three
    points."""
    single = _at_points(rays, depth, expected)
    if expected.tilt_sigma.max() < np.radians(2.0):
        return single
    triples = rng.integers(0, len(rays), (_HYPOTHESES, 3))
    solvable = np.abs(np.linalg.det(rays[triples])) > 1e-4
    planes = np.linalg.solve(rays[triples[solvable]], depth[triples[solvable]][..., None])[..., 0]
    size = np.linalg.norm(planes, axis=1)
    side, ahead = tangents(expected.up)
    tilts = np.stack([planes @ side, planes @ ahead], axis=1) / np.maximum(size, 1e-9)[:, None]
    upright = np.all(np.abs(tilts) < np.sin(2.5 * expected.tilt_sigma), axis=1) & (planes @ expected.up < 0)
    fits = np.abs(np.log(np.maximum(size, 1e-9) * expected.height)) < _max_log_ratio(expected)
    both: Matrix = np.concatenate([single, planes[upright & fits]])
    return both


def _at_points(rays: Matrix, depth: Vector, expected: GroundPlane) -> Matrix:
    """Planes of the expected tilt through each point whose height is near the expected one."""
    heights = -(rays @ expected.up) / np.maximum(depth, 1e-6)
    fair = heights[np.abs(np.log(np.maximum(heights, 1e-9) / expected.height)) < _max_log_ratio(expected)]
    planes: Matrix = -expected.up[None] / np.append(fair, expected.height)[:, None]
    return planes


def _max_log_ratio(expected: GroundPlane) -> float:
    """Largest accepted log ratio of a height to the expected one."""
    return 3 * expected.height_sigma + 0.1


def _refine(
    rays: Matrix, depth: Vector, noise: Vector, usable: Mask, start: Vector, expected: GroundPlane
) -> GroundFit | None:
    """Robust least squares on two tilts and the log of the height, with the expected plane as prior."""
    pull = np.append(expected.tilt_sigma, expected.height_sigma) ** -2.0
    size = float(np.linalg.norm(start))
    points = PlanePoints(rays, depth, noise, usable)
    prior = PlaneEstimate(expected.up, expected.height)
    (up, height), normal = plane_steps(points, PlaneEstimate(-start / size, 1.0 / size), prior, pull)
    predicted = inverse_depth_on(up, height, rays)
    inliers = usable & (np.abs(depth - predicted) < _INLIER_SIGMAS * noise) & (predicted > 0)
    if inliers.sum() < _MIN_POINTS or inliers.sum() < _MIN_INLIER_SHARE * usable.sum():
        return None
    # Points triangulated from the same poses share errors, so only a tenth of their information counts.
    covariance = np.linalg.inv(normal / 10 + np.diag(pull))
    spread = np.sqrt(np.diag(covariance))
    return GroundFit(GroundPlane(up, height, spread[:2], float(spread[2])), inliers)
