"""Motion words: every class at five strengths of shake on fresh motions, and the real samples in words.

`SITU_BENCH_SEED` draws other motions. The real samples are read from SITU_REAL_DATA or ../shared/fixtures.
"""

import os
import sys
import tempfile
from pathlib import Path as File

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.append(str(File(__file__).parents[1] / "tests"))  # where the samples are found

import pytest

from real_data import real_data
from situ.geometry.path import Path
from situ.narrate.exercises import SHAKES, recognition
from situ.narrate.motion_words import describe_segments
from situ.narrate.motions import CLASSES
from situ.recording import Recording
from situ.recording.formats.research.aria import import_aria
from situ.recording.formats.research.hololens import import_hololens
from situ.recording.formats.research.tum import import_tum

EXERCISES = 400
# The HoloLens sample gives no times. At 15 frames a second its 9 metres are walked at 1.2 m/s.
HOLOLENS_FPS = 15.0


def main() -> None:
    console = Console(width=150)
    console.print(recognition_table(int(os.environ.get("SITU_BENCH_SEED", "1"))))
    console.print(real_table())


def recognition_table(seed: int) -> Table:
    table = Table(title=f"F1 of motion classes, {EXERCISES} fresh exercises each, seed {seed}")
    table.add_column("shake")
    for name in ("macro F1", "lowest", "class"):
        table.add_column(name, justify="left" if name == "class" else "right")
    for shake in SHAKES:
        scores = recognition(shake, np.random.default_rng([seed, *shake.name.encode()]), EXERCISES)
        lowest = min(CLASSES, key=lambda name: scores[name])
        table.add_row(
            shake.name, f"{np.mean(list(scores.values())):.3f}", f"{scores[lowest]:.3f}", f"{lowest}"
        )
    return table


def real_paths() -> dict[str, tuple[Path, float]]:
    """The samples' paths, and how long their segments are."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, seconds in (("aria_mps", 2.0), ("hololens_walk", 1.0), ("tum_fr1_rpy_mini", 1.0)):
            out = File(folder) / name
            try:
                source = real_data(name)
            except pytest.skip.Exception:
                continue
            if name == "hololens_walk":
                import_hololens(source, out, fps=HOLOLENS_FPS)
            else:
                {"aria_mps": import_aria, "tum_fr1_rpy_mini": import_tum}[name](source, out)
            found[name] = Recording.open(out).path, seconds
    return found


def real_table() -> Table:
    table = Table(title="real trajectories in words")
    for name in ("sample", "seconds", "frames", "what the camera does"):
        table.add_column(name)
    for name, (path, seconds) in real_paths().items():
        for told in describe_segments(path, seconds):
            frames = f"{path.index_at(told.start)}-{path.index_at(told.end)}"
            start, end = told.start - path.times[0], told.end - path.times[0]
            table.add_row(name, f"{start:.1f}-{end:.1f}", frames, told.text)
    return table


if __name__ == "__main__":
    main()
