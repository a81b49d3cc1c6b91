"""Rotation of the head between two frames: a coarse guess from the whole image, a fine fit from bearings.

Heads turn about the vertical and nod, whichever way they look: the picture of a camera that looks down rolls
as its wearer turns. Guesses are made of those two angles, `up` being the vertical in the first camera's axes.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.equations import turn_steps, turned_correlations
from situ.perception.odometry.images import ORB_LEVELS, Grey
from situ.perception.odometry.matching import cross_matched

_SMALL_WIDTH = 160
_FEWEST_MATCHES = 15
_SCALES = np.array([8.0, 4.0, 2.0, 1.0, 1.0, 1.0])  # of Cauchy weights, pixels
LEVEL = np.array([0.0, -1.0, 0.0])  # the vertical of a camera that looks straight ahead
_STEEPEST = 0.3  # of the vertical, across the view: a camera that looks down or up altogether only rolls
# Turns that are tried: every so many degrees, up to a share of the view, each also with a nod; the likeliest
# are looked into with smaller steps of both, and the best of those in a larger picture.
_TRIED_DEG, _NODS_DEG, _WIDEST_SHARE, _LIKELIEST = 4.0, (0.0, 6.0), 0.75, (5, 2)
_NEARLY = 0.93  # of the best likeness: what is as likely may be as right
_FINER_DEG = ((2.0, 3.0), (1.0, 1.5), (0.5, 0.75))
_SAME_PICTURE = 0.9  # correlation from which on a better turn would change little of where corners are sought
_LEAST_SHARED = 0.2  # of a picture, for two of them to be compared
_SAME_TURN = 0.05  # image-plane units: about 3 degrees, room for parallax


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """A small, smoothed copy of a frame with the camera that fits it."""

    pixels: NDArray[np.float32]
    camera: Camera

    @classmethod
    def of(cls, grey: Grey, camera: Camera) -> "Thumbnail":
        """Of a frame of that camera, or of one at half its size."""
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
    """The rotation nearest to a matrix that should be one.

    Poses are chained through transposes, and each use of a transpose as an inverse triples what the
    rounding has added; without this, a few hundred frames of turning end in nonsense.
    """
    u, _, vt = np.linalg.svd(matrix)
    rotation: Matrix = u @ vt
    return rotation


def angle_deg(rotation: Matrix) -> float:
    """How far a rotation turns."""
    return float(np.degrees(np.arccos(np.clip((np.trace(rotation) - 1) / 2, -1.0, 1.0))))


def head_turns(angles: Matrix, up: Vector) -> NDArray[np.float64]:
    """`R_after_before` (n, 3, 3) of turns about the vertical and nods (n, 2), in radians; to the right and up
    are what move the picture to the right and down."""
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
    """The candidate `R_after_before` under which the two small images agree best, and their correlation.

    Candidates are: no turn, the expected turn, and, where neither shows much the same picture, the shift that
    phase correlation finds (large head turns).
    """
    candidates = [np.eye(3), expected]
    scores = [agreement(before, after, turn) for turn in candidates]
    if max(scores) < _SAME_PICTURE:
        candidates.append(_shifted(before, after, up))
        scores.append(agreement(before, after, candidates[-1]))
    best = int(np.argmax(scores))
    return candidates[best], scores[best]


def _shifted(before: Thumbnail, after: Thumbnail, up: Vector) -> Matrix:
    """The turn `R_after_before` that would shift the whole picture as it was shifted."""
    window = _hanning(*before.pixels.shape)
    # phaseCorrelate's own window argument writes into the images that it is given, so they are copied here.
    shift, _ = cv2.phaseCorrelate(
        *(window * (image.pixels - image.pixels.mean()) for image in (before, after))
    )
    flat = np.array([shift]) / [before.camera.fx, before.camera.fy]
    return np.asarray(head_turns(_angles(np.arctan(flat), up), up)[0])


def _angles(shifts: Matrix, up: Vector) -> Matrix:
    """Turns about the vertical and nods that shift the middle of the picture by as many radians."""
    return shifts / [max(float(-up[1]), _STEEPEST), 1.0]


@lru_cache(maxsize=2)
def _hanning(rows: int, columns: int) -> NDArray[np.float32]:
    window: NDArray[np.float32] = cv2.createHanningWindow((columns, rows), cv2.CV_32F)
    return window


@dataclass(frozen=True, eq=False)
class Corners:
    """Of a frame at half its size, and their descriptions."""

    pixels: Matrix
    descriptors: NDArray[np.uint8]

    @classmethod
    def of(cls, grey: Grey) -> "Corners":
        size = grey.shape[1] // 2, grey.shape[0] // 2
        smaller = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        found, described = cv2.ORB.create(500, *ORB_LEVELS).detectAndCompute(smaller, None)
        if described is None:
            return cls(np.zeros((0, 2)), np.zeros((0, 32), np.uint8))
        return cls(np.array([corner.pt for corner in found]), described)


def matched_turn(before: Corners, after: Corners, camera: Camera, up: Vector = LEVEL) -> Matrix | None:
    """`R_after_before` from matched corners: slower, for turns that whole images do not reveal."""
    half = camera.resized(camera.width // 2, camera.height // 2)
    both = (before, after)
    if min(len(one.pixels) for one in both) < _FEWEST_MATCHES:
        return None
    points = [(one.pixels + 0.5 - [half.cx, half.cy]) / [half.fx, half.fy] for one in both]
    descriptors = [one.descriptors for one in both]
    rows_before, rows_after, _ = cross_matched(*descriptors)
    if len(rows_before) < _FEWEST_MATCHES:
        return None
    first, second = points[0][rows_before], points[1][rows_after]
    # One match gives a turn, as heads hardly roll; the turn that most other matches share is the guess.
    turns = head_turns(_angles(np.arctan(second) - np.arctan(first), up), up)
    turned = np.concatenate([first, np.ones((len(first), 1))], axis=1) @ turns.transpose(0, 2, 1)
    gaps = turned[..., :2] / turned[..., 2:] - second
    support = np.sum(gaps[..., 0] ** 2 + gaps[..., 1] ** 2 < _SAME_TURN**2, axis=1)
    best = int(np.argmax(support))
    return np.asarray(turns[best]) if support[best] >= _FEWEST_MATCHES else None


def searched_turns(before: Thumbnail, after: Thumbnail, up: Vector = LEVEL) -> NDArray[np.float64]:
    """`R_after_before` (n, 3, 3) by trying, the likeliest first: for quick turns that leave little in common,
    of which neither a shift of the whole image nor matched corners tell. Heads that turn so quickly turn
    sideways. Of a picture that shows little, many turns may be about as likely."""
    before, after = before.halved(), after.halved()
    smaller = before.halved(), after.halved()
    widest = _WIDEST_SHARE * 2 * np.degrees(np.arctan(before.camera.width / 2 / before.camera.fx))
    turns = np.arange(-widest, widest + 1e-6, _TRIED_DEG)
    tried, scores = _likeliest(*smaller, np.stack([turns, np.zeros_like(turns)], 1), _NODS_DEG, up)
    others = tried[scores > _NEARLY * scores.max()]
    beside = np.pad(scores, 1, constant_values=-np.inf)
    peaks = np.flatnonzero((scores >= beside[:-2]) & (scores >= beside[2:]))
    likely = tried[peaks[np.argsort(-scores[peaks])[: _LIKELIEST[0]]]]
    likely, scores = _likeliest(*smaller, likely, _FINER_DEG[0], up)
    likely = likely[np.argsort(-scores)[: _LIKELIEST[1]]]
    for steps in _FINER_DEG[1:]:
        likely, scores = _likeliest(before, after, likely, steps, up)
    return head_turns(np.radians(np.concatenate([likely[np.argsort(-scores)[:1]], others])), up)


def _likeliest(
    before: Thumbnail, after: Thumbnail, angles_deg: Matrix, steps_deg: tuple[float, float], up: Vector
) -> tuple[Matrix, Vector]:
    """The best of each turn and nod (n, 2) and those one step beside it, and how likely it is."""
    steps = np.stack(np.meshgrid(*([-1.0, 0.0, 1.0] if step else [0.0] for step in steps_deg)), -1)
    tried = angles_deg[:, None] + steps.reshape(-1, 2) * steps_deg
    scores = _likeness(before, after, tried.reshape(-1, 2), up).reshape(tried.shape[:2])
    return tried[np.arange(len(tried)), scores.argmax(axis=1)], scores.max(axis=1)


def _likeness(before: Thumbnail, after: Thumbnail, angles_deg: Matrix, up: Vector) -> Vector:
    """Of two small images under each of the turns: correlations, weighed by how much they share, since the
    less is shared the more agrees by chance (Fisher's z)."""
    turns = head_turns(np.radians(angles_deg), up)
    told, shared = turned_correlations(before.pixels, after.pixels, turns, _lens(before), _LEAST_SHARED)
    likeness: Vector = np.arctanh(np.clip(told, -0.99, 0.99)) * np.sqrt(shared)
    return likeness


def agreement(before: Thumbnail, after: Thumbnail, turn: Matrix) -> float:
    """Correlation of two small images, one turned towards the other; -1 if they hardly overlap."""
    told, _ = turned_correlations(before.pixels, after.pixels, turn[None], _lens(before), _LEAST_SHARED)
    return float(told[0])


def _lens(picture: Thumbnail) -> tuple[float, float, float, float]:
    return picture.camera.fx, picture.camera.fy, picture.camera.cx, picture.camera.cy


def fit_rotation(before: Matrix, after: Matrix, start: Matrix, focal: float) -> tuple[Matrix, Vector]:
    """`R_after_before` from bearings (n, 2) by robust least squares, and each bearing's residual in pixels.

    The Cauchy scale shrinks from coarse to fine, so that the majority that only turned wins over what moved.
    """
    turn, residuals = turn_steps(
        np.ascontiguousarray(before), np.ascontiguousarray(after), nearest_rotation(start), focal, _SCALES
    )
    return turn, residuals
