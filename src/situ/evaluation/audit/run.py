"""Every attack on every task, and on all tasks together.

Each attack learns on some recordings and answers for others, so an accuracy above chance is a leak of the
set, not of the sample. A leak is called one when the attack beats chance by more than three points *and*
chance lies below an interval that holds for all attacks together with 95 % (a hundred attacks at 95 % each
would raise five false alarms on a fair set). Learners are also inverted, guessing what they hold least
likely: answers that are balanced too exactly lean away from what is already known.
"""

from collections.abc import Callable, Sequence

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.evaluation.audit.exposure import Exposure
from situ.evaluation.audit.guess import Scorer, credits_of
from situ.evaluation.audit.learners import learn_all, learn_options, learn_text
from situ.evaluation.audit.result import FOLDS, OVERALL, AttackResult, Outcome, chances, folds, result
from situ.evaluation.audit.tables import (
    CLUES,
    MEASURES,
    OPTION_CLUES,
    learn_clue,
    learn_measure,
    learn_option_clue,
)
from situ.evaluation.stats.intervals import simultaneous_z

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
    dataset: Dataset, others: Sequence[Dataset] = (), progress: Progress | None = None
) -> list[AttackResult]:
    """Every attack on a set. `others` are sets of the same recipe from other seeds to learn from."""
    return audit_rows(
        dataset.questions, Exposure.of(dataset), [Exposure.of(other) for other in others], progress
    )


def audit_rows(
    rows: Sequence[QuestionRow],
    seen: Exposure | None = None,
    others: Sequence[Exposure] = (),
    progress: Progress | None = None,
) -> list[AttackResult]:
    seen = seen or Exposure(tuple(rows))
    tasks = sorted({row.task for row in rows})
    outcomes: dict[str, dict[str, list[Outcome]]] = {}
    for number, task in enumerate(tasks, 1):
        mine = _whole_recordings([row for row in rows if row.task == task], MOST_LEARNT)
        outcomes[task] = {**_learnt(mine, seen), **_from_others(mine, seen, others), **_repeats(mine, seen)}
        if progress:
            progress(number, len(tasks))
    if len(tasks) > 1:
        names = dict.fromkeys(name for found in outcomes.values() for name in found)
        outcomes[OVERALL] = {
            name: [o for task in tasks for o in outcomes[task].get(name, [])] for name in names
        }
    z_of_all = simultaneous_z(FOLDS * sum(len(found) for found in outcomes.values()))
    return [
        result(task, name, found, z_of_all)
        for task, by_attack in outcomes.items()
        for name, found in by_attack.items()
        if found
    ]


def _learnt(rows: Sequence[QuestionRow], seen: Exposure) -> dict[str, list[Outcome]]:
    """Attacks that learn on one half of the recordings and guess for the other, and the other way round."""
    odds = dict(zip([row.id for row in rows], chances(rows), strict=True))
    found: dict[str, list[Outcome]] = {}
    for name in _telling(rows, seen):
        for half, (known, asked) in enumerate(folds(rows)):
            scorer = ATTACKS[name](known, seen)
            scores = scorer.score(asked, seen)
            for inverted in (False, True) if name in TURNED else (False,):
                earned = credits_of(asked, scorer.choices, scores, inverted)
                found.setdefault(name + INVERTED * inverted, []).extend(
                    Outcome(row.item, credit, odds[row.id], half)
                    for row, credit in zip(asked, earned, strict=True)
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
