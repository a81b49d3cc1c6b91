"""Options have the defaults of the records that they fill."""

from dataclasses import MISSING, fields
from typing import Any

import pytest
import typer

from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.cli.app import app
from situ.cli.lazy_verbs import inner_verbs
from situ.evaluation.models.settings import ModelSettings
from situ.perception.plan import WatchPlan
from situ.train.data_recipe import DataRecipe
from situ.train.recipe import TrainRecipe

# Where the record has None, the command line may have 0 or an empty word.
FILLS: tuple[tuple[str, type[Any]], ...] = (
    ("watch", WatchPlan),
    ("make rem", RemRecipe),
    ("make saw", SawRecipe),
    ("make disjoint", DisjointRecipe),
    ("make ucs", UcsRecipe),
    ("make narratives", NarrativeRecipe),
    ("train data", DataRecipe),
    ("train run", TrainRecipe),
    ("eval", ModelSettings),
)
NAMES = {"depth_units": "depth_units_per_metre", "fov": "fov_deg", "again": "retry_failed"}


@pytest.mark.parametrize(("verb", "record"), FILLS, ids=[verb for verb, _ in FILLS])
def test_an_option_has_the_default_of_its_field(verb: str, record: type[Any]) -> None:
    command: Any = typer.main.get_command(app)
    for word in verb.split():
        command = inner_verbs(command)[word]
    defaults = {field.name: field.default for field in fields(record) if field.default is not MISSING}
    told = {
        NAMES.get(option.name, option.name): option.default
        for option in command.params
        if NAMES.get(option.name, option.name) in defaults
    }
    assert told  # some are shared
    differing = {
        name: (given, defaults[name]) for name, given in told.items() if not same(given, defaults[name])
    }
    assert not differing


def same(given: Any, default: Any) -> bool:
    """What is left unsaid on the command line is left to the record."""
    return given == default or not given or given == "none"
