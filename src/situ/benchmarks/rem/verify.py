"""Scoring free-text answers to REM questions by rule.

An answer is right when it claims the truth and nothing else. Number words count as numbers; what is
denied ("before, not after") is not claimed; an answer that claims two things ("2 or 3") is unclear.
Unclear answers are scored as wrong and reported on their own, so that nobody has to guess how they
were treated.
"""

import re
from collections.abc import Callable, Sequence
from enum import Enum

from situ.benchmarks.dataset import QuestionRow
from situ.questions.scene.counting import EQUAL
from situ.questions.select import plural


class Verdict(Enum):
    RIGHT = "right"
    WRONG = "wrong"
    UNCLEAR = "unclear"


_NUMBER_WORDS = {
    "none": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip
_DENIAL = re.compile(
    r"\b(?:not|never|rather than|instead of|isn't|wasn't|neither|nor)\b"
    r"(?:\s+(?:at|the|to|a|an|on|of|seen))*\s+\S+"
)
_EQUAL_WORDS = re.compile(r"\b(equal|equally|same|tie|tied|identical|as many)\b")
_YES = {"yes", "yep", "yeah", "true", "y", "correct"}
_NO = {"no", "nope", "false", "n", "incorrect"}


def verify(row: QuestionRow, reply: str) -> Verdict:
    """Whether a free-text reply answers a question rightly."""
    claim = claimed(row, reply)
    if claim is None:
        return Verdict.UNCLEAR
    return Verdict.RIGHT if claim == row.answer else Verdict.WRONG


def claimed(row: QuestionRow, reply: str) -> str | None:
    """The answer that a reply claims, in the words of the key; None where it claims none, or several."""
    text = _normal(reply)
    if not text:
        return None
    readers: dict[str, Callable[[QuestionRow, str], set[str]]] = {
        "counting": _numbers,
        "comparison": _sides,
        "ordering": _moments,
        "left_right": _left_or_right,
    }
    claims = readers[row.task](row, text)
    return claims.pop() if len(claims) == 1 else None


def _numbers(row: QuestionRow, text: str) -> set[str]:
    if re.search(r"\d[.,]\d", text):
        return set()  # a fraction is no count, and "1,5" is anybody's guess
    text = _affirmed(text)
    found = {str(int(digits)) for digits in re.findall(r"\d+", text)}
    words = re.findall(r"[a-z]+", text)
    if not found:
        found = {str(_NUMBER_WORDS[word]) for word in words if word in _NUMBER_WORDS}
    if not found and "no" in words:
        found = {"0"}  # "no cones", but not "no, there are three"
    return found


def _moments(row: QuestionRow, text: str) -> set[str]:
    return _markers(
        text,
        {
            "before": r"\bbefore\b|\bearlier\b",
            "after": r"\bafter\b|\blater\b",
            "same time": r"\bsame\s?(?:time|moment|frame)\b|\bsimultaneous(?:ly)?\b|^same$",
        },
    )


def _left_or_right(row: QuestionRow, text: str) -> set[str]:
    if set(row.options) == {"left", "right"}:
        return _markers(text, {"left": r"\bleft\b", "right": r"\bright\b"})
    first = re.findall(r"[a-z]+", text)[:1]
    if first and first[0] in _YES:
        return {"yes"}
    return {"no"} if first and first[0] in _NO else set()


def _markers(text: str, patterns: dict[str, str]) -> set[str]:
    affirmed = _affirmed(text)
    return {value for value, pattern in patterns.items() if re.search(pattern, affirmed)}


def _affirmed(text: str) -> str:
    """The text without what it denies: "before, not after" becomes "before,"."""
    return _DENIAL.sub(" ", text)


def _sides(row: QuestionRow, text: str) -> set[str]:
    """Which side of a comparison a reply names: in full, or by words that fit only that side."""
    first, second = row.options[:2]
    exact = {option for option in row.options if _normal(option) == text}
    if exact:
        return exact
    more = re.search(r"\bmore ([a-z ]+?) than\b", text)
    if more:
        text = more.group(1)
    elif _EQUAL_WORDS.search(_affirmed(text)):
        return {EQUAL}
    words = {_singular(word) for word in re.findall(r"[a-z]+", _affirmed(text))}
    own, other = _key_words(first), _key_words(second)
    named = [option for option, keys in ((first, own), (second, other)) if keys <= words]
    if len(named) == 2:
        # "red cones" names the type, and also all that is red or a cone: the fuller name wins.
        return {first} if own > other else {second} if other > own else set()
    if named:
        return set(named)
    hints = {option for option, keys in ((first, own - other), (second, other - own)) if keys & words}
    return hints if len(hints) == 1 else set()


def _key_words(option: str) -> set[str]:
    return {_singular(word) for word in option.split()} - {"object"}


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and plural(word[:-1]) == word else word


def _normal(text: str) -> str:
    return re.sub(r"\s+", " ", text.lower()).strip(" \t\n.!?\"'`*:;")


def accuracy(verdicts: Sequence[Verdict]) -> float:
    """Share of right answers; unclear ones count as wrong."""
    return sum(verdict is Verdict.RIGHT for verdict in verdicts) / len(verdicts)
