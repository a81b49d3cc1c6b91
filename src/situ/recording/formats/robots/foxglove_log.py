"""MCAP files with Foxglove's JSON schemas, as `situ publish --to mcap` writes them; ROS 2 ones as bags."""

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from situ.errors import BadFormat, MissingExtra
from situ.geometry.pose import pose_from_quat_wxyz
from situ.recording.codec import Rgb
from situ.recording.formats.base import ImportReport, pinhole
from situ.recording.formats.robots.robot_log import Event, LensInfo, Picture, Transform, import_log
from situ.recording.formats.robots.ros_bag import import_ros_bag

IMAGE, CALIBRATION = "foxglove.CompressedImage", "foxglove.CameraCalibration"
TRANSFORM, TRANSFORMS = "foxglove.FrameTransform", "foxglove.FrameTransforms"
SCHEMAS = (IMAGE, CALIBRATION, TRANSFORM, TRANSFORMS)


def import_mcap(source: Path, out: Path) -> ImportReport:
    """Import one camera of an MCAP file."""
    names = {schema.name for schema in _summary(source).schemas.values()}
    if names & set(SCHEMAS):
        return import_log(source, out, "mcap", events_of)
    return import_ros_bag(source, out)


def _summary(source: Path) -> Any:
    make_reader, McapError = _library()
    try:
        with source.open("rb") as file:
            found = make_reader(file).get_summary()
    except (McapError, OSError, ValueError) as error:
        raise BadFormat(f"{source} cannot be read as MCAP ({type(error).__name__}: {error})") from error
    if found is None:
        raise BadFormat(f"{source} has no summary; it was cut short: `mcap recover` mends such files")
    return found


def events_of(source: Path) -> Iterator[Event]:
    make_reader, McapError = _library()
    try:
        with source.open("rb") as file:
            for schema, channel, message in make_reader(file).iter_messages():
                if schema is None or schema.name not in SCHEMAS:
                    continue
                if channel.message_encoding != "json":
                    raise BadFormat(
                        f"{source}: {channel.topic} is in {channel.message_encoding}; of Foxglove's schemas "
                        "those in JSON are read"
                    )
                yield from _events(schema.name, channel.topic, json.loads(message.data), message.log_time)
    except (McapError, OSError, ValueError, KeyError, TypeError, binascii.Error) as error:
        raise BadFormat(f"{source} cannot be read as MCAP ({type(error).__name__}: {error})") from error


def _events(schema: str, topic: str, said: dict[str, Any], log_time: int) -> Iterator[Event]:
    if schema == TRANSFORMS:
        for one in said["transforms"]:
            yield from _events(TRANSFORM, topic, one, log_time)
        return
    stamp = said.get("timestamp") or {"sec": 0, "nsec": log_time}
    time = stamp["sec"] + 1e-9 * stamp["nsec"]
    if schema == TRANSFORM:
        q, t = said["rotation"], said["translation"]
        pose = pose_from_quat_wxyz([q["w"], q["x"], q["y"], q["z"]], [t["x"], t["y"], t["z"]])
        yield Transform(time, said["parent_frame_id"], said["child_frame_id"], pose)
    elif schema == CALIBRATION:
        camera = pinhole(int(said["width"]), int(said["height"]), np.array(said["K"], float).reshape(3, 3))
        bent = tuple(float(v) for v in said.get("D", ()))
        fisheye = said.get("distortion_model") in ("equidistant", "fisheye")
        yield LensInfo(topic, said["frame_id"], camera, bent if any(bent) else (), fisheye)
    else:
        yield Picture(topic, time, said["frame_id"], False, lambda: _decoded(said["data"]))


def _decoded(data: str) -> Rgb | None:
    found = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR_RGB)
    return None if found is None else np.asarray(found, np.uint8)


def _library() -> tuple[Any, Any]:
    try:
        from mcap.exceptions import McapError
        from mcap.reader import make_reader
    except ImportError as error:
        raise MissingExtra("robots", "MCAP files") from error
    return make_reader, McapError
