"""Slips of the keyboard: a word that is none in English becomes the one known word that is a slip away."""

from collections.abc import Iterable, Iterator, Set
from functools import cache, lru_cache
from itertools import product

from situ.language.english import COMMON, WORDS
from situ.language.function_words import DECISIVE, FUNCTION_WORDS
from situ.language.words import PLACE_SYNONYMS, SYNONYMS, singular

# The most frequent words of questions; where a slip could come from several words, the first one is meant.
FREQUENT = [
    "the",
    "is",
    "where",
    "what",
    "my",
    "did",
    "i",
    "how",
    "are",
    "which",
    "in",
    "on",
    "to",
    "of",
    "a",
    "it",
    "me",
    "many",
    "when",
    "from",
    "last",
    "was",
    "see",
    "there",
    "for",
    "do",
    "have",
    "can",
    "that",
    "this",
    "you",
    "and",
    "far",
    "put",
    "or",
    "left",
    "room",
    "has",
    "any",
    "been",
    "with",
    "at",
    "am",
    "right",
    "anything",
    "seen",
    "here",
    "we",
    "find",
    "moved",
    "long",
    "know",
    "leave",
    "than",
    "be",
    "before",
    "behind",
    "move",
    "change",
    "changed",
    "close",
    "closest",
    "color",
    "times",
    "been",
    "front",
    "near",
    "time",
]
_RANK = {word: rank for rank, word in enumerate(FREQUENT)}
_LEAST, _LONG = 2, 8
_NAMED = frozenset(w for group in (*SYNONYMS, *PLACE_SYNONYMS) for name in group for w in name.split(" "))
_MOST_CHOICES, _MOST_READINGS = 3, 8
_MOST_GUESSES = 6
_NEVER_LAST = frozenset(["the", "a", "an", "my", "is", "was", "did", "i", "how", "which", "and", "or"])


def corrections(sentence: str, grammar: Set[str], names: Set[str]) -> list[str]:
    """The sentence with its slips put right, the likeliest reading first; `grammar` are the words that ask,
    `names` those of things and places."""
    words = sentence.split(" ")
    choices = [_choices(word, i + 1 == len(words), grammar, names) for i, word in enumerate(words)]
    if all(len(found) == 1 for found in choices):
        return [" ".join(found[0] for found in choices)]
    ranked = sorted(
        product(*(enumerate(found) for found in choices)), key=lambda way: sum(rank for rank, _ in way)
    )
    return [" ".join(word for _, word in way) for way in ranked[:_MOST_READINGS]]


def second_guesses(sentence: str, grammar: Set[str], names: Set[str], nouns: bool = True) -> Iterator[str]:
    """The sentence with one word that asks in place of one that does not: "hen did I" is "when did I".

    For what fits no phrase as it stands. Names stay as they are, and no word becomes a name; with `nouns` off
    no word for a thing is touched, known or not.
    """
    words = sentence.split(" ")
    by_length = _by_length(frozenset(grammar), frozenset())
    for i, word in enumerate(words):
        if (
            word in names
            or word in FUNCTION_WORDS
            or not word.isalpha()
            or (not nouns and is_word(word) and word not in COMMON)
        ):
            continue
        near = [other for length in (-1, 0, 1) for other in by_length.get(len(word) + length, ())]
        likely = [
            o for o in near if len(o) > 1 and o != word and o not in names | DECISIVE and _one_slip(word, o)
        ]
        for other in sorted(likely, key=lambda w: (_RANK.get(w, len(_RANK)), w))[:_MOST_GUESSES]:
            yield " ".join([*words[:i], other, *words[i + 1 :]])


@lru_cache(maxsize=16)
def _by_length(grammar: frozenset[str], names: frozenset[str]) -> dict[int, list[str]]:
    """All known words by the number of their letters."""
    found: dict[int, list[str]] = {}
    for word in grammar | names:
        found.setdefault(len(word), []).append(word)
    return found


def _one_slip(word: str, other: str) -> bool:
    return len(set(word).symmetric_difference(other)) <= 2 and distance(word, other) == 1


def _choices(word: str, last: bool, grammar: Set[str], names: Set[str]) -> list[str]:
    known = word in grammar or word in names or word in FUNCTION_WORDS or is_word(word)
    if len(word) < _LEAST or not word.isalpha() or known:
        return [word]
    by_length = _by_length(frozenset(grammar), frozenset(names))
    near = [other for length in _lengths(word) for other in by_length.get(length, ())]
    found = slips(word, near)
    if last:
        found = [other for other in found if other not in _NEVER_LAST] or found
    named = [other for other in found if other in names and other not in grammar]
    if len({singular(other) for other in named}) > 1:  # names cannot be told apart by how frequent they are
        found = [other for other in found if other not in named]
    swapped = [other for other in found if sorted(other) == sorted(word)]
    ranked = sorted(found, key=lambda o: (o not in _RANK, o not in swapped, _RANK.get(o, 0), o))
    return ranked[:_MOST_CHOICES] or [word]


def is_word(word: str) -> bool:
    """Whether a word is one of the common ones, or a regular form of one."""
    if word in WORDS or word in _NAMED:
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
