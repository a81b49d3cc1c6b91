"""From a plan to a set of that size: the pilot's recipe, larger and from another seed."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.make import Recipe
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.errors import BadInput
from situ.evaluation.stats.power import Plan

RECIPES: dict[str, type[Any]] = {
    "rem": RemRecipe,
    "saw": SawRecipe,
    "disjoint": DisjointRecipe,
    "ucs": UcsRecipe,
    "sns": NarrativeRecipe,
}
_STEP = 1.02


def recipe_of(manifest: Mapping[str, Any]) -> Any:
    """The recipe that made a set."""
    benchmark, told = str(manifest["benchmark"]), dict(manifest.get("recipe", {}))
    kind = RECIPES.get(benchmark)
    if kind is None or "scale" not in told:
        raise BadInput(
            f"a {benchmark} set of this kind cannot be made larger; those made with --scale can: "
            f"{', '.join(RECIPES)}"
        )
    known = {field.name for field in fields(kind) if field.init}
    return kind(**{name: value for name, value in told.items() if name in known})


def powered_recipe(pilot: Dataset, plan: Plan, seed: int | None = None) -> Recipe:
    """A recipe for as many recordings as the plan asks for; never the pilot's own worlds."""
    recipe = recipe_of(pilot.manifest)
    fresh = recipe.seed + 1 if seed is None else seed
    if fresh == recipe.seed:
        raise BadInput(f"seed {fresh} is the pilot's own; a set from it would repeat the pilot's recordings")
    scale = recipe.scale * plan.recordings / max(1, len(pilot.items))
    larger = replace(recipe, scale=scale, seed=fresh)
    while len(larger.item_names()) < plan.recordings:  # numbers of items are rounded
        scale *= _STEP
        larger = replace(recipe, scale=scale, seed=fresh)
    made: Recipe = larger
    return made
