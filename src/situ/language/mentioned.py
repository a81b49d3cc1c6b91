"""The things that words name along the way, without asking for them."""

from collections.abc import Mapping, Sequence

from situ.language.lexicon import Lexicon
from situ.language.noun_phrases import Grammar
from situ.language.sets import Json, things
from situ.language.times import Window

_LONGEST = 5  # words of a name


def mentioned(tokens: Sequence[str], times: Mapping[str, Window], words: Lexicon) -> list[Json]:
    """What the words name, in their order; of names within names the longest."""
    grammar = Grammar(list(tokens), words, dict(times))
    found: list[Json] = []
    k = 0
    while k < len(tokens):
        end, named = (k + 1, None) if tokens[k] in times else _name_at(k, grammar)
        if named is not None:
            found.append(named)
        k = end
    return found


def _name_at(k: int, grammar: Grammar) -> tuple[int, Json | None]:
    for j in range(min(len(grammar.tokens), k + _LONGEST), k, -1):
        if grammar.place(k, j):
            return j, None
        phrase = grammar.phrase(k, j)
        if phrase is None or phrase.unknown or phrase.cost >= 1.0 or phrase.said or phrase.joined:
            continue
        if (
            phrase.quantity in ("", "some", "all")
            and phrase.set["op"] in ("things", "or")
            and phrase.set != things()
        ):
            return j, phrase.set
    return k + 1, None
