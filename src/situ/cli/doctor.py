"""`situ doctor`: what is installed here, what each extra would add, and the line that installs it."""

from importlib.metadata import PackageNotFoundError, requires, version
from typing import Annotated, Any

import typer
from rich.table import Table

from situ import __version__
from situ.cli.common import JsonFlag, console, print_json
from situ.perception.models.catalogue import CARDS

_WIDTH = 100  # columns
_GIVES = {
    "docs": "the documentation site",
    "eyes": "eyes for generated homes in `situ watch --eyes homes`",
    "phones": "depth of Record3D captures",
    "ray": "work on a Ray cluster",
    "rerun": "recordings for Rerun's viewer",
    "robots": "logs of robots, in and out",
    "sentences": "retrieval by meaning in `situ eval`",
    "stores": "recordings and sets at s3://, hf:// and https://",
    "teach": "teaching eyes with `situ train eyes`",
    "eval": "models of any provider in `situ eval`",
    "graph": "memories as networkx graphs",
    "hub": "question sets as Hugging Face datasets",
    "local": "vision-language models in this process in `situ eval`",
    "metrics": "caption metrics",
    "models": "learned depth, detectors, trackers, place tags and captions in `situ watch --models`",
    "serve": "memories over HTTP, WebSocket and MCP in `situ serve`",
    "signs": "signs and door numbers become names in `situ watch --models rapidocr`",
    "train": "the fine-tuning recipe",
    "dev": "tests, types and lint",
}


def doctor(
    models: Annotated[bool, typer.Option("--models", help="List the models known by name.")] = False,
    warm: Annotated[
        bool, typer.Option("--warm", help="Compile all kernels now instead of at first use.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show what is installed, what each extra gives, and the line that installs it."""
    if warm:
        _warm(as_json)
        return
    if models:
        _print_models(as_json)
        return
    extras = {name: _extra(name, needs) for name, needs in sorted(_extras().items())}
    facts = {"situ": __version__, "gpu": _gpu(), "extras": extras}
    if as_json:
        print_json(facts)
        return
    table = Table("extra", "gives", "installed", "missing")
    for name, extra in extras.items():
        installed = ", ".join(f"{k} {v}" for k, v in extra["installed"].items())
        table.add_row(name, _GIVES.get(name, ""), installed, ", ".join(extra["missing"]) or "nothing")
    _print_fitting(table)
    console.print("what is missing comes with: pip install 'situ[EXTRA]'")
    console.print(f"situ {__version__}; GPU: {facts['gpu']}")
    console.print(
        "Without any extra, `situ watch` takes video, RGB-D, and your poses, depth, detections and clicks.",
    )


def _warm(as_json: bool) -> None:
    from situ.api.warming import warm  # takes the whole package with it

    folder = str(warm())
    if as_json:
        print_json({"kernels": folder})
    else:
        console.print(f"all kernels are compiled; they are kept in {folder}")


def _print_fitting(table: Table) -> None:
    """In the width of a usual terminal, also where nobody knows how wide it is."""
    console.print(table, width=min(console.width, _WIDTH), soft_wrap=False)


def _print_models(as_json: bool) -> None:
    if as_json:
        print_json([vars(card) for card in CARDS])
        return
    table = Table("name", "for", "hub id", "licence", "about")
    for card in CARDS:
        licence = card.licence + (", gated" if card.gated else "")
        table.add_row(card.name, card.role, card.hub_id, licence, card.about)
    _print_fitting(table)


def _extras() -> dict[str, list[str]]:
    """Packages of each extra, from the package's own metadata."""
    found: dict[str, list[str]] = {}
    for line in requires("situ") or []:
        package, _, condition = line.partition(";")
        if "extra ==" in condition:
            name = condition.split("extra ==")[1].strip().strip("\"' ")
            found.setdefault(name, []).append(package.strip())
    return found


def _extra(name: str, needs: list[str]) -> dict[str, Any]:
    installed, missing = {}, []
    for need in needs:
        package = need.split(">")[0].split("=")[0].split("<")[0].split("[")[0].strip()
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            missing.append(package)
    return {"installed": installed, "missing": missing, "install": f"pip install 'situ[{name}]'"}


def _gpu() -> str:
    try:
        import torch
    except ModuleNotFoundError:
        return "unknown (torch is not installed)"
    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else "none that torch can use"
