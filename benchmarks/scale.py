"""What a set of many small items costs: making it in shards, joining it, opening it.

    python -m benchmarks.scale 1000 10000 [--kind smallest] [--out FOLDER] [--jobs 2] [--per-shard 250]
    python -m benchmarks.scale 1000 10000 100000 --in-turn 40

An item of the kind `smallest` is as small as a recording can be: three boxes, two frames without pictures,
one question. So what is measured is what every item costs, whatever is in it. One of the kind `rem` is one
picture of REM's variant `single` at 64 x 48, with its questions: the smallest item that `situ make` makes.

With --in-turn the sizes take turns, so many shards of each, in one process: a shard of the small set, one of
the next, one of the large, and again. A machine whose speed changes by the minute is then the same for all,
and what is left is what an item costs more in a larger set.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from situ.benchmarks.balance import Candidate, choose_evenly
from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.gather import gather
from situ.benchmarks.make import Recipe
from situ.benchmarks.naming import item_numbers
from situ.benchmarks.rem.cells import SIZES
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.shards import begin_shards, make_shard, missing_shards
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.pool import Pool, spread, workers
from situ.recording import FrameRecord, ObjectRecord, Recording, RecordingWriter

COLOURS = ("red", "green", "blue")


@dataclass(frozen=True)
class SmallestRecipe:
    scale: float = 1.0
    seed: int = 0
    benchmark: str = "smallest"

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def item_names(self) -> Sequence[str]:
        return item_numbers(round(1000 * self.scale), self.seed, self.benchmark)

    def make_item(self, number: int, folder: Path) -> None:
        rng = np.random.default_rng([self.seed, number])
        camera = Camera.from_fov(64, 48, 90)
        with RecordingWriter(
            folder, camera, images="none", fps=1, meta={"benchmark": self.benchmark}
        ) as writer:
            for i, colour in enumerate(COLOURS):
                x, y = rng.uniform(1, 9, 2)
                box = Box((float(x), float(y), 0.5), (0.5, 0.5, 1.0))
                writer.add_object(ObjectRecord(i + 1, "box", box, {"color": colour}))
            for index in range(2):
                writer.add_frame(FrameRecord(index, float(index), camera_pose((0.0, 0.0, 1.6), 45.0)))

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        far = [float(np.hypot(*thing.box.center[:2])) for thing in recording.objects.values()]
        key = COLOURS[int(np.argmin(far))]
        gap = float(np.diff(sorted(far))[0])
        row = QuestionRow(
            "", self.item_names()[number], "nearest", "Which box is nearest?", COLOURS, key, {}, gap, (0,)
        )
        return [(Candidate(number, 0, "nearest", "all", key), row)]

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        return choose_evenly(candidates, len(candidates), 1, np.random.default_rng([self.seed, 1]))


def small_walks(items: int) -> RemRecipe:
    """REM's single pictures at 64 x 48: what `situ make rem --variant single --size 64x48` makes."""
    return RemRecipe("single", scale=items / SIZES["single"].items, seed=1, width=64, height=48)


RECIPES: dict[str, Callable[[int], Recipe]] = {
    "smallest": lambda items: SmallestRecipe(items / 1000, 1),
    "rem": small_walks,
}


def _shard(job: tuple[Recipe, int, int, Path]) -> tuple[int, float, float]:
    recipe, number, count, out = job
    before = time.process_time()
    made = make_shard(recipe, out, number, count)
    return len(made.items), time.process_time() - before, peak_mib()


def _gather(out: Path) -> tuple[str, float, float]:
    before = time.process_time()
    made = gather(out)
    return made.dataset.manifest["content_hash"], time.process_time() - before, peak_mib()


def _open(out: Path) -> tuple[float, float, float]:
    before, wall = time.process_time(), time.perf_counter()
    dataset = Dataset.open(out)
    recording = dataset.recording(dataset.items[-1])
    assert len(recording) > 0
    return time.perf_counter() - wall, time.process_time() - before, peak_mib()


def _questions(out: Path) -> tuple[int, float, float]:
    before = time.process_time()
    asked = len(Dataset.open(out).questions)
    return asked, time.process_time() - before, peak_mib()


