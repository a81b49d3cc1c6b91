"""Labels, attributes and tags as small numbers, each text stored once."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from situ.english import as_named, name_key
from situ.errors import BadFormat, BadInput
from situ.memory.tables.tracks import SLOTS

LABEL, KEY, FEATURE, PLACE = "label", "key", "feature", "place"
_JOIN = "\x1f"  # a control character, which no name holds
_NAMES = (LABEL, PLACE)  # all spellings of a name have one number, and are shown as it was first said
MOST_CHARACTERS = 256  # longer than any name, short enough for a line
# Attribute names come before the attributes that refer to them.
ALL_WORDS = "SELECT kind, id, text FROM word ORDER BY kind = 'feature', kind, id"


def check_text(what: str, text: object) -> None:
    """Raise BadInput for what is no name that a file and a screen can hold."""
    if not isinstance(text, str):
        raise BadInput(f"{what} is no text, but {str(text)[:40]!r}")
    if not text.strip():
        raise BadInput(f"{what} is empty: an empty label names nothing")
    if len(text) > MOST_CHARACTERS:
        raise BadInput(
            f"{what} has {len(text)} characters; at most {MOST_CHARACTERS} make a name: {text[:40]!r}"
        )
    if any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in text):
        raise BadInput(f"{what} holds control characters or half of a character: {text[:40]!r}")


def check_attributes(attributes: object) -> None:
    """Raise BadInput for attributes that are none."""
    if not isinstance(attributes, Mapping):
        raise BadInput(f"attributes are a mapping from names to values, got {str(attributes)[:40]!r}")
    if len(attributes) > SLOTS:
        raise BadInput(
            f"an observation has {len(attributes)} attributes; at most {SLOTS} are kept: drop some"
        )
    for name, value in attributes.items():
        check_text("the name of an attribute", name)
        check_text(f"the value of the attribute {name!r}", value)


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
        return self._ids[LABEL].get(text) or self._named(LABEL, text)

    def place(self, text: str) -> int:
        return self._ids[PLACE].get(text) or self._named(PLACE, text)

    def count(self, kind: str) -> int:
        """One more than the highest number of a vocabulary."""
        return len(self._texts[kind])

    def knows_label(self, text: object) -> bool:
        return isinstance(text, str) and text in self._ids[LABEL]

    def knows_place(self, text: object) -> bool:
        return isinstance(text, str) and text in self._ids[PLACE]

    def knows_features(self, attributes: object) -> bool:
        """Whether these very attributes have been met before, and so need no check."""
        try:
            return isinstance(attributes, Mapping) and tuple(attributes.items()) in self._rows
        except TypeError:  # what cannot be hashed is no text
            return False

    def find(self, kind: str, text: str) -> int:
        """The number of a word, 0 if it has never been heard."""
        ids = self._ids[kind]
        return ids.get(text) or (ids.get(name_key(text), 0) if kind in _NAMES else 0)

    def text(self, kind: str, number: int) -> str:
        try:
            return self._texts[kind][number]
        except IndexError:
            raise BadFormat(f"the memory is damaged: it has no {kind} {number}; restore it") from None

    def has(self, kind: str, number: int) -> bool:
        return 0 < number < len(self._texts[kind])

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
        known = self._attributes.get(key)
        if known is None:
            known = self._attributes[key] = MappingProxyType(self._spelt_out(key))
        return known

    def _spelt_out(self, features: tuple[int, ...]) -> dict[str, str]:
        pairs = (self._texts[FEATURE][f].split(_JOIN, 1) for f in features if f)
        return {key: value for key, value in pairs}  # noqa: C416 (dict() cannot tell lists of two)

    def restore(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """Stored words, in the order of their numbers."""
        for kind, number, text in rows:
            self._texts[kind].append(text)
            if not text:
                continue  # forgotten on request
            self._ids[kind][text] = number
            if kind in _NAMES:
                self._ids[kind].setdefault(name_key(text), number)
            if kind == FEATURE:
                self._note_key(number, self._ids[KEY][text.split(_JOIN, 1)[0]])

    def _feature_row(self, items: list[tuple[str, str]]) -> tuple[int, ...]:
        numbers = []
        for key, value in items:
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

    def _named(self, kind: str, text: str) -> int:
        """The number of a name, under whatever spelling it was first heard; this one is found at once next
        time."""
        ids, key = self._ids[kind], name_key(text)
        number = ids.get(key) or self._new(kind, as_named(text))
        ids[key] = ids[text] = number
        return number

    def _new(self, kind: str, text: str) -> int:
        number = len(self._texts[kind])
        self._texts[kind].append(text)
        self._ids[kind][text] = number
        self.fresh.append((kind, number, text))
        return number
