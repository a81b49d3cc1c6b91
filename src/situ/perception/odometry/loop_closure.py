"""Loop closure: detect earlier places in view, and accept loops that agree with other evidence."""

from dataclasses import dataclass, field, replace

import numpy as np

from situ.geometry.pose import Matrix, inverse, rigid
from situ.perception.odometry.keyframes import Keyframes, Relocalization
from situ.perception.odometry.map_state import Submaps
from situ.perception.odometry.place_recognition import Place, most_similar_places
from situ.perception.odometry.pose_graph import PoseGraph
from situ.perception.odometry.rotation import angle_deg

# Places are candidates only after several newer keyframes; within that, tracking is more accurate.
_OLD_KEYFRAMES, _OLD_PLACES = 8, 2
_CANDIDATES = 3
# A loop within these bounds agrees with tracking; beyond them a second loop must confirm it.
_DRIFT_M, _DRIFT_DEG, _DRIFT_SCALE = 0.6, 12.0, 1.5
_SAME_M, _SAME_DEG, _SAME_SCALE = 0.3, 6.0, 1.25
# Standard deviations (radians, metres, share of the shift) above which a match carries no information;
# the last one is for places of other submaps, whose relative position is unknown.
_MAX_TURN_SIGMA, _MAX_SIGMA_M, _MAX_SIGMA_SHARE, _MAX_SIGMA_APART_M = 0.05, 0.15, 0.3, 1.0
# A loop that needs more than this many standard deviations of drift is a similar-looking other place.
# Tracking failures can add undetected drift, up to a share of the path length.
_MAX_DRIFT_SIGMAS, _UNNOTICED_SHARE = 3.0, 0.2
_MAX_WAITING = 8  # candidates that wait for a confirmation


@dataclass(frozen=True, eq=False)
class LoopCandidate:
    """Match between a station and an earlier place, with the station pose that it implies."""

    station: int  # keyframe number
    found: Relocalization
    T_world_camera: Matrix  # station pose at the time of the match

    @property
    def correction(self) -> Matrix:
        return self.found.T_world_camera @ inverse(self.T_world_camera)

    @property
    def shift(self) -> float:
        """Distance in metres between the implied and the assumed position."""
        return float(np.linalg.norm(self.found.T_world_camera[:3, 3] - self.T_world_camera[:3, 3]))

    @property
    def agrees_with_tracking(self) -> bool:
        """Whether landmarks were tracked and the implied pose is near the assumed one."""
        near = angle_deg(self.correction[:3, :3]) < _DRIFT_DEG and self.shift < _DRIFT_M
        scale = abs(np.log(self.found.scale or 1.0)) < np.log(_DRIFT_SCALE)
        return bool(self.found.followed and scale and near)

    def is_plausible_drift(self, graph: PoseGraph, keyframes: Keyframes) -> bool:
        """Whether the drift between place and station can be this large."""
        ends = self.found.keyframe, self.station
        unnoticed = _UNNOTICED_SHARE * graph.walked_between(*ends, keyframes)
        return self.shift < max(unnoticed, _MAX_DRIFT_SIGMAS * graph.drift_between(*ends, keyframes))

    def is_informative(self, apart: bool) -> bool:
        """Whether the match is precise enough to add information."""
        turn, metres = self.found.sigma
        widest = _MAX_SIGMA_APART_M if apart else max(_MAX_SIGMA_M, _MAX_SIGMA_SHARE * self.shift)
        return bool(turn < _MAX_TURN_SIGMA and metres < widest)

    def as_of_now(self, keyframes: Keyframes) -> "LoopCandidate":
        """The same match, relative to the current keyframe poses."""
        anchor, scale = keyframes.poses[self.found.keyframe], keyframes.scales[self.found.keyframe]
        motion = rigid(self.found.motion[:3, :3], scale * self.found.motion[:3, 3])
        found = replace(self.found, T_world_camera=anchor @ motion)
        return LoopCandidate(self.station, found, keyframes.poses[self.station])

    def confirms(self, other: "LoopCandidate") -> bool:
        """Whether one correction explains both loops."""
        if other.station == self.station or not (self.found.followed or other.found.followed):
            return False
        apart = inverse(other.correction) @ self.correction
        shift = apart[:3, :3] @ self.T_world_camera[:3, 3] + apart[:3, 3] - self.T_world_camera[:3, 3]
        scales = abs(np.log(self.found.scale or 1.0) - np.log(other.found.scale or 1.0))
        walked = np.linalg.norm(self.T_world_camera[:3, 3] - other.T_world_camera[:3, 3])
        near = np.hypot(_SAME_M, np.hypot(self.found.sigma[1], other.found.sigma[1]))
        return bool(
            angle_deg(apart[:3, :3]) < _SAME_DEG
            and np.linalg.norm(shift) < near + 0.05 * walked
            and scales < np.log(_SAME_SCALE)
        )


