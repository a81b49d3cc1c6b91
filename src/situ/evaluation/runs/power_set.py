"""From a plan to a set of that size: the pilot's recipe, larger and from another seed."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import Recipe
from situ.errors import BadInput
from situ.evaluation.benchmark import BENCHMARKS
from situ.evaluation.stats.power import Plan

_STEP = 1.02


def recipe_of(manifest: Mapping[str, Any]) -> Any:
    """The recipe that made a set: a record with `scale` and `seed`, as its benchmark makes one."""
    name, options = str(manifest["benchmark"]), dict(manifest.get("recipe", {}))
    make = BENCHMARKS.find(name).make
    recipe: Any = make() if make is not None and "scale" in options else None
    if not is_dataclass(recipe) or isinstance(recipe, type):
        raise BadInput(
            f"a {name} set of this kind cannot be made larger; those can that `situ make` makes with --scale"
        )
    known = {field.name for field in fields(recipe) if field.init}
    return replace(recipe, **{name: value for name, value in options.items() if name in known})


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
