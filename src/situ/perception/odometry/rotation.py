"""Camera rotation between two frames: coarse guesses from whole images, and a fit to bearings.

Heads turn about the vertical (yaw) and nod (pitch). Guesses use these two angles, with `up` as the vertical
in axes of the first camera; a camera that looks down then rolls in the image when the wearer turns.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.images import Grey
from situ.perception.odometry.least_squares import turn_steps, turned_correlations
from situ.perception.odometry.orb import Corners, cross_matched

_SMALL_WIDTH = 160  # pixels of a thumbnail
_MIN_MATCHES = 15  # of corners, in support of a rotation
_SCALES = np.array([8.0, 4.0, 2.0, 1.0, 1.0, 1.0])  # Cauchy scales in pixels
LEVEL = np.array([0.0, -1.0, 0.0])  # up of a camera that looks straight ahead
_MIN_UPRIGHT = 0.3  # image component of the vertical; looking straight down, a yaw only rolls the image
# Search grid: yaw steps up to a share of the field of view, each with two pitches; the best few are refined
# with smaller steps, and the best of those at a larger image size.
_YAW_STEP_DEG, _PITCHES_DEG, _MAX_YAW_SHARE, _REFINED = 4.0, (0.0, 6.0), 0.75, (5, 2)
_NEARLY = 0.93  # of the best score: such candidates are returned too
_FINER_DEG = ((2.0, 3.0), (1.0, 1.5), (0.5, 0.75))
_SAME_PICTURE = 0.9  # correlation above which a better rotation would hardly change the tracking guesses
_MIN_OVERLAP = 0.2  # of two images to be compared
_SAME_ROTATION = 0.05  # image-plane units, about 3 degrees: leaves room for parallax


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """Small, smoothed copy of a frame with a matching camera."""

    pixels: NDArray[np.float32]
    camera: Camera

    @classmethod
    def of(cls, grey: Grey, camera: Camera) -> "Thumbnail":
        """Thumbnail of a frame of that camera, or of one at half its size."""
        width = min(_SMALL_WIDTH, camera.width)
        height = max(8, round(camera.height * width / camera.width))
        small = cv2.GaussianBlur(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), (0, 0), 1.0)
        return cls(small.astype(np.float32), camera.resized(width, height))

    def halved(self) -> "Thumbnail":
        smaller = cv2.pyrDown(self.pixels)
        return Thumbnail(smaller, self.camera.resized(smaller.shape[1], smaller.shape[0]))


def exp_rotation(vector: Vector) -> Matrix:
    """Rotation matrix of a rotation vector (radians)."""
    matrix: Matrix = cv2.Rodrigues(np.asarray(vector, dtype=float).reshape(3, 1))[0]
    return matrix


def nearest_rotation(matrix: Matrix) -> Matrix:
    """Nearest orthonormal matrix.

    Chains of poses use transposes as inverses, which triples rounding errors each time; without this
    correction a few hundred rotated frames diverge.
    """
    u, _, vt = np.linalg.svd(matrix)
    rotation: Matrix = u @ vt
    return rotation


def angle_deg(rotation: Matrix) -> float:
    """Angle of a rotation in degrees."""
    return float(np.degrees(np.arccos(np.clip((np.trace(rotation) - 1) / 2, -1.0, 1.0))))


def head_turns(angles: Matrix, up: Vector) -> NDArray[np.float64]:
    """`R_after_before` (n, 3, 3) of yaw and pitch angles (n, 2) in radians.

    Positive angles move the image content to the right and down.
    """
    x, y, z = up
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    yaw, nod = angles.T
    turns = (
        np.eye(3) - np.multiply.outer(np.sin(yaw), cross) + np.multiply.outer(1 - np.cos(yaw), cross @ cross)
    )
    nods = np.zeros((len(angles), 3, 3))
    nods[:, 0, 0] = 1.0
    nods[:, 1, 1] = nods[:, 2, 2] = np.cos(nod)
    nods[:, 1, 2], nods[:, 2, 1] = np.sin(nod), -np.sin(nod)
    made: NDArray[np.float64] = nods @ turns
    return made


def coarse_turn(
    before: Thumbnail, after: Thumbnail, expected: Matrix, up: Vector = LEVEL
) -> tuple[Matrix, float]:
    """Best `R_after_before` of a few candidates by image correlation, and the correlation.

    Candidates: no rotation, the expected one, and, if neither correlates well, the shift found by phase
    correlation (large head rotations).
    """
    candidates = [np.eye(3), expected]
    scores = [agreement(before, after, turn) for turn in candidates]
    if max(scores) < _SAME_PICTURE:
        candidates.append(_shifted(before, after, up))
        scores.append(agreement(before, after, candidates[-1]))
    best = int(np.argmax(scores))
    return candidates[best], scores[best]


def _shifted(before: Thumbnail, after: Thumbnail, up: Vector) -> Matrix:
    """`R_after_before` from the shift of the whole image by phase correlation."""
    window = _hanning(*before.pixels.shape)
    # phaseCorrelate writes into its arguments if it gets a window, so the window is applied to copies.
    shift, _ = cv2.phaseCorrelate(
        *(window * (image.pixels - image.pixels.mean()) for image in (before, after))
    )
    flat = np.array([shift]) / [before.camera.fx, before.camera.fy]
    return np.asarray(head_turns(_angles(np.arctan(flat), up), up)[0])


def _angles(shifts: Matrix, up: Vector) -> Matrix:
    """Yaw and pitch angles that shift the image centre by the given angles (radians)."""
    return shifts / [max(float(-up[1]), _MIN_UPRIGHT), 1.0]


@lru_cache(maxsize=2)
def _hanning(rows: int, columns: int) -> NDArray[np.float32]:
    window: NDArray[np.float32] = cv2.createHanningWindow((columns, rows), cv2.CV_32F)
    return window


def matched_turn(before: Corners, after: Corners, camera: Camera, up: Vector = LEVEL) -> Matrix | None:
    """`R_after_before` from matched corners: slower, for rotations that whole images do not reveal."""
    half = camera.resized(camera.width // 2, camera.height // 2)
    both = (before, after)
    if min(len(one.pixels) for one in both) < _MIN_MATCHES:
        return None
    points = [(one.pixels + 0.5 - [half.cx, half.cy]) / [half.fx, half.fy] for one in both]
    descriptors = [one.descriptors for one in both]
    rows_before, rows_after, _ = cross_matched(*descriptors)
    if len(rows_before) < _MIN_MATCHES:
        return None
    first, second = points[0][rows_before], points[1][rows_after]
    # One match gives a rotation, since heads hardly roll; the rotation with most support wins.
    turns = head_turns(_angles(np.arctan(second) - np.arctan(first), up), up)
    turned = np.concatenate([first, np.ones((len(first), 1))], axis=1) @ turns.transpose(0, 2, 1)
    gaps = turned[..., :2] / turned[..., 2:] - second
    support = np.sum(gaps[..., 0] ** 2 + gaps[..., 1] ** 2 < _SAME_ROTATION**2, axis=1)
    best = int(np.argmax(support))
    return np.asarray(turns[best]) if support[best] >= _MIN_MATCHES else None


def searched_turns(before: Thumbnail, after: Thumbnail, up: Vector = LEVEL) -> NDArray[np.float64]:
    """`R_after_before` (n, 3, 3) by grid search, best first.

    For fast rotations with little overlap, where phase correlation and corner matching fail. Such rotations
    are mostly yaw. An image with little content may leave several candidates.
    """
    before, after = before.halved(), after.halved()
    smaller = before.halved(), after.halved()
    widest = _MAX_YAW_SHARE * 2 * np.degrees(np.arctan(before.camera.width / 2 / before.camera.fx))
    turns = np.arange(-widest, widest + 1e-6, _YAW_STEP_DEG)
    tried, scores = _likeliest(*smaller, np.stack([turns, np.zeros_like(turns)], 1), _PITCHES_DEG, up)
    others = tried[scores > _NEARLY * scores.max()]
    beside = np.pad(scores, 1, constant_values=-np.inf)
    peaks = np.flatnonzero((scores >= beside[:-2]) & (scores >= beside[2:]))
    likely = tried[peaks[np.argsort(-scores[peaks])[: _REFINED[0]]]]
    likely, scores = _likeliest(*smaller, likely, _FINER_DEG[0], up)
    likely = likely[np.argsort(-scores)[: _REFINED[1]]]
    for steps in _FINER_DEG[1:]:
        likely, scores = _likeliest(before, after, likely, steps, up)
    return head_turns(np.radians(np.concatenate([likely[np.argsort(-scores)[:1]], others])), up)


def _likeliest(
    before: Thumbnail, after: Thumbnail, angles_deg: Matrix, steps_deg: tuple[float, float], up: Vector
) -> tuple[Matrix, Vector]:
    """For each pair of angles (n, 2): the best of it and its neighbours, and the score."""
    steps = np.stack(np.meshgrid(*([-1.0, 0.0, 1.0] if step else [0.0] for step in steps_deg)), -1)
    tried = angles_deg[:, None] + steps.reshape(-1, 2) * steps_deg
    scores = _likeness(before, after, tried.reshape(-1, 2), up).reshape(tried.shape[:2])
    return tried[np.arange(len(tried)), scores.argmax(axis=1)], scores.max(axis=1)


def _likeness(before: Thumbnail, after: Thumbnail, angles_deg: Matrix, up: Vector) -> Vector:
    """Scores of rotations: Fisher z of the correlation, weighted by the overlap.

    A small overlap correlates by chance more easily.
    """
    turns = head_turns(np.radians(angles_deg), up)
    correlations, shared = turned_correlations(
        before.pixels, after.pixels, turns, _lens(before), _MIN_OVERLAP
    )
    likeness: Vector = np.arctanh(np.clip(correlations, -0.99, 0.99)) * np.sqrt(shared)
    return likeness


def agreement(before: Thumbnail, after: Thumbnail, turn: Matrix) -> float:
    """Correlation of two thumbnails under a rotation; -1 if they hardly overlap."""
    correlations, _ = turned_correlations(
        before.pixels, after.pixels, turn[None], _lens(before), _MIN_OVERLAP
    )
    return float(correlations[0])


def _lens(picture: Thumbnail) -> tuple[float, float, float, float]:
    return picture.camera.fx, picture.camera.fy, picture.camera.cx, picture.camera.cy


def fit_rotation(before: Matrix, after: Matrix, start: Matrix, focal: float) -> tuple[Matrix, Vector]:
    """`R_after_before` from bearings (n, 2) by robust least squares, and residuals in pixels.

    The Cauchy scale shrinks, so that the majority of purely rotating points outvotes moving ones.
    """
    turn, residuals = turn_steps(
        np.ascontiguousarray(before), np.ascontiguousarray(after), nearest_rotation(start), focal, _SCALES
    )
    return turn, residuals
