"""RGB-D odometry: tracked landmarks with measured depth, resection, and a test for pure rotation."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, camera_pose
from situ.perception.gravity import up_from_depth
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.depth_sampling import NEAREST_M, depth_sigma, first_guesses, sample_depth
from situ.perception.odometry.features import Features
from situ.perception.odometry.ground_plane import GroundPlane, find_ground
from situ.perception.odometry.images import Mask, Pixels, pixels
from situ.perception.odometry.keyframes import Relocalization, inverse_depths_in
from situ.perception.odometry.odometry import Odometry
from situ.perception.odometry.optical_flow import follow
from situ.perception.odometry.pose_graph import StationPrior
from situ.perception.odometry.resection import (
    Fit,
    PositionPrior,
    Sightings,
    fixed_position,
    is_pure_rotation,
    solve_pose,
)
from situ.perception.odometry.result import AMBIGUOUS_MOTION, OdometryResult, OdometryStep, Status, result_of
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.scale_filter import ScaleFilter
from situ.perception.odometry.tracking import TrackedPoints, View

# A second motion hypothesis: least number and share of outliers, inliers among them, and distance in metres
# from the first (far points alone allow less).
_MIN_SECOND, _MIN_SECOND_SHARE, _SECOND_INLIER_SHARE, _MIN_APART_M = 12, 0.08, 0.5, 0.2
_SECOND_LEVELS = 1  # pyramid levels: more would reach the next tile of a pattern
_NEAREST = 0.1  # share of an anchor's depth
_MIN_DEPTH_SHARE = 0.2  # of an image with depth, to start a map
_MIN_INLIERS = 12  # landmarks with depth
_AMBIGUOUS_CONFIDENCE = 0.25  # factor on the confidence while a second motion is possible
_LATEST = 300  # frames that the scale uncertainty is a median of
_COMMON_SHARE = 0.6  # of an estimated depth's error that repeated observations share
_MAX_SPEED_M_S, _MAX_SPEED_CHANGE_M_S, _USUAL_M_S = 6.0, 3.0, 1.0
_MIN_BEARINGS, _BEARING_SHARE = 30, 0.6  # inliers of a pose without depth
_MIN_COS_LEVEL = float(np.cos(np.radians(15.0)))  # a plane tilted more is a ramp or a roof
_MIN_COS_GUESS = float(np.cos(np.radians(30.0)))  # a plane of corners tilted more is a wall
# Prior of the first camera: sigma of roll and pitch (radians), height over a floor or table (m), relative
# sigma.
_LEVEL_SIGMA, _HEIGHT, _HEIGHT_SIGMA = np.radians([6.0, 15.0]), 1.3, 0.4


class RgbdOdometry(Odometry):
    """Camera poses from colour and metric depth frames.

    Depth images hold metres along the optical axis; 0, NaN and infinity mean "not measured". Without
    `T_world_first` the first camera is assumed level and looks along +x, until a floor or table top in view
    levels the world. With `level_known` False the same holds for a given first pose.
    """

    keyframe_m, keyframe_deg = 0.15, 10.0
    free_scale = False

    def __init__(self, camera: Camera, T_world_first: Matrix | None = None, level_known: bool = True) -> None:
        self._first = camera_pose([0.0, 0.0, 0.0], 0.0) if T_world_first is None else T_world_first
        self.gravity_known = T_world_first is not None and level_known
        self._level_guessed = self.level_shown = T_world_first is not None
        self._depth_sigmas: list[float] = []  # common errors of the latest depth images
        self._rng = np.random.default_rng(0)
        self._scale = 0.0, 1.0  # time of the latest frame, and the factor on its depth
        self._scale_filter: ScaleFilter | None = None  # of estimated depth
        self._scale_checked = 0  # keyframes when it was updated last
        super().__init__(camera)

    def result(self) -> OdometryResult:
        """All frames so far, with their final poses."""
        self.finish()
        return result_of(self.steps, scale_known=True, gravity_known=self.gravity_known)

    def first_pose(self) -> Matrix:
        return np.array(self._first, dtype=float)

    def begin(self, view: View) -> None:
        self._new_keyframe(view)

    def can_begin(self, view: View) -> bool:
        return view.depth is not None and float(np.mean(view.depth > NEAREST_M)) > _MIN_DEPTH_SHARE

    def resume(self, view: View, found: Relocalization) -> None:
        self.landmarks.clear()
        number = self.keyframes.add(self.pose)
        depth = inverse_depths_in(self.pose, found.points_world)
        self.landmarks.add(self.shutter, found.pixels, number, depth, 0.03 * depth)
        self._add_landmarks(view, number)
        self.note_keyframe(view, number, found)

    def estimate(self, view: View, followed: TrackedPoints, gap: float) -> OdometryStep | str:
        before = self.pose
        start = followed.turn @ before[:3, :3].T
        seen, fit, second_m = self._resected(view, followed, start)
        shift = fit.centre - before[:3, 3]
        agreed = int((fit.inliers & self.landmarks.depth_known).sum())
        if agreed < _MIN_INLIERS:
            return self._by_bearings(view, seen, start, gap) or (
                f"too few landmarks with depth agree: {agreed} of {len(seen)}"
            )
        sudden = float(np.linalg.norm(shift - self.velocity * gap)) > 0.1 + _MAX_SPEED_CHANGE_M_S * gap
        if sudden or np.linalg.norm(shift) > max(0.05, _MAX_SPEED_M_S * gap):
            return f"implausible step of {np.linalg.norm(shift):.2f} m in {gap:.2f} s"
        only_turned = is_pure_rotation(shift, fit.covariance[3:, 3:], self.imu_motion.on_the_spot)
        if only_turned:
            held = fixed_position(before[:3, 3])
            fit = solve_pose(seen, start, before[:3, 3], self.focal, self.noise_px, held)
        self.pose = fit.T_world_camera
        self.update_velocity(fit.centre - before[:3, 3], gap)
        self.extra_sigma = np.hypot(self.extra_sigma, _added_sigma(fit, second_m))
        confidence = (
            float(fit.inliers.mean()) * min(1.0, agreed / 50) * (_AMBIGUOUS_CONFIDENCE if second_m else 1.0)
        )
        self._find_scale(view, fit)
        self._correct_scale(view)
        self._fuse_depth(view, fit)
        self.refine_map(fit, floor=0.003)
        if self.needs_keyframe():
            self._new_keyframe(view)
        status: Status = "rotation" if only_turned else "ok"
        return self.record(
            view.time, fit.covariance, confidence, status, AMBIGUOUS_MOTION if second_m else ""
        )

    def _resected(self, view: View, followed: TrackedPoints, start: Matrix) -> tuple[Sightings, Fit, float]:
        """Sightings, pose, and the distance of a second motion hypothesis (0 without one).

        If the second hypothesis explains more points after tracking again under it, it replaces the first.
        """
        seen = self.landmarks.observed(self.shutter, self.keyframes.poses)
        fit = self._near_first(seen, start)
        second = second_motion(seen, self.landmarks.depth_known, fit, self.focal)
        if second is not None and self.last is not None:
            there, good = track_under_motion(second, seen, followed, self.last, view, self.camera)
            again = replace(seen.only(good), seen=self.shutter.bearings(there[good]))
            other = self._solved(again, second.R_camera_world, second.centre)
            if other.inliers.sum() > fit.inliers.sum():
                self.landmarks.drop(~good)
                self.landmarks.pixels = there[good]
                seen, fit = again, other
                second = second_motion(seen, self.landmarks.depth_known, fit, self.focal)
        return seen, fit, 0.0 if second is None else float(np.linalg.norm(second.centre - fit.centre))

    def _near_first(self, seen: Sightings, start: Matrix) -> Fit:
        """Fit landmarks of known depth first: a far wall has correlated errors and could outvote near
        points."""
        here, known = self.pose[:3, 3], self.landmarks.depth_known
        if known.sum() >= _MIN_INLIERS:
            near = self._solved(seen.only(known), start, here)
            start, here = near.R_camera_world, near.centre
        return self._solved(seen, start, here)

    def _solved(self, seen: Sightings, R_camera_world: Matrix, centre: Vector) -> Fit:
        return solve_pose(seen, R_camera_world, centre, self.focal, self.noise_px, None)

    def _by_bearings(self, view: View, seen: Sightings, start: Matrix, gap: float) -> OdometryStep | None:
        """Pose from directions when hardly any depth is in view: the rotation is known, the position
        roughly."""
        here = self.pose[:3, 3]
        near = PositionPrior(here, np.eye(3) / (0.02 + _USUAL_M_S * gap) ** 2)
        fit = solve_pose(seen, start, here, self.focal, self.noise_px, near)
        if fit.inliers.sum() < max(_MIN_BEARINGS, _BEARING_SHARE * len(seen)):
            return None
        self.pose = fit.T_world_camera
        self.extra_sigma = np.hypot(self.extra_sigma, np.array([0.005, _USUAL_M_S * gap, 0.0]))
        self._fuse_depth(view, fit)
        if self.needs_keyframe():
            self._new_keyframe(view)
        return self.record(view.time, fit.covariance, 0.2, "rotation", "hardly any depth in view")

    def _fuse_depth(self, view: View, fit: Fit) -> None:
        """Update landmark depths with measured depth.

        A depth d at a landmark's pixel means the inverse depth A / (d - B) in its anchor, where A is the
        depth of the anchor's ray in this camera and B that of the anchor itself.
        """
        marks = self.landmarks
        depth, valid = sample_depth(self._depth_of(view), marks.pixels)
        anchors = self.keyframes.poses[marks.anchor]
        viewing = fit.R_camera_world[2]
        along = np.einsum("nij,nj,i->n", anchors[:, :3, :3], marks.ray, viewing)
        shift = (anchors[:, :3, 3] - fit.centre) @ viewing
        room = depth - shift
        valid &= (along > 0.1) & (room > 0.05) & fit.inliers
        measured = along / np.where(valid, room, 1.0)
        sigma = depth_sigma(depth, view.depth_uncertainty.each) * measured**2 / np.where(valid, along, 1.0)
        # A landmark that slid over a depth edge is an outlier far beyond noise: keep its old depth.
        agrees = np.abs(measured - marks.inverse_depth) < 5 * np.hypot(sigma, marks.sigma)
        valid &= agrees
        if view.depth_uncertainty.each:  # skip landmarks that parallax already determines better
            valid &= marks.sigma > _COMMON_SHARE * view.depth_uncertainty.each * marks.inverse_depth
        gain = np.where(valid, marks.sigma**2 / (marks.sigma**2 + sigma**2), 0.0)
        marks.inverse_depth = marks.inverse_depth + gain * (measured - marks.inverse_depth)
        # Thirty observations of a landmark are not independent: a floor lets the map correct itself.
        marks.sigma = np.maximum(marks.sigma * np.sqrt(1 - gain), 0.003 * marks.inverse_depth)

    @property
    def known_depths(self) -> int:
        """Number of active landmarks of known depth; none while tracking is lost."""
        return 0 if self.was_lost else int(self.landmarks.depth_known.sum())

    @property
    def depth_factor(self) -> float:
        return self._scale[1]

    @property
    def scale_uncertainty(self) -> float:
        """Common errors do not average out over observations of one place, so the sigma does not shrink."""
        return float(np.median(self._depth_sigmas)) if self._depth_sigmas else 0.0

    def _find_scale(self, view: View, fit: Fit) -> None:
        """Estimate the factor that brings a depth image with a common scale error to the scale of the map."""
        self._scale = view.time, 1.0
        if not view.depth_uncertainty.together:
            return
        self._depth_sigmas = [*self._depth_sigmas[-_LATEST:], view.depth_uncertainty.together]
        now = self.landmarks.structure_from(self.shutter, self.keyframes.poses, self.pose)
        depth, valid = sample_depth(self._depth_of(view), self.landmarks.pixels)
        valid &= fit.inliers & self.landmarks.depth_known
        if valid.sum() >= _MIN_INLIERS:
            self._scale = view.time, 1.0 / float(np.median(depth[valid] * now.inverse_depth[valid]))

    def _correct_scale(self, view: View) -> None:
        """Rescale the active map to the scale that all estimated depth images so far agree on."""
        sigma, (time, factor) = view.depth_uncertainty.together, self._scale
        since = len(self.keyframes.poses) - self._scale_checked
        if not sigma or time != view.time or not since:
            return
        self._scale_checked += since
        if self._scale_filter is None:
            self._scale_filter = ScaleFilter.started(sigma)
            return
        correction = self._scale_filter.correction(-float(np.log(factor)), sigma, since)
        self.rescale_active(correction)
        self._scale = time, factor * correction

    def _new_keyframe(self, view: View) -> None:
        number = self.keyframes.add(self.pose)
        self._add_landmarks(view, number)
        if not self.gravity_known:
            self._seek_level(view)
        self.note_keyframe(view, number)

    def renew(self, last: View) -> None:
        self._new_keyframe(last)

    def feature_points(
        self, view: View, shutter: RollingShutter, features: Features, placed: tuple[Pixels, Matrix]
    ) -> tuple[NDArray[np.intp], Matrix]:
        depth, valid = sample_depth(self._depth_of(view), features.pixels)
        points = self.camera.backproject(shutter.rectified_pixels(features.pixels[valid]) + 0.5, depth[valid])
        return np.flatnonzero(valid), points.astype(np.float32)

    def placed_landmarks(self, view: View) -> tuple[Pixels, Matrix]:
        depth, valid = sample_depth(self._depth_of(view), self.landmarks.pixels)
        pixels = self.landmarks.pixels[valid]
        return pixels, self.camera.backproject(self.shutter.rectified_pixels(pixels) + 0.5, depth[valid])

    def known(self) -> StationPrior:
        return StationPrior(self.pose[2, :3].copy())

    def levelled(self, view: View, known: StationPrior, station: int) -> StationPrior:
        """Measure up by floors and walls in the depth image."""
        rng = np.random.default_rng(station)  # separate, because other threads draw meanwhile
        up = up_from_depth(self._depth_of(view), self.camera, known.up, rng)
        if up is None or up.direction @ known.up < _MIN_COS_LEVEL:
            return known
        return StationPrior(up.direction, up.sigma)

    def _seek_level(self, view: View) -> None:
        """Level the world by the floor or a table top in view."""
        self.adopt_solution()
        up = up_from_depth(self._depth_of(view), self.camera, self.pose[2, :3], self._rng)
        if up is not None:
            self.level(self.pose[:3, :3] @ up.direction, from_the_start=True)
            self.gravity_known = True
            return
        if self._level_guessed:
            return
        now = self.landmarks.structure_from(self.shutter, self.keyframes.poses, self.pose)
        expected = GroundPlane(self.pose[2, :3], _HEIGHT, _LEVEL_SIGMA, _HEIGHT_SIGMA)
        found = find_ground(now.rays, now.inverse_depth, now.sigma, expected, self._rng)
        if found is None or found.plane.up @ expected.up < _MIN_COS_GUESS:
            return
        # A guess only: corners of furniture form planes, too.
        self.level(self.pose[:3, :3] @ found.plane.up, from_the_start=True)
        self._level_guessed = True

    def _add_landmarks(self, view: View, number: int) -> None:
        points = new_points(view.grey, self.landmarks.pixels)
        inverse, sigma = first_guesses(self._depth_of(view), points, view.depth_uncertainty.each)
        self.landmarks.add(self.shutter, points, number, inverse, sigma)

    def _depth_of(self, view: View) -> NDArray[np.floating]:
        if view.depth is None:
            if not len(self.frame_poses):
                raise BadInput(
                    "RGB-D odometry needs a depth image with its first frame; use RgbOdometry without depth"
                )
            # No depth for this frame, or not yet: its landmarks are tracked all the same.
            return np.zeros((self.camera.height, self.camera.width), np.float32)
        if view.depth.shape != (self.camera.height, self.camera.width):
            raise BadInput(
                f"the depth image is {view.depth.shape[1]}x{view.depth.shape[0]} but the camera is "
                f"{self.camera.width}x{self.camera.height}; resize it to the frame (nearest neighbour)"
            )
        time, factor = self._scale
        return view.depth if factor == 1.0 or view.time != time else view.depth * np.float32(factor)


def _added_sigma(fit: Fit, second: float) -> Vector:
    """Sigma that one frame adds to the path: from a weak fit, and from a second motion hypothesis.

    Landmarks share errors, so the covariance of the fit counts in full.
    """
    spread = np.sqrt(np.abs(np.diag(fit.covariance)))
    return np.array([spread[:3].max(), float(np.linalg.norm(spread[3:])) + second, 0.0])


def second_motion(seen: Sightings, with_depth: Mask, fit: Fit, focal: float) -> Fit | None:
    """Camera pose from the outliers with depth of a fit, or None if they are few or inconsistent.

    Which of both motions is right is not decided here: the outliers may be a passer-by.
    """
    others = ~fit.inliers & with_depth
    if others.sum() < max(_MIN_SECOND, _MIN_SECOND_SHARE * len(seen)):
        return None
    second = solve_pose(seen.only(others), fit.R_camera_world, fit.centre, focal, fit.noise_px, None)
    apart = float(np.linalg.norm(second.centre - fit.centre))
    return (
        second
        if second.inliers.sum() > _SECOND_INLIER_SHARE * others.sum() and apart > _MIN_APART_M
        else None
    )


def track_under_motion(
    second: Fit, seen: Sightings, followed: TrackedPoints, last: View, view: View, camera: Camera
) -> tuple[Pixels, Mask]:
    """Track all points again from the positions predicted by another motion.

    A repetitive pattern is found there again; points on a passer-by are the only ones found.
    """
    points = (
        seen.rays + seen.inverse_depth[:, None] * (seen.anchors - second.centre)
    ) @ second.R_camera_world.T
    guesses = pixels(camera, points[:, :2] / np.maximum(points[:, 2:], _NEAREST))
    there, good = follow(last.pyramid, view.pyramid, followed.before[followed.good], guesses, _SECOND_LEVELS)
    return there, good & (points[:, 2] > _NEAREST)
