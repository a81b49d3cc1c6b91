"""Tracking of landmarks from one frame to the next, with a search over rotations after fast turns."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.depth_sampling import SENSOR_DEPTH, DepthUncertainty
from situ.perception.odometry.images import Grey, Mask, Pixels, bearings, grey_of, halved, pixels, sharpness
from situ.perception.odometry.optical_flow import Pyramid, follow
from situ.perception.odometry.orb import Corners
from situ.perception.odometry.rotation import (
    Thumbnail,
    agreement,
    angle_deg,
    coarse_turn,
    fit_rotation,
    matched_turn,
    searched_turns,
)
from situ.perception.odometry.two_view import moves_together

MIN_TRACKS = 15  # for a pose
# Two frames with a lower correlation under the best rotation show different scenes.
_CUT_CORRELATION = 0.4
_CUT_SHARE = 0.15
_RESUME_SHARE = 0.3  # after a gap, a few accidental tracks must not pass for the same place
# A rotation guess with a smaller share of consistent landmarks is probably wrong.
_ENOUGH_FOLLOWED = 0.4
_SAME_GUESS_DEG = 2.5  # guesses within this angle converge to the same tracks
_MANY_TRACKS, _SHARED_TURN_PX = 60, 12.0
_MAX_TURN_DEG_S, _MAX_TURN_ACCELERATION_DEG_S2, _SLACK_DEG = 400.0, 1200.0, 4.0


@dataclass(frozen=True, eq=False)
class View:
    """One frame with its prepared images."""

    time: float
    grey: Grey
    small: Thumbnail
    pyramid: Pyramid
    depth: NDArray[np.floating] | None
    depth_uncertainty: DepthUncertainty = SENSOR_DEPTH

    @cached_property
    def corners(self) -> Corners:
        return Corners.of(self.grey)


@dataclass(frozen=True, eq=False)
class PreparedImage:
    """Images derived from one frame alone; can be computed ahead of time in another thread."""

    grey: Grey
    half: Grey
    sharp: float
    small: Thumbnail
    pyramid: Pyramid

    @classmethod
    def of(cls, image: NDArray[np.uint8], camera: Camera) -> "PreparedImage":
        grey = grey_of(image, camera)
        half = halved(grey)
        return cls(grey, half, sharpness(half), Thumbnail.of(half, camera), Pyramid.of(grey))

    def view(
        self,
        time: float,
        depth: NDArray[np.floating] | None,
        depth_uncertainty: DepthUncertainty = SENSOR_DEPTH,
    ) -> View:
        return View(time, self.grey, self.small, self.pyramid, depth, depth_uncertainty)


@dataclass(frozen=True, eq=False)
class TrackedPoints:
    """Point positions in the last and the current frame, a mask of tracked points, and `R_now_last`."""

    before: Pixels
    pixels: Pixels
    good: Mask
    turn: Matrix


@dataclass(frozen=True, eq=False)
class MotionPrediction:
    """Predicted motion between the last frame and this one, in axes of the last camera."""

    turn: Matrix  # `R_now_last`
    up: Vector
    walked: Matrix  # (n, 3): shift of each point's ray by the predicted translation, at depth 1

    def more(self, count: int) -> "MotionPrediction":
        """The same prediction with `count` more points of unknown depth."""
        return replace(self, walked=np.concatenate([self.walked, np.zeros((count, 3))]))


def track_landmarks(
    camera: Camera, points: Pixels, last: View, view: View, expected: MotionPrediction, after_gap: bool
) -> TrackedPoints | str:
    """Track points from the last usable frame into this one, or the reason why that failed."""
    gap = view.time - last.time
    if len(points) == 0:
        return "nothing was left to follow"
    flat = bearings(camera, points)
    rays = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) + expected.walked
    attempt = partial(_attempt, camera, points, flat, rays, last, view)
    guess, likeness = coarse_turn(last.small, view.small, expected.turn, expected.up)
    best = attempt(guess)
    if best.agreeing < _ENOUGH_FOLLOWED * len(points):
        best = _search_rotations(
            attempt, _guesses(camera, last, view, expected.up), [guess], best, last, view
        )
    good, turn, residuals = best.good, best.turn, best.residuals
    needed = _RESUME_SHARE if after_gap else _CUT_SHARE
    if good.mean() < needed:
        likeness = max(likeness, agreement(last.small, view.small, turn))
        if after_gap or likeness < _CUT_CORRELATION:
            return "cut: the frame shows something else than the one before"
    if good.sum() < MIN_TRACKS:
        return f"too few features: {good.sum()} could be followed, {MIN_TRACKS} are needed"
    focal = (camera.fx + camera.fy) / 2
    if not moves_together(flat[good], bearings(camera, best.pixels[good]), residuals, focal):
        return "the points that were followed agree on no motion"
    # Timestamps may be wrong and heads fast: a rotation with many consistent points is always accepted.
    if good.sum() >= _MANY_TRACKS and np.mean(residuals < _SHARED_TURN_PX) > _ENOUGH_FOLLOWED:
        return TrackedPoints(points, best.pixels, good, turn)
    surprise = angle_deg(turn @ expected.turn.T)
    if (
        angle_deg(turn) > _MAX_TURN_DEG_S * gap
        or surprise > _SLACK_DEG + _MAX_TURN_ACCELERATION_DEG_S2 * gap**2
    ):
        return f"implausible turn of {angle_deg(turn):.0f} degrees in {gap:.2f} s"
    return TrackedPoints(points, best.pixels, good, turn)


def _guesses(camera: Camera, last: View, view: View, up: Vector) -> Iterator[list[Matrix]]:
    """Batches of further rotation guesses, each more expensive to compute than the one before."""
    yield list(searched_turns(last.small, view.small, up))
    matched = matched_turn(last.corners, view.corners, camera, up)
    yield [] if matched is None else [matched]


@dataclass(frozen=True, eq=False)
class _Attempt(TrackedPoints):
    """Result of one rotation guess: tracked points, fitted rotation, and residuals in pixels."""

    residuals: Vector

    @property
    def agreeing(self) -> int:
        return int((self.residuals < _SHARED_TURN_PX).sum())


def _search_rotations(
    attempt: Callable[[Matrix], _Attempt],
    guesses: Iterable[list[Matrix]],
    tried: list[Matrix],
    best: _Attempt,
    last: View,
    view: View,
) -> _Attempt:
    """Best attempt over further guesses; stops when one is consistent or two methods give the same."""

    def worth(one: _Attempt) -> tuple[int, float]:
        """Number of consistent points, then image correlation.

        Similar structures attract wrong tracks, so the number of tracked points is no criterion.
        """
        consistent = one.agreeing if one.agreeing >= MIN_TRACKS else 0
        return consistent, agreement(last.small, view.small, one.turn)

    tried = [*tried, best.turn]  # a guess near an earlier result would converge to it
    for others in guesses:
        before = len(tried)
        for guess in others:
            if min(angle_deg(guess @ one.T) for one in tried) < _SAME_GUESS_DEG:
                continue
            other = attempt(guess)
            tried += [guess, other.turn]
            best = max(best, other, key=worth)
            if best.agreeing >= _ENOUGH_FOLLOWED * len(best.good):
                return best
        # Close objects leave few points that follow the rotation; a second method gives the same result.
        if others and len(tried) == before:
            return best
    return best


def _attempt(
    camera: Camera, points: Pixels, flat: Matrix, rays: Matrix, last: View, view: View, turn: Matrix
) -> _Attempt:
    """Track points from one rotation guess. `rays` include the predicted translation, `flat` do not."""
    ahead = rays @ turn.T
    guesses = pixels(camera, ahead[:, :2] / np.maximum(ahead[:, 2:], 0.1))
    there, good = follow(last.pyramid, view.pyramid, points, guesses)
    if good.sum() < MIN_TRACKS:
        return _Attempt(points, there, good, turn, np.zeros(0))
    focal = (camera.fx + camera.fy) / 2
    seen = bearings(camera, there[good])
    made = _Attempt(points, there, good, *fit_rotation(flat[good], seen, turn, focal))
    if made.agreeing >= _ENOUGH_FOLLOWED * len(points):
        return made
    # Few points fit a pure rotation: test the rotation after the predicted translation.
    walked = rays[good, :2] / np.maximum(rays[good, 2:], 0.1)
    other = _Attempt(points, there, good, *fit_rotation(walked, seen, turn, focal))
    return max(made, other, key=lambda one: one.agreeing)
