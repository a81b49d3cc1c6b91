"""Choosing questions so that their answers are balanced over a whole set, whatever the worlds offer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

ROUNDS = 8
SLACK = 0.02  # how far a label may fall short of its share before its stratum shrinks
Cell = tuple[str, str]  # stratum, label


class Candidate(NamedTuple):
    """A question that could be asked: `number` counts within its item.

    Answers are balanced over `label` inside each `stratum` of a `task`.
    """

    item: int
    number: int
    task: str
    stratum: str
    label: str


class Quota(NamedTuple):
    """How many questions of a task to choose, and how they should be spread."""

    total: int
    strata: Mapping[str, float]  # share of each stratum
    labels: Mapping[str, float]  # share of each label inside every stratum
    per_item: int


def choose_balanced(
    candidates: Sequence[Candidate], quota: Quota, rng: np.random.Generator
) -> list[Candidate]:
    """Candidates of one task that fill a quota as far as they can.

    Balance comes before number: a stratum that clearly lacks one label shrinks as a whole, and what is
    missing goes to the strata that have enough. What then still lacks is topped up from the labels that
    are short over the whole set.
    """
    cells: dict[Cell, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.stratum in quota.strata and candidate.label in quota.labels:
            cells.setdefault((candidate.stratum, candidate.label), []).append(candidate)
    ordered = {cell: _rotated(found, rng) for cell, found in sorted(cells.items())}
    sizes = {stratum: quota.total * share for stratum, share in quota.strata.items()}
    chosen: list[Candidate] = []
    for _ in range(ROUNDS):
        chosen = _fill(ordered, sizes, quota)
        feasible = _feasible(chosen, sizes, quota)
        short = {stratum for stratum in sizes if feasible[stratum] < sizes[stratum]}
        roomy = {s: share for s, share in quota.strata.items() if s not in short}
        if not short or not roomy:
            break
        missing = sum(sizes[stratum] - feasible[stratum] for stratum in short)
        gain = missing / sum(roomy.values())
        sizes = {s: feasible[s] if s in short else sizes[s] + gain * roomy[s] for s in sizes}
    return sorted(_topped_up(chosen, ordered, quota))


def _fill(
    cells: Mapping[Cell, Sequence[Candidate]], sizes: Mapping[str, float], quota: Quota
) -> list[Candidate]:
    """Take from the scarcest cells first, never more than `per_item` of one item."""
    wanted = _rounded(
        {(s, label): size * share for s, size in sizes.items() for label, share in quota.labels.items()},
        quota.total,
    )
    used: Counter[int] = Counter()
    chosen: list[Candidate] = []
    for cell in sorted(wanted, key=lambda c: (len(cells.get(c, ())) / max(wanted[c], 1), c)):
        left = wanted[cell]
        for candidate in cells.get(cell, ()):
            if left == 0:
                break
            if used[candidate.item] < quota.per_item:
                used[candidate.item] += 1
                chosen.append(candidate)
                left -= 1
    return chosen


def _rounded(sizes: Mapping[Cell, float], total: int) -> dict[Cell, int]:
    """Whole numbers close to the sizes: the largest remainders are rounded up while the total allows."""
    whole = {cell: int(size) for cell, size in sizes.items()}
    spare = min(total, round(sum(sizes.values()))) - sum(whole.values())
    for cell in sorted(sizes, key=lambda c: (whole[c] - sizes[c], c))[: max(0, spare)]:
        whole[cell] += 1
    return whole


def _feasible(chosen: Sequence[Candidate], sizes: Mapping[str, float], quota: Quota) -> dict[str, float]:
    """The size at which each stratum's scarcest label keeps its share, with a little slack."""
    got = Counter((c.stratum, c.label) for c in chosen)
    feasible = {}
    for stratum, size in sizes.items():
        slack = 1 + SLACK * size
        reached = [(got[stratum, label] + slack) / share for label, share in quota.labels.items()]
        feasible[stratum] = min(size, *reached)
    return feasible


def _topped_up(
    chosen: list[Candidate], cells: Mapping[Cell, Sequence[Candidate]], quota: Quota
) -> list[Candidate]:
    """Fill up towards the total with labels that are short, whatever stratum has them."""
    used = Counter(c.item for c in chosen)
    taken = set(chosen)
    spare: dict[str, list[Candidate]] = {label: [] for label in quota.labels}
    for (_, label), found in cells.items():
        spare[label] += [c for c in found if c not in taken]
    behind = Counter({label: quota.total * share for label, share in quota.labels.items()})
    behind.subtract(Counter(c.label for c in chosen))
    result = list(chosen)
    while len(result) < quota.total:
        label = max(quota.labels, key=lambda name: (behind[name], name))
        if not spare[label]:
            break  # the scarcest label has run out: more of the others would tip the balance
        candidate = spare[label].pop(0)
        if used[candidate.item] < quota.per_item:
            used[candidate.item] += 1
            behind[label] -= 1
            result.append(candidate)
    return result


def _rotated(candidates: Sequence[Candidate], rng: np.random.Generator) -> list[Candidate]:
    """Random order in which every item gives its first candidate before any gives its second."""
    shuffled = [candidates[i] for i in rng.permutation(len(candidates))]
    turn: Counter[int] = Counter()
    keyed = []
    for position, candidate in enumerate(shuffled):
        keyed.append((turn[candidate.item], position, candidate))
        turn[candidate.item] += 1
    return [candidate for _, _, candidate in sorted(keyed)]
