"""`situ power`: how much to generate."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.make import Recipe
from situ.cli import make
from situ.cli.common import JsonFlag, console, print_json
from situ.cli.make_options import Making
from situ.errors import BadInput
from situ.evaluation.runs.power_set import powered_recipe
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.stats.power import Plan, plan, plan_from_runs


def power(
    detect: Annotated[float, typer.Option(help="Difference to detect, in percentage points.")] = 3.0,
    per_recording: Annotated[
        int, typer.Option(help="Questions per recording; 0: as many as the pilot has.")
    ] = 0,
    pilot: Annotated[
        list[Path] | None,
        typer.Option(help="One or two runs on a small set; with two, their disagreement is measured."),
    ] = None,
    correlation: Annotated[float, typer.Option(help="Intra-cluster correlation without a pilot.")] = 0.1,
    discordant: Annotated[float, typer.Option(help="Share of questions only one system gets right.")] = 0.3,
    make_at: Annotated[
        Path | None,
        typer.Option(
            "--make", help="Make a set of this size in this folder, with the recipe of the pilot's set."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of that set; by default the pilot's plus one.")
    ] = None,
    power: Annotated[float, typer.Option(help="Probability of finding the difference if it exists.")] = 0.8,
    as_json: JsonFlag = False,
) -> None:
    """Compute how many recordings and questions you need to tell two systems apart."""
    runs = [Run.open(folder) for folder in pilot or ()]
    if runs:
        result = plan_from_runs(detect / 100, [run.records for run in runs], per_recording, power)
    else:
        result = plan(detect / 100, per_recording or 5, correlation, discordant, power)
    recipe = _recipe(runs, result, seed) if make_at else None
    if as_json:
        print_json({**asdict(result), "questions": result.questions})
    else:
        _tell(detect, power, result, len({record.item for record in runs[0].records}) if runs else 0)
    if make_at and recipe:
        make.run(recipe, Making(make_at, as_json=as_json))


def _recipe(runs: list[Run], result: Plan, seed: int | None) -> Recipe:
    if not runs:
        raise BadInput("--make needs a --pilot: the new set is made by the pilot's recipe")
    dataset = runs[0].dataset()
    if dataset is None:
        raise BadInput(f"the question set of {runs[0].folder} is not at {runs[0].card['dataset']} any more")
    return powered_recipe(dataset, result, seed)


def _tell(detect: float, power: float, result: Plan, items: int) -> None:
    console.print(
        f"To find a difference of {detect:g} points with a power of {100 * power:.0f} % (two-sided, 5 %): "
        f"{result.recordings} recordings with {result.per_recording} questions each, "
        f"{result.questions} in all.",
    )
    console.print(
        f"Taken: intra-cluster correlation {result.correlation:.3f}, "
        f"discordant share {result.discordant:.2f}, "
        f"design effect {result.design_effect:.2f}.",
    )
    if items:
        console.print(
            f"The pilot has {items} recordings: make the set with --scale {result.recordings / items:.2f} "
            "times the pilot's.",
        )
