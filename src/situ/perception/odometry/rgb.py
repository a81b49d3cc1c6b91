"""RGB odometry: camera path from frames and a field of view, in units of the eye height.

Landmarks carry scale and gravity from frame to frame; the ground plane keeps both from drifting. New points
next to ground points count as ground at once, which preserves the scale through rotations in place, when
nothing can be triangulated.
"""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.bundle_adjustment import adjusted
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.features import Features
from situ.perception.odometry.ground_constraint import GroundedOdometry
from situ.perception.odometry.ground_plane import guess_ground_points, inverse_depth_on
from situ.perception.odometry.images import Mask, Pixels
from situ.perception.odometry.initialization import UNKNOWN_DEPTH
from situ.perception.odometry.keyframes import Relocalization, inverse_depths_in
from situ.perception.odometry.pose_graph import StationPrior
from situ.perception.odometry.resection import (
    Fit,
    PositionPrior,
    Sightings,
    fixed_position,
    is_pure_rotation,
    solve_pose,
)
from situ.perception.odometry.result import OdometryStep
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.rotation import angle_deg
from situ.perception.odometry.tracking import View

_MAX_SPEED_M_S, _MAX_CLIMB_M_S = 3.0, 0.5
_MIN_KNOWN, _MIN_INLIER_SHARE = 12, 0.3  # landmarks of known depth that must agree
# Information of the constant-velocity prior: sigma 0.15 m horizontally and 0.05 m vertically.
_VELOCITY_PRIOR = np.diag([1 / 0.15**2, 1 / 0.15**2, 1 / 0.05**2])
_BLIND_TURN = 0.01, 0.1  # rotation sigma without a map: radians, and share of the rotation
_GROUND_SIGMA = 0.15  # relative depth sigma of a new point that is assumed to be ground
# Smallest sigmas of a station prior: tilt (radians), relative scale, height (metres).
_MIN_TILT_SIGMA, _MIN_SCALE_SIGMA, _HEIGHT_SIGMA = float(np.radians(1.5)), 0.15, 0.15


