"""Odometry: drift and speed on fresh generated walks, tours of homes and real samples.

Each row of the tours and of the samples stands beside anchors: somebody who says that the camera never
moved, and plain ORB and PnP, with measured depth and with triangulated. Walks come from the generator of the
SAW protocol, tours go through the rooms of a home and back through those already seen. SITU_BENCH_WALKS and
SITU_BENCH_TOURS are their numbers, SITU_BENCH_SEED draws others, SITU_BENCH_FPS films them at another rate.
Rendering takes most of the time.

    python -m benchmarks.odometry FOLDER...      recordings of yours with true poses, instead; best with depth
    python -m benchmarks.odometry FOLDER@6       every sixth frame only
"""

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path as File

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.append(str(File(__file__).parents[1] / "tests"))  # the samples' readers live beside their tests

import pytest

from perception.odometry.plain import orb_colour, orb_pnp
from perception.odometry.real_clips import hololens_walk, tum_rpy
from situ.benchmarks.saw.film import Film, route_film, standing_film
from situ.benchmarks.saw.plan import Shot
from situ.benchmarks.saw.protocol import VIDEOS
from situ.errors import BadInput, Impossible
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.route import direction_between, route_shape
from situ.geometry.trajectory import compare, matched
from situ.perception.odometry import OdometryResult, estimate_path
from situ.perception.sources import open_source
from situ.rendering import Renderer
from situ.worlds.homes.build import HomeSpec, build_home
from situ.worlds.places import LAYOUTS, make_place
from situ.worlds.scene import Scene
from situ.worlds.tours import tour

Clip = tuple[Camera, list, Path]
Row = tuple[str, Path, str, str, str, float]  # method, path, alignment, lost, said, milliseconds
CAMERA = Camera.from_fov(640, 480, 75)
FPS = float(os.environ.get("SITU_BENCH_FPS", "10"))
SECONDS = 20.0  # of a walk
GRAIN = 2.0  # grey levels of sensor noise
IDS = (18, 35, 21, 36, 26, 2, 43, 30, 45, 33, 38, 44, 46, 37, 24, 41, 34, 23, 42, 39, 5, 27, 20, 31)


def main() -> None:
    console = Console(width=150)
    if sys.argv[1:]:
        clips = [(File(name).name, recording(name)) for name in sys.argv[1:]]
        console.print(against_anchors("recordings", clips))
        return
    count, seed = int(os.environ.get("SITU_BENCH_WALKS", "6")), int(os.environ.get("SITU_BENCH_SEED", "1"))
    tours = int(os.environ.get("SITU_BENCH_TOURS", "1"))
    if count:
        console.print(walks_table(count, seed))
    if tours:
        homes = [(f"home {k}", home_tour(k)) for k in range(seed, seed + tours)]
        console.print(against_anchors("tours of homes", homes))
    try:
        samples = [("hololens_walk", hololens_walk()), ("tum_fr1_rpy_mini", tum_rpy())]
        samples += [(f"{name}, there and back", there_and_back(*clip)) for name, clip in samples]
        console.print(against_anchors("real samples", samples))
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
            return maker(
                make_place(layout, rng), Shot(kind, "shape", number, video, layout), FPS, SECONDS, rng
            )
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


def home_tour(seed: int, frames: int = 700) -> Clip:
    """A tour of a small home with sensor noise on colour and depth."""
    rng = np.random.default_rng([seed, 77])
    home = build_home(HomeSpec(rooms=4, objects=50), rng)
    path = tour(home, rng, fps=FPS)
    return filmed(home.scene, path, Camera.from_fov(480, 360, 70), frames, rng)


def filmed(scene: Scene, path: Path, camera: Camera, frames: int, rng: np.random.Generator) -> Clip:
    """A walk as a colour and depth camera records it: grain, and depth with noise, holes and short reach."""
    renderer = Renderer(scene, camera)
    clip = []
    for moment, pose in list(zip(path.times, path.poses, strict=True))[:frames]:
        frame = renderer.render(pose)
        rgb = np.clip(np.rint(frame.rgb + rng.normal(0, GRAIN, frame.rgb.shape)), 0, 255).astype(np.uint8)
        true = np.where(np.isfinite(frame.depth), frame.depth, 0.0)
        depth = true + rng.normal(0, 1, true.shape) * (0.002 + 0.002 * true**2)
        depth[(rng.random(true.shape) < 0.03) | (true > 7)] = 0
        clip.append((float(moment), rgb, depth.astype(np.float32)))
    return camera, clip, path


