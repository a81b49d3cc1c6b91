"""A reader in one file: pictures and a table of where they were taken, `walk.csv` with file, time, x, y, yaw.

SITU_PLUGINS=csv_walk.py situ import csv-walk FOLDER --out walk
"""

import csv
from pathlib import Path

import cv2

import situ
from situ.plugins import FORMATS, BadFormat, Format, FrameRecord, ImportReport, RecordingWriter

FOV_DEG, EYE_HEIGHT_M = 80.0, 1.6


def import_walk(source: Path, out: Path) -> ImportReport:
    try:
        with (source / "walk.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        poses = [[float(row[key]) for key in ("time", "x", "y", "yaw")] for row in rows]
        pictures = [cv2.imread(str(source / Path(row["file"]).name)) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFormat(
            f"{source / 'walk.csv'} must have the columns file, time, x, y, yaw ({error})"
        ) from error
    if not pictures or any(picture is None for picture in pictures):
        raise BadFormat(f"{source} lacks pictures that walk.csv names")
    height, width = pictures[0].shape[:2]
    with RecordingWriter(out, situ.Camera.from_fov(width, height, FOV_DEG)) as writer:
        for index, ((time, x, y, yaw), picture) in enumerate(zip(poses, pictures, strict=True)):
            pose = situ.camera_pose((x, y, EYE_HEIGHT_M), yaw_deg=yaw)
            writer.add_frame(FrameRecord(index, time, pose), rgb=picture[:, :, ::-1].copy())
    return ImportReport(out, len(rows), 0)


FORMATS.add("csv-walk", Format(import_walk, "pictures and a table of poses", (("walk.csv",),)))
