"""Alignment of a new recording with the visual map of an earlier one.

Views of both maps are matched; each match implies a position of the new world's origin in the old one.
Identical furniture in different homes produces wrong matches, so an alignment is accepted only if matches
from several views agree on it and hardly any agree on another.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from situ.geometry.pose import Matrix, Vector, inverse, rigid, transform
from situ.perception.odometry.features import pose_from_features
from situ.perception.odometry.place_recognition import WordIndex
from situ.perception.odometry.pose_graph import usual_sigma
from situ.perception.odometry.pose_graph_solver import Edges, Nodes, Priors, optimise
from situ.perception.odometry.visual_map import CANONICAL, MapView, VisualMap, moved

_CANDIDATES = 4  # old views that each new view is matched with
_MEASURED, _TRIANGULATED = 0.02, 0.1  # relative errors of depths
_MAX_LEAN_DEG = 8.0  # between the verticals of both worlds
_SAME_LENGTH, _SAME_SCALE = 1.12, 1.3  # factor between depths: of metric maps, of maps with unknown scale
# between two matches: metres plus share of the path; degrees
_SAME_M, _SAME_SHARE, _SAME_DEG = 0.3, 0.04, 6.0
_MIN_VIEWS = 3
_MAX_RIVAL_SHARE = 0.34  # views for another alignment, relative to those for the best
_MIN_SIGMA = np.array([0.01, 0.03])  # of a match: radians, metres
_SHARED, _SHARED_ERRORS = 0.4, 2.0  # share of the depth error common to a match; factor for matches in common
_LEVEL_SIGMA = 0.01  # of the vertical of a view
_UNINFORMATIVE = 1e6  # sigma of a quantity that is not constrained


@dataclass(frozen=True, eq=False)
class Match:
    """Match of a new view (`now`) with an old one (`then`), as view numbers in the maps."""

    then: int
    now: int
    T_old_camera: Matrix
    scale: float  # units of the new world in units of the old one
    sigma: Vector  # radians, metres
    matched: int

    def origin(self, new: MapView, scale: float) -> tuple[Matrix, float]:
        """Position of the new world's origin in the old world, and the angle between both verticals."""
        turn = self.T_old_camera[:3, :3] @ new.T_world_camera[:3, :3].T
        yaw = np.arctan2(turn[1, 0], turn[0, 0])
        level = Rotation.from_euler("z", yaw).as_matrix()
        lean = float(np.degrees(np.arccos(np.clip(turn[2, 2], -1.0, 1.0))))
        place = self.T_old_camera[:3, 3] - scale * level @ new.T_world_camera[:3, 3]
        return rigid(level, place), lean


@dataclass(frozen=True, eq=False)
class MapAlignment:
    """A new recording placed in an old world, with improved poses of the new views there.

    `sigma` (m, 3) of the matches: radians, metres, log of the scale.
    """

    T_old_new: Matrix
    scale: float
    poses: NDArray[np.float64]  # of all new views in the old world
    matches: tuple[Match, ...]
    sigma: Matrix
    new: VisualMap

    def placed(self, time: float, T_new_camera: Matrix) -> Matrix:
        """A pose of the new recording in the old world, interpolated between the corrections of two views."""
        times = self.new.times
        after = int(np.clip(np.searchsorted(times, time), 1, max(1, len(times) - 1)))
        before, after = after - 1, min(after, len(times) - 1)
        first, second = self._with(before, T_new_camera), self._with(after, T_new_camera)
        share = float(np.clip((time - times[before]) / max(times[after] - times[before], 1e-9), 0.0, 1.0))
        between = Rotation.from_matrix(second[:3, :3] @ first[:3, :3].T).as_rotvec()
        turn = Rotation.from_rotvec(share * between).as_matrix() @ first[:3, :3]
        return rigid(turn, first[:3, 3] + share * (second[:3, 3] - first[:3, 3]))

    def _with(self, view: int, T_new_camera: Matrix) -> Matrix:
        """A pose moved rigidly with a view."""
        apart = inverse(self.new.views[view].T_world_camera) @ T_new_camera
        apart[:3, 3] *= self.scale
        return np.asarray(self.poses[view] @ apart)

    @property
    def uncertainty(self) -> tuple[float, float]:
        """Standard deviation of the heading (degrees) and the position (metres) of the alignment."""
        yaw, place = np.sqrt(1.0 / np.sum(self.sigma[:, :2] ** -2.0, axis=0))
        return float(np.degrees(yaw)), float(place)


