"""A set in shards while its driver and its workers are killed at random moments: it must end the same.

python -m benchmarks.scale_kills [--kills 20] [--seed 1]
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.scale import SmallestRecipe
from situ.benchmarks.making_shards import make_shards
from situ.runners.local import LocalRunner

RECIPE, SHARDS = SmallestRecipe(0.6, 9), 60
SCRIPT = (
    "from pathlib import Path; from benchmarks.scale_kills import RECIPE, SHARDS;"
    "from situ.benchmarks.making_shards import make_shards; from situ.runners.local import LocalRunner;"
    "make_shards(RECIPE, Path('set'), SHARDS, LocalRunner(2))"
)


def children_of(process: int) -> list[int]:
    """Its processes, by what the system says."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if int(words[1]) == process and b"spawn_main" in command:
                found.append(int(folder.name))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lots, killed = random.Random(given.seed), {"driver": 0, "worker": 0}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in (os.getcwd(), *sys.path) if p)}
    with tempfile.TemporaryDirectory() as folder:
        running = None
        while sum(killed.values()) < given.kills:
            if running is None or running.poll() is not None:
                if running is not None and running.returncode == 0:
                    break  # it was done before all kills
                running = subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=folder, env=environment)
                while not children_of(running.pid) and running.poll() is None:
                    time.sleep(0.05)
            time.sleep(lots.uniform(0.2, 3.0))
            workers = children_of(running.pid)
            if workers and lots.random() < 0.5:
                os.kill(lots.choice(workers), signal.SIGKILL)
                killed["worker"] += 1
            elif running.poll() is None:
                orphans = children_of(running.pid)
                running.kill()
                running.wait()
                for worker in orphans:
                    try:
                        os.kill(worker, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                killed["driver"] += 1
        if running is not None:
            running.wait()
        _, after = make_shards(RECIPE, Path(folder) / "set", SHARDS, LocalRunner(1))
        _, calm = make_shards(RECIPE, Path(folder) / "calm", SHARDS, LocalRunner(1))
        assert after is not None
        assert calm is not None
        left = [p.name for p in (Path(folder) / "set" / "shards").iterdir() if p.name.startswith(".")]
        same = after.dataset.manifest == calm.dataset.manifest
    print(json.dumps({"killed": killed, "same": same, "left_over": left}))
    sys.exit(0 if same and not left else 1)


if __name__ == "__main__":
    main()
