"""Every attack on every task, and on all tasks together.

Attacks that learn nothing are tried on all questions. Those that learn guess each fifth of the recordings
from those before it, so that an accuracy above chance is a leak of the set, not of the sample. All of them
are judged by one test (see result.py): a set that leaks nothing is accused in one of twenty cases, however
many attacks there are. Learners are also inverted, guessing what they hold least likely: answers that are
balanced too exactly lean away from what is already known.
"""

from collections.abc import Callable, Mapping, Sequence

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.evaluation.audit.exposure import Exposure
from situ.evaluation.audit.guess import Scorer, credits_of
from situ.evaluation.audit.learners import learn_all, learn_options, learn_text
from situ.evaluation.audit.result import (
    LEVEL,
    OVERALL,
    AttackResult,
    Outcome,
    by_lot,
    chances,
    in_turn,
    judged,
)
from situ.evaluation.audit.rules import rules
from situ.evaluation.audit.tables import (
    CLUES,
    MEASURES,
    OPTION_CLUES,
    learn_clue,
    learn_measure,
    learn_option_clue,
)

Fit = Callable[[Sequence[QuestionRow], Exposure], Scorer]
MOST_LEARNT = 3000  # questions of a task that learners are given: whole recordings
AGAIN_SAME, AGAIN_OTHER = "the same as last time", "not the same as last time"
INVERTED, OTHER_SETS = ", inverted", ", learnt on other sets"
ATTACKS: dict[str, Fit] = {
    **{name: learn_clue(clue) for name, clue in CLUES.items()},
    **{name: learn_option_clue(clue) for name, clue in OPTION_CLUES.items()},
    **{name: learn_measure(measure) for name, measure in MEASURES.items()},
    "text classifier": learn_text,
    "option classifier": learn_options,
    "boosted trees": learn_all,
}
TURNED = ("usual answer", "wording", "option place", "text classifier", "option classifier", "boosted trees")
CROSSED = ("usual answer", "wording", "frames", "text classifier", "boosted trees")
Progress = Callable[[int, int], None]


def audit(
    dataset: Dataset,
    others: Sequence[Dataset] = (),
    progress: Progress | None = None,
    level: float = LEVEL,
) -> list[AttackResult]:
    """Every attack on a set. `others` are sets of the same recipe from other seeds to learn from."""
    seen = Exposure.of(dataset)
    return audit_rows(dataset.questions, seen, [Exposure.of(other) for other in others], progress, level)


def audit_rows(
    rows: Sequence[QuestionRow],
    seen: Exposure | None = None,
    others: Sequence[Exposure] = (),
    progress: Progress | None = None,
    level: float = LEVEL,
) -> list[AttackResult]:
    seen = seen or Exposure(tuple(rows))
    tasks, order = sorted({row.task for row in rows}), by_lot(rows)
    outcomes: dict[tuple[str, str], list[Outcome]] = {}
    for number, task in enumerate(tasks, 1):
        mine = [row for row in rows if row.task == task]
        some = _whole_recordings(mine, MOST_LEARNT)
        found = _by_rule(mine, seen) | _repeats(mine, seen)
        found |= _learnt(some, seen, order) | _from_others(mine, seen, others)
        outcomes |= {(task, name): guesses for name, guesses in found.items()}
        if progress:
            progress(number, len(tasks))
    if len(tasks) > 1:
        for name in dict.fromkeys(name for _, name in outcomes):
            outcomes[OVERALL, name] = [o for task in tasks for o in outcomes.get((task, name), [])]
    return judged(outcomes, level)


def _by_rule(rows: Sequence[QuestionRow], seen: Exposure) -> dict[str, list[Outcome]]:
    """Attacks that learn nothing."""
    asked = [row for row in rows if row.options]
    return {
        name: [
            Outcome(row.item, credit, 1 / len(row.options))
            for row, credit in zip(asked, credits_of(asked, lambda row: row.options, scores), strict=True)
        ]
        for name, scores in rules(asked, seen).items()
    }


def _learnt(
    rows: Sequence[QuestionRow], seen: Exposure, order: Mapping[str, int]
) -> dict[str, list[Outcome]]:
    """Attacks that learn on some recordings and guess for those that follow."""
    odds = dict(zip([row.id for row in rows], chances(rows), strict=True))
    found: dict[str, list[Outcome]] = {}
    for name in _telling(rows, seen):
        for known, asked in in_turn(rows, order):
            scorer = ATTACKS[name](known, seen)
            scores = scorer.score(asked, seen)
            for inverted in (False, True) if name in TURNED else (False,):
                earned = credits_of(asked, scorer.choices, scores, inverted)
                found.setdefault(name + INVERTED * inverted, []).extend(
                    Outcome(row.item, credit, odds[row.id]) for row, credit in zip(asked, earned, strict=True)
                )
    return found


def _telling(rows: Sequence[QuestionRow], seen: Exposure) -> list[str]:
    """Attacks whose clue differs from question to question; the others can only repeat the usual answer."""
    names = []
    for name in ATTACKS:
        if name in MEASURES:
            values = {MEASURES[name](row, seen) for row in rows}
        elif name in OPTION_CLUES:
            values = {OPTION_CLUES[name](row, option, seen) for row in rows for option in row.options}  # type: ignore[misc]
        elif name == "option classifier":
            values = {row.options for row in rows}  # type: ignore[misc]
        else:
            values = {CLUES[name](row, seen) for row in rows} if name in CLUES else {0.0, 1.0}  # type: ignore[misc]
        if len(values) > 1 or name == "usual answer":
            names.append(name)
    return names


def _from_others(
    rows: Sequence[QuestionRow], seen: Exposure, others: Sequence[Exposure]
) -> dict[str, list[Outcome]]:
    """The same learners, taught by sets that were made from other seeds."""
    odds = chances(rows)
    found: dict[str, list[Outcome]] = {}
    taught = [(other, [row for row in other.rows if row.task == rows[0].task]) for other in others]
    taught = [(other, _whole_recordings(known, MOST_LEARNT)) for other, known in taught if known]
    for name in CROSSED if taught else ():
        scorers = [ATTACKS[name](known, other) for other, known in taught]
        scored = [(scorer.choices, scorer.score(rows, seen)) for scorer in scorers]
        for inverted in (False, True):
            earned = [credits_of(rows, choices, scores, inverted) for choices, scores in scored]
            found[name + OTHER_SETS + INVERTED * inverted] = [
                Outcome(row.item, sum(credit) / len(credit), odds[i])
                for i, (row, *credit) in enumerate(zip(rows, *earned, strict=True))
            ]
    return found


def _repeats(rows: Sequence[QuestionRow], seen: Exposure) -> dict[str, list[Outcome]]:
    """Questions that were asked before: whether the earlier answer comes again as often as by chance."""
    found: dict[str, list[Outcome]] = {AGAIN_SAME: [], AGAIN_OTHER: []}
    for row in rows:
        earlier = seen.earlier(row)
        if earlier is None or len(row.options) < 2:
            continue
        kept, options = earlier.answer == row.answer, len(row.options)
        found[AGAIN_SAME].append(Outcome(row.item, float(kept), 1 / options))
        found[AGAIN_OTHER].append(Outcome(row.item, float(not kept), 1 - 1 / options))
    return {name: outcomes for name, outcomes in found.items() if outcomes}


def _whole_recordings(rows: Sequence[QuestionRow], most: int) -> list[QuestionRow]:
    step = max(1, -(-len(rows) // most))
    kept = set(sorted({row.item for row in rows})[::step])
    return [row for row in rows if row.item in kept]
