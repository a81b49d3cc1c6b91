"""The part of odometry that does not care where depth comes from: watch, follow, get lost, find back."""

from abc import abstractmethod
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.depth_reading import SENSED, DepthDoubt
from situ.perception.odometry.features import Features
from situ.perception.odometry.following import Expected, Followed, Seen, View, carry
from situ.perception.odometry.images import unusable_reason
from situ.perception.odometry.inertial import Felt, Inertial
from situ.perception.odometry.keyframes import Recognised
from situ.perception.odometry.map_keeper import MapKeeper
from situ.perception.odometry.resection import Fit, Sightings, linearise
from situ.perception.odometry.result import PLACE_GUESSED, PLACE_KNOWN_AGAIN, OdometryStep, Status
from situ.perception.odometry.tracks import new_points
from situ.perception.odometry.turning import angle_deg, exp_rotation

_UNKNOWN_COVARIANCE = np.diag([1.0] * 3 + [100.0] * 3)
# Deviations of a motion (radians, metres, log of scale) over which the place was guessed.
GUESSED = np.array([1.0, 3.0, 0.7])
_FEWEST_LANDMARKS = 130
_WELL_KNOWN = 0.1  # deviation of a depth, relative
# How long nothing known is found before starting again: usable frames, at most as many, and seconds.
_FEWEST_LOST, _MOST_LOST, _PATIENCE_S = 4, 20, 0.8


