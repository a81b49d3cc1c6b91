"""Conversion of questions between first and second person: "my left" and "your left"."""

import re
from collections.abc import Callable

from situ.annotate.annotation import FIRST, SECOND

_FIRST = re.compile(r"\b(I|I'm|I've|I'd|I'll|me|my|mine|myself|am|[Ww]e|us|our)\b")
_SECOND = re.compile(r"\b(you|you're|you've|you'd|you'll|your|yours|yourself)\b", re.IGNORECASE)
_TO_SECOND: tuple[tuple[str, str], ...] = (
    (r"\bI am\b", "you are"), (r"\bam I\b", "are you"), (r"\bI was\b", "you were"),
    (r"\bwas I\b", "were you"),
    (r"\bI'm\b", "you're"), (r"\bI've\b", "you've"), (r"\bI'd\b", "you'd"), (r"\bI'll\b", "you'll"),
    (r"\bmyself\b", "yourself"), (r"\bmine\b", "yours"), (r"\bmy\b", "your"), (r"\bme\b", "you"),
    (r"\bI\b", "you"),
)  # fmt: skip
# "you" becomes "me" after prepositions, after transitive verbs, and at the end.
_OBJECT = (
    r"\b(to|of|from|behind|near|nearest|with|for|by|at|than|around|beside|towards?|past|before|after|above|"
    r"below|under|over|between|against|facing|opposite|gave|gives?|told|tells?|handed|shows?|showed|shown|"
    r"passed|helped?|follow(?:s|ed)?|closest|next to|in front of|left of|right of) you\b"
    r"(?! (?:are|were|have|had|did|do|can|could|will|would|put|took|left|entered|walked|went|came|saw|"
    r"picked|placed|turned|moved)\b)"
)
_TO_FIRST: tuple[tuple[str, str], ...] = (
    (r"\byou are\b", "I am"), (r"\bare you\b", "am I"), (r"\byou were\b", "I was"),
    (r"\bwere you\b", "was I"),
    (r"\byou're\b", "I'm"), (r"\byou've\b", "I've"), (r"\byou'd\b", "I'd"), (r"\byou'll\b", "I'll"),
    (r"\byourself\b", "myself"), (r"\byours\b", "mine"), (r"\byour\b", "my"),
    (_OBJECT, r"\1 me"), (r"\byou(?=\s*[?.!,;]|\s*$)", "me"), (r"\byou\b", "I"),
)  # fmt: skip


def person_of(text: str) -> str:
    """Grammatical person of a text: "first", "second", or ""."""
    if _FIRST.search(text):
        return FIRST
    return SECOND if _SECOND.search(text) else ""


def to_second(text: str) -> str:
    return _turned(text, _TO_SECOND)


def to_first(text: str) -> str:
    return _turned(text, _TO_FIRST)


def turn(person: str) -> Callable[[str], str]:
    """Function that converts texts to a grammatical person."""
    return to_second if person == SECOND else to_first


def _turned(text: str, rules: tuple[tuple[str, str], ...]) -> str:
    """Convert and keep case: "My" becomes "Your"; "I" becomes "you", or "You" at the start of a sentence."""
    for pattern, instead in rules:
        text = re.sub(pattern, _in_case(instead), text, flags=_flags(pattern))
    return text


def _flags(pattern: str) -> int:
    # "I" is always a capital; anything else may start a sentence.
    return 0 if re.search(r"\bI\b", pattern.replace(r"\b", " ")) and "am I" not in pattern else re.IGNORECASE


def _in_case(instead: str) -> Callable[[re.Match[str]], str]:
    def replaced(found: re.Match[str]) -> str:
        new = found.expand(instead) if "\\1" in instead else instead
        before = found.string[: found.start()].rstrip()
        starts = not before or before[-1] in ".!?:"
        if new.startswith("I") and (len(new) == 1 or not new[1].isalpha()):
            return new
        return new[:1].upper() + new[1:] if starts and found.group()[:1].isupper() else new

    return replaced
