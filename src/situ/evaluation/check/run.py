"""Every check on every recording of a set."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.make import PUBLISHED
from situ.errors import BadInput, SituError
from situ.evaluation.benchmark import BENCHMARKS, Checker
from situ.evaluation.check.files import recording_problems, set_problems
from situ.evaluation.check.pictures import picture_problems
from situ.evaluation.check.rows import row_problems
from situ.recording import Recording

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class CheckResult:
    """How many keys were derived anew, and every disagreement found."""

    items: int
    questions: int
    disagreements: tuple[str, ...]


def check_dataset(dataset: Dataset, progress: Progress | None = None) -> CheckResult:
    """Files and hashes, rows against their programs, pictures against the world, and every key anew."""
    if PUBLISHED in dataset.manifest.get("recipe", {}):
        raise BadInput(
            f"{dataset.folder} is published data: its keys are the publisher's, and no world came with them "
            "to derive them from. `situ audit` tells what its words and frames give away"
        )
    checker = checker_of(str(dataset.manifest["benchmark"]))
    asked = dict(dataset.by_item())
    problems = set_problems(dataset)
    for number, item in enumerate(dataset.items, 1):
        try:
            recording, rows = dataset.recording(item), asked.get(item, [])
            found = recording_problems(dataset, recording)
            if not found:  # what was damaged is not looked into
                found = [
                    *_second_opinion(checker, recording, rows),
                    *row_problems(recording, rows),
                    *picture_problems(recording),
                ]
        except SituError as error:
            found = [str(error)]
        problems += [f"{item}: {problem}" for problem in found]
        if progress:
            progress(number, len(dataset.items))
    return CheckResult(len(dataset.items), len(dataset.questions), tuple(problems))


def _second_opinion(checker: Checker, recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """Row by row where something is so wrong that a derivation breaks off: the others still have theirs."""
    try:
        return checker(recording, rows)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        if len(rows) <= 1:
            return [f"{row.id}: its key cannot be derived ({error}): {row.text}" for row in rows] or [
                str(error)
            ]
    return list(dict.fromkeys(p for row in rows for p in _second_opinion(checker, recording, [row])))


def checker_of(benchmark: str) -> Checker:
    """The benchmark's own second opinion."""
    checker = BENCHMARKS.find(benchmark).check
    if checker is None:
        raise BadInput(f"no checker is known for the benchmark '{benchmark}'")
    return checker
