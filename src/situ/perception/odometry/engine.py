"""The part of odometry that does not care where depth comes from: watch, follow, get lost, find back."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, inverse, rigid
from situ.perception.odometry.following import View, carry
from situ.perception.odometry.ground import turn_between
from situ.perception.odometry.images import checked_camera, grey_of, sharpness, unusable_reason
from situ.perception.odometry.inertial import Felt, Inertial
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.loops import correction_for, spread
from situ.perception.odometry.resection import Fit, linearise
from situ.perception.odometry.result import PLACE_GUESSED, OdometryStep, Status
from situ.perception.odometry.turning import Thumbnail, angle_deg, exp_rotation

_UNKNOWN_COVARIANCE = np.diag([1.0] * 3 + [100.0] * 3)
_LOOP_EVERY = 4  # frames
_FEWEST_LANDMARKS = 130
# How long nothing known is found before starting again: usable frames, at most as many, and seconds.
_FEWEST_LOST, _MOST_LOST, _PATIENCE_S = 4, 20, 2.0
_LOOK_BACK_EVERY = 6  # frames, while adrift
_UP, _AHEAD = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Adrift:
    """Since when the place is a guess: the number of a step and of a keyframe."""

    step: int
    keyframe: int


class Odometry(ABC):
    """Streaming state shared by RGB and RGB-D odometry. Feed frames in order of time through `step`."""

    keyframe_m: float
    keyframe_deg: float

    def __init__(self, camera: Camera) -> None:
        self.camera = checked_camera(camera)
        self.focal = (camera.fx + camera.fy) / 2
        self.keyframes = Keyframes(camera)
        self.landmarks = Landmarks()
        self.steps: list[OdometryStep] = []
        self.revision = 0  # grows whenever earlier steps get better poses
        self.pose: Matrix = self.first_pose()
        self.noise_px = 0.3
        self.last: View | None = None  # the latest frame that could be used
        self._turn_rate: Vector = np.zeros(3)  # rotation vector per second, camera axes
        self.felt = Felt()
        self._usual_sharpness = 0.0
        self._lost_for = 0
        self.adrift: Adrift | None = None

    def step(
        self,
        time: float,
        image: NDArray[np.uint8],
        depth: NDArray[np.floating] | None = None,
        imu: Inertial | None = None,
    ) -> OdometryStep:
        """Take the next frame and say where the camera is now."""
        if self.steps and not time > self.steps[-1].time:
            raise BadInput(
                f"frames must come in order of time: {time:g} s after {self.steps[-1].time:g} s; "
                "sort the frames and drop repeated ones"
            )
        grey = grey_of(image, self.camera)
        if self.last is not None:
            self.felt.feel(imu, self.last.time, time)
        sharp = sharpness(grey)
        reason = unusable_reason(grey, self._usual_sharpness, sharp)
        if reason:
            return self._record_lost(time, reason)
        self._usual_sharpness += 0.2 * (sharp - self._usual_sharpness) if self._usual_sharpness else sharp
        view = View(time, grey, Thumbnail.of(grey, self.camera), depth)
        if self.last is None:
            self.begin(view)
            self.last = view
            return self.record(time, np.diag([1e-6] * 6), 1.0, "rotation", "first frame")
        return self._continue(view, self.last)

    @abstractmethod
    def first_pose(self) -> Matrix:
        """Where the camera is taken to be in the first frame."""

    @abstractmethod
    def begin(self, view: View) -> None:
        """Make the first keyframe."""

    def can_begin(self, view: View) -> bool:
        """Whether this frame could be the first of a new map."""
        return True

    @abstractmethod
    def estimate(self, view: View, turn: Matrix, gap: float) -> OdometryStep | str:
        """Find the pose from the landmarks that were followed into `view`, or say why it cannot be found.

        `turn` is `R_now_last`, from bearings alone, and `gap` the time since the last frame.
        """

    @abstractmethod
    def resume(self, view: View, found: Recognised) -> None:
        """Go on from a recognised place."""

    @property
    def was_lost(self) -> bool:
        """Whether the latest frame could not be used, even if it was felt how the head turned."""
        return self.last is not None and self.steps[-1].time > self.last.time

    def record(
        self, time: float, covariance: Matrix, confidence: float, status: Status, reason: str = ""
    ) -> OdometryStep:
        made = OdometryStep(time, self.pose.copy(), covariance, confidence, status, reason)
        self.steps.append(made)
        return made

    def _record_lost(self, time: float, reason: str) -> OdometryStep:
        """Nothing could be seen; who stands is still where they were, turned as the gyroscope says."""
        if self.felt.on_the_spot and self.felt.turn is not None:
            turned = rigid(self.pose[:3, :3] @ self.felt.turn.T, self.pose[:3, 3])
            spread = np.diag([1e-3] * 3 + [1e-2] * 3)
            made = OdometryStep(time, turned, spread, 0.3, "rotation", f"{reason}; felt by the gyroscope")
            self.steps.append(made)
            return made
        return self.record(time, _UNKNOWN_COVARIANCE, 0.0, "lost", reason)

    def _continue(self, view: View, last: View) -> OdometryStep:
        felt = self.felt.trusted_turn
        expected = exp_rotation(self._turn_rate * (view.time - last.time)) if felt is None else felt
        followed = carry(self.camera, self.landmarks.pixels, last, view, expected, self.was_lost)
        if isinstance(followed, str):
            return self._find_back(view, followed)
        before, known = self.pose, replace(self.landmarks)
        self.landmarks.keep(followed.good)
        self.landmarks.pixels = followed.pixels[followed.good]
        gap = view.time - last.time
        made = self.estimate(view, followed.turn, gap)
        if isinstance(made, str):
            self.pose, self.landmarks = before, known
            return self._find_back(view, made)
        self.felt.judge(followed.turn)
        self._turn_rate = cv2.Rodrigues(followed.turn)[0][:, 0] / gap
        self.last = view
        self._lost_for = 0
        return made

    def _find_back(self, view: View, trouble: str) -> OdometryStep:
        found = self.keyframes.recognise(view.grey, view.small)
        if found is None:
            self._lost_for += 1
            known = self.last.time if self.last is not None else view.time
            most = _MOST_LOST if view.time - known < _PATIENCE_S else _FEWEST_LOST
            patient = self._lost_for < most or not self.can_begin(view)
            return self._record_lost(view.time, trouble) if patient else self._start_again(view)
        self._lost_for = 0
        self.pose = found.T_world_camera
        self.resume(view, found)
        self._turn_rate = np.zeros(3)
        self.last = view
        return self.record(view.time, np.diag([1e-4] * 3 + [1e-3] * 3), 0.5, "ok", "found back")

    def _start_again(self, view: View) -> OdometryStep:
        """Nothing known comes back into view: go on from the last known place, and say that it is a guess.

        When an older place is recognised later on, all that was seen since is moved to where it belongs.
        """
        self._lost_for = 0
        self.adrift = Adrift(len(self.steps), len(self.keyframes.poses))
        self.landmarks.clear()
        self._turn_rate = np.zeros(3)
        self.begin(view)
        self.last = view
        return self.record(view.time, _UNKNOWN_COVARIANCE, 0.1, "rotation", PLACE_GUESSED)

    def _come_back(self, view: View) -> bool:
        """While adrift: join the part since then to the rest, if an older place is recognised."""
        if self.adrift is None or len(self.steps) % _LOOK_BACK_EVERY:
            return False
        found = self.keyframes.recognise(view.grey, view.small, before=self.adrift.keyframe)
        if found is None:
            return False
        move = found.T_world_camera @ inverse(self.pose)
        since, self.adrift = self.adrift, None
        self.keyframes.poses[since.keyframe :] = move @ self.keyframes.poses[since.keyframe :]
        self.rewrite(since.step, [move @ step.T_world_camera for step in self.steps[since.step :]])
        self.steps[since.step] = replace(self.steps[since.step], reason="started again, joined later")
        self.pose = move @ self.pose
        return True

    def close_loop(self, view: View) -> None:
        """If an old place is in view again, trust it more than what has drifted since."""
        if self._come_back(view) or len(self.steps) % _LOOP_EVERY:
            return
        found = self.keyframes.seen_again(view.grey, self.pose)
        correction = correction_for(self.pose, found) if found is not None else None
        if found is None or correction is None:
            return
        in_use = set(self.landmarks.anchor.tolist())
        spread(correction, found.keyframe, self.keyframes, self.steps, in_use)
        self.revision += 1
        self.pose = correction.share(1.0) @ self.pose

    def level(self, up_world: Vector, from_the_start: bool) -> None:
        """Turn the world so that `up_world` is up; from the start, the first frame then looks along +x."""
        turn = turn_between(up_world, _UP)
        if from_the_start and self.steps:
            ahead = turn @ self.steps[0].T_world_camera[:3, 2]
            turn = turn_between(_flat(ahead), _AHEAD) @ turn
        pivot = self.pose[:3, 3]
        moved = rigid(turn, pivot - turn @ pivot)
        self.keyframes.poses = moved @ self.keyframes.poses
        self.pose = moved @ self.pose
        if from_the_start:
            self.rewrite(0, [moved @ step.T_world_camera for step in self.steps])

    def rewrite(self, start: int, poses: list[Matrix]) -> None:
        """Put better poses in the record, from step number `start` on."""
        self.revision += 1
        for number, pose in enumerate(poses, start):
            self.steps[number] = replace(self.steps[number], T_world_camera=pose)

    def learn_from(self, fit: Fit, floor: float) -> None:
        """Improve the inverse depths with this frame's view of them, and drop what keeps disagreeing."""
        marks = self.landmarks
        seen = marks.sighted(self.camera, self.keyframes.poses)
        terms = linearise(seen, fit.R_camera_world, fit.centre, self.focal, fit.noise_px)
        # Twice the noise: the pose was solved from these very points.
        marks.refine_depths(terms, fit.inliers, 2 * fit.noise_px, floor)
        marks.count_sightings(fit.inliers)
        self.noise_px = 0.8 * self.noise_px + 0.2 * fit.noise_px

    def wants_keyframe(self) -> bool:
        newest = self.keyframes.poses[-1]
        moved = float(np.linalg.norm(self.pose[:3, 3] - newest[:3, 3]))
        turned = angle_deg(newest[:3, :3].T @ self.pose[:3, :3])
        return (
            moved > self.keyframe_m or turned > self.keyframe_deg or len(self.landmarks) < _FEWEST_LANDMARKS
        )


def _flat(direction: Vector) -> Vector:
    level = np.array([direction[0], direction[1], 0.0])
    return level / max(float(np.linalg.norm(level)), 1e-9)
