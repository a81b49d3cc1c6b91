"""What a reader of a question can tell from its words: names, kinds of name, and the wording around them."""

import re

from situ.benchmarks.dataset import QuestionRow
from situ.questions.select import Selector


def named_entities(row: QuestionRow) -> list[Selector]:
    """The phrases that a question is about, in the order of its program; none where it has no program."""
    if not row.program:
        return []
    return [value for value in vars(row.question).values() if isinstance(value, Selector)]


def alphabetical_order(row: QuestionRow) -> tuple[bool, ...]:
    """Whether the names come in alphabetical order, and which side the text claims, if any."""
    names = [entity.singular for entity in named_entities(row)]
    mentions = [bool(re.search(rf"\b{side}\b", row.text)) for side in ("left", "right")]
    return (names == sorted(names), *mentions)


def entity_kinds(row: QuestionRow) -> tuple[tuple[bool, int], ...]:
    """For each name whether it has a category, and how many attributes."""
    return tuple((e.category is not None, len(e.attributes)) for e in named_entities(row))


def masked_wording(row: QuestionRow) -> str:
    """The text with every name blotted out."""
    text = row.text
    for entity in sorted(named_entities(row), key=lambda e: -len(e.plural)):
        text = text.replace(entity.plural, "_").replace(entity.singular, "_")
    return text


def option_words(row: QuestionRow) -> str:
    """The options without their question: each word with its option's place, and which option is longest."""
    lengths = [len(option) for option in row.options]
    places = [
        f"o{i}{word}" for i, o in enumerate(row.options) for word in re.findall(r"[a-z0-9]+", o.lower())
    ]
    return " ".join([*places, f"longest{lengths.index(max(lengths))}" if lengths else ""])
