"""The part of odometry that does not care where depth comes from: watch, follow, get lost, find back."""

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.features import Features
from situ.perception.odometry.following import Seen, View, carry
from situ.perception.odometry.ground import turn_between
from situ.perception.odometry.hands import together
from situ.perception.odometry.images import checked_camera, unusable_reason
from situ.perception.odometry.inertial import Felt, Inertial
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.loops import Candidate, LoopSearch
from situ.perception.odometry.maps import Maps
from situ.perception.odometry.posegraph import Known, PoseGraph
from situ.perception.odometry.resection import Fit, linearise
from situ.perception.odometry.result import PLACE_GUESSED, PLACE_KNOWN_AGAIN, OdometryStep, Status
from situ.perception.odometry.tracks import Pixels, new_points
from situ.perception.odometry.trail import Trail
from situ.perception.odometry.turning import angle_deg, exp_rotation, nearest_rotation

_UNKNOWN_COVARIANCE = np.diag([1.0] * 3 + [100.0] * 3)
# How far apart stations of the pose graph are, and when it is worth solving again.
_STATION_M, _STATION_DEG = 0.3, 15.0
_WORTH_M, _WORTH_DEG, _WORTH_TILT_DEG, _SOLVE_EVERY = 0.01, 0.3, 1.2, 4
# Deviations of a motion (radians, metres, log of scale) over which the place was guessed.
GUESSED = np.array([1.0, 3.0, 0.7])
_FEWEST_LANDMARKS = 130
# How long nothing known is found before starting again: usable frames, at most as many, and seconds.
_FEWEST_LOST, _MOST_LOST, _PATIENCE_S = 4, 20, 0.8
_LOOK_BACK_EVERY, _LOOK_BACK_FOR = 3, 600  # frames, while adrift
_MEASURED, _TRIANGULATED = 0.02, 0.1  # relative errors of depths
_UP, _AHEAD = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


