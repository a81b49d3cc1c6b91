"""One small set for all tests of UCS-Bench."""

from pathlib import Path

import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.ucs.recipe import UcsRecipe


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder: Path = tmp_path_factory.mktemp("ucs") / "set"
    return make_dataset(UcsRecipe(scale=0.001, seed=4, hours=0.2, width=160, height=120), folder)