def align_maps(old: VisualMap, new: VisualMap) -> MapAlignment | None:
    """Alignment of a new map with an old one; None if they do not certainly share a place."""
    matches = find_matches(old, new)
    agreed = _agreeing(matches, new, free_scale=not (old.metric and new.metric))
    if agreed is None:
        return None
    T_old_new, scale, chosen = agreed
    poses, sigma = _settled(new, T_old_new, scale, chosen)
    return MapAlignment(T_old_new, scale, poses, tuple(chosen), sigma, new)


def find_matches(old: VisualMap, new: VisualMap) -> list[Match]:
    """All plausible matches between views, whether they agree with each other or not."""
    share = _MEASURED if old.metric else _TRIANGULATED
    same_unit = old.metric and new.metric
    index = WordIndex([view.words for view in old.views])
    found = []
    for now, view in enumerate(new.views):
        for then in index.likely(view.words, _CANDIDATES):
            match = _matched(old.views[then], view, then, now, share)
            if match is not None and (not same_unit or abs(np.log(match.scale)) < np.log(_SAME_LENGTH)):
                found.append(match)
    return found


def _matched(old: MapView, new: MapView, then: int, now: int, share: float) -> Match | None:
    points = old.points.astype(float)
    placed = pose_from_features(old.features, points, new.features, CANONICAL, share)
    if placed is None or not placed.confident:
        return None
    there = transform(placed.T_now_then, placed.points_then)[:, 2]
    own = new.points[placed.rows_now, 2]
    if (there <= 0).any():
        return None
    pose = old.T_world_camera @ inverse(placed.T_now_then)
    shared = _SHARED * share * float(np.median(placed.points_then[:, 2]))
    sigma = np.hypot(_MIN_SIGMA, placed.sigma)
    sigma[1] = float(np.hypot(sigma[1], shared))
    scale = float(np.exp(np.median(np.log(there / own))))
    return Match(then, now, pose, scale, sigma, len(there))


def _agreeing(
    matches: list[Match], new: VisualMap, free_scale: bool
) -> tuple[Matrix, float, list[Match]] | None:
    """Alignment with most support: transformation, scale and matches; None if rare or ambiguous."""
    if not matches:
        return None
    scales = np.array([match.scale if free_scale else 1.0 for match in matches])
    views = [new.views[match.now] for match in matches]
    origins = [m.origin(v, s) for m, v, s in zip(matches, views, scales.tolist(), strict=True)]
    level = np.array([lean < _MAX_LEAN_DEG for _, lean in origins])
    here = np.array([match.T_old_camera[:3, 3] for match in matches])
    own = np.array([view.T_world_camera[:3, 3] for view in views])
    yaws = np.array([np.arctan2(origin[1, 0], origin[0, 0]) for origin, _ in origins])
    numbers = np.array([match.now for match in matches])
    support = []
    for k, (origin, _) in enumerate(origins):
        gone = scales[k] * own @ origin[:3, :3].T + origin[:3, 3]
        walked = np.linalg.norm(own - own[k], axis=1)
        near = np.linalg.norm(gone - here, axis=1) < _SAME_M + _SAME_SHARE * walked
        turned = np.abs((yaws - yaws[k] + np.pi) % (2 * np.pi) - np.pi) < np.radians(_SAME_DEG)
        alike = np.abs(np.log(scales / scales[k])) < np.log(_SAME_SCALE)
        support.append(near & turned & alike & level & level[k])
    counts = [len(np.unique(numbers[mask])) for mask in support]
    best = int(np.argmax(counts))
    if counts[best] < _MIN_VIEWS or not _spread([views[i] for i in np.flatnonzero(support[best])]):
        return None
    explained = np.isin(numbers, numbers[support[best]])
    rivals = [len(np.unique(numbers[mask & ~explained])) for mask in support]
    if max(rivals) > _MAX_RIVAL_SHARE * counts[best]:
        return None
    chosen = [matches[i] for i in np.flatnonzero(support[best])]
    weight = np.array([match.sigma[1] ** -2.0 for match in chosen])
    scale = float(np.exp(np.average(np.log(scales[support[best]]), weights=weight)))
    mean = np.average(np.exp(1j * yaws[support[best]]), weights=weight)
    turn = Rotation.from_euler("z", np.angle(mean)).as_matrix()
    shift = np.average(here[support[best]] - scale * own[support[best]] @ turn.T, axis=0, weights=weight)
    return rigid(turn, shift), scale, chosen


