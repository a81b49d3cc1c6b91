"""The one number that a reply claims, in the unit that was asked for."""

import re

from situ.evaluation.records.answer import Reading
from situ.evaluation.replies.unwrap import final_part, formal_answer
from situ.lazy import pattern

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS = {
    **{word: n for n, word in enumerate(_UNITS)},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
    **{f"{ten}-{one}": 10 * n + i for n, ten in enumerate(_TENS, 2) for i, one in enumerate(_UNITS[1:10], 1)},
}
MOST, NEAR = 20, 300  # statements looked at, and characters after each
LONGEST = 15  # digits; more are no measurement
_UNCLEAR = (
    "a range",
    "a comma that may be a point, or more digits than a number has",
)  # two, so not one number
METRES = {
    "mm": 0.001, "millimet": 0.001, "cm": 0.01, "centimet": 0.01, "m": 1.0, "met": 1.0, "km": 1000.0,
    "kilomet": 1000.0, "inch": 0.0254, "in": 0.0254, "foot": 0.3048, "feet": 0.3048, "ft": 0.3048,
}  # fmt: skip
_UNIT = pattern(
    r"^\s*-?(mm|cm|km|m|ft|feet|foot|in|inch(?:es)?|(?:milli|centi|kilo)?met(?:er|re)s?)\b(?!\s*(?:²"
    r"|\^?2\b|squared))",
    re.IGNORECASE,
)
_ASKED = pattern(
    r"\bin (?:the unit of )?((?:milli|centi|kilo)?met(?:er|re)s?|cm|mm|m|feet|inches)\b(?! squared)",
    re.IGNORECASE,
)
_NUMBER = pattern(
    r"(?<![0-9A-Za-z_.])(?<!\d,)-?(?:\d{1,3}(?:,\d{3})+"
    r"|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,2}(?!\d))?(?!\w*\d)(?!(?:st|nd|rd|th)\b)"
)
_WORD = pattern(
    rf"(?<![\w-])(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?![\w]|-\w)", re.IGNORECASE
)
_ASIDE = pattern(
    r"\([^()]*\)|(?:±|\+/-|give or take|plus or minus|\+-)\s*[\d.]+\s*\w*|\b(?:frames?|pictures?"
    r"|images?|steps?|figures?|views?|minutes?|seconds?)\s*#?\d+(?:\s*(?:-|to|and|,|through)\s*\d+)*"
    r"|^\s*\d+[.)]\s",
    re.IGNORECASE | re.MULTILINE,
)
_STATED = pattern(
    r"\b(?:answer|estimate|count|total|number|distance|result|guess|sum|conclusion|size|length|area"
    r"|height)\b[^.\n:=]{0,60}?(?:\bis\b|\bare\b|\bwould be\b|\bbe\b|\bof\b|:|=|→)"
    r"|\bI(?:'d| would|'ll| will)? (?:say|guess|estimate|answer|go with)\b|\bso\b|\btherefore\b"
    r"|\bthus\b|\bhence\b|=|→",
    re.IGNORECASE,
)
_THERE = pattern(
    r"\b(?:there|it|that)(?:'s| is| are| were| was)\b|\bi (?:see|count(?:ed)?)\b|\b(?:is|are|was"
    r"|measures)\b (?:about|approximately|around|roughly)",
    re.IGNORECASE,
)


