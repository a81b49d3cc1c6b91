"""The field of view of a camera that nobody described, from how points move while it turns and walks.

A turn moves points at the edge of a picture further than those in the middle, the more so the wider the lens
is. Pairs of frames vote: by a turn alone where that explains how points moved, else by epipolar geometry.
What votes for nothing in particular (a camera that walks straight on, a still one) has no weight.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from scipy.optimize import least_squares

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.images import Grey, Mask, Pixels
from situ.perception.odometry.optical_flow import Pyramid, follow
from situ.perception.odometry.rotation import Thumbnail, coarse_turn
from situ.recording.codec import Rgb

_STARTS_DEG = (45.0, 70.0, 100.0)
_NARROWEST_DEG, _WIDEST_DEG = 25.0, 140.0
_FAR_SHARE = 0.12  # of the picture's width that points should have moved for a pair to be worth solving
_FEWEST_POINTS, _FEWEST_KEPT = 40, 0.5
_FITS_PX, _FITS_SHARE = 1.5, 0.75
_LOOSEST = 0.25  # standard deviation of log focal length, beyond which a pair says nothing
_TIGHTEST = 0.04  # no pair is believed more than that: shutters roll, lenses bend
_FEWEST_VOTES, _ENOUGH_VOTES, _WIDEST_SPREAD = 4, 14, 0.10
_MOST_POINTS = 160


@dataclass(frozen=True)
class Lens:
    """A horizontal field of view, its standard deviation, and how many pairs of frames spoke for it."""

    fov_deg: float
    spread_deg: float
    votes: int


def estimate_lens(frames: Iterable[Rgb]) -> Lens | None:
    """From the first seconds of a stream; None where they do not determine it."""
    votes: list[tuple[float, float]] = []
    width = 0
    for first, second, size in _moved_apart(frames):
        width = size[0]
        vote = _vote(first - np.array(size) / 2, second - np.array(size) / 2, width)
        if vote is not None and vote[1] < _LOOSEST:
            votes.append((vote[0], max(vote[1], _TIGHTEST)))
        if len(votes) == _ENOUGH_VOTES:
            break
    if len(votes) < _FEWEST_VOTES:
        return None
    logs, sigmas = np.array(votes).T
    best = _weighted_median(logs, 1 / sigmas**2)
    spread = 1.4826 * _weighted_median(np.abs(logs - best), 1 / sigmas**2)
    error = float(np.hypot(spread, _TIGHTEST) / np.sqrt(len(votes)))
    fov = _fov_deg(np.exp(best), width)
    if error > _WIDEST_SPREAD or not _NARROWEST_DEG < fov < _WIDEST_DEG:
        return None
    wide, narrow = (_fov_deg(np.exp(best + sign * error), width) for sign in (-1, 1))
    return Lens(fov, (wide - narrow) / 2, len(votes))


def _moved_apart(frames: Iterable[Rgb]) -> Iterator[tuple[Matrix, Matrix, tuple[int, int]]]:
    """Pixels of points in two frames between which most of them moved far; fresh points after each pair."""
    before: Grey | None = None
    small: Thumbnail | None = None
    first = now = np.zeros((0, 2), np.float32)
    for rgb in frames:
        grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
        size = (grey.shape[1], grey.shape[0])
        camera = Camera.from_fov(*size, _STARTS_DEG[1])
        here = Thumbnail.of(grey, camera)
        if before is not None and small is not None and len(now):
            there, good = _followed(before, grey, small, here, now)
            count = len(first)
            first, now = first[good], there[good]
            moved = float(np.median(np.linalg.norm(now - first, axis=1))) if len(now) else 0.0
            thin = len(now) < _FEWEST_KEPT * max(count, 1) or len(now) < _FEWEST_POINTS
            if moved > _FAR_SHARE * size[0] or thin:
                if len(now) >= _FEWEST_POINTS:
                    some = slice(None, None, 1 + len(now) // _MOST_POINTS)
                    yield first[some].astype(float) + 0.5, now[some].astype(float) + 0.5, size
                first = now = np.zeros((0, 2), np.float32)
        if not len(now):
            first = now = new_points(grey, np.zeros((0, 2), np.float32))
        before, small = grey, here


def _followed(
    before: Grey, after: Grey, small: Thumbnail, here: Thumbnail, points: Pixels
) -> tuple[Pixels, Mask]:
    """Points followed from where the best turn of whole pictures takes them."""
    camera = Camera.from_fov(before.shape[1], before.shape[0], _STARTS_DEG[1])
    turn, _ = coarse_turn(small, here, np.eye(3))
    homography = camera.matrix @ turn @ np.linalg.inv(camera.matrix)
    ahead = cv2.perspectiveTransform(points[None].astype(np.float64), homography)[0]
    return follow(Pyramid.of(before), Pyramid.of(after), points, ahead.astype(np.float32))


def _vote(first: Matrix, second: Matrix, width: int) -> tuple[float, float] | None:
    """Logarithm of the focal length and its standard deviation, from pixels about the picture's middle."""
    focals = [width / 2 / np.tan(np.radians(fov) / 2) for fov in _STARTS_DEG]
    shift = np.median(second - first, axis=0)
    turns = [np.array([-shift[1] / f, shift[0] / f, 0.0, np.log(f)]) for f in focals]
    unit = width / 640  # pixels that count as noise, at the width that they were measured at
    fit = _best(lambda x: _turned(x, first, second) / unit, turns)
    left = np.linalg.norm(_turned(fit.x, first, second).reshape(2, -1), axis=0)
    if np.mean(left < _FITS_PX * unit) > _FITS_SHARE:
        return _told(fit, 3)
    starts = [
        np.array([*fit.x[:3], *direction, fit.x[3]])
        for direction in ((0.0, 0.0), (np.pi / 2, 0.0), (0.0, np.pi / 2))
    ]
    general = _best(lambda x: _off_epipolar(x, first, second) / unit, starts)
    return _told(general, 5)


