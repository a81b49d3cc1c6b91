"""Research datasets of posed images: 7-Scenes, Replica (NICE-SLAM version), ARKitScenes, EuRoC."""

import json
import re
from pathlib import Path

import cv2
import numpy as np

from situ.errors import BadFormat, BadInput
from situ.geometry.axes import z_up_from
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, pose_from_quat_wxyz, rigid
from situ.recording.formats.base import (
    NOMINAL_FPS,
    ImportReport,
    need,
    pinhole,
    read_intrinsics,
    read_numbers,
    read_rgb,
)
from situ.recording.formats.posed import Posed, Source, import_posed
from situ.recording.formats.time_matching import nearest, numbered, pose_at
from situ.text_files import read_text

KINECT_FOCAL = 585.0  # pixels
WITHIN_S = 0.02


def import_seven_scenes(source: Path, out: Path) -> ImportReport:
    """Import 7-Scenes or 3DMatch: frame-NNNNNN.color.png or .jpg, .depth.png, .pose.txt.

    camera-intrinsics.txt, in the folder or above it, replaces the Kinect's intrinsics. The world is that of
    the first camera.
    """
    up, posed = z_up_from("-y"), list[Posed]()
    files = sorted(source.glob("frame-*.pose.txt"))
    if not files:
        raise BadInput(f"{source} holds no frame-NNNNNN.pose.txt; give the folder of one sequence")
    for path in files:
        stem = path.name.removesuffix(".pose.txt")
        number = int(stem.rpartition("-")[2])
        pose = read_numbers(path, 4)
        if pose.shape != (4, 4):
            raise BadFormat(f"{path} must hold a 4x4 matrix, it holds {pose.shape[0]}x{pose.shape[1]}")
        colors = [source / f"{stem}.color.{kind}" for kind in ("png", "jpg")]
        color = next((file for file in colors if file.is_file()), colors[0])
        posed.append(Posed(number / NOMINAL_FPS, up @ pose, color, source / f"{stem}.depth.png"))
    about = Source(
        "7scenes",
        _own_camera(source, posed),
        ("axes: camera OpenCV; world of the first camera, taken level", "units: metres, depth in millimetres",
         "clock: numbers of frames at 30 a second"),
        no_depth=65535,
    )  # fmt: skip
    return import_posed(out, source.name, about, posed)


def _own_camera(source: Path, posed: list[Posed]) -> Camera:
    given = [folder / "camera-intrinsics.txt" for folder in (source, source.parent)]
    file = next((path for path in given if path.is_file()), None)
    if file is None:
        return Camera(640, 480, KINECT_FOCAL, KINECT_FOCAL, 320.0, 240.0)
    first = next((rgb for one in posed if (rgb := read_rgb(one.picture)) is not None), None)
    if first is None:
        raise BadFormat(f"{source} holds no readable picture")
    return pinhole(first.shape[1], first.shape[0], read_intrinsics(file))


