"""RGB odometry: the path of a walker from frames and a field of view, in units of the eye height.

Landmarks carry scale and gravity from frame to frame, and the ground keeps both from drifting. New points
beside ground points are taken as ground at once: that is how scale survives a turn on the spot, when
nothing can be triangulated.
"""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.adjustment import adjusted
from situ.perception.odometry.features import Features
from situ.perception.odometry.following import View
from situ.perception.odometry.ground import guess_ground, inverse_depth_on
from situ.perception.odometry.grounded import GroundedOdometry
from situ.perception.odometry.keyframes import Recognised, inverse_depths_in
from situ.perception.odometry.posegraph import Known
from situ.perception.odometry.resection import Fit, Motion, Sightings, held_at, is_rotation, solve_pose
from situ.perception.odometry.result import OdometryStep
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.start import UNKNOWN_DEPTH
from situ.perception.odometry.tracks import Mask, Pixels, new_points
from situ.perception.odometry.turning import angle_deg

_FASTEST_M_S, _FASTEST_UP_M_S = 3.0, 0.5
_FEWEST_KNOWN = 12
_SMALLEST_SHARE = 0.3
# How far a walker may be from where the last frames' velocity says: ahead or aside, and up or down.
_SURPRISE = np.diag([1 / 0.15**2, 1 / 0.15**2, 1 / 0.05**2])
_BLIND_TURN = 0.01, 0.1  # radians and share of a turn that may be off where no map is left to tell
_GROUND_SIGMA = 0.15  # relative: of a new point that is taken for ground because its neighbours are
# What a station is sure of at best: tilt (radians), relative scale, metres of height.
_TILT_FLOOR, _SCALE_FLOOR, _HEIGHT_SIGMA = float(np.radians(1.5)), 0.15, 0.15


