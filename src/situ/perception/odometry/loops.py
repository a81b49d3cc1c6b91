"""Loop closures: old places that are in view again, believed only when they agree with other evidence."""

from dataclasses import dataclass, field, replace

import numpy as np

from situ.geometry.pose import Matrix, inverse, rigid
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.maps import Maps
from situ.perception.odometry.places import Place, likely_places
from situ.perception.odometry.posegraph import PoseGraph
from situ.perception.odometry.turning import angle_deg

# A place is old news only after several other keyframes; nearer than that, tracking knows better.
_OLD_KEYFRAMES, _OLD_PLACES = 8, 2
_CANDIDATES = 3
# A loop within these bounds agrees with where tracking puts the camera; one beyond needs a second.
_DRIFT_M, _DRIFT_DEG, _DRIFT_SCALE = 0.6, 12.0, 1.5
_SAME_M, _SAME_DEG, _SAME_SCALE = 0.3, 6.0, 1.25
# Deviations (radians, metres) beyond which a match says too little, unless it tells of a much larger shift;
# where nothing is known of the place, all that tells more than a guess is news.
_WIDEST_TURN, _WIDEST_M, _WIDEST_SHARE, _WIDEST_APART_M = 0.05, 0.15, 0.3, 1.0
# A loop that asks for more than so many deviations of the way between is another place that looks alike; but
# tracking that fails need not notice it, by up to a share of the way.
_MOST_DRIFT, _UNNOTICED = 3.0, 0.2
_REMEMBERED = 8  # candidates that wait for another to confirm them


@dataclass(frozen=True, eq=False)
class Candidate:
    """A place that seems to be in view from a station, and where that puts the station's camera."""

    station: int  # keyframe
    found: Recognised
    T_world_camera: Matrix  # of the station when it was seen

    @property
    def correction(self) -> Matrix:
        return self.found.T_world_camera @ inverse(self.T_world_camera)

    @property
    def shift(self) -> float:
        """Metres from where the camera was thought to be."""
        return float(np.linalg.norm(self.found.T_world_camera[:3, 3] - self.T_world_camera[:3, 3]))

    @property
    def agrees_with_tracking(self) -> bool:
        """By followed landmarks, and near where the camera was thought to be."""
        near = angle_deg(self.correction[:3, :3]) < _DRIFT_DEG and self.shift < _DRIFT_M
        scale = abs(np.log(self.found.scale or 1.0)) < np.log(_DRIFT_SCALE)
        return bool(self.found.followed and scale and near)

    def explained_by(self, graph: PoseGraph, keyframes: Keyframes) -> bool:
        """Whether the way from the place to the station may be off by as much."""
        ends = self.found.keyframe, self.station
        unnoticed = _UNNOTICED * graph.walked_between(*ends, keyframes)
        return self.shift < max(unnoticed, _MOST_DRIFT * graph.drift_between(*ends, keyframes))

    def tells(self, apart: bool) -> bool:
        """Whether it says more than is known without it."""
        turn, metres = self.found.sigma
        widest = _WIDEST_APART_M if apart else max(_WIDEST_M, _WIDEST_SHARE * self.shift)
        return bool(turn < _WIDEST_TURN and metres < widest)

    def as_of_now(self, keyframes: Keyframes) -> "Candidate":
        """The same likeness, where both of its ends are known to be by now."""
        anchor, scale = keyframes.poses[self.found.keyframe], keyframes.scales[self.found.keyframe]
        motion = rigid(self.found.motion[:3, :3], scale * self.found.motion[:3, 3])
        found = replace(self.found, T_world_camera=anchor @ motion)
        return Candidate(self.station, found, keyframes.poses[self.station])

    def confirms(self, other: "Candidate") -> bool:
        """Whether two stations saw old places in such a way that the same correction explains both."""
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
class Sighted:
    """Places that seem to be in view from a station: of its own map, and of others."""

    old: list[Candidate] = field(default_factory=list)
    apart: list[Candidate] = field(default_factory=list)


@dataclass(eq=False)
class LoopSearch:
    """Looks for loops at every station and keeps those that wait to be confirmed."""

    waiting: list[Candidate] = field(default_factory=list)

    def to_compare(self, places: list[Place], station: int, maps: Maps) -> tuple[list[Place], list[Place]]:
        """The places that a new station is compared with: old ones of its map, and those of others."""
        map_of = maps.of_all(np.array([place.keyframe for place in places], dtype=np.int64)).tolist()
        newest = station - _OLD_KEYFRAMES
        before = zip(places[:-_OLD_PLACES], map_of[:-_OLD_PLACES], strict=True)
        old = [place for place, number in before if number == maps.now and place.keyframe <= newest]
        return old, [p for p, number in zip(places, map_of, strict=True) if number != maps.now]

    def sighted(self, keyframes: Keyframes, now: Place, old: list[Place], apart: list[Place]) -> Sighted:
        """Which of these places seem to be in view from a new one. Reads no state: others may go on."""
        tried, pose = _CANDIDATES - 1 if apart else _CANDIDATES, keyframes.poses[now.keyframe]
        return Sighted(
            [Candidate(now.keyframe, found, pose) for found in _found(keyframes, old, now, tried)],
            [Candidate(now.keyframe, found, pose) for found in _likely(keyframes, apart, now, tried)],
        )

    def believed(
        self, sighted: Sighted, keyframes: Keyframes, maps: Maps, graph: PoseGraph
    ) -> list[Candidate]:
        """The loops that can be believed by now; the way must be able to have drifted by as much. Where
        tracking puts the camera tells nothing of the places of another map: those always need a second."""
        seen, others = ([one.as_of_now(keyframes) for one in some] for some in (sighted.old, sighted.apart))
        seen = [one for one in seen if one.tells(apart=False)]
        believed = [one for one in seen if one.agrees_with_tracking]
        unsure = [one for one in seen if not one.agrees_with_tracking and one.explained_by(graph, keyframes)]
        unsure += [one for one in others if one.tells(apart=True)]
        self.waiting = [one.as_of_now(keyframes) for one in self.waiting]
        for one in unsure:
            there = maps.of(one.found.keyframe)
            alike = [other for other in self.waiting if maps.of(other.found.keyframe) == there]
            confirmed = [other for other in alike if one.confirms(other)]
            if confirmed:
                believed += [one, *confirmed]
                self.waiting = [other for other in self.waiting if other not in confirmed]
            else:
                self.waiting = [*self.waiting, one][-_REMEMBERED:]
        return believed


def _likely(keyframes: Keyframes, old: list[Place], now: Place, count: int) -> list[Recognised]:
    """Places that look alike, wherever they are."""
    found = (keyframes.again(old[i], now) for i in likely_places(old, now.words, count))
    return [one for one in found if one is not None]


def _found(keyframes: Keyframes, old: list[Place], now: Place, count: int) -> list[Recognised]:
    """Places that look alike, and the one that should be in view from where tracking puts the camera."""
    found, pose = _likely(keyframes, old, now, count), keyframes.poses[now.keyframe]
    near = [(keyframes.nearby(place, pose), i) for i, place in enumerate(old) if place.grey is not None]
    unlikeness, best = min(near, default=(np.inf, -1))
    if unlikeness > 1.0 or any(one.keyframe == old[best].keyframe for one in found):
        return found
    again = keyframes.seen_again(old[best], now, pose)
    return found if again is None else [*found, again]