def import_replica(source: Path, out: Path) -> ImportReport:
    """Import Replica as rendered by NICE-SLAM: results/frameN.jpg and depthN.png, traj.txt,
    cam_params.json."""
    rows = read_numbers(need(source / "traj.txt", "the poses"), 16)
    found = next(
        (p for p in (source / "cam_params.json", source.parent / "cam_params.json") if p.is_file()), None
    )
    try:
        said = json.loads(
            need(found or source / "cam_params.json", "the intrinsics").read_text(encoding="utf-8")
        )
        c = said["camera"]
        K = np.array([[c["fx"], 0, c["cx"]], [0, c["fy"], c["cy"]], [0, 0, 1.0]], float)
        camera, scale = pinhole(int(c["w"]), int(c["h"]), K), float(c["scale"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadFormat(
            f"{found} must give w, h, fx, fy, cx, cy and scale of the camera ({error})"
        ) from error
    posed = []
    for number, path in numbered(need(source / "results", "the pictures"), (".jpg",)).items():
        if number >= len(rows):
            raise BadFormat(
                f"{source / 'traj.txt'} has {len(rows)} poses, but there is a picture {path.name}"
            )
        depth = source / "results" / f"{path.stem.replace('frame', 'depth')}.png"
        posed.append(Posed(number / NOMINAL_FPS, rows[number].reshape(4, 4), path, depth))
    about = Source(
        "replica",
        camera,
        ("axes: camera OpenCV, world z up", f"units: metres, depth in 1/{scale:g} m",
         "clock: none; 30 frames a second assumed"),
        depth_units_per_metre=scale,
        unknown=("times",),
    )  # fmt: skip
    return import_posed(out, source.name, about, posed)


def import_arkitscenes(source: Path, out: Path) -> ImportReport:
    """Import ARKitScenes in low resolution: lowres_wide/ with intrinsics and .traj, lowres_depth/."""
    rows = read_numbers(need(source / "lowres_wide.traj", "the poses"), 7)
    times = rows[:, 0]
    poses = [inverse(rigid(cv2.Rodrigues(row[1:4])[0], row[4:7])) for row in rows]  # stored world to camera
    posed, camera = list[Posed](), None
    for path in sorted(need(source / "lowres_wide", "the pictures").glob("*.png")):
        time = _stamp(path)
        place = nearest(times, time, WITHIN_S)
        if place is None:
            continue
        if camera is None:
            camera = _pincam(source / "lowres_wide_intrinsics" / f"{path.stem}.pincam")
        posed.append(Posed(time, poses[place], path, source / "lowres_depth" / path.name))
    if camera is None:
        raise BadFormat(f"{source}: no picture is within {WITHIN_S} s of a pose; do the two clocks agree?")
    about = Source(
        "arkitscenes",
        camera,
        ("axes: camera OpenCV, poses world to camera, world z up", "units: metres, depth in millimetres",
         "clock: file names, seconds"),
    )  # fmt: skip
    return import_posed(out, source.name, about, posed)


def _stamp(path: Path) -> float:
    found = re.search(r"_(\d+\.\d+)$", path.stem)
    if found is None:
        raise BadFormat(f"{path} must be named VIDEO_SECONDS.png")
    return float(found.group(1))


def _pincam(path: Path) -> Camera:
    numbers = read_numbers(need(path, "the intrinsics"), 6)[0]
    width, height, fx, fy, cx, cy = numbers
    return pinhole(int(width), int(height), np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]]))


def import_euroc(source: Path, out: Path) -> ImportReport:
    """Import EuRoC MAV: mav0/cam0 with sensor.yaml and data.csv, and the ground truth of the body."""
    cam = need(source / "mav0" / "cam0", "the first camera")
    text = read_text(need(cam / "sensor.yaml", "the intrinsics"))
    body_camera = _numbers(text, "data", 16, cam).reshape(4, 4)
    fx, fy, cx, cy = _numbers(text, "intrinsics", 4, cam)
    lens, (width, height) = (
        _numbers(text, "distortion_coefficients", 4, cam),
        _numbers(text, "resolution", 2, cam),
    )
    truth = np.genfromtxt(
        need(source / "mav0" / "state_groundtruth_estimate0" / "data.csv", "the poses"),
        delimiter=",",
        comments="#",
    )
    if truth.ndim != 2 or truth.shape[1] < 8:
        raise BadFormat(
            f"{source}: the ground truth must have a time, three places and a quaternion in a row"
        )
    times = truth[:, 0] * 1e-9
    bodies = np.stack([pose_from_quat_wxyz(row[4:8], row[1:4]) for row in truth])
    posed = []
    for line in read_text(need(cam / "data.csv", "the list of pictures")).splitlines():
        if line.startswith("#") or "," not in line:
            continue
        stamp, name = (word.strip() for word in line.split(",")[:2])
        pose = pose_at(times, bodies, int(stamp) * 1e-9, 0.1)
        if pose is not None:
            placed: Matrix = pose @ body_camera
            posed.append(Posed(int(stamp) * 1e-9 - times[0], placed, cam / "data" / Path(name).name))
    if not posed:
        raise BadFormat(f"{source}: no picture was taken while there are poses; do the two clocks agree?")
    about = Source(
        "euroc",
        pinhole(int(width), int(height), np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]])),
        (
            "axes: camera OpenCV on a body, world z up",
            "units: metres",
            "clock: nanoseconds, from the first pose",
        ),
        distortion=tuple(float(k) for k in lens),
    )
    return import_posed(out, source.name, about, posed)


def _numbers(text: str, name: str, count: int, where: Path) -> Matrix:
    found = re.search(rf"^\s*{name}:\s*\[(.*?)\]", text, re.DOTALL | re.MULTILINE)
    values = np.array([float(word) for word in found.group(1).replace("\n", " ").split(",")] if found else [])
    if len(values) != count:
        raise BadFormat(
            f"{where / 'sensor.yaml'} must give {count} numbers for {name}, it gives {len(values)}"
        )
    return values
