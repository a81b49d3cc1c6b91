"""Figures of the spatial memory: `python -m benchmarks.memory FIGURE`, one of accuracy, robustness, speed,
long, calibration, stress and neutral.

Streams are those of `benchmarks.house`: an hour at one frame a second, 500 things in 16 rooms, at most 15
seen in a frame. Tables go to stdout as JSON lines, progress to stderr. CPU time is that of this process.
"""

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.house import Plan, Stream
from benchmarks.memory_neutral import neutral
from benchmarks.memory_plot import draw_calibration
from benchmarks.memory_scores import Scores, reliability, run
from benchmarks.memory_stress import FAMILIES, stress
from benchmarks.memory_stress import SEEDS as STRESS_SEEDS
from situ.api.warming import compile_rare
from situ.geometry.heading import Heading
from situ.language import Memory
from situ.memory import MemoryState
from situ.perception import Noise, Oracle
from situ.questions import Count, Selector

SEEDS = (501, 502, 503)  # not looked at during development
USUAL = Noise(miss=0.1, false_positive=0.05, depth_m=0.05, depth_share=0.02, drift=0.01, drift_yaw_deg=0.05)
CURVES: dict[str, list[Noise]] = {
    "miss": [Noise(miss=x) for x in (0.05, 0.1, 0.2, 0.4)],
    "false_positive": [Noise(false_positive=x) for x in (0.02, 0.05, 0.1, 0.2)],
    "confuse": [Noise(confuse=x) for x in (0.02, 0.05, 0.1, 0.2)],
    "depth": [Noise(depth_m=x, depth_share=0.4 * x) for x in (0.02, 0.05, 0.1, 0.2)],
    "drift": [Noise(drift=x, drift_yaw_deg=5 * x) for x in (0.005, 0.01, 0.02, 0.05)],
    "all, usual": [USUAL],
}
LONG_FRAMES = 612_000
_BATCH = 500


def accuracy() -> None:
    """Exact input, fresh seeds."""
    _print_scores("accuracy", {"seeds": list(SEEDS)}, [run(Plan(), seed, None) for seed in SEEDS])


def robustness() -> None:
    """One curve for each source of noise, and all of them at once."""
    for name, levels in CURVES.items():
        for noise in levels:
            seeds = SEEDS if name.startswith("all") else SEEDS[:1]
            print(f"robustness: {name}", file=sys.stderr, flush=True)
            scores = [run(Plan(), seed, noise) for seed in seeds]
            given = {key: value for key, value in vars(noise).items() if value}
            _print_scores("robustness", {"source": name, **given}, scores)


def calibration(out: Path | None = None) -> None:
    """Stated probabilities against how often they are right, and what abstaining buys; drawn if `out`."""
    scores = [run(Plan(), seed, noise) for seed in SEEDS for noise in (None, USUAL)]
    table = reliability([pair for score in scores for pair in score.stated])
    _print("calibration", **table)
    if out is not None:
        out.write_text(draw_calibration(table), encoding="utf-8")


def speed(frames: int = 50_000) -> None:
    """Ingest in frames for each second of CPU time, at the start and after many frames."""
    with tempfile.TemporaryDirectory() as folder:
        _long_run(Path(folder) / "speed.situ", frames, "speed")


def long(frames: int = LONG_FRAMES) -> None:
    """170 hours in one run: rate, latency of questions, memory of the process, bytes on disk."""
    with tempfile.TemporaryDirectory() as folder:
        _long_run(Path(folder) / "long.situ", frames, "long")


