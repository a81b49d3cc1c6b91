"""The path alone: a source through its pose stage, without a memory."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.perception.odometry.result import OdometryResult
from situ.perception.plan import WatchPlan, prepare
from situ.perception.posing import OdometryPoses
from situ.perception.straying import UNRELIABLE, Straying
from situ.perception.trajectory_files import read_tum

_NO_CAMERA = Camera.from_fov(640, 480, 70)


@dataclass(frozen=True, eq=False)
class Walked:
    """A path, and what it rests on. `truth` is the path that the source itself has, if any, and `readout_s`
    how long the camera was found to read a picture; negative: from the last line on."""

    path: Path
    camera: Camera
    names: tuple[str, ...]
    lost: int
    scale_from: str
    gravity_from: str
    truth: Path | None = None
    notes: list[str] = field(default_factory=list)
    result: OdometryResult | None = None
    readout_s: float | None = None


def estimate_walk(plan: WatchPlan, progress: Callable[[str, int, int], None] | None = None) -> Walked:
    """Every frame of a source through the pose stage; frames that are lost are left out of the path."""
    if plan.source.suffix == ".txt" and plan.source.is_file():
        path = read_tum(plan.source)
        names = tuple(f"{time:.6f}.png" for time in path.times)
        return Walked(path, _NO_CAMERA, names, 0, "poses", "poses")
    source, stages = prepare(plan)
    times, poses, indices = [], [], []
    true_times, true_poses = [], []
    lost, straying = 0, Straying()
    for done, frame in enumerate(source.read(-1), 1):
        posed = stages.poses.locate(frame)
        if frame.T_world_camera is not None:
            true_times.append(frame.time)
            true_poses.append(frame.T_world_camera)
        if posed.lost:
            lost += 1
            straying.lost(frame, posed.lost)
        else:
            source.notes.extend(straying.over())
            times.append(frame.time)
            poses.append(posed.T_world_camera)
            indices.append(frame.index)
        if progress is not None:
            progress("walking", done, max(done, source.expected_frames))
    source.notes.extend(straying.over())
    if not times:
        raise BadInput(f"no frame of {plan.source} could be placed; {'; '.join(source.notes[:3])}")
    stage = stages.poses
    result, readout = None, None
    if isinstance(stage, OdometryPoses) and stage.odometry is not None:
        result, readout = stage.odometry.result(), stage.odometry.shutter.readout
        rows = np.array([stage.given[i] for i in indices])
        poses = list(stage.odometry.frame_poses.poses(rows, stage.odometry.keyframes))
    if stage.complaint:
        source.notes.append(UNRELIABLE.format(stage.complaint))
    truth = Path(np.array(true_times), np.array(true_poses)) if len(true_times) > 1 else None
    return Walked(
        Path(np.array(times), np.array(poses)),
        source.camera,
        tuple(f"{i:06d}.jpg" for i in indices),
        lost,
        stage.scale_from,
        stage.gravity_from,
        truth,
        source.notes,
        result,
        readout,
    )
