"""A benchmark as one object: how it is made, how its keys are checked, how it is asked and scored.

The options of `situ make NAME` are the parameters of `make`, a function that gives a recipe; a help text goes
with each as `Annotated[float, "Frames per second."]`. Published figures are part of the protocol.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.make import Recipe
from situ.benchmarks.statistics import PublishedSizes, Statistic
from situ.evaluation.protocols.base import Protocol
from situ.questions import Question
from situ.recording import Recording
from situ.registry import Registry
from situ.state import TruthState

SOLIDS = "solids"  # eyes for coloured solids on a plain
Checker = Callable[[Recording, Sequence[QuestionRow]], list[str]]


@dataclass(frozen=True)
class Rewording:
    """How a model is asked to reword a question, and what tells why a text does not ask the same."""

    request: str
    problems: Callable[[Question, str], list[str]]


@dataclass(frozen=True)
class Benchmark:
    """`check` derives the keys of one recording anew, by other code, and lists disagreements. A benchmark
    that is only imported has neither `make` nor `check`.

    `published_sizes` tells from a recipe's description what the paper prints of such a set; `statistics` is
    what `situ lab describe` adds; `eyes` are those of `situ watch` that suit its recordings.
    `programs` names the kinds of programs that answer each task, `facts` tells the strata that follow from a
    recording, and `rewording` lets a model reword the questions.
    """

    protocol: Protocol
    make: Callable[..., Recipe] | None = None
    check: Checker | None = None
    published_sizes: Callable[[Mapping[str, Any]], PublishedSizes] | None = None
    statistics: Callable[[Dataset, Sequence[Recording]], Iterable[Statistic]] | None = None
    eyes: str = ""
    programs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    facts: Callable[[Recording, TruthState], Mapping[str, Any]] | None = None
    rewording: Rewording | None = None


BENCHMARKS: Registry[Benchmark] = Registry("benchmark", ("situ.evaluation.built_in",))


def register(benchmark: Benchmark) -> Benchmark:
    """Add a benchmark under the name that its protocol has."""
    BENCHMARKS.add(benchmark.protocol.benchmark, benchmark, benchmark.protocol.title)
    return benchmark


def protocol_of(benchmark: str) -> Protocol:
    return BENCHMARKS.find(benchmark).protocol


def eyes_for(recording: Recording) -> str:
    """The eyes that its benchmark names for a recording, "" where it names none."""
    name = recording.meta.get("benchmark")
    benchmark = BENCHMARKS.get(str(name)) if name else None
    return benchmark.eyes if benchmark else ""


def of_module(module: str, name: str) -> Callable[..., Any]:
    """A function or class of a module, which is imported when it is first called."""

    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(module), name)(*arguments, **options)

    return call
