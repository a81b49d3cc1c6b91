"""Logs of robots, written by the libraries of their own world: what readers are tried on."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from rooms import walk

from situ.geometry.pose import inverse, quat_wxyz

WIDTH, HEIGHT, F = 64, 48, 50.0
POSES = walk(6)
MOUNTED = inverse(walk(1)[0])  # of the camera on its robot
START = 1_700_000_000
FRAME = "camera_color_optical_frame"
TOPIC = "/camera/color"
TF = "tf2_msgs/msg/TFMessage"


def picture(number: int) -> np.ndarray:
    return np.full((HEIGHT, WIDTH, 3), (10, 60, 40 + 20 * number), np.uint8)  # blue tells which


def depth_of(number: int) -> np.ndarray:
    return np.full((HEIGHT, WIDTH), 1000 + 100 * number, np.uint16)


class Ros:
    """Messages of either ROS, made and written with `rosbags`."""

    def __init__(self, store: Any, ros1: bool) -> None:
        self.types = SimpleNamespace(**{name.replace("/", "_"): kind for name, kind in store.types.items()})
        self.store, self.ros1 = store, ros1

    def header(self, number: int, frame: str) -> Any:
        stamp = self.types.builtin_interfaces_msg_Time(START, number * 10**8)
        return self.types.std_msgs_msg_Header(*((0,) if self.ros1 else ()), stamp, frame)

    def transform(self, number: int, parent: str, child: str, pose: np.ndarray) -> Any:
        w, x, y, z = quat_wxyz(pose)
        t = self.types
        return t.tf2_msgs_msg_TFMessage([t.geometry_msgs_msg_TransformStamped(
            self.header(number, parent), child,
            t.geometry_msgs_msg_Transform(
                t.geometry_msgs_msg_Vector3(*map(float, pose[:3, 3])),
                t.geometry_msgs_msg_Quaternion(*map(float, (x, y, z, w))),
            ),
        )])  # fmt: skip

    def image(self, number: int, encoding: str, values: np.ndarray) -> Any:
        raw = np.ascontiguousarray(values).view(np.uint8).reshape(HEIGHT, -1)
        wider = np.pad(raw, ((0, 0), (0, 8)))  # rows may be padded
        return self.types.sensor_msgs_msg_Image(
            self.header(number, FRAME), HEIGHT, WIDTH, encoding, 0, wider.shape[1], wider.ravel()
        )

    def packed(self, number: int) -> Any:
        data = cv2.imencode(".png", picture(number)[:, :, ::-1])[1].ravel()
        return self.types.sensor_msgs_msg_CompressedImage(self.header(number, FRAME), "rgb8; png", data)

    def info(self, number: int) -> Any:
        K = np.array([F, 0, 31.5, 0, F, 23.5, 0, 0, 1])
        P = np.array([F, 0, 31.5, 0, 0, F, 23.5, 0, 0, 0, 1, 0])
        whole = self.types.sensor_msgs_msg_RegionOfInterest(0, 0, 0, 0, False)
        D, R = np.zeros(5), np.eye(3).ravel()
        return self.types.sensor_msgs_msg_CameraInfo(
            self.header(number, FRAME), HEIGHT, WIDTH, "plumb_bob", D, K, R, P, 0, 0, whole
        )

    def fill(self, writer: Any, packed: bool) -> None:
        channels: dict[str, Any] = {}

        def say(topic: str, kind: str, number: int, message: Any) -> None:
            if topic not in channels:
                channels[topic] = writer.add_connection(topic, kind, typestore=self.store)
            pack = self.store.serialize_ros1 if self.ros1 else self.store.serialize_cdr
            writer.write(channels[topic], START * 10**9 + number * 10**8, pack(message, kind))

        for number, pose in enumerate(POSES):
            body = pose @ inverse(MOUNTED)
            if number == 0:
                say("/tf_static", TF, 0, self.transform(0, "base_link", FRAME, MOUNTED))
            say("/tf", TF, number, self.transform(number, "odom", "base_link", body))
            say(f"{TOPIC}/camera_info", "sensor_msgs/msg/CameraInfo", number, self.info(number))
            if packed:
                say(
                    f"{TOPIC}/image_raw/compressed",
                    "sensor_msgs/msg/CompressedImage",
                    number,
                    self.packed(number),
                )
            else:
                image = self.image(number, "bgr8", picture(number)[:, :, ::-1])
                say(f"{TOPIC}/image_raw", "sensor_msgs/msg/Image", number, image)
            depth = self.image(number, "16UC1", depth_of(number))
            say("/camera/aligned_depth_to_color/image_raw", "sensor_msgs/msg/Image", number, depth)


def write_bag(kind: str, folder: Path) -> Path:
    pytest.importorskip("rosbags", reason="needs the extra robots")
    from rosbags.rosbag1 import Writer as Writer1
    from rosbags.rosbag2 import StoragePlugin
    from rosbags.rosbag2 import Writer as Writer2
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    if kind == "ROS 1":
        store = get_typestore(Stores.ROS1_NOETIC)
        store.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms", TF))
        with Writer1(folder / "walk.bag") as writer:
            Ros(store, True).fill(writer, packed=True)
        return folder / "walk.bag"
    storage = StoragePlugin.MCAP if "MCAP" in kind else StoragePlugin.SQLITE3
    with Writer2(folder / "walk", version=9, storage_plugin=storage) as writer:
        Ros(get_typestore(Stores.ROS2_HUMBLE), False).fill(writer, packed="MCAP" in kind)
    return next((folder / "walk").glob("*.mcap")) if kind == "ROS 2 file, MCAP" else folder / "walk"
