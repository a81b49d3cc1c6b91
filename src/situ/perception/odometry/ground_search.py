"""Looking for the ground among points whose depths are known: near where it is expected, or where a walk says
that it must be.
"""

from dataclasses import replace

import numpy as np

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.equations import plane_steps, tangents
from situ.perception.odometry.ground import LOWEST_SINE, STEEPEST, Ground, Plane, inverse_depth_on
from situ.perception.odometry.tracks import Mask

_UNEVEN = 0.03  # relative: kerbs, grass and slopes
_FEWEST = 12
_SMALLEST_SHARE = 0.3
_HYPOTHESES = 250
_INLIER = 3.0
# What walking usually climbs: heights of the eyes by bobbing, and a share of the way. As many points as this
# are needed to outweigh a deviation of it, squared, as neighbouring points share their errors.
_USUAL_BOB, _USUAL_CLIMB, _POINTS_AGAINST = 0.0125, 0.05, 5.0
_NO_MOTION = np.zeros(3)
# In heights of the eyes: over shorter ways bobs hide a slope; and how far ahead the ground is mostly seen.
LEAST_WAY, _AHEAD, _NEARLY = 0.5, 3.0, 0.8


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
    one = _hypotheses(rays[usable], inverse_depth[usable], expected, rng)
    level = _levelled(expected, motion)
    other = one[:0] if level is None else _at_points(rays[usable], inverse_depth[usable], level)
    candidates = np.concatenate([one, other])
    # Support from points on the plane; points beneath the ground speak against a plane, and so does climbing:
    # what lies on bushes or stones can look like a tilted ground, as large as the true one.
    gaps = (inverse_depth[usable] - candidates @ rays[usable].T) / noise[usable]
    depth_of_plane = candidates @ rays[usable].T
    support = np.sum((np.abs(gaps) < _INLIER) & (depth_of_plane > 0), axis=1)
    beneath = np.sum((gaps < -2 * _INLIER) & (depth_of_plane > 0), axis=1)
    climbed = candidates @ motion  # in heights of the eyes, as is the way
    usual = np.hypot(_USUAL_BOB, _USUAL_CLIMB * np.linalg.norm(candidates, axis=1) * np.linalg.norm(motion))
    nearly = _NEARLY * support[: len(one)].max()  # less support is no reason to believe in another tilt
    support[len(one) :] = np.where(support[len(one) :] < nearly, 0, support[len(one) :])
    best = int(np.argmax(support - beneath - _POINTS_AGAINST * (climbed / usual) ** 2))
    near = expected if level is None or best < len(one) else level
    return _refine(rays, inverse_depth, noise, usable, candidates[best], near)


def _levelled(expected: Plane, motion: Vector) -> Plane | None:
    """What to expect if the motion was level and the tilt is to blame for its climbing; None if it was too
    short or too steep for a walk. A ground that was tilted by mistake was at a wrong height, too: by as much
    as it rises a few heights ahead."""
    way, climbed = float(np.linalg.norm(motion)), float(expected.up @ motion)
    if way < LEAST_WAY * expected.height or abs(climbed) > STEEPEST * way:
        return None
    up = expected.up - climbed / way**2 * motion
    up /= np.linalg.norm(up)
    rises = _AHEAD * float(np.linalg.norm(up - expected.up))
    return replace(expected, up=up, height_sigma=float(np.hypot(expected.height_sigma, rises)))


def _hypotheses(rays: Matrix, depth: Vector, expected: Plane, rng: np.random.Generator) -> Matrix:
    """Candidate planes as -n / H: the expected tilt at each point's height, and through three points."""
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
    fits = np.abs(np.log(np.maximum(size, 1e-9) * expected.height)) < _room(expected)
    both: Matrix = np.concatenate([single, planes[upright & fits]])
    return both


def _at_points(rays: Matrix, depth: Vector, expected: Plane) -> Matrix:
    """Planes of the expected tilt through each point, if that gives about the expected height."""
    heights = -(rays @ expected.up) / np.maximum(depth, 1e-6)
    fair = heights[np.abs(np.log(np.maximum(heights, 1e-9) / expected.height)) < _room(expected)]
    planes: Matrix = -expected.up[None] / np.append(fair, expected.height)[:, None]
    return planes


def _room(expected: Plane) -> float:
    """How far the log of a height may be from what is expected."""
    return 3 * expected.height_sigma + 0.1


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
