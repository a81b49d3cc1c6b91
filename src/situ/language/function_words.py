"""Small words that carry the form of a sentence. Some turn its meaning round: a reading that leaves out
"not", "or" or "all" answers another question.

These are closed classes of English: no new ones come into use, unlike names of things.
"""

from collections.abc import Iterable, Iterator, Set
from itertools import pairwise

from situ.language.kind import Kind

NEGATORS = frozenset(
    ["not", "never", "no", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "except",
     "excluding"]
)  # fmt: skip
UNIVERSAL = frozenset({"all", "every", "each", "both"})
QUANTIFIERS = UNIVERSAL | {"most", "only", "few", "several", "half", "either"}
OR = "or"
DECISIVE = NEGATORS | QUANTIFIERS | {OR}
# "Anything but the cup": behind these "but" is an exception, and elsewhere it only joins.
_OF_ALL = frozenset(
    {"all", "anything", "anywhere", "anyone", "things", "everywhere", "everyone", "none", "nothing"}
)
_OTHERS_WORDS = """
a an the this that these those my your our his her its their i you we he she it they me us him them who whom
whose which what where when why how is are am was were be been being do does did have has had can could will
would shall should may might must in on at by to of from with into onto under over behind between beside near
for as about around above below inside outside and if than then because while since until though there here
any some many much more
"""
FUNCTION_WORDS = DECISIVE | frozenset(_OTHERS_WORDS.split())


def decisive_in(words: Iterable[str], names: Iterable[str] = ()) -> Iterator[str]:
    """The words that turn a meaning round and are no part of a name that is said, such as "no entry sign"."""
    said = list(words)
    text = f" {' '.join(said)} "
    for before, word in pairwise(["", *said]):
        excepts = word == "but" and before in _OF_ALL
        named = (word in name.split() and f" {name} " in text for name in names)
        if (word in DECISIVE or excepts) and not any(named):
            yield word


def meant_by(kind: Kind, alternatives: int = 0) -> Set[str]:
    """The decisive words that answers of a kind mean by themselves: a count and a list are of all, and a
    choice is between one and another, where so many are named."""
    if kind.answers in ("count", "list"):
        return UNIVERSAL
    return frozenset({OR}) if alternatives > 1 and kind.answers in ("choice", "name") else frozenset()
