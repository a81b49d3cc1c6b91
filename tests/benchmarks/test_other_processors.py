"""The same seed gives the same bytes, whatever instructions a processor has."""

import os
import platform
import subprocess
import sys

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

import situ

SMALL = {
    "disjoint": {"scale": 0.0005, "seed": 21, "width": 96, "height": 72, "fps": 0.5},
    "saw": {"scale": 0.001, "seed": 22, "width": 96, "height": 72, "fps": 2.0, "part": "routes"},
    "ucs": {"scale": 0.001, "seed": 23, "hours": 0.03, "questions": 10},
    "rem": {"scale": 0.01, "seed": 24, "variant": "mini", "width": 160, "height": 120},
}
MAKE = """
import sys, situ
for number, (name, options) in enumerate({0!r}.items()):
    print(situ.make(name, f"{{sys.argv[1]}}/{{number}}", **options).manifest["content_hash"])
"""


def test_a_processor_without_wide_vectors_makes_the_same_sets(tmp_path):
    """NumPy's sines and OpenBLAS's products, as older processors compute them, differ in the last bit."""
    present = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    if platform.machine() != "x86_64" or not present:
        pytest.skip("this processor has nothing that could be left out")
    here = [
        situ.make(name, tmp_path / name, **options).manifest["content_hash"]
        for name, options in SMALL.items()
    ]
    older = {"NPY_DISABLE_CPU_FEATURES": " ".join(present), "OPENBLAS_CORETYPE": "Prescott"}
    there = subprocess.run(
        [sys.executable, "-c", MAKE.format(SMALL), str(tmp_path / "there")],
        env={**os.environ, **older},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.split() == here
