"""The part of odometry that does not care where depth comes from: watch, follow, hold, get lost, find back."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.images import Grey, checked_camera, grey_of, sharpness, unusable_reason
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.result import OdometryStep, Status
from situ.perception.odometry.tracks import bearings, follow, new_points, pixels
from situ.perception.odometry.turning import Thumbnail, coarse_turn, exp_rotation, fit_rotation

UNKNOWN_COVARIANCE = np.diag([1.0] * 3 + [100.0] * 3)
FEWEST_TRACKS = 15
# Below this correlation of whole images, under the best turn, two frames show different things.
_CUT_CORRELATION = 0.25
_FASTEST_TURN_DEG_S = 400.0


@dataclass(frozen=True, eq=False)
class View:
    """One frame, prepared once."""

    time: float
    grey: Grey
    small: Thumbnail
    depth: NDArray[np.floating] | None


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
        ahead = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) @ guess.T
        guesses = pixels(self.camera, ahead[:, :2] / np.maximum(ahead[:, 2:], 0.1))
        there, good = follow(last.grey, view.grey, self.landmarks.pixels, guesses)
        if good.sum() < FEWEST_TRACKS:
            kept = int(good.sum())
            if likeness < _CUT_CORRELATION:
                return guess, "cut: the frame shows something else than the one before"
            return guess, f"too few features: {kept} could be followed, {FEWEST_TRACKS} are needed"
        turn, _ = fit_rotation(flat[good], bearings(self.camera, there[good]), guess, self.focal)
        angle = np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1)))
        if angle > _FASTEST_TURN_DEG_S * gap:
            return turn, f"implausible turn of {angle:.0f} degrees in {gap:.2f} s"
        self.landmarks.keep(good)
        self.landmarks.pixels = there[good]
        return turn, ""

    def _find_back(self, view: View, trouble: str) -> OdometryStep:
        found = self.keyframes.recognise(view.grey)
        if found is None:
            return self.record(view.time, UNKNOWN_COVARIANCE, 0.0, "lost", trouble)
        self.pose = found.T_world_camera
        self.resume(view, found)
        self.turn_rate = np.zeros(3)
        self.last = view
        return self.record(view.time, np.diag([1e-4] * 3 + [1e-3] * 3), 0.5, "ok", "found back")

    def _remember_turn(self, before: Matrix, gap: float) -> None:
        turned = self.pose[:3, :3].T @ before[:3, :3]
        self.turn_rate = cv2.Rodrigues(turned)[0][:, 0] / gap

    def fresh_points(self, view: View) -> NDArray[np.float32]:
        return new_points(view.grey, self.landmarks.pixels)
