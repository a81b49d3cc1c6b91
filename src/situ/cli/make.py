"""`situ make`: generate a benchmark."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from situ.benchmarks.disjoint.real import RealDisjointRecipe
from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.make import Recipe, make_dataset
from situ.benchmarks.narratives.real import RealNarrativeRecipe
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.options import frame_size
from situ.benchmarks.redraw import SITU, drawn_by
from situ.benchmarks.rem.real import RealRemRecipe
from situ.benchmarks.rem.recipe import VARIANTS, RemRecipe
from situ.benchmarks.saw.plan import PARTS
from situ.benchmarks.saw.real import RealSawRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.evidence import PIXELS, write_evidence
from situ.benchmarks.ucs.real import RealUcsRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.benchmarks.vsi.recipe import VsiRecipe
from situ.cli.common import progress_bars
from situ.cli.make_options import Making, Renderer, Samples, Scale, Seed, Size, command_of
from situ.cli.make_shards import run_shards, tell
from situ.errors import BadInput
from situ.evaluation.benchmark import BENCHMARKS

Recordings = Annotated[
    list[Path] | None,
    typer.Option(help="Ask about this recording of yours instead; may be repeated."),
]
app = typer.Typer(
    add_completion=False,
    help="Generate a benchmark: recordings, questions and keys, fresh from any seed.",
    no_args_is_help=True,
)


def rem(
    variant: Annotated[str, typer.Option(help=f"One of {', '.join(VARIANTS)}.")] = "baseline",
    compat: Annotated[
        bool, typer.Option("--compat", help="Keep the original's sampling and wording, faults included.")
    ] = False,
    scale: Scale = 1.0,
    seed: Seed = 0,
    size: Size = "960x640",
    depth: Annotated[bool, typer.Option("--depth", help="Store metric depth for every frame.")] = False,
    recording: Recordings = None,
    renderer: Renderer = SITU,
    samples: Samples = 32,
) -> Recipe:
    """Walks through fields of coloured solids: counting, comparison, ordering, left or right.

    Interrupted? Run the same command again: finished items are kept. With --recording, the questions are
    about the annotated objects of your recordings, one task each; --scale multiplies 12 questions.
    """
    if recording:
        return RealRemRecipe(tuple(recording), scale, seed)
    made = RemRecipe(variant, compat, scale, seed, *frame_size(size), depth)
    return drawn_by(renderer, samples, made)


def saw(
    part: Annotated[str, typer.Option(help=f"One of {', '.join(PARTS)}.")] = "all",
    scale: Scale = 1.0,
    seed: Seed = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the videos.")] = 15.0,
    size: Size = "640x480",
    depth: Annotated[bool, typer.Option("--depth", help="Store metric depth for every frame.")] = False,
    compat: Annotated[bool, typer.Option("--compat", help="Ask in the published words.")] = False,
    recording: Recordings = None,
) -> Recipe:
    """First-person videos after SAW-Bench's filming protocol: where am I, which way, what shape, way back.

    Interrupted? Run the same command again: finished items are kept. With --recording, each of your walks
    gets one question about direction, shape or the way back, from its poses; ambiguous ones are left out.
    """
    if recording:
        return RealSawRecipe(tuple(recording), scale, seed)
    return SawRecipe(scale, seed, part, *frame_size(size), fps, depth, compat)


def disjoint(
    scale: Scale = 1.0,
    seed: Seed = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the tours.")] = 1.0,
    size: Size = "640x480",
    depth: Annotated[bool, typer.Option("--depth", help="Store metric depth for every frame.")] = False,
    compat: Annotated[
        bool,
        typer.Option(
            "--compat",
            help="Name the object in questions about its function, as published; the name tells.",
        ),
    ] = False,
    recording: Recordings = None,
    renderer: Renderer = SITU,
    samples: Samples = 32,
) -> Recipe:
    """Tours of furnished homes after DISJOINT-3DQA: relations between objects that are never seen together.

    Interrupted? Run the same command again: finished items are kept. With --recording, the questions are
    about real recordings (see `situ import`), which are copied into the set; --scale multiplies 12 questions
    for each.
    """
    if recording:
        return RealDisjointRecipe(tuple(recording), scale, seed)
    return drawn_by(renderer, samples, DisjointRecipe(scale, seed, *frame_size(size), fps, depth, compat))


def ucs(
    scale: Scale = 1.0,
    seed: Seed = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the streams.")] = 1.0,
    size: Size = "320x240",
    hours: Annotated[float, typer.Option(help="Length of every stream; 0 draws seconds to hours.")] = 0.0,
    questions: Annotated[int, typer.Option(help="Questions in all; 0 keeps the published ratio.")] = 0,
    compat: Annotated[
        bool,
        typer.Option(
            "--compat", help="Use the published rule for counts and leave answers unbalanced; both leak."
        ),
    ] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Only the wearer moves objects.")] = False,
    pixels: Annotated[
        str, typer.Option(help="Frames to store: none (drawn on demand), evidence, or all.")
    ] = "none",
    recording: Recordings = None,
    renderer: Renderer = SITU,
    samples: Samples = 32,
) -> Recipe:
    """Hours of daily life after UCS-Bench: eight kinds of question during the stream, asked again later.

    Interrupted? Run the same command again: finished items are kept. With --recording, the questions are
    about the annotated objects of your recordings; --scale multiplies 6 questions of each subtask.
    """
    if recording:
        return RealUcsRecipe(tuple(recording), scale, seed)
    if pixels not in PIXELS:
        raise BadInput(f"--pixels must be one of {', '.join(PIXELS)}, got '{pixels}'")
    width, height = frame_size(size)
    stored = pixels == "all"
    if renderer != SITU and not stored:
        raise BadInput(f"--renderer {renderer} draws stored pictures: give --pixels all, too")
    made = UcsRecipe(scale, seed, width, height, fps, hours, not alone, stored, questions, compat)
    return drawn_by(renderer, samples, made)


def narratives(
    scale: Scale = 1.0,
    seed: Seed = 0,
    fps: Annotated[float, typer.Option(help="Frames per second of the tours.")] = 2.0,
    size: Size = "640x480",
    pictures: Annotated[
        bool, typer.Option(help="Without pictures, the set is for models that read narratives only.")
    ] = True,
    recording: Recordings = None,
) -> Recipe:
    """Tours with VSI-type multiple-choice questions, for the Spatial Narrative Score.

    Interrupted? Run the same command again: finished items are kept. With --recording, the questions are
    about real recordings, which are copied into the set; --scale multiplies 4 questions of a task for each.
    """
    if recording:
        return RealNarrativeRecipe(tuple(recording), scale, seed)
    return NarrativeRecipe(scale, seed, *frame_size(size), fps=fps, pictures=pictures)


def vsi(
    source: Annotated[
        Path, typer.Argument(help="Folder with VSI-Bench's questions.jsonl, scene_boxes.json.")
    ],
) -> Recipe:
    """The published questions of VSI-Bench about annotated rooms, as a question set."""
    return VsiRecipe(source)


def run(recipe: Recipe, making: Making, **options: Any) -> None:
    """Make a set, or a shard of one, and say what came out."""
    if making.shards:
        run_shards(recipe, making)
        return
    making.refuse_shards()
    with progress_bars() as report:
        dataset = make_dataset(recipe, making.out, making.processes, making.force, report)
        if options.get("pixels") == "evidence":
            write_evidence(dataset, making.processes, lambda done, total: report("pictures", done, total))
    tell(dataset, making.as_json)


_written_here: dict[str, Callable[..., Recipe]] = {
    "rem": rem,
    "saw": saw,
    "disjoint": disjoint,
    "ucs": ucs,
    "narratives": narratives,
    "vsi": vsi,
}
for _name, _recipe in _written_here.items():
    app.command(_name)(command_of(_recipe, run))
for _name, _benchmark in BENCHMARKS.items():
    if _benchmark.make is not None and _name not in {*_written_here, "sns"}:  # sns: narratives
        app.command(_name)(command_of(_benchmark.make, run))
