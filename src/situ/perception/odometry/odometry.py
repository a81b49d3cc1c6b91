"""Frame loop shared by RGB and RGB-D odometry: track, detect loss, relocalize, restart."""

from abc import abstractmethod
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.depth_sampling import SENSOR_DEPTH, DepthUncertainty
from situ.perception.odometry.features import Features
from situ.perception.odometry.images import unusable_reason
from situ.perception.odometry.inertial import ImuPreintegration, Inertial
from situ.perception.odometry.keyframes import Relocalization
from situ.perception.odometry.mapping import Mapper
from situ.perception.odometry.resection import Fit, Sightings, linearise
from situ.perception.odometry.result import POSITION_GUESSED, RELOCALIZED, OdometryStep, Status
from situ.perception.odometry.rotation import angle_deg, exp_rotation
from situ.perception.odometry.tracking import (
    MotionPrediction,
    PreparedImage,
    TrackedPoints,
    View,
    track_landmarks,
)

_UNKNOWN_COVARIANCE = np.diag([1.0] * 3 + [100.0] * 3)  # of a lost pose: radians^2, metres^2
# Standard deviations (radians, metres, log scale) of the motion across a gap after which the pose is a guess.
GUESSED_SIGMA = np.array([1.0, 3.0, 0.7])
_MIN_LANDMARKS = 130  # below this a new keyframe adds landmarks
_WELL_KNOWN = 0.1  # relative standard deviation of a depth
# Usable frames without relocalization before tracking restarts: more of them within the first seconds.
_MIN_LOST_FRAMES, _MAX_LOST_FRAMES, _PATIENCE_S = 4, 20, 0.8


