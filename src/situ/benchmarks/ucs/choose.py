"""Choosing groups of questions: published shares, answers drawn by lot, many streams, many repeats,
evidence of every age."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.geometry.heading import SECTORS
from situ.questions.rules.ways import TURN_WORDS
from situ.questions.scene.view import NO, YES
from situ.questions.walk.turns import PAIRS

LOOK_AT = 60  # groups compared for each pick
AGE = 0.5  # what each question with evidence of the same age weighs against one more
MOST_MISSES = 400  # lots in a row that find no group
RANKS = 5
SMALL_WORDS = frozenset({"the", "at", "from", "to", "past", "then"})
DOUBT = 4.0  # groups' worth of doubt whether a word is right too often
ROUNDS, LEAST_WEIGHT = 12, 0.05
# Shares of the forms of a subtask beside its main one, which has the rest.
SHARES = {
    "turn_towards": 0.3, "turns_after": 0.2, "where_when_put": 0.2, "where_when_first_seen": 0.1,
    "where_when_entered": 0.1,
    "where_was": 0.4, "nearest_to": 0.3, "how_far_apart": 0.2, "within_reach": 0.3, "could_reach": 0.2,
    "way_towards": 0.2,
    "looks_like": 0.2, "moved_by_other": 0.2, "times_put": 0.15, "kinds_on": 0.15, "kinds_before": 0.1,
    "gone_since": 0.15, "count_related": 0.15,
}  # fmt: skip
FEW_MISSES = 2  # lots that may find nothing before a form beside the main one ends, or one of yes and no


@dataclass(frozen=True, eq=False)
class _Bunch:
    """Candidates that are asked together or not at all; `age` is the interval of their oldest evidence.

    `question` is the same for bunches that ask the same of a stream, with other options or at other times.
    """

    item: int
    age: str
    question: str
    members: tuple[Candidate, ...]
    options: tuple[str, ...] = ()
    form: str = ""

    @property
    def lot(self) -> str:
        """What is drawn by lot: an answer that many questions share, or where the answer stands.

        Of counts it is the rank within the numbers offered; of two things which is closer, the first or
        the second. An answer that only a few questions share is left to the options: distractors are true
        of something else as often as they are offered.
        """
        first = self.members[0].label
        if "+" in first:
            return first
        if first in (*SECTORS, YES, NO, *TURN_WORDS.values(), *PAIRS):
            return first
        return f"place {self.options.index(first)}" if first in self.options else first

    @property
    def told(self) -> list[str]:
        """The words by which the answers might give themselves away, with what each says as a whole; of a
        count those counted, with the number."""
        if "+" in self.lot:
            return [f"{word} {_number(self.lot)}" for word in self._names()]
        return [word for member in self.members for word in sorted(_said(member.label))]

    def expected(self, usual: Mapping[int, float]) -> Iterator[tuple[str, float]]:
        """Each word that might be right, and how often it should be."""
        if "+" in self.lot:
            yield from ((f"{word} {n}", share) for word in self._names() for n, share in usual.items())
        else:
            share = len(self.members) / max(1, len(self.options))
            for option in self.options:
                yield from ((word, share) for word in _said(option))

    def _names(self) -> set[str]:
        return {word for word in _words(self.question) if not word.isdigit()}


def choose_groups(
    candidates: Sequence[Candidate], quotas: Mapping[str, int], rng: np.random.Generator
) -> list[Candidate]:
    """Groups of each task until its quota is full."""
    chosen: list[Candidate] = []
    used: Counter[int] = Counter()
    for task, quota in quotas.items():
        offered = _bunches(candidates, task)
        mine: list[Candidate] = []
        # Each form is balanced by itself, as its words must tell nothing. The main form comes last and has
        # what the others could not supply.
        for form in sorted({bunch.form for bunch in offered}, key=lambda form: (form not in SHARES, form)):
            bunches = _thinned([bunch for bunch in offered if bunch.form == form], rng)
            wanted = round(SHARES[form] * quota) if form in SHARES else quota - len(mine)
            yes_or_no = any(bunch.lot in (YES, NO) for bunch in bunches)
            patience = FEW_MISSES if form in SHARES or yes_or_no else MOST_MISSES
            mine += _kept_as_often(_choose(bunches, wanted, used, rng, patience), rng)
        chosen += mine
    return sorted(chosen)


def choose_carelessly(
    candidates: Sequence[Candidate], quotas: Mapping[str, int], rng: np.random.Generator
) -> list[Candidate]:
    """Questions as they come, each once, and counts whose truth is second from an end."""
    chosen: list[Candidate] = []
    for task, quota in quotas.items():
        singles = []
        for bunch in _bunches(candidates, task):
            fit = [m for m in bunch.members if m.label.partition("+")[2] in ("", "1", "3")]
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
        form, age, question, *options = stratum.split("|")
        bunches.append(_Bunch(item, age, question, tuple(members), tuple(options), form.rpartition(" ")[0]))
    return bunches


def _thinned(bunches: Sequence[_Bunch], rng: np.random.Generator) -> list[_Bunch]:
    """Leave out groups by lot whose answer speaks of what is right more often than it is offered.

    Groups get weights at which every word of an option is right as often as it is offered, and each is kept
    with its weight: afterwards a word tells nothing, and no answer depends on which others were chosen. Of
    counts every number is right of each name as often as of all: if there are more cups than plates, a cup
    tells.
    """
    told = [bunch.told for bunch in bunches]
    weights = np.ones(len(bunches))
    for _ in range(ROUNDS):
        right: dict[str, float] = defaultdict(float)
        expected: dict[str, float] = defaultdict(float)
        usual = _usual_numbers(bunches, weights)
        doubt = DOUBT * RANKS if usual else DOUBT  # a count stands in as many rows of numbers as it has ranks
        for bunch, words, weight in zip(bunches, told, weights, strict=True):
            for word in words:
                right[word] += weight
            for word, chance in bunch.expected(usual):
                expected[word] += weight * chance
        for i, words in enumerate(told):
            lifts = [(right[word] + doubt) / (expected[word] + doubt) for word in words]
            weights[i] /= np.prod(lifts) ** (1 / max(1, len(lifts)))
        # A number that is rare of some name must not cost all the others: it has the weight 1 and no more.
        most = 1.0 if usual else max(weights.max(initial=0.0), 1e-9)
        weights = np.clip(weights / most, LEAST_WEIGHT, 1.0)
    return [bunch for bunch, weight in zip(bunches, weights, strict=True) if rng.random() < weight]


def _usual_numbers(bunches: Sequence[_Bunch], weights: np.ndarray) -> dict[int, float]:
    """The share of each number among the counts, whatever is counted."""
    shares: dict[int, float] = defaultdict(float)
    for bunch, weight in zip(bunches, weights, strict=True):
        if "+" in bunch.lot:
            shares[_number(bunch.lot)] += weight / weights.sum()
    return shares


def _number(label: str) -> int:
    """The truth of a count's label: the lowest number offered, and the rank of the truth."""
    low, _, rank = label.partition("+")
    return int(low) + int(rank)


