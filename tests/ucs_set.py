"""One small UCS set, made once for all tests that need one."""

from functools import cache
from pathlib import Path

from shared import made_once
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.ucs.recipe import UcsRecipe


@cache
def small_set() -> Dataset:
    """A stream of twelve minutes and some dozens of questions. It is for all: copy it before changing it."""

    def make(folder: Path) -> None:
        recipe = UcsRecipe(scale=0.001, seed=20, hours=0.2, width=160, height=120, questions=24)
        make_dataset(recipe, folder / "set")

    return Dataset.open(made_once("small-ucs", make) / "set")