class RgbOdometry(GroundedOdometry):
    """Camera poses from colour frames alone.

    Distances are metres if `eye_height` is given; otherwise they assume eyes at 1.6 m and `scale_known` is
    False. The world is gravity-aligned once the ground was seen; the first frame looks along +x.
    """

    keyframe_m, keyframe_deg = 0.35, 8.0
    free_scale = True

    def resume(self, view: View, found: Recognised) -> None:
        self.landmarks.clear()
        number = self.keyframes.add(self.pose)
        depth = inverse_depths_in(self.pose, found.points_world)
        self.landmarks.add(self.shutter, found.pixels, number, depth, 0.05 * depth)
        self._add_landmarks(view, number)
        self.mapped = True
        self.map_start = self.followed_since = len(self.trail)
        self.strides[:] = 0.0
        self.note_keyframe(view, number, found)

    def track(self, view: View, turn: Matrix, gap: float) -> OdometryStep | str:
        before = self.pose
        seen = self.landmarks.sighted(self.shutter, self.keyframes.poses)
        known = self.landmarks.depth_known
        fit = self._best_fit(seen, turn @ before[:3, :3].T, before[:3, 3], gap)
        shift = fit.centre - before[:3, 3]
        agreed = int((fit.inliers & known).sum())
        if agreed < _FEWEST_KNOWN or _implausible(shift, self.velocity * gap, gap):
            return self._map_ran_out(view, turn)
        if agreed < _SMALLEST_SHARE * known.sum():
            return f"only {agreed} of {known.sum()} known landmarks agree on a pose"
        only_turned = is_rotation(shift, fit.covariance[3:, 3:], self.felt.on_the_spot)
        if only_turned:
            held = held_at(before[:3, 3])
            fit = self._solved(seen, fit.R_camera_world, before[:3, 3], held)
        self.pose = fit.T_world_camera
        self.note_speed(fit.centre - before[:3, 3], gap)
        if not only_turned:
            self._note_pace()
        if self.overturned():
            return self.start_level(view)
        confidence = self._confidence(fit, known)
        self.learn_from(fit, floor=0.01)
        if not only_turned:
            self.heed_ground()
        if self.wants_keyframe():
            self.new_keyframe(view)
        return self.record(view.time, fit.covariance, confidence, "rotation" if only_turned else "ok")

    def new_keyframe(self, view: View) -> None:
        number = self.keyframes.add(self.pose)
        self.landmarks.note_views(self.shutter, number)
        self._adjust()
        self._add_landmarks(view, number)
        self.note_keyframe(view, number)

    def _adjust(self) -> None:
        """The newest keyframe is where the camera is now.

        Poses of the last second or two move by centimetres: that is told with the next revision, not as one
        of its own. A solution of the graph that is on its way is a motion of each station, wherever it is.
        """
        better = adjusted(self.keyframes, self.landmarks, self.focal, self.noise_px)
        if better is None:
            return
        numbers, poses = better
        self.graph.follow(self.keyframes, numbers, poses)
        self.keyframes.poses[numbers] = poses
        self.pose = poses[-1].copy()

    def renew(self, last: View) -> None:
        if self.mapped:
            self.new_keyframe(last)
        else:
            self.new_reference(last)

    def feature_points(
        self, view: View, shutter: Shutter, features: Features, placed: tuple[Pixels, Matrix]
    ) -> tuple[NDArray[np.intp], Matrix]:
        """Features at landmarks are where those are."""
        pixels, points = placed
        if not len(pixels) or not len(features.pixels):
            return np.zeros(0, np.intp), np.zeros((0, 3), np.float32)
        return features.near(pixels, points)

    def placed_landmarks(self, view: View) -> tuple[Pixels, Matrix]:
        now = self.landmarks.seen_from(self.shutter, self.keyframes.poses, self.pose)
        good = now.sigma < 0.1 * now.inverse_depth
        return self.landmarks.pixels[good], now.rays[good] / now.inverse_depth[good, None]

    def known(self) -> Known:
        """The ground has been heeded in every frame: what it said is in the pose by now."""
        tilt = max(_TILT_FLOOR, float(self.belief.tilt_sigma.max()))
        scale = max(_SCALE_FLOOR, 2 * self.belief.scale_sigma)
        return Known(self.pose[2, :3].copy(), tilt, float(self.pose[2, 3]), _HEIGHT_SIGMA, scale)

    def levelled(self, view: View, known: Known, station: int) -> Known:
        return known

    def _best_fit(self, seen: Sightings, rotation: Matrix, centre: Vector, gap: float) -> Fit:
        """From where the walker should be by now, and from where they were: the better of the two."""
        moving = centre + self.velocity * gap
        fits = [self._solved(seen, rotation, start, Motion(moving, _SURPRISE)) for start in (moving, centre)]
        return min(fits, key=lambda fit: fit.cost)

    def _solved(self, seen: Sightings, rotation: Matrix, start: Vector, near: Motion) -> Fit:
        return solve_pose(seen, rotation, start, self.focal, self.noise_px, near, free_scale=True)

    def _map_ran_out(self, view: View, turn: Matrix) -> OdometryStep | str:
        """Too little of the map is left, or it contradicts itself: keep the heading, seek new structure."""
        if self.was_lost:
            return "nothing of the map is in view"
        self.pose = rigid((turn @ self.pose[:3, :3].T).T, self.pose[:3, 3])
        self.mapped = False
        self.belief.lose_map()
        turned = np.radians(angle_deg(turn))
        self.doubt = np.hypot(self.doubt, np.array([_BLIND_TURN[0] + _BLIND_TURN[1] * turned, 0.5, 0.5]))
        self.new_reference(view)
        return self.record(view.time, np.diag([1e-4] * 3 + [1.0] * 3), 0.2, "rotation", "map ran out")

    def _note_pace(self) -> None:
        speed = float(np.clip(np.linalg.norm(self.velocity), 0.5, 2.0))
        self.pace += 0.05 * (speed - self.pace)

    def _add_landmarks(self, view: View, number: int) -> None:
        points = new_points(view.grey, self.landmarks.pixels, seek_ground=True)
        rays = np.concatenate([self.shutter.bearings(points), np.ones((len(points), 1))], axis=1)
        ground = guess_ground(points, rays, self.pose[2, :3], self.landmarks.pixels, self.landmarks.ground)
        on_ground = inverse_depth_on(self.pose[2, :3], float(self.pose[2, 3]), rays)
        depth = np.where(ground, on_ground, UNKNOWN_DEPTH[0])
        sigma = np.where(ground, _GROUND_SIGMA * on_ground, UNKNOWN_DEPTH[1])
        self.landmarks.add(self.shutter, points, number, depth, sigma, ground)

    def _confidence(self, fit: Fit, known: Mask) -> float:
        enough = min(1.0, float((fit.inliers & known).sum()) / 40)
        sure_of_scale = 1.0 / (1.0 + (self.belief.scale_sigma / 0.2) ** 2)
        return float(enough * sure_of_scale * fit.inliers.mean())


def _implausible(shift: Vector, expected: Vector, gap: float) -> bool:
    """Nobody is as quick as that, nor changes as quickly to another way."""
    most = 0.1 + _FASTEST_M_S * gap
    too_fast = max(float(np.linalg.norm(shift)), float(np.linalg.norm(shift - expected))) > most
    return too_fast or abs(float(shift[2])) > 0.1 + _FASTEST_UP_M_S * gap
