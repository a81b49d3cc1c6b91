"""The spans of a sentence, each read once, and what is read in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from situ.language import lexicon as lx
from situ.language.lexicon import Lexicon
from situ.language.sets import Json
from situ.language.times import Window

_DEEPEST = 12  # nested readings; what is deeper nobody says
Rows = dict[str, list[tuple[tuple[str, ...], str]]]


@dataclass(frozen=True)
class Phrase:
    """A noun phrase, read. `quantity` is all, some, none or "" for what is meant; `head` its kind alone."""

    set: Json
    cost: float = 0.0
    quantity: str = ""
    plural: bool = False
    head: Json | None = None
    unknown: tuple[str, ...] = ()
    parts: tuple["Phrase", ...] = ()
    joined: str = ""
    said: int = 0  # how many things are said of it behind its name
    words: str = ""
    definite: bool = False  # whether a known one is meant: "the cup"


@dataclass(frozen=True)
class Said:
    """What is said of things: a set without `of`, or a whole one."""

    set: Json
    cost: float = 0.0
    unknown: tuple[str, ...] = ()
    verb: str = ""  # "is" or "are", where it has to agree
    without_kind: bool = False  # whether it is a noun phrase
    excepts: bool = False


P = TypeVar("P", Phrase, Said)


def by_first(rows: dict[str, str]) -> Rows:
    """Rows "words|words: meaning" by the first word, the longest words first."""
    found: Rows = {}
    for meaning, many in rows.items():
        for said in many.split("|"):
            parts = tuple(said.split())
            found.setdefault(parts[0], []).append((parts, meaning))
    for group in found.values():
        group.sort(key=lambda row: -len(row[0]))
    return found


class Spans:
    """The readings of the spans of one sentence; `windows` are the times that stand in it as tokens."""

    def __init__(self, tokens: Sequence[str], lexicon: Lexicon, windows: dict[str, Window]) -> None:
        self.tokens = list(tokens)
        self.lexicon = lexicon
        self.windows = windows
        self._memo: dict[tuple[str, int, int], Any] = {}
        self._depth = 0

    # ------------------------------------------------------------------ spans, each read once
    def once(self, name: str, i: int, j: int, read: Callable[[int, int], P | None]) -> P | None:
        if i >= j or self._depth > _DEEPEST:
            return None
        key = (name, i, j)
        if key not in self._memo:
            self._memo[key] = None  # what would read itself reads nothing
            self._depth += 1
            self._memo[key] = read(i, j)
            self._depth -= 1
        found: P | None = self._memo[key]
        return found

    def phrase(self, i: int, j: int) -> Phrase | None:
        """The span as a noun phrase."""
        raise NotImplementedError

    def text(self, i: int, j: int) -> str:
        return " ".join(self.tokens[i:j])

    def at(self, i: int) -> str:
        return self.tokens[i] if i < len(self.tokens) else ""

    def longest(self, rows: Rows, i: int, j: int) -> list[tuple[int, str]]:
        """Where the rows that the span begins with end, and what they mean."""
        found = rows.get(self.tokens[i], ()) if i < j else ()
        return [
            (i + len(parts), meaning)
            for parts, meaning in found
            if i + len(parts) <= j and tuple(self.tokens[i : i + len(parts)]) == parts
        ]

    def number(self, k: int) -> float | None:
        word = self.at(k)
        if word in lx.NUMBERS:
            return lx.NUMBERS[word]
        try:
            return float(word)
        except ValueError:
            return None