def _spread(views: list[MapView]) -> bool:
    """Whether the views differ in position or direction."""
    places = np.array([view.T_world_camera[:3, 3] for view in views])
    ahead = np.array([view.T_world_camera[:3, 2] for view in views])
    facing = np.degrees(np.arccos(np.clip((ahead @ ahead.T).min(), -1.0, 1.0)))
    return bool(np.ptp(places, axis=0).max() > 0.25 or facing > 12.0)


def _settled(
    new: VisualMap, T_old_new: Matrix, scale: float, chosen: list[Match]
) -> tuple[NDArray[np.float64], Matrix]:
    """Poses of the new views in the old world, from a pose graph of their path and the matches.

    Also the sigma of each match, widened by its residual.
    """
    poses = np.array([moved(view, T_old_new, scale).T_world_camera for view in new.views])
    count = len(poses)
    steps = np.linalg.inv(poses[:-1]) @ poses[1:]
    walked = np.linalg.norm(steps[:, :3, 3], axis=1)
    sigma = np.array([match.sigma for match in chosen])
    edges = Edges(
        np.concatenate([np.arange(1, count), np.zeros(len(chosen), np.int64)]),
        np.concatenate([np.arange(2, count + 1), [match.now + 1 for match in chosen]]).astype(np.int64),
        np.concatenate([steps, [match.T_old_camera for match in chosen]]),
        np.zeros(count - 1 + len(chosen)),
        np.concatenate(
            [
                np.array([usual_sigma(float(w)) for w in walked]).reshape(-1, 3),
                np.column_stack([sigma, np.full(len(chosen), _UNINFORMATIVE)]),
            ]
        ),
        np.arange(count - 1 + len(chosen)) >= count - 1,
    )
    whole = np.concatenate([np.eye(4)[None], poses])  # the old world's origin is the fixed first node
    nothing = np.full(count + 1, _UNINFORMATIVE)
    up_sigma = np.full(count + 1, _LEVEL_SIGMA)
    priors = Priors(whole[:, 2, :3].copy(), up_sigma, np.zeros(count + 1), nothing, nothing)
    after = optimise(Nodes(whole, np.ones(count + 1)), edges, priors, free_scale=False).poses[1:]
    off = np.array([inverse(match.T_old_camera) @ after[match.now] for match in chosen])
    turned = Rotation.from_matrix(off[:, :3, :3]).magnitude()
    missed = np.linalg.norm(off[:, :3, 3], axis=1)
    spread = np.column_stack([np.hypot(sigma[:, 0], turned), np.hypot(sigma[:, 1], missed)])
    # Matches share depth errors, and those of one view share its own.
    views = np.array([match.now for match in chosen])
    spread *= _SHARED_ERRORS * np.sqrt(np.bincount(views)[views])[:, None]
    return after, np.column_stack([spread, np.full(len(chosen), _scale_sigma(chosen))])


def _scale_sigma(chosen: list[Match]) -> float:
    logs = np.log([match.scale for match in chosen])
    return max(0.03, float(np.std(logs)))
