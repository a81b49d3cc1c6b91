"""Patterns of sentences: words, alternatives, what may be left out, and slots for things and places.

    where (is|are) {about}            alternatives in round brackets, a slot in curly ones
    how far (away)? is {about}        a question mark: may be left out
    @be @i                            shorthand for words that take each other's place

A pattern is turned into a regular expression when it is first needed. Of some words a sentence must hold one,
of others another, so that most patterns are passed over without one. Words that `normalise` writes in one
way, such as "further" and "farther", may be written in any.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property

from situ.language.normalise import ONE_WORD
from situ.lazy import lazily

SHORTHAND = {
    "@be": "(is|are|was|were|be)",
    "@i": "(i|we|you)",
    "@my": "(my|our|your|the)",
    "@did": "(did|have|had|has|do|does|could|might|would|should)",
    "@put": "(put|leave|left|place|placed|set|set down|put down|lay|stash|keep|kept|store|drop|dropped|"
    "have|had|"
    "last put|last leave|last left|last have|last had|last saw|last see|see|saw|seen|last seen|last use|"
    "use|find)",
    "@move": "(move|moved|carry|carried|shift|shifted|pick up|picked up|take|took|taken|put down|touch|"
    "touched|"
    "handle|handled|pick|displace|displaced|relocate|relocated|transport|transported|grab|grabbed)",
    "@see": "(see|saw|seen|notice|noticed|come across|came across|encounter|spot|spotted|look at|pass)",
    "@here": "(here|in here|around here|in this (room|place)|in the room|this room|in (my|our|the) (house|"
    "home|flat|"
    "apartment|place)|over here|there)",
    "@more": "(closer|nearer)",
    "@most": "(closest|nearest)",
    "@things": "(things|thing|object|item|all things|all|everything)",
    "@someone": "(someone|anyone|anybody|somebody|i|we|you|they)",
    "@last": "(last|most recently|recently|latest|previously|just)",
}
_NAME = r"(?:(?!or |, )[^ ]+ ){1,10}?"
_LIST = r"(?:[^ ]+ ){1,70}?"
_NUMBER = r"(?:(?:\d+(?:\.\d+)?|a|one|two|three|four|five|six|ten) )"
DIRECTIONS = {
    "front": "in front of me|in front of us|ahead of me|ahead of us|before me|straight ahead|right ahead|"
    "directly ahead|"
    "ahead|in front|facing me|opposite me|in front of you|on the way ahead|in my way|"
    "in my path|blocking my way",
    "back": "behind me|behind us|in back of me|at my back|behind my back|behind|directly behind me|right "
    "behind me|"
    "behind you|to the rear|at the back of me|to my rear|at my rear|backwards|if i step back|one step back|"
    "if i turn around|if i turned around",
    "left": "on my left|to my left|to the left of me|on the left of me|left of me|on the left|to the left|"
    "on my left side|on my left hand side|on my left hand|on the left side|on the left hand side|at my left|"
    "to my left side|at the left|to your left|on your left|off to my left|off to the left",
    "right": "on my right|to my right|to the right of me|on the right of me|right of me|on the right|to "
    "the right|"
    "on my right side|on my right hand side|on my right hand|on the right side|on the right hand side|at "
    "my right|"
    "to my right side|at the right|to your right|on your right|off to my right|off to the right",
}
RELATIONS = {
    "on": "on top of|on|upon|onto|atop",
    "near": "next to|beside|near to|near|close to|closest to|by|around|adjacent to|alongside|besides|"
    "nearby|nearest to|"
    "in the vicinity of|at|with",
    "under": "under|underneath|beneath|below",
    "above": "above|over",
    "inside": "inside of|inside|within|in",
    "behind": "behind|in back of|at the back of|in the back of",
    "in front of": "in front of|before|opposite",
    "left of": "to the left of|on the left of|on the left side of|on the left hand side of|left of|to the "
    "left side of",
    "right of": "to the right of|on the right of|on the right side of|on the right hand side of|right of|"
    "to the right side of",
}
CLOSED = {"direction": DIRECTIONS, "relation": RELATIONS}
NUMBERS = frozenset({"seconds", "size", "metres", "within_m"})
NUMBER_WORDS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
LISTS = frozenset({"things", "candidates", "steps", "words"})
THINGS = frozenset(
    {"which", "first", "second", "thing", "anchor", "target", "standing", "start", "facing", "other"}
)
SLOTS = (
    frozenset({*CLOSED, "about", "bare", "place", "goal", "room", "within", "many"})
    | NUMBERS
    | LISTS
    | THINGS
)


Groups = frozenset[frozenset[str]]
_SHORT = re.compile(r"@\w+")
_SLOT = re.compile(r"\{(\w+)\}")
_TOKEN = re.compile(r"\{\w+\}|[()|?]|[^\s()|?{}]+")


@cache
def closed_words(slot: str) -> dict[str, str]:
    """What each wording of a closed slot means."""
    return {words: value for value, many in CLOSED[slot].items() for words in many.split("|")}


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

    @cached_property
    def _parsed(self) -> tuple[str, Groups]:
        rest = self.tokens()
        regex, groups = _alternatives(rest, {})
        assert not rest, f"unbalanced brackets in {self.text!r}"
        return regex, groups

    @cached_property
    def openings(self) -> frozenset[str] | None:
        """Words with which a sentence of this pattern can begin; None for any."""
        first, may_be_empty = _openings(self.tokens())
        return None if may_be_empty or None in first else frozenset(word for word in first if word)

    @lazily
    def _needs(self) -> tuple[frozenset[str], ...]:
        """Groups of words; a sentence of this pattern holds one of each. The smallest come first."""
        return tuple(sorted(self._parsed[1], key=len))

    def may_fit(self, words: Set[str]) -> bool:
        """Whether a sentence of these words may be one of this pattern; most are ruled out at little cost."""
        for group in self._needs:  # noqa: SIM110 (asked of hundreds of patterns for every sentence)
            if group.isdisjoint(words):
                return False
        return True

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return re.compile(self._parsed[0])

    def match(self, sentence: str) -> dict[str, str] | None:
        """The words in each slot, if a sentence (single spaces, one at the end) fits."""
        found = self._regex.fullmatch(sentence)
        if found is None:
            return None
        return {_plain(name): words.strip() for name, words in found.groupdict().items() if words}

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


def _openings(tokens: list[str]) -> tuple[set[str | None], bool]:
    """The words that can come first up to a closing bracket, and whether nothing may come."""
    found: set[str | None] = set()
    empty_at_all, empty = False, True  # empty: nothing but what may be left out so far
    while tokens and tokens[-1] != ")":
        token = tokens.pop()
        if token == "|":
            empty_at_all, empty = empty_at_all or empty, True
            continue
        if token == "(":
            first, may_be_empty = _openings(tokens)
            tokens.pop()
        elif token.startswith("{"):
            slot = token[1:-1]
            words = closed_words(slot) if slot in CLOSED else None
            first = {None} if words is None else {wording.split(" ")[0] for wording in words}
            may_be_empty = False
        else:
            first, may_be_empty = {token}, False
        if tokens and tokens[-1] == "?":
            tokens.pop()
            may_be_empty = True
        if empty:
            found |= first
        empty = empty and may_be_empty
    return found, empty_at_all or empty


def _plain(name: str) -> str:
    return name.split("__")[0]


def _alternatives(tokens: list[str], used: dict[str, int]) -> tuple[str, Groups]:
    """Parse up to a closing bracket: the regular expression, and the groups of which one word is needed."""
    parts: list[tuple[str, set[frozenset[str]]]] = []
    regex, groups = "", set[frozenset[str]]()
    while tokens and tokens[-1] != ")":
        token = tokens.pop()
        if token == "|":
            parts.append((regex, groups))
            regex, groups = "", set()
            continue
        piece, needed = _piece(token, tokens, used)
        if tokens and tokens[-1] == "?":
            tokens.pop()
            piece, needed = f"(?:{piece})?", frozenset()
        regex += piece
        groups |= needed
    parts.append((regex, groups))
    if len(parts) == 1:
        return regex, frozenset(groups)
    return "|".join(piece for piece, _ in parts), _of_any([needed for _, needed in parts])


def _of_any(parts: Sequence[Set[frozenset[str]]]) -> Groups:
    """What is needed where one of several parts is: what all of them need, and one word of the part."""
    if not all(parts):
        return frozenset()
    either = frozenset(word for groups in parts for word in min(groups, key=len))
    return frozenset({*frozenset.intersection(*map(frozenset, parts)), either})


def _piece(token: str, tokens: list[str], used: dict[str, int]) -> tuple[str, Groups]:
    if token == "(":
        regex, groups = _alternatives(tokens, used)
        assert tokens, "a bracket is not closed"
        tokens.pop()
        return f"(?:{regex})", groups
    if token.startswith("{"):
        name = token[1:-1]
        used[name] = used.get(name, 0) + 1
        group = name if used[name] == 1 else f"{name}__{used[name]}"
        return f"(?P<{group}>{_slot(name)})", _of_closed(name)
    return _escaped(token) + " ", frozenset({frozenset({token})})


@cache
def _of_closed(slot: str) -> Groups:
    """One word of each wording of a closed slot, the longest; nothing is needed for any other."""
    if slot not in CLOSED:
        return frozenset()
    return frozenset({frozenset(max(words.split(" "), key=len) for words in closed_words(slot))})


@cache
def _escaped(word: str) -> str:
    return re.escape(word)


@cache
def _slot(name: str) -> str:
    if name in CLOSED:
        longest = sorted(closed_words(name), key=len, reverse=True)
        return "(?:" + "|".join(re.escape(words) + " " for words in longest) + ")"
    if name in NUMBERS:
        return _NUMBER
    return _LIST if name in LISTS else _NAME
