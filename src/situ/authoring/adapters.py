"""What the making of distractors rests on: likeness, relevance, entailment, and a writer. All exchangeable.

The built-in ones need no download. Those backed by models import their library when they are made.
"""

import importlib
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from situ.authoring.logic import entails, normal
from situ.errors import MissingExtra

Vectors = NDArray[np.float64]
Writer = Callable[[str, float], str]  # prompt and temperature to text
_COLORS = frozenset(
    [
        "red",
        "blue",
        "green",
        "yellow",
        "orange",
        "white",
        "black",
        "purple",
        "pink",
        "brown",
        "gray",
        "beige",
        "tan",
        "silver",
        "gold",
        "teal",
    ]
)
_SHADES = frozenset(["dark", "light", "pale", "bright", "off", "or"])
_PLACE = re.compile(
    r"(?i)^\s*(on|in|at|by|next|near|behind|under|over|above|below|beside|between|inside|against|to the|left|"
    r"right|front|across|around|outside|along|from|past)\b"
)
_ACTION = re.compile(
    r"(?i)^\s*(turn|open|close|put|take|use|sit|move|press|push|pull|go|walk|get|place|make|look|lay|plug|"
    r"clean|wash|hang|play|read|cook|eat|switch|adjust|check|ask|you can|you could|by \w+ing)\b"
)


class Encoder(Protocol):
    """Texts as vectors of length one; `band` bounds the likeness of a good distractor to the truth."""

    @property
    def band(self) -> tuple[float, float]: ...

    def encode(self, texts: Sequence[str]) -> Vectors: ...


class Entailment(Protocol):
    def __call__(self, first: str, second: str) -> float:
        """How surely the second follows from the first, 0 to 1."""
        ...


class Relevance(Protocol):
    def __call__(self, question: str, answer: str) -> float:
        """How well an answer fits a question, right or wrong, 0 to 1."""
        ...


@dataclass(frozen=True)
class LexicalEncoder:
    """Words and runs of three letters, hashed. Knows spelling, not meaning."""

    size: int = 2048
    band: tuple[float, float] = (0.0, 0.8)

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.size))
        for row, text in zip(rows, texts, strict=True):
            for word in normal(text).split():
                row[zlib.crc32(word.encode()) % self.size] += 1.0
                for i in range(len(word) - 2):
                    row[zlib.crc32(b"3" + word[i : i + 3].encode()) % self.size] += 0.35
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / np.maximum(lengths, 1e-9)
        return unit


@dataclass(frozen=True)
class ShapeRelevance:
    """An answer fits where its shape is the one that the question asks for: a colour, a place, an action."""

    def __call__(self, question: str, answer: str) -> float:
        wanted = asked_shape(question)
        return 1.0 if wanted in ("", answer_shape(answer)) else 0.2


def answer_shape(answer: str) -> str:
    bare = normal(answer)
    if re.fullmatch(r"\d+", bare):
        return "number"
    if bare in ("yes", "no"):
        return "yes or no"
    if set(bare.split()) <= _COLORS | _SHADES and _COLORS & set(bare.split()):
        return "colour"
    if _ACTION.match(answer):
        return "action"
    return "place" if _PLACE.match(answer) else "thing"


def asked_shape(question: str) -> str:
    """The shape that a question asks for; empty where it may be any."""
    text = question.lower()
    if re.search(r"\bhow many\b", text):
        return "number"
    if re.search(r"\bcolou?rs?\b", text):
        return "colour"
    if re.match(r"\s*where\b", text):
        return "place"
    if re.match(r"\s*(how can|how could|how do|how would|what should|what can i do|what could i do)\b", text):
        return "action"
    return ""


@dataclass(frozen=True)
class SentenceEncoder:
    """A sentence-transformers model."""

    name: str = "sentence-transformers/all-mpnet-base-v2"
    band: tuple[float, float] = (0.25, 0.92)
    _loaded: dict[str, Any] = field(default_factory=dict, repr=False)

    def encode(self, texts: Sequence[str]) -> Vectors:
        if not self._loaded:
            self._loaded["model"] = _sentence_transformers().SentenceTransformer(self.name)
        found: Vectors = np.asarray(
            self._loaded["model"].encode(list(texts), normalize_embeddings=True), dtype=np.float64
        )
        return found


@dataclass(frozen=True)
class CrossEncoderEntailment:
    """A cross-encoder for natural language inference; rules decide first where they can."""

    name: str = "cross-encoder/nli-deberta-v3-base"
    entailment_column: int = 1
    _loaded: dict[str, Any] = field(default_factory=dict, repr=False)

    def __call__(self, first: str, second: str) -> float:
        by_rule = entails(first, second)
        if by_rule >= 1.0:
            return by_rule
        if not self._loaded:
            self._loaded["model"] = _sentence_transformers().CrossEncoder(self.name)
        scores = np.asarray(self._loaded["model"].predict([(first, second)]))[0]
        odds = np.exp(scores - scores.max())
        return float(odds[self.entailment_column] / odds.sum())


@dataclass(frozen=True)
class CrossEncoderRelevance:
    """A cross-encoder trained to rank answers to questions."""

    name: str = "cross-encoder/ms-marco-MiniLM-L6-v2"
    _loaded: dict[str, Any] = field(default_factory=dict, repr=False)

    def __call__(self, question: str, answer: str) -> float:
        if not self._loaded:
            self._loaded["model"] = _sentence_transformers().CrossEncoder(self.name)
        score = float(np.asarray(self._loaded["model"].predict([(question, answer)])).ravel()[0])
        return 1.0 / (1.0 + float(np.exp(-score)))


@dataclass(frozen=True)
class InspectWriter:
    """A model of Inspect AI as the writer of distractors."""

    model: str

    def __call__(self, prompt: str, temperature: float) -> str:
        try:
            import asyncio

            from inspect_ai.model import GenerateConfig, get_model
        except ImportError as error:
            raise MissingExtra("eval", "a model that writes distractors") from error
        model = get_model(self.model, config=GenerateConfig(temperature=temperature))
        return str(asyncio.run(model.generate(prompt)).completion)


@dataclass(frozen=True)
class Adapters:
    """What an authoring run uses. Without a writer nothing is paraphrased."""

    encoder: Encoder = field(default_factory=LexicalEncoder)
    entailment: Entailment = entails
    relevance: Relevance = field(default_factory=ShapeRelevance)
    writer: Writer | None = None

    KNOWN: ClassVar[tuple[str, ...]] = ("lexical", "sentence")

    @classmethod
    def named(cls, name: str, writer: str = "") -> "Adapters":
        write = InspectWriter(writer) if writer else None
        if name == "sentence":
            return cls(SentenceEncoder(), CrossEncoderEntailment(), CrossEncoderRelevance(), write)
        return cls(writer=write)


def _sentence_transformers() -> Any:
    try:
        return importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise MissingExtra("sentences", "an encoder of sentences") from error
