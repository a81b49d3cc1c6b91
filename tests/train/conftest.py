"""One small training set for all tests here."""

from pathlib import Path

import pytest

from shared import made_once
from situ.train.data_recipe import DataRecipe
from situ.train.make import make_training_set


@pytest.fixture(scope="session")
def training_set(_folders_in_common: None) -> Path:
    recipe = DataRecipe(rows=16, seed=3, fps=4.0)
    return (
        made_once("training-set", lambda folder: make_training_set(recipe, folder / "set") and None) / "set"
    )
