"""Answers of several recordings counted, added up or compared, with the doubt that each of them brings.

Each recording has a world of its own: a thing that stands in two of them is counted in each, and places are
compared by their distances alone. What a recording cannot tell is said; it is never taken for a no.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from situ.errors import Unanswerable
from situ.language.answering import LEAST_CONFIDENCE, Told, answer, refusal
from situ.language.recordings import OverRecordings
from situ.language.vocabulary import NoSuchPlace, NotSeen
from situ.state.protocol import SpatialState

Shares = Mapping[float, float]  # how likely each number is; yes is 1, no is 0
_MOST_NUMBERS = 400  # that a sum may have
_WITHIN_90 = 1.645  # standard deviations to either side that hold nine of ten
_QUANTILES = tuple(NormalDist().inv_cdf((i + 0.5) / 16) for i in range(16))


@dataclass(frozen=True)
class Part:
    """What one recording says to the inner question: its number and the doubt, or why it cannot tell."""

    name: str
    number: float = 0.0
    shares: Shares | None = None
    cannot: str = ""
    unseen: bool = False  # the name is not known there, so there was none


def part_of(name: str, state: SpatialState, inner: str) -> tuple[Part, Told]:
    """Put the inner question to one recording. A name that it does not know is a no, and none of them."""
    try:
        told = answer(state, inner, 0.0)
    except Unanswerable as error:
        unseen = isinstance(error, NotSeen) and not isinstance(error, NoSuchPlace)
        none = {0.0: 1.0} if unseen and not inner.startswith("how far") else None
        return Part(name, 0.0, none, str(error), unseen), refusal(inner, error)
    if told.taken_as:  # a guess at one sentence is announced; one at each of many would be hidden in a number
        return Part(name, cannot=f"I would have to take it as: {told.taken_as}"), told
    number = _number(str(told.value))
    if number is None or told.readings:
        return Part(name, cannot=f"its answer is no number and no yes or no: {told.text}"), told
    return Part(name, number, _shares(told, number)), told


def _number(value: str) -> float | None:
    if value in ("yes", "no"):
        return float(value == "yes")
    try:
        return float(value)
    except ValueError:
        return None


def _shares(told: Told, number: float) -> Shares:
    """Numbers with their shares; what the answer leaves open ("unknown") belongs to none of them."""
    if told.distance_m is not None and isinstance(told.value, float):
        sigma = (told.distance_m[1] - told.distance_m[0]) / 2 / _WITHIN_90
        return {number + sigma * z: told.confidence / len(_QUANTILES) for z in _QUANTILES}
    found = {_number(value): share for value, share in told.probabilities.items()}
    return {value: share for value, share in found.items() if value is not None} or {number: told.confidence}


def added(parts: Sequence[Shares]) -> Shares:
    """The shares of a sum of independent numbers; the least likely sums are left out where there are many."""
    total: dict[float, float] = {0.0: 1.0}
    for shares in parts:
        sums: dict[float, float] = {}
        for a, p in total.items():
            for b, q in shares.items():
                sums[round(a + b, 6)] = sums.get(round(a + b, 6), 0.0) + p * q
        total = dict(sorted(sums.items(), key=lambda pair: -pair[1])[:_MOST_NUMBERS])
    return total


def likely(shares: Shares, holds: Callable[[float], bool]) -> float:
    return sum(share for value, share in shares.items() if holds(value))


def told_over(
    asked: OverRecordings, sentence: str, parts: Sequence[Part], least_confidence: float = LEAST_CONFIDENCE
) -> Told:
    """The answers of all recordings, earliest first, as one."""
    known = [part for part in parts if part.shares is not None]
    open_ones = [part for part in parts if part.shares is None]
    why = next((part.cannot for part in parts if part.cannot and not part.unseen), "")
    if parts and all(part.unseen for part in parts):
        return _refused(sentence, f"none of them: {parts[0].cannot}")
    if not known or (open_ones and asked.how not in ("count", "list", "any", "first", "last")):
        told = ", ".join(part.name for part in open_ones)
        return _refused(sentence, f"{told} cannot tell: {why or open_ones[0].cannot}")
    value, confidence, text = _FOLDS[asked.how](asked, known, len(parts))
    reason = f"I am not sure enough ({confidence:.0%})" if confidence < least_confidence else ""
    if reason:
        text = f"{reason}; my best guess: {text[0].lower()}{text[1:]}"
    if open_ones:
        silent = f"{', '.join(part.name for part in open_ones)} cannot tell: {why or open_ones[0].cannot}"
        text += f" {silent}."
        reason = reason if (asked.how, value) == ("any", "yes") else silent
    told_value = None if reason else value
    return Told(sentence, text, told_value, reason, asked.inner, confidence=round(confidence, 3))


Folded = tuple[str | int | float, float, str]


def _yes(part: Part) -> float:
    assert part.shares is not None
    return likely(part.shares, lambda value: value > 0)


def _marked(parts: Sequence[Part]) -> tuple[list[str], float]:
    """Those that say yes, and how sure it is that these do and the others do not."""
    sure = math.prod(_yes(part) if part.number > 0 else 1 - _yes(part) for part in parts)
    return [part.name for part in parts if part.number > 0], sure


def _count(asked: OverRecordings, parts: Sequence[Part], total: int) -> Folded:
    names, _ = _marked(parts)
    shares = added([{1.0: _yes(part), 0.0: 1 - _yes(part)} for part in parts])
    text = f"In {len(names)} of {total}: {', '.join(names)}." if names else f"In none of {total}."
    return len(names), shares.get(float(len(names)), 0.0), text


def _list(asked: OverRecordings, parts: Sequence[Part], total: int) -> Folded:
    names, sure = _marked(parts)
    return ", ".join(names) or "none", sure, _count(asked, parts, total)[2]


def _ordinal(asked: OverRecordings, parts: Sequence[Part], total: int) -> Folded:
    ordered = parts if asked.how == "first" else parts[::-1]
    before: list[Part] = []
    for part in ordered:
        if part.number > 0:
            sure = _yes(part) * math.prod(1 - _yes(other) for other in before)
            return part.name, sure, f"{asked.how.capitalize()} in {part.name}."
        before.append(part)
    return "none", math.prod(1 - _yes(part) for part in parts), f"In none of {total}."


def _every(asked: OverRecordings, parts: Sequence[Part], total: int) -> Folded:
    sure = math.prod(_yes(part) for part in parts)
    missing = [part.name for part in parts if part.number <= 0]
    if missing:
        return "no", 1 - sure, f"No, not in {', '.join(missing)}."
    return "yes", sure, f"Yes, in all {total}."


def _any(asked: OverRecordings, parts: Sequence[Part], total: int) -> Folded:
    names, _ = _marked(parts)
    none = math.prod(1 - _yes(part) for part in parts)
    if names:
        return "yes", 1 - none, f"Yes, in {', '.join(names)}."
    return "no", none, f"No, in none of {total}."


def _total(asked: OverRecordings, parts: Sequence[Part], total: int) -> Folded:
    number = round(sum(part.number for part in parts), 6)
    shares = added([part.shares for part in parts if part.shares is not None])
    each = ", ".join(f"{part.name} {_said(asked, part.number)}" for part in parts)
    text = f"{_said(asked, number)} over {total} ({each})."
    if asked.inner.startswith("how many"):
        text += " What stands in several of them is counted in each."
        return int(number), shares.get(number, 0.0), text
    return number, likely(shares, lambda value: abs(value - number) <= 0.1 * max(number, 1.0)), text


def _ranked(asked: OverRecordings, parts: Sequence[Part], total: int) -> Folded:
    sign = 1 if asked.how == "most" else -1
    best = max(sign * part.number for part in parts)
    first = [part for part in parts if sign * part.number == best]
    others = [part for part in parts if part not in first]
    each = ", ".join(f"{part.name} {_said(asked, part.number)}" for part in parts)
    value = " and ".join(part.name for part in first)
    if len(first) > 1:
        sure = math.prod((part.shares or {}).get(part.number, 0.0) for part in first)
        outcome, text = "equal", f"Equally in {value} ({each})."
    else:
        sure = _leads(sign, first[0], others)
        outcome, text = value, f"{value} ({each})."
    if asked.claimed:
        outcome = "yes" if value == asked.claimed else "no"
        mine = next(part for part in parts if part.name == asked.claimed)
        leads = _leads(sign, mine, [part for part in parts if part is not mine])
        return outcome, leads if outcome == "yes" else 1 - leads, f"{outcome.capitalize()}: {text}"
    return outcome if len(first) == 1 else value, sure, text


def _leads(sign: int, part: Part, others: Sequence[Part]) -> float:
    """How sure it is that one is ahead of all others."""
    return sum(share * _all_behind(sign, one, others) for one, share in (part.shares or {}).items())


def _all_behind(sign: int, one: float, others: Sequence[Part]) -> float:
    return math.prod(likely(other.shares or {}, lambda value: sign * value < sign * one) for other in others)


def _said(asked: OverRecordings, number: float) -> str:
    return f"{number:g} m" if asked.inner.startswith("how far") else f"{number:g}"


_FOLDS: Mapping[str, Callable[[OverRecordings, Sequence[Part], int], Folded]] = {
    "count": _count, "list": _list, "first": _ordinal, "last": _ordinal, "every": _every, "any": _any,
    "total": _total, "most": _ranked, "least": _ranked,
}  # fmt: skip


def _refused(sentence: str, reason: str) -> Told:
    return Told(sentence, f"{reason[:1].upper()}{reason[1:]}.".replace("..", "."), abstained=reason)


def by_day(parts: Sequence[Part], days: Sequence[str], summed: bool) -> list[Part]:
    """Recordings of one day taken together: numbers are added up; one yes makes a yes."""
    found: dict[str, list[Part]] = {}
    for part, day in zip(parts, days, strict=True):
        found.setdefault(day, []).append(part)
    return [_one_day(day, some, summed) for day, some in found.items()]


def _one_day(day: str, parts: Sequence[Part], summed: bool) -> Part:
    if cannot := next((part for part in parts if part.shares is None), None):
        return Part(day, cannot=cannot.cannot, unseen=cannot.unseen)
    unseen = all(part.unseen for part in parts)
    why = parts[0].cannot if unseen else ""
    if summed:
        number = round(sum(part.number for part in parts), 6)
        return Part(day, number, added([part.shares or {} for part in parts]), why, unseen)
    none = math.prod(1 - _yes(part) for part in parts)
    return Part(day, float(any(part.number > 0 for part in parts)), {1.0: 1 - none, 0.0: none}, why, unseen)


def only_in(sentence: str, pair: Sequence[str], seen: Sequence[Mapping[str, float]]) -> Told:
    """What was seen in the first recording and not in the second: names with how likely they were seen."""
    names = [name for name, share in sorted(seen[0].items()) if share > 0.5 and seen[1].get(name, 0.0) < 0.5]
    sure = math.prod(share if name in names else 1 - share for name, share in _differing(seen).items())
    told = f"{', '.join(names)}: in {pair[0]}, not in {pair[1]}." if names else (
        f"Nothing that is in {pair[0]} is missing in {pair[1]}."
    )  # fmt: skip
    return Told(sentence, told, ", ".join(names) or "nothing", confidence=round(sure, 3))


def _differing(seen: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    return {name: share * (1 - seen[1].get(name, 0.0)) for name, share in seen[0].items()}
