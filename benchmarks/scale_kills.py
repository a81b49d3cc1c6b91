"""Sets in shards while drivers, workers and nodes are killed at random moments: each must end the same.

    python -m benchmarks.scale_kills [--by local] [--kills 20] [--seed 1] [--store s3://BUCKET/PLACE]

By `local` (with --store into that store), `ray` (a cluster of its own with two nodes) or `slurm` (the one of
SLURM_CONF; --slurmd is the command that starts its node again). Set after set is made until so many were
killed; each is compared with one that was left in peace.
"""

import argparse
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.scale import SmallestRecipe
from situ.benchmarks.making_shards import make_one, make_shards
from situ.benchmarks.remote import missing_remote
from situ.benchmarks.shards import missing_shards
from situ.runners.local import LocalRunner
from situ.runners.task import Runner, runner_of
from situ.stores import url_of

SHARDS = 40
ITEMS = 1200
PATIENCE_S = 4.0  # for one of a kind to appear
THIS = "benchmarks.scale_kills"
Victims = dict[str, list[Callable[[], None]]]


def recipe_of(seed: int) -> SmallestRecipe:
    return SmallestRecipe(ITEMS / 1000, seed)


def drive(by: str, out: str, seed: int) -> None:
    """What a user's command does: make what is missing, or hand it to the queue."""
    runner: Runner = (
        LocalRunner(2) if by == "local" else runner_of(by, 2, [f"folder={out}.slurm"] * (by == "slurm"))
    )
    command = [sys.executable, "-m", THIS, "--out", out, "--seed", str(seed)]
    make_shards(recipe_of(seed), Path(out), SHARDS, runner, command)


def processes(wanted: Callable[[int, bytes], bool]) -> list[int]:
    """Those whose parent and command line are wanted."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if wanted(parent, (folder / "cmdline").read_bytes()):
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


def kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


class Local:
    """Processes of this machine, into a folder or a store."""

    kinds: tuple[str, ...] = ("driver", "worker")

    def __init__(self) -> None:
        self.environment: dict[str, str] = {}

    def victims(self, driver: int) -> Victims:
        workers = processes(lambda parent, words: parent == driver and b"spawn_main" in words)
        return {"worker": [lambda p=p: kill(p) for p in workers]}  # type: ignore[misc]

    def busy(self) -> bool:
        return False

    def close(self) -> None:
        return


class Ray(Local):
    kinds = ("driver", "worker", "node")

    def __init__(self) -> None:
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # on a busy machine
        from ray.cluster_utils import Cluster

        self._cluster: Any = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        self._nodes = [self._cluster.add_node(num_cpus=1)]
        self.environment = {"RAY_ADDRESS": self._cluster.address}

    def victims(self, driver: int) -> Victims:
        workers = processes(lambda parent, words: words.startswith(b"ray::"))
        return {"worker": [lambda p=p: kill(p) for p in workers], "node": [self._lose_node]}  # type: ignore[misc]

    def _lose_node(self) -> None:
        self._cluster.remove_node(self._nodes.pop(), allow_graceful=False)
        self._nodes.append(self._cluster.add_node(num_cpus=1))

    def close(self) -> None:
        self._cluster.shutdown()


class Slurm(Local):
    kinds = ("driver", "worker", "node")

    def __init__(self, slurmd: str) -> None:
        super().__init__()
        self._slurmd = shlex.split(slurmd)

    def victims(self, driver: int) -> Victims:
        workers = processes(lambda parent, words: THIS.encode() in words and b"--shard" in words)
        nodes = [self._lose_node] if self._slurmd else []
        return {"worker": [lambda p=p: kill(p) for p in workers], "node": list(nodes)}  # type: ignore[misc]

    def _lose_node(self) -> None:
        for process in processes(lambda parent, words: words.startswith((b"slurmd", b"slurmstepd"))):
            kill(process)
        for process in processes(lambda parent, words: THIS.encode() in words and b"--shard" in words):
            kill(process)
        subprocess.run(self._slurmd, check=True)

    def busy(self) -> bool:
        told = subprocess.run(
            ["squeue", "-h", "-n", "situ"], capture_output=True, text=True, check=True
        ).stdout
        return bool(told.strip())


def _one_of(ground: Local, kind: str, driver: "subprocess.Popen[bytes]") -> list[Callable[[], None]]:
    """What may be killed of a kind just now."""
    if kind == "driver":
        return [driver.kill] if driver.poll() is None else []
    return ground.victims(driver.pid)[kind]


def disturbed(ground: Local, by: str, out: str, seed: int, lots: random.Random, most: int) -> Counter[str]:
    """Make one set while at most so many are killed."""
    killed: Counter[str] = Counter()
    environment = os.environ | ground.environment
    environment["PYTHONPATH"] = os.pathsep.join(p for p in (os.getcwd(), *sys.path) if p)
    command = [sys.executable, "-m", THIS, "--drive", by, "--out", out, "--seed", str(seed)]
    url = url_of(out)
    while missing_remote(url, SHARDS) if url else missing_shards(Path(out), SHARDS):
        driver = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        kind, since = lots.choice(ground.kinds), time.monotonic()
        while driver.poll() is None or ground.busy():
            if killed.total() >= most or not _one_of(ground, kind, driver):
                time.sleep(0.1)
                if time.monotonic() - since > PATIENCE_S:
                    kind, since = lots.choice(ground.kinds), time.monotonic()
                continue
            time.sleep(lots.uniform(0.0, 2.0))  # in the middle of whatever it does
            if found := _one_of(ground, kind, driver):
                lots.choice(found)()
                killed[kind] += 1
                kind, since = lots.choice(ground.kinds), time.monotonic()
    return killed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--by", choices=("local", "ray", "slurm"), default="local")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", default="")
    parser.add_argument("--slurmd", default="")
    parser.add_argument("--drive", help=argparse.SUPPRESS)
    parser.add_argument("--out", help=argparse.SUPPRESS)
    parser.add_argument("--shard", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.drive:
        drive(given.drive, given.out, given.seed)
        return
    if given.shard is not None:
        make_one((recipe_of(given.seed), Path(given.out), given.shard, SHARDS))
        return
    ground = Ray() if given.by == "ray" else Slurm(given.slurmd) if given.by == "slurm" else Local()
    lots, killed, sets, other, left = random.Random(given.seed), Counter[str](), 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="situ-kills-") as folder:
        while killed.total() < given.kills:
            seed = given.seed + sets
            out = f"{given.store}/{seed}" if given.store else f"{folder}/{seed}"
            killed += disturbed(ground, given.by, out, seed, lots, given.kills - killed.total())
            _, after = make_shards(recipe_of(seed), Path(out), SHARDS, LocalRunner(1))
            _, calm = make_shards(recipe_of(seed), Path(folder) / f"calm-{seed}", SHARDS, LocalRunner(1))
            assert after is not None
            assert calm is not None
            sets += 1
            other += after.dataset.manifest["content_hash"] != calm.dataset.manifest["content_hash"]
            if not given.store:
                left += sum(path.name.startswith(".") for path in (Path(out) / "shards").iterdir())
            print(f"{dict(killed)} in {sets} sets, {other} differ", file=sys.stderr, flush=True)
    ground.close()
    print(json.dumps({"by": given.by, "killed": killed, "sets": sets, "differ": other, "left_over": left}))
    sys.exit(1 if other or left else 0)


if __name__ == "__main__":
    main()
