"""Ground plane constraint for RGB odometry: it keeps scale, gravity and height from drifting."""

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.ground_plane import (
    MIN_PATH_HEIGHTS,
    find_ground,
    inverse_depth_on,
    is_walkable,
    turn_between,
)
from situ.perception.odometry.initialization import StartingOdometry
from situ.perception.odometry.scale_gravity import FloorEvidence
from situ.perception.odometry.tracking import View

_UNSURE_SCALE = 0.05  # relative sigma above which the scale so far was a guess
# A gravity correction within the first metres is applied to the whole path.
_SETTLING_M = 2.0
_LIFT_SHARE = 0.2  # of a height correction, applied per frame
_USUAL_SHARE, _MIN_HEIGHT_SHARE = 0.4, 0.2  # of the usual eye height: its weight, and the lowest height
_RECENT_FRAMES = 20  # whose translations give the recent motion
_STRAIGHT = 0.9  # smallest ratio of displacement to path length of a straight walk
_LIFTED_M, _STAIRS_M_S = 0.4, 0.5  # change of height: at once, and on stairs


class GroundedOdometry(StartingOdometry):
    """RGB odometry whose landmarks are compared with the ground plane in every frame."""

    def __init__(self, camera: Camera, eye_height: float | None = None) -> None:
        super().__init__(camera, eye_height)
        self.floor = FloorEvidence(self.eye_height)
        self.strides = np.zeros((_RECENT_FRAMES, 3))  # translations of the last frames in this map

    @property
    def scale_uncertainty(self) -> float:
        return float(np.hypot(super().scale_uncertainty, self.floor.log_scale_sigma))

    def new_reference(self, view: View) -> None:
        self.floor.reset(float(self.pose[2, 3]))
        self.strides[:] = 0.0
        super().new_reference(view)

    def update_velocity(self, shift: Vector, gap: float) -> None:
        super().update_velocity(shift, gap)
        self.strides = np.concatenate([self.strides[1:], shift[None]])
        self.floor.add_motion(float(np.linalg.norm(shift)), float(self.pose[2, 3]))

    def is_reachable(self, time: float, T_world_camera: Matrix) -> bool:
        """Whether a pose is at a height that can be reached by walking or on stairs.

        A recognised place at another height is a similar-looking other place.
        """
        gap = time - self.last.time if self.last is not None else 0.0
        return abs(float(T_world_camera[2, 3] - self.pose[2, 3])) < _LIFTED_M + _STAIRS_M_S * gap

    def update_ground_plane(self) -> None:
        """Fit the ground plane and use it to correct scale, gravity and height; mark ground points."""
        self.scale_filter.predict()
        now = self.landmarks.structure_from(self.shutter, self.keyframes.poses, self.pose)
        up = self.pose[2, :3]
        measured = (now.sigma < 0.1 * now.inverse_depth) & (self.landmarks.sightings >= 3)
        sigma = np.where(measured, now.sigma, 1e3)
        height = self._expected_height()
        expected = self.scale_filter.expected(up, height)
        motion = self.pose[:3, :3].T @ self._recent_motion()
        found = find_ground(now.rays, now.inverse_depth, sigma, expected, self.rng, motion)
        if found is None or not is_walkable(found.plane.up, motion):
            return
        on_ground = inverse_depth_on(found.plane.up, found.plane.height, now.rays)
        gaps = np.abs(now.inverse_depth - on_ground) / np.hypot(now.sigma, 0.03 * now.inverse_depth)
        self.landmarks.ground = np.where(measured, (gaps < 3) & (on_ground > 0), self.landmarks.ground)
        unsure = self.scale_filter.scale_sigma > _UNSURE_SCALE
        self.floor.add_observation()
        verdict = self.scale_filter.update(found.plane, up, height)
        if unsure:
            self._rescale_walked(verdict.scale)
        self._correct(verdict.scale, self.pose[:3, :3] @ verdict.up, found.plane.height)

    def _expected_height(self) -> float:
        """Expected eye height: between the current height in the map and the usual one.

        Hands raise and lower a camera for a while; in the long run the height is the usual one.
        """
        now = max(float(self.pose[2, 3]), _MIN_HEIGHT_SHARE * self.eye_height)
        return float(now ** (1.0 - _USUAL_SHARE) * self.eye_height**_USUAL_SHARE)

    def _rescale_walked(self, scale: float) -> None:
        """Rescale the path in this map, whose scale was a guess until now."""
        if self.map_start >= len(self.frame_poses):
            return
        self.adopt_solution()
        here, first = self.pose[:3, 3], self.frame_poses.pose(self.map_start, self.keyframes)[:3, 3]
        moved = (scale - 1.0) * (first - here)
        # Keyframes carry their frames along. The anchors in use are corrected separately, so only the frames
        # that belong to them are rewritten here.
        numbers, used = np.arange(len(self.keyframes.poses)), np.unique(self.landmarks.anchor)
        rows = self.frame_poses.rows_of_keyframes(used)
        frames = self.frame_poses.poses(rows, self.keyframes)
        unused = ~np.isin(numbers, used)
        new = unused & (numbers >= self.frame_poses.keyframe_of[self.map_start])
        places = self.keyframes.poses[:, :3, 3]
        places[unused & ~new] += moved
        places[new] = here + scale * (places[new] - here)
        self.keyframes.scales[new] *= scale
        walked = rows >= self.map_start
        frames[~walked, :3, 3] += moved
        frames[walked, :3, 3] = here + scale * (frames[walked, :3, 3] - here)
        self.frame_poses.put(rows, frames, self.keyframes)
        self.revision += 1

    def _recent_motion(self) -> Vector:
        """Translation over the last metres in the present map.

        On a straight walk: the sum of the steps as first estimated. If a false ground makes the path sink and
        it is lifted again and again, the difference shows in them. Otherwise: the difference of positions.
        """
        walked: Vector = self.strides.sum(axis=0)
        way = float(np.linalg.norm(walked))
        straight = way > _STRAIGHT * float(np.linalg.norm(self.strides, axis=1).sum())
        if straight and way > MIN_PATH_HEIGHTS * self.eye_height:
            return walked
        since = max(self.followed_since, len(self.frame_poses) - _RECENT_FRAMES)
        if since >= len(self.frame_poses):
            return np.zeros(3)
        motion: Vector = self.pose[:3, 3] - self.frame_poses.pose(since, self.keyframes)[:3, 3]
        return motion

    def _correct(self, scale: float, up_world: Vector, height: float) -> None:
        """Scale and rotate the anchors in use about the camera, and move them towards the ground height."""
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
            self.rewrite(0, about @ self.frame_poses.poses(np.arange(len(self.frame_poses)), self.keyframes))
