"""The one number that a reply claims, in the unit that was asked for.

A small grammar finds the quantities of a reply: digits or words ("two and a half", "a dozen", "none", "no
chairs"), and a unit. Which of them is the answer is read as with options: quantities of one value are one
option, and the last statement that names one is the claim (see choice.py). "2 or 3" names two and claims
none.
"""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from situ.evaluation.records.answer import Reading
from situ.evaluation.replies.choice import read_last
from situ.evaluation.replies.mentions import WORDS
from situ.evaluation.replies.unwrap import final_part, formal_answer
from situ.evaluation.stats.llm_match import HIGHEST, LOWEST, SENTINEL
from situ.lazy import pattern

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {
    **{word: float(n) for n, word in enumerate(_ONES)},
    **{word: 10.0 * n for n, word in enumerate(_TENS, 2)},
    "half": 0.5, "quarter": 0.25, "couple": 2.0,
}  # fmt: skip
_TIMES = {"dozen": 12.0, "hundred": 100.0, "thousand": 1000.0}
_WORD = rf"(?:{'|'.join(sorted([*_VALUES, *_TIMES], key=len, reverse=True))})"
_LONGEST = 15  # digits; more are no measurement, and no float holds them
_MOST = 250  # quantities that are told apart: the signs of one plane

# Length and area in metres and square metres, and other kinds of units that must not be taken for them.
_METRES = {
    r"mm|millimet(?:er|re)s?": 0.001, r"cm|centimet(?:er|re)s?": 0.01, r"km|kilomet(?:er|re)s?": 1000.0,
    r"m|met(?:er|re)s?": 1.0, r"in|inch(?:es)?": 0.0254, r"ft|feet|foot": 0.3048, r"yd|yards?": 0.9144,
}  # fmt: skip
_LENGTH = "|".join(_METRES)
_UNIT = pattern(
    rf"\s*-?(?:(?P<square>sq(?:uare)?\.?\s*)?(?P<length>{_LENGTH})(?P<squared>\s*(?:²|\^?2|squared))?"
    r"|(?P<other>°|degrees?|%|percent|s|secs?|seconds?|min|minutes?|hours?|kg))(?![\w²])",
    re.IGNORECASE,
)
_ASKED = pattern(
    rf"\b(?:in|of|unit:?)\s+(?:the unit of )?(?P<square>square )?(?P<length>{_LENGTH})\b(?P<squared>²|\^2)?",
    re.I,
)
_QUANTITY = pattern(
    r"(?<![0-9A-Za-z_.])(?<!\d,)(?:(?P<fraction>(?<!/)\d+[⁄/]\d+(?![/\d]))"
    r"|(?P<digits>[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w*\d)(?!(?:st|nd|rd|th)\b)"
    rf"(?P<half> and a half| \d/\d+| \d⁄\d+)?(?: (?P<times>{'|'.join(_TIMES)})\b)?)"
    rf"|(?<![\w-])(?P<words>(?:(?:minus|an?) )?{_WORD}(?:(?:-| and an? | and | an? | ){_WORD})*)(?!-?\w)"
    r"|\b(?:none(?! of)|nothing)\b|(?:\bno|(?:n't|\bnot)(?: \w+)? any) (?P<what>(?:\w+ )?\w+)|(?:n't"
    r"|\bnot)(?: \w+)? any\b(?!\s+\w)",
    re.IGNORECASE,
)
_BESIDE = pattern(  # numbers that name or qualify, and count nothing
    r"±\s*[\d.]+(?:\s*[a-z]+)?|\b(?:give or take|plus or minus)\s+[\w.]+|\+/?-\s*[\d.]+"
    r"|(?:\b(?:frame|picture|image|step|figure|view|minute|second|chair|item|object)s?\s*#?|#)\d+(?:\s*(?:-|to"
    r"|and|,|through)\s*\d+)*"
    r"(?!\s*[\d.]*\s*(?:in total|altogether))|^\s*\d+[.)]\s|\b(?:out )?of (?:the |these |those )?(?:\d+|"
    + _WORD
    + r")\b",
    re.IGNORECASE | re.MULTILINE,
)
_UNCLEAR = pattern(r"\d\.\d{3},\d|(?<![\d.])\d+,\d{1,2}(?!\d)")  # the comma may be a point
_WHICH = pattern(r",\s*which (?:is|equals|gives|makes|comes to)\b", re.IGNORECASE)  # "2 plus 3, which is 5"
_SUM = pattern(
    r"(?:^\W*count|\b(?:total|sum|number|(?<=the )count))\b(?:\s+of(?=\s+[-\d]))?",
    re.IGNORECASE | re.MULTILINE,
)


_BRACKETS = pattern(r"\([^()]*\)")
_PARTS = pattern(
    r"([\ue000-\ue1ff][^:.\n]*):(?![^\n]*\bso\b)[^.\n]*[\ue000-\ue1ff][^.\n]*[\ue000-\ue1ff][^.\n]*"
)  # "4: 2 here and 2 there"