def _best(residuals: Callable[[Vector], Vector], starts: list[Vector]) -> Any:
    found = [least_squares(residuals, start, loss="soft_l1", f_scale=1.0, max_nfev=40) for start in starts]
    return min(found, key=lambda fit: float(fit.cost))


def _told(fit: Any, column: int) -> tuple[float, float] | None:
    """What a fit says of its parameter number `column`."""
    noise = 2 * fit.cost / max(1, len(fit.fun) - len(fit.x))
    try:
        covariance = np.linalg.inv(fit.jac.T @ fit.jac + 1e-9 * np.eye(len(fit.x))) * noise
    except np.linalg.LinAlgError:
        return None
    # Points of one picture share their errors: neighbours lie at one depth, and lenses bend all of them.
    return float(fit.x[column]), float(4 * np.sqrt(covariance[column, column]))


def _turned(x: Vector, first: Matrix, second: Matrix) -> Vector:
    """Pixels by which a turn (rotation vector, log focal length) misses."""
    focal = np.exp(np.clip(x[3], 3.0, 10.0))
    rays = np.concatenate([first / focal, np.ones((len(first), 1))], axis=1) @ cv2.Rodrigues(x[:3])[0].T
    there = focal * rays[:, :2] / np.maximum(rays[:, 2:], 0.1)
    return np.asarray((second - there).T.reshape(-1), dtype=float)


def _off_epipolar(x: Vector, first: Matrix, second: Matrix) -> Vector:
    """Pixels by which points miss their epipolar lines (rotation, direction of the shift, log focal)."""
    focal = np.exp(np.clip(x[5], 3.0, 10.0))
    shift = np.array([np.sin(x[3]) * np.cos(x[4]), np.sin(x[4]), np.cos(x[3]) * np.cos(x[4])])
    across = np.array([[0, -shift[2], shift[1]], [shift[2], 0, -shift[0]], [-shift[1], shift[0], 0]])
    essential = across @ cv2.Rodrigues(x[:3])[0]
    a, b = (np.concatenate([p / focal, np.ones((len(p), 1))], axis=1) for p in (first, second))
    line_b, line_a = a @ essential.T, b @ essential
    miss = np.sum(b * line_b, axis=1)
    slope = np.sum(line_b[:, :2] ** 2, axis=1) + np.sum(line_a[:, :2] ** 2, axis=1)
    return np.asarray(focal * miss / np.sqrt(slope + 1e-12), dtype=float)


def _weighted_median(values: Vector, weights: Vector) -> float:
    order = np.argsort(values)
    share = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(share, share[-1] / 2)])


def _fov_deg(focal: float, width: int) -> float:
    return float(2 * np.degrees(np.arctan(width / 2 / focal)))
