"""Choosing questions so that their answers are balanced over a whole set, whatever the worlds offer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

ROUNDS = 12
SLACK = 0.02  # share of the lots of a stratum that may find nothing, beyond one
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

    The label of each question is drawn by lot, with the shares of the quota: exact numbers would let whoever
    knows some answers lean away from them. Balance comes before number: a stratum ends where the next label
    cannot be had, and what is missing goes to the strata that have enough.
    """
    cells: dict[Cell, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.stratum in quota.strata and candidate.label in quota.labels:
            cells.setdefault((candidate.stratum, candidate.label), []).append(candidate)
    ordered = {cell: _rotated(found, rng) for cell, found in sorted(cells.items())}
    names, shares = list(quota.labels), np.array(list(quota.labels.values()))
    lots = {
        stratum: [names[int(i)] for i in rng.choice(len(names), quota.total, p=shares / shares.sum())]
        for stratum in quota.strata
    }
    wanted = _rounded({s: quota.total * share for s, share in quota.strata.items()}, quota.total)
    for _ in range(ROUNDS):
        chosen = _fill(ordered, {s: lots[s][:size] for s, size in wanted.items()}, quota)
        given = {s: _given(chosen, s, lots[s][:size]) for s, size in wanted.items()}
        reached = {s: len(labels) for s, labels in given.items()}
        short = {s for s in wanted if reached[s] < wanted[s]}
        roomy = {s: share for s, share in quota.strata.items() if s not in short}
        missing = sum(wanted[s] - reached[s] for s in short)
        if not missing or not roomy:
            break
        gain = _rounded({s: missing * share / sum(roomy.values()) for s, share in roomy.items()}, missing)
        wanted = {s: reached[s] + gain.get(s, 0) for s in wanted}
    # The last round may have left a stratum short of what it was given: it ends where its lots end.
    return sorted(_fill(ordered, given, quota))


def choose_evenly(
    candidates: Sequence[Candidate], total: int, per_item: int, rng: np.random.Generator
) -> list[Candidate]:
    """Some candidates by lot, whatever their label, as many of each item as can be."""
    used: Counter[int] = Counter()
    chosen: list[Candidate] = []
    for candidate in _rotated(candidates, rng):
        if len(chosen) < total and used[candidate.item] < per_item:
            used[candidate.item] += 1
            chosen.append(candidate)
    return chosen


def _fill(
    cells: Mapping[Cell, Sequence[Candidate]], lots: Mapping[str, Sequence[str]], quota: Quota
) -> list[Candidate]:
    """Take from the scarcest cells first, never more than `per_item` of one item."""
    wanted = Counter((stratum, label) for stratum, drawn in lots.items() for label in drawn)
    used: Counter[int] = Counter()
    chosen: list[Candidate] = []
    for cell in sorted(wanted, key=lambda c: (len(cells.get(c, ())) / wanted[c], c)):
        left = wanted[cell]
        for candidate in cells.get(cell, ()):
            if left == 0:
                break
            if used[candidate.item] < quota.per_item:
                used[candidate.item] += 1
                chosen.append(candidate)
                left -= 1
    return chosen


def _given(chosen: Sequence[Candidate], stratum: str, drawn: Sequence[str]) -> list[str]:
    """The labels drawn for a stratum that can be given, up to where one is missing for more than once."""
    got = Counter(c.label for c in chosen if c.stratum == stratum)
    given: list[str] = []
    missed = 0
    for label in drawn:
        if got[label]:
            got[label] -= 1
            given.append(label)
            continue
        missed += 1
        if missed > 1 + SLACK * len(given):
            break
    return given


def _rounded(sizes: Mapping[str, float], total: int) -> dict[str, int]:
    """Whole numbers close to the sizes: the largest remainders are rounded up while the total allows."""
    whole = {stratum: int(size) for stratum, size in sizes.items()}
    spare = min(total, round(sum(sizes.values()))) - sum(whole.values())
    for stratum in sorted(sizes, key=lambda s: (whole[s] - sizes[s], s))[: max(0, spare)]:
        whole[stratum] += 1
    return whole


def _rotated(candidates: Sequence[Candidate], rng: np.random.Generator) -> list[Candidate]:
    """Random order in which every item gives its first candidate before any gives its second."""
    shuffled = [candidates[i] for i in rng.permutation(len(candidates))]
    turn: Counter[int] = Counter()
    keyed = []
    for position, candidate in enumerate(shuffled):
        keyed.append((turn[candidate.item], position, candidate))
        turn[candidate.item] += 1
    return [candidate for _, _, candidate in sorted(keyed)]
