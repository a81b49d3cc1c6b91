"""Patterns of sentences: words, alternatives, what may be left out, and slots for things and places.

    where (is|are) {about}            alternatives in round brackets, a slot in curly ones
    how far (away)? is {about}        a question mark: may be left out
    @be @i                            shorthand for words that take each other's place

A pattern is read when it is first needed, and tried word by word: a regular expression takes as long to
compile as a question takes to answer. Of some words a sentence must hold one, of others another, so that most
patterns are passed over untried. Words that `normalise` writes in one way, such as "further" and "farther",
may be written in any.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property

from situ.language.normalise import ONE_WORD
from situ.language.slots import CLOSED, LISTS, NUMBER_WORDS, NUMBERS, SHORTHAND, closed_words
from situ.lazy import lazily

_MOST_WORDS, _MOST_OF_LIST = 10, 70  # in a slot for a name, and for a list
_END = ""  # stands behind the last word, and can be none
_NO_NAME, _NO_LIST = frozenset({"or", ",", _END}), frozenset({_END})  # words at which they end
Groups = frozenset[frozenset[str]]
# Whether the words of a sentence fit from one on; what slots take is written down, the last slot last.
Taken = list[tuple[str, int, int]]  # the slot, its first word, and the one behind its last
Fits = Callable[[Sequence[str], int, Taken], bool]
_SHORT = re.compile(r"@\w+")
_SLOT = re.compile(r"\{(\w+)\}")
_TOKEN = re.compile(r"\{\w+\}|[()|?]|[^\s()|?{}]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class _Slot:
    name: str


@dataclass(frozen=True)
class _Choice:
    """One of several runs; or none of them, if that may be."""

    parts: "tuple[_Run, ...]"
    may_be_empty: bool


_Run = tuple[str | _Slot | _Choice, ...]


@dataclass(frozen=True)
class Pattern:
    """One way to ask."""

    text: str

    @cached_property
    def _expanded(self) -> str:
        expanded = self.text
        while "@" in expanded:
            expanded = _SHORT.sub(lambda found: SHORTHAND[found[0]], expanded)
        return expanded

    def tokens(self) -> list[str]:
        """The last first: who reads takes them off the end."""
        return [ONE_WORD.get(token, token) for token in _TOKEN.findall(self._expanded)[::-1]]

    @lazily
    def _run(self) -> _Run:
        rest = self.tokens()
        parts = _parts(rest)
        assert not rest, f"unbalanced brackets in {self.text!r}"
        return parts[0] if len(parts) == 1 else (_Choice(parts, False),)

    @lazily
    def openings(self) -> frozenset[str] | None:
        """Words with which a sentence of this pattern can begin; None for any."""
        first, may_be_empty = _openings(self._run)
        return None if may_be_empty or None in first else frozenset(word for word in first if word)

    @lazily
    def needs(self) -> tuple[frozenset[str], ...]:
        """Groups of words; a sentence of this pattern holds one of each. The smallest come first."""
        return tuple(sorted(_needed(self._run), key=len))

    def may_fit(self, words: Set[str]) -> bool:
        """Whether a sentence of these words may be one of this pattern; most are ruled out at little cost."""
        for group in self.needs:  # noqa: SIM110 (asked of hundreds of patterns for every sentence)
            if group.isdisjoint(words):
                return False
        return True

    @lazily
    def _fits(self) -> Fits:
        return _fitting(self._run, _at_end)

    def match(self, words: Sequence[str]) -> dict[str, str] | None:
        """The words in each slot, if the words of a sentence fit."""
        taken: Taken = []
        if not self._fits((*words, _END), 0, taken):
            return None
        return {slot: " ".join(words[first:end]) for slot, first, end in taken}

    @property
    def slots(self) -> frozenset[str]:
        """Names of what stands in curly brackets."""
        return frozenset(_SLOT.findall(self.text))

    def literals(self) -> Iterator[str]:
        """All words that stand in the pattern."""
        expanded = self._expanded
        for slot, table in CLOSED.items():
            if f"{{{slot}}}" in expanded:
                expanded += " " + " ".join(table.values())
        yield from re.findall(r"[a-z']+", re.sub(r"\{\w+\}", " ", expanded))


def _parts(tokens: list[str]) -> tuple[_Run, ...]:
    """What takes each other's place, up to a closing bracket."""
    parts: list[list[str | _Slot | _Choice]] = [[]]
    while tokens and tokens[-1] != ")":
        token = tokens.pop()
        if token == "|":
            parts.append([])
            continue
        piece: str | _Slot | _Choice = token
        if token == "(":
            piece = _Choice(_parts(tokens), False)
            assert tokens, "a bracket is not closed"
            tokens.pop()
        elif token.startswith("{"):
            piece = _Slot(token[1:-1])
        if tokens and tokens[-1] == "?":
            tokens.pop()
            piece = _Choice(piece.parts if isinstance(piece, _Choice) else ((piece,),), True)
        parts[-1].append(piece)
    return tuple(tuple(part) for part in parts)