class Odometry(MapKeeper):
    """Streaming state shared by RGB and RGB-D odometry. Feed frames in order of time through `step`."""

    keyframe_m: float
    keyframe_deg: float
    gravity_known: bool  # whether anything showed where down is

    def __init__(self, camera: Camera) -> None:
        super().__init__(camera)
        self.focal = (camera.fx + camera.fy) / 2
        self.noise_px = 0.3
        self.last: View | None = None  # the latest frame that could be used
        self._turn_rate: Vector = np.zeros(3)  # rotation vector per second, camera axes
        self.velocity: Vector = np.zeros(3)  # of the latest frames, world axes
        self.felt = Felt()
        self._usual_sharpness = 0.0
        self._lost_for = 0

    @property
    def scale_doubt(self) -> float:
        """How far the scale of the map may be off, as a share; measured depth has its scale."""
        return 0.0

    def step(
        self,
        time: float,
        image: NDArray[np.uint8] | Seen,
        depth: NDArray[np.floating] | None = None,
        imu: Inertial | None = None,
        depth_doubt: DepthDoubt = SENSED,
    ) -> OdometryStep:
        """Take the next frame, a picture or what was made of it ahead, and say where the camera is now."""
        if len(self.trail) and not time > self.trail.last_time:
            raise BadInput(
                f"frames must come in order of time: {time:g} s after {self.trail.last_time:g} s; "
                "sort the frames and drop repeated ones"
            )
        seen = image if isinstance(image, Seen) else Seen.of(image, self.camera)
        self.adopt_due()
        if self.last is not None:
            self.felt.feel(imu, self.last.time, time)
        sharp = seen.sharp
        reason = unusable_reason(seen.half, self._usual_sharpness, sharp)
        if reason:
            return self._record_lost(time, reason)
        self._usual_sharpness += 0.2 * (sharp - self._usual_sharpness) if self._usual_sharpness else sharp
        view = seen.view(time, depth, depth_doubt)
        if self.last is None:
            self.begin(view)
            rows = np.arange(len(self.trail))
            self.trail.put(rows, np.repeat(self.pose[None], len(rows), axis=0), self.keyframes)
            self.last = view
            return self.record(time, np.diag([1e-6] * 6), 1.0, "rotation", "first frame")
        return self._continue(view, self.last)

    @property
    def depth_factor(self) -> float:
        """What brings the depth of the latest frame to the scale of the map."""
        return 1.0

    @abstractmethod
    def begin(self, view: View) -> None:
        """Make the first keyframe."""

    def can_begin(self, view: View) -> bool:
        """Whether this frame could be the first of a new map."""
        return True

    def can_be_at(self, time: float, T_world_camera: Matrix) -> bool:
        """Whether the camera can have come to a pose by some time after it was last known."""
        return True

    @abstractmethod
    def estimate(self, view: View, followed: Followed, gap: float) -> OdometryStep | str:
        """Find the pose from the landmarks that were followed into `view`, or say why it cannot be found.

        `gap` is the time since the last frame.
        """

    @abstractmethod
    def resume(self, view: View, found: Recognised) -> None:
        """Go on from a recognised place."""

    @abstractmethod
    def renew(self, last: View) -> None:
        """Take more landmarks from the latest frame whose pose is known."""

    @property
    def was_lost(self) -> bool:
        """Whether the latest frame could not be used, even if it was felt how the head turned."""
        return self.last is not None and self.trail.last_time > self.last.time

    def record(
        self, time: float, covariance: Matrix, confidence: float, status: Status, reason: str = ""
    ) -> OdometryStep:
        made = OdometryStep(time, self.pose.copy(), covariance, confidence, status, reason)
        self.trail.append(made, self.keyframes)
        return made

    def _record_lost(self, time: float, reason: str) -> OdometryStep:
        """Nothing could be seen; who stands is still where they were, turned as the gyroscope says."""
        if self.felt.on_the_spot and self.felt.turn is not None:
            turned = rigid(self.pose[:3, :3] @ self.felt.turn.T, self.pose[:3, 3])
            spread = np.diag([1e-3] * 3 + [1e-2] * 3)
            made = OdometryStep(time, turned, spread, 0.3, "rotation", f"{reason}; felt by the gyroscope")
            self.trail.append(made, self.keyframes)
            return made
        return self.record(time, _UNKNOWN_COVARIANCE, 0.0, "lost", reason)

    def _continue(self, view: View, last: View) -> OdometryStep:
        expected = self._expected(view.time - last.time)
        followed = carry(self.camera, self.landmarks.pixels, last, view, expected, self.was_lost)
        if isinstance(followed, str) and not self.was_lost and self._renewed(view, last, expected):
            expected = self._expected(view.time - last.time)  # of other landmarks
            followed = carry(self.camera, self.landmarks.pixels, last, view, expected, after_gap=False)
        if isinstance(followed, str):
            return self._find_back(view, followed)
        before, known, rate = self.pose, replace(self.landmarks), self.shutter.rate
        self.landmarks.lose(~followed.good)
        self.landmarks.pixels = followed.pixels[followed.good]
        gap = view.time - last.time
        self.shutter.turned(followed.turn, gap)
        made = self.estimate(view, followed, gap)
        if isinstance(made, str):
            self.pose, self.landmarks, self.shutter.rate = before, known, rate
            return self._find_back(view, made)
        self.felt.judge(followed.turn)
        self._turn_rate = cv2.Rodrigues(followed.turn)[0][:, 0] / gap
        self.last = view
        self._lost_for = 0
        return made

    def _expected(self, gap: float) -> Expected:
        """Who turns and walks goes on doing so, for a moment; a gyroscope knows better of turning."""
        felt = self.felt.trusted_turn
        turn = exp_rotation(self._turn_rate * gap) if felt is None else felt
        steps = (0.0 if self.was_lost else gap) * self.velocity @ self.pose[:3, :3]
        now = self.landmarks.seen_from(self.shutter, self.keyframes.poses, self.pose)
        known = now.inverse_depth * self.landmarks.depth_known
        return Expected(turn, self.pose[2, :3], -known[:, None] * steps)

    def _renewed(self, view: View, last: View, expected: Expected) -> bool:
        """A quick turn leaves behind what was followed, though much of the last frame is still in view: where
        other corners of that frame can be followed, they become landmarks there."""
        tracked = self.landmarks.pixels
        fresh = new_points(last.grey, tracked)
        points = np.concatenate([tracked, fresh])
        if isinstance(carry(self.camera, points, last, view, expected.more(len(fresh)), False), str):
            return False
        self.renew(last)
        return True

    def _find_back(self, view: View, trouble: str) -> OdometryStep:
        if self.last is not None and not self.was_lost:  # what was seen last is most likely seen again
            self.add_station(self.last, self.keyframes.add(self.pose))
        self.finish()
        possible = partial(self.can_be_at, view.time)
        found = self.keyframes.recognise(view.grey, Features.of(view.grey), possible=possible)
        if found is None:
            self._lost_for += 1
            known = self.last.time if self.last is not None else view.time
            most = _MOST_LOST if view.time - known < _PATIENCE_S else _FEWEST_LOST
            patient = self._lost_for < most or not self.can_begin(view)
            return self._record_lost(view.time, trouble) if patient else self.start_again(view)
        self._lost_for = 0
        self.pose = found.T_world_camera
        self.doubt = np.hypot(self.doubt, GUESSED)
        adrift = self.maps.adrift
        self.maps.go_on(len(self.keyframes.poses), found.keyframe)
        reason = PLACE_KNOWN_AGAIN if adrift and not self.maps.adrift else "found back"
        self._forget_motion()
        self.resume(view, found)
        self.last = view
        return self.record(view.time, np.diag([1e-4] * 3 + [1e-3] * 3), 0.5, "ok", reason)

    def start_again(self, view: View) -> OdometryStep:
        """Nothing known comes back into view: go on from the last known place, and say that it is a guess.

        When a place of another map is recognised later on, the younger of both is moved to where it belongs.
        """
        self._lost_for = 0
        self.maps.begin(len(self.keyframes.poses), len(self.trail))
        self.landmarks.clear()
        self._forget_motion()
        self.doubt = np.hypot(self.doubt, GUESSED)
        self.begin(view)
        self.last = view
        return self.record(view.time, _UNKNOWN_COVARIANCE, 0.1, "rotation", PLACE_GUESSED)

    def _forget_motion(self) -> None:
        """It is not known how the camera moves."""
        self._turn_rate, self.velocity, self.shutter.rate = np.zeros(3), np.zeros(3), np.zeros(3)

    def learn_from(self, fit: Fit, floor: float) -> None:
        """Improve the inverse depths with this frame's view of them, and drop what keeps disagreeing."""
        marks = self.landmarks
        seen = marks.sighted(self.shutter, self.keyframes.poses)
        terms = linearise(seen, fit.R_camera_world, fit.centre, self.focal)
        self._learn_readout(seen, fit)
        # Twice the noise: the pose was solved from these very points.
        marks.refine_depths(terms, fit.inliers, 2 * fit.noise_px, floor)
        marks.count_sightings(fit.inliers)
        self.noise_px = 0.8 * self.noise_px + 0.2 * fit.noise_px

    def _learn_readout(self, seen: Sightings, fit: Fit) -> None:
        """From landmarks whose depth is known well: others give way to any motion."""
        marks = self.landmarks
        used = fit.inliers & (marks.sigma < _WELL_KNOWN * marks.inverse_depth)
        turns = self.keyframes.poses[marks.anchor[used], :3, :2]
        swayed = np.einsum("nij,nj->ni", turns, marks.sway[used])
        sway = self.shutter.sway(marks.pixels[used])
        marks.read_later(self.shutter.learn(seen.only(used), swayed, sway, fit, self.focal))

    def note_speed(self, shift: Vector, gap: float) -> None:
        self.velocity = 0.5 * self.velocity + 0.5 * shift / gap

    def after_moving(self, move: Matrix, factor: float) -> None:
        self.velocity = factor * move[:3, :3] @ self.velocity

    def wants_keyframe(self) -> bool:
        newest = self.keyframes.poses[-1]
        moved = float(np.linalg.norm(self.pose[:3, 3] - newest[:3, 3]))
        turned = angle_deg(newest[:3, :3].T @ self.pose[:3, :3])
        few = len(self.landmarks) < _FEWEST_LANDMARKS
        return moved > self.keyframe_m or turned > self.keyframe_deg or few or self.looking_back
