"""`situ train photos`: an open backbone learns from generated worlds to read photographs."""

from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.errors import MissingExtra
from situ.train.photos.recipe import PhotoRecipe

DEFAULTS = PhotoRecipe()


def photos(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the network, checkpoints and log.")],
    backbone: Annotated[
        Path,
        typer.Option(help="Weights of DINOv2 ViT-S/14, as `tools/fetch_weights.py dinov2-s` brings them."),
    ],
    seconds: Annotated[float, typer.Option(help="Seconds of learning, over all calls.")] = DEFAULTS.seconds,
    within: Annotated[
        float | None, typer.Option(help="End this call after so many seconds; the same call goes on.")
    ] = None,
    begin: Annotated[
        Path | None, typer.Option("--from", help="Folder of another run: its network goes on learning.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same worlds and chances.")] = 0,
    device: Annotated[str, typer.Option(help="Where to learn: auto, cpu, cuda.")] = "auto",
    workers: Annotated[int, typer.Option(help="Processes that render; 0 takes what the machine has.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Teach eyes for photographs: worlds are rendered while the network learns; ends with one ONNX file.

    Every three quarters of a minute it looks at worlds in a style that is never learnt from, and is kept.
    Interrupted? The same command goes on from there.
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