def _openings(run: _Run) -> tuple[set[str | None], bool]:
    """The words that can come first, None for any, and whether nothing may come."""
    found: set[str | None] = set()
    for piece in run:
        if isinstance(piece, str):
            return found | {piece}, False
        if isinstance(piece, _Slot):
            words = closed_words(piece.name) if piece.name in CLOSED else None
            return found | ({None} if words is None else {one.split(" ")[0] for one in words}), False
        each = [_openings(part) for part in piece.parts]
        found.update(*(first for first, _ in each))
        if not (piece.may_be_empty or any(empty for _, empty in each)):
            return found, False
    return found, True


def _needed(run: _Run) -> Groups:
    """The groups of words of which one is needed."""
    found = set[frozenset[str]]()
    for piece in run:
        if isinstance(piece, str):
            found.add(frozenset({piece}))
        elif isinstance(piece, _Slot):
            found |= _of_closed(piece.name)
        elif not piece.may_be_empty:
            found |= _of_any([_needed(part) for part in piece.parts])
    return frozenset(found)


def _of_any(parts: Sequence[Groups]) -> Groups:
    """What is needed where one of several parts is: what all of them need, and one word of the part."""
    if len(parts) == 1:
        return parts[0]
    if not all(parts):
        return frozenset()
    either = frozenset(word for groups in parts for word in min(groups, key=len))
    return frozenset({*frozenset.intersection(*parts), either})


@cache
def _of_closed(slot: str) -> Groups:
    """One word of each wording of a closed slot, the longest; nothing is needed for any other."""
    if slot not in CLOSED:
        return frozenset()
    return frozenset({frozenset(max(words.split(" "), key=len) for words in closed_words(slot))})


def _at_end(words: Sequence[str], at: int, taken: Taken) -> bool:
    return at == len(words) - 1


def _fitting(run: _Run, then: Fits) -> Fits:
    """Whether a run fits, and then what comes after it."""
    for piece in reversed(run):
        if isinstance(piece, str):
            then = _word(piece, then)
        elif isinstance(piece, _Choice):
            then = _choice(piece, then)
        elif piece.name in CLOSED:
            then = _closed(piece.name, then)
        elif piece.name in NUMBERS:
            then = _number(piece.name, then)
        else:
            then = _name(piece.name, then)
    return then


def _word(word: str, then: Fits) -> Fits:
    def fits(words: Sequence[str], at: int, taken: Taken) -> bool:
        return words[at] == word and then(words, at + 1, taken)

    return fits


def _choice(choice: _Choice, then: Fits) -> Fits:
    """Tried in order, but for those that begin with another word."""
    if all(len(part) == 1 and isinstance(part[0], str) for part in choice.parts):
        return _one_word(frozenset(str(part[0]) for part in choice.parts), choice.may_be_empty, then)
    begun: dict[str, list[Fits]] = {}
    others: list[Fits] = []  # that may begin with any word
    for part in choice.parts:
        fits, first = _fitting(part, then), part[0] if part else None
        if isinstance(first, str):
            begun.setdefault(first, [*others]).append(fits)
        else:
            for each in (*begun.values(), others):
                each.append(fits)
    if choice.may_be_empty:
        for each in (*begun.values(), others):
            each.append(then)

    def any_fits(words: Sequence[str], at: int, taken: Taken) -> bool:
        for fits in begun.get(words[at], others):  # noqa: SIM110 (asked of every word)
            if fits(words, at, taken):
                return True
        return False

    return any_fits


def _one_word(among: frozenset[str], may_be_empty: bool, then: Fits) -> Fits:
    def fits(words: Sequence[str], at: int, taken: Taken) -> bool:
        if words[at] in among and then(words, at + 1, taken):
            return True
        return may_be_empty and then(words, at, taken)

    return fits


def _closed(slot: str, then: Fits) -> Fits:
    wordings = _wordings(slot)

    def fits(words: Sequence[str], at: int, taken: Taken) -> bool:
        for wording in wordings.get(words[at], ()):
            end = at + len(wording)
            if words[at:end] == wording:
                taken.append((slot, at, end))
                if then(words, end, taken):
                    return True
                taken.pop()
        return False

    return fits


@cache
def _wordings(slot: str) -> dict[str, list[tuple[str, ...]]]:
    """The wordings of a closed slot by their first words, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for wording in sorted(closed_words(slot), key=len, reverse=True):
        words = tuple(wording.split(" "))
        found.setdefault(words[0], []).append(words)
    return found


def _number(slot: str, then: Fits) -> Fits:
    def fits(words: Sequence[str], at: int, taken: Taken) -> bool:
        if words[at] not in NUMBER_WORDS and not _NUMBER.fullmatch(words[at]):
            return False
        taken.append((slot, at, at + 1))
        if then(words, at + 1, taken):
            return True
        taken.pop()
        return False

    return fits


def _name(slot: str, then: Fits) -> Fits:
    """As few words as will do."""
    most, ends = (_MOST_OF_LIST, _NO_LIST) if slot in LISTS else (_MOST_WORDS, _NO_NAME)

    def fits(words: Sequence[str], at: int, taken: Taken) -> bool:
        for end in range(at + 1, at + most + 1):
            if words[end - 1] in ends:
                return False
            taken.append((slot, at, end))
            if then(words, end, taken):
                return True
            taken.pop()
        return False

    return fits
