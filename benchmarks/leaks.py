"""What the audit sees: leaks of known size, planted in sets that leak nothing.

    python -m benchmarks.leaks --questions 500 1000 2000 --points 0 3 6 10 --sets 20

Each set has two tasks with four options and two questions of each about each recording. A planted leak of
6 points is what an attack would gain that knew all about it: in so many questions a clue is tied to the
answer, in the others it is drawn by lot. Beside each kind stands the share of sets in which the audit called
a leak; with 0 points, the share of fair sets that it accused.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.audit import AttackResult, audit_rows
from situ.evaluation.audit.exposure import Exposure, Media

ANSWERS = ("north", "east", "south", "west", "above", "below", "inside", "outside")
OPTIONS, PER_RECORDING = 4, 2
TASKS = ("lamp", "clock")
Rng = np.random.Generator
Plant = Callable[[QuestionRow, int, Rng], QuestionRow]  # a question, its clue: a place among the options


def fair(questions: int, seed: int) -> tuple[list[QuestionRow], dict[str, Media]]:
    """Nothing but chance settles names, order, options and answers."""
    rng = np.random.default_rng(seed)
    rows, media = [], {}
    for number in range(questions // (PER_RECORDING * len(TASKS))):
        item = f"{number:06d}"
        frames = int(rng.integers(40, 90))
        media[item] = Media(number, frames, frames / 2, int(frames * rng.integers(800, 1200)), "")
        for task in TASKS * PER_RECORDING:
            options = tuple(ANSWERS[int(i)] for i in rng.permutation(len(ANSWERS))[:OPTIONS])
            text = (
                f"Where from the {rng.choice(['door', 'arch'])} is the {rng.choice(['red', 'blue'])} {task}?"
            )
            answer = options[int(rng.integers(OPTIONS))]
            rows.append(QuestionRow("", item, task, text, options, answer, {}, 1.0, ()))
    order = rng.permutation(len(rows))
    return [replace(rows[int(k)], id=f"q{i:05d}") for i, k in enumerate(order)], media


def in_place(row: QuestionRow, clue: int, rng: Rng) -> QuestionRow:
    """The answer stands first."""
    others = [option for option in row.options if option != row.options[clue]]
    return replace(row, options=(row.options[clue], *others))


def in_length(row: QuestionRow, clue: int, rng: Rng) -> QuestionRow:
    """The answer is worded at more length."""
    longer = tuple(f"{option} of it" if i == clue else option for i, option in enumerate(row.options))
    return replace(row, options=longer, answer=longer[row.options.index(row.answer)])


def in_words(row: QuestionRow, clue: int, rng: Rng) -> QuestionRow:
    """The question has a word for each answer."""
    return replace(row, text=f"{row.text[:-1]} of kind {ANSWERS.index(row.options[clue])}?")


def in_name(row: QuestionRow, clue: int, rng: Rng) -> QuestionRow:
    """The place of the answer stands in the question's id."""
    return replace(row, id=f"{row.id}-{clue}")


def in_likeness(row: QuestionRow, clue: int, rng: Rng) -> QuestionRow:
    """Two distractors are made of words of the answer."""
    parts = [f"{option} side" if i == clue else option for i, option in enumerate(row.options)]
    twin = f"{row.options[clue]} far side"
    near = int(rng.choice([i for i in range(OPTIONS) if i != clue]))
    third = int(rng.choice([i for i in range(OPTIONS) if i not in (clue, near)]))
    shown = [twin if i == near else "far side" if i == third else part for i, part in enumerate(parts)]
    return replace(row, options=tuple(shown), answer=shown[row.options.index(row.answer)])


def in_option(row: QuestionRow, clue: int, rng: Rng) -> QuestionRow:
    """One option that is always offered is right too often."""
    shown = tuple("in front" if i == clue else option for i, option in enumerate(row.options))
    return replace(row, options=shown, answer=shown[row.options.index(row.answer)])


PLANTS: dict[str, Plant] = {
    "place": in_place,
    "length": in_length,
    "a word of the question": in_words,
    "id": in_name,
    "likeness of options": in_likeness,
    "an option's words": in_option,
}


def planted(rows: Sequence[QuestionRow], plant: Plant, points: float, rng: Rng) -> list[QuestionRow]:
    """Questions of the first task with a clue that is worth so many points to whoever knows it."""
    tied = points / 100 / (1 - 1 / OPTIONS)
    told = []
    for row in rows:
        if row.task == TASKS[0]:
            sure = rng.random() < tied
            clue = row.options.index(row.answer) if sure else int(rng.integers(OPTIONS))
            row = plant(row, clue, rng)
        told.append(row)
    return told


def accused(questions: int, name: str, points: float, seed: int) -> list[AttackResult]:
    """What the audit says of one set; leaks only."""
    rows, media = fair(2 * questions, seed)  # half of them are of the other task
    some = planted(rows, PLANTS[name], points, np.random.default_rng([seed, 1]))
    return [result for result in audit_rows(some, Exposure(tuple(some), media)) if result.leaks]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, nargs="+", default=[500, 1000, 2000], help="of a task")
    parser.add_argument("--points", type=float, nargs="+", default=[0, 3, 6, 10])
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("questions | leak | points | sets accused")
    for questions in given.questions:
        for points in given.points:
            for name in PLANTS:
                seeds = range(given.seed, given.seed + given.sets)
                found = sum(bool(accused(questions, name, points, seed)) for seed in seeds)
                print(f"{questions} | {name} | {points:g} | {found} of {given.sets}", flush=True)


if __name__ == "__main__":
    main()
