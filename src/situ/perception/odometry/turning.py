"""Rotation of the head between two frames: a coarse guess from the whole image, a fine fit from bearings."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.equations import turn_steps, turned_correlation
from situ.perception.odometry.images import ORB_LEVELS, Grey
from situ.perception.odometry.matching import cross_matched

_SMALL_WIDTH = 160
_FEWEST_MATCHES = 15
_SCALES = np.array([8.0, 4.0, 2.0, 1.0, 1.0, 1.0])  # of Cauchy weights, pixels
_TRIED_DEG, _WIDEST_SHARE = (
    4.0,
    0.75,
)  # turns that are tried: every so many degrees, up to a share of the view
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


def coarse_turn(before: Thumbnail, after: Thumbnail, expected: Matrix) -> tuple[Matrix, float]:
    """The candidate `R_after_before` under which the two small images agree best, and their correlation.

    Candidates are: no turn, the expected turn, and, where neither shows much the same picture, the shift that
    phase correlation finds (large head turns).
    """
    candidates = [np.eye(3), expected]
    scores = [agreement(before, after, turn) for turn in candidates]
    if max(scores) < _SAME_PICTURE:
        candidates.append(_shifted(before, after))
        scores.append(agreement(before, after, candidates[-1]))
    best = int(np.argmax(scores))
    return candidates[best], scores[best]


def _shifted(before: Thumbnail, after: Thumbnail) -> Matrix:
    """The turn `R_after_before` that would shift the whole picture as it was shifted."""
    window = _hanning(*before.pixels.shape)
    # phaseCorrelate's own window argument writes into the images that it is given, so they are copied here.
    shift, _ = cv2.phaseCorrelate(
        *(window * (image.pixels - image.pixels.mean()) for image in (before, after))
    )
    yaw = np.arctan(shift[0] / before.camera.fx)
    pitch = np.arctan(shift[1] / before.camera.fy)
    return exp_rotation(np.array([-pitch, yaw, 0.0]))


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


def matched_turn(before: Corners, after: Corners, camera: Camera) -> Matrix | None:
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
    yaw, pitch = (np.arctan(second) - np.arctan(first)).T
    turns = Rotation.from_rotvec(np.stack([-pitch, yaw, np.zeros_like(yaw)], axis=1)).as_matrix()
    turned = np.concatenate([first, np.ones((len(first), 1))], axis=1) @ turns.transpose(0, 2, 1)
    gaps = turned[..., :2] / turned[..., 2:] - second
    support = np.sum(gaps[..., 0] ** 2 + gaps[..., 1] ** 2 < _SAME_TURN**2, axis=1)
    best = int(np.argmax(support))
    return np.asarray(turns[best]) if support[best] >= _FEWEST_MATCHES else None


def searched_turn(before: Thumbnail, after: Thumbnail) -> Matrix:
    """`R_after_before` by trying: for quick turns that leave little in common, of which neither a shift of
    the whole image nor matched corners tell. Heads that turn so quickly turn sideways."""
    before, after = before.halved(), after.halved()
    view = 2 * np.degrees(np.arctan(before.camera.width / 2 / before.camera.fx))

    def best(candidates: list[tuple[float, float]]) -> tuple[float, float]:
        scores = [
            agreement(before, after, exp_rotation(np.radians([-pitch, yaw, 0.0])))
            * np.sqrt(1 - abs(yaw) / view)  # the less is shared, the more agrees by chance
            for yaw, pitch in candidates
        ]
        return candidates[int(np.argmax(scores))]

    widest = _WIDEST_SHARE * view
    yaw, pitch = best([(float(yaw), 0.0) for yaw in np.arange(-widest, widest + 1e-6, _TRIED_DEG)])
    yaw, pitch = best([(yaw + a, b) for a in (-1.0, 0.0, 1.0) for b in (-2.0, 0.0, 2.0)])
    return exp_rotation(np.radians([-pitch, yaw, 0.0]))


def agreement(before: Thumbnail, after: Thumbnail, turn: Matrix) -> float:
    """Correlation of two small images, one turned towards the other; -1 if they hardly overlap."""
    lens = before.camera.fx, before.camera.fy, before.camera.cx, before.camera.cy
    return float(turned_correlation(before.pixels, after.pixels, turn, lens, _LEAST_SHARED))


def fit_rotation(before: Matrix, after: Matrix, start: Matrix, focal: float) -> tuple[Matrix, Vector]:
    """`R_after_before` from bearings (n, 2) by robust least squares, and each bearing's residual in pixels.

    The Cauchy scale shrinks from coarse to fine, so that the majority that only turned wins over what moved.
    """
    turn, residuals = turn_steps(
        np.ascontiguousarray(before), np.ascontiguousarray(after), nearest_rotation(start), focal, _SCALES
    )
    return turn, residuals
