"""`situ train eyes` and `photos`: networks that detect objects, trained on generated worlds."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.cli.record_options import fills
from situ.errors import MissingExtra
from situ.train.eyes.recipe import EyesRecipe
from situ.train.photos.recipe import PhotoRecipe


@fills(recipe=EyesRecipe)
def eyes(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the network, checkpoints and log.")],
    recipe: "partial[EyesRecipe]",
    seconds: Annotated[
        float | None,
        typer.Option(help="Stop after this many seconds instead of --steps."),
    ] = None,
    begin: Annotated[
        Path | None,
        typer.Option("--from", help="checkpoint.pt of another run to start from."),
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option("--exclude", help="A question set or recording whose worlds stay out; may be repeated."),
    ] = None,
    device: Annotated[str, typer.Option(help="Where to train: auto, cpu, cuda.")] = "auto",
    workers: Annotated[int, typer.Option(help="Processes that render; 0 takes one per core.")] = 0,
    save_every: Annotated[int, typer.Option(help="Steps between checkpoints.")] = 1000,
    held_out: Annotated[int, typer.Option(help="Worlds kept apart for the final test.")] = 16,
    as_json: JsonFlag = False,
) -> None:
    """Train the detector for generated homes on worlds rendered during training; write one ONNX file.

    Interrupted? Run the same command again: it continues from the last checkpoint. Use the network with
    `situ watch REC --eyes homes --network OUT/homes.onnx --into m.situ`.
    """
    try:
        from situ.train.eyes.run import RunOptions, train_eyes
    except ModuleNotFoundError as error:
        raise MissingExtra("teach", f"teaching a network ({error.name})") from error
    from situ.train.make import worlds_of

    forbidden = frozenset(world for folder in exclude or () for world in worlds_of(folder))
    with progress_bars() as report:
        options = RunOptions(device, workers, save_every, held_out, forbidden, begin, seconds)
        found = train_eyes(recipe(), out, options, None if as_json else report)
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


DEFAULTS = PhotoRecipe()


def photos(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the network, checkpoints and log.")],
    backbone: Annotated[
        Path,
        typer.Option(help="Weights of DINOv2 ViT-S/14, as `tools/fetch_weights.py dinov2-s` brings them."),
    ],
    seconds: Annotated[float, typer.Option(help="Seconds of training, over all calls.")] = DEFAULTS.seconds,
    within: Annotated[
        float | None, typer.Option(help="End this call after this many seconds; run it again to continue.")
    ] = None,
    begin: Annotated[Path | None, typer.Option("--from", help="Folder of another run to start from.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same worlds and chances.")] = 0,
    device: Annotated[str, typer.Option(help="Where to train: auto, cpu, cuda.")] = "auto",
    workers: Annotated[int, typer.Option(help="Processes that render; 0 takes one per core.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Train the detector for photographs on worlds rendered during training; write one ONNX file.

    Every 45 seconds the network is saved and tested on worlds in a style that is never trained on.
    Interrupted? Run the same command again: it continues from there.
    """
    try:
        from situ.train.photos.backbone import read_weights
        from situ.train.photos.run import teach
    except ModuleNotFoundError as error:
        raise MissingExtra("teach", f"teaching a network ({error.name})") from error
    limit = float("inf") if within is None else within
    found = teach(
        PhotoRecipe(seconds=seconds, seed=seed), read_weights(backbone), out, device, workers, limit, begin,
        report=(lambda line: None) if as_json else lambda line: console.print(line, markup=False),
    )  # fmt: skip
    if as_json:
        print_json(found)
        return
    done = f"{found['steps']} steps, {found['pictures']} pictures of {found['worlds']} worlds"
    if found["model"] is None:
        console.print(
            f"{done}; {found['seconds']:.0f} of {seconds:.0f} s are learnt: the same command goes on"
        )
    else:
        console.print(f"{done}: {found['model']}")
