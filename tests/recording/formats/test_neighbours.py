"""Captures of phones and of other tools, written here as their makers write them, then read back."""

import json
import shutil
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent))
from rooms import cast, walk

from situ.cli.app import app
from situ.errors import BadFormat, BadInput
from situ.geometry.axes import T_OPENGL_OPENCV, z_up_from
from situ.geometry.camera import Camera
from situ.geometry.pose import inverse, quat_wxyz
from situ.recording import Recording
from situ.recording.formats.reconstructions.nerfstudio import export_nerfstudio
from situ.recording.formats.registry import FORMATS, format_of

WIDTH, HEIGHT, F = 64, 48, 50.0
CX, CY = 31.0, 24.5  # of pixel centres at whole numbers
CAMERA = Camera(WIDTH, HEIGHT, F, F, CX + 0.5, CY + 0.5)
POSES = walk(6)
K = np.array([[F, 0, CX], [0, F, CY], [0, 0, 1.0]])
Y_UP, NEG_Y_UP = inverse(z_up_from("y")), inverse(z_up_from("-y"))


def rays() -> np.ndarray:
    u, v = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    return np.stack([(u - CX) / F, (v - CY) / F, np.ones_like(u, float)], -1)


def depth_of(pose: np.ndarray) -> np.ndarray:
    along = rays()
    length = np.linalg.norm(along, axis=-1)
    return cast(pose, along / length[..., None])[0] / length


