"""Carrying landmarks from one frame into the next, and the ways in which that can fail."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.depth_reading import SENSED, DepthDoubt
from situ.perception.odometry.flow import Pyramid
from situ.perception.odometry.images import Grey, grey_of, halved, sharpness
from situ.perception.odometry.tracks import Mask, Pixels, bearings, follow, pixels
from situ.perception.odometry.turning import (
    Corners,
    Thumbnail,
    agreement,
    angle_deg,
    coarse_turn,
    fit_rotation,
    matched_turn,
    searched_turns,
)
from situ.perception.odometry.twoview import moves_together

FEWEST_TRACKS = 15
# Below this correlation of whole images, under the best turn, two frames show different things.
_CUT_CORRELATION = 0.4
_CUT_SHARE = 0.15
_RESUME_SHARE = 0.3  # after a gap, a few lucky tracks must not pass for the same place
# A guess of the turn on which fewer landmarks than this agree was probably wrong.
_ENOUGH_FOLLOWED = 0.4
_SAME_GUESS_DEG = 2.5  # guesses as near as this lead to the same places
_MANY_TRACKS, _SHARED_TURN_PX = 60, 12.0
_FASTEST_TURN_DEG_S, _HARDEST_TURN_DEG_S2, _SLACK_DEG = 400.0, 1200.0, 4.0


@dataclass(frozen=True, eq=False)
class View:
    """One frame, prepared once."""

    time: float
    grey: Grey
    small: Thumbnail
    depth: NDArray[np.floating] | None
    depth_doubt: DepthDoubt = SENSED

    @cached_property
    def pyramid(self) -> Pyramid:
        return Pyramid.of(self.grey)

    @cached_property
    def corners(self) -> Corners:
        return Corners.of(self.grey)


@dataclass(frozen=True, eq=False)
class Seen:
    """What is made of a picture whatever came before it: it may be made ahead of the picture's turn."""

    grey: Grey
    half: Grey
    sharp: float
    small: Thumbnail
    pyramid: Pyramid

    @classmethod
    def of(cls, image: NDArray[np.uint8], camera: Camera) -> "Seen":
        grey = grey_of(image, camera)
        half = halved(grey)
        return cls(grey, half, sharpness(half), Thumbnail.of(half, camera), Pyramid.of(grey))

    def view(self, time: float, depth: NDArray[np.floating] | None, depth_doubt: DepthDoubt = SENSED) -> View:
        made = View(time, self.grey, self.small, depth, depth_doubt)
        vars(made)["pyramid"] = self.pyramid  # where the property would keep it
        return made


@dataclass(frozen=True, eq=False)
class Followed:
    """Where points were and are now, which of them were followed, and `R_now_last` from bearings alone."""

    before: Pixels
    pixels: Pixels
    good: Mask
    turn: Matrix


@dataclass(frozen=True, eq=False)
class Expected:
    """What is likely to happen between the last frame and this one, in the last camera's axes."""

    turn: Matrix  # `R_now_last`
    up: Vector
    walked: Matrix  # (n, 3): what walking adds to each point's ray, at depth 1

    def more(self, count: int) -> "Expected":
        """The same for some more points, of which nobody knows how far off they are."""
        return replace(self, walked=np.concatenate([self.walked, np.zeros((count, 3))]))


