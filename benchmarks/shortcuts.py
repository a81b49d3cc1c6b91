"""Attacks of the simplest kind, by code that shares nothing with `situ audit`.

    python -m benchmarks.shortcuts SET ...       # names, ids, order, lengths, sizes, sisters, repeats
    python -m benchmarks.shortcuts --plan 1 2 3  # SAW at full size for these seeds, without filming anything

Each attack learns from one half of the recordings and guesses for the other; a question with k options counts
1 / k as chance. What is more than 3 points and 3.5 standard errors above chance is marked.
"""

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from benchmarks.saw_plan import planned_rows
from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.saw.recipe import SawRecipe

Clue = Callable[[QuestionRow], Any]
Measures = Mapping[str, int]


class Guess(NamedTuple):
    item: str
    credit: float
    chance: float
    half: int = 0


def votes(rows: Sequence[QuestionRow], clue: Clue) -> list[Guess]:
    """Guessing what was right where the clue was the same, in the other half of the recordings.

    Halves, because guesses that learn from each other share their luck.
    """
    items = sorted({row.item for row in rows})
    half = {items[int(i)]: k % 2 for k, i in enumerate(np.random.default_rng(0).permutation(len(items)))}
    tables: tuple[dict[Any, Counter[str]], ...] = (defaultdict(Counter), defaultdict(Counter))
    for row in rows:
        tables[1 - half[row.item]][clue(row)][row.answer] += 1
    found = []
    for row in rows:
        seen = tables[half[row.item]][clue(row)]
        options = row.options or tuple(seen) or ("?",)
        best = max(seen[o] for o in options)
        picked = [o for o in options if seen[o] == best]
        chance = 1 / len(row.options) if row.options else usual(rows)
        found.append(Guess(row.item, picked.count(row.answer) / len(picked), chance, half[row.item]))
    return found


def usual(rows: Sequence[QuestionRow]) -> float:
    return max(Counter(row.answer for row in rows).values()) / len(rows)


