"""What attacks achieved, and one test that says which of them beat chance.

The excess of an attack over chance is summed by recording: questions about one recording stand or fall
together. Where nothing leaks, each recording's sum is zero on average, whatever came before it, since a
learner has only seen recordings before it. Its sign is then a matter of luck: drawing the signs by lot, the
same for all attacks, shows how large the largest standardised excess of all attacks gets by luck alone
(Westfall and Young's step over a wild cluster bootstrap). Attacks that guess alike cost no power, as they
would if each were allowed its own share of the errors.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.stats.intervals import Interval, clustered_wilson
from situ.evaluation.stats.power import POWER

BLOCKS = 5  # of recordings, each guessed from those before it
LEVEL = 0.05  # how often a set that leaks nothing is accused
DRAWS = 2000
OVERALL = "overall"


@dataclass(frozen=True)
class AttackResult:
    """How one attack does on one task, or overall.

    `chance` is 1 / number of options, or for answers that are numbers the share of the most common one.
    `p` is how often the best of all attacks of the audit comes this far by luck. `sees` is the excess over
    chance that this attack shows with 80 % probability.
    """

    task: str
    attack: str
    questions: int
    accuracy: float
    interval: Interval
    chance: float
    p: float
    sees: float
    level: float = LEVEL

    @property
    def leaks(self) -> bool:
        return self.p <= self.level

    @property
    def told(self) -> float:
        """How far it is from being called a leak: more is nearer."""
        return (self.accuracy - self.chance) / self.sees

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "interval": list(self.interval), "leaks": self.leaks}


@dataclass(frozen=True)
class Outcome:
    """What one attack earned on one question: 1, 0, or the expectation where it draws lots."""

    item: str
    credit: float
    chance: float


def judged(outcomes: Mapping[tuple[str, str], Sequence[Outcome]], level: float = LEVEL) -> list[AttackResult]:
    """Every attack (by task and name) that guessed anything, judged by one test of them all.

    Attacks on so few recordings that being right about each would be no proof are left out.
    """
    found = {key: mine for key, mine in outcomes.items() if mine}
    if not found:
        return []
    place = {item: i for i, item in enumerate(sorted({o.item for mine in found.values() for o in mine}))}
    excess = np.zeros((len(found), len(place)))
    for row, mine in enumerate(found.values()):
        for outcome in mine:
            excess[row, place[outcome.item]] += outcome.credit - outcome.chance
    errors = np.maximum(np.sqrt((excess**2).sum(axis=1)), 1e-9)
    signs = np.random.default_rng(0).choice((-1.0, 1.0), (DRAWS, len(place)))
    best_by_luck = np.sort((signs @ (excess / errors[:, None]).T).max(axis=1))
    proof = best_by_luck[int(np.ceil((1 - level) * DRAWS)) - 1]
    needed = proof + NormalDist().inv_cdf(POWER)
    reached = excess.sum(axis=1) / errors
    luckier = DRAWS - np.searchsorted(best_by_luck, reached - 1e-9)
    return [
        AttackResult(
            *key,
            len(mine),
            float(np.mean([o.credit for o in mine])),
            clustered_wilson([o.credit for o in mine], [o.item for o in mine]),
            float(np.mean([o.chance for o in mine])),
            float((1 + luckier[row]) / (1 + DRAWS)),
            float(needed * errors[row] / len(mine)),
            level,
        )
        for row, (key, mine) in enumerate(found.items())
        if len({o.item for o in mine}) >= proof**2
    ]


def chance(rows: Sequence[QuestionRow]) -> float:
    """What a guesser expects who knows the task but not the question."""
    return sum(chances(rows)) / len(rows)


def chances(rows: Sequence[QuestionRow]) -> list[float]:
    """The same for each question of a task."""
    usual = Counter(row.answer for row in rows).most_common(1)[0][1] / len(rows)
    return [1 / len(row.options) if row.options else usual for row in rows]


def in_turn(
    rows: Sequence[QuestionRow], order: Mapping[str, int]
) -> Iterator[tuple[list[QuestionRow], list[QuestionRow]]]:
    """Questions to learn from and questions to guess: each block of recordings from all those before it.

    Guessing back, too, would use every question, but then the same luck teaches one block and is met in
    another, and a fair set is accused.
    """
    items = sorted({row.item for row in rows}, key=lambda item: order[item])
    block_of = {item: place * BLOCKS // len(items) for place, item in enumerate(items)}
    for block in sorted(set(block_of.values()))[1:]:
        known = [row for row in rows if block_of[row.item] < block]
        yield known, [row for row in rows if block_of[row.item] == block]


def by_lot(rows: Sequence[QuestionRow]) -> dict[str, int]:
    """The order of recordings, the same for all tasks and attacks."""
    items = sorted({row.item for row in rows})
    places = np.random.default_rng(0).permutation(len(items))
    return dict(zip(items, places.tolist(), strict=True))
