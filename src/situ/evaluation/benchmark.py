"""A benchmark as one object: how it is made, how its keys are checked, how it is asked and scored.

The options of `situ make NAME` are the parameters of `make`, a function that gives a recipe; a help text goes
with each as `Annotated[float, "Frames per second."]`. Published figures are part of the protocol.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.make import Recipe
from situ.evaluation.protocols.base import Protocol
from situ.recording import Recording
from situ.registry import Registry

Checker = Callable[[Recording, Sequence[QuestionRow]], list[str]]


@dataclass(frozen=True)
class Benchmark:
    """`check` derives the keys of one recording anew, by other code, and lists disagreements. A benchmark
    that is only imported has neither `make` nor `check`."""

    protocol: Protocol
    make: Callable[..., Recipe] | None = None
    check: Checker | None = None


BENCHMARKS: Registry[Benchmark] = Registry("benchmark", ("situ.evaluation.built_in",))


def register(benchmark: Benchmark) -> Benchmark:
    """Add a benchmark under the name that its protocol has."""
    BENCHMARKS.add(benchmark.protocol.benchmark, benchmark, benchmark.protocol.title)
    return benchmark


def protocol_of(benchmark: str) -> Protocol:
    return BENCHMARKS.find(benchmark).protocol


def made_by(module: str, recipe: str) -> Callable[..., Recipe]:
    """A recipe of a module, which is imported when something is made."""

    def make(**options: Any) -> Recipe:
        made: Recipe = getattr(importlib.import_module(module), recipe)(**options)
        return made

    return make


def checked_by(module: str) -> Checker:
    """The `check_item` of a module, which is imported when something is checked."""

    def check(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
        found: list[str] = importlib.import_module(module).check_item(recording, rows)
        return found

    return check
