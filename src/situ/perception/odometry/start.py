"""RGB odometry before there is a map: the head's rotation alone, until parallax gives structure.

The first parallax gives structure up to scale. The ground in it gives gravity and, through the height of
the eyes, the scale. Where no ground is seen in time, the pace of walking stands in for it.
"""

from abc import abstractmethod

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, camera_pose, rigid
from situ.perception.odometry.belief import Belief, is_sure
from situ.perception.odometry.engine import Odometry
from situ.perception.odometry.following import Followed, View
from situ.perception.odometry.ground import Ground, Plane, walkable
from situ.perception.odometry.ground_search import find_ground
from situ.perception.odometry.result import OdometryResult, OdometryStep, result_of
from situ.perception.odometry.tracks import Pixels, new_points
from situ.perception.odometry.turning import fit_rotation
from situ.perception.odometry.twoview import TwoViews, explains_more, has_parallax, two_views

ASSUMED_EYE_HEIGHT = 1.6
_ASSUMED_PITCH_DEG = -5.0
_WALKING_M_S = 1.2
_IMU_TILT = float(np.radians(1.5))
UNKNOWN_DEPTH = (0.12, 0.25)  # inverse depth of a new landmark and its deviation: from 2.7 m to infinity
_LONGEST_WAIT_S = 0.8
# Half of what people see is nearer than this. Tracks that went astray while the head turned look as if those
# few were near and all else was far away: at a walker's pace, hundreds of metres.
_FARTHEST_M = 25.0
_STILL_PX = 1.5  # residual of a turn, below which the wearer stands
# Nobody holds a camera rolled by more than this for so many frames; one that looks straight down has no roll.
_OVERTURNED, _OVERTURNED_FRAMES, _LEAST_UPRIGHT = float(np.cos(np.radians(55.0))), 3, 0.3
_THINNED = 0.45  # share of the reference's points that must still be followed


