"""The two networks that hear sentences: convolutions in numpy, which come with the package, and a sentence
encoder in ONNX, which comes with `situ-eyes` or lies among the weights of this machine.

Both read the pieces of words, and say in one pass what is asked and which words fill the holes.
"""

import importlib
import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.language.ears import TAGS, TIME, Ears, Floats, Hearing

ENCODER = "ears.onnx"  # the file of the encoder
MOST_PIECES = 64  # what is longer is not heard
_MOST_KEPT = 20_000  # words whose pieces are kept


class Pieces:
    """The pieces of words that the networks know (WordPiece, lower case)."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._ids = {piece: k for k, piece in enumerate(pieces)}
        self._first, self._last, self._unknown, self._time = (
            self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]", "[unused1]")
        )
        self._of: dict[str, list[int]] = {}

    def coded(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """The numbers of a sentence's pieces, and where each word begins; what is too long is cut."""
        ids, starts = [self._first], list[int]()
        for word in words:
            parts = self._word(word)
            if len(ids) + len(parts) >= MOST_PIECES:
                break
            starts.append(len(ids))
            ids.extend(parts)
        return [*ids, self._last], starts

    def _word(self, word: str) -> list[int]:
        if word == TIME:
            return [self._time]
        if word not in self._of:
            if len(self._of) > _MOST_KEPT:
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
class _Known:
    """What goes with a network: the sentence of each intent, what may be said with it, its pieces, and by how
    much its odds are flattened so that they are honest."""

    said: Mapping[str, str]
    licensed: frozenset[tuple[str, str, str]]
    nouns: frozenset[str]
    pieces: Pieces
    calm: float

    @staticmethod
    def of(text: str | bytes) -> "_Known":
        found = json.loads(text)
        if tuple(found["tags"]) != TAGS:
            raise ValueError("these ears were taught other tags than this version of situ knows")
        licensed = frozenset((a, b, c) for a, b, c in found["licensed"])
        nouns = frozenset(found["nouns"])
        return _Known(found["said"], licensed, nouns, Pieces(found["pieces"]), float(found["calm"]))

    def hearing(self, asked: Floats, tags: Floats, starts: Sequence[int]) -> Hearing:
        odds = np.exp((asked - asked.max()) / self.calm)
        log = tags[list(starts)]
        log = log - log.max(axis=1, keepdims=True)
        return Hearing(odds / odds.sum(), log - np.log(np.exp(log).sum(axis=1, keepdims=True)))


@dataclass
class Convolved:
    """Three convolutions over pieces: less than a millisecond, and less than a megabyte."""

    known: _Known
    words: NDArray[np.float32]
    layers: Sequence[tuple[Floats, Floats]]  # weights (channels out, reach x channels in) and what is added
    intent: tuple[Floats, Floats]
    tag: tuple[Floats, Floats]
    said: Mapping[str, str] = field(init=False)
    licensed: frozenset[tuple[str, str, str]] = field(init=False)
    nouns: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.said, self.licensed, self.nouns = self.known.said, self.known.licensed, self.known.nouns

    @staticmethod
    def of(stored: Mapping[str, NDArray[Any]]) -> "Convolved":
        def matrix(name: str) -> Floats:
            found: Floats = stored[f"{name}.q"].astype(np.float32) * stored[f"{name}.u"]
            return found

        layers: list[tuple[Floats, Floats]] = []
        while f"layers.{len(layers)}.bias" in stored:
            name = f"layers.{len(layers)}"
            weight = matrix(f"{name}.weight")  # out, in, reach
            flat = np.ascontiguousarray(weight.transpose(0, 2, 1).reshape(len(weight), -1).T)
            layers.append((flat, stored[f"{name}.bias"]))
        heads = [(matrix(f"{name}.weight").T.copy(), stored[f"{name}.bias"]) for name in ("intent", "tag")]
        known = _Known.of(bytes(stored["known"]))
        return Convolved(known, matrix("word.weight"), layers, heads[0], heads[1])

    def hear(self, words: Sequence[str]) -> Hearing:
        ids, starts = self.known.pieces.coded(words)
        x = self.words[ids]
        for k, (weight, bias) in enumerate(self.layers):
            reach = len(weight) // x.shape[1]
            wide = np.pad(x, ((reach // 2, reach // 2), (0, 0)))
            seen = np.concatenate([wide[j : j + len(x)] for j in range(reach)], axis=1)
            y = np.maximum(seen @ weight + bias, 0.0)
            x = y if not k else x + y
        pooled = np.concatenate([x.max(axis=0), x.mean(axis=0)])
        return self.known.hearing(
            pooled @ self.intent[0] + self.intent[1], x @ self.tag[0] + self.tag[1], starts
        )


@dataclass
class Encoded:
    """A sentence encoder: what it was not taught it often knows all the same."""

    known: _Known
    session: Any
    said: Mapping[str, str] = field(init=False)
    licensed: frozenset[tuple[str, str, str]] = field(init=False)
    nouns: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.said, self.licensed, self.nouns = self.known.said, self.known.licensed, self.known.nouns

    @staticmethod
    def of(path: Path) -> "Encoded":
        runtime = importlib.import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        return Encoded(_Known.of(session.get_modelmeta().custom_metadata_map["situ-ears"]), session)

    def hear(self, words: Sequence[str]) -> Hearing:
        ids, starts = self.known.pieces.coded(words)
        asked, tags = self.session.run(None, {"ids": np.array([ids], np.int64)})
        return self.known.hearing(asked[0], tags[0], starts)


@cache
def packaged() -> Ears:
    """The ears of this package."""
    stored = BytesIO(files(__package__).joinpath("ears.npz").read_bytes())
    with np.load(stored, allow_pickle=False) as arrays:
        return Convolved.of(dict(arrays))


@cache
def installed() -> Ears:
    """The best ears of this machine: the encoder where it and its runtime are here, else the package's."""
    from situ.perception.eyes_package import packaged_eyes
    from situ.perception.models.weights import weights_folder

    own = weights_folder() / "ears" / ENCODER
    path = own if own.is_file() else packaged_eyes(ENCODER)
    if path is None or importlib.util.find_spec("onnxruntime") is None:
        return packaged()
    return Encoded.of(path)
