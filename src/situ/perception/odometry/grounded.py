"""The ground under an RGB walker: it keeps scale, gravity and height from drifting."""

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.floor_proof import FloorProof
from situ.perception.odometry.following import View
from situ.perception.odometry.ground import inverse_depth_on, turn_between, walkable
from situ.perception.odometry.ground_search import LEAST_WAY, find_ground
from situ.perception.odometry.start import StartingOdometry

_UNSURE_SCALE = 0.05  # relative: beyond it the scale was little more than a guess
# Until this much was walked, a corrected gravity is taken to have been wrong from the start.
_SETTLING_M = 2.0
_LIFT_SHARE = 0.2
_USUAL_SHARE, _LOWEST_SHARE = 0.4, 0.2
_RECENT_FRAMES = 20
_STRAIGHT = 0.9  # of what was walked lies between the ends of a straight way, at least
_LIFTED_M, _STAIRS_M_S = 0.4, 0.5


class GroundedOdometry(StartingOdometry):
    """RGB odometry that compares its landmarks with the ground."""

    def __init__(self, camera: Camera, eye_height: float | None = None) -> None:
        super().__init__(camera, eye_height)
        self.floor = FloorProof(self.eye_height)
        self.strides = np.zeros((_RECENT_FRAMES, 3))  # of the last frames in this map, as each was made

    @property
    def scale_doubt(self) -> float:
        return float(np.hypot(super().scale_doubt, self.floor.doubt))

    def new_reference(self, view: View) -> None:
        self.floor.begin_anew(float(self.pose[2, 3]))
        self.strides[:] = 0.0
        super().new_reference(view)

    def note_speed(self, shift: Vector, gap: float) -> None:
        super().note_speed(shift, gap)
        self.strides = np.concatenate([self.strides[1:], shift[None]])
        self.floor.walk(float(np.linalg.norm(shift)), float(self.pose[2, 3]))

    def can_be_at(self, time: float, T_world_camera: Matrix) -> bool:
        """Who walks stays at one height over the ground, or takes the stairs: a place that lifts the eyes is
        another one that looks alike."""
        gap = time - self.last.time if self.last is not None else 0.0
        return abs(float(T_world_camera[2, 3] - self.pose[2, 3])) < _LIFTED_M + _STAIRS_M_S * gap

    def heed_ground(self) -> None:
        """Compare the landmarks with the ground: correct scale, gravity and height, mark ground points."""
        self.belief.age()
        now = self.landmarks.seen_from(self.shutter, self.keyframes.poses, self.pose)
        up = self.pose[2, :3]
        measured = (now.sigma < 0.1 * now.inverse_depth) & (self.landmarks.sightings >= 3)
        sigma = np.where(measured, now.sigma, 1e3)
        height = self._expected_height()
        expected = self.belief.expected(up, height)
        motion = self.pose[:3, :3].T @ self._recent_motion()
        found = find_ground(now.rays, now.inverse_depth, sigma, expected, self.rng, motion)
        if found is None or not walkable(found.plane.up, motion):
            return
        on_ground = inverse_depth_on(found.plane.up, found.plane.height, now.rays)
        gaps = np.abs(now.inverse_depth - on_ground) / np.hypot(now.sigma, 0.03 * now.inverse_depth)
        self.landmarks.ground = np.where(measured, (gaps < 3) & (on_ground > 0), self.landmarks.ground)
        unsure = self.belief.scale_sigma > _UNSURE_SCALE
        self.floor.see_ground()
        verdict = self.belief.weigh(found.plane, up, height)
        if unsure:
            self._rescale_walked(verdict.scale)
        self._correct(verdict.scale, self.pose[:3, :3] @ verdict.up, found.plane.height)

    def _expected_height(self) -> float:
        """Hands raise and lower a camera, and heads bob: for now the eyes are as high as the map says, in the
        long run as high as usual."""
        now = max(float(self.pose[2, 3]), _LOWEST_SHARE * self.eye_height)
        return float(now ** (1.0 - _USUAL_SHARE) * self.eye_height**_USUAL_SHARE)

    def _rescale_walked(self, scale: float) -> None:
        """The scale was a guess until now: what was walked in this map gets the better one as well."""
        if self.map_start >= len(self.trail):
            return
        self.adopt_solution()
        here, first = self.pose[:3, 3], self.trail.pose(self.map_start, self.keyframes)[:3, 3]
        moved = (scale - 1.0) * (first - here)
        # Keyframes go that way and take their frames along, but for the anchors in use: those are about to be
        # corrected themselves, and only their frames are written again.
        numbers, used = np.arange(len(self.keyframes.poses)), np.unique(self.landmarks.anchor)
        rows = self.trail.rows_on(used)
        frames = self.trail.poses(rows, self.keyframes)
        unused = ~np.isin(numbers, used)
        new = unused & (numbers >= self.trail.hung[self.map_start])
        places = self.keyframes.poses[:, :3, 3]
        places[unused & ~new] += moved
        places[new] = here + scale * (places[new] - here)
        self.keyframes.scales[new] *= scale
        walked = rows >= self.map_start
        frames[~walked, :3, 3] += moved
        frames[walked, :3, 3] = here + scale * (frames[walked, :3, 3] - here)
        self.trail.put(rows, frames, self.keyframes)
        self.revision += 1

    def _recent_motion(self) -> Vector:
        """From where the camera was a few metres ago, in the present map, to here.

        On a straight walk these are the strides as they were made: a walker who seems to sink into a false
        ground, and is lifted again and again, is known by them. Hands raise and lower a camera anyway.
        """
        walked: Vector = self.strides.sum(axis=0)
        way = float(np.linalg.norm(walked))
        straight = way > _STRAIGHT * float(np.linalg.norm(self.strides, axis=1).sum())
        if straight and way > LEAST_WAY * self.eye_height:
            return walked
        since = max(self.followed_since, len(self.trail) - _RECENT_FRAMES)
        if since >= len(self.trail):
            return np.zeros(3)
        motion: Vector = self.pose[:3, 3] - self.trail.pose(since, self.keyframes)[:3, 3]
        return motion

    def _correct(self, scale: float, up_world: Vector, height: float) -> None:
        """Scale and tilt the landmarks' anchors about the camera, and move all of it to its height."""
        level = turn_between(up_world, np.array([0.0, 0.0, 1.0]))
        centre = self.pose[:3, 3]
        lift = np.array([0.0, 0.0, _LIFT_SHARE * (height * scale - centre[2])])
        used = np.unique(self.landmarks.anchor)
        poses = self.keyframes.poses[used]
        poses[:, :3, :3] = level @ poses[:, :3, :3]
        poses[:, :3, 3] = centre + scale * (poses[:, :3, 3] - centre) @ level.T + lift
        self.move_anchors(used, poses, scale)
        self.pose = rigid(level @ self.pose[:3, :3], centre + lift)
        self.landmarks.rescale(scale)
        self.velocity = self.velocity * scale
        self.strides = scale * self.strides @ level.T
        if self.floor.walked < _SETTLING_M:
            self.adopt_solution()
            about = rigid(level, centre - level @ centre)
            self.rewrite(0, about @ self.trail.poses(np.arange(len(self.trail)), self.keyframes))
