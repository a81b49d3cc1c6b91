"""The renderer: CPU time per frame and per scene, first compilation, memory, and the ratio to Cycles."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from situ.errors import MissingExtra
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, camera_pose
from situ.rendering import Renderer
from situ.rendering.blender import render_with_blender
from situ.worlds.scene import Material, Part, Scene, SceneObject, Vec3

SIZES = ((640, 480), (960, 640), (1920, 1080))
COUNTS = (8, 24, 48, 150)
FIELD_M, EYE_M = 24.0, 1.25
COLORS: tuple[Vec3, ...] = (
    (0.9, 0.08, 0.08),
    (0.114, 0.412, 0.078),
    (0.165, 0.294, 0.843),
    (1.0, 0.933, 0.2),
)
_FIRST_FRAME = "from benchmarks.render import first_frame; first_frame()"


def field(count: int, seed: int = 0) -> Scene:
    """Metre-sized cuboids, spheres and cones, apart from each other, on a textured ground in the sun."""
    rng = np.random.default_rng(seed)
    places: list[tuple[float, float]] = []
    while len(places) < count:
        x, y = (float(v) for v in rng.uniform(-FIELD_M / 2, FIELD_M / 2, 2))
        if np.hypot(x, y) > 1.5 and all(np.hypot(x - a, y - b) > 1.3 for a, b in places):
            places.append((x, y))
    objects = []
    for number, (x, y) in enumerate(places):
        shape = ("box", "sphere", "cone")[number % 3]
        part = Part(shape, (1.0, 1.0, 1.0), (0.0, 0.0, 0.5), Material(COLORS[number % 4], gloss=0.2))
        objects.append(SceneObject(number + 1, shape, (x, y, 0.0), (part,), float(rng.uniform(0, 360))))
    return Scene(tuple(objects))


def views() -> list[Matrix]:
    """From the middle of the field all around, and from its edge inwards."""
    around = [camera_pose((0.0, 0.0, EYE_M), yaw) for yaw in range(0, 360, 90)]
    return [*around, camera_pose((-11.0, 0.0, EYE_M), 0.0), camera_pose((0.0, 11.0, EYE_M), -90.0)]


def cpu_ms(work: Callable[[], object], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times * 1000


def first_frame() -> None:
    """What a fresh process does for its first frame; prints CPU seconds and peak memory."""
    start = time.process_time()
    Renderer(field(48), Camera.from_fov(960, 640, 90.0)).render(views()[0])
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{time.process_time() - start:.2f} {peak_mb:.0f}")


def _fresh_process(cache: str | None) -> tuple[float, float]:
    environment = dict(os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {}))
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_FRAME], env=environment, capture_output=True, text=True, check=True
    )
    seconds, peak_mb = done.stdout.split()
    return float(seconds), float(peak_mb)


def _row(width: int, height: int, count: int) -> list[str]:
    scene, poses, camera = field(count), views(), Camera.from_fov(width, height, 90.0)
    renderer = Renderer(scene, camera)
    renderer.render(poses[0])
    frame = cpu_ms(lambda: [renderer.render(pose) for pose in poses], 2) / len(poses)
    ids = cpu_ms(lambda: [renderer.render_ids(pose) for pose in poses], 4) / len(poses)
    build = cpu_ms(lambda: Renderer(scene, camera), 4)
    return [f"{width}x{height}", str(count), *[f"{v:.1f}" for v in (frame, 1000 / frame, ids, build)]]


def _frames_table(console: Console) -> None:
    table = Table(title="CPU ms per frame (mean of six views), one core")
    for heading in ("size", "objects", "frame", "frames/s", "ids and depth", "building"):
        table.add_column(heading, justify="right")
    for width, height in SIZES:
        for count in COUNTS:
            table.add_row(*_row(width, height, count))
    console.print(table)


def _against_cycles(console: Console) -> None:
    scene, camera, pose = field(24), Camera.from_fov(480, 320, 90.0), views()[4]
    renderer = Renderer(scene, camera)
    ours = renderer.render(pose)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        theirs = render_with_blender(scene, camera, pose, samples=16)
    except MissingExtra as missing:
        console.print(f"against Cycles: left out, {missing}")
        return
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cycles_ms = 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    ours_ms = cpu_ms(lambda: renderer.render(pose), 10)
    console.print(
        f"against Cycles (480x320, 16 samples, with its start): {cycles_ms:.0f} CPU ms to {ours_ms:.1f}, "
        f"{cycles_ms / ours_ms:.0f} times; ids agree on {np.mean(theirs.ids == ours.ids):.3%} of pixels"
    )


def main() -> None:
    console = Console(width=100)
    _frames_table(console)
    with tempfile.TemporaryDirectory() as empty:
        compiling, _ = _fresh_process(empty)
    warm, peak_mb = _fresh_process(None)
    console.print(
        f"first frame of a process: {compiling:.1f} CPU s with nothing compiled yet, {warm:.2f} later"
    )
    console.print(f"peak memory of a process that draws 960x640: {peak_mb:.0f} MB")
    _against_cycles(console)


if __name__ == "__main__":
    main()