class StartingOdometry(Odometry):
    """The state that RGB odometry has from the first frame on, and how it comes to a map."""

    def __init__(self, camera: Camera, eye_height: float | None) -> None:
        self.eye_height = ASSUMED_EYE_HEIGHT if eye_height is None else eye_height
        self.scale_known = eye_height is not None
        self.gravity_known = False
        self.mapped = False
        self.belief = Belief()
        self.pace = _WALKING_M_S
        self.rng = np.random.default_rng(0)
        # The step at which the motion began that the present map is made of, and from which it was followed.
        self.map_start = self.followed_since = 0
        self._still_step = 0
        self._reference_count = 0
        self._overturned_for = 0
        super().__init__(camera)

    @property
    def scale_doubt(self) -> float:
        """How well the ground fixes the scale by now; the eye height itself comes on top."""
        return self.belief.scale_sigma

    def result(self) -> OdometryResult:
        """All frames so far, each pose as good as it can be known by now."""
        self.finish()
        return result_of(self.steps, self.scale_known, self.gravity_known)

    def first_pose(self) -> Matrix:
        return camera_pose([0.0, 0.0, self.eye_height], 0.0, _ASSUMED_PITCH_DEG)

    def begin(self, view: View) -> None:
        self.new_reference(view)

    def level_by(self, up_camera: Vector) -> None:
        """Level the world by what an IMU says is up in the latest camera's axes."""
        self.level(self.pose[:3, :3] @ up_camera, from_the_start=True)
        self.gravity_known = True
        self.belief.tilt_sigma = np.full(2, _IMU_TILT)

    def estimate(self, view: View, followed: Followed, gap: float) -> OdometryStep | str:
        turn = followed.turn
        return self.track(view, turn, gap) if self.mapped else self._wait_for_parallax(view, turn)

    @abstractmethod
    def track(self, view: View, turn: Matrix, gap: float) -> OdometryStep | str:
        """Find the pose in the map."""

    @abstractmethod
    def new_keyframe(self, view: View) -> None:
        """Add landmarks of this frame to the map."""

    def new_reference(self, view: View) -> None:
        """Start again from this frame: every tracked point becomes a landmark of unknown depth."""
        tracked = self.landmarks.pixels
        fresh = new_points(view.grey, tracked, seek_ground=True)
        self.landmarks.clear()
        number = self.keyframes.add(self.pose)
        self._add_unknown(np.concatenate([tracked, fresh]), number)
        self._still_step = len(self.trail)
        self._reference_count = len(self.landmarks)

    def overturned(self) -> bool:
        """Whether the map has said for some frames that the camera is held on its side or upside down. A flat
        thing that fills the view is explained by a false motion as well as by the true one, and the world
        then slowly turns over."""
        right, down = float(self.pose[2, 0]), float(self.pose[2, 1])
        upright = float(np.hypot(right, down))
        rolled = upright > _LEAST_UPRIGHT and -down < _OVERTURNED * upright
        self._overturned_for = self._overturned_for + 1 if rolled else 0
        return self._overturned_for >= _OVERTURNED_FRAMES

    def start_level(self, view: View) -> OdometryStep:
        """The map is a false one: begin another, level again; all of the last one is in doubt."""
        self.finish()
        self._overturned_for = 0
        self.graph.doubt_turns_since(int(self.trail.hung[self.map_start]), float(np.arccos(_OVERTURNED)))
        ahead = self.pose[:3, 2]
        place = [*self.pose[:2, 3], self.eye_height]
        self.pose = camera_pose(place, float(np.degrees(np.arctan2(ahead[1], ahead[0]))), _ASSUMED_PITCH_DEG)
        self.mapped = self.gravity_known = False
        self.belief = Belief()
        return self.start_again(view)

    def _add_unknown(self, points: Pixels, number: int) -> None:
        depth, sigma = (np.full(len(points), value) for value in UNKNOWN_DEPTH)
        self.landmarks.add(self.shutter, points, number, depth, sigma)

    def _wait_for_parallax(self, view: View, turn: Matrix) -> OdometryStep:
        reference = self.keyframes.poses[-1]
        first, now = self.landmarks.ray[:, :2], self.shutter.bearings(self.landmarks.pixels)
        start = turn @ self.pose[:3, :3].T @ reference[:3, :3]
        turned, residuals = fit_rotation(first, now, start, self.focal)
        if np.percentile(residuals, 90) < _STILL_PX:
            self._still_step = len(self.trail)
        waited = view.time - float(self.trail.time[max(0, self._still_step - 1)])
        thinning = len(self.landmarks) < _THINNED * self._reference_count
        confidence = 0.7
        if has_parallax(residuals):
            structure = two_views(first, now, self.focal)
            confidence = 0.3
            if structure is not None and explains_more(structure, residuals):
                turned = structure.R_second_first  # points near and far moved apart: turning alone misleads
                ground = self._ground_in(structure, waited)
                sure = ground is not None and is_sure(ground.plane)
                if sure or thinning or waited > _LONGEST_WAIT_S:
                    self._start_map(view, structure, ground, waited)
                    return self.record(view.time, np.diag([1e-4] * 3 + [1e-2] * 3), 0.5, "ok", "map started")
        self.pose = rigid(reference[:3, :3] @ turned.T, self.pose[:3, 3])
        if thinning:
            self.new_reference(view)
        return self.record(view.time, np.diag([1e-5] * 3 + [1e-2] * 3), confidence, "rotation")

    def _ground_in(self, structure: TwoViews, waited: float) -> Ground | None:
        """The ground in the reference camera's axes, in units of the two views' baseline."""
        up = self.keyframes.poses[-1][2, :3]
        expected = Plane(up, self.eye_height / (self.pace * waited), self.belief.tilt_sigma, 0.5)
        sigma = np.where(structure.inliers, structure.sigma, 1e3)
        rays, depth = self.landmarks.ray, structure.inverse_depth
        found = find_ground(rays, depth, sigma, expected, self.rng, structure.centre)
        if found is None:
            return None
        motion = structure.centre * self.eye_height / found.plane.height
        return found if walkable(found.plane.up, motion) else None

    def _start_map(self, view: View, structure: TwoViews, ground: Ground | None, waited: float) -> None:
        self.adopt_solution()
        half_way = float(np.median(structure.inverse_depth[structure.inliers]))
        scale = min(self.pace * waited, _FARTHEST_M * half_way)
        self.belief.start(ground.plane if ground is not None else None)
        if ground is not None:
            scale = self.eye_height / ground.plane.height
            unwalked = "ok" not in self.trail.status
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
        self.map_start, self.followed_since = self._still_step, len(self.trail)
        self.new_keyframe(view)

    def _spread_shift(self, shift: Vector) -> None:
        """The frames since the last still one were held in place; now it is known that they moved."""
        poses = self.trail.poses(np.arange(self._still_step, len(self.trail)), self.keyframes)
        shares = np.arange(1, len(poses) + 1) / (len(poses) + 1)
        poses[:, :3, 3] += shares[:, None] * shift
        self.rewrite(self._still_step, poses)
