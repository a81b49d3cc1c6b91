"""Validation rules of annotations, checked while typing."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from situ.annotate.annotation import FIRST, Annotation
from situ.annotate.perspective import person_of
from situ.authoring.adapters import LexicalEncoder
from situ.authoring.items import check_items
from situ.authoring.logic import normal, words_of
from situ.benchmarks.question_types import BINARY, COUNT

BAD, DOUBT = "bad", "doubt"
NEAR = 0.80  # similarity from which two questions are near-duplicates
MAX_NEAR = 5  # near-duplicates shown
_MAX_COMPARED = 200  # questions compared in full, chosen by common words
_VAGUE = re.compile(
    r"(?i)^\s*(?:where|what|which|how|is|was|did|can)\b[^?]*\b(it|this|that|these|those|thing|one)\b"
)
_NUMERAL = re.compile(r"^\s*\d+\s*$")


@dataclass(frozen=True)
class Finding:
    """A finding: the `rule`, its `level` (unusable or doubtful), and a `text` for the annotator."""

    rule: str
    level: str
    text: str


@dataclass(frozen=True)
class Near:
    """A similar question about the same source."""

    id: str
    question: str
    time: float | None
    likeness: float
    same_answer: bool


def findings(item: Annotation, start_s: float | None = None, end_s: float | None = None) -> list[Finding]:
    """All findings for an item. `start_s` and `end_s` bound the source, if it has images."""
    return [*_words(item), *_times(item, start_s, end_s), *_choices(item), *_blind(item)]


def content_hash(item: Annotation) -> str:
    """Hash of what a blind guesser sees; another hash needs another test."""
    said = json.dumps([item.question, list(item.options), item.answer])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def near_duplicates(item: Annotation, others: Sequence[Annotation]) -> list[Near]:
    """Similarly worded questions about the same source, most similar first.

    Streams often ask the same question at another time with another answer, so answers and times are
    included.
    """
    there = [o for o in others if o.source == item.source and o.id != item.id and o.question.strip()]
    asked = words_of(item.question)
    shared = [(len(asked & (w := words_of(o.question))) / max(1, len(asked | w)), o) for o in there]
    there = [o for share, o in sorted(shared, key=lambda pair: -pair[0])[:_MAX_COMPARED] if share > 0.3]
    if not there:
        return []
    encoder = LexicalEncoder()
    vectors = encoder.encode([normal(item.question), *(normal(other.question) for other in there)])
    likeness = vectors[1:] @ vectors[0]
    order = sorted(range(len(there)), key=lambda i: -likeness[i])[:MAX_NEAR]
    return [
        Near(there[i].id, there[i].question, there[i].time, round(float(likeness[i]), 3),
             normal(there[i].answer) == normal(item.answer))
        for i in order if likeness[i] >= NEAR
    ]  # fmt: skip


def _words(item: Annotation) -> list[Finding]:
    found = []
    if not item.question.strip():
        found.append(Finding("no question", BAD, "There is no question yet."))
    if not item.answer.strip():
        found.append(Finding("no answer", BAD, "There is no answer yet."))
    if item.question.strip() and not item.question.strip().endswith("?"):
        found.append(Finding("no question mark", DOUBT, "The question does not end with a question mark."))
    if not item.category or not item.subcategory:
        found.append(Finding("no category", BAD, "Choose a category and a task."))
    if person_of(item.question) == FIRST:
        found.append(
            Finding("first person", DOUBT, "It speaks in the first person; Ctrl+T turns it to the second.")
        )
    texts = [item.question, item.answer, *item.options]
    persons = {person_of(text) for text in texts} - {""}
    if len(persons) > 1:
        found.append(
            Finding("mixed persons", BAD, "Question and options speak in different persons; use Ctrl+T.")
        )
    if item.question.strip() and not persons and item.category:
        found.append(
            Finding("not about the wearer", DOUBT, "Nothing in it refers to the wearer (you, your).")
        )
    if _VAGUE.search(item.question) and not re.search(r"\b(the|my|your) \w+", item.question):
        found.append(
            Finding(
                "vague", DOUBT, "It is not clear what is meant: name the object instead of 'it' or 'this'."
            )
        )
    words = words_of(item.answer)
    if item.qtype != BINARY and words and words <= words_of(item.question) and len(words) > 1:
        found.append(Finding("answer in the question", DOUBT, "The answer's words are all in the question."))
    return found


def _times(item: Annotation, start_s: float | None, end_s: float | None) -> list[Finding]:
    found = []
    if item.time is None:
        found.append(Finding("no time", BAD, "Set the moment of asking (Q)."))
    if not item.spans:
        found.append(Finding("no evidence", BAD, "Mark at least one span of evidence (I and O)."))
    if item.time is not None and item.spans and max(end for _, end in item.spans) >= item.time:
        found.append(
            Finding(
                "evidence after question", BAD, "The question must be asked strictly after all its evidence."
            )
        )
    moments = [t for span in item.spans for t in span] + ([] if item.time is None else [item.time])
    if (
        end_s is not None
        and start_s is not None
        and any(not start_s - 1e-6 <= t <= end_s + 1.0 for t in moments)
    ):
        found.append(Finding("outside", BAD, f"A time lies outside the stream ({start_s:g} to {end_s:g} s)."))
    return found


def _choices(item: Annotation) -> list[Finding]:
    if not item.options:
        return [Finding("no options", BAD, "It has no options yet.")]
    found = []
    words = [problem.what for problem in check_items([item.item]) if "options" in problem.what]
    found += [Finding("options", BAD, f"{what[0].upper()}{what[1:]}.") for what in words]
    if any(not option.strip() for option in item.options):
        found.append(Finding("empty option", BAD, "An option is empty."))
    if (len(item.options) == 2) != (item.qtype == BINARY):
        found.append(Finding("options and type", BAD, "Yes-or-no questions have two options, others more."))
    numerals = [bool(_NUMERAL.match(option)) for option in item.options]
    if item.qtype == COUNT and any(numerals) and not all(numerals):
        found.append(
            Finding("numerals and words", BAD, "Numbers are written as numerals here and as words there.")
        )
    if not item.confirmed:
        found.append(Finding("not confirmed", BAD, "A tool made the options; look at them and confirm."))
    lengths = sorted(len(option) for option in item.options)
    if item.qtype not in (BINARY, COUNT) and len(item.answer) == lengths[-1] > 1.5 * lengths[-2] + 6:
        found.append(Finding("longest", DOUBT, "The right option is by far the longest."))
    return found


def _blind(item: Annotation) -> list[Finding]:
    if not item.options or not item.question.strip():
        return []
    if item.blind is None or item.blind.get("of") != content_hash(item):
        return [Finding("no blind test", BAD, "The blind test has not been run on these words (B).")]
    if item.blind.get("seen_through"):
        return [Finding("seen through", BAD, "It was answered without looking: edit it and test again.")]
    return []
