"""What a sentence asks, learnt from examples: a linear classifier over its words, names taken out.

For sentences that no phrase of the grammar fits. An intent is a question kind with the arguments that its
words fix; names, places and times fill the rest, as they do for cues. The weights stand in `intents.npz`;
`python -m benchmarks.ask_intents` learns them from the wordings beside it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.language.concepts import concepts_of
from situ.language.cues import arguments_of
from situ.language.kind import KINDS, Cue
from situ.language.mentions import Mentions
from situ.language.reader import NoFit, Reader
from situ.language.times import When
from situ.questions.base import Question

OUTSIDE = "outside"  # the intent of what no memory of places can tell
_FILE = Path(__file__).with_name("intents.npz")
_SILENT = frozenset({"the", "a", "an", "my", "our", "your", ",", "please", "this", "that", "some"})
_LEAST_WORDS = 2
_MOST_RANKED, _LEAST_SHARE = 10, 0.01
_SLOTS = frozenset({"thing", "things", "place", "direction", "relation", "time", "plural"})


@dataclass(frozen=True)
class Intent:
    """A question kind and what the words of a sentence fix of it."""

    kind: str
    fixed: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def make(cls, kind: str, fixed: Mapping[str, Any] | None = None) -> "Intent":
        return cls(kind, tuple(sorted((fixed or {}).items())))

    def question(self, named: Mentions, reader: Reader) -> Question:
        """The question with the names and times of a sentence put in. Raises NoFit if they do not fit."""
        kind = KINDS[self.kind]
        found = arguments_of(kind, Cue(frozenset(), _SLOTS, frozenset(), dict(self.fixed)), named)
        taken = set(kind.question.__dataclass_fields__)
        if named.places and not taken & {"place", "anchor"}:
            raise NoFit("a place that the question does not have")
        ways = len(set(named.directions))
        if (ways == 1 and "direction" not in taken) or (ways > 1 and "direction" in taken):
            raise NoFit("a direction that the question does not have, or one of several")
        return reader.completed(kind, found)


@dataclass(frozen=True)
class Classifier:
    """Weights of features for each intent: multinomial logistic regression."""

    intents: tuple[Intent, ...]
    rows: Mapping[str, int]
    weights: NDArray[np.float32] = field(repr=False)

    def ranked(self, features: Iterable[str]) -> list[tuple[float, Intent]]:
        """The likeliest intents and their shares, the likeliest first."""
        said = list(features)
        known = [self.rows[name] for name in said if name in self.rows]
        score = self.weights[known].sum(0) / max(1, len(said)) ** 0.5
        share = np.exp(score - score.max())
        share /= share.sum()
        best = np.argsort(-share)[:_MOST_RANKED]
        return [(float(share[i]), self.intents[i]) for i in best if share[i] > _LEAST_SHARE]

    def save(self, path: Path) -> None:
        scale = float(np.abs(self.weights).max()) / 127
        np.savez_compressed(
            path,
            intents=np.frombuffer(json.dumps([[i.kind, dict(i.fixed)] for i in self.intents]).encode(), "u1"),
            features=np.frombuffer("\n".join(self.rows).encode(), "u1"),
            weights=np.rint(self.weights / scale).astype("i1"),
            scale=scale,
        )


@cache
def classifier() -> Classifier:
    with np.load(_FILE) as file:
        intents = [Intent.make(*one) for one in json.loads(file["intents"].tobytes())]
        names = file["features"].tobytes().decode().split("\n")
        weights = file["weights"].astype("f4") * file["scale"].astype("f4")
    return Classifier(tuple(intents), {name: i for i, name in enumerate(names)}, weights)


@cache
def known_words() -> frozenset[str]:
    """The words of which something was learnt."""
    return frozenset(name for name in classifier().rows if name.isalpha())


def features_of(named: Mentions, when: When) -> frozenset[str]:
    """Words, pairs of neighbours and of those with one word between them, concepts and pairs of these, how
    much is named, and the time."""
    words = [*_spoken(named.words, frozenset(named.unknown))]
    for said, mark in ((when.moved, "<moved>"), (when.time is not None, "<time>"), (when.since, "<since>")):
        if said:
            words.append(mark)
    row = ["^", *words, "$"]
    pairs = {f"{one} {two}" for one, two in pairwise(row)}
    wide = {f"{one} * {two}" for one, two in zip(row, row[2:], strict=False)}
    number = len(named.things) + len(named.unknown)
    counts = {f"={number}", *(["=many"] if named.plural else ()), f"=places{len(named.places)}"}
    side = ["side"] if {"left", "right"} <= {*named.directions, *words} else []  # "left or right"
    concepts = sorted({*concepts_of(list(named.words))[0], *side})
    both = {f"#{one} #{two}" for one, two in combinations(concepts, 2)}
    return frozenset({*words, *pairs, *wide, *counts, *(f"#{one}" for one in concepts), *both})


def _spoken(words: Sequence[str], unknown: frozenset[str]) -> Iterator[str]:
    for word in words:
        if word in unknown:
            yield "<thing>"
        elif word[:1].isdigit():
            yield "<number>"
        elif word not in _SILENT:
            yield word


def readings(
    named: Mentions, reader: Reader, model: Classifier | None = None
) -> list[tuple[float, Intent, Question | None]]:
    """The intents whose questions the names of a sentence fit, with their shares among these; no question
    stands with what no memory can tell."""
    found: list[tuple[float, Intent, Question | None]] = []
    said = [*_spoken(named.words, frozenset())]
    if len(said) < _LEAST_WORDS:  # "where", "help"
        return found
    ranked = (model or classifier()).ranked(features_of(named, reader.when))
    unranked = 1.0 - sum(share for share, _ in ranked)
    for share, intent in ranked:
        if intent.kind == OUTSIDE:
            found.append((share, intent, None))
            continue
        try:
            found.append((share, intent, intent.question(named, reader)))
        except (NoFit, BadInput):
            continue
    whole = sum(share for share, *_ in found) + unranked
    return [(share / whole, intent, question) for share, intent, question in found]
