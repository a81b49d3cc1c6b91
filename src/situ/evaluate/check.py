"""Re-deriving every key of a question set by a path of its own."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import BadInput, SituError
from situ.recording import Recording

_FOLDERS = {"sns": "narratives"}  # a set that is named after its score
Checker = Callable[[Recording, Sequence[QuestionRow]], list[str]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class CheckResult:
    """How many keys were derived anew, and every disagreement found."""

    items: int
    questions: int
    disagreements: tuple[str, ...]


def check_dataset(dataset: Dataset, progress: Progress | None = None) -> CheckResult:
    """Compare every key with what the stored annotations say, and every file with its hash."""
    checker = checker_of(str(dataset.manifest["benchmark"]))
    asked = dict(dataset.by_item())
    problems: list[str] = []
    for number, item in enumerate(dataset.items, 1):
        try:
            recording = dataset.recording(item)
            if recording.content_hash() != dataset.manifest["items"][item]:
                problems.append(f"{item}: the files differ from what the manifest was made with")
            found = checker(recording, asked.get(item, []))
        except SituError as error:
            found = [str(error)]
        problems += [f"{item}: {problem}" for problem in found]
        if progress:
            progress(number, len(dataset.items))
    return CheckResult(len(dataset.items), len(dataset.questions), tuple(problems))


def checker_of(benchmark: str) -> Checker:
    """The benchmark's own second opinion: its `check` module."""
    try:
        module = importlib.import_module(f"situ.benchmarks.{_FOLDERS.get(benchmark, benchmark)}.check")
    except ModuleNotFoundError as error:
        raise BadInput(f"no checker is known for the benchmark '{benchmark}'") from error
    checker: Checker = module.check_item
    return checker
