"""Two questions in one sentence: "where are the cup and the plate", "what is on my left and what is near".

A sentence is only taken apart where it is not one question as it stands ("how far apart are the cup and the
plate" is one), and where each part is asked by a phrase of its own.
"""

import re
from collections.abc import Iterator

from situ.language.vocabulary import Vocabulary

MOST_PARTS = 3
_JOINED = re.compile(
    r"(?:,|\?|\.)* (?:and|and also|plus) "
    r"(?=(?:what|where|how|when|who|which|is|are|did|do|can|has|have|was)\b)",
    re.IGNORECASE,
)
_AND = re.compile(r"\W+and\s+", re.IGNORECASE)
_LONGEST_NAME = 5


def taken_apart(sentence: str, vocabulary: Vocabulary) -> Iterator[list[str]]:
    """Ways to take a sentence apart into sentences that may each be a question."""
    clauses = [part.strip() for part in _JOINED.split(sentence) if part.strip()]
    if 1 < len(clauses) <= MOST_PARTS:
        yield clauses
    for found in _AND.finditer(sentence):
        before, after = sentence[: found.start()].split(), sentence[found.end() :].split()
        left, right = _name_at_end(before, vocabulary), _name_at_start(after, vocabulary)
        if left and right:
            yield [
                " ".join([*before, *after[right:]]),
                " ".join([*before[:-left], *after]),
            ]


def _name_at_end(words: list[str], vocabulary: Vocabulary) -> int:
    """How many words at the end of some words name one thing; 0 if none do."""
    return next(
        (n for n in range(min(_LONGEST_NAME, len(words)), 0, -1) if _names(words[-n:], vocabulary)), 0
    )


def _name_at_start(words: list[str], vocabulary: Vocabulary) -> int:
    return next((n for n in range(min(_LONGEST_NAME, len(words)), 0, -1) if _names(words[:n], vocabulary)), 0)


def _names(words: list[str], vocabulary: Vocabulary) -> bool:
    name = re.sub(r"[^\w' -]", "", " ".join(words).lower())
    return vocabulary.knows(name) or vocabulary.is_place(name)
