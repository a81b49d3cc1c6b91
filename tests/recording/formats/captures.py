"""Captures of phones and of other tools, written as their makers write them: what readers are tried on."""

import json
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

sys.path.insert(0, str(Path(__file__).parent))
from rooms import cast, walk

from situ.geometry.axes import T_OPENGL_OPENCV, z_up_from
from situ.geometry.camera import Camera
from situ.geometry.pose import inverse, quat_wxyz

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


def write_scannetpp(folder: Path) -> None:
    told = {}
    for number, pose in enumerate(POSES):
        stem = f"frame_{number:06d}"
        save(folder / "iphone" / "rgb" / f"{stem}.jpg", picture(number))
        save(folder / "iphone" / "depth" / f"{stem}.png", millimetres(pose))
        told[stem] = {"timestamp": 50 + number / 10, "aligned_pose": pose.tolist(), "intrinsic": K.tolist()}
    (folder / "iphone" / "pose_intrinsic_imu.json").write_text(json.dumps(told))


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
    "scannetpp": (write_scannetpp, "scannetpp", True, False),
}


def written(name: str, tmp_path: Path) -> tuple[Path, str]:
    write, form, _, _ = WRITERS[name]
    source = tmp_path / {"record3d": "capture.r3d", "sens": "capture.sens"}.get(form, "capture")
    write(source)
    return source, form
