"""Loop closures: old places that are in view again, believed only when they agree with other evidence."""

from dataclasses import dataclass, field

import numpy as np

from situ.geometry.pose import Matrix, inverse
from situ.perception.odometry.images import Grey
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.places import Place, likely_places
from situ.perception.odometry.turning import angle_deg

# A place is old news only after several other keyframes; nearer than that, tracking knows better.
_OLD_KEYFRAMES, _OLD_STATIONS = 8, 3
_CANDIDATES = 3
# A loop within these bounds agrees with where tracking puts the camera; one beyond needs a second.
_DRIFT_M, _DRIFT_DEG, _DRIFT_SCALE = 0.6, 12.0, 1.5
_SAME_M, _SAME_DEG, _SAME_SCALE = 0.3, 6.0, 1.25
_WIDEST = np.array([0.05, 0.15])  # deviations (radians, metres) beyond which a match says too little
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
    def agrees_with_tracking(self) -> bool:
        """By followed landmarks, and near where the camera was thought to be."""
        moved = self.correction
        shift = np.linalg.norm(self.found.T_world_camera[:3, 3] - self.T_world_camera[:3, 3])
        scale = abs(np.log(self.found.scale or 1.0)) < np.log(_DRIFT_SCALE)
        return bool(
            self.found.followed and scale and angle_deg(moved[:3, :3]) < _DRIFT_DEG and shift < _DRIFT_M
        )

    def confirms(self, other: "Candidate") -> bool:
        """Whether two stations saw old places in such a way that the same correction explains both."""
        if other.station == self.station or not (self.found.followed or other.found.followed):
            return False
        apart = inverse(other.correction) @ self.correction
        shift = apart[:3, :3] @ self.T_world_camera[:3, 3] + apart[:3, 3] - self.T_world_camera[:3, 3]
        scales = abs(np.log(self.found.scale or 1.0) - np.log(other.found.scale or 1.0))
        walked = np.linalg.norm(self.T_world_camera[:3, 3] - other.T_world_camera[:3, 3])
        return bool(
            angle_deg(apart[:3, :3]) < _SAME_DEG
            and np.linalg.norm(shift) < _SAME_M + 0.05 * walked
            and scales < np.log(_SAME_SCALE)
        )


@dataclass(eq=False)
class LoopSearch:
    """Looks for loops at every station and keeps those that wait to be confirmed.

    `near_is_news`: whether a loop that agrees with tracking makes it better. Triangulated places are less
    precise than what was followed since; they are heeded where the way has clearly drifted, and only then.
    """

    near_is_news: bool = True
    waiting: list[Candidate] = field(default_factory=list)

    def loops(self, keyframes: Keyframes, now: Place, before: int | None = None) -> list[Candidate]:
        """The loops that can be believed by now, seen from a new place.

        `before` leaves out the places from that keyframe on: while adrift only they can tell where one is.
        """
        pose = keyframes.poses[now.keyframe]
        known, newest = keyframes.places[:-_OLD_STATIONS], now.keyframe - _OLD_KEYFRAMES
        if before is not None:
            known, newest = keyframes.places, before - 1
        old = [place for place in known if place.keyframe <= newest]
        seen = [Candidate(now.keyframe, found, pose) for found in _found(keyframes, old, now)]
        if before is None:
            believed = [one for one in seen if one.agrees_with_tracking and self.near_is_news]
            unsure = [one for one in seen if not one.agrees_with_tracking]
        else:
            believed, unsure = [], seen
        for one in unsure if self.near_is_news else [one for one in unsure if one.found.followed]:
            confirmed = [other for other in self.waiting if one.confirms(other)]
            if confirmed:
                believed += [one, *confirmed]
                self.waiting = [other for other in self.waiting if other not in confirmed]
            else:
                self.waiting = [*self.waiting, one][-_REMEMBERED:]
        return believed


def _found(keyframes: Keyframes, old: list[Place], now: Place) -> list[Recognised]:
    pose = keyframes.poses[now.keyframe]
    tried = likely_places(old, now.words, _CANDIDATES)
    found = [keyframes.again(old[i], now) for i in tried]
    near = [(keyframes.nearby(place, pose), i) for i, place in enumerate(old) if place.grey is not None]
    unlikeness, best = min(near, default=(np.inf, -1))
    if unlikeness <= 1.0 and not any(one and one.keyframe == old[best].keyframe for one in found):
        grey: Grey | None = now.grey
        found.append(None if grey is None else keyframes.seen_again(old[best], grey, pose))
    return [one for one in found if one is not None and np.all(one.sigma < _WIDEST)]
