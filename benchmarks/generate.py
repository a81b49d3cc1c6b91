"""What it costs to make REM: time and peak memory against the number of trajectories."""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FULL_FRAMES = 3119 * sum((2, 4, 8, 16, 32, 64)) / 6

SCRIPT = """
import resource, sys
from pathlib import Path
from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe
dataset = make_dataset(RemRecipe(scale=int(sys.argv[1]) / 3119, seed=77), Path(sys.argv[2]), jobs=1)
frames = sum(len(dataset.recording(item)) for item in dataset.items)
print(frames, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def main() -> None:
    print("items  frames  CPU s  CPU ms/frame  wall s  peak MB")
    per_frame = 0.0
    for items in (6, 30, 62):
        with tempfile.TemporaryDirectory() as folder:
            start, used = time.perf_counter(), _cpu_seconds()
            command = [sys.executable, "-c", SCRIPT, str(items), str(Path(folder) / "set")]
            frames, peak = map(
                int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            )
            wall, cpu = time.perf_counter() - start, _cpu_seconds() - used
        per_frame = cpu / frames
        print(f"{items:5d}  {frames:6d}  {cpu:5.1f}  {1000 * per_frame:12.1f}  {wall:6.1f}  {peak:7d}")
    hours = per_frame * FULL_FRAMES / 3600
    print(
        f"full Baseline, {FULL_FRAMES:,.0f} frames: {hours:.2f} CPU-hours, so {hours / 2:.2f} h on two cores"
    )


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
