"""RGB odometry: the path of a walker from frames and a field of view, in units of the eye height.

Until something moves in a way that turning cannot explain, only the head's rotation is tracked. The first
parallax gives structure up to scale; the ground in it gives gravity and, through the eye height, the scale.
From then on landmarks carry both, and the ground keeps them from drifting. New points beside ground points
are taken as ground at once, which is how scale survives a turn on the spot, when nothing can be triangulated.
"""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, camera_pose, rigid
from situ.perception.odometry.engine import Odometry, View
from situ.perception.odometry.ground import (
    LOWEST_SINE,
    Ground,
    Plane,
    find_ground,
    inverse_depth_on,
    turn_between,
)
from situ.perception.odometry.keyframes import Recognised, inverse_depths_in
from situ.perception.odometry.resection import Fit, Motion, linearise, solve_pose
from situ.perception.odometry.result import OdometryResult, OdometryStep, result_of
from situ.perception.odometry.rgbd import is_rotation
from situ.perception.odometry.tracks import Pixels, bearings
from situ.perception.odometry.turning import fit_rotation
from situ.perception.odometry.twoview import TwoViews, has_parallax, two_views

ASSUMED_EYE_HEIGHT = 1.6
_ASSUMED_PITCH_DEG = -5.0
_WALKING_M_S = 1.2
_FASTEST_M_S = 3.0
_UNKNOWN = (0.12, 0.25)  # inverse depth of a new landmark: from 2.7 m to infinity
_FEWEST_KNOWN = 12
_KEYFRAME_M, _KEYFRAME_DEG = 0.35, 8.0
_SURE_TILT = float(np.radians(1.2))
_LONGEST_WAIT_S = 0.8
# Random walk of the map's scale and gravity per frame, and what one look at the ground can tell of them.
_SCALE_DRIFT, _TILT_DRIFT = 0.01, float(np.radians(0.03))
_HEIGHT_NOISE, _TILT_NOISE = 0.03, float(np.radians(1.0))
# Until this much was walked, a corrected gravity is taken to have been wrong from the start.
_SETTLING_M = 2.0
_UP = np.array([0.0, 0.0, 1.0])


