"""The part of odometry that does not care where depth comes from: watch, follow, hold, get lost, find back."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.images import Grey, checked_camera, grey_of, sharpness, unusable_reason
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.result import OdometryStep, Status
from situ.perception.odometry.tracks import Mask, Pixels, bearings, follow, new_points, pixels
from situ.perception.odometry.twoview import moves_together
from situ.perception.odometry.turning import (
    Thumbnail,
    angle_deg,
    coarse_turn,
    exp_rotation,
    fit_rotation,
    matched_turn,
)

UNKNOWN_COVARIANCE = np.diag([1.0] * 3 + [100.0] * 3)
FEWEST_TRACKS = 15
# Below this correlation of whole images, under the best turn, two frames show different things.
_CUT_CORRELATION = 0.4
_CUT_SHARE = 0.15
_RESUME_SHARE = 0.3  # after a gap, a few lucky tracks must not pass for the same place
# A guess of the turn that loses more landmarks than this leaves was probably wrong.
_ENOUGH_FOLLOWED = 0.4
_FASTEST_TURN_DEG_S = 400.0
_LOOP_EVERY = 4  # frames
# A loop that would move the camera more than this is taken for a mistaken place.
_LARGEST_LOOP_M, _LARGEST_LOOP_DEG = 0.6, 12.0


@dataclass(frozen=True, eq=False)
class View:
    """One frame, prepared once."""

    time: float
    grey: Grey
    small: Thumbnail
    depth: NDArray[np.floating] | None


@dataclass(frozen=True, eq=False)
class Correction:
    """A turn about a point and a shift, of which earlier poses get a smaller share."""

    about: Vector
    turn: Vector
    shift: Vector

    def share(self, fraction: float) -> Matrix:
        rotation = exp_rotation(self.turn * fraction)
        return rigid(rotation, self.about - rotation @ self.about + self.shift * fraction)


class Odometry(ABC):
    """Streaming state shared by RGB and RGB-D odometry. Feed frames in order of time through `step`."""

    def __init__(self, camera: Camera) -> None:
        self.camera = checked_camera(camera)
        self.focal = (camera.fx + camera.fy) / 2
        self.keyframes = Keyframes(camera)
        self.landmarks = Landmarks()
        self.steps: list[OdometryStep] = []
        self.pose: Matrix = self.first_pose()
        self.turn_rate: Vector = np.zeros(3)  # rotation vector per second, camera axes
        self.noise_px = 0.3
        self.last: View | None = None  # the latest frame that could be used
        self._usual_sharpness = 0.0

    def step(
        self, time: float, image: NDArray[np.uint8], depth: NDArray[np.floating] | None = None
    ) -> OdometryStep:
        """Take the next frame and say where the camera is now."""
        if self.steps and not time > self.steps[-1].time:
            raise BadInput(
                f"frames must come in order of time: {time:g} s after {self.steps[-1].time:g} s; "
                "sort the frames and drop repeated ones"
            )
        grey = grey_of(image, self.camera)
        sharp = sharpness(grey)
        reason = unusable_reason(grey, self._usual_sharpness, sharp)
        if reason:
            return self.record(time, UNKNOWN_COVARIANCE, 0.0, "lost", reason)
        self._usual_sharpness += 0.2 * (sharp - self._usual_sharpness) if self._usual_sharpness else sharp
        view = View(time, grey, Thumbnail.of(grey, self.camera), depth)
        if self.last is None:
            self.begin(view)
            self.last = view
            return self.record(time, np.diag([1e-6] * 6), 1.0, "rotation", "first frame")
        return self._continue(view)

    @abstractmethod
    def first_pose(self) -> Matrix:
        """Where the camera is taken to be in the first frame."""

    @abstractmethod
    def begin(self, view: View) -> None:
        """Make the first keyframe."""

    @abstractmethod
    def estimate(self, view: View, turn: Matrix) -> OdometryStep | str:
        """Find the pose from the landmarks that were followed into `view`, or say why it cannot be found.

        `turn` is `R_now_last`, from bearings alone.
        """

    @abstractmethod
    def resume(self, view: View, found: Recognised) -> None:
        """Go on from a recognised place."""

    def record(
        self, time: float, covariance: Matrix, confidence: float, status: Status, reason: str = ""
    ) -> OdometryStep:
        made = OdometryStep(time, self.pose.copy(), covariance, confidence, status, reason)
        self.steps.append(made)
        return made

    def _continue(self, view: View) -> OdometryStep:
        assert self.last is not None
        before, known = self.pose, replace(self.landmarks)
        turn, trouble = self._follow(self.last, view)
        if not trouble:
            made = self.estimate(view, turn)
            if isinstance(made, OdometryStep):
                self._remember_turn(before, view.time - self.last.time)
                self.last = view
                return made
            trouble = made
            self.pose, self.landmarks = before, known
        return self._find_back(view, trouble)

    def _follow(self, last: View, view: View) -> tuple[Matrix, str]:
        """Carry the landmarks into the new frame. Returns the turn between the frames, or the trouble met."""
        gap = view.time - last.time
        guess, likeness = coarse_turn(last.small, view.small, exp_rotation(self.turn_rate * gap))
        flat = bearings(self.camera, self.landmarks.pixels)
        there, good = self._follow_from(last, view, flat, guess)
        if good.mean() < _ENOUGH_FOLLOWED:
            second = matched_turn(last.grey, view.grey, self.camera)
            if second is not None:
                again, better = self._follow_from(last, view, flat, second)
                if better.sum() > good.sum():
                    guess, there, good = second, again, better
        needed = _RESUME_SHARE if self.was_lost else _CUT_SHARE
        if good.mean() < needed and (likeness < _CUT_CORRELATION or self.was_lost):
            return guess, "cut: the frame shows something else than the one before"
        if good.sum() < FEWEST_TRACKS:
            return guess, f"too few features: {good.sum()} could be followed, {FEWEST_TRACKS} are needed"
        now = bearings(self.camera, there[good])
        turn, residuals = fit_rotation(flat[good], now, guess, self.focal)
        if not moves_together(flat[good], now, residuals, self.focal):
            return turn, "the points that were followed agree on no motion"
        angle = angle_deg(turn)
        if angle > _FASTEST_TURN_DEG_S * gap:
            return turn, f"implausible turn of {angle:.0f} degrees in {gap:.2f} s"
        self.landmarks.keep(good)
        self.landmarks.pixels = there[good]
        return turn, ""

    @property
    def was_lost(self) -> bool:
        return bool(self.steps) and self.steps[-1].status == "lost"

    def _follow_from(self, last: View, view: View, flat: Matrix, turn: Matrix) -> tuple[Pixels, Mask]:
        ahead = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) @ turn.T
        guesses = pixels(self.camera, ahead[:, :2] / np.maximum(ahead[:, 2:], 0.1))
        return follow(last.grey, view.grey, self.landmarks.pixels, guesses)

    def _find_back(self, view: View, trouble: str) -> OdometryStep:
        found = self.keyframes.recognise(view.grey, view.small)
        if found is None:
            return self.record(view.time, UNKNOWN_COVARIANCE, 0.0, "lost", trouble)
        self.pose = found.T_world_camera
        self.resume(view, found)
        self.turn_rate = np.zeros(3)
        self.last = view
        return self.record(view.time, np.diag([1e-4] * 3 + [1e-3] * 3), 0.5, "ok", "found back")

    def close_loop(self, view: View) -> None:
        """If an old place is in view again, trust it more than what has drifted since."""
        if len(self.steps) % _LOOP_EVERY:
            return
        found = self.keyframes.seen_again(view.grey, self.pose)
        if found is None:
            return
        turn = found.T_world_camera[:3, :3] @ self.pose[:3, :3].T
        shift = found.T_world_camera[:3, 3] - self.pose[:3, 3]
        if angle_deg(turn) > _LARGEST_LOOP_DEG or np.linalg.norm(shift) > _LARGEST_LOOP_M:
            return
        start, now = self.keyframes.steps[found.keyframe], len(self.steps)
        ends = Correction(self.pose[:3, 3], cv2.Rodrigues(turn)[0][:, 0], shift)
        self.rewrite(
            [
                ends.share((i - start) / (now - start)) @ self.steps[i].T_world_camera
                for i in range(start, now)
            ],
            start,
        )
        held = set(self.landmarks.anchor.tolist())
        for number in range(found.keyframe + 1, len(self.keyframes.poses)):
            share = 1.0 if number in held else (self.keyframes.steps[number] - start) / (now - start)
            self.keyframes.poses[number] = ends.share(share) @ self.keyframes.poses[number]
        self.pose = ends.share(1.0) @ self.pose

    def rewrite(self, poses: Sequence[Matrix], start: int) -> None:
        """Put better poses in the record, from step number `start` on."""
        for number, pose in enumerate(poses, start):
            self.steps[number] = replace(self.steps[number], T_world_camera=pose)

    def _remember_turn(self, before: Matrix, gap: float) -> None:
        turned = self.pose[:3, :3].T @ before[:3, :3]
        self.turn_rate = cv2.Rodrigues(turned)[0][:, 0] / gap

    def fresh_points(self, view: View) -> NDArray[np.float32]:
        return new_points(view.grey, self.landmarks.pixels)
