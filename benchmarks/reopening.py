"""Writers that are killed while they open, write or close: `python -m benchmarks.reopening [--kills N]`.

After every kill the file must open, to read or to write, and hold all that was committed. Prints one line of
JSON; a figure that is not 0 under "refused" or "lost" is a fault. Nothing is asserted.
"""

import argparse
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.faults import OPTIONS, frames_of
from situ.errors import SituError
from situ.memory import ObservedFrame, SpatialMemory

_BURST = 4  # frames between opening and closing


def reopenings(
    count: int, frames: Sequence[ObservedFrame], folder: Path, seed: int = 0
) -> dict[str, int | str]:
    """Kill writers that open, write a little and close, over and over, some beside a reader."""
    rng, path = random.Random(seed), folder / "reopened.situ"
    refused, lost, committed, said, begun, wrote = 0, 0, 0, "", 0, 0
    with SpatialMemory.create(
        ":memory:", OPTIONS
    ) as warm:  # so that no child spends its time on loading kernels
        for frame in frames:
            warm.observe(frame)
    for _ in range(count):
        if not path.exists():
            SpatialMemory.create(path, OPTIONS).close()
            committed, begun = 0, begun + 1
        ends, stop = _write_bursts(path, frames), 0
        if rng.random() < 0.5:
            stop = _read_often(path)
        time.sleep(rng.uniform(0.0, 0.12))
        for child in filter(None, (ends[0], stop)):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        last = _last_number(ends[1])
        committed, wrote = max(committed, last), wrote + (last > 0)
        try:
            with SpatialMemory.open(path, read_only=rng.random() < 0.5) as memory:
                lost += max(0, committed - memory.frames)
                whole = memory.frames + _BURST > len(frames)
        except SituError as error:
            refused, said, whole = refused + 1, str(error), True
        if whole:
            for file in folder.glob(path.name + "*"):
                file.unlink()
    return {"kills": count, "files": begun, "wrote": wrote, "refused": refused, "lost": lost, "said": said}


def _write_bursts(path: Path, frames: Sequence[ObservedFrame]) -> tuple[int, int]:
    """A process that writes, and a pipe on which it says how many frames are committed."""
    heard, tell = os.pipe()
    child = os.fork()
    if child:
        os.close(tell)
        return child, heard
    try:
        while True:
            with SpatialMemory.open(path) as memory:
                # Small enough that the log goes into the file at many moments.
                memory.store.connection.execute("PRAGMA wal_autocheckpoint = 5")
                for frame in frames[memory.frames : memory.frames + _BURST]:
                    memory.observe(frame)
                    memory.commit()
                    os.write(tell, memory.frames.to_bytes(4, "big"))
    finally:
        os._exit(0)


def _read_often(path: Path) -> int:
    child = os.fork()
    if child:
        return child
    try:
        while True:
            with SpatialMemory.open(path, read_only=True) as memory:
                memory.state().objects()
    finally:
        os._exit(0)


def _last_number(heard: int) -> int:
    with os.fdopen(heard, "rb") as pipe:
        numbers = pipe.read()
    whole = len(numbers) // 4 * 4
    return int.from_bytes(numbers[whole - 4 : whole], "big") if whole else 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reopening", description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(reopenings(given.kills, frames_of(given.seed), Path(folder), given.seed)))


if __name__ == "__main__":
    main()
