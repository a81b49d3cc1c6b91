"""English words: articles, plurals, counts, and a canonical form of names."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache


def with_article(noun_phrase: str) -> str:
    """Noun phrase with its indefinite article: "a red cone", "an orange cone"; plurals stay unchanged."""
    if is_plural(noun_phrase):
        return noun_phrase
    return f"{'an' if noun_phrase[:1] in tuple('aeiou') else 'a'} {noun_phrase}"


_SINGULAR_IN_S = frozenset(["gas", "lens", "canvas", "atlas", "christmas", "pancreas", "iris", "chess"])


def is_plural(noun_phrase: str) -> bool:
    """Whether a name is a plural: keys, scissors, glasses, running shoes."""
    noun = noun_phrase.rsplit(" ", 1)[-1].lower()
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and noun not in _SINGULAR_IN_S


def plural(noun: str) -> str:
    """English plural of a regular noun, and of common irregular ones."""
    irregular = {
        "shelf": "shelves",
        "knife": "knives",
        "loaf": "loaves",
        "person": "people",
        "child": "children",
    }
    for one, many in irregular.items():
        if noun.endswith(one):  # compounds: bookshelf, bread knife
            return noun.removesuffix(one) + many
    if is_plural(noun):
        return noun
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + "s"


def counted(number: int, noun: str) -> str:
    """Number and noun: "1 recording", "2 recordings"."""
    return f"{number} {noun if number == 1 else plural(noun)}"


_IRREGULAR = {
    "shelves": "shelf", "knives": "knife", "loaves": "loaf", "people": "person", "children": "child",
    "men": "man", "women": "woman", "mice": "mouse", "feet": "foot", "leaves": "leaf",
    "bookshelves": "bookshelf", "housemates": "housemate", "boxes": "box", "vases": "vase", "cases": "case",
    "stairs": "stairs", "glasses": "glasses", "scissors": "scissors", "keys": "key", "trousers": "trousers",
    "bus": "bus", "chess": "chess", "canvas": "canvas", "tissues": "tissues", "shoes": "shoe",
    "clothes": "clothes",
}  # fmt: skip


@cache
def singular(word: str) -> str:
    """ "cups" -> "cup"; a phrase keeps its other words."""
    *before, noun = word.split(" ")
    return " ".join([*before, _singular(noun)])


def _singular(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


# An article before a word. "A 12" and "a" are names, because nothing would remain.
_ARTICLE = re.compile(r"^(?:the|an?) (?=[^\W\d_]{2})", re.IGNORECASE)
_MAX_NAMES = 10_000  # cache size; a detector has some thousand labels at most


def as_named(name: str) -> str:
    """Display form of a name: single blanks, without leading article and final dots, otherwise unchanged.

    >>> as_named(" a  Fridge. ")
    'Fridge'
    """
    plain = _ARTICLE.sub("", " ".join(name.split()), count=1)
    return plain.rstrip(" .") or name.strip()


@lru_cache(maxsize=_MAX_NAMES)
def name_key(name: str) -> str:
    """Key that all spellings of a name share, ignoring case, blanks, articles, plurals and final dots.

    >>> name_key("Fridge") == name_key("the fridges.") == "fridge"
    True
    """
    key = as_named(name).casefold()
    noun = key.rsplit(" ", 1)[-1]
    # "B12s" is a code, not the plural of "B12", and "Gate S" is no plural either.
    return singular(key) if noun.isalpha() and len(noun) > 2 else key


def is_description(phrase: str, label: str, values: Iterable[str]) -> bool:
    """Whether a phrase is a name, or the name preceded by some of its descriptive values.

    >>> is_description("blue spheres", "sphere", ["blue", "metal"])
    True
    """
    noun, said = name_key(label), f" {name_key(phrase)}"
    if not said.endswith(f" {noun}"):
        return False
    rest = said.removesuffix(f" {noun}")
    for value in sorted(map(name_key, values), key=len, reverse=True):
        rest = re.sub(rf" {re.escape(value)}(?= |$)", "", rest)
    return not rest
