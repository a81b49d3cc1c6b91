"""A plan becomes a recipe of at least that size, with other worlds than the pilot's."""

from pathlib import Path

import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.errors import BadInput
from situ.evaluation.runs.power_set import powered_recipe, recipe_of
from situ.evaluation.stats.power import plan


def pilot(recipe: RemRecipe | SawRecipe | DisjointRecipe) -> Dataset:
    items = dict.fromkeys(recipe.item_names(), "")
    manifest = {"benchmark": recipe.benchmark, "recipe": recipe.describe(), "items": items}
    return Dataset(Path("nowhere"), manifest)


@pytest.mark.parametrize(
    "recipe", [RemRecipe("mini", seed=3), SawRecipe(0.03, seed=4), DisjointRecipe(0.01, seed=5)]
)
def test_the_new_set_is_large_enough_and_has_other_worlds(
    recipe: RemRecipe | SawRecipe | DisjointRecipe,
) -> None:
    assert recipe_of(pilot(recipe).manifest) == recipe
    wanted = plan(0.03, 5)
    made = powered_recipe(pilot(recipe), wanted)
    assert wanted.recordings <= len(made.item_names()) <= 1.2 * wanted.recordings + 20
    assert made.describe()["seed"] == recipe.seed + 1
    assert {**made.describe(), "scale": 0, "seed": 0} == {**recipe.describe(), "scale": 0, "seed": 0}


def test_what_cannot_grow_or_would_repeat_the_pilot_is_refused() -> None:
    with pytest.raises(BadInput, match="repeat the pilot"):
        powered_recipe(pilot(RemRecipe("mini", seed=3)), plan(0.05, 5), seed=3)
    with pytest.raises(BadInput, match="cannot be made larger"):
        recipe_of({"benchmark": "vsi", "recipe": {"rooms": 3}})
