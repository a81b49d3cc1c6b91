"""Small REM sets, made once for all tests of the folder."""

from pathlib import Path

import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe

SMALL = {"width": 120, "height": 80}


@pytest.fixture(scope="session")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_dataset(RemRecipe("mini", seed=31, **SMALL), tmp_path_factory.mktemp("rem") / "mini")


@pytest.fixture(scope="session")
def copy_of(tmp_path_factory: pytest.TempPathFactory):
    """A function that copies a set, so that a test may damage the copy."""
    import shutil

    def copy(dataset: Dataset) -> Path:
        target = tmp_path_factory.mktemp("copy") / "set"
        shutil.copytree(dataset.folder, target)
        return target

    return copy
