"""Lists in words: "2 chairs, a red cup"."""

from collections.abc import Sequence

from situ.questions.select import plural, with_article

NOTHING = "nothing"
SEPARATOR = ", "


def several(name: str, number: int) -> str:
    *words, noun = name.split(" ")
    return with_article(name) if number == 1 else " ".join([str(number), *words, plural(noun)])


def joined(parts: Sequence[str]) -> str:
    """ "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
