"""The two real RGB-D samples as (camera, [(time, rgb, depth)], true path)."""

import cv2
import numpy as np

from real_data import real_data
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import pose_from_quat_wxyz

# The sample keeps every second frame and no times. At 1.2 m/s its steps of 15 cm take about this long.
_HOLOLENS_STEP_S = 0.13
# Its world has y up.
_Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


def _rgb(file):
    return cv2.cvtColor(cv2.imread(str(file)), cv2.COLOR_BGR2RGB)


def _depth(file, per_metre):
    return cv2.imread(str(file), cv2.IMREAD_UNCHANGED).astype(np.float32) / per_metre


def hololens_walk():
    folder = real_data("hololens_walk")
    k = np.loadtxt(folder / "K.txt")
    poses = np.loadtxt(folder / "poses.txt").reshape(-1, 4, 4)
    files = sorted((folder / "images").glob("*.jpg"))
    times = np.arange(len(files)) * _HOLOLENS_STEP_S
    clip = [
        (float(time), _rgb(file), _depth(folder / "depth" / f"{file.stem}.png", 1000))
        for time, file in zip(times, files, strict=True)
    ]
    # Both calibrations have pixel centres at integers; ours are at halves.
    camera = Camera(540, 360, k[0, 0], k[1, 1], k[0, 2] + 0.5, k[1, 2] + 0.5)
    return camera, clip, Path(times, _Z_UP @ poses)


def _table(file):
    return [line.split() for line in file.read_text().splitlines() if not line.startswith("#")]


def tum_rpy():
    folder = real_data("tum_fr1_rpy_mini")
    depths = _table(folder / "depth.txt")
    depth_times = np.array([float(time) for time, _ in depths])
    clip = []
    for time, name in _table(folder / "rgb.txt"):
        nearest = depths[int(np.argmin(np.abs(depth_times - float(time))))][1]
        clip.append((float(time), _rgb(folder / name), _depth(folder / nearest, 5000)))
    rows = np.array(_table(folder / "groundtruth.txt"), dtype=float)
    truth = Path(rows[:, 0], np.array([pose_from_quat_wxyz(r[[7, 4, 5, 6]], r[1:4]) for r in rows]))
    return Camera(640, 480, 517.3, 516.5, 319.1, 255.8), clip, truth