def clues(rows: Sequence[QuestionRow], frames: Measures, sizes: Measures) -> dict[str, Clue]:
    place = {row.id: i for i, row in enumerate(rows)}
    by_item = _by_item(rows)
    spread = max(1, len(rows) // 20)

    def binned(values: Measures) -> Clue:
        cuts = np.quantile(list(values.values()), np.linspace(0, 1, 9)[1:-1]) if values else []
        return lambda row: int(np.searchsorted(cuts, values.get(row.item, 0)))

    return {
        "nothing": lambda row: 0,
        "end of the item's name": lambda row: re.split(r"\W|_", row.item)[-1][-1:],
        "item's number mod 6": lambda row: int("0" + "".join(re.findall(r"\d", row.item))[-6:]) % 6,
        "end of the id": lambda row: row.id[-1:],
        "id's number mod 6": lambda row: int("0" + "".join(re.findall(r"\d", row.id))[-6:]) % 6,
        "row order": lambda row: place[row.id] // spread,
        "place among the recording's rows": lambda row: by_item[row.item].index(row),
        "number of frames": binned(frames),
        "bytes": binned(sizes),
        "times asked before": lambda row: sum(
            r.text == row.text and (r.time or 0.0) < (row.time or 0.0) for r in by_item[row.item]
        ),
        "tasks asked of the recording": lambda row: tuple(sorted({r.task for r in by_item[row.item]})),
        "words of the sisters": lambda row: tuple(
            sorted({re.sub(r"\d+", "", r.text)[:24] for r in by_item[row.item] if r is not row})
        ),
    }


def sister_options(rows: Sequence[QuestionRow]) -> Iterator[Guess]:
    """The option that other rows of the recording offer, or speak of, most."""
    by_item = _by_item(rows)
    for row in rows:
        others = [r for r in by_item[row.item] if r is not row]
        if not others or not row.options:
            continue
        said = " ".join(t for r in others for t in (r.text, *r.options))
        counts = [sum(said.count(w) for w in re.findall(r"\w{4,}", o)) for o in row.options]
        yield _pick(row, counts)


def sister_claims(rows: Sequence[QuestionRow]) -> Iterator[Guess]:
    """The option with most words of its own in the sentences of sisters that speak of the same thing.

    "What happened to the mug?" beside a question that offers "the mug was moved" among its options.
    """
    by_item = _by_item(rows)
    for row in rows:
        sentences = [t for r in by_item[row.item] if r is not row for t in (r.text, *r.options)]
        subject = _words(row.text)
        near = [words for words in map(_words, sentences) if len(words & subject) >= 2]
        if not near or not row.options:
            continue
        shared = set.intersection(*(_words(o) for o in row.options))
        counts = [sum(bool((_words(o) - shared - subject) & words) for words in near) for o in row.options]
        yield _pick(row, counts)


def changed_since(rows: Sequence[QuestionRow]) -> Iterator[Guess]:
    """That the answer is another than the last time the same was asked."""
    last: dict[tuple[str, str], QuestionRow] = {}
    for row in sorted(rows, key=lambda r: (r.item, r.time or 0.0)):
        before = last.get((row.item, row.text))
        last[row.item, row.text] = row
        if before is not None and row.time is not None and len(row.options) > 1:
            yield Guess(row.item, float(before.answer != row.answer), 1 - 1 / len(row.options))


def same_again(rows: Sequence[QuestionRow]) -> Iterator[Guess]:
    """That it is the same."""
    for guess in changed_since(rows):
        yield guess._replace(credit=1 - guess.credit, chance=1 - guess.chance)


def _by_item(rows: Sequence[QuestionRow]) -> dict[str, list[QuestionRow]]:
    found: dict[str, list[QuestionRow]] = defaultdict(list)
    for row in rows:
        found[row.item].append(row)
    return found


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", text.lower()))


def _pick(row: QuestionRow, counts: Sequence[int]) -> Guess:
    picked = [o for o, n in zip(row.options, counts, strict=True) if n == max(counts)]
    return Guess(row.item, picked.count(row.answer) / len(picked), 1 / len(row.options))


class Result(NamedTuple):
    """How one attack did on one task. `errors` is how many standard errors it is above chance in the half of
    the recordings where it did better."""

    attack: str
    task: str
    questions: int
    share: float
    chance: float
    errors: float

    @property
    def marked(self) -> bool:
        return self.share > self.chance + 0.03 and self.errors > 3.5

    def __str__(self) -> str:
        told = f"{100 * self.share:6.1f} {100 * self.chance:6.1f} {self.errors:5.1f}"
        return f"{self.attack:34}{self.task:26} {self.questions:6} {told}{'  <<<' if self.marked else ''}"


def result(attack: str, task: str, found: Sequence[Guess]) -> Result:
    share, chance = (float(np.mean([getattr(g, name) for g in found])) for name in ("credit", "chance"))
    halves = [[guess for guess in found if guess.half == k] for k in (0, 1)]
    return Result(attack, task, len(found), share, chance, max(_errors(half) for half in halves if half))


def _errors(found: Sequence[Guess]) -> float:
    """Standard errors above chance: over recordings, or those of plain guessing where they are more, as a few
    dozen questions can agree with each other by luck."""
    by_item: dict[str, list[float]] = defaultdict(list)
    for guess in found:
        by_item[guess.item].append(guess.credit - guess.chance)
    excess = float(np.mean([guess.credit - guess.chance for guess in found]))
    over_items = math.sqrt(sum((sum(v) - excess * len(v)) ** 2 for v in by_item.values())) / len(found)
    guessing = math.sqrt(sum(guess.chance * (1 - guess.chance) for guess in found)) / len(found)
    return excess / max(over_items, guessing)


def attack(rows: Sequence[QuestionRow], frames: Measures, sizes: Measures) -> list[Result]:
    """Every attack on every task, and those that go by other questions on all tasks together."""
    every, found = clues(rows, frames, sizes), []
    for task in sorted({row.task for row in rows}):
        mine = [row for row in rows if row.task == task]
        found += [result(name, task, votes(mine, clue)) for name, clue in every.items()]
    for name, guesses in SISTERS.items():
        some = list(guesses(rows))
        found += [result(name, "all", some)] if some else []
    return found


SISTERS = {
    "options said by sisters": sister_options,
    "claims of sisters": sister_claims,
    "not as last time": changed_since,
    "as last time": same_again,
}


def attack_sets(datasets: Sequence[Dataset]) -> list[Result]:
    """Sets of one recipe as one, in the order of their files."""
    rows, frames, sizes = [], {}, {}
    for number, dataset in enumerate(datasets):
        for item in dataset.items:
            recording = dataset.recording(item)
            frames[f"{number}-{item}"] = len(recording)
            sizes[f"{number}-{item}"] = sum(path.stat().st_size for path in recording.folder.iterdir())
        for place, row in enumerate(dataset.questions):
            named = replace(row, id=f"{number}-{row.id}", item=f"{number}-{row.item}")
            rows.append((place / len(dataset.questions), number, named))
    return attack([row for _, _, row in sorted(rows, key=lambda r: r[:2])], frames, sizes)


def attack_all(arguments: Sequence[str]) -> None:
    if arguments and arguments[0] == "--plan":
        for seed in map(int, arguments[1:]):
            rows, frames = planned_rows(SawRecipe(seed=seed, fps=2.0))
            show(f"saw as planned, seed {seed}", attack(rows, frames, {}))
        return
    for folder in arguments:
        dataset = Dataset.open(folder)
        show(dataset.folder.name, attack_sets([dataset]))


def show(name: str, results: Sequence[Result]) -> None:
    print(f"\n{name}: attack, task, questions, right, chance, standard errors above it")
    print("\n".join(map(str, results)))
    print(f"{len(results)} attacks, {sum(r.marked for r in results)} marked", flush=True)


if __name__ == "__main__":
    attack_all(sys.argv[1:])
