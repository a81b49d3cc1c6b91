"""From a model's reply to one of the options: the published cascade, and a strict one without luck.

The published way tries a bare letter, then a letter with its option's text, then a sentence such as
"Answer is: (A)", then asks a small language model for the letter, and picks at random when all of that
fails: a reply that says nothing earns the score of chance. The strict way takes the same three steps and
then counts the reply as wrong.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

Extractor = Callable[[str, Sequence[str]], int | None]
_BARE = re.compile(r"^\W*([A-Za-z])\W*$")
_WITH_TEXT = re.compile(r"^\W*([A-Za-z])\s*[:.)]\s*(.+?)\W*$", re.DOTALL)
_SENTENCE = re.compile(r"answer\s*(?:is|:|=)\s*:?\s*\W*([A-Za-z])\b(?!\w|')", re.IGNORECASE)
_JSON = re.compile(r"[\"'](?:answer|option|choice)[\"']\s*:\s*[\"']?\W*([A-Za-z])(?![A-Za-z])", re.IGNORECASE)


RANDOM = "random"  # the step that draws lots


class Choice(NamedTuple):
    """The option chosen (None: none), and the step of the cascade that found it."""

    option: int | None
    by: str


def strict_choice(reply: str, options: Sequence[str]) -> Choice:
    """The option that a reply names by letter, or none."""
    text = reply.strip()
    bare = _BARE.match(text)
    if bare:
        return _within(bare[1], options, "letter")
    whole = [i for i, option in enumerate(options) if _same(text, option)]
    if len(whole) == 1:
        return Choice(whole[0], "option text")
    named = _WITH_TEXT.match(text)
    if named and _within(named[1], options, "").option is not None:
        index = ord(named[1].upper()) - ord("A")
        if _same(named[2], options[index]):
            return Choice(index, "letter and text")
    for step, pattern in (("json", _JSON), ("sentence", _SENTENCE)):
        letters = {letter.upper() for letter in pattern.findall(text)}
        if len(letters) == 1:
            return _within(letters.pop(), options, step)
    return Choice(None, "none")


def official_choice(
    reply: str, options: Sequence[str], rng: np.random.Generator, extract: Extractor | None = None
) -> Choice:
    """The published cascade; `extract` stands in for its small language model. Never fails to choose."""
    found = strict_choice(reply, options)
    if found.option is not None:
        return found
    extracted = extract(reply, options) if extract is not None else None
    if extracted is not None and 0 <= extracted < len(options):
        return Choice(extracted, "extractor")
    return Choice(int(rng.integers(len(options))), RANDOM)


def _within(letter: str, options: Sequence[str], by: str) -> Choice:
    index = ord(letter.upper()) - ord("A")
    return Choice(index, by) if index < len(options) else Choice(None, "letter out of range")


def _same(a: str, b: str) -> bool:
    return plain(a) == plain(b)


def plain(text: str) -> str:
    """Words alone, in lower case and one spelling."""
    words = re.sub(r"[^a-z0-9 ]+", " ", text.lower().replace("centre", "center"))
    return " ".join(words.split())