def picture(number: int, size: tuple[int, int] = (WIDTH, HEIGHT)) -> np.ndarray:
    shade = np.full((size[1], size[0], 3), 40 + 20 * number, np.uint8)
    return cv2.circle(shade, (size[0] // 2, size[1] // 2), 8, (200, 30, 90), -1)


def save(path: Path, values: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), values)


def millimetres(pose: np.ndarray) -> np.ndarray:
    return np.round(1000 * depth_of(pose)).astype(np.uint16)


def row(values: np.typing.ArrayLike) -> str:
    return " ".join(f"{float(v):.9f}" for v in np.ravel(values)) + "\n"


def write_stray(folder: Path, flip: np.ndarray = np.eye(4)) -> None:
    folder.mkdir()
    with av.open(str(folder / "rgb.mp4"), "w") as container:
        stream = container.add_stream("mpeg4", rate=10, options={"qscale": "2"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for number in range(len(POSES)):
            frame = av.VideoFrame.from_ndarray(picture(number), "bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    lines = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    for number, pose in enumerate(POSES):
        theirs = Y_UP @ pose @ flip
        w, x, y, z = quat_wxyz(theirs)
        lines.append(
            f"{number / 10}, {number:06d}, " + ", ".join(f"{v:.9f}" for v in (*theirs[:3, 3], x, y, z, w))
        )
        save(folder / "depth" / f"{number:06d}.png", millimetres(pose))
        sure = np.full((HEIGHT, WIDTH), 2, np.uint8)
        sure[0, 0] = 0
        save(folder / "confidence" / f"{number:06d}.png", sure)
    (folder / "odometry.csv").write_text("\n".join(lines) + "\n")
    np.savetxt(folder / "camera_matrix.csv", K, delimiter=",")


def write_stray_opengl(folder: Path) -> None:
    write_stray(folder, T_OPENGL_OPENCV)


def write_polycam(folder: Path) -> None:
    for number, pose in enumerate(POSES):
        theirs, stamp = Y_UP @ pose @ T_OPENGL_OPENCV, str(1_000_000 + 100_000 * number)
        about = {f"t_{r}{c}": theirs[r, c] for r in range(3) for c in range(4)}
        about |= {"fx": F, "fy": F, "cx": CX, "cy": CY, "width": WIDTH, "height": HEIGHT, "blur_score": 1.0}
        save(folder / "keyframes" / "images" / f"{stamp}.jpg", picture(number))
        save(folder / "keyframes" / "depth" / f"{stamp}.png", millimetres(pose))
        (folder / "keyframes" / "cameras").mkdir(exist_ok=True)
        (folder / "keyframes" / "cameras" / f"{stamp}.json").write_text(json.dumps(about))


def write_record3d(path: Path) -> None:
    poses = []
    for pose in POSES:
        theirs = Y_UP @ pose @ T_OPENGL_OPENCV
        w, x, y, z = quat_wxyz(theirs)
        poses.append([x, y, z, w, *theirs[:3, 3]])
    about = {"K": K.T.ravel().tolist(), "w": WIDTH, "h": HEIGHT, "fps": 10, "poses": poses}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata", json.dumps(about))
        for number in range(len(POSES)):
            archive.writestr(f"rgbd/{number}.jpg", cv2.imencode(".jpg", picture(number))[1].tobytes())


def write_nerfstudio(folder: Path) -> None:
    frames = []
    for number, pose in enumerate(POSES):
        save(folder / "images" / f"{number}.png", picture(number))
        save(folder / "depth" / f"{number}.png", millimetres(pose))
        matrix = (pose @ T_OPENGL_OPENCV).tolist()
        one = {"file_path": f"images/{number}.png", "depth_file_path": f"depth/{number}.png"}
        frames.append({**one, "transform_matrix": matrix})
    about = {"w": WIDTH, "h": HEIGHT, "fl_x": F, "fl_y": F, "cx": CX + 0.5, "cy": CY + 0.5, "frames": frames}
    (folder / "transforms.json").write_text(json.dumps(about))


def write_colmap(folder: Path, binary: bool = False) -> None:
    model = folder / "sparse" / "0"
    model.mkdir(parents=True)
    cameras = f"# comment\n1 PINHOLE {WIDTH} {HEIGHT} {F} {F} {CX + 0.5} {CY + 0.5}\n"
    packed = struct.pack("<QiiQQ4d", 1, 1, 1, WIDTH, HEIGHT, F, F, CX + 0.5, CY + 0.5)
    images, shots = "# comment\n", struct.pack("<Q", len(POSES))
    for number, pose in enumerate(POSES):
        theirs = inverse(pose)
        name = f"{number:03d}.png"
        save(folder / "images" / name, picture(number))
        images += f"{number + 1} {row([*quat_wxyz(theirs), *theirs[:3, 3]]).strip()} 1 {name}\n1.0 2.0 -1\n"
        shots += struct.pack("<i7di", number + 1, *quat_wxyz(theirs), *theirs[:3, 3], 1)
        shots += name.encode() + b"\0" + struct.pack("<Qddq", 1, 1.0, 2.0, -1)
    if binary:
        (model / "cameras.bin").write_bytes(packed)
        (model / "images.bin").write_bytes(shots)
    else:
        (model / "cameras.txt").write_text(cameras)
        (model / "images.txt").write_text(images)


def write_colmap_binary(folder: Path) -> None:
    write_colmap(folder, binary=True)


def write_seven_scenes(folder: Path) -> None:
    for number, pose in enumerate(POSES):
        stem = f"frame-{number:06d}"
        save(folder / f"{stem}.color.png", picture(number, (640, 480)))
        save(folder / f"{stem}.depth.png", np.full((480, 640), 65535, np.uint16))
        (folder / f"{stem}.pose.txt").write_text("".join(row(line) for line in NEG_Y_UP @ pose))


def write_replica(folder: Path) -> None:
    for number, pose in enumerate(POSES):
        save(folder / "results" / f"frame{number:06d}.jpg", picture(number))
        save(
            folder / "results" / f"depth{number:06d}.png", np.round(6553.5 * depth_of(pose)).astype(np.uint16)
        )
    (folder / "traj.txt").write_text("".join(row(pose) for pose in POSES))
    about = {"w": WIDTH, "h": HEIGHT, "fx": F, "fy": F, "cx": CX, "cy": CY, "scale": 6553.5}
    (folder / "cam_params.json").write_text(json.dumps({"camera": about}))


def write_arkitscenes(folder: Path) -> None:
    lines = ""
    for number, pose in enumerate(POSES):
        theirs = inverse(pose)
        time = f"{100 + number / 10:.3f}"
        lines += f"{time} {row([*cv2.Rodrigues(theirs[:3, :3])[0].ravel(), *theirs[:3, 3]])}"
        save(folder / "lowres_wide" / f"1_{time}.png", picture(number))
        save(folder / "lowres_depth" / f"1_{time}.png", millimetres(pose))
        (folder / "lowres_wide_intrinsics").mkdir(exist_ok=True)
        (folder / "lowres_wide_intrinsics" / f"1_{time}.pincam").write_text(
            row([WIDTH, HEIGHT, F, F, CX, CY])
        )
    (folder / "lowres_wide.traj").write_text(lines)


def write_euroc(folder: Path) -> None:
    cam, truth = folder / "mav0" / "cam0", folder / "mav0" / "state_groundtruth_estimate0"
    mounted = inverse(walk(1)[0])
    listed, poses = "#timestamp [ns],filename\n", "#timestamp, p, q\n"
    for number, pose in enumerate(POSES):
        stamp = 10**18 + number * 10**8
        save(cam / "data" / f"{stamp}.png", picture(number))
        listed += f"{stamp},{stamp}.png\n"
        body = pose @ inverse(mounted)
        poses += f"{stamp}," + ",".join(f"{v:.9f}" for v in (*body[:3, 3], *quat_wxyz(body))) + "\n"
    (cam / "data.csv").write_text(listed)
    truth.mkdir()
    (truth / "data.csv").write_text(poses)
    (cam / "sensor.yaml").write_text(
        "T_BS:\n  cols: 4\n  rows: 4\n  data: [" + ", ".join(f"{v:.9f}" for v in mounted.ravel()) + "]\n"
        f"resolution: [{WIDTH}, {HEIGHT}]\nintrinsics: [{F}, {F}, {CX}, {CY}]\n"
        "distortion_coefficients: [0.0, 0.0, 0.0, 0.0]\n"
    )


def write_three_d_match(folder: Path) -> None:
    for number, pose in enumerate(POSES):
        stem = f"frame-{number:06d}"
        save(folder / f"{stem}.color.jpg", picture(number))
        save(folder / f"{stem}.depth.png", millimetres(pose))
        (folder / f"{stem}.pose.txt").write_text("".join(row(line) for line in NEG_Y_UP @ pose))
    (folder / "camera-intrinsics.txt").write_text("".join(row(line) for line in K))


def write_sens(path: Path, packing: int = 1) -> None:
    square = np.eye(4)
    square[:3, :3] = K
    head = struct.pack("<IQ", 4, 6) + b"sensor"
    for matrix in (square, np.eye(4), square, np.eye(4)):
        head += struct.pack("<16f", *matrix.ravel())
    head += struct.pack("<2i4IfQ", 2, packing, *[WIDTH, HEIGHT] * 2, 1000.0, len(POSES))
    for number, pose in enumerate(POSES):
        color = cv2.imencode(".jpg", picture(number))[1].tobytes()
        depth = zlib.compress(millimetres(pose).tobytes())
        head += struct.pack("<16f", *pose.ravel())
        head += struct.pack("<4Q", 10**6 + 10**5 * number, 0, len(color), len(depth)) + color + depth
    path.write_bytes(head)


def write_images(folder: Path) -> None:
    for number, pose in enumerate(POSES):
        save(folder / f"{number:04d}.png", picture(number))
        save(folder / "depth" / f"{number:04d}.png", millimetres(pose))
    (folder / "poses.txt").write_text("".join(row(pose[:3]) for pose in POSES))
    (folder / "intrinsics.txt").write_text(row([F, F, CX, CY]))


# Each with its format, whether its times are kept, and whether its world may be turned.
WRITERS: dict[str, tuple[Callable[[Path], None], str, bool, bool]] = {
    "stray": (write_stray, "stray", True, False),
    "stray with OpenGL axes": (write_stray_opengl, "stray", True, False),
    "polycam": (write_polycam, "polycam", True, False),
    "record3d": (write_record3d, "record3d", True, False),
    "nerfstudio": (write_nerfstudio, "nerfstudio", False, False),
    "colmap text": (write_colmap, "colmap", False, True),
    "colmap binary": (write_colmap_binary, "colmap", False, True),
    "7scenes": (write_seven_scenes, "7scenes", False, False),
    "replica": (write_replica, "replica", False, False),
    "arkitscenes": (write_arkitscenes, "arkitscenes", True, False),
    "euroc": (write_euroc, "euroc", True, False),
    "3DMatch": (write_three_d_match, "7scenes", False, False),
    "sens": (write_sens, "sens", True, False),
    "images": (write_images, "images", False, True),
}


def written(name: str, tmp_path: Path) -> tuple[Path, str]:
    write, form, _, _ = WRITERS[name]
    source = tmp_path / {"record3d": "capture.r3d", "sens": "capture.sens"}.get(form, "capture")
    write(source)
    return source, form


@pytest.mark.parametrize("name", WRITERS)
def test_poses_intrinsics_times_and_depth_come_back(name: str, tmp_path: Path) -> None:
    source, form = written(name, tmp_path)
    assert format_of(source) == form
    report = FORMATS[form].read(source, tmp_path / "out")
    found = Recording.open(tmp_path / "out")
    assert (report.frames, report.skipped) == (len(POSES), ())
    assert [line.split(":")[0] for line in report.conventions] == ["axes", "units", "clock"]
    assert found.meta["conventions"] == list(report.conventions)
    _, _, timed, turned = WRITERS[name]
    first = inverse(found.frames[0].T_world_camera) if turned else np.eye(4)
    for frame, pose in zip(found.frames, POSES, strict=True):
        wanted = inverse(POSES[0]) @ pose if turned else pose
        off = inverse(first @ frame.T_world_camera) @ wanted
        assert np.linalg.norm(off[:3, 3]) < 1e-3
        assert np.degrees(np.linalg.norm(cv2.Rodrigues(off[:3, :3])[0])) < 0.01
        if found.has_depth and name != "7scenes":
            known = found.depth(frame.index)
            assert np.abs(known - depth_of(pose))[known > 0].max() < 2e-3
    if timed:
        times = [frame.time - found.frames[0].time for frame in found.frames]
        assert times == pytest.approx([number / 10 for number in range(len(POSES))], abs=1e-6)
    else:
        assert found.meta.get("times", "unknown") == "unknown"
    if name != "7scenes":
        for part in ("width", "height", "fx", "fy", "cx", "cy"):
            assert getattr(found.camera, part) == pytest.approx(getattr(CAMERA, part))
    if form == "stray":
        assert ("OpenGL (the depth" if "OpenGL" in name else "OpenCV (the depth") in report.conventions[0]
        assert found.depth(0)[0, 0] == 0  # a guess of the sensor


BROKEN: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "columns": ("stray", lambda s: (s / "odometry.csv").write_text("time,x\n1,2\n"), "must have the columns"),
    "matrix": ("stray", lambda s: (s / "camera_matrix.csv").write_text("1,2\n3,4\n"), "3x3"),
    "camera": ("polycam", lambda s: next(s.rglob("*.json")).write_text("{}"), "no camera of Polycam"),
    "no zip": ("record3d", lambda s: s.write_text("x"), "zip"),
    "intrinsics": (
        "nerfstudio",
        lambda s: (s / "transforms.json").write_text('{"frames": [{"transform_matrix": [[1]]}]}'),
        "lacks 'w'",
    ),
    "model": (
        "colmap text",
        lambda s: (s / "sparse/0/cameras.txt").write_text("1 FOV 64 48 1 2 3 4 5\n"),
        "FOV is not read",
    ),
    "cut short": (
        "colmap binary",
        lambda s: (s / "sparse/0/images.bin").write_bytes((s / "sparse/0/images.bin").read_bytes()[:90]),
        "not a COLMAP model",
    ),
    "pose": ("7scenes", lambda s: (s / "frame-000002.pose.txt").write_text("1 2 3 4\n"), "4x4"),
    "too few": ("replica", lambda s: (s / "traj.txt").write_text(row(POSES[0])), "has 1 poses"),
    "clock": ("arkitscenes", lambda s: (s / "lowres_wide.traj").write_text(row(range(7))), "clocks"),
    "packing": ("sens", lambda s: write_sens(s, packing=2), "depth as 2"),
    "head": ("sens", lambda s: s.write_bytes(s.read_bytes()[:40]), "cut short or damaged in its head"),
    "tail": ("sens", lambda s: s.write_bytes(s.read_bytes()[:-9]), "cut short or damaged in frame 5"),
    "columns of poses": ("images", lambda s: (s / "poses.txt").write_text("1 2 3\n"), "3 numbers in a row"),
    "turned inside out": ("images", lambda s: (s / "poses.txt").write_text(row(range(12))), "no rotation"),
    "no lens": ("euroc", lambda s: (s / "mav0/cam0/sensor.yaml").write_text("x: 1\n"), "must give 16"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_named_and_nothing_appears(name: str, tmp_path: Path) -> None:
    form, harm, message = BROKEN[name]
    source, kind = written(form, tmp_path)
    harm(source)
    with pytest.raises((BadFormat, BadInput), match=message):
        FORMATS[kind].read(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_names_do_not_lead_out_of_a_capture(tmp_path: Path) -> None:
    write_nerfstudio(tmp_path / "capture")
    file = tmp_path / "capture" / "transforms.json"
    file.write_text(file.read_text().replace("images/0.png", "../secret.png"))
    save(tmp_path / "secret.png", picture(0))
    with pytest.raises(BadFormat, match="outside the capture"):
        FORMATS["nerfstudio"].read(tmp_path / "capture", tmp_path / "out")


def test_a_wide_lens_is_flattened(tmp_path: Path) -> None:
    write_nerfstudio(tmp_path / "capture")
    file = tmp_path / "capture" / "transforms.json"
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, "k1": -0.3}))
    FORMATS["nerfstudio"].read(tmp_path / "capture", tmp_path / "bent")
    file.write_text(json.dumps(about))
    FORMATS["nerfstudio"].read(tmp_path / "capture", tmp_path / "flat")
    bent, flat = (Recording.open(tmp_path / name).image(0).astype(int) for name in ("bent", "flat"))
    assert np.abs(bent - flat).max() > 30  # its edges moved
    assert np.abs(bent[24, 32] - flat[24, 32]).max() < 10


def test_what_is_exported_for_nerfstudio_comes_back(tmp_path: Path) -> None:
    write_replica(tmp_path / "capture")
    FORMATS["replica"].read(tmp_path / "capture", tmp_path / "recording")
    before = Recording.open(tmp_path / "recording")
    export_nerfstudio(before, tmp_path / "exported")
    assert format_of(tmp_path / "exported") == "nerfstudio"
    FORMATS["nerfstudio"].read(tmp_path / "exported", tmp_path / "back")
    after = Recording.open(tmp_path / "back")
    assert after.camera == before.camera
    for a, b in zip(before.frames, after.frames, strict=True):
        assert np.allclose(a.T_world_camera, b.T_world_camera, atol=1e-9)
        assert np.abs(before.depth(a.index) - after.depth(b.index)).max() < 1e-3


def test_pictures_alone_are_a_recording_whose_poses_and_times_are_unknown(tmp_path: Path) -> None:
    for number in range(3):
        save(tmp_path / "photos" / f"IMG_{number:04d}.JPG", picture(number))
    assert format_of(tmp_path / "photos") == "images"
    report = FORMATS["images"].read(tmp_path / "photos", tmp_path / "out")
    found = Recording.open(tmp_path / "out")
    assert (report.frames, found.meta["poses"], found.meta["times"]) == (3, "unknown", "unknown")
    assert "70 degrees across assumed" in report.conventions[1]


def test_the_verb_finds_the_format_and_lists_all(tmp_path: Path) -> None:
    write_replica(tmp_path / "capture")
    runner = CliRunner()
    done = runner.invoke(
        app, ["import", "auto", str(tmp_path / "capture"), "--out", str(tmp_path / "out"), "--json"]
    )
    assert json.loads(done.stdout)["imported"][0]["frames"] == len(POSES)
    listed = runner.invoke(app, ["import", "--list"]).stdout
    assert all(name in listed for name in FORMATS)
    shutil.rmtree(tmp_path / "capture" / "results")
    with pytest.raises(BadInput, match="looks like none of"):
        format_of(tmp_path / "capture")
