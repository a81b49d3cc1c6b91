"""Lists in words: "2 chairs, a red cup"."""

from collections import Counter
from collections.abc import Iterable, Sequence

from situ.questions.rules.landmarks import plain_name
from situ.questions.select import plural, with_article
from situ.state.protocol import Called

NOTHING = "nothing"
SEPARATOR = ", "


def in_words(views: Iterable[Called]) -> str:
    """Things by name with their number, in the order in which each name first occurs."""
    kinds = Counter(plain_name(view) for view in views)
    return SEPARATOR.join(several(name, number) for name, number in kinds.items()) or NOTHING


def several(name: str, number: int) -> str:
    *words, noun = name.split(" ")
    return with_article(name) if number == 1 else " ".join([str(number), *words, plural(noun)])


def joined(parts: Sequence[str]) -> str:
    """ "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