@dataclass(frozen=True, eq=False)
class LoopCandidates:
    """Matches of a station: with places of its own submap, and with places of others."""

    old: list[LoopCandidate] = field(default_factory=list)
    apart: list[LoopCandidate] = field(default_factory=list)


@dataclass(eq=False)
class LoopSearch:
    """Finds loop candidates at every station and keeps those that need confirmation."""

    waiting: list[LoopCandidate] = field(default_factory=list)

    def to_compare(self, places: list[Place], station: int, maps: Submaps) -> tuple[list[Place], list[Place]]:
        """Places to compare a new station with: earlier ones of its submap, and those of other submaps."""
        map_of = maps.ids_of(np.array([place.keyframe for place in places], dtype=np.int64)).tolist()
        newest = station - _OLD_KEYFRAMES
        before = zip(places[:-_OLD_PLACES], map_of[:-_OLD_PLACES], strict=True)
        old = [place for place, number in before if number == maps.now and place.keyframe <= newest]
        return old, [p for p, number in zip(places, map_of, strict=True) if number != maps.now]

    def candidates(
        self, keyframes: Keyframes, now: Place, old: list[Place], apart: list[Place]
    ) -> LoopCandidates:
        """Matches of a new place with earlier ones. Runs in the background: reads no state."""
        tried, pose = _CANDIDATES - 1 if apart else _CANDIDATES, keyframes.poses[now.keyframe]
        return LoopCandidates(
            [LoopCandidate(now.keyframe, found, pose) for found in _matches(keyframes, old, now, tried)],
            [LoopCandidate(now.keyframe, found, pose) for found in _similar(keyframes, apart, now, tried)],
        )

    def accepted(
        self, candidates: LoopCandidates, keyframes: Keyframes, maps: Submaps, graph: PoseGraph
    ) -> list[LoopCandidate]:
        """Loops that are accepted now.

        Matches with another submap always need a second one, because tracking gives no prior for them.
        """
        seen, others = (
            [one.as_of_now(keyframes) for one in some] for some in (candidates.old, candidates.apart)
        )
        seen = [one for one in seen if one.is_informative(apart=False)]
        accepted = [one for one in seen if one.agrees_with_tracking]
        unsure = [
            one for one in seen if not one.agrees_with_tracking and one.is_plausible_drift(graph, keyframes)
        ]
        unsure += [one for one in others if one.is_informative(apart=True)]
        self.waiting = [one.as_of_now(keyframes) for one in self.waiting]
        for one in unsure:
            there = maps.of(one.found.keyframe)
            alike = [other for other in self.waiting if maps.of(other.found.keyframe) == there]
            confirmed = [other for other in alike if one.confirms(other)]
            if confirmed:
                accepted += [one, *confirmed]
                self.waiting = [other for other in self.waiting if other not in confirmed]
            else:
                self.waiting = [*self.waiting, one][-_MAX_WAITING:]
        return accepted


def _similar(keyframes: Keyframes, old: list[Place], now: Place, count: int) -> list[Relocalization]:
    """Matches with the most similar places, wherever they are."""
    found = (keyframes.match_place(old[i], now) for i in most_similar_places(old, now.words, count))
    return [one for one in found if one is not None]


def _matches(keyframes: Keyframes, old: list[Place], now: Place, count: int) -> list[Relocalization]:
    """Matches with the most similar places, and with the place expected in view from the current pose."""
    found, pose = _similar(keyframes, old, now, count), keyframes.poses[now.keyframe]
    near = [
        (keyframes.pose_distance(place, pose), i) for i, place in enumerate(old) if place.grey is not None
    ]
    unlikeness, best = min(near, default=(np.inf, -1))
    if unlikeness > 1.0 or any(one.keyframe == old[best].keyframe for one in found):
        return found
    match_place = keyframes.match_by_tracking(old[best], now, pose)
    return found if match_place is None else [*found, match_place]
