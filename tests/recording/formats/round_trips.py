"""Every reader and every export, there and back: how far poses, lenses and times are off in the worst frame.

python tests/recording/formats/round_trips.py        prints by how much each is off
"""

import json
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))
import captures
import logs
from rooms import walk

import digital_twin
import miniatures
from recording.samples import write as write_recording
from situ.geometry.axes import T_SENSOR_TURNED_CW, z_up_from
from situ.geometry.camera import Camera
from situ.geometry.pose import inverse, pose_from_quat_wxyz, quat_wxyz
from situ.recording import Recording
from situ.recording.formats.exports import EXPORTS
from situ.recording.formats.registry import FORMATS, format_of
from situ.recording.formats.research.ase import T_DEVICE_CAMERA
from situ.recording.formats.robots.lerobot import STATE

PARTS = ("width", "height", "fx", "fy", "cx", "cy")


@dataclass(frozen=True)
class Came:
    """What came back, or what should have. None: the format does not tell."""

    poses: np.ndarray | None
    camera: Sequence[float] | None
    times: Sequence[float] | None


@dataclass(frozen=True)
class Off:
    """Of the worst frame. None: the format does not tell, and the recording says that it is unknown."""

    mm: float | None
    degrees: float | None
    pixels: float | None
    ms: float | None


def lens(camera: Camera) -> Sequence[float]:
    return [getattr(camera, part) for part in PARTS]


def off(found: Came, wanted: Came, turned: bool = False) -> Off:
    """With `turned` the source has no world of its own: poses count from the first."""
    mm = degrees = pixels = ms = None
    if wanted.poses is not None:
        assert found.poses is not None
        a, b = (inverse(p[0]) @ p if turned else p for p in (found.poses, wanted.poses))
        assert len(a) == len(b)
        between = [inverse(x) @ y for x, y in zip(a, b, strict=True)]
        mm = 1e3 * max(float(np.linalg.norm(one[:3, 3])) for one in between)
        far = [float(np.linalg.norm(one[:3, :3] - np.eye(3))) / 8**0.5 for one in between]
        degrees = max(float(np.degrees(2 * np.arcsin(min(1.0, one)))) for one in far)
    if wanted.camera is not None:
        assert found.camera is not None
        pixels = float(np.abs(np.subtract(found.camera, wanted.camera)).max())
    if wanted.times is not None:
        assert found.times is not None
        ms = 1e3 * float(np.abs(np.subtract(found.times, wanted.times)).max())
    return Off(mm, degrees, pixels, ms)


def of_recording(recording: Recording) -> Came:
    known = recording.meta.get("times", "known") != "unknown"
    poses = None if recording.meta.get("poses") == "unknown" else recording.path.poses
    return Came(poses, lens(recording.camera), list(recording.path.times) if known else None)


def imported(source: Path, work: Path, form: str | None = None) -> tuple[Recording, Any]:
    assert form is None or format_of(source) == form
    report = FORMATS[form or format_of(source)].read(source, work / "in")
    return Recording.open(work / "in"), report


def _capture(name: str) -> Callable[[Path], Off]:
    def trip(work: Path) -> Off:
        source, form = captures.written(name, work)
        found, report = imported(source, work, form)
        assert (report.frames, report.skipped) == (len(captures.POSES), ())
        assert [line.split(":")[0] for line in report.conventions] == ["axes", "units", "clock"]
        assert found.meta["conventions"] == list(report.conventions)
        _, _, timed, turned = captures.WRITERS[name]
        came = of_recording(found)
        if timed and came.times is not None:  # some clocks start at an hour of their own
            came = Came(came.poses, came.camera, [time - came.times[0] for time in came.times])
        for frame, pose in zip(found.frames, captures.POSES, strict=True):
            if found.has_depth and name != "7scenes":
                known = found.depth(frame.index)
                assert np.abs(known - captures.depth_of(pose))[known > 0].max() < 2e-3
        times = [number / 10 for number in range(len(captures.POSES))]
        camera = None if name == "7scenes" else lens(captures.CAMERA)  # a Kinect's, which no file says
        return off(came, Came(captures.POSES, camera, times if timed else None), turned)

    return trip


def _hololens(work: Path) -> Off:
    poses, source = walk(6), work / "capture"
    for number in range(len(poses)):
        captures.save(source / "images" / f"{number:04d}.png", captures.picture(number))
    (source / "poses.txt").write_text("".join(captures.row(inverse(z_up_from("y")) @ p) for p in poses))
    (source / "K.txt").write_text("".join(captures.row(line) for line in captures.K))
    found, _ = imported(source, work, "hololens")
    return off(of_recording(found), Came(poses, lens(captures.CAMERA), None))


