"""Slips of the keyboard: a word that is none in English becomes the one known word that is a slip away."""

from collections.abc import Iterable
from functools import cache

from situ.language.ears_file import known_words
from situ.language.english import WORDS
from situ.language.words import PLACE_SYNONYMS, SYNONYMS

_LEAST, _LONG = 2, 8  # letters of what may be a slip, and of what may hold two
_NAMED = frozenset(w for group in (*SYNONYMS, *PLACE_SYNONYMS) for name in group for w in name.split(" "))


def is_word(word: str) -> bool:
    """Whether a word is one of the common ones, or a regular form of one."""
    if word in WORDS or word in _NAMED or word in known_words():
        return True
    for ending, instead in (
        ("s", ""),
        ("es", ""),
        ("ies", "y"),
        ("ed", ""),
        ("ing", ""),
        ("d", ""),
        ("ly", ""),
        ("ing", "e"),
    ):
        if word.endswith(ending) and len(word) - len(ending) > 2 and word[: -len(ending)] + instead in WORDS:
            return True
    return False


def _lengths(word: str) -> range:
    """How many letters what a word is a slip of may have: one slip, or two in a long word."""
    allowed = 2 if len(word) >= _LONG else 1
    return range(len(word) - allowed, len(word) + allowed + 1)


def slips(word: str, known: Iterable[str]) -> list[str]:
    """Known words that one slip turns into a word, swapped letters before others; two slips in long words."""
    best: dict[int, list[str]] = {}
    lengths = _lengths(word)
    allowed, letters = lengths.stop - 1 - len(word), set(word)
    for other in known:
        if len(other) not in lengths or len(other) < _LEAST:
            continue
        if len(letters.symmetric_difference(other)) > 2 * allowed or not _alike_at_start(word, other):
            continue
        cost = distance(word, other)
        if cost <= allowed and (cost <= 1 or min(len(word), len(other)) >= _LONG - 1):
            best.setdefault(cost, []).append(other)
    found = best[min(best)] if best else []
    return sorted(found, key=lambda other: (sorted(word) != sorted(other), other))


def _alike_at_start(word: str, other: str) -> bool:
    """People seldom slip on the first letter, and then by swapping it, leaving it out or doubling."""
    return (
        word[0] == other[0]
        or word[:2] == other[1::-1]
        or word[0] == other[1:2]
        or word[1:2] == other[0]
        or (word[1:] == other[1:] and len(word) > 3)
    )


@cache
def distance(a: str, b: str) -> int:
    """Letters put in, left out, exchanged or swapped with their neighbour (optimal string alignment)."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[-1] + 1, rows[-1][j] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
