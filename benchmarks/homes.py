"""What furnished homes and DISJOINT cost: building by size of the home, and making items by their number."""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.tours import tour

SCENES = 1668
SCRIPT = """
import resource, sys
from pathlib import Path
from situ.benchmarks.disjoint.recipe import SCENES, DisjointRecipe
from situ.benchmarks.make import make_dataset
dataset = make_dataset(DisjointRecipe(scale=int(sys.argv[1]) / SCENES, seed=77), Path(sys.argv[2]), jobs=1)
frames = sum(len(dataset.recording(item)) for item in dataset.items)
print(frames, len(dataset.questions), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def main() -> None:
    print("rooms  objects  build CPU s  tour CPU s  (mean of 5 seeds)")
    for rooms, objects in ((4, 50), (6, 85), (10, 150), (12, 180)):
        build, walk = np.mean([_home(rooms, objects, seed) for seed in range(5)], axis=0)
        print(f"{rooms:5d}  {objects:7d}  {build:11.2f}  {walk:10.2f}")
    print("scenes  frames  questions  CPU s  CPU s/scene  peak MB")
    per_scene = 0.0
    for scenes in (2, 4, 8):
        with tempfile.TemporaryDirectory() as folder:
            used = _cpu_seconds()
            command = [sys.executable, "-c", SCRIPT, str(scenes), str(Path(folder) / "set")]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            frames, questions, peak = map(int, output.split())
            cpu = _cpu_seconds() - used
        per_scene = cpu / scenes
        print(f"{scenes:6d}  {frames:6d}  {questions:9d}  {cpu:5.1f}  {per_scene:11.2f}  {peak:7d}")
    print(f"all {SCENES:,} scenes: {per_scene * SCENES / 3600:.1f} CPU-hours")


def _home(rooms: int, objects: int, seed: int) -> tuple[float, float]:
    rng = np.random.default_rng([seed, rooms])
    start = time.process_time()
    home = build_home(HomeSpec(rooms, objects), rng)
    built = time.process_time()
    tour(home, rng, fps=1.0)
    return built - start, time.process_time() - built


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
