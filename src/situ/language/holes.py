"""What fills the holes of a frame, read from the spans of a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from situ.language import lexicon as lx
from situ.language.frames import Spans
from situ.language.lexicon import Lexicon
from situ.language.noun_phrases import Grammar
from situ.language.spans import Said
from situ.language.times import Window


@dataclass
class Holes(Spans):
    """Reads the spans of the holes of one sentence."""

    tokens: list[str]
    words: Lexicon
    times: dict[str, Window]

    def __post_init__(self) -> None:
        self.grammar = Grammar(self.tokens, self.words, self.times)

    def read(self, kind: str, i: int, j: int) -> tuple[Any, float] | None:
        grammar, text = self.grammar, self.tokens[i]
        if kind == "set":
            phrase = grammar.phrase(i, j)
            return None if phrase is None else (replace(phrase, words=grammar.text(i, j)), phrase.cost)
        if kind in ("said", "gap", "behind"):
            said: Said | None = getattr(grammar, kind)(i, j)
            return None if said is None else (said, said.cost)
        if kind == "place":
            if place := grammar.place(i, j):
                return place, 0.0
            name = grammar.unknown_place(i, j)
            return (NoPlace(name), 2.0) if name else None
        if kind == "who":
            who = grammar.subject(i, j)
            return None if who is None else (who, 0.0)
        if kind == "act":
            acts = [act for act, end in grammar.verb(i, j) if end == j]
            return (
                (acts[0], 0.0)
                if acts and acts[0] not in ("have", "reach", "changed", "put", "left")
                else None
            )
        if j - i != 1:
            return None
        if kind == "no":
            return (True, 0.0) if text in lx.NOT else None
        table: Mapping[str, Any] = {"more": lx.MORE_OR_LESS, "most": lx.LEAST_OR_MOST}.get(kind, {})
        if text in table:
            return table[text], 0.0
        number = grammar.number(i) if kind == "number" else None
        return None if number is None else (number, 0.0)


class NoPlace(str):
    """The name of a place that is not known."""

    @property
    def unknown(self) -> tuple[str, ...]:
        return (str(self),)
