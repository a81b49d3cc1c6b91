"""Odometry: drift and speed on fresh generated walks and on the real samples, against plain ORB and PnP.

Walks come from the generator of the SAW protocol, with seeds of their own: set SITU_BENCH_WALKS to their
number and SITU_BENCH_SEED to draw others. Rendering them takes most of the time.
"""

import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path as File

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.append(str(File(__file__).parents[1] / "tests"))  # the samples' readers live beside their tests

import pytest

from perception.odometry.plain import orb_pnp
from perception.odometry.real_clips import hololens_walk, tum_rpy
from situ.benchmarks.saw.film import Film, route_film, standing_film
from situ.benchmarks.saw.plan import Shot
from situ.benchmarks.saw.protocol import VIDEOS
from situ.errors import Impossible
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.route import direction_between, route_shape
from situ.geometry.trajectory import compare, matched
from situ.perception.odometry import OdometryResult, estimate_path
from situ.rendering import Renderer
from situ.worlds.places import LAYOUTS, make_place

CAMERA = Camera.from_fov(640, 480, 75)
FPS = 10.0
GRAIN = 2.0  # grey levels of sensor noise
IDS = (18, 35, 21, 36, 26, 2, 43, 30, 45, 33, 38, 44, 46, 37, 24, 41, 34, 23, 42, 39, 5, 27, 20, 31)


def main() -> None:
    console = Console(width=150)
    count, seed = int(os.environ.get("SITU_BENCH_WALKS", "6")), int(os.environ.get("SITU_BENCH_SEED", "1"))
    console.print(walks_table(count, seed))
    try:
        console.print(real_table())
    except pytest.skip.Exception as absent:
        console.print(f"real samples: {absent}")


def walks_table(count: int, seed: int) -> Table:
    table = Table(title=f"RGB odometry on generated walks, {CAMERA.width}x{CAMERA.height}, {FPS:g} fps")
    columns = (
        "walk",
        "frames",
        "m",
        "ATE m",
        "RPE m",
        "drift %",
        "yaw deg",
        "scale %",
        "legs %",
        "answers",
        "ms",
    )
    for name in columns:
        table.add_column(name, justify="left" if name == "walk" else "right")
    layouts = list(LAYOUTS)
    for number in range(count):
        layout, video = layouts[number % len(layouts)], IDS[number % len(IDS)]
        film = draw(layout, video, seed, number)
        clip = list(rendered(film, seed + number))
        result, milliseconds = timed(clip, CAMERA)
        truth = film.takes[0].path
        error = compare(result.path, truth)
        table.add_row(
            f"{layout} {video}",
            str(len(clip)),
            f"{truth.length:.1f}",
            f"{error.ate_rmse:.3f}",
            f"{error.rpe_rmse:.4f}",
            f"{100 * error.drift_per_metre:.1f}",
            f"{error.yaw_drift_deg:.2f}",
            f"{100 * error.scale_error:+.1f}",
            f"{100 * leg_spread(result.path, truth):.1f}",
            answers(result.path, truth),
            f"{milliseconds:.0f}",
        )
    return table


def draw(layout: str, video: int, seed: int, number: int) -> Film:
    """A film of a video id; a place without room for it is drawn again."""
    kind = "standing" if VIDEOS[video].spot else "route"
    for attempt in range(10):
        rng = np.random.default_rng([seed, number, attempt])
        try:
            maker = standing_film if kind == "standing" else route_film
            return maker(make_place(layout, rng), Shot(kind, number, video, take=0, layout=layout), FPS, rng)
        except Impossible:
            continue
    raise Impossible(f"no room for video {video} in any {layout} of seed {seed}")


def rendered(film: Film, seed: int) -> Iterable[tuple[float, np.ndarray]]:
    rng = np.random.default_rng(seed)
    take = film.takes[0]
    renderer = Renderer(take.scene, CAMERA)
    for moment, pose in zip(take.path.times, take.path.poses, strict=True):
        rgb = renderer.render(pose).rgb
        grainy = np.clip(np.rint(rgb + rng.normal(0, GRAIN, rgb.shape)), 0, 255)
        yield float(moment), grainy.astype(np.uint8)


def timed(clip: list, camera: Camera) -> tuple[OdometryResult, float]:
    """The result, and CPU milliseconds per frame (so that other load on the machine does not count)."""
    start = time.process_time()
    result = estimate_path(clip, camera)
    return result, 1000 * (time.process_time() - start) / len(clip)


def leg_spread(estimate: Path, truth: Path, seconds: float = 1.5) -> float:
    """How much the scale differs along the walk: its standard deviation over stretches that were walked."""
    mine, true = matched(estimate, truth)
    step = round(seconds * FPS)
    starts = np.arange(0, len(true) - step, step)
    lengths = [
        np.linalg.norm(p.positions[starts + step, :2] - p.positions[starts, :2], axis=1) for p in (mine, true)
    ]
    walked = lengths[1] > 1.0
    ratios = lengths[0][walked] / lengths[1][walked]
    return float(ratios.std() / ratios.mean()) if walked.any() else 0.0


def answers(estimate: Path, truth: Path) -> str:
    """Whether the path's shape and both directions between its ends come out as for the truth."""
    wrong = []
    if route_shape(estimate).name != route_shape(truth).name:
        wrong.append(f"shape {route_shape(estimate).name}")
    for origin in ("start", "end"):
        mine, true = (direction_between(path, origin).name for path in (estimate, truth))
        if mine != true:
            wrong.append(f"{mine} for {true}")
    return ", ".join(wrong) or "right"


def real_table() -> Table:
    table = Table(title="real samples (ATE after SE3 for depth, Sim3 for RGB alone)")
    for name in ("sample", "method", "frames", "m", "ATE m", "RPE m", "lost", "ms"):
        table.add_column(name, justify="left" if name in ("sample", "method") else "right")
    for name, load in (("hololens_walk", hololens_walk), ("tum_fr1_rpy_mini", tum_rpy)):
        camera, clip, truth = load()
        start = time.process_time()
        plain = orb_pnp(clip, camera)
        plain_ms = 1000 * (time.process_time() - start) / len(clip)
        depth, depth_ms = timed(clip, camera)
        rgb, rgb_ms = timed([frame[:2] for frame in clip], camera)
        rows = (
            ("ORB + PnP", plain, "se3", "-", plain_ms),
            ("RGB-D", depth.path, "se3", str(depth.status.count("lost")), depth_ms),
            ("RGB", rgb.path, "sim3", str(rgb.status.count("lost")), rgb_ms),
        )
        for method, path, alignment, lost, milliseconds in rows:
            error = compare(path, truth, alignment, 0.02)
            walked = float(
                np.linalg.norm(np.diff(matched(path, truth, 0.02)[1].positions, axis=0), axis=1).sum()
            )
            table.add_row(
                name,
                method,
                str(len(clip)),
                f"{walked:.2f}",
                f"{error.ate_rmse:.4f}",
                f"{error.rpe_rmse:.4f}",
                lost,
                f"{milliseconds:.0f}",
            )
    return table


if __name__ == "__main__":
    main()
