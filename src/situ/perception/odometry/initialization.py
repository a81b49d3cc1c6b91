"""Initialization of RGB odometry: rotation only, until parallax gives structure.

Structure from the first parallax has no scale. The ground in it gives gravity and, through the eye height,
the scale. If no ground is visible in time, the usual walking speed gives the scale.
"""

from abc import abstractmethod

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, camera_pose, rigid
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.ground_plane import GroundFit, GroundPlane, find_ground, is_walkable
from situ.perception.odometry.images import Pixels
from situ.perception.odometry.odometry import Odometry
from situ.perception.odometry.result import OdometryResult, OdometryStep, result_of
from situ.perception.odometry.rotation import fit_rotation
from situ.perception.odometry.scale_gravity import ScaleGravityFilter, fixes_gravity
from situ.perception.odometry.tracking import TrackedPoints, View
from situ.perception.odometry.two_view import TwoViews, explains_more, has_parallax, two_views

ASSUMED_EYE_HEIGHT = 1.6  # metres
_ASSUMED_PITCH_DEG = -5.0
_WALKING_M_S = 1.2
_IMU_TILT = float(np.radians(1.5))  # sigma of gravity from an accelerometer
UNKNOWN_DEPTH = (0.12, 0.25)  # inverse depth of a new landmark and its sigma: from 2.7 m to infinity
_MAX_WAIT_S = 0.8  # for the ground, once there is parallax
# Largest median depth. Wrong tracks during a rotation look like a few near points before a background that
# would be hundreds of metres away at walking speed.
_MAX_MEDIAN_DEPTH_M = 25.0
_STILL_PX = 1.5  # residual of a pure rotation below which the wearer stands
# A camera rolled by more than 55 degrees for three frames means a wrong map. Looking straight down has no
# roll.
_OVERTURNED, _OVERTURNED_FRAMES, _MIN_UPRIGHT = float(np.cos(np.radians(55.0))), 3, 0.3
_THINNED = 0.45  # share of the reference points below which a new reference starts


