"""Boxes without depth: things are placed where the rays of their boxes meet, from poses that differ.

A box in one picture is a ray with an angular size. Rays from elsewhere to a box of the same name meet at a
point; it is believed if boxes of several frames point at it and their sizes grow as one comes near, and if
the rays differ enough to tell how far away it is. What could not be placed is kept as a mere direction.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse
from situ.perception.detections import LEAST_SCORE, Detections
from situ.perception.observation import Observation

Array = NDArray[np.float64]
# A ray is off by the noise of the pose and by a share of its box: boxes jump, and show other sides.
_RAY_RAD, _BOX_SHARE = np.radians(0.7), 0.12
_SIZE_NOISE = 0.15  # of the log of a box's size
_GATE = 3.0  # deviations
_LEAST_PARALLAX = np.radians(4.0)
_FEWEST_FRAMES, _FEWEST_OF_TRACK = 3, 2
_FEWEST_LOOKS = 2  # placed by depth once, a thing is hardly believed
_MOST_RANGE_SHARE = 0.2  # deviation of the distance over the distance, beyond which it is no place
_NEAREST_M, _FARTHEST_M = 0.25, 30.0
_MOST_POOLED, _MOST_RAYS = 60, 40
_FLOOR_M, _FLOOR_SHARE = 0.04, 0.02


@dataclass(frozen=True, eq=False)
class Sight:
    """A box as a ray: where from, which way, and how large in radians (width, height)."""

    frame: int
    origin: Array
    direction: Array
    angular: Array
    label: str
    track_id: int | None = None

    @property
    def sigma(self) -> float:
        return float(np.hypot(_RAY_RAD, _BOX_SHARE * self.angular.min()))


@dataclass(eq=False)
class Placed:
    """A thing that rays have placed: the rays, its place, its spread and its size (width, height)."""

    number: int
    label: str
    sights: list[Sight]
    point: Array
    covariance: Array
    size: Array
    told: int = 0
    track_ids: set[int] = field(default_factory=set)

    def gap(self, sight: Sight) -> float:
        """By how many deviations a sight misses it, in direction and in size."""
        away = self.point - sight.origin
        distance = float(np.linalg.norm(away))
        if distance < _NEAREST_M:
            return np.inf
        off = _angle(away / distance, sight.direction)
        loose = np.sqrt(sight.sigma**2 + np.trace(self.covariance) / distance**2)
        scaled = np.abs(np.log(sight.angular * distance / self.size)).min()
        return float(np.hypot(off / loose, scaled / (2 * _SIZE_NOISE)))


class Triangulation:
    """Places boxes over posed frames, one frame after the other."""

    def __init__(self) -> None:
        self.placed: list[Placed] = []
        self._pool: dict[str, list[Sight]] = {}
        self._by_depth: Counter[str] = Counter()  # how often names were placed by depth
        self.seen: dict[str, tuple[int, float, float]] = {}  # label -> boxes, time of the last, its bearing

    def look(
        self, found: Detections, camera: Camera, T_world_camera: Matrix, frame: int, time: float
    ) -> tuple[Observation, ...]:
        """The things of a picture that have a place by now."""
        sights = [
            (i, _sight(found, i, camera, T_world_camera, frame))
            for i, score in enumerate(found.scores)
            if score >= LEAST_SCORE
        ]
        ahead = np.degrees(np.arctan2(T_world_camera[1, 2], T_world_camera[0, 2]))
        for _, sight in sights:
            yaw = np.degrees(np.arctan2(sight.direction[1], sight.direction[0]))
            count = self.seen.get(sight.label, (0, 0.0, 0.0))[0]
            self.seen[sight.label] = count + 1, time, float((ahead - yaw + 180.0) % 360.0 - 180.0)
        told = []
        for (i, sight), thing in zip(sights, self._assigned([s for _, s in sights]), strict=True):
            if thing is not None:
                thing = self._joined(thing, sight)
            elif sight.label not in self._by_depth:
                thing = self._started(sight)
            if thing is not None:
                told.append(_observation(thing, found, i, T_world_camera))
        return tuple(told)

    def leave(self, labels: Iterable[str]) -> None:
        """Things of these names are placed by depth: rays alone cannot tell several of a name apart, so no
        new ones are made of them."""
        self._by_depth.update(labels)

    def unplaced(self) -> dict[str, tuple[int, float, float]]:
        """Names of which nothing has a place: how many boxes, when the last was, and where from there."""
        names = {thing.label for thing in self.placed}
        names |= {label for label, count in self._by_depth.items() if count >= _FEWEST_LOOKS}
        return {label: seen for label, seen in self.seen.items() if label not in names}

    def _assigned(self, sights: Sequence[Sight]) -> list[Placed | None]:
        """Which of the placed things each sight shows; the best fits first, each thing once."""
        gaps = [
            (0.0 if sight.track_id in thing.track_ids else thing.gap(sight), i, k)
            for i, sight in enumerate(sights)
            for k, thing in enumerate(self.placed)
            if thing.label == sight.label
        ]
        chosen: list[Placed | None] = [None] * len(sights)
        taken: set[int] = set()
        for gap, i, k in sorted(gaps):
            if gap < _GATE and chosen[i] is None and k not in taken:
                chosen[i] = self.placed[k]
                taken.add(k)
        return chosen

    def _joined(self, thing: Placed, sight: Sight) -> Placed:
        thing.sights.append(sight)
        if sight.track_id is not None:
            thing.track_ids.add(sight.track_id)
        if len(thing.sights) > _MOST_RAYS:  # every second of the older half says nearly the same
            thing.sights = thing.sights[: _MOST_RAYS // 2 : 2] + thing.sights[_MOST_RAYS // 2 :]
        solved = _solve(thing.sights, thing.point)
        if solved is not None:
            thing.point, thing.covariance, thing.size = solved
        return thing

    def _started(self, sight: Sight) -> Placed | None:
        """A thing where this ray meets those of earlier boxes of the name, if enough of them agree."""
        pool = self._pool.setdefault(sight.label, [])
        others = [s for s in pool if s.frame != sight.frame and s.track_id == sight.track_id]
        best: list[Sight] = []
        meeting = None
        for other in others[::-1]:
            point = _meeting(sight, other)
            if point is None:
                continue
            agreed = _supporters(point, sight, others)
            if len(agreed) > len(best):
                best, meeting = agreed, point
        pool.append(sight)
        del pool[:-_MOST_POOLED]
        fewest = _FEWEST_FRAMES if sight.track_id is None else _FEWEST_OF_TRACK
        if meeting is None or len(best) + 1 < fewest:
            return None
        solved = _solve([*best, sight], meeting)
        if solved is None:
            return None
        thing = Placed(len(self.placed), sight.label, [*best, sight], *solved)
        thing.track_ids = set() if sight.track_id is None else {sight.track_id}
        self.placed.append(thing)
        used = {id(one) for one in thing.sights}
        self._pool[sight.label] = [one for one in pool if id(one) not in used]
        return thing


def _sight(found: Detections, i: int, camera: Camera, T_world_camera: Matrix, frame: int) -> Sight:
    left, top, right, bottom = found.boxes_xyxy[i]
    middle = (left + right) / 2, (top + bottom) / 2
    corners = [middle, (left, middle[1]), (right, middle[1]), (middle[0], top), (middle[0], bottom)]
    rays = camera.backproject(np.array(corners), np.ones(5))
    rays = rays / np.linalg.norm(rays, axis=1, keepdims=True)
    angular = np.array([_angle(rays[1], rays[2]), _angle(rays[3], rays[4])])
    track = None if found.track_ids is None else int(found.track_ids[i])
    origin, direction = T_world_camera[:3, 3].copy(), T_world_camera[:3, :3] @ rays[0]
    return Sight(frame, origin, direction, np.maximum(angular, 1e-4), found.labels[i], track)


def _angle(a: Array, b: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def _meeting(one: Sight, two: Sight) -> Array | None:
    """Where two rays come nearest to each other, if they differ enough, meet ahead, and their boxes agree."""
    if _angle(one.direction, two.direction) < _LEAST_PARALLAX / 2:
        return None
    across = [np.eye(3) - np.outer(s.direction, s.direction) for s in (one, two)]
    offset = across[0] @ one.origin + across[1] @ two.origin
    point: Array = np.asarray(np.linalg.solve(across[0] + across[1], offset), dtype=np.float64)
    return point if all(_fits(point, s) for s in (one, two)) and _same_size(point, one, two) else None


def _fits(point: Array, sight: Sight) -> bool:
    away = point - sight.origin
    distance = float(np.linalg.norm(away))
    if not _NEAREST_M < distance < _FARTHEST_M:
        return False
    return _angle(away / distance, sight.direction) < _GATE * sight.sigma


def _same_size(point: Array, one: Sight, two: Sight) -> bool:
    """Whether two boxes are of one size if they are of a thing there; a thing seen from its side is of one
    height."""
    sizes = [s.angular * np.linalg.norm(point - s.origin) for s in (one, two)]
    return bool(np.abs(np.log(sizes[0] / sizes[1])).min() < _GATE * _SIZE_NOISE)


def _supporters(point: Array, sight: Sight, others: Sequence[Sight]) -> list[Sight]:
    """One sight of each frame that points at a place, the nearest to it."""
    best: dict[int, tuple[float, Sight]] = {}
    for other in others:
        if _fits(point, other) and _same_size(point, sight, other):
            away = point - other.origin
            off = _angle(away / np.linalg.norm(away), other.direction)
            if other.frame not in best or off < best[other.frame][0]:
                best[other.frame] = off, other
    return [other for _, other in best.values()]


def _solve(sights: Sequence[Sight], start: Array) -> tuple[Array, Array, Array] | None:
    """The place that the rays point at, its covariance and the size; None where the distance stays open.

    Directions and the change of the boxes' heights with the distance, robust least squares.
    """
    point = start.copy()
    directions, origins = np.array([s.direction for s in sights]), np.array([s.origin for s in sights])
    heights = np.log([s.angular[1] for s in sights])
    sigma = np.array([s.sigma for s in sights])
    normal = np.eye(3)
    for _ in range(8):
        away = point - origins
        distance = np.linalg.norm(away, axis=1)
        if distance.min() < _NEAREST_M:
            return None
        unit = away / distance[:, None]
        across = np.eye(3) - unit[:, :, None] * unit[:, None, :]
        residual = np.einsum("nij,nj->ni", across, unit - directions)
        by = across / distance[:, None, None]
        say = 1.0 / (1.0 + np.sum(residual**2, axis=1) / (2.0 * sigma) ** 2) / sigma**2
        size = np.average(heights + np.log(distance))
        grown = heights + np.log(distance) - size
        by_size = unit / distance[:, None] - np.mean(unit / distance[:, None], axis=0)
        heard = 1.0 / (1.0 + (grown / (2.0 * _SIZE_NOISE)) ** 2) / _SIZE_NOISE**2
        normal = np.einsum("n,nij,nik->jk", say, by, by) + np.einsum("n,ni,nj->ij", heard, by_size, by_size)
        right = np.einsum("n,nij,ni->j", say, by, residual) + np.einsum("n,ni,n->i", heard, by_size, grown)
        step = np.linalg.solve(normal + 1e-9 * np.eye(3), -right)
        point = point + step
        if np.abs(step).max() < 1e-5:
            break
    away = point - origins
    distance = np.linalg.norm(away, axis=1)
    # Rays of one walk share the errors of their boxes: many are worth fewer than they are.
    covariance = np.linalg.inv(normal + 1e-9 * np.eye(3)) * max(1.0, np.sqrt(len(sights) / 3))
    nearest = float(distance.min())
    apart = np.array([_angle(a, b) for a in directions[-1:] for b in directions]).max()
    widest = max(apart, _angle(directions[0], directions[len(directions) // 2]))
    if widest < _LEAST_PARALLAX or np.sqrt(np.linalg.eigvalsh(covariance)[-1]) > _MOST_RANGE_SHARE * nearest:
        return None
    angular = np.array([s.angular for s in sights])
    return point, covariance, np.median(angular * distance[:, None], axis=0)


def _observation(thing: Placed, found: Detections, i: int, T_world_camera: Matrix) -> Observation:
    """A sighting of a placed thing. What is told again and again is told as no news: the memory would take
    it for independent otherwise."""
    thing.told += 1
    x, y, z = thing.point.tolist()
    away = float((inverse(T_world_camera)[:3] @ np.append(thing.point, 1.0))[2])
    floor = (_FLOOR_M + _FLOOR_SHARE * abs(away)) ** 2
    spread = thing.covariance * min(thing.told, 10) + floor * np.eye(3)
    width, height = thing.size.tolist()
    left, top, right, bottom = found.boxes_xyxy[i].tolist()
    return Observation(
        found.labels[i], (x, y, z), min(1.0, found.scores[i]), float(np.sqrt(np.trace(spread) / 3)), spread,
        (width, width, height), track_id=thing.number, box2d=(left, top, right, bottom),
        embedding=None if found.embeddings is None else found.embeddings[i],
    )  # fmt: skip
