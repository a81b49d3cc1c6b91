"""Trajectory evaluation: alignment, ATE, RPE, drift and scale.

ATE compares positions after one global alignment, RPE relative motions without any. Both need poses at the
same times, so paths are first matched by time.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from situ.errors import BadInput
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, Vector, inverse, rigid, wrap_deg, yaw_deg

Alignment = Literal["none", "first", "yaw", "se3", "sim3"]
_SAME_MOMENT_S = 0.01


@dataclass(frozen=True, eq=False)
class Similarity:
    """x -> scale * rotation @ x + translation."""

    scale: float
    rotation: Matrix
    translation: Vector

    def points(self, points: ArrayLike) -> Matrix:
        moved: Matrix = self.scale * np.asarray(points, dtype=float) @ self.rotation.T + self.translation
        return moved

    def path(self, path: Path) -> Path:
        poses = np.array(path.poses)
        poses[:, :3, :3] = self.rotation @ path.poses[:, :3, :3]
        poses[:, :3, 3] = self.points(path.positions)
        return Path(path.times, poses)


@dataclass(frozen=True)
class TrajectoryError:
    """Errors of an estimated path; distances are in metres of the truth.

    `drift_per_metre`: error at the end after aligning the first pose, over the path length. `scale_error`:
    0.02 for an estimate that is 2 % too long. `yaw_drift_deg`: greatest heading error after aligning the
    first heading.
    """

    matched: int
    ate_rmse: float
    ate_max: float
    rpe_rmse: float
    rpe_rotation_rmse_deg: float
    drift_per_metre: float
    scale_error: float
    yaw_drift_deg: float


def associate(
    times: ArrayLike, others: ArrayLike, max_gap_s: float = _SAME_MOMENT_S
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices of common times of two sorted lists: nearest in time, each used once."""
    mine, theirs = np.asarray(times, dtype=float), np.asarray(others, dtype=float)
    if len(mine) == 0 or len(theirs) == 0:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    if len(mine) > len(theirs):
        second, first = associate(theirs, mine, max_gap_s)
        return first, second
    right = np.clip(np.searchsorted(theirs, mine), 0, len(theirs) - 1)
    left = np.maximum(right - 1, 0)
    nearest = np.where(np.abs(theirs[left] - mine) <= np.abs(theirs[right] - mine), left, right)
    gaps = np.abs(theirs[nearest] - mine)
    keep = np.flatnonzero(gaps <= max_gap_s)
    best = {}
    for index in keep[np.argsort(-gaps[keep], kind="stable")]:
        best[int(nearest[index])] = int(index)  # the smallest gap is written last
    second = np.array(sorted(best), dtype=np.intp)
    return np.array([best[int(j)] for j in second], dtype=np.intp), second


def matched(estimate: Path, truth: Path, max_gap_s: float = _SAME_MOMENT_S) -> tuple[Path, Path]:
    """Both paths reduced to their common times."""
    mine, theirs = associate(estimate.times, truth.times, max_gap_s)
    if len(mine) < 2:
        raise BadInput(
            f"the paths share {len(mine)} moments within {max_gap_s:g} s (estimate {_span(estimate)}, truth "
            f"{_span(truth)}): two are needed; check that both use one clock or allow a larger gap"
        )
    return (
        Path(truth.times[theirs], estimate.poses[mine]),
        Path(truth.times[theirs], truth.poses[theirs]),
    )


def umeyama(source: ArrayLike, target: ArrayLike, with_scale: bool = False) -> Similarity:
    """Least-squares similarity (or rigid motion) from `source` to `target` points (n, 3)."""
    a, b = np.asarray(source, dtype=float), np.asarray(target, dtype=float)
    mean_a, mean_b = a.mean(axis=0), b.mean(axis=0)
    u, singular, vt = np.linalg.svd((b - mean_b).T @ (a - mean_a) / len(a))
    # A reflection could fit mirrored points better, but is no camera motion.
    signs = np.array([1.0, 1.0, 1.0 if np.linalg.det(u @ vt) > 0 else -1.0])
    rotation = (u * signs) @ vt
    spread = float(np.mean(np.sum((a - mean_a) ** 2, axis=1)))
    scale = float(singular @ signs) / spread if with_scale and spread > 0 else 1.0
    return Similarity(scale, rotation, mean_b - scale * rotation @ mean_a)


