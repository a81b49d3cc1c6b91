"""Exports for other tools: nerfstudio and LeRobot folders, WebDataset tars, MCAP and Rerun files."""

import base64
import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from situ.errors import MissingExtra
from situ.geometry.pose import quat_wxyz
from situ.recording.formats.reconstructions.nerfstudio import export_nerfstudio
from situ.recording.formats.robots.lerobot import export_lerobot
from situ.recording.reader import Recording
from situ.recording.staging import refuse_existing
from situ.registry import Registry

EXPORTS: Registry[Callable[[Recording, Path], None]] = Registry("export")
EXPORTS.add(
    "lerobot", export_lerobot, "a folder: a LeRobot dataset (v3.0) of one episode; needs an even rate"
)
EXPORTS.add("nerfstudio", export_nerfstudio, "a folder: transforms.json, images/, depth/ in millimetres")


@EXPORTS.register(
    "webdataset", "a tar: N.jpg and N.json (time, pose, intrinsics, what is seen) for each frame"
)
def export_webdataset(recording: Recording, out: Path) -> None:
    camera = recording.camera
    intrinsics = {name: getattr(camera, name) for name in ("width", "height", "fx", "fy", "cx", "cy")}
    with _Partial(out) as path, tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for frame in recording.frames:
            about = {
                "time": frame.time,
                "T_world_camera": frame.T_world_camera.tolist(),
                "camera": intrinsics,
                "visible": [
                    {"id": seen.object_id, "category": recording.objects[seen.object_id].category}
                    for seen in frame.visible
                ],
            }
            for suffix, content in (
                ("jpg", recording.jpeg(frame.index)),
                ("json", json.dumps(about).encode()),
            ):
                member = tarfile.TarInfo(f"{frame.index:06d}.{suffix}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


@EXPORTS.register("mcap", "an MCAP file: pictures, calibration and camera poses in Foxglove's schemas")
def export_mcap(recording: Recording, out: Path) -> None:
    camera = recording.camera
    # With pixel centres at integers.
    K = [camera.fx, 0, camera.cx - 0.5, 0, camera.fy, camera.cy - 0.5, 0, 0, 1]
    P = [K[0], 0, K[2], 0, 0, K[4], K[5], 0, 0, 0, 1, 0]
    size = {"width": camera.width, "height": camera.height}
    with _Partial(out) as path, path.open("wb") as file:
        writer = _mcap_writer(file)
        writer.start()
        topics = {
            topic: writer.register_channel(topic, "json", writer.register_schema(name, "jsonschema", b"{}"))
            for topic, name in (
                ("/camera/image", "foxglove.CompressedImage"),
                ("/camera/calibration", "foxglove.CameraCalibration"),
                ("/tf", "foxglove.FrameTransform"),
            )
        }
        first = recording.frames[0].time
        for frame in recording.frames:
            nanoseconds = round((frame.time - min(first, 0.0)) * 1e9)
            stamp = {"sec": nanoseconds // 10**9, "nsec": nanoseconds % 10**9}
            w, x, y, z = (float(v) for v in quat_wxyz(frame.T_world_camera))
            at = dict(zip("xyz", map(float, frame.T_world_camera[:3, 3]), strict=True))
            said: dict[str, dict[str, Any]] = {
                "/camera/image": {
                    "frame_id": "camera", "format": "jpeg",
                    "data": base64.b64encode(recording.jpeg(frame.index)).decode(),
                },
                "/camera/calibration": {
                    "frame_id": "camera", **size, "distortion_model": "", "D": [], "K": K,
                    "R": [1, 0, 0, 0, 1, 0, 0, 0, 1], "P": P,
                },
                "/tf": {
                    "parent_frame_id": "world", "child_frame_id": "camera", "translation": at,
                    "rotation": {"x": x, "y": y, "z": z, "w": w},
                },
            }  # fmt: skip
            for topic, message in said.items():
                data = json.dumps({"timestamp": stamp, **message}).encode()
                writer.add_message(topics[topic], nanoseconds, data, nanoseconds, frame.index)
        writer.finish()


@EXPORTS.register(
    "rerun", "a Rerun file (.rrd): the camera on its path, its pictures, and the objects as boxes"
)
def export_rerun(recording: Recording, out: Path) -> None:
    camera = recording.camera
    with _Partial(out) as path:
        rr = _rerun()
        stream = rr.RecordingStream("situ", recording_id=recording.content_hash())
        stream.save(path)
        stream.log("world", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        lens = rr.Pinhole(
            width=camera.width,
            height=camera.height,
            focal_length=[camera.fx, camera.fy],
            principal_point=[camera.cx, camera.cy],
            camera_xyz=rr.ViewCoordinates.RDF,
        )
        stream.log("world/camera", lens, static=True)
        stream.log("world/path", rr.LineStrips3D([recording.path.positions]), static=True)
        objects = [obj for obj in recording.objects.values() if obj.box is not None]
        boxes = [obj.box for obj in objects]
        turns = [rr.RotationAxisAngle([0.0, 0.0, 1.0], degrees=box.yaw_deg) for box in boxes]
        sizes, names = [box.size for box in boxes], [obj.category for obj in objects]
        shown = rr.Boxes3D(
            centers=[box.center for box in boxes], sizes=sizes, rotation_axis_angles=turns, labels=names
        )
        stream.log("world/objects", shown, static=True)
        for frame in recording.frames:
            stream.set_time("time", duration=frame.time)
            stream.set_time("frame", sequence=frame.index)
            pose = frame.T_world_camera
            stream.log("world/camera", rr.Transform3D(translation=pose[:3, 3], mat3x3=pose[:3, :3]))
            picture = rr.EncodedImage(contents=recording.jpeg(frame.index), media_type="image/jpeg")
            stream.log("world/camera", picture)
        stream.flush()
        stream.disconnect()


class _Partial:
    """A file that appears complete or not at all."""

    def __init__(self, out: Path) -> None:
        refuse_existing(out)
        self._out, self._partial = out, out.with_name(f".{out.name}.partial")

    def __enter__(self) -> Path:
        self._partial.parent.mkdir(parents=True, exist_ok=True)
        return self._partial

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            os.replace(self._partial, self._out)
        else:
            self._partial.unlink(missing_ok=True)


def _mcap_writer(file: BinaryIO) -> Any:
    try:
        from mcap.writer import Writer
    except ImportError as error:
        raise MissingExtra("robots", "MCAP files") from error
    return Writer(file)


def _rerun() -> Any:
    try:
        import rerun
    except ImportError as error:
        raise MissingExtra("rerun", "Rerun files") from error
    return rerun