def _tum(work: Path) -> Off:
    poses, source, start = walk(4), work / "freiburg3_walk", 1.3e9
    listed = {"rgb": "", "depth": "", "groundtruth": ""}
    for number, pose in enumerate(poses):
        w, x, y, z = quat_wxyz(pose)
        time = f"{start + number / 10:.6f}"
        captures.save(source / f"rgb/{time}.png", captures.picture(number, (640, 480)))
        captures.save(source / f"depth/{time}.png", np.full((480, 640), 5000, np.uint16))
        listed["rgb"] += f"{time} rgb/{time}.png\n"
        listed["depth"] += f"{time} depth/{time}.png\n"
        listed["groundtruth"] += f"{time} {captures.row([*pose[:3, 3], x, y, z, w])}"
    for name, lines in listed.items():
        (source / f"{name}.txt").write_text(lines)
    found, _ = imported(source, work, "tum")
    camera = [640, 480, 535.4, 539.2, 320.6, 248.1]  # as published, from pixel centres to corners
    return off(of_recording(found), Came(poses, camera, [start + i / 10 for i in range(len(poses))]))


def _scannet(work: Path) -> Off:
    poses, source = walk(4), work / "scene0000_00"
    for number, pose in enumerate(poses):
        captures.save(source / f"color/{number}.jpg", captures.picture(number))
        captures.save(source / f"depth/{number}.png", captures.millimetres(pose))
        (source / "pose").mkdir(exist_ok=True)
        np.savetxt(source / f"pose/{number}.txt", pose)
    (source / "intrinsic").mkdir()
    square = np.eye(4)
    square[:3, :3] = captures.K
    for name in ("depth", "color"):
        np.savetxt(source / f"intrinsic/intrinsic_{name}.txt", square)
    found, _ = imported(source, work, "scannet")
    return off(of_recording(found), Came(poses, lens(captures.CAMERA), None))


