"""What a belief answers, and how surely: value, odds and evidence from one list of candidates."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.heading import sector
from situ.memory.reading.one_world import OneWorld
from situ.memory.reading.state import MemoryState
from situ.questions.base import Answer, Question
from situ.questions.programs.named import Named
from situ.questions.select import selectors
from situ.state.protocol import SpatialState

UNKNOWN = "unknown"
LESS, MORE = "less", "more"
# A measure is right if it is this near to the truth: in its unit, or as a share.
CLOSE, CLOSE_SHARE = 0.3, 0.1
# Questions about the wearer's own way: as sure as the path is. Of some a first turn is told, then landmarks.
FIRST_TURN = frozenset({"way_back", "way_to_place"})
OF_THE_WAY = FIRST_TURN | {"route_shape", "route_direction", "reverse_plan", "been_here", "distance_walked"}


@dataclass(frozen=True)
class Decision:
    """The likeliest answer of a belief, and the odds that it was chosen by.

    `odds` are over values, and `UNKNOWN` where a thing may not be real or not be in its place; of a measure
    they are over right, too large and too small. `confidence` is that of the answer's value.
    """

    answer: Answer
    odds: Mapping[str, float]
    confidence: float
    distance_m: tuple[float, float] | None = None

    def among(self, options: Sequence[str]) -> str:
        """The likeliest of some options, for who must take one; if none is likely at all, the nearest."""
        if not options or self.answer.text in options:
            return self.answer.text
        best = max(options, key=lambda option: self.odds.get(option, 0.0))
        if best in self.odds:
            return best
        numbers = [option for option in options if option.lstrip("-").replace(".", "", 1).isdigit()]
        if numbers and isinstance(self.answer.value, (int, float)):
            return min(numbers, key=lambda option: abs(float(option) - float(self.answer.value)))
        bearing = (self.answer.numbers or {}).get("bearing_deg")
        way = best if bearing is None else sector(bearing)
        return way if way in options else best


def decide(question: Question, state: SpatialState) -> Decision:
    """The answer that is likeliest under what is believed. Truth has no doubt and gives its one answer.

    Raises Unanswerable where the state does not hold what the question needs.
    """
    of_the_way = question.kind in OF_THE_WAY and getattr(state, "path_samples", None) is not None
    if isinstance(question, Named) and not of_the_way:
        result = question.result(state)
        return Decision(question.told(result), result.odds, result.confidence, result.interval)
    answer = question.answer(state)
    if not isinstance(state, MemoryState):
        return Decision(answer, {str(answer.value): 1.0}, 1.0)
    if answer.odds is None and not selectors(question) and not of_the_way:
        return Decision(answer, {str(answer.value): 1.0}, 1.0)
    if question.kind in FIRST_TURN and of_the_way:
        return _turned(question, state, answer)
    if answer.odds is not None and not of_the_way:
        return _told(answer)
    return _likeliest(answer, [answer, *_in_each_world(question, state)], is_measure(question, answer))


def _in_each_world(question: Question, state: MemoryState) -> Iterator[Answer | None]:
    """What no program says: the answer in one possible world after the other, None where there is none."""
    table = state.worlds()
    for number in range(table.count):
        try:
            yield question.answer(OneWorld(table, number))
        except Unanswerable:
            yield None


def _turned(question: Question, state: MemoryState, answer: Answer) -> Decision:
    """An answer that tells a way in many words, of which the first turn hangs on the heading."""

    def way(one: Answer | None) -> str:
        return UNKNOWN if one is None else sector((one.numbers or {}).get("bearing_deg", 0.0))

    ways = [way(one) for one in _in_each_world(question, state)]
    sure = ways.count(way(answer)) / len(ways)
    told = _told(answer)
    odds = {value: share * sure for value, share in told.odds.items()}
    odds[UNKNOWN] = odds.get(UNKNOWN, 0.0) + 1.0 - sure
    return replace(told, odds=odds, confidence=told.confidence * sure)


def _told(answer: Answer) -> Decision:
    """An answer whose program gave its odds."""
    odds = dict(answer.odds or {})
    rest = 1.0 - sum(odds.values())
    if str(answer.value) in odds:
        confidence = odds[str(answer.value)]
        if rest > 1e-3:
            odds[UNKNOWN] = rest
    else:  # a list: how likely one of its entries is right
        confidence = sum(odds.values()) / max(1, len(odds))
    return Decision(answer, odds, confidence)


def _likeliest(believed: Answer, sampled: Sequence[Answer | None], measure: bool) -> Decision:
    """The value that most samples give; told of the belief itself where it gives that value, too."""
    samples = sampled[1:]
    known = [answer for answer in samples if answer is not None]
    if not known:
        raise Unanswerable("what this asks is not known")
    if measure:
        return _measured(believed, known, len(samples))
    counts = Counter(str(answer.value) for answer in known)
    top = max(counts.values())
    best = min((value for value in counts if counts[value] == top), key=lambda v: v != str(believed.value))
    answer = believed
    if str(believed.value) != best:
        answer = _typical([a for a in known if str(a.value) == best])
    odds = {value: count / len(samples) for value, count in counts.most_common()}
    odds |= {UNKNOWN: 1.0 - len(known) / len(samples)} if len(known) < len(samples) else {}
    ordered = dict(sorted(odds.items(), key=lambda item: (-item[1], item[0] != best)))
    return Decision(answer, ordered, odds[best], _interval(known, answer))


def _measured(believed: Answer, known: Sequence[Answer], total: int) -> Decision:
    """The measure of that thing which leaves the most samples close to it."""
    by_thing: dict[tuple[int, ...], list[Answer]] = defaultdict(list)
    for each in known:
        by_thing[each.things].append(each)
    offers = [believed] + [
        _typical(answers) for things, answers in by_thing.items() if things != believed.things
    ]
    values = np.array([float(each.value) for each in known])

    def off(offer: Answer) -> NDArray[np.int64]:
        """For each sample: 0 if an offer is close to it, else whether the sample is more (1) or less (-1)."""
        gap = values - float(offer.value)
        return np.where(np.abs(gap) <= max(CLOSE, CLOSE_SHARE * abs(float(offer.value))), 0, np.sign(gap))

    answer = max(offers, key=lambda offer: int((off(offer) == 0).sum()))
    shares = {k: float((off(answer) == k).sum()) / total for k in (0, 1, -1)}
    odds = {MORE: shares[1], LESS: shares[-1], UNKNOWN: 1.0 - len(known) / total}
    told = {str(answer.value): shares[0], **{name: share for name, share in odds.items() if share > 0.0}}
    ordered = dict(sorted(told.items(), key=lambda item: -item[1]))
    return Decision(answer, ordered, shares[0], _interval(known, answer))


def _typical(answers: Sequence[Answer]) -> Answer:
    """The one in the middle, by distance or by value, of those about the thing most often meant."""
    things = Counter(answer.things for answer in answers).most_common(1)[0][0]
    same = [answer for answer in answers if answer.things == things]
    return sorted(same, key=_size)[len(same) // 2]


def _size(answer: Answer) -> float:
    numbers = answer.numbers or {}
    if "distance_m" in numbers:
        return numbers["distance_m"]
    return float(answer.value) if isinstance(answer.value, (int, float)) else answer.margin


def _interval(known: Sequence[Answer], answer: Answer) -> tuple[float, float] | None:
    """The middle nine tenths of the distance to the thing that the answer is about."""
    distances = sorted(
        each.numbers["distance_m"]
        for each in known
        if each.numbers and "distance_m" in each.numbers and each.things == answer.things
    )
    if not distances:
        return None
    ranks = np.array([0.05, 0.95]) * (len(distances) - 1)
    low, high = np.interp(ranks, np.arange(len(distances)), distances).tolist()
    return round(low, 2), round(high, 2)


def is_measure(question: Question, answer: Answer) -> bool:
    """Whether the answer is a measure: samples never repeat it to the digit."""
    return not isinstance(answer.value, str) and "count" not in question.kind
