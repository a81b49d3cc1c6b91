"""RGB-D odometry: a map of tracked landmarks with measured depth, resection, and a test for mere turning."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, camera_pose
from situ.perception.gravity import up_from_depth
from situ.perception.odometry.depth_reading import NEAREST_M, depth_sigma, first_guesses, sample_depth
from situ.perception.odometry.engine import Odometry
from situ.perception.odometry.features import Features
from situ.perception.odometry.following import Followed, View
from situ.perception.odometry.ground import Plane
from situ.perception.odometry.ground_search import find_ground
from situ.perception.odometry.keyframes import Recognised, inverse_depths_in
from situ.perception.odometry.posegraph import Known
from situ.perception.odometry.resection import Fit, Motion, Sightings, held_at, is_rotation, solve_pose
from situ.perception.odometry.result import CONTESTED, OdometryResult, OdometryStep, Status, result_of
from situ.perception.odometry.rivals import followed_by, rival_of
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.tracks import Pixels, new_points

_DEPTH_SHARE = 0.2  # of a picture must have depth to start again with it
_FEWEST_INLIERS = 12
_CONTESTED = 0.25  # of the confidence is left where some points tell of another motion
_LATEST = 300  # frames by which the doubt of a scale is judged
_MOST_VOTES = 30  # keyframes: a place that one came to later has a say, too
_IN_COMMON = 0.6  # of the doubt of a depth: looks from nearly the same place are off by the same
_FASTEST_M_S, _SUDDENLY_M_S, _USUAL_M_S = 6.0, 3.0, 1.0
_FEWEST_BEARINGS, _BEARING_SHARE = 30, 0.6
_LEVEL_TRUST = float(np.cos(np.radians(15.0)))  # what is level but further off is a ramp or a roof
_GUESS_TRUST = float(np.cos(np.radians(30.0)))  # corners that lie in a plane which leans more are of a wall
# The first camera's roll and pitch (radians), and its height over a floor or a table (relative).
_LEVEL_SIGMA, _HEIGHT, _HEIGHT_SIGMA = np.radians([6.0, 15.0]), 1.3, 0.4


class RgbdOdometry(Odometry):
    """Camera poses from colour and metric depth frames.

    Depth images hold metres along the optical axis; 0, NaN and infinity mean "not measured". Without
    `T_world_first` the world is levelled by the first floor or table top in view; until then the first
    camera is taken as level, and it looks along +x. A first pose whose `level_known` is not true holds until
    a floor is seen.
    """

    keyframe_m, keyframe_deg = 0.15, 10.0
    free_scale = False

    def __init__(self, camera: Camera, T_world_first: Matrix | None = None, level_known: bool = True) -> None:
        self._first = camera_pose([0.0, 0.0, 0.0], 0.0) if T_world_first is None else T_world_first
        self.gravity_known = T_world_first is not None and level_known
        self._level_guessed = self.level_shown = T_world_first is not None
        self._depth_doubts: list[float] = []  # of the latest frames
        self._rng = np.random.default_rng(0)
        self._scale = 0.0, 1.0  # time of the latest frame, and the factor of its depth
        super().__init__(camera)

    def result(self) -> OdometryResult:
        """All frames so far, each pose as good as it can be known by now."""
        self.finish()
        return result_of(self.steps, scale_known=True, gravity_known=self.gravity_known)

    def first_pose(self) -> Matrix:
        return np.array(self._first, dtype=float)

    def begin(self, view: View) -> None:
        self._new_keyframe(view)

    def can_begin(self, view: View) -> bool:
        return view.depth is not None and float(np.mean(view.depth > NEAREST_M)) > _DEPTH_SHARE

    def resume(self, view: View, found: Recognised) -> None:
        self.landmarks.clear()
        number = self.keyframes.add(self.pose)
        depth = inverse_depths_in(self.pose, found.points_world)
        self.landmarks.add(self.shutter, found.pixels, number, depth, 0.03 * depth)
        self._add_landmarks(view, number)
        self.note_keyframe(view, number, found)

    def estimate(self, view: View, followed: Followed, gap: float) -> OdometryStep | str:
        before = self.pose
        start = followed.turn @ before[:3, :3].T
        seen, fit, rival_m = self._resected(view, followed, start)
        shift = fit.centre - before[:3, 3]
        agreed = int((fit.inliers & self.landmarks.depth_known).sum())
        if agreed < _FEWEST_INLIERS:
            return self._by_bearings(view, seen, start, gap) or (
                f"too few landmarks with depth agree: {agreed} of {len(seen)}"
            )
        sudden = float(np.linalg.norm(shift - self.velocity * gap)) > 0.1 + _SUDDENLY_M_S * gap
        if sudden or np.linalg.norm(shift) > max(0.05, _FASTEST_M_S * gap):
            return f"implausible step of {np.linalg.norm(shift):.2f} m in {gap:.2f} s"
        only_turned = is_rotation(shift, fit.covariance[3:, 3:], self.felt.on_the_spot)
        if only_turned:
            held = held_at(before[:3, 3])
            fit = solve_pose(seen, start, before[:3, 3], self.focal, self.noise_px, held)
        self.pose = fit.T_world_camera
        self.note_speed(fit.centre - before[:3, 3], gap)
        self.doubt = np.hypot(self.doubt, _doubt_of(fit, rival_m))
        confidence = float(fit.inliers.mean()) * min(1.0, agreed / 50) * (_CONTESTED if rival_m else 1.0)
        self._find_scale(view, fit)
        self._fuse_depth(view, fit)
        self.learn_from(fit, floor=0.003)
        if self.wants_keyframe():
            self._new_keyframe(view)
        status: Status = "rotation" if only_turned else "ok"
        return self.record(view.time, fit.covariance, confidence, status, CONTESTED if rival_m else "")

    def _resected(self, view: View, followed: Followed, start: Matrix) -> tuple[Sightings, Fit, float]:
        """Where the camera is by the landmarks as they were followed, or, if that explains more of them, as
        they are found again by the motion of those who disagree; and how far off it is by these."""
        seen = self.landmarks.sighted(self.shutter, self.keyframes.poses)
        fit = self._near_first(seen, start)
        rival = rival_of(seen, self.landmarks.depth_known, fit, self.focal)
        if rival is not None and self.last is not None:
            there, good = followed_by(rival, seen, followed, self.last, view, self.camera)
            again = replace(seen.only(good), seen=self.shutter.bearings(there[good]))
            other = self._solved(again, rival.R_camera_world, rival.centre)
            if other.inliers.sum() > fit.inliers.sum():
                self.landmarks.lose(~good)
                self.landmarks.pixels = there[good]
                seen, fit = again, other
                rival = rival_of(seen, self.landmarks.depth_known, fit, self.focal)
        return seen, fit, 0.0 if rival is None else float(np.linalg.norm(rival.centre - fit.centre))

    def _near_first(self, seen: Sightings, start: Matrix) -> Fit:
        """All of a far wall errs alike in its depth, which is not known, and might outvote what is near."""
        here, known = self.pose[:3, 3], self.landmarks.depth_known
        if known.sum() >= _FEWEST_INLIERS:
            near = self._solved(seen.only(known), start, here)
            start, here = near.R_camera_world, near.centre
        return self._solved(seen, start, here)

    def _solved(self, seen: Sightings, R_camera_world: Matrix, centre: Vector) -> Fit:
        return solve_pose(seen, R_camera_world, centre, self.focal, self.noise_px, None)

    def _by_bearings(self, view: View, seen: Sightings, start: Matrix, gap: float) -> OdometryStep | None:
        """Hardly any depth is in view: the turn is known all the same, and the place nearly."""
        here = self.pose[:3, 3]
        near = Motion(here, np.eye(3) / (0.02 + _USUAL_M_S * gap) ** 2)
        fit = solve_pose(seen, start, here, self.focal, self.noise_px, near)
        if fit.inliers.sum() < max(_FEWEST_BEARINGS, _BEARING_SHARE * len(seen)):
            return None
        self.pose = fit.T_world_camera
        self.doubt = np.hypot(self.doubt, np.array([0.005, _USUAL_M_S * gap, 0.0]))
        self._fuse_depth(view, fit)
        if self.wants_keyframe():
            self._new_keyframe(view)
        return self.record(view.time, fit.covariance, 0.2, "rotation", "hardly any depth in view")

    def _fuse_depth(self, view: View, fit: Fit) -> None:
        """A depth d at the landmark's pixel means inverse depth A / (d - B) in its anchor.

        A is the depth here of the anchor's ray, B that of the anchor itself.
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
        sigma = depth_sigma(depth, view.depth_doubt.each) * measured**2 / np.where(valid, along, 1.0)
        # A landmark that slid over a depth edge disagrees by far more than noise: leave it as it was.
        agrees = np.abs(measured - marks.inverse_depth) < 5 * np.hypot(sigma, marks.sigma)
        valid &= agrees
        if view.depth_doubt.each:  # what parallax knows better by now
            valid &= marks.sigma > _IN_COMMON * view.depth_doubt.each * marks.inverse_depth
        gain = np.where(valid, marks.sigma**2 / (marks.sigma**2 + sigma**2), 0.0)
        marks.inverse_depth = marks.inverse_depth + gain * (measured - marks.inverse_depth)
        # 30 looks at a landmark are not 30 independent ones: the floor keeps the map able to change its mind.
        marks.sigma = np.maximum(marks.sigma * np.sqrt(1 - gain), 0.003 * marks.inverse_depth)

    @property
    def depth_factor(self) -> float:
        return self._scale[1]

    @property
    def scale_doubt(self) -> float:
        """Looks at one place are off by the same, so many of them do not make a scale surer."""
        return float(np.median(self._depth_doubts)) if self._depth_doubts else 0.0

    def _find_scale(self, view: View, fit: Fit) -> None:
        """The factor that brings a depth which is off as a whole to the scale of the map. That is the mean of
        what all keyframes have said, so one more look moves it by its share of the votes."""
        self._scale = view.time, 1.0
        if not view.depth_doubt.together:
            return
        self._depth_doubts = [*self._depth_doubts[-_LATEST:], view.depth_doubt.together]
        now = self.landmarks.seen_from(self.shutter, self.keyframes.poses, self.pose)
        depth, valid = sample_depth(self._depth_of(view), self.landmarks.pixels)
        valid &= fit.inliers & self.landmarks.depth_known
        if valid.sum() < _FEWEST_INLIERS:
            return
        votes = min(_MOST_VOTES, len(self.keyframes.poses))
        off = float(np.median(np.log(depth[valid] * now.inverse_depth[valid])))
        self._scale = view.time, float(np.exp(-off * votes / (votes + 1)))

    def _new_keyframe(self, view: View) -> None:
        number = self.keyframes.add(self.pose)
        self._add_landmarks(view, number)
        if not self.gravity_known:
            self._seek_level(view)
        self.note_keyframe(view, number)

    def renew(self, last: View) -> None:
        self._new_keyframe(last)

    def feature_points(
        self, view: View, shutter: Shutter, features: Features, placed: tuple[Pixels, Matrix]
    ) -> tuple[NDArray[np.intp], Matrix]:
        depth, valid = sample_depth(self._depth_of(view), features.pixels)
        points = self.camera.backproject(shutter.steadied(features.pixels[valid]) + 0.5, depth[valid])
        return np.flatnonzero(valid), points.astype(np.float32)

    def placed_landmarks(self, view: View) -> tuple[Pixels, Matrix]:
        depth, valid = sample_depth(self._depth_of(view), self.landmarks.pixels)
        pixels = self.landmarks.pixels[valid]
        return pixels, self.camera.backproject(self.shutter.steadied(pixels) + 0.5, depth[valid])

    def known(self) -> Known:
        return Known(self.pose[2, :3].copy())

    def levelled(self, view: View, known: Known, station: int) -> Known:
        """Floors and walls say which way is up."""
        rng = np.random.default_rng(station)  # of its own: others draw meanwhile
        up = up_from_depth(self._depth_of(view), self.camera, known.up, rng)
        if up is None or up.direction @ known.up < _LEVEL_TRUST:
            return known
        return Known(up.direction, up.sigma)

    def _seek_level(self, view: View) -> None:
        """Level the world by the floor, or by a table top, if one is in view."""
        self.adopt_solution()
        up = up_from_depth(self._depth_of(view), self.camera, self.pose[2, :3], self._rng)
        if up is not None:
            self.level(self.pose[:3, :3] @ up.direction, from_the_start=True)
            self.gravity_known = True
            return
        if self._level_guessed:
            return
        now = self.landmarks.seen_from(self.shutter, self.keyframes.poses, self.pose)
        expected = Plane(self.pose[2, :3], _HEIGHT, _LEVEL_SIGMA, _HEIGHT_SIGMA)
        found = find_ground(now.rays, now.inverse_depth, now.sigma, expected, self._rng)
        if found is None or found.plane.up @ expected.up < _GUESS_TRUST:
            return
        # Better than nothing, but not known: corners of furniture lie in planes, too.
        self.level(self.pose[:3, :3] @ found.plane.up, from_the_start=True)
        self._level_guessed = True

    def _add_landmarks(self, view: View, number: int) -> None:
        points = new_points(view.grey, self.landmarks.pixels)
        inverse, sigma = first_guesses(self._depth_of(view), points, view.depth_doubt.each)
        self.landmarks.add(self.shutter, points, number, inverse, sigma)

    def _depth_of(self, view: View) -> NDArray[np.floating]:
        if view.depth is None:
            if not len(self.trail):
                raise BadInput(
                    "RGB-D odometry needs a depth image with its first frame; use RgbOdometry without depth"
                )
            # A frame whose depth was not measured, or not yet: its landmarks are followed all the same.
            return np.zeros((self.camera.height, self.camera.width), np.float32)
        if view.depth.shape != (self.camera.height, self.camera.width):
            raise BadInput(
                f"the depth image is {view.depth.shape[1]}x{view.depth.shape[0]} but the camera is "
                f"{self.camera.width}x{self.camera.height}; resize it to the frame (nearest neighbour)"
            )
        time, factor = self._scale
        return view.depth if factor == 1.0 or view.time != time else view.depth * np.float32(factor)


def _doubt_of(fit: Fit, rival: float) -> Vector:
    """What one frame adds to the doubt of the way, where it sees badly (landmarks share their errors), or
    where some points say that the camera is elsewhere."""
    spread = np.sqrt(np.abs(np.diag(fit.covariance)))
    return np.array([spread[:3].max(), float(np.linalg.norm(spread[3:])) + rival, 0.0])
