"""Compiling ahead of time what would be compiled when it is first used."""

import tempfile
from pathlib import Path

from situ.api.evaluating import evaluate, make
from situ.kernels import kernels_folder
from situ.rendering.warm import compile_kernels


def warm() -> Path:
    """Compile every kernel, by drawing and remembering a few minutes of a day; gives where they are kept."""
    compile_kernels()
    with tempfile.TemporaryDirectory(prefix="situ-warm-") as folder:
        day = make("ucs", Path(folder) / "day", scale=0.001, seed=1, hours=0.1, questions=8)
        evaluate(day, "memory-noisy")
    return kernels_folder()
