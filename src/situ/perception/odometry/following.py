"""Carrying landmarks from one frame into the next, and the ways in which that can fail."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.perception.odometry.images import Grey
from situ.perception.odometry.tracks import Mask, Pixels, bearings, follow, pixels
from situ.perception.odometry.turning import (
    Thumbnail,
    angle_deg,
    coarse_turn,
    fit_rotation,
    matched_turn,
)
from situ.perception.odometry.twoview import moves_together

FEWEST_TRACKS = 15
# Below this correlation of whole images, under the best turn, two frames show different things.
_CUT_CORRELATION = 0.4
_CUT_SHARE = 0.15
_RESUME_SHARE = 0.3  # after a gap, a few lucky tracks must not pass for the same place
# A guess of the turn that loses more landmarks than this leaves was probably wrong.
_ENOUGH_FOLLOWED = 0.4
_MANY_TRACKS, _SHARED_TURN_PX = 60, 12.0
_FASTEST_TURN_DEG_S, _HARDEST_TURN_DEG_S2, _SLACK_DEG = 400.0, 1200.0, 4.0


@dataclass(frozen=True, eq=False)
class View:
    """One frame, prepared once."""

    time: float
    grey: Grey
    small: Thumbnail
    depth: NDArray[np.floating] | None


@dataclass(frozen=True, eq=False)
class Followed:
    """`R_now_last` from bearings alone, where the points are now, and which of them were followed."""

    turn: Matrix
    pixels: Pixels
    good: Mask


def carry(
    camera: Camera, points: Pixels, last: View, view: View, expected: Matrix, after_gap: bool
) -> Followed | str:
    """Follow points from the last usable frame into this one; a sentence if that is not possible.

    `expected` is the likely turn `R_now_last`.
    """
    gap = view.time - last.time
    focal = (camera.fx + camera.fy) / 2
    flat = bearings(camera, points)
    guess, likeness = coarse_turn(last.small, view.small, expected)
    there, good = _follow_turned(camera, points, flat, last, view, guess)
    if len(points) == 0:
        return "nothing was left to follow"
    if good.mean() < _ENOUGH_FOLLOWED:
        second = matched_turn(last.grey, view.grey, camera)
        if second is not None:
            again, better = _follow_turned(camera, points, flat, last, view, second)
            if better.sum() > good.sum():
                guess, there, good = second, again, better
    needed = _RESUME_SHARE if after_gap else _CUT_SHARE
    if good.mean() < needed and (after_gap or likeness < _CUT_CORRELATION):
        return "cut: the frame shows something else than the one before"
    if good.sum() < FEWEST_TRACKS:
        return f"too few features: {good.sum()} could be followed, {FEWEST_TRACKS} are needed"
    now = bearings(camera, there[good])
    turn, residuals = fit_rotation(flat[good], now, guess, focal)
    if not moves_together(flat[good], now, residuals, focal):
        return "the points that were followed agree on no motion"
    # Clocks may be wrong and heads quick: a turn that many points agree on is believed whatever it is.
    if good.sum() >= _MANY_TRACKS and np.mean(residuals < _SHARED_TURN_PX) > _ENOUGH_FOLLOWED:
        return Followed(turn, there, good)
    surprise = angle_deg(turn @ expected.T)
    if angle_deg(turn) > _FASTEST_TURN_DEG_S * gap or surprise > _SLACK_DEG + _HARDEST_TURN_DEG_S2 * gap**2:
        return f"implausible turn of {angle_deg(turn):.0f} degrees in {gap:.2f} s"
    return Followed(turn, there, good)


def _follow_turned(
    camera: Camera, points: Pixels, flat: Matrix, last: View, view: View, turn: Matrix
) -> tuple[Pixels, Mask]:
    ahead = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) @ turn.T
    guesses = pixels(camera, ahead[:, :2] / np.maximum(ahead[:, 2:], 0.1))
    return follow(last.grey, view.grey, points, guesses)
