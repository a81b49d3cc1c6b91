"""Likeness of names by a sentence encoder, where one is installed. It suggests; it never answers."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from situ.errors import MissingExtra

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"


@dataclass
class SentenceEncoder:
    """A model of sentence-transformers, loaded when it is first needed.

    `loaded` may be any object with `encode(list of texts) -> vectors`.
    """

    name: str = DEFAULT_ENCODER
    loaded: Any = field(default=None, repr=False)

    def likeness(self, name: str, others: Iterable[str]) -> dict[str, float]:
        """Cosine of the embeddings of a name and of others, nothing below 0."""
        names = sorted(others)
        if not names:
            return {}
        vectors = np.asarray(self._model().encode([name, *names]), dtype=float)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        scores = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
        return dict(zip(names, scores.tolist(), strict=True))

    def _model(self) -> Any:
        if self.loaded is None:
            try:
                library = importlib.import_module("sentence_transformers")
            except ImportError as error:
                raise MissingExtra("sentences", "suggesting names by their meaning") from error
            self.loaded = library.SentenceTransformer(self.name)
        return self.loaded
