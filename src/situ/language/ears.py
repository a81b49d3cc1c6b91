"""What a sentence that no frame takes may have asked, heard by a model that was taught on the frames.

The sentence is masked: a thing is `*s`, a place `*p`, a time `*t`. A linear model over its words tells which
program the sentence asks, with how likely each is; what was masked fills the holes. A sentence in which
something turns the meaning round, or counts, is never heard: only frames read those. What is heard surely
is announced; what is not is asked back with two choices. `benchmarks/ask_ears.py` teaches it; an encoder may
take its place (`Ears`).
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from situ.language import lexicon as lx
from situ.language.frames import ONE_WORD
from situ.language.lexicon import Lexicon
from situ.language.noun_phrases import Grammar
from situ.language.sets import HOLE, things
from situ.language.times import Window

Json = Any
LEAST_ASKED = 0.3  # what is heard less surely is not worth a question back
LEAST_OF_TWO = 0.7  # of which of two is asked
CHOICES = 2
OUTSIDE = ""  # the template of what no program asks
FEATURES = 1 << 13
_LONGEST_NAME = 5  # words
_JOINS_TWO = frozenset({"or"})
_SAYS_MORE = lx.words(
    "if unless without until while besides because exactly just simply"
)  # than templates do
_COUNTS = frozenset(lx.NUMBERS) - {"a", "an", "one"}


class Ears(Protocol):
    """What hears a masked sentence: templates with how likely each is, the likeliest first."""

    def hear(self, words: Sequence[str]) -> Sequence[tuple[str, float]]: ...


@dataclass(frozen=True)
class Masked:
    """A sentence with what it names taken out."""

    words: tuple[str, ...]
    sets: tuple[Json, ...]
    places: tuple[str, ...]
    times: tuple[Window, ...]


@dataclass(frozen=True)
class Heard:
    """A program that a sentence may ask, and how likely."""

    program: Json
    share: float
    sets: tuple[Json, ...]


def masked(tokens: Sequence[str], times: Mapping[str, Window], words: Lexicon) -> Masked:
    """The sentence with its things, places and times masked; the longest names first."""
    grammar = Grammar(list(tokens), words, dict(times))
    said: list[str] = []
    sets: list[Json] = []
    places: list[str] = []
    when: list[Window] = []
    k = 0
    while k < len(tokens):
        if tokens[k] in times:
            when.append(times[tokens[k]])
            said.append("*t")
            k += 1
            continue
        end, kind, value = _name_at(k, grammar)
        if not end:
            said.append(ONE_WORD.get(tokens[k], tokens[k]))
            k += 1
            continue
        (sets if kind == "*s" else places).append(value)
        said.append(kind)
        k = end
    return Masked(tuple(said), tuple(sets), tuple(places), tuple(when))


def _name_at(k: int, grammar: Grammar) -> tuple[int, str, Json]:
    """The longest name that begins here: where it ends, what it is of, and what it means; 0 for none."""
    for j in range(min(len(grammar.tokens), k + _LONGEST_NAME), k, -1):
        place = grammar.place(k, j)
        if place not in (None, HOLE, "here"):
            return j, "*p", place
        phrase = grammar.phrase(k, j)
        if (
            phrase is None
            or phrase.unknown
            or phrase.cost >= 1.0
            or phrase.quantity not in ("", "some", "all")
        ):
            continue
        if phrase.set["op"] == "things" and phrase.set != things() and not phrase.said:
            return j, "*s", phrase.set
        if phrase.set["op"] == "or" and not phrase.joined and not phrase.said:
            return j, "*s", phrase.set
    return 0, "", None


# ---------------------------------------------------------------------- templates
def template_of(program: Json, sets: Sequence[Json], places: Sequence[str]) -> str | None:
    """A program with holes for what a sentence names; None where it holds more than the sentence does."""

    def bare(part: Json) -> Json:
        if isinstance(part, list):
            return [bare(one) for one in part]
        if not isinstance(part, dict):
            return f"*p{places.index(part)}" if part in places else part
        plain = {key: value for key, value in part.items() if key != "ever"}
        for number, one in enumerate(sets):
            if plain == one:
                return f"*s{number}" + ("!" if "ever" in part else "")
        return {key: bare(value) for key, value in part.items() if key not in ("names", "since", "until")}

    found = bare(program)
    text = json.dumps(found, sort_keys=True)
    if any(isinstance(part, dict) and "kind" in part and "op" in part for part in _parts(found)):
        return None
    holes = {f"*s{k}" for k in range(len(sets))} | {f"*p{k}" for k in range(len(places))}
    if any(f'"{hole}' not in text for hole in holes) or '"at"' in text or "as_of" in text or "hole" in text:
        return None
    return text


def _parts(part: Json) -> Iterator[Json]:
    yield part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _parts(inner)


def fill(template: str, heard: Masked, name_of: Any) -> Json | None:
    """The program of a template with what a sentence names in its holes; None where they do not fit."""
    needed = {f"*s{k}" for k in range(len(heard.sets))} | {f"*p{k}" for k in range(len(heard.places))}
    used: set[str] = set()

    def put(part: Json) -> Json:
        if isinstance(part, list):
            return [put(one) for one in part]
        if isinstance(part, dict):
            return {key: put(value) for key, value in part.items()}
        if not isinstance(part, str) or not part.startswith("*"):
            return part
        hole = part.rstrip("!")
        used.add(hole)
        number = int(hole[2:])
        known: Sequence[Json] = heard.sets if hole[1] == "s" else heard.places
        if number >= len(known):
            return None
        one = known[number]
        return {**one, "ever": True} if part.endswith("!") and one["op"] == "things" else one

    program = put(json.loads(template))
    if used != needed or any(part is None for part in _parts(program)):
        return None
    if isinstance(program, dict) and program.get("ask") == "compare":
        program["names"] = [name_of(one) for one in program["of"]]
    return program


# ---------------------------------------------------------------------- the taught model
def features(words: Sequence[str]) -> NDArray[np.int64]:
    """The columns of a masked sentence: words, pairs of neighbours, parts of words, how it opens."""
    text = ["^", *words, "$"]
    found = [f"w {word}" for word in words]
    found += [f"b {a} {b}" for a, b in pairwise(text)]
    found += [f"s {a} {c}" for a, c in zip(text, text[2:], strict=False)]
    found += [f"c {word[:4]}" for word in words if len(word) > 4]
    found.append(f"n {sum(word == '*s' for word in words)} {sum(word == '*p' for word in words)}")
    return np.unique([zlib.crc32(one.encode()) % FEATURES for one in found])


@dataclass(frozen=True)
class Taught:
    """A linear model: a row of weights for each feature, and the scale that makes its odds honest."""

    templates: tuple[str, ...]
    weights: NDArray[np.int8]
    unit: float
    bias: NDArray[np.float32]

    def hear(self, words: Sequence[str]) -> Sequence[tuple[str, float]]:
        at = features(words)
        scores = self.weights[at].sum(axis=0, dtype=np.float32) * self.unit / np.sqrt(len(at)) + self.bias
        odds = np.exp(scores - scores.max())
        odds /= odds.sum()
        order = np.argsort(-odds)[: 2 * CHOICES]
        return [(self.templates[k], float(odds[k])) for k in order]


@cache
def taught() -> Taught:
    """The model of this package."""
    with np.load(BytesIO(files(__package__).joinpath("ears.npz").read_bytes()), allow_pickle=False) as stored:
        templates = tuple(bytes(stored["templates"]).decode("utf-8").split("\n"))
        return Taught(templates, stored["weights"], float(stored["unit"]), stored["bias"])


def heard(
    tokens: Sequence[str], times: Mapping[str, Window], words: Lexicon, name_of: Any, ears: Ears | None = None
) -> list[Heard]:
    """The programs that a sentence may ask, the likeliest first; none where it holds what must not be left
    out, or asks for what no program does."""
    said = masked(tokens, times, words)
    turns = (lx.MEANINGFUL | _SAYS_MORE).intersection(said.words)
    if turns - _JOINS_TWO or len(said.times) > 1:
        return []
    if any(words.attribute(w) or w in _COUNTS or any(map(str.isdigit, w)) for w in said.words):
        return []  # a code, a number or a look that no name holds
    if not said.sets and not said.places and len(said.words) < 3:
        return []
    found: list[Heard] = []
    for template, share in (ears or taught()).hear(said.words):
        if template == OUTSIDE:
            if not found:
                return []
            continue
        if turns and (share < LEAST_OF_TWO or "compare" not in template or len(said.sets) < 2):
            continue
        program = fill(template, said, name_of)
        if program is not None and share >= (LEAST_ASKED if not found else LEAST_ASKED / 3):
            found.append(Heard(program, share, said.sets))
    return found[:CHOICES]
