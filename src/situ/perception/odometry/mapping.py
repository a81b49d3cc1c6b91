"""Mapping behind odometry: stations among the keyframes, loop closures and pose graph optimisation.

Feature extraction, place recognition and pose graph optimisation run in background threads on snapshots.
Their results are adopted a fixed number of frames later, so paths do not depend on timing.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.features import Features
from situ.perception.odometry.images import Pixels
from situ.perception.odometry.keyframes import Keyframes, Relocalization
from situ.perception.odometry.loop_closure import LoopCandidate, LoopCandidates, LoopSearch
from situ.perception.odometry.map_state import MapState
from situ.perception.odometry.place_recognition import Place, words_of
from situ.perception.odometry.pose_graph import GraphSolution, PoseGraph, StationPrior
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.rotation import angle_deg
from situ.perception.odometry.thread_pool import FrameFuture
from situ.perception.odometry.tracking import View

# Distance between stations of the pose graph, and the changes that trigger a new optimisation.
_STATION_M, _STATION_DEG = 0.3, 15.0
_WORTH_M, _WORTH_DEG, _WORTH_TILT_DEG, _SOLVE_EVERY = 0.01, 0.3, 1.2, 4
# Delay in frames before background results are adopted: enough at 100 frames a second for a survey, and for
# a graph of 200 stations.
_SURVEYED_AFTER, _SOLVED_AFTER = 4, 8
_LOOK_BACK_EVERY, _LOOK_BACK_FOR = 3, 600  # frames, while the current submap is detached


@dataclass(frozen=True, eq=False)
class StationSurvey:
    """Result of processing a station: its appearance, gravity cue and loop candidates."""

    station: int  # keyframe number
    known: StationPrior
    tilt_deg: float  # angle between the measured and the assumed up direction
    place: Place | None
    candidates: LoopCandidates


@dataclass(frozen=True, eq=False)
class _SurveyInput:
    """Snapshot that a station is processed from in the background."""

    view: View
    shutter: RollingShutter
    station: int  # keyframe number
    placed: tuple[Pixels, Matrix]  # landmarks with well-known depth
    known: StationPrior
    keyframes: Keyframes
    old: list[Place]  # earlier places of this submap
    apart: list[Place]  # places of other submaps


class Mapper(MapState):
    """Builds the pose graph of keyframe stations, closes loops and adopts optimised poses."""

    def __init__(self, camera: Camera) -> None:
        super().__init__(camera)
        self.graph = PoseGraph(self.free_scale)
        self.search = LoopSearch()
        self.extra_sigma: Vector = np.zeros(3)  # extra sigma of the motion since the last station
        self._stations_since = 0  # stations since the graph was last optimised
        self._worth_solving = False
        self._surveys: list[FrameFuture[StationSurvey]] = []
        self._solution: FrameFuture[GraphSolution] | None = None

    @abstractmethod
    def placed_landmarks(self, view: View) -> tuple[Pixels, Matrix]:
        """Pixels and points (camera axes) of landmarks with well-known depth."""

    @abstractmethod
    def known(self) -> StationPrior:
        """Tilt, height and scale of the latest frame with their uncertainties."""

    @abstractmethod
    def levelled(self, view: View, known: StationPrior, station: int) -> StationPrior:
        """The prior refined with gravity cues in a station's view. Runs in the background: reads no state."""

    @abstractmethod
    def feature_points(
        self, view: View, shutter: RollingShutter, features: Features, placed: tuple[Pixels, Matrix]
    ) -> tuple[NDArray[np.intp], Matrix]:
        """Indices of the features with known depth, and their points in camera axes.

        `placed` are the landmarks of that view. Runs in the background: reads no state.
        """

    def finish(self) -> None:
        """Wait for all background work and adopt its results."""
        while self._surveys or self._worth_solving or self._solution is not None:
            self._adopt(by=np.inf)

    def adopt_due(self) -> None:
        """Adopt the background results that are due at the next frame."""
        self._adopt(by=len(self.frame_poses))

    def _adopt(self, by: float) -> None:
        while self._surveys and self._surveys[0].due <= by:
            self._adopt_survey(self._surveys.pop(0).result)
        if self._solution is not None and self._solution.due <= by:
            self.adopt_solution()
        if self._worth_solving and self._solution is None:
            self._worth_solving, self._stations_since = False, 0
            self._solution = FrameFuture(
                self.graph.solving(self.keyframes), len(self.frame_poses) + _SOLVED_AFTER
            )

    def note_keyframe(self, view: View, number: int, found: Relocalization | None = None) -> None:
        """Make a keyframe a station if it is far enough from the last one, or if it was relocalized.

        A relocalized station gets a loop edge to the recognised place.
        """
        if found is not None or self.relocalization_due or self._away_from_station():
            self.add_station(view, number, found)

    def add_station(self, view: View, number: int, found: Relocalization | None = None) -> None:
        """Add a keyframe to the pose graph and compare it with earlier places in the background."""
        known, placed = self.known(), self.placed_landmarks(view)
        self.graph.add_station(number, self.keyframes, known, self.extra_sigma)
        self.extra_sigma = np.zeros(3)
        if found is not None:  # landmarks come from the recognised place and are in world units
            self.graph.add_loop(number, replace(found, scale=1.0 / self.keyframes.scales[found.keyframe]))
        self._stations_since += 1
        old, apart = self.search.to_compare(self.keyframes.places, number, self.maps)
        snapshot = _SurveyInput(
            view, replace(self.shutter), number, placed, known, self.keyframes.snapshot(), old, apart
        )
        task = partial(self._survey, snapshot)
        self._surveys.append(FrameFuture(task, len(self.frame_poses) + _SURVEYED_AFTER))

    def _survey(self, given: "_SurveyInput") -> StationSurvey:
        """Extract features, look for gravity cues and earlier places. Runs in the background."""
        features, view, station = Features.of(given.view.grey), given.view, given.station
        rows, points = self.feature_points(view, given.shutter, features, given.placed)
        place = Place.of(
            station, view.grey, given.placed, features.only(rows), points, words_of(features), given.shutter
        )
        levelled = self.levelled(view, given.known, station)
        tilt = float(np.degrees(np.arccos(np.clip(levelled.up @ given.known.up, -1.0, 1.0))))
        candidates = LoopCandidates()
        if place is not None:
            candidates = self.search.candidates(given.keyframes, place, given.old, given.apart)
        return StationSurvey(station, levelled, tilt, place, candidates)

    def _adopt_survey(self, made: StationSurvey) -> None:
        if made.candidates.apart:  # submaps may be merged
            self.adopt_solution()
        self.graph.set_prior(made.station, made.known)
        if made.place is not None:
            self.keyframes.add_place(made.place)
        tilted = made.tilt_deg > _WORTH_TILT_DEG and self._stations_since >= _SOLVE_EVERY
        loops = self.search.accepted(made.candidates, self.keyframes, self.maps, self.graph)
        self._worth_solving = self._add_loops(loops) or tilted or self._worth_solving

    @property
    def relocalization_due(self) -> bool:
        """Whether to compare this keyframe with known places although it is near the last station.

        True for every third frame during the first 600 frames of a detached submap.
        """
        since = len(self.frame_poses) - self.maps.begun[self.maps.now]
        return self.maps.detached and since < _LOOK_BACK_FOR and len(self.frame_poses) % _LOOK_BACK_EVERY == 0

    def _away_from_station(self) -> bool:
        if not len(self.graph.stations):
            return True
        latest = self.keyframes.poses[self.graph.newest]
        moved = float(np.linalg.norm(self.pose[:3, 3] - latest[:3, 3]))
        return moved > _STATION_M or angle_deg(latest[:3, :3].T @ self.pose[:3, :3]) > _STATION_DEG

    def _add_loops(self, loops: list[LoopCandidate]) -> bool:
        """Add loop edges to the graph; True if they move poses enough to optimise again."""
        worth = False
        for loop in loops:
            found = loop.found
            if self.maps.of(found.keyframe) != self.maps.now:
                self._join(loop)
            self.graph.add_loop(loop.station, found)
            shift = np.linalg.norm(found.T_world_camera[:3, 3] - loop.T_world_camera[:3, 3])
            worth |= bool(shift > _WORTH_M or angle_deg(loop.correction[:3, :3]) > _WORTH_DEG)
        return worth

    def _join(self, loop: LoopCandidate) -> None:
        """Merge the submaps of both ends of a loop: the younger one moves, in the units of the older one."""
        there, here = self.maps.of(loop.found.keyframe), self.maps.now
        scales = self.keyframes.scales
        factor = loop.found.scale or 1.0 if self.free_scale else 1.0
        factor *= float(scales[loop.found.keyframe] / scales[loop.station])
        turn = loop.correction[:3, :3]
        shift = loop.found.T_world_camera[:3, 3] - factor * turn @ loop.T_world_camera[:3, 3]
        if there > here:  # the camera is in the older submap
            turn, shift, factor = turn.T, -turn.T @ shift / factor, 1.0 / factor
        self.merge_maps(max(here, there), min(here, there), rigid(turn, shift), factor)

    def adopt_solution(self) -> None:
        """Adopt the running pose graph optimisation, if any.

        Call this before changing earlier poses, because the optimisation started from those.
        """
        if self._solution is None:
            return
        solved, self._solution = self._solution.result, None
        self.apply_solution(solved)
