"""ROS bags through `rosbags`: ROS 1 (`.bag`) and ROS 2 (a folder with metadata.yaml, `.db3`, `.mcap`)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from situ.errors import BadFormat, MissingExtra
from situ.geometry.pose import Matrix, pose_from_quat_wxyz
from situ.recording.codec import Depth, Rgb
from situ.recording.formats.base import ImportReport, pinhole
from situ.recording.formats.robots.robot_log import Event, LensInfo, Picture, Transform, import_log

# OpenCV conversion of raw images to RGB, by encoding.
_RGB = {"rgb8": None, "bgr8": cv2.COLOR_BGR2RGB, "rgba8": cv2.COLOR_RGBA2RGB, "bgra8": cv2.COLOR_BGRA2RGB,
        "mono8": cv2.COLOR_GRAY2RGB, "8UC1": cv2.COLOR_GRAY2RGB}  # fmt: skip
# Dtype and units per metre, by encoding.
_DEPTH = {"16UC1": ("u2", 1000.0), "mono16": ("u2", 1000.0), "32FC1": ("f4", 1.0)}
_PACKED_DEPTH_HEAD = 12  # bytes before the PNG of a compressed depth image
_TYPES = ("Image", "CompressedImage", "CameraInfo", "TFMessage", "tfMessage", "Odometry")


def import_ros_bag(source: Path, out: Path) -> ImportReport:
    """Import one camera of a bag."""
    return import_log(source, out, "rosbag", events_of)


def events_of(source: Path) -> Iterator[Event]:
    """Images, camera models and transforms; other messages are ignored."""
    try:
        from rosbags.highlevel import AnyReader, AnyReaderError
        from rosbags.typesys import Stores, get_typestore
    except ImportError as error:
        raise MissingExtra("robots", "ROS bags") from error
    try:
        with AnyReader([source], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as bag:
            wanted = [one for one in bag.connections if one.msgtype.rsplit("/", 1)[-1] in _TYPES]
            for connection, stamp, raw in bag.messages(connections=wanted) if wanted else ():
                message = bag.deserialize(raw, connection.msgtype)
                kind = connection.msgtype.rsplit("/", 1)[-1]
                yield from _events(kind, connection.topic, message, stamp)
    except (AnyReaderError, OSError, ValueError, KeyError, AssertionError) as error:
        raise BadFormat(f"{source} cannot be read as a ROS bag ({type(error).__name__}: {error})") from error


def _events(kind: str, topic: str, message: Any, stamp: int) -> Iterator[Event]:
    if kind in ("TFMessage", "tfMessage"):
        fixed = topic.endswith("tf_static")
        for one in message.transforms:
            parent, child, part = _name(one.header.frame_id), _name(one.child_frame_id), one.transform
            pose = _pose(part.translation, part.rotation)
            yield Transform(_seconds(one.header, stamp), parent, child, pose, fixed)
        return
    time, frame = _seconds(message.header, stamp), _name(message.header.frame_id)
    if kind == "Odometry":
        pose = _pose(message.pose.pose.position, message.pose.pose.orientation)
        yield Transform(time, frame, _name(message.child_frame_id), pose)
    elif kind == "CameraInfo":
        K = np.asarray(getattr(message, "k", getattr(message, "K", None)), float).reshape(3, 3)
        bent = tuple(float(v) for v in getattr(message, "d", getattr(message, "D", ())))
        if K[0, 0] > 0:  # uncalibrated drivers publish zeros
            camera = pinhole(int(message.width), int(message.height), K)
            fisheye = message.distortion_model in ("equidistant", "fisheye")
            yield LensInfo(topic, frame, camera, bent if any(bent) else (), fisheye)
    elif kind == "CompressedImage":
        is_depth = "compressedDepth" in message.format
        yield Picture(topic, time, frame, is_depth, lambda: _unpacked(message, is_depth))
    elif message.encoding in _RGB or message.encoding in _DEPTH:
        yield Picture(topic, time, frame, message.encoding in _DEPTH, lambda: _raw(message))


def _raw(message: Any) -> Rgb | Depth | None:
    """Decode a raw image, whose rows may be padded."""
    rows = np.frombuffer(memoryview(message.data), np.uint8)
    if rows.size < message.step * message.height or message.height == 0:
        return None
    rows = rows[: message.step * message.height].reshape(message.height, message.step)
    if message.encoding in _DEPTH:
        kind, units = _DEPTH[message.encoding]
        order = ">" if message.is_bigendian else "<"
        values = np.ascontiguousarray(rows).view(np.dtype(order + kind))[:, : message.width]
        return np.asarray(np.nan_to_num(values.astype(np.float32)) / np.float32(units), np.float32)
    turn = _RGB[message.encoding]
    channels = 1 if turn == cv2.COLOR_GRAY2RGB else 4 if message.encoding.endswith("a8") else 3
    pixels = rows[:, : message.width * channels].reshape(message.height, message.width, channels)
    return np.ascontiguousarray(pixels) if turn is None else np.asarray(cv2.cvtColor(pixels, turn), np.uint8)


def _unpacked(message: Any, is_depth: bool) -> Rgb | Depth | None:
    data = np.frombuffer(memoryview(message.data), np.uint8)
    if is_depth:
        found = cv2.imdecode(data[_PACKED_DEPTH_HEAD:], cv2.IMREAD_UNCHANGED)
        if found is None or found.dtype != np.uint16:  # other depth encodings are not supported
            return None
        return np.asarray(found.astype(np.float32) / np.float32(1000), np.float32)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)
    return None if picture is None else np.asarray(picture, np.uint8)


def _pose(place: Any, turn: Any) -> Matrix:
    return pose_from_quat_wxyz([turn.w, turn.x, turn.y, turn.z], [place.x, place.y, place.z])


def _seconds(head: Any, stamp: int) -> float:
    """Time from the message header, or from the log if the header has none."""
    said = head.stamp.sec + 1e-9 * head.stamp.nanosec
    return float(said or stamp * 1e-9)


def _name(frame: str) -> str:
    return frame.lstrip("/")