def _long_run(path: Path, frames: int, name: str) -> None:
    hours = max(1, frames // 3600)
    plan = Plan(
        moved=min(200, 60 * hours), carried=min(100, 30 * hours), removed=20, added=15, seconds=frames
    )
    stream = Stream(plan, SEEDS[0], keep_all=False)
    marks = [m for m in (600, 3600, 14_400, 50_000, 150_000, 300_000, LONG_FRAMES) if m <= frames]
    if not marks or marks[-1] != frames:
        marks.append(frames)
    warm_up()
    memory = Memory.create(path)
    observations, done = 0, 0
    spent: list[float] = []
    for batch in _batches(stream.frames()):
        ready = [oracle.exact() for oracle in batch]
        observations += sum(len(frame.observations) for frame in ready)
        start = time.process_time()
        for frame in ready:
            memory.observe(frame)
        spent.append(time.process_time() - start)
        done += len(ready)
        while marks and done >= marks[0]:
            memory.commit()
            memory.store.fold()
            recent = spent[-4:]
            _print(
                name,
                frames=done,
                frames_per_cpu_s=round(_BATCH * len(recent) / sum(recent)),
                observations_per_frame=round(observations / done, 1),
                query_ms=_query_times(memory, stream),
                resident_mb=_resident_mb(),
                bytes_per_observation=round(path.stat().st_size / observations, 1),
                objects=len(memory.state().objects()),
                true_objects=len(stream.seen),
                load=round(os.getloadavg()[0], 1),
            )
            marks.pop(0)
    memory.close()


def warm_up() -> None:
    """Load the compiled code, which is no part of any figure; what is called for once an hour as well."""
    compile_rare()
    memory = Memory.create(":memory:")
    for oracle in Stream(Plan(rooms=2, objects=40, moved=2, carried=2, seconds=120, calm=30), 1).frames():
        memory.observe(oracle.exact())
    memory.close()


def _batches(frames: Iterator[Oracle]) -> Iterator[list[Oracle]]:
    batch: list[Oracle] = []
    for oracle in frames:
        batch.append(oracle)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _query_times(memory: Memory, stream: Stream, asked: int = 60) -> dict[str, float]:
    """CPU milliseconds of whole questions: the state is built anew for each."""
    rng = np.random.default_rng(3)
    numbers = sorted(stream.seen)
    spent: dict[str, list[float]] = {"now": [], "past": [], "ask": []}
    for k in range(asked):
        number = numbers[int(rng.integers(len(numbers)))]
        name, colour = stream.house.categories[number - 1], stream.house.colours[number - 1]
        which = Selector.make(name, {"colour": colour})
        for kind, at in (("now", None), ("past", float(rng.uniform(0.1, 0.9)) * memory.now)):
            start = time.process_time()
            _where(memory.state() if at is None else memory.state(at=at), which, count=k % 2 == 0)
            spent[kind].append((time.process_time() - start) * 1000)
        start = time.process_time()
        memory.ask(f"where is the {colour} {name}")
        spent["ask"].append((time.process_time() - start) * 1000)
    return {
        f"p{share} {kind}": round(float(np.percentile(values, share)), 2)
        for kind, values in spent.items()
        for share in (50, 95)
    }


def _where(state: MemoryState, which: Selector, count: bool) -> None:
    """Which way, how far and how long ago; or how many."""
    if count:
        Count(which).answer(state)
        return
    heading = Heading.of(state.pose)
    for view in which.select(state):
        heading.bearing_deg(view.box.center)
        heading.ground_distance(view.box.center)
        state.sightings(view.id)[-1]
        state.keyframes(view.id)


def _resident_mb() -> int:
    """What the process holds now; the peak where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return round(pages * resource.getpagesize() / 2**20)


def _print_scores(name: str, given: dict[str, object], scores: list[Scores]) -> None:
    total = Scores()
    for score in scores:
        total.counts += score.counts
        total.nodes += score.nodes
        total.true_seen += score.true_seen
        total.recalled += score.recalled
        total.leaks += score.leaks
    seen = {"nodes": total.nodes, "true_objects_seen": total.true_seen}
    past = {"asked_as_of_earlier": total.recalled, "future_leaks": total.leaks}
    _print(name, **given, **seen, **past, **total.table())


def _print(name: str, **figures: object) -> None:
    print(json.dumps({"figure": name, **figures}), flush=True)


def main() -> None:
    known = {"accuracy": accuracy, "robustness": robustness, "speed": speed, "long": long}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("figures", nargs="*", default=["accuracy", "speed"], metavar="FIGURE")
    parser.add_argument("--out", type=Path, help="SVG file for the drawing of `calibration`")
    parser.add_argument(
        "--seeds", type=int, nargs="+", default=STRESS_SEEDS, help="of `stress` and `neutral`"
    )
    parser.add_argument("--hours", type=float, default=1.0, help="of `neutral`")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, metavar="FAMILY", help="of `stress`")
    parser.add_argument("--slips", action="store_true", help="print what `stress` found sure and wrong")
    given = parser.parse_args()
    for name in given.figures:
        if name == "calibration":
            calibration(given.out)
        elif name == "stress":
            stress(given.seeds, given.families, given.slips)
        elif name == "neutral":
            for noisy in (False, True):
                neutral(given.seeds, given.hours, noisy)
        elif name in known:
            known[name]()
        else:
            names = ", ".join([*known, "calibration", "stress", "neutral"])
            parser.error(f"unknown figure '{name}'; choose from {names}")


if __name__ == "__main__":
    main()
