from dataclasses import replace
from pathlib import Path

import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.narratives.candidates import TASKS
from situ.benchmarks.narratives.check import check_item
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.evaluation.benchmark import BENCHMARKS
from situ.evaluation.check import check_dataset


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    recipe = NarrativeRecipe(scale=0.04, seed=6, width=160, height=120, pictures=False)
    folder: Path = tmp_path_factory.mktemp("narratives") / "set"
    return make_dataset(recipe, folder)


def test_every_key_is_derived_again_from_the_words(dataset: Dataset) -> None:
    result = check_dataset(dataset)
    assert result.disagreements == ()
    assert {row.task for row in dataset.questions} == set(TASKS)
    assert set(TASKS) == set(BENCHMARKS.find("sns").programs)


def test_every_wrong_key_is_found(dataset: Dataset) -> None:
    for item, rows in dataset.by_item():
        wrong = [replace(row, answer=next(o for o in row.options if o != row.answer)) for row in rows]
        assert len(check_item(dataset.recording(item), wrong)) == len(rows)
