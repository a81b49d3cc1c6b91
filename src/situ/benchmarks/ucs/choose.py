"""Choosing groups of questions: published shares, answers that tell nothing, many streams, many repeats,
evidence of every age."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from situ.benchmarks.balance import Candidate

LOOK_AT = 200  # groups compared for each pick
AGE = 0.5  # what each question with evidence of the same age weighs against one more
TILT = 3.0  # what each word or place counts that is right more often, or less, than it is offered
SMALL_WORDS = frozenset({"the", "at", "from", "to", "past", "then"})
MOST_EXCESS = 2  # how far a count's rank may run ahead of the rarest one among the same options


@dataclass(frozen=True, eq=False)
class _Bunch:
    """Candidates that are asked together or not at all; `age` is the interval of their oldest evidence."""

    item: int
    age: str
    claim: str
    members: tuple[Candidate, ...]
    options: tuple[str, ...] = ()

    @cached_property
    def tilt(self) -> dict[str, float]:
        """By how much each word and each place of the options is right more often than a guess would be."""
        found: dict[str, float] = {}
        for place, option in enumerate(self.options, 1):
            right = sum(member.label == option for member in self.members)
            words = set(re.findall(r"\w+", option)) - SMALL_WORDS
            for word in sorted(words | {f"option {place}"}):
                found[word] = found.get(word, 0.0) + right - len(self.members) / len(self.options)
        return found


def choose_groups(
    candidates: Sequence[Candidate], quotas: Mapping[str, int], rng: np.random.Generator
) -> list[Candidate]:
    """Groups of each task until its quota is full, those first whose answers are rare so far."""
    chosen: list[Candidate] = []
    used: Counter[int] = Counter()
    for task, quota in quotas.items():
        chosen += _choose(_bunches(candidates, task), quota, used, rng)
    return sorted(chosen)


def choose_carelessly(
    candidates: Sequence[Candidate], quotas: Mapping[str, int], rng: np.random.Generator
) -> list[Candidate]:
    """Questions as they come, each once, and counts whose truth is second from an end."""
    chosen: list[Candidate] = []
    for task, quota in quotas.items():
        singles = []
        for bunch in _bunches(candidates, task):
            fit = [m for m in bunch.members if not bunch.claim or m.label.split("+")[1] in ("1", "3")]
            singles += [fit[int(rng.integers(len(fit)))]] if fit else []
        chosen += [singles[int(i)] for i in rng.permutation(len(singles))[:quota]]
    return sorted(chosen)


def _bunches(candidates: Sequence[Candidate], task: str) -> list[_Bunch]:
    found: dict[tuple[int, str], list[Candidate]] = {}
    for candidate in candidates:
        if candidate.task == task:
            found.setdefault((candidate.item, candidate.stratum), []).append(candidate)
    bunches = []
    for (item, stratum), members in found.items():
        _, age, claim, *options = stratum.split("|")
        bunches.append(_Bunch(item, age, claim, tuple(members), tuple(options) if not claim else ()))
    return bunches


def _choose(
    bunches: list[_Bunch], quota: int, used: Counter[int], rng: np.random.Generator
) -> list[Candidate]:
    labels: Counter[str] = Counter()
    claimed: set[tuple[int, str]] = set()
    mine: Counter[int] = Counter()
    ages: Counter[str] = Counter()
    tilt: dict[str, float] = {}
    left = [bunches[int(i)] for i in rng.permutation(len(bunches))]
    chosen: list[Candidate] = []
    while left and len(chosen) < quota:
        window = left[:LOOK_AT]
        costs = [
            _cost(bunch, labels, mine, used) + AGE * ages[bunch.age] + TILT * _worse(bunch, tilt)
            for bunch in window
        ]
        best = int(np.argmin(costs))
        bunch = window[best]
        # The window slides, so that every group is looked at in its turn.
        left = left[:best] + left[best + 1 :]
        if bunch.claim and ((bunch.item, bunch.claim) in claimed or _excess(bunch, labels) > MOST_EXCESS):
            continue
        if len(chosen) + len(bunch.members) > quota and len(bunch.members) > 1:
            continue
        if bunch.claim:
            claimed.add((bunch.item, bunch.claim))
        labels.update(member.label for member in bunch.members)
        mine[bunch.item] += len(bunch.members)
        used[bunch.item] += len(bunch.members)
        ages[bunch.age] += len(bunch.members)
        for word, more in bunch.tilt.items():
            tilt[word] = tilt.get(word, 0.0) + more
        chosen += bunch.members
    return chosen


def _cost(bunch: _Bunch, labels: Counter[str], mine: Counter[int], used: Counter[int]) -> float:
    if bunch.claim:
        common = _excess(bunch, labels) + _ahead(bunch, labels)
    else:
        common = max(labels[member.label] for member in bunch.members)
    lonely = 1.5 if len(bunch.members) == 1 else 0.0
    return common + lonely + 0.5 * mine[bunch.item] + 0.1 * used[bunch.item]


def _worse(bunch: _Bunch, tilt: Mapping[str, float]) -> float:
    """How much more a group would let the words of options tell which of them are right."""
    return sum(
        abs(tilt.get(word, 0.0) + more) - abs(tilt.get(word, 0.0)) for word, more in bunch.tilt.items()
    )


def _excess(bunch: _Bunch, labels: Counter[str]) -> int:
    """How far the ranks of a count question run ahead of the rarest rank among the same options."""
    low = bunch.members[0].label.split("+")[0]
    rarest = min(labels[f"{low}+{rank}"] for rank in range(5))
    return max(labels[member.label] for member in bunch.members) - rarest


def _ahead(bunch: _Bunch, labels: Counter[str]) -> int:
    """The same over all count questions, whatever their options."""
    ranks: Counter[str] = Counter()
    for label, times in labels.items():
        ranks[label.split("+")[1]] += times
    rarest = min(ranks[str(rank)] for rank in range(5))
    return max(ranks[member.label.split("+")[1]] for member in bunch.members) - rarest