def alignment_of(estimate: Path, truth: Path, kind: Alignment) -> Similarity:
    """Motion that aligns `estimate` with `truth`, which share their times.

    "first" aligns the first poses; "yaw" aligns their positions and headings only, leaving gravity unchanged.
    """
    if kind in ("se3", "sim3"):
        return umeyama(estimate.positions, truth.positions, with_scale=kind == "sim3")
    if kind == "first":
        motion = truth.poses[0] @ inverse(estimate.poses[0])
    elif kind == "yaw":
        turn = math.radians(yaw_deg(truth.poses[0]) - yaw_deg(estimate.poses[0]))
        c, s = math.cos(turn), math.sin(turn)
        rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        motion = rigid(rotation, truth.positions[0] - rotation @ estimate.positions[0])
    else:
        motion = np.eye(4)
    return Similarity(1.0, motion[:3, :3], motion[:3, 3])


def compare(
    estimate: Path, truth: Path, alignment: Alignment = "se3", max_gap_s: float = _SAME_MOMENT_S
) -> TrajectoryError:
    """All errors. With "sim3", RPE and drift are measured after the scale correction."""
    mine, theirs = matched(estimate, truth, max_gap_s)
    aligned = alignment_of(mine, theirs, alignment).path(mine)
    gaps = np.linalg.norm(aligned.positions - theirs.positions, axis=1)
    # Umeyama's scale maps the estimate to the truth, so it is below 1 for an estimate that is too long.
    scale = umeyama(mine.positions, theirs.positions, with_scale=True).scale
    steps, turns = relative_errors(aligned, theirs)
    walked = float(np.linalg.norm(np.diff(theirs.positions, axis=0), axis=1).sum())
    from_start = alignment_of(aligned, theirs, "first").path(aligned)
    end_gap = float(np.linalg.norm(from_start.positions[-1] - theirs.positions[-1]))
    return TrajectoryError(
        matched=len(mine),
        ate_rmse=_rms(gaps),
        ate_max=float(gaps.max()),
        rpe_rmse=_rms(steps),
        rpe_rotation_rmse_deg=_rms(turns),
        drift_per_metre=end_gap / walked if walked > 0 else math.nan,
        scale_error=1.0 / scale - 1.0 if scale > 0 else math.nan,
        yaw_drift_deg=float(np.abs(yaw_errors_deg(mine, theirs)).max()),
    )


def relative_errors(estimate: Path, truth: Path, step: int = 1) -> tuple[Vector, Vector]:
    """Differences of motions over `step` poses, in metres and degrees, one per start."""
    mine = _motions(estimate.poses, step)
    theirs = _motions(truth.poses, step)
    turned = np.swapaxes(theirs[:, :3, :3], 1, 2)
    gaps = np.linalg.norm(mine[:, :3, 3] - theirs[:, :3, 3], axis=1)
    cosines = (np.trace(turned @ mine[:, :3, :3], axis1=1, axis2=2) - 1) / 2
    return gaps, np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))


def yaw_errors_deg(estimate: Path, truth: Path) -> Vector:
    """Heading error at every time, relative to the first."""
    errors = [yaw_deg(a) - yaw_deg(b) for a, b in zip(estimate.poses, truth.poses, strict=True)]
    return np.array([wrap_deg(e - errors[0]) for e in errors])


def _motions(poses: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    backwards = np.array([inverse(pose) for pose in poses[:-step]]).reshape(-1, 4, 4)
    return backwards @ poses[step:]


def _rms(values: Vector) -> float:
    return float(np.sqrt(np.mean(values**2))) if len(values) else math.nan


def _span(path: Path) -> str:
    return f"{path.times[0]:.2f} s to {path.times[-1]:.2f} s" if len(path) else "empty"
