"""Odometry over long generated walks that come back to where they were: drift with and without closing loops.

Homes are toured round after round with a colour and depth camera (10 frames/s); in every second one the lens
is covered for four seconds on the way, so that tracking is lost and a map must be begun anew and joined.
Outdoor places are walked round at 5 frames/s. Every frame is rendered once and goes to all methods at once:
who stands still, plain ORB + PnP, odometry from RGB-D and from RGB, each also without loop closures. ATE is
after SE3 for depth and after Sim3 for RGB alone. SITU_BENCH_HOMES and SITU_BENCH_PLACES are the numbers of
walks (2 each), SITU_BENCH_SECONDS their length (180), SITU_BENCH_SEED draws others, SITU_BENCH_JOBS are
processes.

    python -m benchmarks.long_walks home:1 place:7403      these walks alone, by their seeds
With SITU_BENCH_KEPT=FOLDER rows are kept there, and a walk whose rows are there is not followed again.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path as File

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.append(str(File(__file__).parents[1] / "tests"))  # the plain anchor lives beside the tests

from perception.odometry.plain import OrbPnp
from situ.geometry.camera import Camera
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.trajectory import Alignment, compare, matched
from situ.perception.odometry.loop_closure import LoopCandidates, LoopSearch
from situ.perception.odometry.result import POSITION_GUESSED
from situ.perception.odometry.rgb import RgbOdometry
from situ.perception.odometry.rgbd import RgbdOdometry
from situ.rendering import Renderer
from situ.worlds.homes.build import HomeSpec, build_home
from situ.worlds.places import LAYOUTS, make_place
from situ.worlds.places.place import Place
from situ.worlds.scene import Scene
from situ.worlds.tours import VISITOR, FloorGrid, along, look_around, room_stops, visiting_order
from situ.worlds.walks.film import Style, film
from situ.worlds.walks.route import Piece, Route, bend, straight

SECONDS = float(os.environ.get("SITU_BENCH_SECONDS", "180"))
HOME_FPS, PLACE_FPS = 10.0, 5.0
COVERED_S = 4.0
GRAIN = 2.0  # grey levels of sensor noise
SIDE_M, CORNER_M = 1.0, 0.8  # kept free on each side of a round, and how its corners are rounded
COLUMNS = (
    "walk",
    "method",
    "frames",
    "m",
    "ATE m",
    "drift %",
    "yaw deg",
    "tilt deg",
    "lost",
    "maps",
    "said",
    "ms",
)
Row = tuple[str, ...]


class NoLoops(LoopSearch):
    """Somebody who never looks back."""

    def candidates(self, *_: object, **__: object) -> LoopCandidates:
        return LoopCandidates()


@dataclass
class Method:
    """One way to follow the camera, and the CPU seconds that it took."""

    name: str
    odometry: RgbOdometry | RgbdOdometry
    with_depth: bool
    cpu_s: float = 0.0

    def step(self, moment: float, rgb: np.ndarray, depth: np.ndarray) -> None:
        start = time.process_time()
        self.odometry.step(moment, rgb, depth if self.with_depth else None)
        self.cpu_s += time.process_time() - start


def main() -> None:
    jobs = int(os.environ.get("SITU_BENCH_JOBS", "1"))
    table = Table(title=f"walks of {SECONDS:g} s (ATE after SE3 for depth, Sim3 for RGB alone)")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name in ("walk", "method", "said") else "right")
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for rows in [pool.submit(kept_rows, walk) for walk in sys.argv[1:] or drawn_walks()]:
            for row in rows.result():
                print(*row, sep="\t", flush=True)  # a run that is cut short has shown what it had
                table.add_row(*row)
    Console(width=170).print(table)


def drawn_walks() -> list[str]:
    homes, places = (int(os.environ.get(f"SITU_BENCH_{what}", "2")) for what in ("HOMES", "PLACES"))
    seed = int(os.environ.get("SITU_BENCH_SEED", "1"))
    return [
        f"{kind}:{seed + k}" for kind, count in (("home", homes), ("place", places)) for k in range(count)
    ]


def kept_rows(walk: str) -> list[Row]:
    """The rows of a walk, from the folder of those that were followed before if they are there."""
    kind, seed = walk.split(":")
    folder = os.environ.get("SITU_BENCH_KEPT")
    kept = File(folder or ".") / f"{kind}-{seed}-{SECONDS:g}s.json"
    if folder and kept.is_file():
        return [tuple(row) for row in json.loads(kept.read_text())]
    rows = {"home": home_rows, "place": place_rows}[kind](int(seed))
    if folder:
        File(folder).mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(rows))
    return rows


def home_rows(seed: int) -> list[Row]:
    rng = np.random.default_rng([seed, 79])
    home = build_home(HomeSpec(rooms=4, objects=50), rng)
    stops, grid = room_stops(home, rng), FloorGrid(home.floor)
    order = visiting_order(home, int(rng.integers(len(stops))))
    order = [*order, *order[-2:0:-1]]  # and the same way back: every round ends where it began
    pieces: list[Piece] = []
    start = here = Heading.facing(stops[order[0]], stops[order[1]])
    route = Route(start, ())
    while _seconds(route) < SECONDS:
        for room, following in zip(order, [*order[1:], order[0]], strict=True):
            if rng.random() < 0.5:
                around = look_around(rng)
                pieces += around
                for piece in around:
                    here = here.turned(piece.turn_right_deg)
            walked, here = along(grid.path(stops[room], stops[following]), here)
            pieces += walked
        route = Route(start, tuple(pieces))
    path = _first(film(route, VISITOR, HOME_FPS, rng))
    covered = (0.4 * SECONDS, 0.4 * SECONDS + COVERED_S) if seed % 2 else None
    name = f"home {seed}" + (", lens covered once" if covered else "")
    return _followed(name, home.scene, path, Camera.from_fov(480, 360, 70), rng, covered)


def place_rows(seed: int) -> list[Row]:
    rng = np.random.default_rng([seed, 80])
    outdoor = [place for place in (make_place(name, rng) for name in LAYOUTS) if not place.indoor]
    place = outdoor[seed % len(outdoor)]
    path = _first(film(rounds(place), Style(), PLACE_FPS, rng))
    name = f"{place.name} {seed}, {PLACE_FPS:g} fps"
    return _followed(name, place.scene, path, Camera.from_fov(640, 480, 75), rng, None)


def rounds(place: Place) -> Route:
    """Round and round the free ground of a place, to the left."""
    room = place.room
    sides = [min(10.0, size - 2 * SIDE_M) - 2 * CORNER_M for size in room.size]
    start = Heading.facing((room.x0 + SIDE_M + CORNER_M, room.y0 + SIDE_M), (room.x1, room.y0 + SIDE_M))
    round_ = [piece for side in sides for piece in (straight(side), bend(CORNER_M, -90.0))]
    laps = 1 + int(SECONDS * Style().speed / (2 * sum(piece.length for piece in round_)))
    return Route(start, tuple(round_ * 2 * laps))


def _seconds(route: Route) -> float:
    return route.length / VISITOR.speed + sum(piece.seconds for piece in route.pieces)


def _first(path: Path) -> Path:
    kept = path.times <= SECONDS
    return Path(path.times[kept], path.poses[kept])


def _frames(
    scene: Scene, path: Path, camera: Camera, rng: np.random.Generator, covered: tuple[float, float] | None
) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """A walk as a colour and depth camera records it: grain, and depth with noise, holes and short reach."""
    renderer = Renderer(scene, camera)
    for moment, pose in zip(path.times.tolist(), path.poses, strict=True):
        frame = renderer.render(pose)
        rgb = np.clip(np.rint(frame.rgb + rng.normal(0, GRAIN, frame.rgb.shape)), 0, 255).astype(np.uint8)
        true = np.where(np.isfinite(frame.depth), frame.depth, 0.0)
        depth = true + rng.normal(0, 1, true.shape) * (0.002 + 0.002 * true**2)
        depth[(rng.random(true.shape) < 0.03) | (true > 7)] = 0
        if covered is not None and covered[0] <= moment < covered[1]:
            rgb, depth = np.zeros_like(rgb), np.zeros_like(depth)
        yield moment, rgb, depth.astype(np.float32)


def _followed(
    name: str, scene: Scene, truth: Path, camera: Camera, rng: np.random.Generator,
    covered: tuple[float, float] | None,
) -> list[Row]:  # fmt: skip
    """The walk, followed by every method at once."""
    methods = [
        Method("RGB-D, loops not closed", RgbdOdometry(camera), True),
        Method("RGB-D", RgbdOdometry(camera), True),
        Method("RGB, loops not closed", RgbOdometry(camera), False),
        Method("RGB", RgbOdometry(camera), False),
    ]
    for method in methods[::2]:
        method.odometry.search = NoLoops()
    plain, plain_s = OrbPnp(camera), 0.0
    for moment, rgb, depth in _frames(scene, truth, camera, rng, covered):
        start = time.process_time()
        plain.step(rgb, depth)
        plain_s += time.process_time() - start
        for method in methods:
            method.step(moment, rgb, depth)
    still = Path(truth.times, np.repeat(np.eye(4)[None], len(truth), axis=0))
    rows = [_row(name, "standing still", still, truth, "se3", ("-", "-", "-"), 0.0)]
    walked = Path(truth.times, np.array(plain.poses))
    rows.append(_row(name, "ORB + PnP", walked, truth, "se3", ("-", "-", "-"), plain_s))
    for method in methods:
        made = method.odometry.result()
        maps = 1 + made.reasons.count(POSITION_GUESSED)
        apart = " apart" if method.odometry.maps.detached else ""
        told = (str(made.status.count("lost")), f"{maps}{apart}", made.problem[:48] or "-")
        alignment: Alignment = "se3" if method.with_depth else "sim3"
        rows.append(_row(name, method.name, made.path, truth, alignment, told, method.cpu_s))
    return rows


def _row(
    name: str,
    method: str,
    path: Path,
    truth: Path,
    alignment: Alignment,
    told: tuple[str, str, str],
    cpu_s: float,
) -> Row:
    error = compare(path, truth, alignment, 0.02)
    mine, true = matched(path, truth, 0.02)
    up = np.sum(mine.poses[:, 2, :3] * true.poses[:, 2, :3], axis=1)
    tilt = f"{np.degrees(np.median(np.arccos(np.clip(up, -1, 1)))):.1f}" if method.startswith("RGB") else "-"
    return (
        name, method, str(len(truth)), f"{truth.length:.0f}", f"{error.ate_rmse:.3f}",
        f"{100 * error.drift_per_metre:.1f}", f"{error.yaw_drift_deg:.1f}", tilt, *told,
        f"{1000 * cpu_s / len(truth):.0f}",
    )  # fmt: skip


if __name__ == "__main__":
    main()
