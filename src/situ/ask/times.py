"""Times in words: "now", "two minutes ago", "at 2:10", "when I came in", "before I moved it"."""

import re
from dataclasses import dataclass

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "half a": 0.5, "half an": 0.5,
    "a few": 3,
}  # fmt: skip
_UNITS = {"second": 1.0, "sec": 1.0, "s": 1.0, "minute": 60.0, "min": 60.0, "hour": 3600.0, "h": 3600.0}
_AMOUNT = rf"(half an?|a few|\d+(?:\.\d+)?|{'|'.join(_NUMBERS)})"
_UNIT = r"(seconds?|secs?|s|minutes?|mins?|hours?|h)"
_AGO = re.compile(rf"\b{_AMOUNT} ?{_UNIT} (?:ago|earlier|before)\b")
_SINCE = re.compile(rf"\b(?:in|within|over|for) the last {_AMOUNT} ?{_UNIT}\b")
_INTO = re.compile(rf"\b(?:at|after) {_AMOUNT} ?{_UNIT}(?: in(?:to the (?:video|recording|walk))?)?\b")
_CLOCK = re.compile(r"\b(?:at|around) (?:(\d+):)?(\d{1,2}):(\d{2})\b")
_NOW = re.compile(r"\b(?:right now|at the moment|at present|currently|now)\b")
_START = re.compile(
    r"\b(?:when i (?:came|walked|went|got) in|when i (?:started|arrived|began)|at the (?:start|beginning)|"
    r"in the beginning|at first)\b"
)
_MOVED = re.compile(
    r"\bbefore (?:i|we|someone|it|they) (?:was |were )?(?:moved|took|put|picked)(?: (?:it|them|up))*\b"
)


@dataclass(frozen=True)
class When:
    """A time in a sentence. `moved` asks for the place before the present one."""

    time: float | None = None
    moved: bool = False


def take_time(sentence: str, start: float, now: float) -> tuple[str, When]:
    """The sentence without its words for time, and the time that they name."""
    rest, count = _MOVED.subn(" ", sentence)
    if count:
        return _tidy(rest), When(moved=True)
    for pattern, place in ((_AGO, now), (_SINCE, now)):
        found = pattern.search(sentence)
        if found:
            return _cut(sentence, found), When(max(start, place - _seconds(found[1], found[2])))
    found = _CLOCK.search(sentence)
    if found:
        clock = int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])
        return _cut(sentence, found), When(start + clock)
    found = _INTO.search(sentence)
    if found:
        return _cut(sentence, found), When(start + _seconds(found[1], found[2]))
    found = _START.search(sentence)
    if found:
        return _cut(sentence, found), When(start)
    return _tidy(_NOW.sub(" ", sentence)), When()


def _seconds(amount: str, unit: str) -> float:
    number = _NUMBERS[amount] if amount in _NUMBERS else float(amount)
    return number * _UNITS[unit if unit in _UNITS else unit.rstrip("s")]


def _cut(sentence: str, found: re.Match[str]) -> str:
    return _tidy(sentence[: found.start()] + " " + sentence[found.end() :])


def _tidy(sentence: str) -> str:
    return re.sub(r"\s+", " ", sentence).strip(" ,")


def age_in_words(seconds: float) -> str:
    """ "12 s ago", "3 min ago", "2.5 h ago"."""
    if seconds < 1.0:
        return "just now"
    if seconds < 90:
        return f"{seconds:.0f} s ago"
    return f"{seconds / 60:.0f} min ago" if seconds < 5400 else f"{seconds / 3600:.1f} h ago"
