"""`situ train`: training sets in the manner of CaMo, a dry run over them, and fine-tuning."""

import os
import sys
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.cli.make_options import RunnerOptions
from situ.cli.make_shards import command_of_this_call
from situ.cli.record_options import fills
from situ.cli.train_detectors import eyes, photos
from situ.tasks import runner_of
from situ.train.arms import ARMS
from situ.train.data_recipe import DataRecipe
from situ.train.exports import EXPORTS, export
from situ.train.families import QWEN25
from situ.train.make import make_training_set, make_world, worlds_of
from situ.train.recipe import TrainRecipe
from situ.train.rows import read_rows
from situ.train.validation import check_training_set, count_tokens
from situ.train.wording import NARRATIVE_TEMPLATES, read_templates

app = typer.Typer(
    add_completion=False,
    help="Training data with camera-motion narratives, and the published fine-tuning recipe.",
    no_args_is_help=True,
)
app.command()(eyes)
app.command()(photos)
Excluded = Annotated[
    list[Path] | None,
    typer.Option("--exclude", help="A question set or recording whose worlds stay out; may be repeated."),
]


@app.command()
@fills(recipe=DataRecipe)
def data(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write; must be empty.")],
    recipe: "partial[DataRecipe]",
    recordings: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            help="A recording of your own to narrate, or a question set to learn from; may be repeated.",
        ),
    ] = None,
    exclude: Excluded = None,
    templates: Annotated[
        Path | None, typer.Option(help="Prompts of your own, one per line, with the tag {video}.")
    ] = None,
    exports: Annotated[
        str, typer.Option("--to", help=f"Formats: any of {', '.join(EXPORTS)}, with commas.")
    ] = "trl",
    jobs: Annotated[int, typer.Option(help="Processes; 0 takes one per core.")] = 0,
    runner: Annotated[str, typer.Option(help="Where the worlds are made: local, slurm or ray.")] = "local",
    runner_options: RunnerOptions = None,
    world: Annotated[int | None, typer.Option(help="Make this world alone, in this process.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a training set: narratives of clips, questions on pictures, views and tours, all balanced.

    Interrupted? Run the same command again: worlds that are done are kept. With --runner slurm they are put
    into a queue, and the same command joins them when they are done.
    """
    forbidden = frozenset(world for folder in exclude or () for world in worlds_of(folder))
    whole = recipe(
        templates=read_templates(templates) if templates else NARRATIVE_TEMPLATES,
        recordings=tuple(str(path) for path in recordings or ()),
        exclude=forbidden,
    )
    if world is not None:
        make_world((whole, world, out))
        return
    processes, given = jobs or os.cpu_count() or 1, list(runner_options or [])
    if runner == "slurm" and not any(option.startswith("folder=") for option in given):
        given.append(f"folder={out.absolute()}.slurm")
    where = runner_of(runner, processes, given)
    with progress_bars() as report:
        command = (*command_of_this_call(sys.argv), "--world")
        manifest = make_training_set(whole, out, processes, report, where, command)
    if "queued" in manifest:
        then = "When they are done, the same command joins them."
        print_json(manifest) if as_json else console.print(
            f"{manifest['queued']} worlds: {manifest['note']}\n{then}", soft_wrap=True
        )
        return
    export(out, [name.strip() for name in exports.split(",") if name.strip()])
    if as_json:
        print_json(manifest)
        return
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(manifest["kinds"].items()))
    total = sum(manifest["motions"].values())
    most = max(manifest["motions"].items(), key=lambda item: item[1], default=("none", 0))
    console.print(f"{manifest['rows']} examples ({kinds}) of {len(manifest['worlds'])} worlds in {out}")
    console.print(
        f"{total} motions told, most of all '{most[0]}' ({100 * most[1] / max(1, total):.0f} %); "
        f"{manifest['templates_used']} wordings of the prompt; {len(forbidden)} worlds kept out",
    )


@app.command()
@fills(shown=(TrainRecipe, "max_pixels", "fps", "max_tokens"))
def check(
    folder: Annotated[Path, typer.Argument(help="A training set.")],
    shown: "partial[TrainRecipe]",
    exclude: Excluded = None,
    model: Annotated[str, typer.Option(help="Count tokens with this model's tokenizer.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Check a training set: unreadable frames, examples over the token budget, balance, leaks."""
    recipe = shown()
    tokenizer, family = None, QWEN25
    if model:
        from situ.train.model import load_family, load_tokenizer

        tokenizer, family = load_tokenizer(model), load_family(model)
    forbidden = {world for test in exclude or () for world in worlds_of(test)}
    problems = check_training_set(folder, recipe, forbidden, tokenizer, family)
    lengths = sorted(count_tokens(row, recipe, tokenizer, family) for row in read_rows(folder))
    if as_json:
        print_json({"examples": len(lengths), "tokens": lengths, "problems": [asdict(p) for p in problems]})
    else:
        for problem in problems[:50]:
            console.print(f"{problem.rule}: {problem.where}: {problem.what}")
        found = ", ".join(f"{n} {rule}" for rule, n in Counter(p.rule for p in problems).most_common())
        longest = lengths[-1] if lengths else 0
        console.print(f"{len(lengths)} examples, longest {longest} tokens: {found or 'no problem found'}")
    if problems:
        raise typer.Exit(1)


@app.command()
@fills(recipe=TrainRecipe)
def run(
    folder: Annotated[Path, typer.Argument(help="A training set.")],
    model: Annotated[str, typer.Option(help="Hub id or folder of a Qwen2.5-VL or Qwen3-VL model.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for checkpoints, log and the model.")],
    recipe: "partial[TrainRecipe]",
    compiled: Annotated[
        bool, typer.Option("--compile", help="Compile the layers: slow start, faster steps.")
    ] = False,
    arm: Annotated[
        str, typer.Option(help="What is trained beside the questions: " + ", ".join(ARMS) + ".")
    ] = "camera",
    reward: Annotated[
        bool, typer.Option("--reward", help="Reward right letters (GRPO) instead of teaching answers.")
    ] = False,
    held_out: Annotated[
        Path | None, typer.Option(help="A training set of other worlds to score before and after.")
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="A set of `situ make narratives` for the Spatial Narrative Score.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Fine-tune a model with the published recipe. Interrupted? Run the same command again.

    It continues from the last checkpoint. A folder with a run of other settings is refused.

    On several GPUs: `accelerate launch --use_deepspeed --zero_stage 2 $(which situ) train run ...`
    """
    from situ.train.evaluation import Looker
    from situ.train.grpo import reward_tune
    from situ.train.run import fine_tune

    chosen = recipe()
    look = Looker(held_out, chosen, questions) if held_out else None
    if reward:
        result = reward_tune(folder, model, out, chosen, look)
    else:
        result = fine_tune(folder, model, out, chosen, look, compiled, arm)
    if os.environ.get("RANK", "0") != "0":
        return  # of several processes the first one tells
    if as_json:
        print_json(result)
        return
    done = f"{result['steps']} steps on {result['examples']} examples, loss {result['loss']:.3f}"
    if result["finished_before"]:
        console.print(f"finished before, nothing trained: {done}, model in {result['model']}", soft_wrap=True)
        return
    console.print(done)
    for when in ("before", "after"):
        if result[when]:
            console.print(f"{when}: {result[when]}")
    console.print(f"model in {result['model']}")
