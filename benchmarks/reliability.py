"""Whether stated confidence is kept: answers about routes, directions and distances from estimated poses.

Footage is watched with odometry into a memory. Things are planted: each is seen in a few frames, just as the
true pose shows it and where the estimated one puts it, so that all that can be wrong is the path. RGB alone
has units of its own (it may take a desk for the floor) and measures things in them: those of the whole path
after Sim3; SITU_BENCH_METRIC=1 plants them in metres for RGB, too, as if somebody else had measured. Then
directions and distances of all things seen by then, and the direction between the ends of the walk, are asked
at several times of the stream and compared with those of the true path. At 0.9 or more stated, at least 92 %
must be right. SITU_BENCH_WALKS, SITU_BENCH_TOURS and SITU_BENCH_SEED choose generated footage; with
SITU_BENCH_REAL=0 the real samples are left out. Folders given as arguments (as for `benchmarks.odometry`) are
watched instead of all that.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path as File

import numpy as np
import pytest
from rich.console import Console
from rich.table import Table

from benchmarks.odometry import CAMERA, IDS, Clip, draw, home_tour, recording, rendered, there_and_back
from perception.odometry.real_clips import hololens_walk, tum_rpy
from situ.errors import Unanswerable
from situ.geometry.heading import Heading, named_way
from situ.geometry.path import Path
from situ.geometry.pose import inverse, transform
from situ.geometry.route import direction_between
from situ.geometry.trajectory import alignment_of, matched
from situ.language.focus import decide
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.observation import Observation
from situ.perception.odometry import RgbOdometry
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import OdometryPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame, Look
from situ.questions import DistanceFromHere, RouteDirection, WhereFromHere
from situ.questions.programs.tallies import CLOSE_M, CLOSE_SHARE
from situ.questions.select import Selector
from situ.worlds.places import LAYOUTS

EVERY = 6  # frames between two planted things
SEEN_IN = 3  # frames in a row
ASKED = 8  # times of each clip
SIZE = (0.1, 0.1, 0.1)
BINS = ((0.0, 0.5), (0.5, 0.75), (0.75, 0.9), (0.9, 1.01))
METRIC = os.environ.get("SITU_BENCH_METRIC", "0") != "0"
Said = tuple[str, float, bool]  # kind of question, confidence, right


class Planted:
    """An eye for things of which it is known where they truly are; it measures `units` for a metre."""

    def __init__(self, truth: Path, count: int, units: float) -> None:
        rng = np.random.default_rng(3)
        self.truth, self.units = truth, units
        self.spots = {}
        for first in range(0, count, EVERY):
            offset = (rng.uniform(-0.8, 0.8), rng.uniform(-0.2, 0.6), rng.uniform(1.2, 3.5))
            self.spots[first] = transform(truth.poses[first], offset)

    def look(self, look: Look) -> tuple[Observation, ...]:
        k = look.frame.index
        there = inverse(self.truth.poses[k])
        return tuple(
            Observation(
                f"thing{first}",
                tuple(transform(look.T_world_camera, self.units * transform(there, spot)).tolist()),
                1.0,
                0.03,
                size=SIZE,
            )
            for first, spot in self.spots.items()
            if first <= k < first + SEEN_IN
        )


def asked(clip: Clip, with_depth: bool) -> Iterator[Said]:
    """All questions to a clip, watched as it comes."""
    camera, frames, whole = clip
    moments = np.array([frame[0] for frame in frames])
    truth = Path(moments, np.array([whole.pose_at(moment + 1e-3) for moment in moments]))
    planted = Planted(truth, len(frames), 1.0 if with_depth or METRIC else units_of(clip))

    def read(after: int) -> Iterator[InputFrame]:
        for k in range(after + 1, len(frames)):
            depth = frames[k][2] if with_depth else None
            yield InputFrame(k, float(moments[k]), frames[k][1], depth)

    source = Source("clip", camera, read, with_depth, False, (camera.width, camera.height), len(frames))
    stops = set(np.linspace(0, len(frames) - 1, ASKED + 1).round().astype(int)[1:].tolist())
    with SpatialMemory.create(":memory:") as memory:
        watch = Watch(source, Stages(OdometryPoses(camera), (planted,)), MemorySink(memory))
        for frame in source.read(-1):
            watch._see(watch._locate(frame))
            if frame.index in stops:
                watch._keep(frame.index)
                yield from _asked_now(memory, planted, frame.index)


def units_of(clip: Clip) -> float:
    """What RGB odometry takes for a metre."""
    camera, frames, truth = clip
    odometry = RgbOdometry(camera)
    for moment, rgb, *_ in frames:
        odometry.step(float(moment), rgb)
    return 1.0 / alignment_of(*matched(odometry.result().path, truth, 0.02), "sim3").scale


def _asked_now(memory: SpatialMemory, planted: Planted, now: int) -> Iterator[Said]:
    state, truth = memory.state(), planted.truth
    here = Heading.of(truth.poses[now])
    for first, spot in planted.spots.items():
        if first > now:
            continue
        bearing, distance, _ = here.polar(spot)
        which = Selector.make(f"thing{first}", {})
        for kind, question, true in (
            ("direction", WhereFromHere(which), named_way(bearing, distance)[0]),
            ("distance", DistanceFromHere(which), distance),
        ):
            try:
                decision = decide(question, state)
            except Unanswerable:
                continue
            said = decision.answer.value
            if kind == "direction":
                right = said == true
            else:  # of the planted boxes the nearest point is told
                right = abs(float(said) - (distance - 0.05)) <= max(CLOSE_M, CLOSE_SHARE * float(said))
            yield kind, decision.confidence, right
    walked = Path(truth.times[: now + 1], truth.poses[: now + 1])
    for origin in ("start", "end"):
        decision = decide(RouteDirection(origin), state)
        yield "route", decision.confidence, decision.answer.value == direction_between(walked, origin).name


def footage() -> Iterator[tuple[str, Clip, tuple[bool, ...]]]:
    if sys.argv[1:]:
        for name in sys.argv[1:]:
            clip = recording(name)
            yield File(name).name, clip, (True, False) if len(clip[1][0]) == 3 else (False,)
        return
    seed = int(os.environ.get("SITU_BENCH_SEED", "1"))
    if os.environ.get("SITU_BENCH_REAL", "1") != "0":
        try:
            for name, clip in (("hololens_walk", hololens_walk()), ("tum_fr1_rpy_mini", tum_rpy())):
                yield name, clip, (True, False)
                yield f"{name}, there and back", there_and_back(*clip), (True, False)
        except pytest.skip.Exception as absent:
            print(f"real samples: {absent}")
    for number in range(int(os.environ.get("SITU_BENCH_WALKS", "2"))):
        layout, video = list(LAYOUTS)[number % len(LAYOUTS)], IDS[number % len(IDS)]
        film = draw(layout, video, seed, number)
        yield f"{layout} {video}", (CAMERA, list(rendered(film, seed + number)), film.takes[0].path), (False,)
    for k in range(seed, seed + int(os.environ.get("SITU_BENCH_TOURS", "0"))):
        yield f"home {k}", home_tour(k), (True,)


def main() -> None:
    console = Console(width=130)
    rows: dict[str, list[Said]] = defaultdict(list)
    for name, clip, depths in footage():
        for with_depth in depths:
            method = "RGB-D" if with_depth else "RGB"
            said = list(asked(clip, with_depth))
            rows[method] += said
            sure = [right for _, confidence, right in said if confidence >= 0.9]
            share = f"{100 * np.mean(sure):.1f} % right" if sure else "none"
            every = 100 * np.mean([right for *_, right in said])
            console.print(
                f"{name}, {method}: {len(said)} asked, {every:.1f} % right; at 0.9: {len(sure)}, {share}"
            )
    console.print(reliability(rows))


def reliability(rows: dict[str, list[Said]]) -> Table:
    table = Table(title="stated confidence and share of right answers (number asked)")
    for column in ("poses from", "question", *(f"{low:g} to {min(high, 1):g}" for low, high in BINS)):
        table.add_column(column)
    for method, said in rows.items():
        for kind in ("direction", "distance", "route"):
            cells = []
            for low, high in BINS:
                inside = [(c, right) for one, c, right in said if one == kind and low <= c < high]
                stated = np.mean([c for c, _ in inside]) if inside else 0.0
                right = np.mean([r for _, r in inside]) if inside else 0.0
                cells.append(f"{stated:.2f} -> {right:.2f} ({len(inside)})" if inside else "-")
            table.add_row(method, kind, *cells)
    return table


if __name__ == "__main__":
    main()