class RgbOdometry(GroundedOdometry):
    """Camera poses from colour frames alone.

    Distances are in metres if `eye_height` is given; otherwise an eye height of 1.6 m is assumed and
    `scale_known` is False. The world is gravity-aligned once the ground was seen; the first frame looks along
    +x.
    """

    keyframe_m, keyframe_deg = 0.35, 8.0
    free_scale = True

    def resume(self, view: View, found: Relocalization) -> None:
        self.landmarks.clear()
        number = self.keyframes.add(self.pose)
        depth = inverse_depths_in(self.pose, found.points_world)
        self.landmarks.add(self.shutter, found.pixels, number, depth, 0.05 * depth)
        self._add_landmarks(view, number)
        self.mapped = True
        self.map_start = self.followed_since = len(self.frame_poses)
        self.strides[:] = 0.0
        self.note_keyframe(view, number, found)

    def track(self, view: View, turn: Matrix, gap: float) -> OdometryStep | str:
        before = self.pose
        seen = self.landmarks.observed(self.shutter, self.keyframes.poses)
        known = self.landmarks.depth_known
        fit = self._best_fit(seen, turn @ before[:3, :3].T, before[:3, 3], gap)
        shift = fit.centre - before[:3, 3]
        agreed = int((fit.inliers & known).sum())
        if agreed < _MIN_KNOWN or _implausible(shift, self.velocity * gap, gap):
            return self._rotate_without_map(view, turn)
        if agreed < _MIN_INLIER_SHARE * known.sum():
            return f"only {agreed} of {known.sum()} known landmarks agree on a pose"
        only_turned = is_pure_rotation(shift, fit.covariance[3:, 3:], self.imu_motion.on_the_spot)
        if only_turned:
            held = fixed_position(before[:3, 3])
            fit = self._solved(seen, fit.R_camera_world, before[:3, 3], held)
        self.pose = fit.T_world_camera
        self.update_velocity(fit.centre - before[:3, 3], gap)
        if not only_turned:
            self._update_pace()
        if self.is_overturned():
            return self.restart_level(view)
        confidence = self._confidence(fit, known)
        self.refine_map(fit, floor=0.01)
        if not only_turned:
            self.update_ground_plane()
        if self.needs_keyframe():
            self.new_keyframe(view)
        return self.record(view.time, fit.covariance, confidence, "rotation" if only_turned else "ok")

    def new_keyframe(self, view: View) -> None:
        number = self.keyframes.add(self.pose)
        self.landmarks.note_views(self.shutter, number)
        self._adjust()
        self._add_landmarks(view, number)
        self.note_keyframe(view, number)

    def _adjust(self) -> None:
        """Bundle adjustment of the latest keyframes; the newest one is the current pose.

        Recent poses move by centimetres, which does not count as a revision of its own. A running pose graph
        optimisation stays valid, because it is applied as a motion of each station.
        """
        better = adjusted(self.keyframes, self.landmarks, self.focal, self.noise_px)
        if better is None:
            return
        numbers, poses = better
        self.graph.update_edges(self.keyframes, numbers, poses)
        self.keyframes.poses[numbers] = poses
        self.pose = poses[-1].copy()

    def renew(self, last: View) -> None:
        if self.mapped:
            self.new_keyframe(last)
        else:
            self.new_reference(last)

    def feature_points(
        self, view: View, shutter: RollingShutter, features: Features, placed: tuple[Pixels, Matrix]
    ) -> tuple[NDArray[np.intp], Matrix]:
        """Features at landmarks take the points of those."""
        pixels, points = placed
        if not len(pixels) or not len(features.pixels):
            return np.zeros(0, np.intp), np.zeros((0, 3), np.float32)
        return features.near(pixels, points)

    def placed_landmarks(self, view: View) -> tuple[Pixels, Matrix]:
        now = self.landmarks.structure_from(self.shutter, self.keyframes.poses, self.pose)
        good = now.sigma < 0.1 * now.inverse_depth
        return self.landmarks.pixels[good], now.rays[good] / now.inverse_depth[good, None]

    def known(self) -> StationPrior:
        """The ground has corrected every frame, so the current pose contains its information."""
        tilt = max(_MIN_TILT_SIGMA, float(self.scale_filter.tilt_sigma.max()))
        scale = max(_MIN_SCALE_SIGMA, 2 * self.scale_filter.scale_sigma)
        return StationPrior(self.pose[2, :3].copy(), tilt, float(self.pose[2, 3]), _HEIGHT_SIGMA, scale)

    def levelled(self, view: View, known: StationPrior, station: int) -> StationPrior:
        return known

    def _best_fit(self, seen: Sightings, rotation: Matrix, centre: Vector, gap: float) -> Fit:
        """Best of two fits: started at the predicted position, and at the last one."""
        moving = centre + self.velocity * gap
        fits = [
            self._solved(seen, rotation, start, PositionPrior(moving, _VELOCITY_PRIOR))
            for start in (moving, centre)
        ]
        return min(fits, key=lambda fit: fit.cost)

    def _solved(self, seen: Sightings, rotation: Matrix, start: Vector, near: PositionPrior) -> Fit:
        return solve_pose(seen, rotation, start, self.focal, self.noise_px, near, free_scale=True)

    def _rotate_without_map(self, view: View, turn: Matrix) -> OdometryStep | str:
        """Keep only the rotation when too little of the map is left, or it is inconsistent; start new
        structure."""
        if self.was_lost:
            return "nothing of the map is in view"
        self.pose = rigid((turn @ self.pose[:3, :3].T).T, self.pose[:3, 3])
        self.mapped = False
        self.scale_filter.inflate_tilt()
        turned = np.radians(angle_deg(turn))
        self.extra_sigma = np.hypot(
            self.extra_sigma, np.array([_BLIND_TURN[0] + _BLIND_TURN[1] * turned, 0.5, 0.5])
        )
        self.new_reference(view)
        return self.record(view.time, np.diag([1e-4] * 3 + [1.0] * 3), 0.2, "rotation", "map ran out")

    def _update_pace(self) -> None:
        speed = float(np.clip(np.linalg.norm(self.velocity), 0.5, 2.0))
        self.pace += 0.05 * (speed - self.pace)

    def _add_landmarks(self, view: View, number: int) -> None:
        points = new_points(view.grey, self.landmarks.pixels, seek_ground=True)
        rays = np.concatenate([self.shutter.bearings(points), np.ones((len(points), 1))], axis=1)
        ground = guess_ground_points(
            points, rays, self.pose[2, :3], self.landmarks.pixels, self.landmarks.ground
        )
        on_ground = inverse_depth_on(self.pose[2, :3], float(self.pose[2, 3]), rays)
        depth = np.where(ground, on_ground, UNKNOWN_DEPTH[0])
        sigma = np.where(ground, _GROUND_SIGMA * on_ground, UNKNOWN_DEPTH[1])
        self.landmarks.add(self.shutter, points, number, depth, sigma, ground)

    def _confidence(self, fit: Fit, known: Mask) -> float:
        enough = min(1.0, float((fit.inliers & known).sum()) / 40)
        sure_of_scale = 1.0 / (1.0 + (self.scale_filter.scale_sigma / 0.2) ** 2)
        return float(enough * sure_of_scale * fit.inliers.mean())


def _implausible(shift: Vector, expected: Vector, gap: float) -> bool:
    """Whether a step is faster than a person, or changes the velocity faster."""
    most = 0.1 + _MAX_SPEED_M_S * gap
    too_fast = max(float(np.linalg.norm(shift)), float(np.linalg.norm(shift - expected))) > most
    return too_fast or abs(float(shift[2])) > 0.1 + _MAX_CLIMB_M_S * gap
