"""Aria Digital Twin's layout in small: someone turns round in rooms whose things have names and boxes."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from miniatures import image

SIZE, FOCAL = 96, 40.0  # an even fisheye: a ray at angle θ from the axis lies at FOCAL · θ
RGB = "214-1"
THINGS = ("lamp", "sofa", "television", "plant", "bookcase", "bicycle", "fridge", "mirror")
FRAMES, STEP_NS = 16, 50_000_000


def sequence(folder: Path, seed: int) -> Path:
    """One turn on a small circle in a world with y up; a thing in every eighth of it, near or far."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    names = [THINGS[i] for i in rng.permutation(len(THINGS))]
    angles = np.radians(45.0 * np.arange(len(names)) + rng.uniform(-4, 4, len(names)))
    away = rng.permutation(np.linspace(1.5, 5.0, len(names)))
    centres = np.stack([away * np.sin(angles), np.full(len(names), 1.0), -away * np.cos(angles)], axis=1)
    half = rng.permutation(np.linspace(0.15, 0.5, len(names)))
    uids = [str(1000 + i) for i in range(len(names))]
    path, seen = [], []
    for frame in range(FRAMES):
        time_ns, turn = (frame + 1) * STEP_NS, 2 * np.pi * frame / FRAMES
        ahead, down = np.array([np.sin(turn), 0.0, -np.cos(turn)]), np.array([0.0, -1.0, 0.0])
        R = np.stack([np.cross(down, ahead), down, ahead], axis=1)
        place = np.array([0.0, 1.5, 0.0]) + 0.3 * ahead
        path.append((time_ns // 1000, *place, *Rotation.from_matrix(R).as_quat(), 0.0, -9.81, 0.0))
        image(folder / f"rgb_{time_ns}.jpg", 100 * seed + frame, (SIZE, SIZE))
        for uid, centre, reach in zip(uids, centres, half, strict=True):
            if edges := _box(R.T @ (_corners(centre, reach) - place).T):
                seen.append((RGB, uid, time_ns, *edges, 1.0))
    pose = ("tx", "ty", "tz", "qx", "qy", "qz", "qw")
    gravity = tuple(f"gravity_{axis}_world" for axis in "xyz")
    _write(
        folder / "aria_trajectory.csv",
        ("tracking_timestamp_us", *(f"{p}_world_device" for p in pose), *gravity),
        path,
    )
    edges_2d = ("x_min[pixel]", "x_max[pixel]", "y_min[pixel]", "y_max[pixel]", "visibility_ratio[%]")
    _write(folder / "2d_bounding_box.csv", ("stream_id", "object_uid", "timestamp[ns]", *edges_2d), seen)
    placed = ("object_uid", "timestamp[ns]", *(f"t_wo_{a}[m]" for a in "xyz"), *(f"q_wo_{a}" for a in "wxyz"))
    _write(
        folder / "scene_objects.csv",
        placed,
        [(u, -1, *c, 1, 0, 0, 0) for u, c in zip(uids, centres, strict=True)],
    )
    ends = [f"p_local_obj_{a}{end}[m]" for a in "xyz" for end in ("min", "max")]
    _write(
        folder / "3d_bounding_box.csv",
        ("object_uid", "timestamp[ns]", *ends),
        [(u, -1, *(-h, h) * 3) for u, h in zip(uids, half, strict=True)],
    )
    about = {u: {"instance_name": n.title(), "category": n} for u, n in zip(uids, names, strict=True)}
    (folder / "instances.json").write_text(json.dumps(about))
    lens = [FOCAL, SIZE / 2 - 0.5, SIZE / 2 - 0.5, *[0.0] * 12]
    camera = {
        "image_size": [SIZE, SIZE],
        "model": "FISHEYE624",
        "projection_params": lens,
        "T_device_camera": np.eye(4).tolist(),
    }
    (folder / "camera_calibration.json").write_text(json.dumps({"camera-rgb": camera}))
    return folder


def _corners(centre: np.ndarray, reach: float) -> np.ndarray:
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return centre + reach * signs


def _box(points: np.ndarray) -> tuple[int, ...]:
    """The edges of what a fisheye camera sees of points in its axes; nothing where they leave the picture."""
    x, y, z = points
    angle, off = np.arctan2(np.hypot(x, y), z), np.hypot(x, y)
    u, v = (SIZE / 2 + FOCAL * angle * part / np.maximum(off, 1e-9) for part in (x, y))
    if angle.max() > np.radians(60) or min(u.min(), v.min()) < 0 or max(u.max(), v.max()) >= SIZE:
        return ()
    return int(u.min()), int(u.max()) + 1, int(v.min()), int(v.max()) + 1


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
