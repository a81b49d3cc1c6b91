"""What a set of many small items costs: making it in shards, joining it, opening it.

    python -m benchmarks.scale 1000 10000 [--out FOLDER] [--jobs 2] [--per-shard 250]

An item is as small as a recording can be: three boxes, two frames without pictures, one question. So what is
measured is what every item costs, whatever is in it.
"""

import argparse
import json
import resource
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate, choose_evenly
from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.gather import gather
from situ.benchmarks.naming import item_numbers
from situ.benchmarks.shards import begin_shards, make_shard, missing_shards
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.recording import FrameRecord, ObjectRecord, Recording, RecordingWriter
from situ.runners.pool import spread, workers

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


def _shard(job: tuple[SmallestRecipe, int, int, Path]) -> float:
    recipe, number, count, out = job
    before = time.process_time()
    make_shard(recipe, out, number, count)
    return time.process_time() - before


def measure(items: int, out: Path, jobs: int, per_shard: int) -> dict[str, Any]:
    recipe, count = SmallestRecipe(items / 1000, 1), max(1, items // per_shard)
    begin_shards(recipe, out, count)
    wanted = [(recipe, number, count, out) for number in missing_shards(out, count)]
    start, cpu = time.perf_counter(), []
    with workers(jobs) as pool:
        for _, spent in spread(pool, _shard, wanted):
            cpu.append(spent)
            if len(cpu) % 20 == 0:
                print(
                    f"{len(cpu)} of {len(wanted)} shards, {1e3 * sum(cpu) / len(cpu) / per_shard:.2f} ms",
                    flush=True,
                )
    wall, before = time.perf_counter() - start, time.process_time()
    made = gather(out)
    gathered, before = time.process_time() - before, time.process_time()
    dataset = Dataset.open(out)
    first = dataset.recording(dataset.items[0])
    opened, before = time.process_time() - before, time.process_time()
    asked = len(dataset.questions)
    read = time.process_time() - before
    assert len(first) == 2
    third = max(1, len(cpu) // 3)
    return {
        "items": items,
        "shards": count,
        "made_here": len(cpu) * per_shard,
        "cpu_ms_per_item": 1e3 * sum(cpu) / max(1, len(cpu)) / per_shard,
        "cpu_ms_first_third": 1e3 * sum(cpu[:third]) / third / per_shard if cpu else None,
        "cpu_ms_last_third": 1e3 * sum(cpu[-third:]) / third / per_shard if cpu else None,
        "wall_s": wall,
        "gather_cpu_s": gathered,
        "open_cpu_s": opened,
        "questions_cpu_s": read,
        "questions": asked,
        "files": sum(1 for path in out.rglob("*") if path.is_file()),
        "bytes": sum(path.stat().st_size for path in out.rglob("*") if path.is_file()),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "peak_worker_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        "content_hash": made.dataset.manifest["content_hash"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", type=int, nargs="+")
    parser.add_argument("--out", type=Path, help="keep the sets here; one that was interrupted goes on")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--per-shard", type=int, default=250)
    given = parser.parse_args()
    for items in given.items:
        folder = given.out or Path(tempfile.mkdtemp(prefix="situ-scale-"))
        print(
            json.dumps(measure(items, folder / str(items), given.jobs, given.per_shard), indent=1), flush=True
        )
        if given.out is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
