"""The map behind odometry: keyframes, the stations among them, loops between those, and the pose graph.

Describing a station, looking for old places in it and solving the graph is done beside the frames, from
copies, and adopted some frames later.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.features import Features
from situ.perception.odometry.following import View
from situ.perception.odometry.graph import proper
from situ.perception.odometry.ground import turn_between
from situ.perception.odometry.images import checked_camera
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.later import Later
from situ.perception.odometry.loops import Candidate, LoopSearch, Sighted
from situ.perception.odometry.maps import Maps
from situ.perception.odometry.places import Place
from situ.perception.odometry.posegraph import Known, Moved, PoseGraph
from situ.perception.odometry.result import OdometryStep
from situ.perception.odometry.tracks import Pixels
from situ.perception.odometry.trail import Trail
from situ.perception.odometry.turning import angle_deg, nearest_rotation

# How far apart stations of the pose graph are, and when it is worth solving again.
_STATION_M, _STATION_DEG = 0.3, 15.0
_WORTH_M, _WORTH_DEG, _WORTH_TILT_DEG, _SOLVE_EVERY = 0.01, 0.3, 1.2, 4
# Frames after which the work beside them is adopted: at 100 a second that is time enough for looking round,
# and for a graph of 200 stations.
_SURVEYED_AFTER, _SOLVED_AFTER = 4, 8
_LOOK_BACK_EVERY, _LOOK_BACK_FOR = 3, 600  # frames, while adrift
_MEASURED, _TRIANGULATED = 0.02, 0.1  # relative errors of depths
_UP, _AHEAD = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class Surveyed:
    """What a station looks like, what it shows of up, and which old places are in view from it."""

    station: int  # keyframe
    known: Known
    tilt_deg: float  # of up, from where it was thought to be
    place: Place | None
    sighted: Sighted


class MapKeeper(ABC):
    """What is known of the way so far, and how it gets better."""

    free_scale: bool

    def __init__(self, camera: Camera) -> None:
        self.camera = checked_camera(camera)
        self.keyframes = Keyframes(camera, _TRIANGULATED if self.free_scale else _MEASURED)
        self.landmarks = Landmarks()
        self.trail = Trail()
        self.graph = PoseGraph(self.free_scale)
        self.search = LoopSearch(near_is_news=not self.free_scale)
        self.maps = Maps()
        self.doubt: Vector = np.zeros(3)  # of the way since the last station, beyond what is usual
        self.revision = 0  # grows whenever earlier steps get better poses
        self.pose: Matrix = self.first_pose()
        self._stations_since = 0  # the graph was last solved
        self._worth_solving = False
        self._surveys: list[Later[Surveyed]] = []
        self._solution: Later[Moved] | None = None

    @abstractmethod
    def first_pose(self) -> Matrix:
        """Where the camera is taken to be in the first frame."""

    @abstractmethod
    def placed_landmarks(self, view: View) -> tuple[Pixels, Matrix]:
        """Landmarks whose place is known well: pixels, and points in camera axes."""

    @abstractmethod
    def known(self) -> Known:
        """What is known of the camera's tilt, height and scale in the latest frame."""

    @abstractmethod
    def levelled(self, view: View, known: Known, station: int) -> Known:
        """What a station's view says of them beyond that. Called beside the frames: reads no state."""

    @abstractmethod
    def feature_points(
        self, view: View, features: Features, placed: tuple[Pixels, Matrix]
    ) -> tuple[NDArray[np.intp], Matrix]:
        """Which features' places are known, and where they are in camera axes; `placed` are the landmarks of
        that view. Called beside the frames: reads no state."""

    @abstractmethod
    def after_solving(self, move: Matrix, factor: float) -> None:
        """The newest part of the map was moved and scaled: move along what else depends on it."""

    @property
    def steps(self) -> list[OdometryStep]:
        """All frames so far, each pose as good as it is known by now."""
        return self.trail.steps(self.keyframes)

    def finish(self) -> None:
        """Adopt all that is being worked out: no more frames come, or it is needed now."""
        while self._surveys or self._worth_solving or self._solution is not None:
            self._adopt(by=np.inf)

    def adopt_due(self) -> None:
        """Adopt what was to be ready for the frame that comes now."""
        self._adopt(by=len(self.trail))

    def _adopt(self, by: float) -> None:
        while self._surveys and self._surveys[0].due <= by:
            self._adopt_survey(self._surveys.pop(0).outcome)
        if self._solution is not None and self._solution.due <= by:
            self.adopt_solution()
        if self._worth_solving and self._solution is None:
            self._worth_solving, self._stations_since = False, 0
            self._solution = Later(self.graph.solving(self.keyframes), len(self.trail) + _SOLVED_AFTER)

    def note_keyframe(self, view: View, number: int, found: Recognised | None = None) -> None:
        """A keyframe some way from the last station becomes one. So does one at which the place was found
        again: it is tied to what was recognised."""
        if found is not None or self.looking_back or self._away_from_station():
            self.add_station(view, number, found)

    def add_station(self, view: View, number: int, found: Recognised | None = None) -> None:
        """A keyframe that is levelled, and compared with older ones."""
        known, placed = self.known(), self.placed_landmarks(view)
        self.graph.add_station(number, self.keyframes, known, self.doubt)
        self.doubt = np.zeros(3)
        if found is not None:  # its landmarks are the place's, in units of the world
            self.graph.add_loop(number, replace(found, scale=1.0 / self.keyframes.scales[found.keyframe]))
        self._stations_since += 1
        old, apart = self.search.to_compare(self.keyframes.places, number, self.maps)
        task = partial(self._surveyed, view, number, placed, known, self.keyframes.copied(), old, apart)
        self._surveys.append(Later(task, len(self.trail) + _SURVEYED_AFTER))

    def _surveyed(
        self,
        view: View,
        station: int,
        placed: tuple[Pixels, Matrix],
        known: Known,
        keyframes: Keyframes,
        old: list[Place],
        apart: list[Place],
    ) -> Surveyed:
        """Works beside the frames, on copies."""
        features = Features.of(view.grey)
        rows, points = self.feature_points(view, features, placed)
        place = Place.of(station, view.grey, placed, features.only(rows), points)
        levelled = self.levelled(view, known, station)
        tilt = float(np.degrees(np.arccos(np.clip(levelled.up @ known.up, -1.0, 1.0))))
        sighted = Sighted() if place is None else self.search.sighted(keyframes, place, old, apart)
        return Surveyed(station, levelled, tilt, place, sighted)

    def _adopt_survey(self, made: Surveyed) -> None:
        if made.sighted.apart:  # maps may be joined
            self.adopt_solution()
        self.graph.know(made.station, made.known)
        if made.place is not None:
            self.keyframes.remember(made.place)
        tilted = made.tilt_deg > _WORTH_TILT_DEG and self._stations_since >= _SOLVE_EVERY
        loops = self.search.believed(made.sighted, self.keyframes, self.maps, self.graph)
        self._worth_solving = self._heed(loops) or tilted or self._worth_solving

    @property
    def looking_back(self) -> bool:
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

    def adopt_solution(self) -> None:
        """Adopt the solution of the pose graph that is being worked out, if one is: the landmarks in use move
        as one, with the newest station that was solved for. Whoever is about to rewrite earlier poses calls
        it, as it was solved for those."""
        if self._solution is None:
            return
        moved, self._solution = self._solution.outcome, None
        move, factor = moved.latest
        used = np.unique(self.landmarks.anchor)
        self.keyframes.poses = proper(self.keyframes.poses)
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


def _moved(pose: Matrix, move: Matrix, factor: float) -> Matrix:
    """A pose under a similarity."""
    return rigid(
        nearest_rotation(move[:3, :3] @ pose[:3, :3]), factor * move[:3, :3] @ pose[:3, 3] + move[:3, 3]
    )


def _flat(direction: Vector) -> Vector:
    level = np.array([direction[0], direction[1], 0.0])
    return level / max(float(np.linalg.norm(level)), 1e-9)
