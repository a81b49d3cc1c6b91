"""Annotation: the fields of a question that people write, and their validation."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from situ.authoring.items import Item
from situ.benchmarks.question_types import BINARY, COUNT, OTHER
from situ.errors import BadInput

TYPES = (BINARY, COUNT, OTHER)
DRAFT, VALIDATED, REJECTED = "draft", "validated", "rejected"
STATUSES = (DRAFT, VALIDATED, REJECTED)
FIRST, SECOND = "first", "second"
PERSONS = ("", FIRST, SECOND)
LABELS = ("", "good", "fair", "bad")
MAX_OPTIONS, MAX_SPANS = 10, 64  # per item
_MAX_LENGTHS = {
    "question": 500,
    "answer": 300,
    "category": 100,
    "subcategory": 100,
    "difficulty": 40,
    "reason": 500,
}
Spans = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Annotation:
    """One question about one source. Times are seconds on the source's clock.

    `confirmed`: False for generated options that nobody has reviewed. `blind`: result of the blind test.
    `draft`: an adopted answer of the memory. `extra`: unknown fields of the imported file, which are exported
    unchanged.
    """

    id: str
    source: str
    question: str = ""
    answer: str = ""
    time: float | None = None
    spans: Spans = ()
    category: str = ""
    subcategory: str = ""
    qtype: str = OTHER
    person: str = ""
    options: tuple[str, ...] = ()
    confirmed: bool = True
    difficulty: str = ""
    status: str = DRAFT
    label: str = ""
    reason: str = ""
    blind: Mapping[str, Any] | None = None
    draft: Mapping[str, Any] | None = None
    again_of: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Annotation":
        kept = {name: value for name, value in data.items() if name in cls.__dataclass_fields__}
        kept["spans"] = tuple((float(a), float(b)) for a, b in kept.get("spans", ()))
        kept["options"] = tuple(kept.get("options", ()))
        return cls(**kept)

    @property
    def item(self) -> Item:
        """The annotation as an item of the authoring pipeline."""
        return Item(
            self.id, self.question, self.answer, self.source, self.category, self.subcategory, self.qtype,
            self.time, self.spans, None, self.options,
        )  # fmt: skip


CONTENT = (
    "question", "answer", "time", "spans", "category", "subcategory", "qtype", "person", "options",
    "difficulty", "draft",
)  # fmt: skip
EDITABLE = (*CONTENT, "confirmed", "label", "reason")


def changed(old: Annotation, change: Mapping[str, Any]) -> Annotation:
    """Copy with new values of editable fields; invalid ones raise with their name."""
    unknown = sorted(set(change) - set(EDITABLE))
    if unknown:
        raise BadInput(
            f"{', '.join(str(u)[:40] for u in unknown[:5])} cannot be set; {', '.join(EDITABLE)} can"
        )
    new = replace(old, **{name: _checked(name, value) for name, value in change.items()})
    if any(getattr(new, name) != getattr(old, name) for name in CONTENT):
        # The judged content has changed, so it must be judged again.
        new = replace(new, status=DRAFT)
    return new


def _checked(name: str, value: Any) -> Any:
    if name in _MAX_LENGTHS:
        return _text(name, value, _MAX_LENGTHS[name])
    if name == "time":
        return None if value is None else _seconds(name, value)
    if name == "spans":
        return _spans(value)
    if name == "options":
        if not isinstance(value, (list, tuple)) or len(value) > MAX_OPTIONS:
            raise BadInput(f"'options' must be a list of at most {MAX_OPTIONS} texts")
        return tuple(_text("options", text, 300) for text in value)
    if name == "confirmed":
        if not isinstance(value, bool):
            raise BadInput("'confirmed' must be true or false")
        return value
    if name == "draft":
        return _draft(value)
    choices = {"qtype": TYPES, "person": PERSONS, "label": LABELS}[name]
    if value not in choices:
        raise BadInput(f"'{name}' must be one of {', '.join(c or '(empty)' for c in choices)}")
    return value


def _text(name: str, value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise BadInput(f"'{name}' must be a text of at most {most} characters")
    if any(ord(letter) < 32 and letter not in "\n\t" for letter in value):
        raise BadInput(f"'{name}' holds a control character")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"'{name}' holds half a character") from error
    return value


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BadInput(f"'{name}' must be seconds")
    if not 0.0 <= value < 1e10:
        raise BadInput(f"'{name}' must be 0 seconds or more, got {value:g}")
    return float(value)


def _spans(value: Any) -> Spans:
    if not isinstance(value, (list, tuple)) or len(value) > MAX_SPANS:
        raise BadInput(f"'spans' must be a list of at most {MAX_SPANS} pairs of seconds")
    found = []
    for pair in value:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise BadInput("each of 'spans' must be a pair of seconds: start and end")
        start, end = _seconds("spans", pair[0]), _seconds("spans", pair[1])
        if end < start:
            raise BadInput(f"a span ends before it starts ({start:g} s to {end:g} s)")
        found.append((start, end))
    return tuple(sorted(found))


def _draft(value: Any) -> Mapping[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or set(value) != {"text", "confidence"}:
        raise BadInput("'draft' must be null or {text, confidence} as the memory gave it")
    return {
        "text": _text("draft", value["text"], 500),
        "confidence": _seconds("confidence", value["confidence"]),
    }
