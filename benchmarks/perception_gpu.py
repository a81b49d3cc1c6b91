"""The whole stack of networks at full size with random weights on one GPU: speed is real, answers are not.

The whole stack watches a walk through a home. Depth of random weights fits nothing that is seen, which no
odometry is made for: the network works on every frame, and what is told is the depth of the rendering.
SITU_BENCH_DEPTH=rendered,network also tells what the network said, by turns.

Run where there is a GPU: `python -m benchmarks.perception_gpu [OUT.json]`. It needs the extra [models], no
weights and no network. SITU_BENCH_TINY=1 tries everything on a CPU in small;
SITU_BENCH_PARTS=whole,depth,detector,tracker,places chooses what is measured, SITU_BENCH_MODELS which
networks are made for it; SITU_BENCH_FRAMES is the length of the clip that the whole stack watches, and
SITU_BENCH_POSES=process,thread where poses are found, by turns. OUT.json is written after every row: a run
that is cut short leaves what it had.
"""

import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

TINY = os.environ.get("SITU_BENCH_TINY") == "1"
ROOM = Path(os.environ.get("SITU_BENCH_ROOM", tempfile.gettempdir())) / "situ-random-models"
FRAMES = int(os.environ.get("SITU_BENCH_FRAMES", "6" if TINY else "1500"))
POSES = os.environ.get("SITU_BENCH_POSES", "process").split(",")
DEPTHS = os.environ.get("SITU_BENCH_DEPTH", "rendered").split(",")
SIZE = (640, 480)
STARTED = time.perf_counter()
MOST_SECONDS = float(os.environ.get("SITU_BENCH_SECONDS", "3600"))
RESULTS: list[dict[str, Any]] = []


