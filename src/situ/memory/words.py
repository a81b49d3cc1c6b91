"""Labels, attributes and tags as small numbers, each text stored once."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.memory.tracks import SLOTS

LABEL, KEY, FEATURE, PLACE = "label", "key", "feature", "place"
_JOIN = "\x1f"
# Attribute names come before the attributes that refer to them.
ALL_WORDS = "SELECT kind, id, text FROM word ORDER BY kind = 'feature', kind, id"


class Words:
    """Four vocabularies that only ever grow; number 0 stands for nothing."""

    def __init__(self) -> None:
        self._ids: dict[str, dict[str, int]] = {kind: {} for kind in (LABEL, KEY, FEATURE, PLACE)}
        self._texts: dict[str, list[str]] = {kind: [""] for kind in (LABEL, KEY, FEATURE, PLACE)}
        self._rows: dict[tuple[tuple[str, str], ...], int] = {(): 0}
        self.feature_rows: NDArray[np.int32] = np.zeros((1, SLOTS), np.int32)
        self._attributes: dict[tuple[int, ...], Mapping[str, str]] = {}
        self.key_of: NDArray[np.int32] = np.zeros(16, np.int32)
        self.fresh: list[tuple[str, int, str]] = []

    def label(self, text: str) -> int:
        return self._ids[LABEL].get(text) or self._new(LABEL, text)

    def place(self, text: str) -> int:
        return self._ids[PLACE].get(text) or self._new(PLACE, text)

    def count(self, kind: str) -> int:
        """One more than the highest number of a vocabulary."""
        return len(self._texts[kind])

    def find(self, kind: str, text: str) -> int:
        """The number of a word, 0 if it has never been heard."""
        return self._ids[kind].get(text, 0)

    def text(self, kind: str, number: int) -> str:
        return self._texts[kind][number]

    def features(self, attributes: Mapping[str, str]) -> int:
        """The row of `feature_rows` that holds attributes as numbers, in the order of their names."""
        items = tuple(attributes.items())
        row = self._rows.get(items)
        if row is None:
            numbers = self._feature_row(sorted(items))
            row = self._rows[items] = len(self._rows)
            if row == len(self.feature_rows):
                self.feature_rows = np.concatenate([self.feature_rows, np.zeros_like(self.feature_rows)])
            self.feature_rows[row] = numbers
        return row

    def attributes(self, features: Sequence[int]) -> Mapping[str, str]:
        """The attributes behind feature numbers; equal rows share one mapping."""
        key = tuple(features)
        if key not in self._attributes:
            self._attributes[key] = MappingProxyType(self._spelt_out(key))
        return self._attributes[key]

    def _spelt_out(self, features: tuple[int, ...]) -> dict[str, str]:
        pairs = (self._texts[FEATURE][f].split(_JOIN, 1) for f in features if f)
        return {key: value for key, value in pairs}  # noqa: C416 (dict() cannot tell lists of two)

    def restore(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """Stored words, in the order of their numbers."""
        for kind, number, text in rows:
            self._ids[kind][text] = number
            self._texts[kind].append(text)
            if kind == FEATURE:
                self._note_key(number, self._ids[KEY][text.split(_JOIN, 1)[0]])

    def _feature_row(self, items: list[tuple[str, str]]) -> tuple[int, ...]:
        if len(items) > SLOTS:
            raise BadInput(
                f"an observation has {len(items)} attributes; at most {SLOTS} are kept: drop the least useful"
            )
        numbers = []
        for key, value in items:
            if not key or not value or _JOIN in key + value:
                raise BadInput(f"attributes need a name and a value, got {key!r}: {value!r}")
            text = key + _JOIN + value
            number = self._ids[FEATURE].get(text)
            if number is None:
                key_id = self._ids[KEY].get(key) or self._new(KEY, key)
                number = self._new(FEATURE, text)
                self._note_key(number, key_id)
            numbers.append(number)
        return (*numbers, *(0,) * (SLOTS - len(numbers)))

    def _note_key(self, feature: int, key: int) -> None:
        if feature >= len(self.key_of):
            self.key_of = np.concatenate([self.key_of, np.zeros(len(self.key_of), np.int32)])
        self.key_of[feature] = key

    def _new(self, kind: str, text: str) -> int:
        number = len(self._texts[kind])
        self._texts[kind].append(text)
        self._ids[kind][text] = number
        self.fresh.append((kind, number, text))
        return number