class StartingOdometry(Odometry):
    """RGB odometry state from the first frame on, and the creation of a map."""

    def __init__(self, camera: Camera, eye_height: float | None) -> None:
        self.eye_height = ASSUMED_EYE_HEIGHT if eye_height is None else eye_height
        self.scale_known = eye_height is not None
        self.gravity_known = False
        self.mapped = False
        self.scale_filter = ScaleGravityFilter()
        self.pace = _WALKING_M_S
        self.rng = np.random.default_rng(0)
        # Step at which the motion behind the present map began, and from which it was tracked.
        self.map_start = self.followed_since = 0
        self._still_step = 0
        self._reference_count = 0
        self._overturned_for = 0
        super().__init__(camera)

    @property
    def scale_uncertainty(self) -> float:
        """Relative sigma of the scale from the ground; the error of the eye height is not included."""
        return self.scale_filter.scale_sigma

    def result(self) -> OdometryResult:
        """All frames so far, with their final poses."""
        self.finish()
        return result_of(self.steps, self.scale_known, self.gravity_known)

    def first_pose(self) -> Matrix:
        return camera_pose([0.0, 0.0, self.eye_height], 0.0, _ASSUMED_PITCH_DEG)

    def begin(self, view: View) -> None:
        self.new_reference(view)

    def level_by(self, up_camera: Vector) -> None:
        """Level the world by an IMU's up direction in axes of the latest camera."""
        self.level(self.pose[:3, :3] @ up_camera, from_the_start=True)
        self.gravity_known = True
        self.scale_filter.tilt_sigma = np.full(2, _IMU_TILT)

    def estimate(self, view: View, followed: TrackedPoints, gap: float) -> OdometryStep | str:
        turn = followed.turn
        return self.track(view, turn, gap) if self.mapped else self._wait_for_parallax(view, turn)

    @abstractmethod
    def track(self, view: View, turn: Matrix, gap: float) -> OdometryStep | str:
        """Estimate the pose in the map."""

    @abstractmethod
    def new_keyframe(self, view: View) -> None:
        """Add landmarks of this frame to the map."""

    def new_reference(self, view: View) -> None:
        """Restart from this frame: every tracked point becomes a landmark of unknown depth."""
        tracked = self.landmarks.pixels
        fresh = new_points(view.grey, tracked, seek_ground=True)
        self.landmarks.clear()
        number = self.keyframes.add(self.pose)
        self._add_unknown(np.concatenate([tracked, fresh]), number)
        self._still_step = len(self.frame_poses)
        self._reference_count = len(self.landmarks)

    def is_overturned(self) -> bool:
        """Whether the camera appears rolled onto its side or upside down for several frames.

        A plane that fills the view fits a wrong motion as well as the true one, and the world then slowly
        rolls.
        """
        right, down = float(self.pose[2, 0]), float(self.pose[2, 1])
        upright = float(np.hypot(right, down))
        rolled = upright > _MIN_UPRIGHT and -down < _OVERTURNED * upright
        self._overturned_for = self._overturned_for + 1 if rolled else 0
        return self._overturned_for >= _OVERTURNED_FRAMES

    def restart_level(self, view: View) -> OdometryStep:
        """Discard the map as wrong: start a level one, and add uncertainty to the path in the old one."""
        self.finish()
        self._overturned_for = 0
        self.graph.inflate_rotations_since(
            int(self.frame_poses.keyframe_of[self.map_start]), float(np.arccos(_OVERTURNED))
        )
        ahead = self.pose[:3, 2]
        place = [*self.pose[:2, 3], self.eye_height]
        self.pose = camera_pose(place, float(np.degrees(np.arctan2(ahead[1], ahead[0]))), _ASSUMED_PITCH_DEG)
        self.mapped = self.gravity_known = False
        self.scale_filter = ScaleGravityFilter()
        return self.restart(view)

    def _add_unknown(self, points: Pixels, number: int) -> None:
        depth, sigma = (np.full(len(points), value) for value in UNKNOWN_DEPTH)
        self.landmarks.add(self.shutter, points, number, depth, sigma)

    def _wait_for_parallax(self, view: View, turn: Matrix) -> OdometryStep:
        reference = self.keyframes.poses[-1]
        first, now = self.landmarks.ray[:, :2], self.shutter.bearings(self.landmarks.pixels)
        start = turn @ self.pose[:3, :3].T @ reference[:3, :3]
        turned, residuals = fit_rotation(first, now, start, self.focal)
        if np.percentile(residuals, 90) < _STILL_PX:
            self._still_step = len(self.frame_poses)
        waited = view.time - float(self.frame_poses.time[max(0, self._still_step - 1)])
        thinning = len(self.landmarks) < _THINNED * self._reference_count
        confidence = 0.7
        if has_parallax(residuals):
            structure = two_views(first, now, self.focal)
            confidence = 0.3
            if structure is not None and explains_more(structure, residuals):
                turned = structure.R_second_first  # with parallax the best pure rotation is biased
                ground = self._ground_in(structure, waited)
                sure = ground is not None and fixes_gravity(ground.plane)
                if sure or thinning or waited > _MAX_WAIT_S:
                    self._start_map(view, structure, ground, waited)
                    return self.record(view.time, np.diag([1e-4] * 3 + [1e-2] * 3), 0.5, "ok", "map started")
        self.pose = rigid(reference[:3, :3] @ turned.T, self.pose[:3, 3])
        if thinning:
            self.new_reference(view)
        return self.record(view.time, np.diag([1e-5] * 3 + [1e-2] * 3), confidence, "rotation")

    def _ground_in(self, structure: TwoViews, waited: float) -> GroundFit | None:
        """Ground plane in axes of the reference camera, in units of the baseline."""
        up = self.keyframes.poses[-1][2, :3]
        expected = GroundPlane(up, self.eye_height / (self.pace * waited), self.scale_filter.tilt_sigma, 0.5)
        sigma = np.where(structure.inliers, structure.sigma, 1e3)
        rays, depth = self.landmarks.ray, structure.inverse_depth
        found = find_ground(rays, depth, sigma, expected, self.rng, structure.centre)
        if found is None:
            return None
        motion = structure.centre * self.eye_height / found.plane.height
        return found if is_walkable(found.plane.up, motion) else None

    def _start_map(self, view: View, structure: TwoViews, ground: GroundFit | None, waited: float) -> None:
        self.adopt_solution()
        half_way = float(np.median(structure.inverse_depth[structure.inliers]))
        scale = min(self.pace * waited, _MAX_MEDIAN_DEPTH_M * half_way)
        self.scale_filter.reset(ground.plane if ground is not None else None)
        if ground is not None:
            scale = self.eye_height / ground.plane.height
            unwalked = "ok" not in self.frame_poses.status
            self.level(self.keyframes.poses[-1][:3, :3] @ ground.plane.up, from_the_start=unwalked)
            self.landmarks.ground = ground.inliers
            self.gravity_known = True
        reference = self.keyframes.poses[-1]
        self.landmarks.inverse_depth = structure.inverse_depth / scale
        self.landmarks.sigma = np.maximum(structure.sigma / scale, 0.02 * self.landmarks.inverse_depth)
        self.landmarks.keep(structure.inliers)
        shift = reference[:3, :3] @ structure.centre * scale
        self.pose = rigid(reference[:3, :3] @ structure.R_second_first.T, reference[:3, 3] + shift)
        self._spread_shift(shift)
        self.velocity = shift / waited * np.array([1.0, 1.0, 0.0])
        self.mapped = True
        self.map_start, self.followed_since = self._still_step, len(self.frame_poses)
        self.new_keyframe(view)

    def _spread_shift(self, shift: Vector) -> None:
        """Distribute the first translation over the frames since the last standstill, which were held in
        place."""
        poses = self.frame_poses.poses(np.arange(self._still_step, len(self.frame_poses)), self.keyframes)
        shares = np.arange(1, len(poses) + 1) / (len(poses) + 1)
        poses[:, :3, 3] += shares[:, None] * shift
        self.rewrite(self._still_step, poses)
