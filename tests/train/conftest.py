"""One small training set for all tests here."""

from pathlib import Path

import pytest

from situ.train.data_recipe import DataRecipe
from situ.train.make import make_training_set


@pytest.fixture(scope="session")
def training_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("train") / "set"
    make_training_set(DataRecipe(rows=16, seed=3, fps=4.0), folder)
    return folder
