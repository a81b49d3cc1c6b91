"""Choosing questions so that their answers are balanced over a whole set, whatever the worlds offer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np


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

    Balance comes before number: a stratum that lacks one label shrinks as a whole, and what is missing
    goes to the strata that have enough.
    """
    cells: dict[tuple[str, str], list[Candidate]] = {}
    for candidate in candidates:
        if candidate.stratum in quota.strata and candidate.label in quota.labels:
            cells.setdefault((candidate.stratum, candidate.label), []).append(candidate)
    ordered = {cell: _rotated(found, rng) for cell, found in sorted(cells.items())}
    sizes = {stratum: quota.total * share for stratum, share in quota.strata.items()}
    chosen: list[Candidate] = []
    for _ in range(8):
        chosen = _fill(ordered, sizes, quota)
        feasible = _feasible(chosen, sizes, quota)
        short = {s for s in sizes if feasible[s] < sizes[s] - 1}
        if not short:
            break
        missing = quota.total - sum(min(sizes[s], feasible[s]) for s in sizes)
        open_strata = {s: share for s, share in quota.strata.items() if s not in short and share > 0}
        spread = sum(open_strata.values())
        sizes = {
            s: feasible[s] if s in short else sizes[s] + missing * open_strata.get(s, 0.0) / spread
            for s in sizes
        }
        if not open_strata:
            chosen = _fill(ordered, sizes, quota)
            break
    return sorted(chosen)


def _fill(
    cells: Mapping[tuple[str, str], Sequence[Candidate]], sizes: Mapping[str, float], quota: Quota
) -> list[Candidate]:
    """Take from the scarcest cells first, never more than `per_item` of one item."""
    wanted = {
        (stratum, label): round(size * share)
        for stratum, size in sizes.items()
        for label, share in quota.labels.items()
    }
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


def _feasible(chosen: Sequence[Candidate], sizes: Mapping[str, float], quota: Quota) -> dict[str, float]:
    """The size that each stratum reaches with its scarcest label."""
    got = Counter((c.stratum, c.label) for c in chosen)
    return {
        stratum: min(
            (got[stratum, label] / share if got[stratum, label] < round(size * share) else size)
            for label, share in quota.labels.items()
            if share > 0
        )
        for stratum, size in sizes.items()
    }


def _rotated(candidates: Sequence[Candidate], rng: np.random.Generator) -> list[Candidate]:
    """Random order in which every item gives its first candidate before any gives its second."""
    shuffled = [candidates[i] for i in rng.permutation(len(candidates))]
    turn: Counter[int] = Counter()
    keyed = []
    for position, candidate in enumerate(shuffled):
        keyed.append((turn[candidate.item], position, candidate))
        turn[candidate.item] += 1
    return [candidate for _, _, candidate in sorted(keyed)]