def recording(name: str) -> Clip:
    """A recording with true poses in any form that `situ watch` reads; after @, every nth frame."""
    folder, _, every = name.partition("@")
    source = open_source(File(folder), fps=None)
    frames = list(source.read(-1))[:: int(every or 1)]
    if not source.has_poses:
        raise BadInput(f"{folder} has no poses: nothing to compare with")
    known = [frame for frame in frames if frame.T_world_camera is not None]
    truth = Path(np.array([f.time for f in known]), np.array([f.T_world_camera for f in known]))
    if not source.has_depth:
        return source.camera, [(f.time, f.rgb) for f in frames], truth
    return source.camera, [(f.time, f.rgb, f.depth) for f in frames if f.depth is not None], truth


def there_and_back(camera: Camera, clip: list, truth: Path) -> Clip:
    """The same frames and then all of them backwards: every place is seen again."""
    filmed = truth.times <= clip[-1][0] + 1e-9  # what comes after the last frame is not walked back
    truth = Path(truth.times[filmed], truth.poses[filmed])
    end = 2 * clip[-1][0] + clip[1][0] - clip[0][0]
    times = np.concatenate([truth.times, end - truth.times[::-1]])
    order = np.argsort(times, kind="stable")
    order = order[np.concatenate([[True], np.diff(times[order]) > 1e-9])]
    poses = np.concatenate([truth.poses, truth.poses[::-1]])
    back = [(end - moment, *rest) for moment, *rest in clip[::-1]]
    return camera, [*clip, *back], Path(times[order], poses[order])


def standing(clip: list) -> Path:
    """Who never moves: what any odometry must beat."""
    return Path(np.array([frame[0] for frame in clip]), np.repeat(np.eye(4)[None], len(clip), axis=0))


def plain(method: str, follow: Callable, clip: list, camera: Camera, alignment: str) -> Row:
    start = time.process_time()
    path = follow(clip, camera)
    return method, path, alignment, "-", "", 1000 * (time.process_time() - start) / len(clip)


def estimated(method: str, clip: list, camera: Camera, alignment: str) -> Row:
    result, milliseconds = timed(clip, camera)
    return method, result.path, alignment, str(result.status.count("lost")), result.problem, milliseconds


def against_anchors(title: str, clips: list[tuple[str, Clip]]) -> Table:
    table = Table(title=f"{title} (ATE after SE3 for depth, Sim3 for RGB alone)")
    for name in ("clip", "method", "frames", "m", "ATE m", "RPE m", "tilt deg", "lost", "said", "ms"):
        table.add_column(name, justify="left" if name in ("clip", "method", "said") else "right")
    for name, (camera, clip, truth) in clips:
        rows = [("standing still", standing(clip), "se3", "-", "", 0.0)]
        if len(clip[0]) == 3:
            rows += [
                plain("ORB + PnP", orb_pnp, clip, camera, "se3"),
                estimated("RGB-D", clip, camera, "se3"),
            ]
        rows.append(plain("ORB + PnP, colour", orb_colour, clip, camera, "sim3"))
        rows.append(estimated("RGB", [frame[:2] for frame in clip], camera, "sim3"))
        for method, path, alignment, lost, said, milliseconds in rows:
            error = compare(path, truth, alignment, 0.02)
            mine, true = matched(path, truth, 0.02)
            tilt = np.degrees(
                np.arccos(np.clip(np.sum(mine.poses[:, 2, :3] * true.poses[:, 2, :3], 1), -1, 1))
            )
            table.add_row(
                name, method, str(len(clip)), f"{true.length:.2f}", f"{error.ate_rmse:.4f}",
                f"{error.rpe_rmse:.4f}", f"{np.median(tilt):.1f}" if method.startswith("RGB") else "-", lost,
                said[:40] or "-", f"{milliseconds:.0f}",
            )  # fmt: skip
    return table


if __name__ == "__main__":
    main()