class Odometry(ABC):
    """Streaming state shared by RGB and RGB-D odometry. Feed frames in order of time through `step`."""

    keyframe_m: float
    keyframe_deg: float
    free_scale: bool
    gravity_known: bool  # whether anything showed where down is

    def __init__(self, camera: Camera) -> None:
        self.camera = checked_camera(camera)
        self.focal = (camera.fx + camera.fy) / 2
        self.keyframes = Keyframes(camera, _TRIANGULATED if self.free_scale else _MEASURED)
        self.landmarks = Landmarks()
        self.trail = Trail()
        self.graph = PoseGraph(self.free_scale)
        self.search = LoopSearch(near_is_news=not self.free_scale)
        self.maps = Maps()
        self.doubt: Vector = np.zeros(3)  # of the way since the last station, beyond what is usual
        self._solved_at = 0
        self.revision = 0  # grows whenever earlier steps get better poses
        self.pose: Matrix = self.first_pose()
        self.noise_px = 0.3
        self.last: View | None = None  # the latest frame that could be used
        self._turn_rate: Vector = np.zeros(3)  # rotation vector per second, camera axes
        self.felt = Felt()
        self._usual_sharpness = 0.0
        self._lost_for = 0

    @property
    def scale_doubt(self) -> float:
        """How far the scale of the map may be off, as a share; measured depth has its scale."""
        return 0.0

    def step(
        self,
        time: float,
        image: NDArray[np.uint8] | Seen,
        depth: NDArray[np.floating] | None = None,
        imu: Inertial | None = None,
    ) -> OdometryStep:
        """Take the next frame, a picture or what was made of it ahead, and say where the camera is now."""
        if len(self.trail) and not time > self.trail.last_time:
            raise BadInput(
                f"frames must come in order of time: {time:g} s after {self.trail.last_time:g} s; "
                "sort the frames and drop repeated ones"
            )
        seen = image if isinstance(image, Seen) else Seen.of(image, self.camera)
        if self.last is not None:
            self.felt.feel(imu, self.last.time, time)
        sharp = seen.sharp
        reason = unusable_reason(seen.half, self._usual_sharpness, sharp)
        if reason:
            return self._record_lost(time, reason)
        self._usual_sharpness += 0.2 * (sharp - self._usual_sharpness) if self._usual_sharpness else sharp
        view = seen.view(time, depth)
        if self.last is None:
            self.begin(view)
            rows = np.arange(len(self.trail))
            self.trail.put(rows, np.repeat(self.pose[None], len(rows), axis=0), self.keyframes)
            self.last = view
            return self.record(time, np.diag([1e-6] * 6), 1.0, "rotation", "first frame")
        return self._continue(view, self.last)

    @abstractmethod
    def first_pose(self) -> Matrix:
        """Where the camera is taken to be in the first frame."""

    @abstractmethod
    def begin(self, view: View) -> None:
        """Make the first keyframe."""

    def can_begin(self, view: View) -> bool:
        """Whether this frame could be the first of a new map."""
        return True

    @abstractmethod
    def estimate(self, view: View, turn: Matrix, gap: float) -> OdometryStep | str:
        """Find the pose from the landmarks that were followed into `view`, or say why it cannot be found.

        `turn` is `R_now_last`, from bearings alone, and `gap` the time since the last frame.
        """

    @abstractmethod
    def resume(self, view: View, found: Recognised) -> None:
        """Go on from a recognised place."""

    @abstractmethod
    def renew(self, last: View) -> None:
        """Take more landmarks from the latest frame whose pose is known."""

    @property
    def was_lost(self) -> bool:
        """Whether the latest frame could not be used, even if it was felt how the head turned."""
        return self.last is not None and self.trail.last_time > self.last.time

    @property
    def steps(self) -> list[OdometryStep]:
        """All frames so far, each pose as good as it is known by now."""
        return self.trail.steps(self.keyframes)

    def record(
        self, time: float, covariance: Matrix, confidence: float, status: Status, reason: str = ""
    ) -> OdometryStep:
        made = OdometryStep(time, self.pose.copy(), covariance, confidence, status, reason)
        self.trail.append(made, self.keyframes)
        return made

    def _record_lost(self, time: float, reason: str) -> OdometryStep:
        """Nothing could be seen; who stands is still where they were, turned as the gyroscope says."""
        if self.felt.on_the_spot and self.felt.turn is not None:
            turned = rigid(self.pose[:3, :3] @ self.felt.turn.T, self.pose[:3, 3])
            spread = np.diag([1e-3] * 3 + [1e-2] * 3)
            made = OdometryStep(time, turned, spread, 0.3, "rotation", f"{reason}; felt by the gyroscope")
            self.trail.append(made, self.keyframes)
            return made
        return self.record(time, _UNKNOWN_COVARIANCE, 0.0, "lost", reason)

    def _continue(self, view: View, last: View) -> OdometryStep:
        felt = self.felt.trusted_turn
        expected = exp_rotation(self._turn_rate * (view.time - last.time)) if felt is None else felt
        followed = carry(self.camera, self.landmarks.pixels, last, view, expected, self.was_lost)
        if isinstance(followed, str) and not self.was_lost and self._renewed(view, last, expected):
            followed = carry(self.camera, self.landmarks.pixels, last, view, expected, after_gap=False)
        if isinstance(followed, str):
            return self._find_back(view, followed)
        before, known = self.pose, replace(self.landmarks)
        self.landmarks.keep(followed.good)
        self.landmarks.pixels = followed.pixels[followed.good]
        gap = view.time - last.time
        made = self.estimate(view, followed.turn, gap)
        if isinstance(made, str):
            self.pose, self.landmarks = before, known
            return self._find_back(view, made)
        self.felt.judge(followed.turn)
        self._turn_rate = cv2.Rodrigues(followed.turn)[0][:, 0] / gap
        self.last = view
        self._lost_for = 0
        return made

    def _renewed(self, view: View, last: View, expected: Matrix) -> bool:
        """A quick turn leaves behind what was followed, though much of the last frame is still in view: where
        other corners of that frame can be followed, they become landmarks there."""
        tracked = self.landmarks.pixels
        points = np.concatenate([tracked, new_points(last.grey, tracked)])
        if isinstance(carry(self.camera, points, last, view, expected, after_gap=False), str):
            return False
        self.renew(last)
        return True

    def _find_back(self, view: View, trouble: str) -> OdometryStep:
        found = self.keyframes.recognise(view.grey, Features.of(view.grey))
        if found is None:
            self._lost_for += 1
            known = self.last.time if self.last is not None else view.time
            most = _MOST_LOST if view.time - known < _PATIENCE_S else _FEWEST_LOST
            patient = self._lost_for < most or not self.can_begin(view)
            return self._record_lost(view.time, trouble) if patient else self.start_again(view)
        self._lost_for = 0
        self.pose = found.T_world_camera
        self.doubt = np.hypot(self.doubt, GUESSED)
        adrift = self.maps.adrift
        self.maps.go_on(len(self.keyframes.poses), found.keyframe)
        reason = PLACE_KNOWN_AGAIN if adrift and not self.maps.adrift else "found back"
        self.resume(view, found)
        self._turn_rate = np.zeros(3)
        self.last = view
        return self.record(view.time, np.diag([1e-4] * 3 + [1e-3] * 3), 0.5, "ok", reason)

    def start_again(self, view: View) -> OdometryStep:
        """Nothing known comes back into view: go on from the last known place, and say that it is a guess.

        When a place of another map is recognised later on, the younger of both is moved to where it belongs.
        """
        self._lost_for = 0
        self.maps.begin(len(self.keyframes.poses), len(self.trail))
        self.landmarks.clear()
        self._turn_rate = np.zeros(3)
        self.doubt = np.hypot(self.doubt, GUESSED)
        self.begin(view)
        self.last = view
        return self.record(view.time, _UNKNOWN_COVARIANCE, 0.1, "rotation", PLACE_GUESSED)

    def note_keyframe(self, view: View, number: int, found: Recognised | None = None) -> None:
        """A keyframe some way from the last station becomes one: levelled, and compared with older ones. So
        does one at which the place was found again: it is tied to what was recognised."""
        if found is None and not self._looking_back and not self._away_from_station():
            return
        described, levelled = partial(Features.of, view.grey), partial(self.known, view)
        features, known = together(described, levelled)
        rows, points = self.feature_points(view, features)
        place = self.keyframes.remember(
            number, view.grey, self.placed_landmarks(view), features.only(rows), points
        )
        self.graph.add_station(number, self.keyframes, known, self.doubt)
        self.doubt = np.zeros(3)
        if found is not None:  # its landmarks are the place's, in units of the world
            self.graph.add_loop(number, replace(found, scale=1.0 / self.keyframes.scales[found.keyframe]))
        self._solved_at += 1
        tilt = np.degrees(np.arccos(np.clip(known.up @ self.pose[2, :3], -1.0, 1.0)))
        loops = [] if place is None else self.search.loops(self.keyframes, place, self.maps)
        if self._heed(loops) or (tilt > _WORTH_TILT_DEG and self._solved_at >= _SOLVE_EVERY):
            self._solve()

    @property
    def _looking_back(self) -> bool:
        """Whether it is time to look for known places, while nobody knows where this is. After a while they
        are looked for at every station, as always."""
        since = len(self.trail) - self.maps.begun[self.maps.now]
        return self.maps.adrift and since < _LOOK_BACK_FOR and len(self.trail) % _LOOK_BACK_EVERY == 0

    def _away_from_station(self) -> bool:
        if not len(self.graph.stations):
            return True
        latest = self.keyframes.poses[self.graph.newest]
        moved = float(np.linalg.norm(self.pose[:3, 3] - latest[:3, 3]))
        return moved > _STATION_M or angle_deg(latest[:3, :3].T @ self.pose[:3, :3]) > _STATION_DEG

    def _heed(self, loops: list[Candidate]) -> bool:
        """Put loops into the graph; whether they move anything by an amount worth solving for."""
        worth = False
        for loop in loops:
            found = loop.found
            if self.maps.of(found.keyframe) != self.maps.now:
                self._join(loop)
            self.graph.add_loop(loop.station, found)
            shift = np.linalg.norm(found.T_world_camera[:3, 3] - loop.T_world_camera[:3, 3])
            worth |= bool(shift > _WORTH_M or angle_deg(loop.correction[:3, :3]) > _WORTH_DEG)
        return worth

    def _join(self, loop: Candidate) -> None:
        """A place of another map was recognised: the younger map is moved to where it belongs, in the other's
        units."""
        there, here = self.maps.of(loop.found.keyframe), self.maps.now
        scales = self.keyframes.scales
        factor = loop.found.scale or 1.0 if self.free_scale else 1.0
        factor *= float(scales[loop.found.keyframe] / scales[loop.station])
        move = loop.correction
        move[:3, 3] = loop.found.T_world_camera[:3, 3] - factor * move[:3, :3] @ loop.T_world_camera[:3, 3]
        if there > here:  # the camera is in the older one
            move, factor = rigid(move[:3, :3].T, -move[:3, :3].T @ move[:3, 3] / factor), 1.0 / factor
        younger = max(here, there)
        moved = np.flatnonzero(self.maps.of_all(np.arange(len(self.keyframes.poses))) == younger)
        poses = self.keyframes.poses
        poses[moved] = [_moved(pose, move, factor) for pose in poses[moved]]
        self.keyframes.scales[moved] *= factor
        if younger == here:
            self.landmarks.rescale(factor)
            self.pose = _moved(self.pose, move, factor)
            self.after_solving(move, factor)
        self.trail.reason[self.maps.begun[younger]] = "started again, joined later"
        self.maps.join(younger, min(here, there))
        self.revision += 1

    def _solve(self) -> None:
        """Solve the pose graph. The landmarks in use move as one, with the newest station."""
        self._solved_at = 0
        moved = self.graph.solve(self.keyframes)
        move, factor = moved.latest
        used = np.unique(self.landmarks.anchor)
        held, scales_held = self.keyframes.poses[used], self.keyframes.scales[used]
        self.keyframes.poses, self.keyframes.scales = moved.carried(
            self.keyframes.poses, self.keyframes.scales
        )
        self.keyframes.poses[used] = [_moved(pose, move, factor) for pose in held]
        self.keyframes.scales[used] = scales_held * factor
        self.landmarks.rescale(factor)
        self.pose = _moved(self.pose, move, factor)
        self.revision += 1
        self.after_solving(move, factor)

    @abstractmethod
    def after_solving(self, move: Matrix, factor: float) -> None:
        """The newest part of the map was moved and scaled: move along what else depends on it."""

    @abstractmethod
    def feature_points(self, view: View, features: Features) -> tuple[NDArray[np.intp], Matrix]:
        """Which features' places are known, and where they are in camera axes."""

    @abstractmethod
    def placed_landmarks(self, view: View) -> tuple[Pixels, Matrix]:
        """Landmarks whose place is known well: pixels, and points in camera axes."""

    @abstractmethod
    def known(self, view: View) -> Known:
        """What this frame says of the camera's tilt, height and scale."""

    def level(self, up_world: Vector, from_the_start: bool) -> None:
        """Turn the world so that `up_world` is up; from the start, the first frame then looks along +x.

        Otherwise only the landmarks in use turn, and the way so far stays as it is.
        """
        turn = turn_between(up_world, _UP)
        if from_the_start and len(self.trail):
            ahead = turn @ self.trail.pose(0, self.keyframes)[:3, 2]
            turn = turn_between(_flat(ahead), _AHEAD) @ turn
        pivot = self.pose[:3, 3]
        moved = rigid(turn, pivot - turn @ pivot)
        self.pose = moved @ self.pose
        if from_the_start:
            self.keyframes.poses = moved @ self.keyframes.poses
            self.revision += 1
        else:
            used = np.unique(self.landmarks.anchor)
            self.move_anchors(used, moved @ self.keyframes.poses[used], 1.0)

    def move_anchors(self, numbers: NDArray[np.int64], poses: NDArray[np.float64], factor: float) -> None:
        """Better poses for the anchors of landmarks, while the frames that hang on them stay."""
        if not len(numbers):
            return
        rows = self.trail.rows_on(numbers)
        frames = self.trail.poses(rows, self.keyframes)
        self.keyframes.poses[numbers] = poses
        self.keyframes.scales[numbers] *= factor
        self.trail.put(rows, frames, self.keyframes)

    def rewrite(self, start: int, poses: NDArray[np.float64]) -> None:
        """Put better poses in the record, from step number `start` on."""
        self.revision += 1
        self.trail.put(np.arange(start, start + len(poses)), poses, self.keyframes)

    def learn_from(self, fit: Fit, floor: float) -> None:
        """Improve the inverse depths with this frame's view of them, and drop what keeps disagreeing."""
        marks = self.landmarks
        seen = marks.sighted(self.camera, self.keyframes.poses)
        terms = linearise(seen, fit.R_camera_world, fit.centre, self.focal)
        # Twice the noise: the pose was solved from these very points.
        marks.refine_depths(terms, fit.inliers, 2 * fit.noise_px, floor)
        marks.count_sightings(fit.inliers)
        self.noise_px = 0.8 * self.noise_px + 0.2 * fit.noise_px

    def wants_keyframe(self) -> bool:
        newest = self.keyframes.poses[-1]
        moved = float(np.linalg.norm(self.pose[:3, 3] - newest[:3, 3]))
        turned = angle_deg(newest[:3, :3].T @ self.pose[:3, :3])
        few = len(self.landmarks) < _FEWEST_LANDMARKS
        return moved > self.keyframe_m or turned > self.keyframe_deg or few or self._looking_back


def _moved(pose: Matrix, move: Matrix, factor: float) -> Matrix:
    """A pose under a similarity."""
    return rigid(
        nearest_rotation(move[:3, :3] @ pose[:3, :3]), factor * move[:3, :3] @ pose[:3, 3] + move[:3, 3]
    )


def _flat(direction: Vector) -> Vector:
    level = np.array([direction[0], direction[1], 0.0])
    return level / max(float(np.linalg.norm(level)), 1e-9)