class RgbOdometry(Odometry):
    """Camera poses from colour frames alone.

    Distances are metres if `eye_height` is given; otherwise they assume eyes at 1.6 m and `scale_known` is
    False. The world is gravity-aligned once the ground was seen; the first frame looks along +x.
    """

    def __init__(self, camera: Camera, eye_height: float | None = None) -> None:
        self.eye_height = ASSUMED_EYE_HEIGHT if eye_height is None else eye_height
        self.scale_known = eye_height is not None
        self.gravity_known = False
        self.mapped = False
        self.velocity: Vector = np.zeros(3)
        self.tilt_sigma: Vector = np.radians([4.0, 12.0])  # roll, pitch
        self.scale_sigma = 0.5
        self._walked = 0.0
        self._pace = _WALKING_M_S
        self._reference_step = 0
        self._reference_count = 0
        self._rng = np.random.default_rng(0)
        super().__init__(camera)

    def result(self) -> OdometryResult:
        """All frames so far."""
        return result_of(self.steps, self.scale_known, self.gravity_known)

    def first_pose(self) -> Matrix:
        return camera_pose([0.0, 0.0, self.eye_height], 0.0, _ASSUMED_PITCH_DEG)

    def begin(self, view: View) -> None:
        self._new_reference(view)

    def estimate(self, view: View, turn: Matrix) -> OdometryStep | str:
        return self._track(view, turn) if self.mapped else self._wait_for_parallax(view, turn)

    def resume(self, view: View, found: Recognised) -> None:
        self.landmarks.keep(np.zeros(len(self.landmarks), np.bool_))
        number = self.keyframes.add(self.pose, len(self.steps))
        depth = inverse_depths_in(self.pose, found.points_world)
        self.landmarks.add(self.camera, found.pixels, number, depth, 0.05 * depth)
        self._add_landmarks(view, number)
        self.mapped = True

    # -- before there is a map ---------------------------------------------------------------------------

    def _new_reference(self, view: View) -> None:
        """Start again from this frame: every tracked point becomes a landmark of unknown depth."""
        tracked = self.landmarks.pixels
        self.landmarks.keep(np.zeros(len(self.landmarks), np.bool_))
        number = self.keyframes.add(self.pose, len(self.steps))
        self._add_unknown(tracked, number)
        self._add_unknown(self.fresh_points(view), number)
        self._reference_step = len(self.steps)
        self._reference_count = len(self.landmarks)

    def _add_unknown(self, points: Pixels, number: int) -> None:
        count = len(points)
        self.landmarks.add(
            self.camera, points, number, np.full(count, _UNKNOWN[0]), np.full(count, _UNKNOWN[1])
        )

    def _wait_for_parallax(self, view: View, turn: Matrix) -> OdometryStep | str:
        reference = self.keyframes.poses[-1]
        first, now = self.landmarks.ray[:, :2], bearings(self.camera, self.landmarks.pixels)
        start = turn @ self.pose[:3, :3].T @ reference[:3, :3]
        turned, residuals = fit_rotation(first, now, start, self.focal)
        waited = view.time - self.steps[max(0, self._reference_step - 1)].time
        thinning = len(self.landmarks) < 0.45 * self._reference_count
        confidence = 0.7
        if has_parallax(residuals):
            structure = two_views(first, now, self.focal)
            confidence = 0.3
            if structure is not None:
                turned = structure.R_second_first  # points near and far moved apart: turning alone misleads
                ground = self._ground_in(structure, waited)
                sure = ground is not None and ground.plane.tilt_sigma.max() < _SURE_TILT
                if sure or thinning or waited > _LONGEST_WAIT_S:
                    self._start_map(view, structure, ground, waited)
                    return self.record(view.time, np.diag([1e-4] * 3 + [1e-2] * 3), 0.5, "ok", "map started")
        self.pose = rigid(reference[:3, :3] @ turned.T, self.pose[:3, 3])
        if thinning:
            self._new_reference(view)
        return self.record(view.time, np.diag([1e-5] * 3 + [1e-2] * 3), confidence, "rotation")

    def _ground_in(self, structure: TwoViews, waited: float) -> Ground | None:
        """The ground in the reference camera's axes, in units of the two views' baseline."""
        up = self.keyframes.poses[-1][2, :3]
        expected = Plane(up, self.eye_height / (self._pace * waited), self.tilt_sigma, 0.5)
        sigma = np.where(structure.inliers, structure.sigma, 1e3)
        return find_ground(self.landmarks.ray, structure.inverse_depth, sigma, expected, self._rng)

    def _start_map(self, view: View, structure: TwoViews, ground: Ground | None, waited: float) -> None:
        scale = self._pace * waited
        self.scale_sigma = 0.5
        if ground is not None:
            scale = self.eye_height / ground.plane.height
            self._level(self.keyframes.poses[-1][:3, :3] @ ground.plane.up)
            self.tilt_sigma, self.scale_sigma = ground.plane.tilt_sigma, ground.plane.height_sigma
            self.landmarks.ground = ground.inliers
            self.gravity_known = True
        reference = self.keyframes.poses[-1]
        self.landmarks.inverse_depth = structure.inverse_depth / scale
        self.landmarks.sigma = np.maximum(structure.sigma / scale, 0.02 * self.landmarks.inverse_depth)
        self.landmarks.keep(structure.inliers)
        before = reference[:3, 3]
        shift = reference[:3, :3] @ structure.centre * scale
        self.pose = rigid(reference[:3, :3] @ structure.R_second_first.T, before + shift)
        self._spread_shift(shift)
        self.velocity = shift / waited * np.array([1.0, 1.0, 0.0])
        self.mapped = True
        self._new_keyframe(view)

    def _level(self, up_world: Vector) -> None:
        """Turn everything so that the ground is level and the first frame still looks along +x."""
        level = turn_between(up_world, _UP)
        ahead = level @ self.steps[0].T_world_camera[:3, 2]
        yaw = np.arctan2(ahead[1], ahead[0])
        heading = np.array(
            [[np.cos(yaw), np.sin(yaw), 0.0], [-np.sin(yaw), np.cos(yaw), 0.0], [0.0, 0.0, 1.0]]
        )
        if any(s.status == "ok" for s in self.steps):
            heading = np.eye(3)  # a path exists already: leave its heading alone
        pivot = self.keyframes.poses[-1][:3, 3]
        motion = rigid(heading @ level, pivot - heading @ level @ pivot)
        self.keyframes.poses = motion @ self.keyframes.poses
        self.pose = motion @ self.pose
        if not any(s.status == "ok" for s in self.steps):
            self.rewrite([motion @ s.T_world_camera for s in self.steps], 0)

    def _spread_shift(self, shift: Vector) -> None:
        """The frames since the reference were held in place; now it is known that they moved."""
        held = self.steps[self._reference_step :]
        poses = []
        for number, made in enumerate(held):
            pose = made.T_world_camera.copy()
            pose[:3, 3] += shift * (number + 1) / (len(held) + 1)
            poses.append(pose)
        self.rewrite(poses, self._reference_step)

    # -- with a map --------------------------------------------------------------------------------------

    def _track(self, view: View, turn: Matrix) -> OdometryStep | str:
        assert self.last is not None
        before, gap = self.pose, view.time - self.last.time
        seen = self.landmarks.sighted(self.camera, self.keyframes.poses)
        known = self.landmarks.sigma < 0.3 * self.landmarks.inverse_depth
        fit = self._best_fit(seen, turn @ before[:3, :3].T, before[:3, 3], gap)
        shift = fit.centre - before[:3, 3]
        if (fit.inliers & known).sum() < _FEWEST_KNOWN:
            return self._map_ran_out(view, turn)
        if np.linalg.norm(shift) > 0.1 + _FASTEST_M_S * gap or abs(shift[2]) > 0.1 + 0.5 * gap:
            return self._map_ran_out(view, turn)
        only_turned = is_rotation(shift, fit.covariance[3:, 3:])
        if only_turned:
            held = Motion(before[:3, 3], np.eye(3) * 1e12)
            fit = solve_pose(seen, fit.R_camera_world, before[:3, 3], self.focal, self.noise_px, held)
        self.pose = fit.T_world_camera
        self.noise_px = 0.8 * self.noise_px + 0.2 * fit.noise_px
        self.velocity = 0.5 * self.velocity + 0.5 * (self.pose[:3, 3] - before[:3, 3]) / gap
        self._walked += float(np.linalg.norm(self.pose[:3, 3] - before[:3, 3]))
        self._learn_from(fit)
        if not only_turned:
            speed = float(np.linalg.norm(self.velocity))
            self._pace += 0.05 * (float(np.clip(speed, 0.5, 2.0)) - self._pace)
            self._heed_ground()
        self.close_loop(view)
        if self._wants_keyframe():
            self._new_keyframe(view)
        return self.record(
            view.time, fit.covariance, self._confidence(fit, known), "rotation" if only_turned else "ok"
        )

    def _best_fit(self, seen, rotation: Matrix, centre: Vector, gap: float) -> Fit:  # type: ignore[no-untyped-def]
        """From where the walker should be by now, and from where they were: the better of the two."""
        information = np.diag([1 / 0.15**2, 1 / 0.15**2, 1 / 0.05**2])
        moving = centre + self.velocity * gap
        fits = [
            solve_pose(seen, rotation, start, self.focal, self.noise_px, Motion(moving, information))
            for start in (moving, centre)
        ]
        return min(fits, key=lambda f: f.cost)

    def _map_ran_out(self, view: View, turn: Matrix) -> OdometryStep | str:
        """Too little of the map is left or it contradicts itself: keep the heading, look for new structure."""
        if self.was_lost:
            return "nothing of the map is in view"
        self.pose = rigid((turn @ self.pose[:3, :3].T).T, self.pose[:3, 3])
        self.mapped = False
        self.tilt_sigma = np.hypot(self.tilt_sigma, _TILT_NOISE)
        self._new_reference(view)
        return self.record(view.time, np.diag([1e-4] * 3 + [1.0] * 3), 0.2, "rotation", "map ran out")

    def _learn_from(self, fit: Fit) -> None:
        marks = self.landmarks
        seen = marks.sighted(self.camera, self.keyframes.poses)
        terms = linearise(seen, fit.R_camera_world, fit.centre, self.focal, fit.noise_px)
        marks.refine_depths(terms, fit.inliers, 2 * fit.noise_px, floor=0.01)
        marks.sightings += fit.inliers
        marks.misses = np.where(fit.inliers, 0, marks.misses + 1)
        marks.keep(marks.misses < 2)

    def _from_here(self) -> tuple[Matrix, Vector, Vector]:
        """Rays (z = 1), inverse depths and their deviations of all landmarks, seen from the current camera."""
        seen = self.landmarks.sighted(self.camera, self.keyframes.poses)
        turned = self.pose[:3, :3].T
        ray_z = seen.rays @ turned[2]
        z = ray_z + seen.inverse_depth * ((seen.anchors - self.pose[:3, 3]) @ turned[2])
        z = np.maximum(z, 0.05)
        rays = np.concatenate([seen.seen, np.ones((len(seen), 1))], axis=1)
        return rays, seen.inverse_depth / z, seen.sigma * np.abs(ray_z) / z**2

    def _heed_ground(self) -> None:
        """Compare the landmarks with the ground: correct scale, gravity and height, and mark ground points."""
        rays, depth, sigma = self._from_here()
        self.scale_sigma = float(np.hypot(self.scale_sigma, _SCALE_DRIFT))
        self.tilt_sigma = np.hypot(self.tilt_sigma, _TILT_DRIFT)
        up = self.pose[2, :3]
        measured = (sigma < 0.1 * depth) & (self.landmarks.sightings >= 3)
        allowed = np.hypot(self.tilt_sigma, _TILT_NOISE)
        expected = Plane(up, self.eye_height, allowed, float(np.hypot(self.scale_sigma, _HEIGHT_NOISE)))
        found = find_ground(rays, depth, np.where(measured, sigma, 1e3), expected, self._rng)
        if found is None:
            return
        plane = found.plane
        on_ground = inverse_depth_on(plane.up, plane.height, rays)
        gaps = np.abs(depth - on_ground) / np.hypot(sigma, 0.03 * depth)
        self.landmarks.ground = np.where(measured, (gaps < 3) & (on_ground > 0), self.landmarks.ground)
        # The planes of successive frames share points, hence errors: they never count as precise.
        trust = self.scale_sigma**2 / (self.scale_sigma**2 + plane.height_sigma**2 + _HEIGHT_NOISE**2)
        tilt_trust = float(np.mean(self.tilt_sigma**2 / (self.tilt_sigma**2 + _TILT_NOISE**2)))
        towards = up + tilt_trust * (plane.up - up)
        up_world = self.pose[:3, :3] @ towards
        self._correct(
            (self.eye_height / plane.height) ** trust, up_world / np.linalg.norm(up_world), plane.height
        )
        self.scale_sigma *= float(np.sqrt(1 - trust))
        self.tilt_sigma = self.tilt_sigma * np.sqrt(1 - tilt_trust)

    def _correct(self, scale: float, up_world: Vector, height: float) -> None:
        """Scale and tilt the landmarks' anchors about the camera, and move all of it to its height."""
        level = turn_between(up_world, _UP)
        centre = self.pose[:3, 3]
        used = np.unique(self.landmarks.anchor)
        poses = self.keyframes.poses[used]
        poses[:, :3, :3] = level @ poses[:, :3, :3]
        poses[:, :3, 3] = centre + scale * (poses[:, :3, 3] - centre) @ level.T
        lift = np.array([0.0, 0.0, 0.2 * (height * scale - centre[2])])
        poses[:, :3, 3] += lift
        self.keyframes.poses[used] = poses
        self.pose = rigid(level @ self.pose[:3, :3], centre + lift)
        if self._walked < _SETTLING_M:
            about = rigid(level, centre - level @ centre)
            self.rewrite([about @ s.T_world_camera for s in self.steps], 0)
        self.landmarks.inverse_depth = self.landmarks.inverse_depth / scale
        self.landmarks.sigma = self.landmarks.sigma / scale
        self.velocity = self.velocity * scale

    def _wants_keyframe(self) -> bool:
        newest = self.keyframes.poses[-1]
        moved = float(np.linalg.norm(self.pose[:3, 3] - newest[:3, 3]))
        turned = np.degrees(
            np.arccos(np.clip((np.trace(newest[:3, :3].T @ self.pose[:3, :3]) - 1) / 2, -1, 1))
        )
        return moved > _KEYFRAME_M or turned > _KEYFRAME_DEG or len(self.landmarks) < 150

    def _new_keyframe(self, view: View) -> None:
        number = self.keyframes.add(self.pose, len(self.steps))
        self._add_landmarks(view, number)
        rays, depth, sigma = self._from_here()
        good = sigma < 0.1 * depth
        points = rays[good] / depth[good, None]
        self.keyframes.remember(number, view.grey, view.small, self.landmarks.pixels[good], points)

    def _add_landmarks(self, view: View, number: int) -> None:
        points = self.fresh_points(view)
        depth, sigma, ground = self._guess_depth(points)
        self.landmarks.add(self.camera, points, number, depth, sigma)
        self.landmarks.ground[len(self.landmarks) - len(points) :] = ground

    def _guess_depth(self, points: Pixels) -> tuple[Vector, Vector, NDArray[np.bool_]]:
        """New points below the horizon whose neighbours lie on the ground are taken to lie there too."""
        count = len(points)
        depth, sigma = np.full(count, _UNKNOWN[0]), np.full(count, _UNKNOWN[1])
        marks = self.landmarks
        ground = np.zeros(count, np.bool_)
        if count == 0 or len(marks) == 0:
            return depth, sigma, ground
        flat = bearings(self.camera, points)
        rays = np.concatenate([flat, np.ones((count, 1))], axis=1)
        up = self.pose[2, :3]
        on_ground = inverse_depth_on(up, float(self.pose[2, 3]), rays)
        below = -(rays @ up) / np.linalg.norm(rays, axis=1) > LOWEST_SINE
        gaps = np.linalg.norm(points[:, None] - marks.pixels[None], axis=2)
        nearest = np.argsort(gaps, axis=1)[:, :3]
        votes = marks.ground[nearest].sum(axis=1)
        near = np.take_along_axis(gaps, nearest[:, :1], 1)[:, 0] < 0.2 * self.camera.width
        ground = below & near & (votes >= min(2, len(marks)))
        depth = np.where(ground, on_ground, depth)
        sigma = np.where(ground, 0.15 * on_ground, sigma)
        return depth, sigma, ground

    def _confidence(self, fit: Fit, known: NDArray[np.bool_]) -> float:
        enough = min(1.0, float((fit.inliers & known).sum()) / 40)
        sure_of_scale = 1.0 / (1.0 + (self.scale_sigma / 0.2) ** 2)
        return float(enough * sure_of_scale * fit.inliers.mean())
