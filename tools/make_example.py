"""The memory that comes with the package, for `situ ask --example`: a walk of 32 s among coloured solids.

    python tools/make_example.py

Run it again when the format of memories changes; tests/api/test_example.py says so.
"""

import tempfile
from pathlib import Path

import situ
from situ.api.example import example
from situ.evaluation.participants.memory import STILL_WORLD, remember_solids

SEED, WALK = 1, "000006"  # a walk that ends with its back to the blue sphere
PICTURE_WIDTH = 160  # pixels: the whole file stays below 300 kB, which travels with every installation


def main() -> None:
    out = example()
    out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        walks = situ.make("rem", folder, variant="mini", scale=0.4, seed=SEED, width=480, height=320)
        with situ.Memory.create(out, STILL_WORLD) as memory:
            remember_solids(walks.recording(WALK), memory, picture_width=PICTURE_WIDTH)
    print(f"{out}: {Path(out).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
