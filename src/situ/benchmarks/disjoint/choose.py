"""Which of the possible questions are asked: evenly over strata, and so that words alone do not help.

Candidates are matched as *twins*: they name the same categories in the same order but have different
answers. One of each pair is asked, by the toss of a coin, so that the words tell nothing and neither does
what is known of the other questions (if both were asked, either would give the other away). Where a set is
too small for enough twins, candidates are matched by how the words make one guess, which comes to the same on
average.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.disjoint.prior import guess_groups

# Shares of the templates in their task.
TEMPLATES: dict[str, dict[str, float]] = {
    "relationship": {"height": 0.25, "depth": 0.35, "side": 0.4},
    "distance": {"reach": 0.5, "both_arms": 0.5},
    "size_fit": {"larger": 0.5, "stack": 0.2, "stand": 0.3},
    "description_list": {"unique": 1.0},
    "description_use": {"use": 1.0, "function": 0.0},
}


def fields(candidate: Candidate) -> list[str]:
    """Template, distance bin, gap bin and the two categories."""
    return candidate.stratum.split("|")


def choose_twins(
    candidates: Sequence[Candidate], task: str, total: int, per_item: int, rng: np.random.Generator
) -> list[Candidate]:
    """Candidates of one task, as many as asked for where they can be had.

    What one template cannot give is asked of the next.
    """
    used: Counter[int] = Counter()
    chosen: list[Candidate] = []
    missing = 0
    for template, share in TEMPLATES[task].items():
        wanted = round(total * share) + missing
        pool = [c for c in candidates if c.task == task and fields(c)[0] == template]
        got = _choose_template(pool, template, min(wanted, total - len(chosen)), per_item, used, rng)
        missing = wanted - len(got)
        chosen += got
    return sorted(chosen)


def _choose_template(
    pool: list[Candidate],
    template: str,
    wanted: int,
    per_item: int,
    used: Counter[int],
    rng: np.random.Generator,
) -> list[Candidate]:
    if template in ("unique", "function"):
        return _spread([(candidate,) for candidate in pool], wanted, per_item, used, rng)
    if template == "use":  # which place the right answer has is balanced, whatever it says
        return _matched(pool, [0] * len(pool), wanted, per_item, used, rng)
    words = [(fields(c)[3], fields(c)[4]) for c in pool]
    chosen = _matched(pool, words, wanted, per_item, used, rng)
    taken = set(chosen)
    left = [i for i, c in enumerate(pool) if c not in taken]
    groups = guess_groups(pool, words)
    return chosen + _matched(
        [pool[i] for i in left], [groups[i] for i in left], wanted - len(chosen), per_item, used, rng
    )


def _matched(
    pool: Sequence[Candidate],
    keys: Sequence[Hashable],
    wanted: int,
    per_item: int,
    used: Counter[int],
    rng: np.random.Generator,
) -> list[Candidate]:
    """One candidate of each tuple with one key and one of each label, by lot."""
    labels = sorted({candidate.label for candidate in pool})
    cells: dict[Hashable, dict[str, list[Candidate]]] = {}
    for i in rng.permutation(len(pool)):
        cell = cells.setdefault(keys[i], {label: [] for label in labels})
        cell[pool[i].label].append(pool[i])
    twins = [
        twin for cell in cells.values() for twin in zip(*(cell[label] for label in labels), strict=False)
    ]
    return _spread(twins if len(labels) > 1 else [], wanted, per_item, used, rng)


def _spread(
    twins: Sequence[tuple[Candidate, ...]],
    wanted: int,
    per_item: int,
    used: Counter[int],
    rng: np.random.Generator,
) -> list[Candidate]:
    """One of each twin, so that the strata fill evenly, the emptiest stratum first.

    Which twins are taken depends on all their members alike, and the coin is tossed afterwards: a stratum in
    which one answer is rare must not tip it.
    """
    shelves: dict[tuple[str, str], list[tuple[Candidate, ...]]] = defaultdict(list)
    for i in rng.permutation(len(twins)):
        shelves[fields(twins[i][0])[1], fields(twins[i][0])[2]].append(twins[i])
    filled: Counter[tuple[str, str]] = Counter()
    chosen: list[Candidate] = []
    while shelves and len(chosen) < wanted:
        stratum = min(shelves, key=lambda s: (filled[s], s))
        twin = shelves[stratum].pop()
        if not shelves[stratum]:
            del shelves[stratum]
        if all(used[candidate.item] < per_item for candidate in twin):
            candidate = twin[int(rng.integers(len(twin)))]
            used[candidate.item] += 1
            filled[stratum] += 1
            chosen.append(candidate)
    return chosen
