"""What the verbs share: progress on stderr, tables or JSON on stdout."""

import json
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import Progress as Report
from situ.english import counted
from situ.errors import BadInput
from situ.evaluation.stats.intervals import TOO_FEW, Interval

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]


class _PlainConsole(Console):
    """Strings are told as they are, in tables too: names in them may hold brackets or colons."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(text, **{**options, "markup": False, "emoji": False, "highlight": False})


def _console(stderr: bool) -> Console:
    """Piped, nothing is cut."""
    piped = not (sys.stderr if stderr else sys.stdout).isatty()
    return _PlainConsole(stderr=stderr, soft_wrap=piped, width=_PIPED_WIDTH if piped else None)


_PIPED_WIDTH = 250  # columns of a table in a file: what reads it has no edge
console = _console(stderr=False)
errors = _console(stderr=True)


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=1))


@contextmanager
def progress_bars() -> Iterator[Report]:
    """A function that is told (stage, done, total) and keeps one bar per stage on stderr."""
    columns = (
        TextColumn("{task.description:>12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as bars:
        known: dict[str, Any] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in known:
                known[stage] = bars.add_task(stage, total=total)
            bars.update(known[stage], completed=done, total=total)

        yield report


def seconds_of(text: str) -> float:
    """A length of time such as 90s, 15m, 12h, 30d or 2w."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}
    try:
        seconds = float(text[:-1]) * units[text[-1:]]
    except (ValueError, KeyError):
        seconds = math.nan
    if not 0.0 < seconds < 1e11:
        raise BadInput(
            f"a length of time is a number and a unit, such as 90s, 15m, 12h, 30d or 2w, got '{text}'"
        )
    return seconds


def told_of(dataset: Dataset) -> str:
    """ "12 questions about 1 recording"."""
    return f"{counted(len(dataset.questions), 'question')} about {counted(len(dataset.items), 'recording')}"


def frame_words(details: Mapping[str, Any]) -> str:
    """ "scale from depth, vertical from floor": where the scale and the vertical of a path come from."""
    scale = details["scale_from"]
    known = "unknown scale" if scale == "unknown" else f"scale from {scale}"
    return f"{known}, vertical from {details['gravity_from']}"


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def between(interval: Interval | None) -> str:
    return TOO_FEW if interval is None else f"{percent(interval.low)} – {percent(interval.high)}"


def model_arguments(pairs: list[str]) -> dict[str, Any]:
    """Options for a model's provider from key=value pairs."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise BadInput(f"--model-arg takes key=value, got '{pair}'")
        found[key] = value
    return found