def peak_mib() -> float:
    """Of this process; getrusage tells a child of a large process its parent's size."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def alone(work: Callable[[Any], tuple[Any, float, float]], out: Any) -> tuple[Any, float, float]:
    """In a process of its own, so that its memory is its own."""
    with Pool(1) as pool:
        return cast(tuple[Any, float, float], pool.submit(work, out).result())


def measure(kind: str, items: int, out: Path, jobs: int, per_shard: int) -> dict[str, Any]:
    recipe, count = RECIPES[kind](items), max(1, items // per_shard)
    begin_shards(recipe, out, count)
    wanted = [(recipe, number, count, out) for number in missing_shards(out, count)]
    start = time.perf_counter()
    made: list[tuple[int, float, float]] = []
    with workers(jobs) as pool:
        for _, shard in spread(pool, _shard, wanted):
            made.append(shard)
            if len(made) % 20 == 0:
                print(
                    f"{len(made)} of {len(wanted)} shards, {_ms_per_item(made):.2f} CPU ms an item, "
                    f"{time.perf_counter() - start:.0f} s",
                    flush=True,
                )
    wall, third = time.perf_counter() - start, max(1, len(made) // 3)
    peak_driver = peak_mib()
    content, gather_cpu, gather_peak = alone(_gather, out)
    opened, open_cpu, open_peak = alone(_open, out)
    asked, questions_cpu, questions_peak = alone(_questions, out)
    files = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    return {
        "kind": kind,
        "items": items,
        "shards": count,
        "jobs": jobs,
        "made_here": sum(n for n, _, _ in made),
        "cpu_ms_per_item": _ms_per_item(made),
        "cpu_ms_first_third": _ms_per_item(made[:third]),
        "cpu_ms_last_third": _ms_per_item(made[-third:]),
        "wall_s": wall,
        "gather_cpu_s": gather_cpu,
        "open_and_first_recording_s": opened,
        "open_cpu_s": open_cpu,
        "questions": asked,
        "questions_cpu_s": questions_cpu,
        "files": len(files),
        "bytes": sum(files),
        "peak_mib": {
            "driver": peak_driver,
            "worker": max((peak for _, _, peak in made), default=0.0),
            "gather": gather_peak,
            "open": open_peak,
            "all questions": questions_peak,
        },
        "content_hash": content,
    }


def measure_in_turn(
    kind: str, sizes: Sequence[int], out: Path, shards: int, per_shard: int
) -> dict[str, Any]:
    """CPU of an item in sets of several sizes, so many shards of each; small sets are made anew when full."""
    spent: dict[int, list[float]] = {items: [] for items in sizes}
    recipes = {items: RECIPES[kind](items) for items in sizes}
    for turn in range(-1, shards):  # the first turn imports and compiles, and is not counted
        first = turn % len(sizes)  # nobody is always first
        for items in (*sizes[first:], *sizes[:first]):
            count = max(1, items // per_shard)
            copy, number = divmod(max(turn, 0), count)
            folder = out / (f"warm-{items}" if turn < 0 else f"{kind}-{items}-{copy}")
            made, cpu, _ = _shard((recipes[items], number, count, folder))
            if turn >= 0:
                spent[items].append(1e3 * cpu / made)
    told = {}
    for items, each in spent.items():
        ratios = np.array(each) / np.array(spent[sizes[0]])
        told[str(items)] = {
            "cpu_ms_per_item": float(np.mean(each)),
            "median": float(np.median(each)),
            f"times_{sizes[0]}": float(np.median(ratios)),
            "standard_error": float(np.std(ratios) / len(ratios) ** 0.5),
        }
    return {"kind": kind, "shards_each": shards, "per_shard": per_shard, "sizes": told}


def _ms_per_item(made: Sequence[tuple[int, float, float]]) -> float | None:
    """The first shards of each process also import and compile, as they do for a user."""
    return 1e3 * sum(cpu for _, cpu, _ in made) / sum(n for n, _, _ in made) if made else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=int, nargs="+")
    parser.add_argument("--out", type=Path, help="keep the sets here; one that was interrupted goes on")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--per-shard", type=int, default=250)
    parser.add_argument("--in-turn", type=int, metavar="SHARDS", help="so many shards of each size, by turns")
    parser.add_argument("--kind", choices=sorted(RECIPES), default="smallest")
    given = parser.parse_args()
    if given.in_turn:
        with tempfile.TemporaryDirectory(prefix="situ-scale-") as work:
            out = Path(work)
            print(json.dumps(measure_in_turn(given.kind, given.items, out, given.in_turn, given.per_shard)))
        return
    for items in given.items:
        folder = given.out or Path(tempfile.mkdtemp(prefix="situ-scale-"))
        told = measure(given.kind, items, folder / f"{given.kind}-{items}", given.jobs, given.per_shard)
        print(json.dumps(told, indent=1), flush=True)
        if given.out is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
