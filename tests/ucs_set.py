"""One small UCS set, made once for all tests that need one."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.ucs.recipe import UcsRecipe


@cache
def small_set() -> Dataset:
    """A stream of twelve minutes and some dozens of questions."""
    folder = Path(tempfile.mkdtemp(prefix="situ-ucs-"))
    atexit.register(shutil.rmtree, folder, True)
    recipe = UcsRecipe(scale=0.001, seed=20, hours=0.2, width=160, height=120, questions=24)
    return make_dataset(recipe, folder / "set")
