"""Which things a question speaks of: those that the selectors in its program pick out."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from situ.questions.base import Question
from situ.questions.select import Selector
from situ.recording import ObjectRecord


def asked_things(question: Question, objects: Iterable[ObjectRecord]) -> list[int]:
    """Ids of the things that a question names, in the order of the recording."""
    named = [selector for selector in _selectors(question) if selector.category or selector.attributes]
    return [record.id for record in objects if any(_fits(selector, record) for selector in named)]


def _selectors(part: Any) -> Iterator[Selector]:
    if isinstance(part, Selector):
        yield part
    elif isinstance(part, (tuple, list)):
        for inner in part:
            yield from _selectors(inner)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _selectors(getattr(part, field.name))


def _fits(selector: Selector, record: ObjectRecord) -> bool:
    known = record.attributes
    fits = all(known.get(key) == value for key, value in selector.attributes)
    return fits and selector.category in (None, record.category)