def _ase(work: Path) -> Off:
    poses, source = walk(2), work / "7"
    names = [f"{name}_world_device" for name in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")]
    lines = [",".join(["tracking_timestamp_us", *names])]
    for number, upright in enumerate(poses):
        device = upright @ inverse(T_SENSOR_TURNED_CW) @ inverse(T_DEVICE_CAMERA)
        w, x, y, z = quat_wxyz(device)
        lines.append(",".join(map(repr, [number * 100_000, *map(float, [*device[:3, 3], x, y, z, w])])))
        captures.save(source / f"rgb/vignette{number:07d}.jpg", np.zeros((704, 704, 3), np.uint8))
        captures.save(source / f"depth/depth{number:07d}.png", np.full((704, 704), 2000, np.uint16))
        captures.save(source / f"instances/instance{number:07d}.png", np.zeros((704, 704), np.uint16))
    (source / "trajectory.csv").write_text("\n".join(lines))
    (source / "object_instances_to_classes.json").write_text(json.dumps({"0": "background"}))
    found, _ = imported(source, work, "ase")
    return off(of_recording(found), Came(poses, None, [0.0, 0.1]))  # the lens is flattened to one of ours


def _aria(work: Path) -> Off:
    digital_twin.sequence(work / "twin", 1)
    found, _ = imported(work / "twin", work, "aria")
    poses, times = [], []
    for line in (work / "twin/aria_trajectory.csv").read_text().splitlines()[1:]:
        stamp, *place, x, y, z, w = map(float, line.split(",")[:8])
        times.append(stamp / 1e6)
        device = pose_from_quat_wxyz((w, x, y, z), place)
        poses.append(z_up_from("y") @ device @ T_SENSOR_TURNED_CW)
    return off(of_recording(found), Came(np.stack(poses), None, times))  # flattened, as above


def _bag(kind: str) -> Callable[[Path], Off]:
    def trip(work: Path) -> Off:
        found, report = imported(logs.write_bag(kind, work), work)
        assert (report.frames, report.skipped) == (len(logs.POSES), ())
        camera = Camera(logs.WIDTH, logs.HEIGHT, logs.F, logs.F, 32.0, 24.0)
        times = [logs.START + number / 10 for number in range(len(logs.POSES))]
        return off(of_recording(found), Came(logs.POSES, lens(camera), times))

    return trip


def _video(form: str) -> Callable[[Path], Off]:
    def trip(work: Path) -> Off:
        folder = work / "source"
        folder.mkdir()
        uid = "0b703793-134a-4889-9b0c-0dd667d7c4a1"
        source = miniatures.video(folder / {"epic": "P03_02.MP4"}.get(form, f"{uid}.mp4"), seconds=4.0)
        if form == "epic":
            head = "narration_id,participant_id,video_id,start_timestamp,stop_timestamp,narration,verb,noun"
            row = "P03_02_5,P03,P03_02,00:00:01.50,00:00:02.25,put box,put,box,['box']"
            (folder / "EPIC_100_train.csv").write_text(f"{head},all_nouns\n{row}\n")
        elif form == "ego4d":
            told = {
                "narration_pass_1": {"narrations": [{"narration_text": "#C C lifts", "timestamp_sec": 1.0}]}
            }
            (folder / "narration.json").write_text(json.dumps({uid: told}))
        found, _ = imported(source if form == "video" else folder, work, form)
        assert found.meta["poses"] == "unknown"
        step = 0.25 if form == "video" else 0.5  # narrated videos are kept at two frames a second
        return off(of_recording(found), Came(None, None, list(np.arange(0.0, 4.0, step))))

    return trip


def _sample(work: Path) -> Recording:
    return Recording.open(write_recording(work / "walk", count=7))


def _nerfstudio_out(work: Path) -> Off:
    before = _sample(work)
    EXPORTS["nerfstudio"](before, work / "out")
    found, _ = imported(work / "out", work, "nerfstudio")
    return off(of_recording(found), Came(before.path.poses, lens(before.camera), None))


def _mcap_out(work: Path) -> Off:
    before = _sample(work)
    EXPORTS["mcap"](before, work / "out.mcap")
    found, _ = imported(work / "out.mcap", work, "mcap")
    return off(of_recording(found), of_recording(before))


def _webdataset_out(work: Path) -> Off:
    before = _sample(work)
    EXPORTS["webdataset"](before, work / "out.tar")
    with tarfile.open(work / "out.tar") as archive:
        names = sorted(name for name in archive.getnames() if name.endswith(".json"))
        told = [json.loads(archive.extractfile(name).read()) for name in names]  # type: ignore[union-attr]
    poses = np.stack([one["T_world_camera"] for one in told])
    found = Came(poses, [told[0]["camera"][part] for part in PARTS], [one["time"] for one in told])
    return off(found, of_recording(before))


def _lerobot_out(work: Path) -> Off:
    import pyarrow.parquet as pq

    before = _sample(work)
    EXPORTS["lerobot"](before, work / "out")
    info = json.loads((work / "out/meta/info.json").read_text())
    rows = pq.read_table(work / "out" / info["data_path"].format(chunk_index=0, file_index=0)).to_pylist()
    poses = np.stack([pose_from_quat_wxyz(row[STATE][3:], row[STATE][:3]) for row in rows])
    times = [info["first_time"] + row["timestamp"] for row in rows]
    return off(Came(poses, [info["camera"][part] for part in PARTS], times), of_recording(before))


def _rerun_out(work: Path) -> Off:
    from rerun.chunk import RrdReader

    before = _sample(work)
    EXPORTS["rerun"](before, work / "out.rrd")
    found: dict[str, list[Any]] = {}
    for chunk in RrdReader(work / "out.rrd").stream().to_chunks():
        if chunk.entity_path == "/world/camera":
            found |= chunk.to_record_batch().to_pydict()
    poses = np.tile(np.eye(4), (len(before), 1, 1))
    poses[:, :3, :3] = np.reshape(found["Transform3D:mat3x3"], (-1, 3, 3)).swapaxes(1, 2)  # by columns
    poses[:, :3, 3] = np.reshape(found["Transform3D:translation"], (-1, 3))
    K = np.reshape(found["Pinhole:image_from_camera"], (3, 3)).T
    size = np.ravel(found["Pinhole:resolution"])
    times = [time.total_seconds() for time in found["time"]]
    return off(Came(poses, [*size, K[0, 0], K[1, 1], K[0, 2], K[1, 2]], times), of_recording(before))


# The format, what of it, the library that it needs, and the trip.
READERS: dict[str, tuple[str, str, Callable[[Path], Off]]] = {
    **{name: (form, "", _capture(name)) for name, (_, form, _, _) in captures.WRITERS.items()},
    "hololens": ("hololens", "", _hololens),
    "tum": ("tum", "", _tum),
    "scannet": ("scannet", "", _scannet),
    "ase": ("ase", "", _ase),
    "aria": ("aria", "", _aria),
    "ROS 1": ("rosbag", "rosbags", _bag("ROS 1")),
    "ROS 2, SQLite": ("rosbag2", "rosbags", _bag("ROS 2, SQLite")),
    "ROS 2, MCAP": ("rosbag2", "rosbags", _bag("ROS 2, MCAP")),
    "ROS 2 file, MCAP": ("mcap", "rosbags", _bag("ROS 2 file, MCAP")),
    "video": ("video", "", _video("video")),
    "epic": ("epic", "", _video("epic")),
    "ego4d": ("ego4d", "", _video("ego4d")),
}
WRITTEN: dict[str, tuple[str, Callable[[Path], Off]]] = {
    "lerobot": ("", _lerobot_out),
    "nerfstudio": ("", _nerfstudio_out),
    "webdataset": ("", _webdataset_out),
    "mcap": ("mcap", _mcap_out),
    "rerun": ("rerun", _rerun_out),
}


def _cell(value: float | None) -> str:
    return "–" if value is None else "0" if value < 5e-10 else f"{value:.0e}".replace("e-0", "e-")


def main() -> None:
    trips = [(f"in: {name}", trip) for name, (_, _, trip) in READERS.items()]
    trips += [(f"out: {name}", trip) for name, (_, trip) in WRITTEN.items()]
    print("| | place, mm | turn, ° | lens, px | time, ms |\n|---|---|---|---|---|")
    for name, trip in trips:
        with tempfile.TemporaryDirectory() as work:
            found = trip(Path(work))
        cells = " | ".join(_cell(v) for v in (found.mm, found.degrees, found.pixels, found.ms))
        print(f"| {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