def _said(option: str) -> set[str]:
    """What an option says: its words, and all of it."""
    return {*_words(option), option}


def _words(option: str) -> set[str]:
    return set(re.findall(r"\w+", option)) - SMALL_WORDS


def _choose(
    bunches: list[_Bunch], quota: int, used: Counter[int], rng: np.random.Generator, patience: int
) -> list[_Bunch]:
    """Draw a lot, then take the group that fits it and whose stream and age have been asked least.

    Where lots are answers, all that are offered have the same chance, also those that no stream can give:
    what is offered and never right would give itself away. A few lots in vain end it: whoever goes on takes
    what is there, and what is there tells the answer.
    """
    shelves: dict[str, list[_Bunch]] = defaultdict(list)
    for i in rng.permutation(len(bunches)):
        shelves[bunches[int(i)].lot].append(bunches[int(i)])
    answers = all(bunch.lot in bunch.options for bunch in bunches)
    lots = sorted({option for bunch in bunches for option in bunch.options} if answers else shelves)
    asked: set[tuple[int, str]] = set()
    mine: Counter[int] = Counter()
    ages: Counter[str] = Counter()
    chosen: list[_Bunch] = []
    count = misses = 0
    in_vain: Counter[str] = Counter()  # lots of each row of numbers
    while lots and count < quota and misses < patience:
        lot = _lot([lot for lot in lots if in_vain[_row(lot)] < FEW_MISSES], shelves, rng)
        if lot is None:
            break
        shelf, fitting = shelves[lot], list[_Bunch]()
        while shelf and not fitting:
            window = [b for b in shelf[-LOOK_AT:] if (b.item, b.question) not in asked]
            fitting = [b for b in window if count + len(b.members) <= quota]
            if not fitting:
                del shelf[-LOOK_AT:]
        if not fitting:
            misses += 1
            in_vain[_row(lot)] += "+" in lot
            continue
        best = min(fitting, key=lambda b: _cost(b, mine, used) + AGE * ages[b.age])
        shelf.remove(best)
        asked.add((best.item, best.question))
        mine[best.item] += len(best.members)
        used[best.item] += len(best.members)
        ages[best.age] += len(best.members)
        count += len(best.members)
        misses = 0 if patience == MOST_MISSES else misses
        chosen.append(best)
    return chosen


