"""`situ train eyes`: a network that sees, taught on worlds that no question set contains."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.cli.record_options import fills
from situ.errors import MissingExtra
from situ.train.eyes.recipe import EyesRecipe


@fills(recipe=EyesRecipe)
def eyes(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the network, checkpoints and log.")],
    recipe: "partial[EyesRecipe]",
    seconds: Annotated[
        float | None,
        typer.Option(help="End by the clock instead, drawing from the worlds that are there by then."),
    ] = None,
    begin: Annotated[
        Path | None,
        typer.Option("--from", help="checkpoint.pt of another run: its network goes on learning."),
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option("--exclude", help="A question set or recording whose worlds stay out; may be repeated."),
    ] = None,
    device: Annotated[str, typer.Option(help="Where to learn: auto, cpu, cuda.")] = "auto",
    workers: Annotated[int, typer.Option(help="Processes that render; 0 takes what the machine has.")] = 0,
    save_every: Annotated[int, typer.Option(help="Steps between checkpoints.")] = 1000,
    held_out: Annotated[int, typer.Option(help="Worlds never learnt from, looked at in the end.")] = 16,
    as_json: JsonFlag = False,
) -> None:
    """Teach eyes for homes: worlds are rendered while the network learns; ends with one ONNX file.

    Interrupted? The same command goes on from the last checkpoint. Use it: `situ watch REC --eyes homes
    --network OUT/homes.onnx --into m.situ`.
    """
    try:
        from situ.train.eyes.run import train_eyes
    except ModuleNotFoundError as error:
        raise MissingExtra("teach", f"teaching a network ({error.name})") from error
    from situ.train.make import worlds_of

    forbidden = frozenset(world for folder in exclude or () for world in worlds_of(folder))
    with progress_bars() as report:
        found = train_eyes(
            recipe(),
            out,
            device,
            workers,
            save_every,
            held_out,
            forbidden,
            None if as_json else report,
            begin,
            seconds,
        )
    if as_json:
        print_json(found)
        return
    console.print(
        f"{found['steps']} steps on {found['frames']} frames of {found['worlds']} worlds in "
        f"{found['seconds']:.0f} s ({found['seconds_waiting_for_frames']:.0f} s waiting for frames): "
        f"{found['model']}"
    )
    score = found["held_out"]
    if score is not None:
        console.print(
            f"unseen worlds: {100 * score['things_240']:.1f} % of things of 240 pixels named right, "
            f"{100 * score['things_100']:.1f} % of 100; depth off by {100 * score['depth']:.1f} %; "
            f"{100 * score['rooms']:.1f} % of rooms named right"
        )
