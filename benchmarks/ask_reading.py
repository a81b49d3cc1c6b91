"""Whether the grammar of `situ ask` reads the words of question sets: same program, or same answer.

What words do not say is given: the frames that a question is about, and where two clips are joined.

python -m benchmarks.ask_reading SET ... [--show]
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import SituError, Unanswerable
from situ.evaluation.cues.ladder import visibility_of
from situ.evaluation.participants.memory_cache import read_words
from situ.state import TruthState

UNSAID = ("frames", "step_m", "orders", "split")
SAME, ALIKE, OTHER, UNREAD = "same program", "same answer", "another answer", "not read"


def read(row: QuestionRow, state: TruthState) -> tuple[str, str]:
    """What the words were taken for, beside what they ask, and why."""
    try:
        question = read_words(row, state)
    except Unanswerable as error:
        return UNREAD, str(error)
    given: dict[str, Any] = {name: getattr(row.question, name) for name in UNSAID if hasattr(question, name)}
    question = replace(question, **given)  # type: ignore[type-var]
    if question == row.question:
        return SAME, ""
    try:
        answer = question.answer(state).text
    except SituError as error:
        return OTHER, f"{question} ({error})"
    return (ALIKE, "") if answer == row.answer else (OTHER, f"{question}: {answer}")


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--show", action="store_true", help="one example of each kind that is misread")
    options = parser.parse_args(list(arguments))
    for folder in options.sets:
        dataset = Dataset.open(folder)
        counts: Counter[str] = Counter()
        shown: set[tuple[str, str]] = set()
        states: dict[str, TruthState] = {}
        for row in dataset.questions:
            if row.item not in states:
                recording = dataset.recording(row.item)
                states = {row.item: TruthState.of(recording, visibility_of(recording))}
            state = states[row.item]
            outcome, why = read(row, state if row.time is None else state.as_of(row.time))
            counts[outcome] += 1
            kind = str(row.program.get("kind", row.task))
            if options.show and outcome in (OTHER, UNREAD) and (kind, outcome) not in shown:
                shown.add((kind, outcome))
                print(f"  {outcome}: {kind}: {row.text!r} {row.options} [{row.answer}]: {why[:300]}")
        total = sum(counts.values())
        told = ", ".join(f"{name} {counts[name]}" for name in (SAME, ALIKE, OTHER, UNREAD))
        print(f"{folder.name}: {dataset.manifest['benchmark']}, {total} questions: {told}")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
