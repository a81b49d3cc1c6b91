"""Frames of sentences as data: patterns with typed holes, and the programs that they ask.

A pattern is words, `(a|b)`, `[left out or not]`, `<name of a pattern>` and `{hole}` or `{name:hole}`. All
patterns are one automaton, so that a sentence is matched with all of them at once; its states are worked out
when first needed.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from situ.errors import BadFormat
from situ.language.kinds import frames_of_plugins
from situ.registry import load_files, load_plugins

_TOKEN = re.compile(r"\{\w+(?::\w+)?\}|<\w+>|[()\[\]|]|[^\s()\[\]|{}<>]+")
# Words that say the same in a frame: one of them stands for all.
ONE_WORD = {
    "metre": "meter", "metres": "meters", "colour": "color", "colours": "colors", "nearer": "closer",
    "nearest": "closest", "further": "farther", "furthest": "farthest", "larger": "bigger",
    "largest": "biggest", "towards": "toward", "somebody": "someone", "anybody": "anyone",
    "stuff": "things", "objects": "things", "items": "things", "belongings": "things",
    "us": "me", "our": "my", "observed": "seen", "observe": "see", "detected": "seen", "detect": "see",
}  # fmt: skip
HOLES = frozenset(
    {"set", "said", "gap", "behind", "place", "who", "act", "more", "most", "number", "no", "kind", "what"}
)
# What a program need not say: that the wearer does it, and what moves have in common.
_UNSAID = ("me", "any", True, "moved", "taken", "brought", "held")
Json = Any


@dataclass(frozen=True)
class Frame:
    """One way to ask: its name, the program with the holes of its patterns, and what it takes."""

    name: str
    program: Json
    cost: float = 0.0
    now: bool = False  # whether it asks of now alone, so that no time may be named
    then: Json = None  # the program where a moment is named, if it is another
    during: Json = None  # and where a span of time is
    like: frozenset[str] = frozenset()  # frames whose patterns it takes in its own way: no rivals of it

    @cached_property
    def used(self) -> frozenset[str]:
        """The holes that the program speaks of."""
        return frozenset(_names_of([self.program, self.then, self.during]))


def _names_of(program: Json) -> Iterator[str]:
    """The holes that a program names: "$set!ever" is the hole `set`; flags and what is compared are, too."""
    if isinstance(program, str):
        yield program.strip("$#").partition("!")[0]
    elif isinstance(program, dict):
        if program.get("ask") == "compare":
            yield "kind"  # of which the things are that are compared
        for value in program.values():
            yield from _names_of(value)
    elif isinstance(program, list):
        for value in program:
            yield from _names_of(value)


@dataclass
class _Node:
    words: dict[str, list["_Node"]] = field(default_factory=dict)
    holes: dict[tuple[str, str], list["_Node"]] = field(default_factory=dict)
    skips: list["_Node"] = field(default_factory=list)
    ends: list[Any] = field(default_factory=list)


@dataclass
class State:
    """Where one may be in all patterns at once."""

    nodes: tuple[_Node, ...]
    ends: tuple[Any, ...]
    holes: tuple[tuple[str, str], ...]
    _next: dict[str | tuple[str, str], "State | None"] = field(default_factory=dict)

    def word(self, word: str) -> "State | None":
        if word not in self._next:
            self._next[word] = _state([after for node in self.nodes for after in node.words.get(word, ())])
        return self._next[word]

    def hole(self, hole: tuple[str, str]) -> "State":
        if hole not in self._next:
            self._next[hole] = _state([after for node in self.nodes for after in node.holes.get(hole, ())])
        found = self._next[hole]
        assert found is not None
        return found


def _state(nodes: list[_Node]) -> State | None:
    """The state of some nodes and of all that follow them without a word."""
    seen: dict[int, _Node] = {}
    left = list(nodes)
    while left:
        node = left.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            left.extend(node.skips)
    if not seen:
        return None
    all_nodes = tuple(seen.values())
    ends = {id(frame): frame for node in all_nodes for frame in node.ends}
    holes = {hole: None for node in all_nodes for hole in node.holes}
    return State(all_nodes, tuple(ends.values()), tuple(holes))


class Patterns:
    """Patterns that are matched all at once, and what each of them stands for."""

    def __init__(self, macros: Mapping[str, str]) -> None:
        self._start = _Node()
        self._macros = macros
        self.words: Counter[str] = Counter()  # how many patterns say a word

    @cached_property
    def start(self) -> State:
        start = _state([self._start])
        assert start is not None
        return start

    def add(self, pattern: str, meaning: Any, name: str) -> None:
        parts = _TOKEN.findall(pattern)
        if "".join(parts) != "".join(pattern.split()):
            raise BadFormat(f"a pattern of {name!r} cannot be read: {pattern!r}")
        nodes, rest = self._alternatives([self._start], parts, name)
        if rest:
            raise BadFormat(f"a pattern of {name!r} closes more than it opens: {pattern!r}")
        for node in nodes:
            node.ends.append(meaning)

    def _alternatives(
        self, starts: list[_Node], parts: list[str], name: str
    ) -> tuple[list[_Node], list[str]]:
        """What a row of alternatives leads to, and what stands behind it."""
        ends: list[_Node] = []
        while True:
            nodes, parts = self._sequence(starts, parts, name)
            ends.extend(nodes)
            if not parts or parts[0] != "|":
                return ends, parts
            parts = parts[1:]

    def _sequence(self, nodes: list[_Node], parts: list[str], name: str) -> tuple[list[_Node], list[str]]:
        while parts and parts[0] not in "|)]":
            part, parts = parts[0], parts[1:]
            if part in "([":
                inner, parts = self._alternatives(_fork(nodes), parts, name)
                if not parts or parts[0] != ")]"["([".index(part)]:
                    raise BadFormat(f"a pattern of {name!r} does not close {part!r}")
                nodes, parts = [*inner, *(nodes if part == "[" else [])], parts[1:]
            elif part.startswith("<"):
                if part[1:-1] not in self._macros:
                    raise BadFormat(f"a pattern of {name!r} uses {part}, which the table does not give")
                inner, _ = self._alternatives(_fork(nodes), _TOKEN.findall(self._macros[part[1:-1]]), name)
                nodes = inner
            elif part.startswith("{"):
                hole, _, kind = part[1:-1].partition(":")
                if (kind or hole) not in HOLES:
                    raise BadFormat(f"a pattern of {name!r} has a hole of an unknown type: {part}")
                after = _Node()
                for node in nodes:
                    node.holes.setdefault((hole, kind or hole), []).append(after)
                nodes = [after]
            else:
                self.words[part] += 1
                after = _Node()
                for node in nodes:
                    node.words.setdefault(ONE_WORD.get(part, part), []).append(after)
                nodes = [after]
        return nodes, parts


class Index(Patterns):
    """All frames of a table."""

    def __init__(self, table: Mapping[str, Json]) -> None:
        super().__init__(table.get("words", {}))
        self.frames: dict[str, Frame] = {}
        self.patterns: dict[str, list[str]] = {}  # by the frame's name
        for row in table["frame"]:
            frame = Frame(
                row["name"],
                row["program"],
                float(row.get("cost", 0.0)),
                bool(row.get("now", False)),
                row.get("then"),
                row.get("during"),
                frozenset([*row.get("like_set", ()), *row.get("like", ())]),
            )
            if frame.name in self.frames:
                raise BadFormat(f"two frames are called {frame.name!r}; give each a name of its own")
            self.frames[frame.name] = frame
            self.patterns[frame.name] = [*row.get("says", ()), *self._like(table, row)]
            for pattern in self.patterns[frame.name]:
                self.add(pattern, frame, frame.name)

    @staticmethod
    def _like(table: Mapping[str, Json], row: Mapping[str, Json]) -> Iterator[str]:
        """The patterns of other frames with a place where they have a noun phrase."""
        for other in table["frame"]:
            if other["name"] in row.get("like_set", ()):
                yield from other["says"]
            if other["name"] in row.get("like", ()):
                yield from (pattern.replace("{set}", "{place}") for pattern in other["says"])


def _fork(nodes: list[_Node]) -> list[_Node]:
    """A node of its own behind some, so that alternatives do not run into what stands before them."""
    after = _Node()
    for node in nodes:
        node.skips.append(after)
    return [after]


@cache
def index() -> Index:
    """The frames of this package."""
    load_files()
    table = tomllib.loads(files(__package__).joinpath("frames.toml").read_text("utf-8"))
    return Index({**table, "frame": [*table["frame"], *frames_of_plugins()]})


def with_plugins() -> bool:
    """Load installed plugins, which takes time; whether they brought phrases."""
    before = len(list(frames_of_plugins()))
    load_plugins()
    if len(list(frames_of_plugins())) == before:
        return False
    index.cache_clear()
    return True


@dataclass(frozen=True)
class Match:
    """A sentence that fits a frame: its holes, its times, and how many of its words the frame said."""

    frame: Frame
    holes: Mapping[str, Any]
    times: tuple[str, ...]
    words: int
    cost: float

    @property
    def leaves_out(self) -> bool:
        """Whether what fills a hole is in no part of the program: "where did the nurse put it"."""
        left_out = [value for name, value in self.holes.items() if name not in self.frame.used]
        return any(value not in _UNSAID for value in left_out)


def matches(start: State, tokens: list[str], times: Mapping[str, Any], spans: "Spans") -> Iterator[Match]:
    """All ways in which the patterns take the whole sentence."""
    size = len(tokens)
    said = [ONE_WORD.get(token, token) for token in tokens]

    def walk(
        at: int, state: State, holes: dict[str, Any], when: tuple[str, ...], words: int, cost: float
    ) -> Iterator[Match]:
        if at == size:
            for frame in state.ends:
                yield Match(frame, holes, when, words, cost + frame.cost)
            return
        token = tokens[at]
        if token in times:
            yield from walk(at + 1, state, holes, (*when, token), words, cost)
        after = state.word(said[at])
        if after is not None:
            yield from walk(at + 1, after, holes, when, words + 1, cost)
        for name, kind in state.holes:
            then = state.hole((name, kind))
            for end in range(at + 1, size + 1):
                if end < size and not (tokens[end] in times or then.holes or then.word(said[end])):
                    continue
                if end == size and not then.ends:
                    continue
                found = spans.read(kind, at, end)
                if found is not None:
                    value, extra = found
                    yield from walk(end, then, {**holes, name: value}, when, words, cost + extra)

    yield from walk(0, start, {}, (), 0, 0.0)


class Spans:
    """What reads the span of a hole: its value and its cost, or None."""

    def read(self, kind: str, i: int, j: int) -> tuple[Any, float] | None:
        raise NotImplementedError