def _row(lot: str) -> str:
    """The row of numbers of a count's lot."""
    return lot.partition("+")[0]


def _lot(
    lots: Sequence[str], shelves: Mapping[str, Sequence[_Bunch]], rng: np.random.Generator
) -> str | None:
    """Each answer equally often. Of counts the row of numbers is drawn first, and then the rank of the truth.

    A row ends with a few ranks drawn in vain: large truths are rare, and whoever drew again instead would
    find the truth among the first numbers more often than among the last.
    """
    if lots and "+" not in lots[0]:
        return lots[int(rng.integers(len(lots)))]
    rows = sorted({_row(lot) for lot in lots})
    if not rows:
        return None
    supply = np.array([min(len(shelves[f"{low}+{rank}"]) for rank in range(RANKS)) + 0.2 for low in rows])
    low = rows[int(rng.choice(len(rows), p=supply / supply.sum()))]
    return f"{low}+{int(rng.integers(RANKS))}"


def _cost(bunch: _Bunch, mine: Counter[int], used: Counter[int]) -> float:
    lonely = 1.5 if len(bunch.members) == 1 else 0.0
    return lonely + 0.5 * mine[bunch.item] + 0.1 * used[bunch.item]


def _kept_as_often(chosen: Sequence[_Bunch], rng: np.random.Generator) -> list[Candidate]:
    """End some groups early, so that of all repeats one in as many as there are options keeps its answer.

    Moments with the same answer are not as easily found as moments with another, or the other way round:
    without this, a repeat would tell by itself whether the answer has changed.
    """
    if not chosen:
        return []
    options = len(chosen[0].options)
    ends = [len(bunch.members) for bunch in chosen]
    for i in rng.permutation(len(chosen)):
        kept = sum(_kept(bunch, end) for bunch, end in zip(chosen, ends, strict=True))
        repeats = sum(end - 1 for end in ends)
        too_many = kept * options > repeats
        if abs(kept * options - repeats) < options:
            break
        labels = [member.label for member in chosen[int(i)].members[: ends[int(i)]]]
        excess = [k for k in range(1, len(labels)) if (labels[k] == labels[k - 1]) == too_many]
        ends[int(i)] = excess[0] if excess else ends[int(i)]
    return [member for bunch, end in zip(chosen, ends, strict=True) for member in bunch.members[:end]]


def _kept(bunch: _Bunch, end: int) -> int:
    """How many repeats of a group have the answer of the time before."""
    return sum(a.label == b.label for a, b in pairwise(bunch.members[:end]))
