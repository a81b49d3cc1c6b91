"""The map behind odometry: keyframes, the stations among them, loops between those, and the pose graph.

Describing a station, looking for old places in it and solving the graph is done beside the frames, from
copies, and adopted some frames later.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.features import Features
from situ.perception.odometry.following import View
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.later import Later
from situ.perception.odometry.loops import Candidate, LoopSearch, Sighted
from situ.perception.odometry.moving_map import MovingMap
from situ.perception.odometry.places import Place, words_of
from situ.perception.odometry.posegraph import Known, Moved, PoseGraph
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.tracks import Pixels
from situ.perception.odometry.turning import angle_deg

# How far apart stations of the pose graph are, and when it is worth solving again.
_STATION_M, _STATION_DEG = 0.3, 15.0
_WORTH_M, _WORTH_DEG, _WORTH_TILT_DEG, _SOLVE_EVERY = 0.01, 0.3, 1.2, 4
# Frames after which the work beside them is adopted: at 100 a second that is time enough for looking round,
# and for a graph of 200 stations.
_SURVEYED_AFTER, _SOLVED_AFTER = 4, 8
_LOOK_BACK_EVERY, _LOOK_BACK_FOR = 3, 600  # frames, while adrift


@dataclass(frozen=True, eq=False)
class Surveyed:
    """What a station looks like, what it shows of up, and which old places are in view from it."""

    station: int  # keyframe
    known: Known
    tilt_deg: float  # of up, from where it was thought to be
    place: Place | None
    sighted: Sighted


class MapKeeper(MovingMap):
    """What is known of the way so far, and how it gets better."""

    def __init__(self, camera: Camera) -> None:
        super().__init__(camera)
        self.graph = PoseGraph(self.free_scale)
        self.search = LoopSearch()
        self.doubt: Vector = np.zeros(3)  # of the way since the last station, beyond what is usual
        self._stations_since = 0  # the graph was last solved
        self._worth_solving = False
        self._surveys: list[Later[Surveyed]] = []
        self._solution: Later[Moved] | None = None

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
        self, view: View, shutter: Shutter, features: Features, placed: tuple[Pixels, Matrix]
    ) -> tuple[NDArray[np.intp], Matrix]:
        """Which features' places are known, and where they are in camera axes; `placed` are the landmarks of
        that view. Called beside the frames: reads no state."""

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
        task = partial(
            self._surveyed,
            view,
            replace(self.shutter),
            number,
            placed,
            known,
            self.keyframes.copied(),
            old,
            apart,
        )
        self._surveys.append(Later(task, len(self.trail) + _SURVEYED_AFTER))

    def _surveyed(
        self,
        view: View,
        shutter: Shutter,
        station: int,
        placed: tuple[Pixels, Matrix],
        known: Known,
        keyframes: Keyframes,
        old: list[Place],
        apart: list[Place],
    ) -> Surveyed:
        """Works beside the frames, on copies."""
        features = Features.of(view.grey)
        rows, points = self.feature_points(view, shutter, features, placed)
        place = Place.of(station, view.grey, placed, features.only(rows), points, words_of(features), shutter)
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
        turn = loop.correction[:3, :3]
        shift = loop.found.T_world_camera[:3, 3] - factor * turn @ loop.T_world_camera[:3, 3]
        if there > here:  # the camera is in the older one
            turn, shift, factor = turn.T, -turn.T @ shift / factor, 1.0 / factor
        self.join_maps(max(here, there), min(here, there), rigid(turn, shift), factor)

    def adopt_solution(self) -> None:
        """Adopt the solution of the pose graph that is being worked out, if one is. Whoever is about to
        rewrite earlier poses calls it, as it was solved for those."""
        if self._solution is None:
            return
        solved, self._solution = self._solution.outcome, None
        self.carry(solved)