class Odometry(Mapper):
    """Streaming state shared by RGB and RGB-D odometry. Pass frames in order of time to `step`."""

    keyframe_m: float
    keyframe_deg: float
    gravity_known: bool  # whether a gravity cue was found

    def __init__(self, camera: Camera) -> None:
        super().__init__(camera)
        self.focal = (camera.fx + camera.fy) / 2
        self.noise_px = 0.3
        self.last: View | None = None  # latest usable frame
        self._turn_rate: Vector = np.zeros(3)  # rotation vector per second, camera axes
        self.velocity: Vector = np.zeros(3)  # smoothed, metres per second, world axes
        self.imu_motion = ImuPreintegration()
        self._usual_sharpness = 0.0
        self._lost_for = 0

    @property
    def scale_uncertainty(self) -> float:
        """Relative standard deviation of the map's scale; 0 where depth is measured."""
        return 0.0

    def step(
        self,
        time: float,
        image: NDArray[np.uint8] | PreparedImage,
        depth: NDArray[np.floating] | None = None,
        imu: Inertial | None = None,
        depth_uncertainty: DepthUncertainty = SENSOR_DEPTH,
    ) -> OdometryStep:
        """Process the next frame, raw or prepared, and return the camera pose."""
        if len(self.frame_poses) and not time > self.frame_poses.last_time:
            raise BadInput(
                f"frames must come in order of time: {time:g} s after {self.frame_poses.last_time:g} s; "
                "sort the frames and drop repeated ones"
            )
        seen = image if isinstance(image, PreparedImage) else PreparedImage.of(image, self.camera)
        self.adopt_due()
        if self.last is not None:
            self.imu_motion.integrate(imu, self.last.time, time)
        sharp = seen.sharp
        reason = unusable_reason(seen.half, self._usual_sharpness, sharp)
        if reason:
            return self._record_lost(time, reason)
        self._usual_sharpness += 0.2 * (sharp - self._usual_sharpness) if self._usual_sharpness else sharp
        view = seen.view(time, depth, depth_uncertainty)
        if self.last is None:
            self.begin(view)
            rows = np.arange(len(self.frame_poses))
            self.frame_poses.put(rows, np.repeat(self.pose[None], len(rows), axis=0), self.keyframes)
            self.last = view
            return self.record(time, np.diag([1e-6] * 6), 1.0, "rotation", "first frame")
        return self._continue(view, self.last)

    @property
    def depth_factor(self) -> float:
        """Factor that brings the depth of the latest frame to the scale of the map."""
        return 1.0

    @abstractmethod
    def begin(self, view: View) -> None:
        """Create the first keyframe."""

    def can_begin(self, view: View) -> bool:
        """Whether a new map can start with this frame."""
        return True

    def is_reachable(self, time: float, T_world_camera: Matrix) -> bool:
        """Whether the camera can have reached a pose by `time`, given its last known pose."""
        return True

    @abstractmethod
    def estimate(self, view: View, followed: TrackedPoints, gap: float) -> OdometryStep | str:
        """Pose from the landmarks tracked into `view`, or the reason why it cannot be estimated.

        `gap` is the time since the last frame in seconds.
        """

    @abstractmethod
    def resume(self, view: View, found: Relocalization) -> None:
        """Continue from a relocalized pose."""

    @abstractmethod
    def renew(self, last: View) -> None:
        """Add landmarks in the latest frame with a known pose."""

    @property
    def was_lost(self) -> bool:
        """Whether the latest frame was unusable, even if the gyroscope measured its rotation."""
        return self.last is not None and self.frame_poses.last_time > self.last.time

    def record(
        self, time: float, covariance: Matrix, confidence: float, status: Status, reason: str = ""
    ) -> OdometryStep:
        made = OdometryStep(time, self.pose.copy(), covariance, confidence, status, reason)
        self.frame_poses.append(made, self.keyframes)
        return made

    def _record_lost(self, time: float, reason: str) -> OdometryStep:
        """Step for an unusable frame. A stationary camera keeps its position and takes its rotation from the
        gyro."""
        if self.imu_motion.on_the_spot and self.imu_motion.turn is not None:
            turned = rigid(self.pose[:3, :3] @ self.imu_motion.turn.T, self.pose[:3, 3])
            spread = np.diag([1e-3] * 3 + [1e-2] * 3)
            made = OdometryStep(
                time, turned, spread, 0.3, "rotation", f"{reason}; rotation from the gyroscope"
            )
            self.frame_poses.append(made, self.keyframes)
            return made
        return self.record(time, _UNKNOWN_COVARIANCE, 0.0, "lost", reason)

    def _continue(self, view: View, last: View) -> OdometryStep:
        expected = self._expected(view.time - last.time)
        followed = track_landmarks(self.camera, self.landmarks.pixels, last, view, expected, self.was_lost)
        if (
            isinstance(followed, str)
            and not self.was_lost
            and self._retrack_with_new_landmarks(view, last, expected)
        ):
            expected = self._expected(view.time - last.time)  # for the new landmarks
            followed = track_landmarks(
                self.camera, self.landmarks.pixels, last, view, expected, after_gap=False
            )
        if isinstance(followed, str):
            return self._relocalize(view, followed)
        before, known, rate = self.pose, replace(self.landmarks), self.shutter.rate
        self.landmarks.drop(~followed.good)
        self.landmarks.pixels = followed.pixels[followed.good]
        gap = view.time - last.time
        self.shutter.set_rotation(followed.turn, gap)
        made = self.estimate(view, followed, gap)
        if isinstance(made, str):
            self.pose, self.landmarks, self.shutter.rate = before, known, rate
            return self._relocalize(view, made)
        self.imu_motion.compare_with_vision(followed.turn)
        self._turn_rate = cv2.Rodrigues(followed.turn)[0][:, 0] / gap
        self.last = view
        self._lost_for = 0
        return made

    def _expected(self, gap: float) -> MotionPrediction:
        """Constant-velocity motion model; a trusted gyroscope overrides the rotation."""
        imu_motion = self.imu_motion.trusted_turn
        turn = exp_rotation(self._turn_rate * gap) if imu_motion is None else imu_motion
        steps = (0.0 if self.was_lost else gap) * self.velocity @ self.pose[:3, :3]
        now = self.landmarks.structure_from(self.shutter, self.keyframes.poses, self.pose)
        known = now.inverse_depth * self.landmarks.depth_known
        return MotionPrediction(turn, self.pose[2, :3], -known[:, None] * steps)

    def _retrack_with_new_landmarks(self, view: View, last: View, expected: MotionPrediction) -> bool:
        """Whether tracking succeeds with new landmarks in the last frame.

        After a fast rotation the old landmarks leave the view while much of the last frame is still visible.
        """
        tracked = self.landmarks.pixels
        fresh = new_points(last.grey, tracked)
        points = np.concatenate([tracked, fresh])
        if isinstance(
            track_landmarks(self.camera, points, last, view, expected.more(len(fresh)), False), str
        ):
            return False
        self.renew(last)
        return True

    def _relocalize(self, view: View, trouble: str) -> OdometryStep:
        # the last place seen is the most likely one to return
        if self.last is not None and not self.was_lost:
            self.add_station(self.last, self.keyframes.add(self.pose))
        self.finish()
        possible = partial(self.is_reachable, view.time)
        found = self.keyframes.relocalize(view.grey, Features.of(view.grey), possible=possible)
        if found is None:
            self._lost_for += 1
            known = self.last.time if self.last is not None else view.time
            most = _MAX_LOST_FRAMES if view.time - known < _PATIENCE_S else _MIN_LOST_FRAMES
            patient = self._lost_for < most or not self.can_begin(view)
            return self._record_lost(view.time, trouble) if patient else self.restart(view)
        self._lost_for = 0
        self.pose = found.T_world_camera
        self.extra_sigma = np.hypot(self.extra_sigma, GUESSED_SIGMA)
        detached = self.maps.detached
        self.maps.continue_in(len(self.keyframes.poses), found.keyframe)
        reason = RELOCALIZED if detached and not self.maps.detached else "relocalized"
        self._reset_motion()
        self.resume(view, found)
        self.last = view
        return self.record(view.time, np.diag([1e-4] * 3 + [1e-3] * 3), 0.5, "ok", reason)

    def restart(self, view: View) -> OdometryStep:
        """Start a new submap at the last known pose and report that this pose is a guess.

        If a place of another submap is recognised later, the younger submap is moved to match the older one.
        """
        self._lost_for = 0
        self.maps.begin(len(self.keyframes.poses), len(self.frame_poses))
        self.landmarks.clear()
        self._reset_motion()
        self.extra_sigma = np.hypot(self.extra_sigma, GUESSED_SIGMA)
        self.begin(view)
        self.last = view
        return self.record(view.time, _UNKNOWN_COVARIANCE, 0.1, "rotation", POSITION_GUESSED)

    def _reset_motion(self) -> None:
        """Forget the velocity and turn rate, which are unknown after a loss."""
        self._turn_rate, self.velocity, self.shutter.rate = np.zeros(3), np.zeros(3), np.zeros(3)

    def refine_map(self, fit: Fit, floor: float) -> None:
        """Refine the inverse depths with this frame and drop landmarks that are outliers repeatedly."""
        marks = self.landmarks
        seen = marks.observed(self.shutter, self.keyframes.poses)
        terms = linearise(seen, fit.R_camera_world, fit.centre, self.focal)
        self._learn_readout(seen, fit)
        # Twice the noise, because the pose was estimated from the same points.
        marks.refine_depths(terms, fit.inliers, 2 * fit.noise_px, floor)
        marks.count_observations(fit.inliers)
        self.noise_px = 0.8 * self.noise_px + 0.2 * fit.noise_px

    def _learn_readout(self, seen: Sightings, fit: Fit) -> None:
        """Update the rolling-shutter readout time from landmarks of well-known depth.

        Landmarks of unknown depth absorb any motion and carry no information about it.
        """
        marks = self.landmarks
        used = fit.inliers & (marks.sigma < _WELL_KNOWN * marks.inverse_depth)
        turns = self.keyframes.poses[marks.anchor[used], :3, :2]
        ray_shift_per_second = np.einsum("nij,nj->ni", turns, marks.shift_per_second[used])
        shift_per_second = self.shutter.shift_per_second(marks.pixels[used])
        marks.shift_readout(
            self.shutter.update_readout(
                seen.only(used), ray_shift_per_second, shift_per_second, fit, self.focal
            )
        )

    def update_velocity(self, shift: Vector, gap: float) -> None:
        self.velocity = 0.5 * self.velocity + 0.5 * shift / gap

    def on_map_moved(self, move: Matrix, factor: float) -> None:
        self.velocity = factor * move[:3, :3] @ self.velocity

    def needs_keyframe(self) -> bool:
        newest = self.keyframes.poses[-1]
        moved = float(np.linalg.norm(self.pose[:3, 3] - newest[:3, 3]))
        turned = angle_deg(newest[:3, :3].T @ self.pose[:3, :3])
        few = len(self.landmarks) < _MIN_LANDMARKS
        return moved > self.keyframe_m or turned > self.keyframe_deg or few or self.relocalization_due
