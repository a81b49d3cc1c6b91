"""The network that hears sentences: convolutions over the pieces of words, in numpy.

It says in one pass what is asked and which words fill the holes: two milliseconds, and a megabyte.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.language.ears import TIME, Hearing
from situ.language.ears_file import stored
from situ.language.tags import TAGS, Floats

DILATIONS = (1, 2, 4)  # of the layers, as they were taught
MAX_PIECES = 64  # what is longer is not heard
_MAX_KEPT = 20_000  # words whose pieces are kept


class Pieces:
    """The pieces of words that the networks know (WordPiece, lower case)."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._ids = {piece: k for k, piece in enumerate(pieces)}
        self._first, self._last, self._unknown, self._time = (
            self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]", "[MASK]")
        )
        self._of: dict[str, list[int]] = {}

    def coded(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """The numbers of a sentence's pieces, and where each word begins; what is too long is cut."""
        ids, starts = [self._first], list[int]()
        for word in words:
            parts = self._word(word)
            if len(ids) + len(parts) >= MAX_PIECES:
                break
            starts.append(len(ids))
            ids.extend(parts)
        return [*ids, self._last], starts

    def _word(self, word: str) -> list[int]:
        if word == TIME:
            return [self._time]
        if word not in self._of:
            if len(self._of) > _MAX_KEPT:
                self._of.clear()
            self._of[word] = self._split(word)
        return self._of[word]

    def _split(self, word: str) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(word):
            lead = "##" if at else ""
            end = next((k for k in range(len(word), at, -1) if lead + word[at:k] in self._ids), None)
            if end is None:
                return [self._unknown]
            found.append(self._ids[lead + word[at:end]])
            at = end
        return found


@dataclass(frozen=True)
class Network:
    """A taught network, and what goes with it: the sentence of each intent, which words of meaning people say
    with an intent that does not hold them ("I can't find"), and the nouns that may stand behind an article
    without being asked about ("the way")."""

    said: Mapping[str, str]
    licensed: frozenset[tuple[str, str, str]]
    nouns: frozenset[str]
    pieces: Pieces
    calm: float  # by what the logarithms of odds are divided, so that they are honest
    words: Floats
    kinds: Floats
    layers: Sequence[
        tuple[Floats, Floats, int]
    ]  # weights (reach x channels in, channels out), bias, dilation
    intent: tuple[Floats, Floats]
    tag: tuple[Floats, Floats]

    @staticmethod
    def of(stored: Mapping[str, NDArray[Any]]) -> "Network":
        def matrix(name: str) -> Floats:
            unit = stored[f"{name}.u"]
            found: Floats = stored[f"{name}.q"].astype(np.float32) * unit.reshape(-1, *unit.shape[1:])
            return found

        layers: list[tuple[Floats, Floats, int]] = []
        while f"layers.{len(layers)}.bias" in stored:
            name = f"layers.{len(layers)}"
            weight = matrix(f"{name}.weight")  # out, in, reach
            flat = np.ascontiguousarray(weight.transpose(0, 2, 1).reshape(len(weight), -1).T)
            layers.append((flat, stored[f"{name}.bias"], DILATIONS[len(layers)]))
        heads = [(matrix(f"{name}.weight").T.copy(), stored[f"{name}.bias"]) for name in ("intent", "tag")]
        known = json.loads(bytes(stored["known"]))
        if tuple(known["tags"]) != TAGS:
            raise ValueError("these ears were taught other tags than this version of situ knows")
        return Network(
            known["said"], frozenset((a, b, c) for a, b, c in known["licensed"]), frozenset(known["nouns"]),
            Pieces(known["pieces"]), float(known["calm"]), matrix("word.weight"), matrix("kind.weight"),
            layers, heads[0], heads[1],
        )  # fmt: skip

    def hear(self, words: Sequence[str], kinds: Sequence[int]) -> Hearing:
        """What is asked in some words, of which it is known what each names."""
        ids, starts = self.pieces.coded(words)
        first = self.words[ids]
        first[starts] += self.kinds[list(kinds[: len(starts)])]
        mask = np.zeros(len(ids), int)
        mask[starts] = 1
        first[mask == 0] += self.kinds[0]
        x = first
        for k, (weight, bias, far) in enumerate(self.layers):
            reach = len(weight) // x.shape[1]
            edge = reach // 2 * far
            wide = np.pad(x, ((edge, edge), (0, 0)))
            seen = np.concatenate([wide[j * far : j * far + len(x)] for j in range(reach)], axis=1)
            y = np.maximum(seen @ weight + bias, 0.0)
            x = y if not k else x + y
        pooled = np.concatenate([x.max(axis=0), x.mean(axis=0), first.mean(axis=0)])
        asked = pooled @ self.intent[0] + self.intent[1]
        odds = np.exp((asked - asked.max()) / self.calm)
        log = (x @ self.tag[0] + self.tag[1])[starts]
        log = log - log.max(axis=1, keepdims=True)
        return Hearing(odds / odds.sum(), log - np.log(np.exp(log).sum(axis=1, keepdims=True)))


@cache
def packaged() -> Network:
    """The ears of this package."""
    return Network.of(stored())
