"""What watching costs without weights: `situ watch` from end to end, and odometry alone, in CPU time.

The real samples, there and back again, as a video (RGB) and as a video with a folder of depth pictures
(RGB-D). Start-up is left out: each stream is watched short and long, and the difference counts.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # the samples' readers live beside their tests

import pytest

from perception.odometry.real_clips import hololens_walk, tum_rpy
from situ.geometry.camera import Camera
from situ.perception.odometry import RgbdOdometry, RgbOdometry
from situ.recording.video import VideoWriter

SHORT, LONG = 20, 100  # frames
# Frames a second of the stream, that odometry sees, and that are looked at.
STREAMS = ((1.0, 1.0, 1.0), (8.0, 2.0, 1.0), (8.0, 8.0, 1.0))


def main() -> None:
    console = Console(width=130)
    try:
        console.print(watch_table())
        console.print(odometry_table())
    except pytest.skip.Exception as absent:
        console.print(f"real samples: {absent}")


def watch_table() -> Table:
    table = Table(title="situ watch, no weights, HoloLens walk 540x360")
    for name in ("stream", "--pose-fps", "--fps", "input", "CPU s per s of stream", "share of one core"):
        table.add_column(name, justify="right")
    camera, clip, _ = hololens_walk()
    there_and_back = [*clip, *clip[-2:0:-1]]
    for rate, pose_fps, fps in STREAMS:
        for kind in ("RGB", "RGB-D", "RGB-D, poses"):
            # The better of two: the first after an installation also compiles the memory's kernels.
            spent = [
                min(watched(camera, there_and_back[:count], rate, pose_fps, fps, kind) for _ in range(2))
                for count in (SHORT, LONG)
            ]
            share = (spent[1] - spent[0]) * rate / (LONG - SHORT)
            table.add_row(
                f"{rate:g} fps", f"{pose_fps:g}", f"{fps:g}", kind, f"{share:.3f}", f"{100 * share:.0f} %"
            )
    return table


def watched(camera: Camera, clip: list, rate: float, pose_fps: float, fps: float, kind: str) -> float:
    """CPU seconds of one `situ watch`, with its start-up and all its threads."""
    with tempfile.TemporaryDirectory() as room:
        file, depth = Path(room) / "clip.mp4", Path(room) / "depth"
        writer = VideoWriter(file, camera.width, camera.height)
        depth.mkdir()
        lines = []
        for number, (_, rgb, metres) in enumerate(clip):
            writer.add(rgb, number / rate)
            cv2.imwrite(str(depth / f"{number:06d}.png"), (metres * 1000).astype(np.uint16))
            lines.append(f"{number / rate:.6f} 0 0 1.6 -0.5 0.5 -0.5 0.5\n")
        writer.close()
        (Path(room) / "poses.txt").write_text("".join(lines))
        fov = 2 * np.degrees(np.arctan(camera.width / 2 / camera.fx))
        command = [
            sys.executable, "-c", "from situ.cli import main; main()", "watch", str(file), "--into",
            f"{room}/m.situ", "--fov", f"{fov:.2f}", "--fps", str(fps), "--pose-fps", str(pose_fps), "--json",
        ]  # fmt: skip
        command += ["--depth", str(depth)] if kind != "RGB" else []
        command += ["--poses", f"{room}/poses.txt"] if kind.endswith("poses") else []
        one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env=os.environ | one_thread)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def odometry_table() -> Table:
    table = Table(title="odometry alone, CPU time of all threads")
    for name in ("sample", "size", "kind", "ms a frame", "frames/s on one core"):
        table.add_column(name, justify="right")
    for name, load in (("tum_fr1_rpy_mini", tum_rpy), ("hololens_walk", hololens_walk)):
        camera, clip, _ = load()
        for kind in ("RGB-D", "RGB"):
            odometry = RgbdOdometry(camera) if kind == "RGB-D" else RgbOdometry(camera)
            start = time.process_time()
            for moment, rgb, depth in clip:
                odometry.step(moment, rgb, depth if kind == "RGB-D" else None)
            spent = (time.process_time() - start) / len(clip)
            size = f"{camera.width}x{camera.height}"
            table.add_row(name, size, kind, f"{1000 * spent:.0f}", f"{1 / spent:.0f}")
    return table


if __name__ == "__main__":
    main()