def read_number(reply: str, question: str = "") -> Reading:
    """The one number that a reply claims; a length in another unit than the one asked for is converted."""
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    asked = _ASKED.search(question)
    unit = _metres(asked.group(1)) if asked else None
    formal = formal_answer(text)
    if formal is not None:
        return _one(formal.part, formal.rule, unit)
    text = re.sub(r"\*\*|__|`|\$|\\[()\[\]]", "", text)
    if len(_numbers(text, unit)) == 1:
        return _one(text, "only number", unit)
    first = re.match(r"[\W_]*(-?[\d.,]+ ?\w{0,8})[\W_]*\n", text)
    if first:
        return _one(first.group(1), "first line", unit)
    total = re.search(r"([^.;:!?\n]{0,100})\b(?:in total|altogether|overall)\b", text, re.IGNORECASE)
    if total and len(_numbers(total.group(1), unit)) == 1:
        return _one(total.group(1), "in total", unit)
    statements = list(_STATED.finditer(text))[-MOST:]
    stated = [_sentence(text[found.end() : found.end() + NEAR]) for found in statements]
    for part in reversed(stated):
        if _numbers(part, unit):
            return _one(_headline(part), "statement", unit)
    last = text.rstrip().split("\n")[-1]
    if re.fullmatch(r"[\W_]*-?[\d.,]+\s*\w{0,8}[\W_]*", last):
        return _one(last, "last line", unit)
    told = [
        _headline(_sentence(text[found.end() : found.end() + NEAR]))
        for found in list(_THERE.finditer(text))[-MOST:]
    ]
    found = [numbers for part in told if len(numbers := _numbers(part, unit)) == 1]
    if found and all(numbers == found[0] for numbers in found):
        return Reading(next(iter(found[0])), "there are")
    return _one(text, "only number", unit)


def _sentence(text: str) -> str:
    return re.split(r"\n\s*\n|(?<=[^\d.])\.\s|(?<=\d)\.(?:\s|$)|[;!?]", text.lstrip(), maxsplit=1)[0]


def _headline(text: str) -> str:
    """The part of a statement that holds its number: "4: 2 here and 2 there" says 4, "3 of the 5" says "
    "3."""
    for cut in (
        r"\s*(?:[:=]|->|→)\s*(?=[^:=]*\d)",
        r"\b(?:of the|out of|because|since|as there|rather than|not|consisting|including|with)\b"
        r"|,\s(?!\d{3})",
    ):
        parts = re.split(cut, text, maxsplit=1)
        if "=" in text and cut.startswith(r"\s*"):
            parts = [text.split("=")[-1]]
        if _numbers(parts[0], None):
            text = parts[0]
    return text


def _one(text: str, rule: str, unit: float | None) -> Reading:
    found = _numbers(text, unit)
    if len(found) == 1:
        return Reading(found.pop(), rule)
    return Reading(None, f"several by {rule}" if found else "no rule")


def _numbers(text: str, unit: float | None) -> set[str]:
    """Numbers as they stand in a key: no thousands separators, no trailing zeros, in the unit asked for."""
    text = _fractions(text)
    bare = _ASIDE.sub(" ", text)
    text = bare if _NUMBER.search(bare) or _WORD.search(bare) else text.replace("(", " ").replace(")", " ")
    if re.search(r"\d\s*(?:-|–|to|~)\s*\d", text) or re.search(r"\d\.\d{3},\d|\d,\d{1,2}(?!\d)", text):
        return set(_UNCLEAR)
    found = {_canonical(m.group(), text[m.end() :], unit) for m in _NUMBER.finditer(text)}
    if found:
        return set(_UNCLEAR) if "" in found else found
    return {
        _canonical(str(NUMBER_WORDS[m.group().lower()]), text[m.end() :], unit) for m in _WORD.finditer(text)
    }


def _fractions(text: str) -> str:
    def value(found: re.Match[str]) -> str:
        whole, top, bottom = int(found[1] or 0), int(found[2]), int(found[3])
        return str(whole + top / bottom) if bottom else found.group()

    return re.sub(r"(?:(\d{1,6}) ?)?(?<!\d)(\d)⁄(\d{1,2})", value, re.sub(r"(\d)(\d⁄\d)", r"\1 \2", text))


def _canonical(number: str, after: str, unit: float | None) -> str:
    digits = number.replace(",", "")
    if len(digits) > LONGEST:
        return ""
    value = float(digits)
    named = _UNIT.match(after)
    if unit is not None and named and (given := _metres(named.group(1))) is not None and given != unit:
        value = float(f"{value * given / unit:.6g}")
    return str(int(value)) if value == int(value) else repr(value)


def _metres(name: str) -> float | None:
    name = name.lower()
    return METRES.get(name) or next(
        (m for start, m in METRES.items() if len(start) > 2 and name.startswith(start)), None
    )
