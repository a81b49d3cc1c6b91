"""Rules for what follows from what: numbers, directions, places and plain containment. No model needed."""

import re
from functools import lru_cache

_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
} | {"none": "0", "no one": "0", "a couple": "2", "a pair": "2"}
_EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "it",
        "its",
        "this",
        "that",
        "there",
        "of",
        "to",
        "at",
        "in",
        "on",
        "s",
        "some",
        "very",
        "just",
        "and",
        "with",
        "your",
        "my",
    ]
)
_SAME = {
    "ahead": "front", "forward": "front", "behind": "back", "rear": "back", "backward": "back",
    "above": "over", "below": "under", "beneath": "under", "underneath": "under", "beside": "next",
    "near": "next", "besides": "next", "grey": "gray", "sofa": "couch", "tv": "television", "yeah": "yes",
    "nope": "no", "refrigerator": "fridge", "big": "large", "shut": "closed", "colour": "color",
}  # fmt: skip
_OPPOSITES = (
    ("yes", "no"), ("left", "right"), ("open", "closed"), ("on", "off"), ("front", "back"), ("up", "down"),
    ("over", "under"), ("inside", "outside"), ("before", "after"), ("first", "last"), ("empty", "full"),
    ("true", "false"), ("nearer", "farther"), ("closer", "farther"), ("clean", "dirty"), ("top", "bottom"),
    ("locked", "unlocked"), ("dark", "light"), ("wet", "dry"),
)  # fmt: skip
_PAIRS = {a: b for one, two in _OPPOSITES for a, b in ((one, two), (two, one))}
_ARTICLE = r"(?:the\s+|a\s+|an\s+)?"
_EITHER = re.compile(
    rf"(?i)(?:,|:|\bis|\bare|\bthe|\bwhich)\s+{_ARTICLE}([\w' -]+?)\s+or\s+{_ARTICLE}([\w' -]+?)\s*\?"
)


@lru_cache(maxsize=100_000)
def normal(text: str) -> str:
    """A text without case, articles, punctuation and plural endings, numbers as digits, synonyms as one."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'s", ""))
    kept = [_word(word) for word in words if word not in _EMPTY or len(words) == 1]
    return " ".join(kept) if kept else " ".join(words)


def _word(word: str) -> str:
    word = _NUMBERS.get(word, word)
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-2] if word.endswith(("shes", "ches", "xes", "sses")) else word[:-1]
    return _SAME.get(word, word)


def words_of(text: str) -> frozenset[str]:
    return frozenset(normal(text).split())


def entails(first: str, second: str) -> float:
    """How surely the second text is true if the first is: 1 for the same or for a more special first."""
    a, b = words_of(first), words_of(second)
    if not a or not b:
        return 0.0
    if a == b or normal(first) == normal(second):
        return 1.0
    if opposed(first, second):
        return 0.0
    if b <= a:
        return 1.0  # "a white fridge" says all that "a fridge" says
    return 0.6 * len(a & b) / len(b)


def opposed(first: str, second: str) -> bool:
    """Whether two answers differ just by a number, or by a word and its opposite."""
    a, b = words_of(first), words_of(second)
    numbers = {w for w in a if w.isdigit()}, {w for w in b if w.isdigit()}
    if numbers[0] and numbers[1] and numbers[0] != numbers[1]:
        return True
    return any(_PAIRS.get(word) in b - a for word in a - b)


def opposite_of(question: str, answer: str) -> str | None:
    """The other answer of a question that has two: yes or no, left or right, "the X or the Y?"."""
    bare = normal(answer)
    either = _EITHER.search(question)
    if either is not None:
        one, two = either.group(1).strip(), either.group(2).strip()
        if bare and f" {normal(one)}".endswith(f" {bare}"):
            return _like(answer, two)
        if normal(two) == bare:
            return _like(answer, one)
    if bare in ("yes", "no") or (bare in _PAIRS and len(bare.split()) == 1):
        asks_yes_no = re.match(
            r"(?i)\s*(is|are|was|were|do|does|did|can|could|has|have|will|would|am)\b", question
        )
        if bare in ("yes", "no") or not asks_yes_no:
            return _like(answer, _PAIRS[bare])
    return None


def _like(model: str, text: str) -> str:
    """A text with the capital letter and the full stop of another."""
    shaped = text[:1].upper() + text[1:] if model[:1].isupper() else text
    return shaped + "." if model.rstrip().endswith(".") and not shaped.endswith(".") else shaped
