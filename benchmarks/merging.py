"""Memories of one wearer merged into one: how long it takes, how large it gets, how much memory it needs.

    python -m benchmarks.merging [RECORDINGS ...] [--frames 1800] [--seed 7]

One long walk through one house is cut into recordings of so many frames, each a memory of its own; the first
so many of them are merged, each number in a process of its own.
"""

import argparse
import itertools
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.house import Plan, Stream
from benchmarks.scale import alone, peak_mib
from situ.memory import SpatialMemory, merge_all


def cut(folder: Path, recordings: int, frames: int, seed: int) -> None:
    """Memories 0000.situ and on."""
    stream = Stream(Plan(seconds=recordings * frames), seed, keep_all=False)
    walk = stream.frames()
    for number in range(recordings):
        with SpatialMemory.create(folder / f"{number:04d}.situ") as memory:
            for oracle in itertools.islice(walk, frames):
                memory.observe(oracle.exact())
            memory.commit()


def _merged(job: tuple[Path, int]) -> tuple[dict[str, Any], float, float]:
    folder, count = job
    sources = [folder / f"{number:04d}.situ" for number in range(count)]
    marks: list[float] = []
    start = time.process_time()
    out = folder / f"merged-{count}.situ"
    merged = merge_all(sources, out, progress=lambda done, total: marks.append(time.process_time() - start))
    with merged:
        spent, third = time.process_time() - start, max(1, count // 3)
        asked = time.process_time()
        things = len(merged.state().objects())
        told = {
            "recordings": count,
            "frames": merged.frames,
            "things": things,
            "cpu_s": spent,
            "frames_per_cpu_s_first_third": merged.frames
            / count
            * (third - 1)
            / (marks[third - 1] - marks[0])
            if third > 1
            else None,
            "frames_per_cpu_s_last_third": merged.frames / count * third / (marks[-1] - marks[-1 - third]),
            "state_s": time.process_time() - asked,
            "mb": out.stat().st_size / 1e6,
            "mb_of_sources": sum(source.stat().st_size for source in sources) / 1e6,
        }
    return told, spent, peak_mib()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("recordings", type=int, nargs="*", default=[4, 16, 64])
    parser.add_argument("--frames", type=int, default=1800)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="situ-merging-") as work:
        folder = Path(work)
        cut(folder, max(given.recordings), given.frames, given.seed)
        for count in given.recordings:
            told, _, peak = alone(_merged, (folder, count))
            print(json.dumps({**told, "peak_mib": peak}), flush=True)


if __name__ == "__main__":
    main()