def carry(
    camera: Camera, points: Pixels, last: View, view: View, expected: Expected, after_gap: bool
) -> Followed | str:
    """Follow points from the last usable frame into this one; a sentence if that is not possible."""
    gap = view.time - last.time
    if len(points) == 0:
        return "nothing was left to follow"
    flat = bearings(camera, points)
    rays = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) + expected.walked
    attempt = partial(_try, camera, points, flat, rays, last, view)
    guess, likeness = coarse_turn(last.small, view.small, expected.turn, expected.up)
    best = attempt(guess)
    if best.agreeing < _ENOUGH_FOLLOWED * len(points):
        best = _sought(attempt, _guesses(camera, last, view, expected.up), [guess], best, last, view)
    good, turn, residuals = best.good, best.turn, best.residuals
    needed = _RESUME_SHARE if after_gap else _CUT_SHARE
    if good.mean() < needed:
        likeness = max(likeness, agreement(last.small, view.small, turn))
        if after_gap or likeness < _CUT_CORRELATION:
            return "cut: the frame shows something else than the one before"
    if good.sum() < FEWEST_TRACKS:
        return f"too few features: {good.sum()} could be followed, {FEWEST_TRACKS} are needed"
    focal = (camera.fx + camera.fy) / 2
    if not moves_together(flat[good], bearings(camera, best.pixels[good]), residuals, focal):
        return "the points that were followed agree on no motion"
    # Clocks may be wrong and heads quick: a turn that many points agree on is believed whatever it is.
    if good.sum() >= _MANY_TRACKS and np.mean(residuals < _SHARED_TURN_PX) > _ENOUGH_FOLLOWED:
        return Followed(points, best.pixels, good, turn)
    surprise = angle_deg(turn @ expected.turn.T)
    if angle_deg(turn) > _FASTEST_TURN_DEG_S * gap or surprise > _SLACK_DEG + _HARDEST_TURN_DEG_S2 * gap**2:
        return f"implausible turn of {angle_deg(turn):.0f} degrees in {gap:.2f} s"
    return Followed(points, best.pixels, good, turn)


def _guesses(camera: Camera, last: View, view: View, up: Vector) -> Iterator[list[Matrix]]:
    """Other ways to a guess of the turn, each dearer than the one before."""
    yield list(searched_turns(last.small, view.small, up))
    matched = matched_turn(last.corners, view.corners, camera, up)
    yield [] if matched is None else [matched]


@dataclass(frozen=True, eq=False)
class _Try(Followed):
    """What comes of a guess: the turn fitted to what could be followed, and how far each point is off it."""

    residuals: Vector

    @property
    def agreeing(self) -> int:
        return int((self.residuals < _SHARED_TURN_PX).sum())


def _sought(
    attempt: Callable[[Matrix], _Try],
    guesses: Iterable[list[Matrix]],
    tried: list[Matrix],
    best: _Try,
    last: View,
    view: View,
) -> _Try:
    """The best of what comes of other guesses; no more are made once one is right, or is told in two ways."""

    def worth(one: _Try) -> tuple[int, float]:
        """Where things look alike, many can be followed to the wrong ones: what counts is how many agree. If
        nearly all that was followed has left the view, the whole picture tells."""
        told = one.agreeing if one.agreeing >= FEWEST_TRACKS else 0
        return told, agreement(last.small, view.small, one.turn)

    tried = [*tried, best.turn]  # from near where a try ended another would end there, too
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
        # Who walks past near things leaves few points that only turned; that is seen by the second way.
        if others and len(tried) == before:
            return best
    return best


def _try(
    camera: Camera, points: Pixels, flat: Matrix, rays: Matrix, last: View, view: View, turn: Matrix
) -> _Try:
    """`rays` are those of the points after the steps that are expected, `flat` the bearings before them."""
    ahead = rays @ turn.T
    guesses = pixels(camera, ahead[:, :2] / np.maximum(ahead[:, 2:], 0.1))
    there, good = follow(last.pyramid, view.pyramid, points, guesses)
    if good.sum() < FEWEST_TRACKS:
        return _Try(points, there, good, turn, np.zeros(0))
    focal = (camera.fx + camera.fy) / 2
    seen = bearings(camera, there[good])
    made = _Try(points, there, good, *fit_rotation(flat[good], seen, turn, focal))
    if made.agreeing >= _ENOUGH_FOLLOWED * len(points):
        return made
    # Few only turned: do more of them walk as expected and turn?
    walked = rays[good, :2] / np.maximum(rays[good, 2:], 0.1)
    other = _Try(points, there, good, *fit_rotation(walked, seen, turn, focal))
    return max(made, other, key=lambda one: one.agreeing)
