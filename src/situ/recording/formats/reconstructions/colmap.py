"""COLMAP models: cameras and images as text or binary, next to a folder of images.

Poses are world to camera, without scale, gravity or time. Images are ordered by name, and the world is
rotated so that the cameras' mean up direction is up.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, pose_from_quat_wxyz
from situ.recording.formats.base import ImportReport
from situ.recording.formats.posed import SPACING_S, Optics, Posed, Source, import_posed, upright_by_cameras
from situ.recording.formats.time_matching import as_numbered
from situ.text_files import read_text

MODELS = ("sparse/0", "sparse", ".", "colmap/sparse/0", "colmap")
PICTURES = ("images", "rgb", "resized_images", ".")
# COLMAP camera model id: name, number of parameters, and whether it is a fisheye model.
LENSES = {
    0: ("SIMPLE_PINHOLE", 3, False),
    1: ("PINHOLE", 4, False),
    2: ("SIMPLE_RADIAL", 4, False),
    3: ("RADIAL", 5, False),
    4: ("OPENCV", 8, False),
    5: ("OPENCV_FISHEYE", 8, True),
}


@dataclass(frozen=True)
class Shot:
    name: str
    camera: int
    T_camera_world: Matrix


def import_colmap(source: Path, out: Path) -> ImportReport:
    model = _model_of(source)
    binary = (model / "images.bin").is_file()
    try:
        cameras = dict(_binary_cameras(model) if binary else _text_cameras(model))
        found = _binary_shots(model) if binary else _text_shots(model)
        shots = sorted(found, key=lambda shot: as_numbered(shot.name))
    except (OSError, ValueError, IndexError, KeyError, struct.error) as error:
        raise BadFormat(f"{model} is not a COLMAP model ({type(error).__name__}: {error})") from error
    if not shots:
        raise BadFormat(f"{model} holds no image with a pose")
    if lost := sorted({shot.camera for shot in shots} - set(cameras)):
        raise BadFormat(f"{model}: images name the camera {lost[0]}, which is not among the cameras")
    usual = _usual(shots, cameras)
    folder = _pictures_of(source, shots[0].name)
    poses = [inverse(shot.T_camera_world) for shot in shots]
    turn = upright_by_cameras(poses)
    posed = [
        Posed(number * SPACING_S, turn @ pose, folder / shot.name, taken_by=cameras[shot.camera])
        for number, (shot, pose) in enumerate(zip(shots, poses, strict=True))
        if ".." not in Path(shot.name).parts and not Path(shot.name).is_absolute()
    ]
    many = len({cameras[shot.camera] for shot in shots})
    lens = [f"lens: {many} cameras; all pictures are brought to one of them"] if many > 1 else []
    about = Source(
        "colmap",
        usual.camera,
        (
            "axes: camera OpenCV, poses world to camera; no gravity: up is the mean of the cameras' up",
            "units: unknown, the model has no scale",
            "clock: none; pictures in the order of their names",
            *lens,
        ),
        distortion=usual.distortion,
        fisheye=usual.fisheye,
        unknown=("times", "scale"),
    )
    return import_posed(out, source.name, about, posed)


def _usual(shots: list[Shot], cameras: dict[int, Optics]) -> Optics:
    """Camera of most images; of several equally common ones that of median focal length."""
    counts = Counter(shot.camera for shot in shots)
    most = max(counts.values())
    likely = [cameras[number] for number, count in counts.items() if count == most]
    likely.sort(key=lambda one: one.camera.fx / one.camera.width)
    return likely[len(likely) // 2]


def _model_of(source: Path) -> Path:
    for name in MODELS:
        for kind in (".txt", ".bin"):
            if all((source / name / (part + kind)).is_file() for part in ("cameras", "images")):
                return source / name
    raise BadInput(
        f"{source} holds no COLMAP model: cameras and images, as .txt or .bin, in {', '.join(MODELS)}"
    )


def _pictures_of(source: Path, name: str) -> Path:
    found = next((source / folder for folder in PICTURES if (source / folder / name).is_file()), None)
    if found is None:
        raise BadInput(f"{source}: the picture {name} is in none of {', '.join(PICTURES)}")
    return found


Known = tuple[int, Optics]


def _camera(number: int, model: str, width: int, height: int, numbers: tuple[float, ...]) -> Known:
    """COLMAP counts pixels from the corner of the first one, like situ."""
    known = {name: (count, fisheye) for name, count, fisheye in LENSES.values()}
    if model not in known:
        raise ValueError(f"the camera model {model} is not read; {', '.join(known)} are: undistort first")
    count, fisheye = known[model]
    if len(numbers) != count:
        raise ValueError(f"{model} has {count} parameters, {len(numbers)} are given")
    if model in ("PINHOLE", "OPENCV", "OPENCV_FISHEYE"):
        (fx, fy, cx, cy), lens = numbers[:4], numbers[4:]
    else:
        (f, cx, cy), lens = numbers[:3], numbers[3:]
        fx = fy = f
        lens = (*lens, 0.0, 0.0, 0.0, 0.0)[:4] if lens else ()
    return number, Optics(Camera(width, height, fx, fy, cx, cy), tuple(lens), fisheye)


def _lines(path: Path) -> list[str]:
    return [line for line in read_text(path).splitlines() if not line.startswith("#")]


def _text_cameras(model: Path) -> Iterator[Known]:
    for line in _lines(model / "cameras.txt"):
        if line.strip():
            number, name, width, height, *numbers = line.split()
            yield _camera(int(number), name, int(width), int(height), tuple(map(float, numbers)))


def _text_shots(model: Path) -> Iterator[Shot]:
    for line in _lines(model / "images.txt")[::2]:  # every second line lists points and may be empty
        if line.strip():
            _, *numbers, camera, name = line.split(maxsplit=9)
            pose = [float(number) for number in numbers]
            yield Shot(name.strip(), int(camera), pose_from_quat_wxyz(pose[:4], pose[4:]))


def _binary_cameras(model: Path) -> Iterator[Known]:
    data = (model / "cameras.bin").read_bytes()
    (count,), at = struct.unpack_from("<Q", data), 8
    for _ in range(count):
        number, kind, width, height = struct.unpack_from("<iiQQ", data, at)
        name, parameters, _ = LENSES[kind]
        numbers = struct.unpack_from(f"<{parameters}d", data, at + 24)
        at += 24 + 8 * parameters
        yield _camera(number, name, width, height, numbers)


def _binary_shots(model: Path) -> Iterator[Shot]:
    data = (model / "images.bin").read_bytes()
    (count,), at = struct.unpack_from("<Q", data), 8
    for _ in range(count):
        _, *pose, camera = struct.unpack_from("<i7di", data, at)
        end = data.index(b"\0", at + 64)
        name = data[at + 64 : end].decode()
        (points,) = struct.unpack_from("<Q", data, end + 1)
        at = end + 9 + 24 * points
        yield Shot(name, camera, pose_from_quat_wxyz(pose[:4], pose[4:]))
