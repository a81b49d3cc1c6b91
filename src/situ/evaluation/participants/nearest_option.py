"""Which published option says what an answer says: options are sentences of somebody else's."""

import re
from collections.abc import Sequence

from situ.errors import Unanswerable
from situ.language.focus import Decision

_BEARINGS = {
    "front": 0.0,
    "ahead": 0.0,
    "forward": 0.0,
    "right": 90.0,
    "back": 180.0,
    "behind": 180.0,
    "left": -90.0,
}
_DIAGONAL = {frozenset((0.0, 90.0)): 45.0, frozenset((0.0, -90.0)): -45.0}
_DIAGONAL |= {frozenset((180.0, 90.0)): 135.0, frozenset((180.0, -90.0)): -135.0}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def nearest_option(decision: Decision, options: Sequence[str]) -> str:
    """The option that says what was decided; Unanswerable where none does, or several do.

    Tried in turn: the same words, the likeliest of those that have odds, the nearest direction, the nearest
    number, and the only option that holds the answer's words.
    """
    text = decision.answer.text
    if not options or text in options:
        return text
    likely = [option for option in options if decision.odds.get(option, 0.0) > 0]
    if likely:
        return max(likely, key=lambda option: decision.odds[option])
    bearing = (decision.answer.numbers or {}).get("bearing_deg")
    ways = [bearing_of(option) for option in options]
    if bearing is not None and None not in ways:
        turns = [abs((way - bearing + 180.0) % 360.0 - 180.0) for way in ways if way is not None]
        return _only(options, turns, text)
    numbers = [_NUMBER.findall(option) for option in options]
    if isinstance(decision.answer.value, (int, float)) and all(len(found) == 1 for found in numbers):
        return _only(options, [abs(float(found[0]) - decision.answer.value) for found in numbers], text)
    said = _words(text)
    holding = [option for option in options if said and said <= _words(option)]
    if len(holding) == 1:
        return holding[0]
    raise Unanswerable(f"the memory says '{text}'; no single option says so")


def bearing_of(option: str) -> float | None:
    """The direction that an option names, in degrees to the right; None for none or more than one."""
    found = frozenset(_BEARINGS[word] for word in re.findall(r"[a-z]+", option.lower()) if word in _BEARINGS)
    if len(found) == 1:
        return next(iter(found))
    return _DIAGONAL.get(found)


def _only(options: Sequence[str], gaps: Sequence[float], text: str) -> str:
    least = min(gaps)
    nearest = [option for option, gap in zip(options, gaps, strict=True) if gap - least < 1e-6]
    if len(nearest) != 1:
        raise Unanswerable(f"the memory says '{text}', which lies between {' and '.join(nearest)}")
    return nearest[0]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower())) - {
        "the",
        "a",
        "an",
        "my",
        "your",
        "it",
        "is",
        "of",
        "to",
    }