class Quantities:
    """The quantities of a reply as options that it names: one option for each value."""

    def __init__(self, question: str) -> None:
        self.values: list[str] = []
        self._question = question.lower()
        asked = _ASKED.search(question)
        self._asked = _unit(asked) if asked else None

    def mark(self, text: str) -> str:
        if _UNCLEAR.search(text):
            return ""
        text = re.sub(r"(\d)(\d⁄\d)", r"\1 \2", text)
        text = _WHICH.sub(" so ", text)
        text = _SUM.sub("answer is", text)
        for aside in (_BRACKETS, _BESIDE):
            without = aside.sub(" ", text)
            text = without if _QUANTITY.search(without) else text
        text = re.sub(r"([^\s=:][^=:\n.]*\d[^=:\n]*)=", r"\1 so ", text)
        return _PARTS.sub(r"\1", "".join(self._marked(text)))

    def _marked(self, text: str) -> Iterator[str]:
        last = 0
        for found in _QUANTITY.finditer(text):
            unit_sign = _UNIT.match(text, found.end())
            value = self._value(found, _unit(unit_sign) if unit_sign else None)
            if value is not None:
                if value not in self.values:
                    self.values.append(value)
                yield text[last : found.start()] + chr(WORDS + min(self.values.index(value), _MOST))
                last = unit_sign.end() if unit_sign else found.end()
        yield text[last:]

    def _value(self, found: re.Match[str], unit: "Unit | None") -> str | None:
        """The quantity as it stands in a key: no separators, no trailing zeros, in the unit asked for."""
        if found["fraction"]:
            value = _fraction(found["fraction"])
        elif found["digits"]:
            digits = found["digits"].replace(",", "")
            value = float(digits) * _TIMES.get((found["times"] or "").lower(), 1.0) + _fraction(
                found["half"] or ""
            )
            if len(re.sub(r"\D", "", digits)) > _LONGEST or not math.isfinite(value):
                return None
        elif found["words"]:
            value = _spelled(found["words"].lower())
        elif found["what"] and not self._is_asked_for(found["what"].lower()):
            return None
        else:
            value = 0.0
        if unit is not None and self._asked is not None:
            if unit.kind != self._asked.kind:
                return None
            value = (
                float(f"{value * unit.size / self._asked.size:.6g}")
                if unit.size != self._asked.size
                else value
            )
        return str(int(value)) if value == int(value) else repr(value)

    def _is_asked_for(self, what: str) -> bool:
        """Whether "no …" speaks of the things asked about: "no chairs", and not "no doubt"."""
        return any(
            re.search(rf"\b{re.escape(word.removesuffix('s'))}", self._question)
            for word in what.split()[-2:]
            if len(word) > 2
        )


class Unit(NamedTuple):
    kind: str
    size: float


def read_number(reply: str, question: str = "") -> Reading:
    """The one number that a reply claims; lengths and areas are converted to the unit that was asked for."""
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    formal = formal_answer(text)
    quantities = Quantities(question)
    found, rule = read_last(formal.part if formal else text, quantities)
    rule = formal.rule if formal else rule
    if len(found) == 1:
        return Reading(quantities.values[min(found)], rule)
    return Reading(None, f"several by {rule}" if found else "no rule")


def read_mark(reply: str) -> int:
    """The mark that a judge gives, or the sentinel where there is none."""
    claim = read_number(re.sub(rf"(?:/|\bout of)\s*{HIGHEST}\b", "", reply)).claim
    mark = float(claim) if claim is not None else float(SENTINEL)
    return int(mark) if LOWEST <= mark <= HIGHEST and mark == int(mark) else SENTINEL


def _unit(found: re.Match[str]) -> Unit:
    if "other" in found.groupdict() and found["other"]:
        return Unit(found["other"][0].lower(), 1.0)
    size = next(
        size for names, size in _METRES.items() if re.fullmatch(names, found["length"], re.IGNORECASE)
    )
    return Unit("area", size * size) if found["square"] or found["squared"] else Unit("length", size)


def _fraction(text: str) -> float:
    if "half" in text:
        return 0.5
    top, bottom = [*re.findall(r"\d+", text), "0", "1"][:2]
    return float(top) / float(bottom) if float(bottom) else 0.0


def _spelled(words: str) -> float:
    """The value of a number in words: "two hundred and five", "half a dozen", "two and a half"."""
    total = current = 0.0
    for word in re.findall(_WORD, words):
        if word in _TIMES:
            current = (current or 1.0) * _TIMES[word]
            total, current = (total + current, 0.0) if word == "thousand" else (total, current)
        else:
            current += _VALUES[word]
    return -(total + current) if words.startswith("minus") else total + current
