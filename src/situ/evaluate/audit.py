"""Answering without looking: what a question set gives away by its words alone.

Each attack sees only texts and options. It learns on some recordings and answers for others, so an
accuracy above chance is a leak of the set, not of the sample. A leak is called one when the attack beats
chance by more than three points *and* chance lies below an interval that holds for all attacks together
with 95 % (twenty attacks at 95 % each would raise a false alarm on every second fair set).
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.evaluate.stats.intervals import Interval, clustered_wilson, simultaneous_z
from situ.evaluate.text_model import TextModel
from situ.evaluate.words import alphabetical_order, entity_kinds, masked_wording, option_words

FOLDS = 5
TOLERANCE = 0.03
Clue = Callable[[QuestionRow], Hashable]

# What an attack keys its guess on. Each is learnt as a table: clue -> most common answer.
CLUES: dict[str, Clue] = {
    "majority": lambda row: row.task,
    "alphabetical": lambda row: (row.task, alphabetical_order(row)),
    "entity kind": lambda row: (row.task, entity_kinds(row)),
    "wording": lambda row: (row.task, masked_wording(row)),
}
TEXT_MODEL, OPTION_MODEL = "text classifier", "option classifier"


@dataclass(frozen=True)
class AttackResult:
    """How one attack does on one task.

    `chance` is 1 / number of options, or for answers that are numbers the share of the most common one.
    `low_of_all` is the lower end of an interval that holds for all attacks of the audit together.
    """

    task: str
    attack: str
    questions: int
    accuracy: float
    interval: Interval
    low_of_all: float
    chance: float

    @property
    def leaks(self) -> bool:
        return self.accuracy > self.chance + TOLERANCE and self.low_of_all > self.chance

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "interval": list(self.interval), "leaks": self.leaks}


def audit(dataset: Dataset) -> list[AttackResult]:
    """Every attack on every task."""
    return audit_rows(dataset.questions)


def audit_rows(rows: Sequence[QuestionRow]) -> list[AttackResult]:
    by_task = {task: [row for row in rows if row.task == task] for task in sorted({row.task for row in rows})}
    z_of_all = simultaneous_z(sum(len(_attacks(mine)) for mine in by_task.values()))
    results = []
    for task, mine in by_task.items():
        for attack in _attacks(mine):
            items, right = zip(*_guesses(mine, attack), strict=True)
            low = clustered_wilson(right, items, z_of_all).low
            interval, accuracy = clustered_wilson(right, items), sum(right) / len(mine)
            results.append(AttackResult(task, attack, len(mine), accuracy, interval, low, chance(mine)))
    return results


def _attacks(rows: Sequence[QuestionRow]) -> tuple[str, ...]:
    """Options tell something only where they differ from question to question."""
    varied = len({row.options for row in rows}) > 1
    return (*CLUES, TEXT_MODEL, *((OPTION_MODEL,) if varied else ()))


def chance(rows: Sequence[QuestionRow]) -> float:
    """What a guesser expects who knows the task but not the question."""
    if all(row.options for row in rows):
        return float(np.mean([1 / len(row.options) for row in rows]))
    return Counter(row.answer for row in rows).most_common(1)[0][1] / len(rows)


def slot(row: QuestionRow, answer: str) -> str:
    """An answer as its place among the options, where their words differ from question to question."""
    return f"option {row.options.index(answer)}" if answer in row.options else answer


def folds(rows: Sequence[QuestionRow]) -> Iterator[tuple[list[QuestionRow], list[QuestionRow]]]:
    """Questions to learn from and questions to guess, five times; a recording is never in both."""
    items = sorted({row.item for row in rows})
    order = np.random.default_rng(0).permutation(len(items))
    fold_of = {items[i]: position % FOLDS for position, i in enumerate(order)}
    for fold in range(FOLDS):
        known = [row for row in rows if fold_of[row.item] != fold]
        asked = [row for row in rows if fold_of[row.item] == fold]
        if asked:
            yield known or asked, asked  # a single recording can only be learnt from itself


def _guesses(rows: Sequence[QuestionRow], attack: str) -> Iterator[tuple[str, bool]]:
    """(item, whether the attack is right) of each question, learnt on the recordings of the other folds."""
    for known, asked in folds(rows):
        guess = _learn(known, attack)
        yield from ((row.item, guess(row) == slot(row, row.answer)) for row in asked)


def _learn(known: Sequence[QuestionRow], attack: str) -> Callable[[QuestionRow], str]:
    if attack in (TEXT_MODEL, OPTION_MODEL):
        words = option_words if attack == OPTION_MODEL else (lambda row: row.text)
        model = TextModel.fit([words(row) for row in known], [slot(row, row.answer) for row in known])
        return lambda row: model.predict(words(row))
    clue = CLUES[attack]
    table: dict[Hashable, Counter[str]] = {}
    for row in known:
        table.setdefault(clue(row), Counter())[slot(row, row.answer)] += 1
    overall = Counter(slot(row, row.answer) for row in known)
    return lambda row: table.get(clue(row), overall).most_common(1)[0][0]