def main() -> None:
    import torch

    from benchmarks import perception_random as random_models

    sys.stdout.reconfigure(line_buffering=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu" and not TINY:
        print("no GPU here: set SITU_BENCH_TINY=1 to try the benchmark in small")
        return
    machine = f"{torch.cuda.get_device_name() if device == 'cuda' else 'CPU'}, torch {torch.__version__}"
    print(machine)
    RESULTS.append({"machine": machine, "tiny": TINY})
    keep_results()
    folders: dict[str, str] = {}
    wanted = os.environ.get("SITU_BENCH_MODELS", ",".join(random_models.MAKERS)).split(",")
    for role, make in random_models.MAKERS.items():
        if role not in wanted:
            continue
        try:
            start = time.perf_counter()
            folders[role] = str(ROOM / role)
            if not (ROOM / role / "config.json").is_file():
                with torch.device(device):
                    make(ROOM / role, TINY)
            print(f"made {role} in {time.perf_counter() - start:.0f} s")
        except Exception as error:
            del folders[role]
            failed(f"{role} could not be made", error)
    parts = os.environ.get("SITU_BENCH_PARTS", "depth,detector,tracker,places,whole").split(",")
    for part in parts:
        try:
            PARTS[part](folders, device)
        except Exception as error:
            failed(part, error)


def failed(what: str, error: Exception) -> None:
    """Said and kept; what comes after it is measured all the same."""
    said = f"{type(error).__name__}: {str(error)[:300]}"
    print(f"{what}: {said}")
    RESULTS.append({"stage": what, "failed": said})
    keep_results()


def pictures(count: int) -> list[np.ndarray]:
    """A camera that turns before a rich texture: what odometry sees on a turning head."""
    import cv2

    rng = np.random.default_rng(0)
    wall = cv2.GaussianBlur(rng.integers(0, 255, (700, 900 + 3 * count, 3), dtype=np.uint8), (0, 0), 2.0)
    wall = cv2.normalize(wall, wall, 0, 255, cv2.NORM_MINMAX)
    return [np.ascontiguousarray(wall[80:560, 20 + 3 * i : 660 + 3 * i]) for i in range(count)]


def timed(work: Callable[[], Any], repeats: int) -> float:
    """Median seconds of a call, after two to warm up; the results come back to the CPU, so all is done."""
    import torch

    spent = []
    for i in range(repeats + 2):
        start = time.perf_counter()
        work()
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        if i >= 2:
            spent.append(time.perf_counter() - start)
    return float(np.median(spent))


def note(stage: str, setting: str, frames: int, seconds: float) -> None:
    import torch

    peak = torch.cuda.max_memory_allocated() / 2**30 if torch.cuda.is_available() else 0.0
    row = {
        "stage": stage,
        "setting": setting,
        "frames_per_s": round(frames / seconds, 1),
        "ms_per_frame": round(1000 * seconds / frames, 2),
        "peak_gib": round(peak, 2),
    }
    RESULTS.append(row)
    keep_results()
    print(
        f"{stage:<22} {setting:<54} {row['frames_per_s']:>8} frames/s {row['ms_per_frame']:>9} ms "
        f"{row['peak_gib']:>6} GiB"
    )
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()


def keep_results() -> None:
    """All of them or those before, never a part of a file."""
    if len(sys.argv) > 1:
        out = Path(sys.argv[1])
        fresh = out.with_name(out.name + ".new")
        fresh.write_text(json.dumps(RESULTS, indent=1))
        fresh.replace(out)


def measure_depth(folders: dict[str, str], device: str) -> None:
    import torch

    from situ.perception.models.depth import TransformersDepth
    from situ.perception.models.runtime import Place

    repeats = 1 if TINY else 8
    for role in ("depth-small", "depth-large"):
        if role not in folders:
            continue
        for precision, compiled in (("float32", False), ("bfloat16", False), ("bfloat16", True)):
            if compiled and (TINY or role == "depth-small"):
                continue
            stage = TransformersDepth(folders[role], device, compiled=compiled)
            dtype = getattr(torch, precision)
            stage._model.to(dtype)
            stage._place = Place(device, dtype)
            for batch in (1, 8) if TINY else (1, 8, 32):
                shown = pictures(batch)
                work = lambda stage=stage, shown=shown: stage.depths(shown)  # noqa: E731
                seconds = timed(work, repeats)
                setting = f"{precision}{' compiled' if compiled else ''}, batch {batch}"
                note(role, setting, batch, seconds)
            del stage


def measure_detector(folders: dict[str, str], device: str) -> None:
    from situ.perception.models.detect import NamedThings
    from situ.perception.models.vocabulary import THINGS

    for count in (40, len(THINGS)):
        stage = NamedThings(folders["detector"], THINGS[:count], device)
        for batch in (1, 4) if TINY else (1, 8, 16):
            shown = pictures(batch)
            note(
                "detector",
                f"bfloat16, {count} names, batch {batch}" if device == "cuda" else f"{count} names, {batch}",
                batch,
                timed(lambda stage=stage, shown=shown: stage.detect_all(shown), 1 if TINY else 5),
            )


def measure_tracker(folders: dict[str, str], device: str) -> None:
    """Following boxes through pictures: one picture at a time, and with their encoding done ahead."""
    from situ.perception.detections import Detections
    from situ.perception.models.track import MaskTracker

    rng = np.random.default_rng(1)
    shown = pictures(4 if TINY else 16)
    for role in ("tracker", "tracker-large", "tracker-edge"):
        if role not in folders:
            continue
        for things, ahead in ((1, 1), (8, 1), (8, 4)) if TINY else ((1, 1), (8, 1), (8, 16), (24, 16)):
            stage = MaskTracker(folders[role], device)
            corners = rng.uniform(0, 300, (things, 2))
            boxes = np.concatenate([corners, corners + rng.uniform(40, 150, (things, 2))], axis=1)
            found = Detections(("cup",) * things, (0.9,) * things, boxes)

            def follow(stage: Any = stage, found: Any = found, ahead: int = ahead) -> None:
                for i, picture in enumerate(shown):
                    if ahead > 1 and i % ahead == 0:
                        stage.prepare(shown[i : i + ahead])
                    stage.track(picture, None if i else found)

            note(
                role, f"{things} things, encoded {ahead} at once", len(shown), timed(follow, 1 if TINY else 3)
            )


def measure_places(folders: dict[str, str], device: str) -> None:
    from situ.perception.models.places import PictureWords

    stage = PictureWords(folders["places"], device)
    (shown,) = pictures(1)
    note("places", "one tag", 1, timed(lambda: stage.tag(shown), 1 if TINY else 20))
    boxes = np.array([[10.0 * i, 10.0 * i, 10.0 * i + 80, 10.0 * i + 60] for i in range(16)])
    note("looks", "16 crops", 1, timed(lambda: stage.embed(shown, boxes), 1 if TINY else 10))


def measure_whole(folders: dict[str, str], device: str) -> None:
    """Decoding, depth on every frame, odometry, detection, tracking, looks, places: a clip in, things out."""
    import torch

    from benchmarks.perception_walk import walk
    from situ.evaluation.participants.pixel_stages import Collected
    from situ.geometry.camera import Camera
    from situ.perception import pose_process
    from situ.perception.detection_eye import DetectedThings
    from situ.perception.models.depth import TransformersDepth
    from situ.perception.models.detect import NamedThings
    from situ.perception.models.places import PictureWords
    from situ.perception.models.track import MaskTracker
    from situ.perception.models.vocabulary import THINGS
    from situ.perception.pipeline import Stages, Watch
    from situ.perception.posing import OdometryPoses
    from situ.perception.sources import open_source
    from situ.perception.stages import InputFrame

    camera = Camera.from_fov(*SIZE, 70)
    room = Path(tempfile.mkdtemp())
    clip, short = room / "turning.mp4", room / "short.mp4"
    frames = walk(camera, FRAMES)
    write_clip(clip, [rgb for rgb, _ in frames])
    write_clip(short, [rgb for rgb, _ in frames[:64]])

    class RenderedDepth(TransformersDepth):
        """Works like any; then tells what was rendered."""

        def depth(self, frame: InputFrame) -> np.ndarray:
            super().depth(frame)
            return frames[frame.index][1]

    depths = {
        kind: stage(folders["depth-large"], device, camera)
        for kind, stage in (("rendered", RenderedDepth), ("network", TransformersDepth))
        if kind in DEPTHS
    }
    detector = NamedThings(folders["detector"], THINGS[:40], device, least_score=0.02)
    trackers: dict[str, MaskTracker] = {
        role: MaskTracker(folders[role], device) for role in ("tracker", "tracker-edge") if role in folders
    }
    places = PictureWords(folders["places"], device)

    def watched(file: Path, fps: float, batch: int, masks: str, kind: str) -> tuple[Any, float]:
        eye = DetectedThings(detector, trackers.get(masks), places, 5)
        source = open_source(file, camera=camera)
        watch = Watch(
            source, Stages(OdometryPoses(camera), (eye,), depths[kind], places, batch=batch), Collected(), fps
        )
        start = time.perf_counter()
        watch.run()
        return watch, time.perf_counter() - start

    shortest = pose_process.FEWEST_FRAMES
    for (fps, batch, masks), where, kind in itertools.product(WHOLE, POSES, depths):
        pose_process.FEWEST_FRAMES = shortest if where == "process" else FRAMES + 1
        if masks and masks not in trackers:
            continue
        if time.perf_counter() - STARTED > MOST_SECONDS:
            print("no time left for more")
            return
        watched(short, fps, batch, masks, kind)  # to warm up
        if device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        watch, seconds = watched(clip, fps, batch, masks, kind)
        said = f"{fps:g} looks/s{', masks by ' + masks if masks else ''}, batch {batch}, poses in a {where}"
        said += ", depth of the network" if kind == "network" else ""
        note("whole stack", said, FRAMES, seconds)
        RESULTS[-1] |= {
            "stages": watch.timings.to_json(),
            "looked": watch.report.looked,
            "lost": watch.report.lost,
            "fault": watch.report.fault,
        }
        keep_results()
        spent = {k: round(v.wall_s, 2) for k, v in watch.timings.stages.items()}
        report = watch.report
        print(f"   looked {report.looked}, lost {report.lost}, seconds by stage {spent} {report.fault[:200]}")


# Looks a second, frames that networks see at once, and who follows masks.
WHOLE = (
    (1.0, 128, ""),
    (1.0, 32, ""),
    (1.0, 32, "tracker"),
    (1.0, 32, "tracker-edge"),
    (5.0, 64, ""),
    (5.0, 32, ""),
    (5.0, 32, "tracker"),
    (5.0, 32, "tracker-edge"),
    (1.0, 8, "tracker-edge"),
    (1.0, 1, ""),
)


def write_clip(file: Path, frames: list[np.ndarray]) -> None:
    import av

    with av.open(str(file), "w") as container:
        stream = container.add_stream("mpeg4", rate=15)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = *SIZE, "yuv420p", 8_000_000
        for picture in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())


PARTS: dict[str, Callable[[dict[str, str], str], None]] = {
    "depth": measure_depth,
    "detector": measure_detector,
    "tracker": measure_tracker,
    "places": measure_places,
    "whole": measure_whole,
}

if __name__ == "__main__":
    main()
