"""One set in shards, made by every runner while drivers, workers and nodes are killed at random moments.

    python -m benchmarks.scale_kills [--by local,s3,ray,slurm] [--kills 20] [--seed 1]

Each makes the set of that seed again and again until so many were killed; every time its content hash must be
that of the set made in peace, and nothing may be left over. A ground starts its own server or cluster, needs
what it is named after (moto and s3fs, ray, Debian's slurm-wlm), and kills nothing that is not its own.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.scale import SmallestRecipe
from benchmarks.scale_grounds import GROUNDS, Local
from situ.benchmarks.gather import Gathered
from situ.benchmarks.making_shards import make_one, make_shards
from situ.benchmarks.remote import missing_remote
from situ.benchmarks.shards import missing_shards
from situ.runners.local import LocalRunner
from situ.stores import url_of
from situ.tasks import Runner, runner_of

SHARDS = 40
ITEMS = 1200
PATIENCE_S = 15.0  # for one of a kind to appear
THIS = "benchmarks.scale_kills"


def recipe_of(seed: int) -> SmallestRecipe:
    return SmallestRecipe(ITEMS / 1000, seed)


def drive(by: str, out: str, seed: int) -> None:
    """What a user's command does: make what is missing, or hand it to the queue."""
    runner: Runner = (
        LocalRunner(2) if by == "local" else runner_of(by, 2, [f"folder={out}.slurm"] * (by == "slurm"))
    )
    command = [sys.executable, "-m", THIS, "--out", out, "--seed", str(seed)]
    make_shards(recipe_of(seed), Path(out), SHARDS, runner, command)


def _one_of(ground: Local, kind: str, driver: "subprocess.Popen[bytes]") -> list[Callable[[], None]]:
    """What may be killed of a kind just now."""
    if kind == "driver":
        return [driver.kill] if driver.poll() is None else []
    return ground.victims(driver.pid)[kind]


def disturbed(ground: Local, out: str, seed: int, lots: random.Random, most: int) -> Counter[str]:
    """Make one set while at most so many are killed."""
    killed: Counter[str] = Counter()
    environment = os.environ | ground.environment
    environment["PYTHONPATH"] = os.pathsep.join(p for p in (os.getcwd(), *sys.path) if p)
    command = [sys.executable, "-m", THIS, "--drive", ground.runner, "--out", out, "--seed", str(seed)]
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


def hash_of(made: Gathered | None) -> str:
    assert made is not None
    return str(made.dataset.manifest["content_hash"])


def trial(by: str, folder: Path, seed: int, kills: int, calm: str) -> dict[str, Any]:
    """By one ground until so many were killed: what was killed, and how many sets came out otherwise."""
    lots, killed = random.Random(f"{by} {seed}"), Counter[str]()
    sets = differ = left = 0
    ground = GROUNDS[by](folder)
    try:
        while killed.total() < kills:
            out = f"{ground.place}/{by}-{sets}"
            killed += disturbed(ground, out, seed, lots, kills - killed.total())
            after = hash_of(make_shards(recipe_of(seed), Path(out), SHARDS, LocalRunner(1))[1])
            sets += 1
            differ += after != calm
            if not url_of(out):
                left += sum(path.name.startswith(".") for path in (Path(out) / "shards").iterdir())
            print(f"{by}: {dict(killed)} in {sets} sets, {differ} differ", file=sys.stderr, flush=True)
    finally:
        ground.close()
    return {"killed": killed, "sets": sets, "differ": differ, "left_over": left}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--by", default="local", help=f"any of {', '.join(GROUNDS)}, with commas between")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
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
    grounds = given.by.split(",")
    if unknown := set(grounds) - set(GROUNDS):
        parser.error(f"--by knows {', '.join(GROUNDS)}, got {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="situ-kills-") as work:
        folder = Path(work)
        calm = hash_of(make_shards(recipe_of(given.seed), folder / "calm", SHARDS, LocalRunner(1))[1])
        told = {by: trial(by, folder, given.seed, given.kills, calm) for by in grounds}
    print(json.dumps({"seed": given.seed, "content_hash": calm, "by": told}))
    sys.exit(1 if any(one["differ"] or one["left_over"] for one in told.values()) else 0)


if __name__ == "__main__":
    main()
