"""`situ make`: generate a benchmark."""

import os
from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.disjoint.real import RealDisjointRecipe
from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.make import Recipe, make_dataset
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.redraw import SITU, drawn_by
from situ.benchmarks.rem.recipe import VARIANTS, RemRecipe
from situ.benchmarks.saw.plan import PARTS
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.evidence import PIXELS, frame_size, write_evidence
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.benchmarks.vsi.recipe import VsiRecipe
from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.cli.make_options import Force, Jobs, Out, Renderer, Samples, Scale, Seed, command_of
from situ.errors import BadInput
from situ.evaluation.benchmark import BENCHMARKS

app = typer.Typer(
    add_completion=False,
    help="Generate a benchmark: recordings, questions and keys, fresh from any seed.",
    no_args_is_help=True,
)


@app.command()
def rem(
    out: Out,
    variant: Annotated[str, typer.Option(help=f"One of {', '.join(VARIANTS)}.")] = "baseline",
    compat: Annotated[
        bool, typer.Option("--compat", help="Keep the original's sampling and wording, faults included.")
    ] = False,
    scale: Scale = 1.0,
    seed: Seed = 0,
    jobs: Jobs = 0,
    depth: Annotated[bool, typer.Option("--depth", help="Store metric depth for every frame.")] = False,
    renderer: Renderer = SITU,
    samples: Samples = 32,
    force: Force = False,
    as_json: JsonFlag = False,
) -> None:
    """Walks through fields of coloured solids: counting, comparison, ordering, left or right.

    Interrupted? Run the same command again: finished items are kept.
    """
    recipe = drawn_by(renderer, samples, RemRecipe(variant, compat, scale, seed, store_depth=depth))
    run(recipe, out, jobs, force, as_json)


@app.command()
def saw(
    out: Out,
    part: Annotated[str, typer.Option(help=f"One of {', '.join(PARTS)}.")] = "all",
    scale: Scale = 1.0,
    seed: Seed = 0,
    jobs: Jobs = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the videos.")] = 15.0,
    depth: Annotated[bool, typer.Option("--depth", help="Store metric depth for every frame.")] = False,
    force: Force = False,
    as_json: JsonFlag = False,
) -> None:
    """First-person videos after SAW-Bench's filming protocol: where am I, which way, what shape, way back.

    Interrupted? Run the same command again: finished items are kept.
    """
    run(SawRecipe(scale, seed, part, fps=fps, store_depth=depth), out, jobs, force, as_json)


@app.command()
def disjoint(
    out: Out,
    scale: Scale = 1.0,
    seed: Seed = 0,
    jobs: Jobs = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the tours.")] = 1.0,
    depth: Annotated[bool, typer.Option("--depth", help="Store metric depth for every frame.")] = False,
    recording: Annotated[
        list[Path] | None,
        typer.Option(help="Ask about this recording with known objects instead; may be given again."),
    ] = None,
    renderer: Renderer = SITU,
    samples: Samples = 32,
    force: Force = False,
    as_json: JsonFlag = False,
) -> None:
    """Tours of furnished homes after DISJOINT-3DQA: relations between objects that are never seen together.

    Interrupted? Run the same command again: finished items are kept. With --recording the questions are
    about real recordings (see `situ import`), which are copied into the set; --scale multiplies 12 questions
    for each.
    """
    recipe = drawn_by(renderer, samples, DisjointRecipe(scale, seed, fps=fps, store_depth=depth))
    if recording:
        recipe = RealDisjointRecipe(tuple(recording), scale, seed)
    run(recipe, out, jobs, force, as_json)


@app.command()
def ucs(
    out: Out,
    scale: Scale = 1.0,
    seed: Seed = 0,
    jobs: Jobs = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the streams.")] = 1.0,
    size: Annotated[str, typer.Option(help="Width and height of the frames.")] = "320x240",
    hours: Annotated[float, typer.Option(help="Length of every stream; 0 draws seconds to hours.")] = 0.0,
    questions: Annotated[int, typer.Option(help="Questions in all; 0 keeps the published ratio.")] = 0,
    compat: Annotated[
        bool, typer.Option("--compat", help="Published rule for counts, answers not balanced: they leak.")
    ] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Nobody but the wearer moves things.")] = False,
    pixels: Annotated[
        str, typer.Option(help="none: drawn when looked at; evidence: stored for evidence; all: stored.")
    ] = "none",
    renderer: Renderer = SITU,
    samples: Samples = 32,
    force: Force = False,
    as_json: JsonFlag = False,
) -> None:
    """Hours of daily life after UCS-Bench: eight kinds of question during the stream, asked again later.

    Interrupted? Run the same command again: finished items are kept.
    """
    if pixels not in PIXELS:
        raise BadInput(f"--pixels must be one of {', '.join(PIXELS)}, got '{pixels}'")
    width, height = frame_size(size)
    stored = pixels == "all"
    if renderer != SITU and not stored:
        raise BadInput(f"--renderer {renderer} draws stored pictures: give --pixels all, too")
    made = UcsRecipe(scale, seed, width, height, fps, hours, not alone, stored, questions, compat)
    recipe = drawn_by(renderer, samples, made)
    run(recipe, out, jobs, force, as_json)
    if pixels == "evidence":
        with progress_bars() as report:
            write_evidence(
                Dataset.open(out),
                jobs or os.cpu_count() or 1,
                lambda done, total: report("pictures", done, total),
            )


@app.command()
def narratives(
    out: Out,
    scale: Scale = 1.0,
    seed: Seed = 0,
    jobs: Jobs = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the tours.")] = 2.0,
    pictures: Annotated[
        bool, typer.Option(help="Without pictures a set is for narratives and readers of text alone.")
    ] = True,
    force: Force = False,
    as_json: JsonFlag = False,
) -> None:
    """Tours with VSI-type multiple choice: what the Spatial Narrative Score is measured on.

    Interrupted? Run the same command again: finished items are kept.
    """
    run(NarrativeRecipe(scale, seed, fps=fps, pictures=pictures), out, jobs, force, as_json)


@app.command()
def vsi(
    source: Annotated[
        Path, typer.Argument(help="Folder with VSI-Bench's questions.jsonl, scene_boxes.json.")
    ],
    out: Out,
    jobs: Jobs = 1,
    force: Force = False,
    as_json: JsonFlag = False,
) -> None:
    """The published questions of VSI-Bench about annotated rooms, as a question set."""
    run(VsiRecipe(source), out, jobs, force, as_json)


def run(recipe: Recipe, out: Path, jobs: int, force: bool, as_json: bool) -> None:
    """Make a set and say what came out."""
    with progress_bars() as report:
        dataset = make_dataset(recipe, out, jobs or os.cpu_count() or 1, force, report)
    tasks: dict[str, int] = {}
    for row in dataset.questions:
        tasks[row.task] = tasks.get(row.task, 0) + 1
    summary = {
        "folder": str(out),
        "items": len(dataset.items),
        "questions": tasks,
        "content_hash": dataset.manifest["content_hash"],
    }
    if as_json:
        print_json(summary)
        return
    asked = ", ".join(f"{count} {task}" for task, count in sorted(tasks.items()))
    console.print(f"{len(dataset.items)} recordings and {sum(tasks.values())} questions ({asked}) in {out}")
    console.print(f"content hash {summary['content_hash']}")


_written_here = {"rem", "saw", "disjoint", "ucs", "sns"}
for _name, _benchmark in BENCHMARKS.items():
    if _benchmark.make is not None and _name not in _written_here:
        app.command(_name)(command_of(_benchmark.make, run))
