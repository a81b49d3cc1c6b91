"""Options have the defaults of the records that they fill."""

from dataclasses import MISSING, dataclass, fields
from functools import partial
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.cli.app import app
from situ.cli.lazy_verbs import inner_verbs
from situ.cli.record_options import fills
from situ.evaluation.models.settings import ModelSettings

# Where the record has None, the command line may have 0 or an empty word.
FILLS: tuple[tuple[str, type[Any]], ...] = (
    ("make rem", RemRecipe),
    ("make saw", SawRecipe),
    ("make disjoint", DisjointRecipe),
    ("make ucs", UcsRecipe),
    ("make narratives", NarrativeRecipe),
    ("eval", ModelSettings),
)
NAMES = {"again": "retry_failed"}


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


@dataclass(frozen=True)
class Brewing:
    water_ml: Annotated[int, "--water", "Millilitres of water."]
    minutes: Annotated[float, "Minutes to wait."] = 4.0
    secret: str = "none"


def test_a_record_is_unfolded_into_options() -> None:
    told: list[Any] = []

    @fills(brewing=Brewing)
    def brew(tea: str, brewing: "partial[Brewing]", cups: int = 1) -> None:
        """Make tea."""
        told.extend([tea, brewing(secret="leaves"), brewing.keywords, cups])

    app_of_one = typer.Typer()
    app_of_one.command()(brew)
    shown = CliRunner().invoke(app_of_one, ["--help"], env={"COLUMNS": "100"}).output
    assert "--water" in shown
    assert "Minutes to wait." in shown
    assert "secret" not in shown
    assert CliRunner().invoke(app_of_one, ["green", "--water", "200"]).exit_code == 0
    assert told == ["green", Brewing(200, 4.0, "leaves"), {"water_ml": 200, "minutes": 4.0}, 1]
    assert CliRunner().invoke(app_of_one, ["green"]).exit_code == 2  # a field without a default is asked for
