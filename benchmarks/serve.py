"""A served memory under kills, load and nonsense: `python -m benchmarks.serve kills=50 load=300 fuzz=20000`.

Prints one line of JSON for each. A figure that is not 0 under "differs", "errors", "lost", "crashed",
"leaked" or "broken" is a fault. Nothing is asserted. Everything happens on the loopback, and ends by itself.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.serve_fuzz import fuzz
from benchmarks.serve_kills import kills
from benchmarks.serve_load import cost, load
from benchmarks.serve_stdio import stdio

_PARTS: dict[str, tuple[Callable[[int, Path], object], int]] = {
    "kills": (lambda n, folder: kills(n, folder, poses=True), 50),
    "odometry-kills": (lambda n, folder: kills(n, folder, poses=False), 50),
    "stdio": (stdio, 5),
    "cost": (cost, 300),
    "load": (load, 300),
    "fuzz": (fuzz, 20_000),
}


def main(arguments: list[str] | None = None) -> None:
    wanted = arguments or list(_PARTS)
    for part in wanted:
        name, _, count = part.partition("=")
        if name not in _PARTS:
            sys.exit(f"no part named {name}; there are {', '.join(_PARTS)}")
        run, usual = _PARTS[name]
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps({name: run(int(count or usual), Path(folder))}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
