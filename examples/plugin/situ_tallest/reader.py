"""A reader: pictures taken on a turntable, `turntable.json` beside `0.jpg`, `1.jpg` and so on."""

import json
from pathlib import Path

import cv2

import situ
from situ.plugins import FORMATS, BadFormat, Format, FrameRecord, ImportReport, RecordingWriter


def import_turntable(source: Path, out: Path) -> ImportReport:
    """The pictures of one turn, evenly spaced, seen from the middle of the table at eye height."""
    try:
        about = json.loads((source / "turntable.json").read_text(encoding="utf-8"))
        count, fov, height = int(about["pictures"]), float(about["fov_deg"]), float(about["eye_height_m"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFormat(
            f"{source / 'turntable.json'} must say pictures, fov_deg and eye_height_m ({error})"
        ) from error
    pictures = [cv2.imread(str(source / f"{index}.jpg")) for index in range(count)]
    if count < 1 or any(picture is None for picture in pictures):
        raise BadFormat(f"{source} lacks pictures: 0.jpg to {count - 1}.jpg are needed")
    camera = situ.Camera.from_fov(pictures[0].shape[1], pictures[0].shape[0], fov)
    with RecordingWriter(out, camera, fps=1) as writer:
        for index, picture in enumerate(pictures):
            pose = situ.camera_pose((0, 0, height), yaw_deg=360.0 * index / count)
            writer.add_frame(FrameRecord(index, float(index), pose), rgb=picture[:, :, ::-1].copy())
    return ImportReport(out, count, 0)


FORMATS.add("turntable", Format(import_turntable, "a turn on a table", (("turntable.json",),)))
