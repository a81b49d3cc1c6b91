"""What a sentence is made of: what is asked for, verbs, things, places, what is said of them, times.

Every word belongs to one, whatever their order, so that none is left out: "the cup is in which room"
has the constituents of "which room is the cup in". The table is clauses.toml.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from heapq import heappop, heappush
from importlib.resources import files
from typing import Any

from situ.language import lexicon as lx
from situ.language.frames import ONE_WORD, Patterns
from situ.language.noun_phrases import Grammar
from situ.language.predicates import POSTURES, RELATIONS, SIDES, side_of
from situ.language.sets import HOLE, SET_HOLE, lacks_kind, things
from situ.language.spans import Phrase, Said
from situ.language.spelling import is_named, is_word
from situ.language.words import IDLE

_EACH = 0.1  # the cost of a constituent: few long ones are likelier than many short ones
_LOOSE = 0.3  # of a word that only its neighbours could need
_LONGEST = 14  # words of a noun phrase
_MOST_STEPS, MOST_WAYS = 400, 10  # of the search, and sentences cut up that are tried
_WITH_PLACE = lx.words("in at inside within")
_ROOMS = lx.words("room rooms place places house flat building")
_SAYS = RELATIONS.keys() | SIDES.keys() | lx.MORE_OR_LESS.keys() | lx.words("between within far")


@dataclass(frozen=True)
class Constituent:
    """A span of a sentence and what it is there for."""

    role: str
    value: Any = None
    start: int = 0
    end: int = 0
    cost: float = 0.0


@cache
def table() -> dict[str, Any]:
    """What sentences are made of, and what they ask."""
    return tomllib.loads(files(__package__).joinpath("clauses.toml").read_text("utf-8"))


@cache
def _words_of_roles() -> Patterns:
    found = Patterns(table()["words"])
    for row in table()["part"]:
        value = row.get("is")
        part = Constituent(row["role"], (value, row["least"]) if "least" in row else value)
        for pattern in row["says"]:
            found.add(pattern, part, row["role"])
    return found


@cache
def _explained() -> frozenset[str]:
    """Words that a constituent may hold whatever is called so in a memory."""
    said = [parts for rows in (*RELATIONS.values(), *SIDES.values()) for parts, _ in rows]
    closed = lx.CLOSED | POSTURES | IDLE | lx.KIN | lx.PEOPLE | lx.GENERIC
    return frozenset(_words_of_roles().words) | closed | (
        lx.ORDINALS.keys() | lx.NUMBERS.keys() | lx.METRES.keys() | lx.MORE_OR_LESS.keys()
        | lx.LEAST_OR_MOST.keys() | lx.NUMBERED | {word for parts in (*said, *lx.VERBS) for word in parts}
    )  # fmt: skip


def explains(tokens: list[str], grammar: Grammar) -> bool:
    """Whether each word may belong to something; most sentences of other matters hold one that cannot."""
    lexicon = grammar.lexicon
    return all(
        ONE_WORD.get(token, token) in _explained()
        or token in grammar.windows
        or token == ","
        or token in lexicon.vocabulary.words
        or token in lexicon.proper_words
        or not is_word(token)
        or is_named(token)
        or lexicon.attribute(token) is not None
        or lexicon.name(token) is not None
        or lexicon.place(token) is not None
        for token in tokens
    )


class Cut:
    """A sentence, cut into constituents in all ways."""

    def __init__(self, tokens: list[str], grammar: Grammar) -> None:
        self.tokens, self.grammar = tokens, grammar
        self._said = [ONE_WORD.get(token, token) for token in tokens]
        self._from: dict[int, list[Constituent]] = {}

    def ways(self) -> Iterator[tuple[float, tuple[Constituent, ...]]]:
        """The sentence in constituents, the likeliest way first."""
        size, steps, number = len(self.tokens), 0, 0
        heap: list[tuple[float, int, int, tuple[Constituent, ...]]] = [(0.0, 0, 0, ())]
        found = 0
        while heap and steps < _MOST_STEPS and found < MOST_WAYS:
            cost, _, at, parts = heappop(heap)
            steps += 1
            if at == size:
                found += 1
                yield cost, parts
                continue
            for part in self.starting(at):
                number += 1
                heappush(heap, (cost + part.cost, number, part.end, (*parts, part)))

    def starting(self, at: int) -> list[Constituent]:
        if at not in self._from:
            self._from[at] = [*self._words(at), *self._read(at)]
        return self._from[at]

    def _words(self, at: int) -> Iterator[Constituent]:
        """Constituents that the table names, the longest of each."""
        best: dict[tuple[str, Any, int], Constituent] = {}
        for end, part in _words_of_roles().prefixes(self._said, at):
            if self.tokens[at:end] in (["used"], ["use"]) and self.tokens[end : end + 1] == ["to"]:
                continue  # "what used to be there" uses nothing
            extra = _LOOSE if part.role == "loose" else 0.0
            if part.role == "side":
                part = Constituent("said", Said(side_of(part.value)))
                yield replace(part, start=at, end=end, cost=_EACH)
                continue
            key = (part.role, part.value, end if part.role == "verb" else 0)
            best[key] = replace(part, start=at, end=end, cost=_EACH + extra)
        verbs: dict[int, set[str]] = {}
        for part in best.values():
            if part.role == "verb":
                verbs.setdefault(part.end, set()).add(part.value)
        for end, meant in verbs.items():  # "get" may be any of several: which, the clause tells
            yield Constituent("verb", frozenset(meant), at, end, _EACH)
        for part in best.values():
            if part.role == "stand":
                yield from self._stands(part)
            elif part.role != "verb":
                yield part
        token = self.tokens[at]
        if token == "from" and (not at or self.tokens[at - 1] == ","):  # "from the sofa, where is the lamp"
            yield from self._stands(Constituent("stand", "at", at, at + 1, _EACH))
        for words in (lx.MORE_OR_LESS, lx.LEAST_OR_MOST):
            if token in words:
                end = at + 1 + (self.grammar.at(at + 1) in ("one", "away"))
                yield Constituent("more", words[token], at, end, _EACH)
        if token in lx.NOT:  # "is n't the cup here" asks whether it is
            asks = token == "n't" and at == 1 and self.tokens[0] in lx.BE | lx.DO | lx.HAVE | lx.MAY
            yield Constituent("idle" if asks else "no", None, at, at + 1, _EACH)

    def _read(self, at: int) -> Iterator[Constituent]:
        """What names things, places, times and agents, and what is said of things."""
        grammar, token, size = self.grammar, self.tokens[at], len(self.tokens)
        if token in grammar.windows:
            yield Constituent("time", token, at, at + 1, _EACH)
            return
        if token == "people":
            yield Constituent("who", "any", at, at + 1, _EACH)
        if (who := grammar.agent(at, size)) is not None:
            yield Constituent("who", who[0], at, who[1], _EACH)
        yield from self._sets(at)
        yield from self._places(at)
        if token in _SAYS or grammar.lexicon.attribute(token):
            yield from self._saids(at)

    def _stands(self, lead: Constituent) -> Iterator[Constituent]:
        """Where somebody stands, or what they face, in the wearer's place."""
        for of in self._sets(lead.end) if lead.end < len(self.tokens) else ():
            if of.value.set["op"] == "things":
                yield Constituent("stand", (lead.value, of.value.set), lead.start, of.end, of.cost)

    def _sets(self, at: int) -> Iterator[Constituent]:
        """The longest noun phrases: of all, without what is said behind the name, and of one name alone."""
        seen: set[tuple[bool, bool]] = set()
        for end in range(min(len(self.tokens), at + _LONGEST), at, -1):
            phrase = self.grammar.phrase(at, end)
            if phrase is None or phrase.unknown or phrase.quantity == "none":
                continue
            alone = (end - at == 1 and token_is_verb(self._said[at])) or self.tokens[at : at + 2] == [
                "this",
                "one",
            ]
            if not alone and len(phrase.parts) == 2 and all(lacks_kind(one.set) for one in phrase.parts):
                yield Constituent("pair", phrase, at, end, _EACH + phrase.cost)
            if alone or not _names(phrase):
                continue
            if (kind := (phrase.said > 0, bool(phrase.joined))) in seen:
                continue
            seen.add(kind)
            words = self.grammar.text(at, end)
            yield Constituent("set", replace(phrase, words=words), at, end, _EACH + phrase.cost)

    def _places(self, at: int) -> Iterator[Constituent]:
        start = at + (self.tokens[at] in _WITH_PLACE)
        if start == len(self.tokens) or self.tokens[start] in _ROOMS:
            return
        for end in range(min(len(self.tokens), start + 5), start, -1):
            place = self.grammar.place(start, end)
            if place is not None and place != HOLE:
                yield Constituent("place", place, at, end, _EACH)
                return

    def _saids(self, at: int) -> Iterator[Constituent]:
        left = 2
        for end in range(len(self.tokens), at, -1):
            said = self.grammar.said(at, end)
            if said is None or said.without_kind or said.unknown or not said.set.get("of", True):
                continue
            if HOLE in str(said.set) or SET_HOLE in str(said.set):
                continue
            yield Constituent("said", said, at, end, _EACH + said.cost)
            left -= 1
            if not left:
                return


def _names(phrase: Phrase) -> bool:
    """Whether a phrase names things by their kind, or points at what was spoken of."""
    if phrase.set["op"] == SET_HOLE:
        return True
    generic = phrase.head == things() or phrase.set == things()
    return not generic and not lacks_kind(phrase.set) and SET_HOLE not in str(phrase.set)


@cache
def token_is_verb(token: str) -> bool:
    """Whether a word alone is a verb: "what stands there" asks for no stand."""
    return any(part.role == "verb" and end == 1 for end, part in _words_of_roles().prefixes([token], 0))
