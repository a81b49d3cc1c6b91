"""Refinement of a stored item: draft answer, perspective, options, blind test, label, verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from situ.annotate.annotation import DRAFT, FIRST, REJECTED, SECOND, VALIDATED, Annotation, changed
from situ.annotate.blind import BUILT_IN, Guesser, test_built_in, test_by_model
from situ.annotate.perspective import person_of, to_first, turn
from situ.annotate.rules import BAD, Finding, findings
from situ.annotate.sources import WORDS, Source
from situ.annotate.store import Deed, Store, Stored
from situ.authoring.author import Settings, options_for
from situ.authoring.logic import normal
from situ.benchmarks.question_types import COUNT
from situ.errors import BadInput, Refused, Unanswerable
from situ.language.answering import ask
from situ.memory.memory import SpatialMemory

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def report(item: Annotation, source: Source) -> list[Finding]:
    if source.kind == WORDS:
        return findings(item)
    return findings(item, source.start_s, source.end_s)


def in_other_person(item: Annotation) -> dict[str, Any]:
    """Changes that convert question, answer and options to the other grammatical person."""
    now = item.person or person_of(item.question) or FIRST
    other = FIRST if now == SECOND else SECOND
    turned = turn(other)
    return {
        "person": other, "question": turned(item.question), "answer": turned(item.answer),
        "options": [turned(option) for option in item.options],
    }  # fmt: skip


def made_options(
    item: Annotation, others: Sequence[Annotation], settings: Settings | None = None
) -> tuple[str, ...]:
    """Options from the authoring pipeline; counts are numerals or words, like the answer."""
    if not item.question.strip() or not item.answer.strip():
        raise BadInput("write the question and its answer first")
    fit = [other.item for other in others if other.question.strip() and other.answer.strip()]
    options = options_for(item.item, fit, settings)
    return _spelt(options, item.answer) if item.qtype == COUNT else options


def _spelt(options: Sequence[str], answer: str) -> tuple[str, ...]:
    if answer.strip().lower() not in NUMBERS:
        return tuple(options)
    numbers = [int(normal(option)) for option in options]
    if max(numbers) >= len(NUMBERS):
        raise BadInput(f"numbers above {NUMBERS[-1]} are written as numerals; write the answer as one, too")
    like = str.capitalize if answer.strip()[:1].isupper() else str
    return tuple(like(NUMBERS[number]) for number in numbers)


def batch_counts(store: Store, by: str, settings: Settings | None = None) -> tuple[list[str], dict[str, str]]:
    """Options for all counts without any, which a person must confirm; returns the items, and failures with
    reasons."""
    made, why = [], {}
    for stored in store.all():
        item = stored.annotation
        if item.qtype != COUNT or item.options or item.status == REJECTED or not item.answer.strip():
            continue
        try:
            options = made_options(item, (), settings)
            deed = Deed(by, "options", stored.version)
            store.set(item.id, {"options": options, "confirmed": False, "status": DRAFT}, deed)
            made.append(item.id)
        except (BadInput, Refused) as error:
            why[item.id] = str(error)
    return made, why


def blind_test(store: Store, item: str, deed: Deed, model: str = "", ask: Guesser | None = None) -> Stored:
    """Run the blind test and store its result with the item, for the present wording."""
    stored = store.get(item)
    if ask is not None:
        result = test_by_model(stored.annotation, model, ask)
    else:
        result = test_built_in(stored.annotation, [other.annotation for other in store.all()])
    values: dict[str, Any] = {"blind": result}
    if result["seen_through"]:
        values["status"] = DRAFT
    return store.set(item, values, replace(deed, action="blind", version=stored.version))


def accept(store: Store, item: str, source: Source, deed: Deed, label: str | None = None) -> Stored:
    """Validate an item; requires a label and no findings."""
    stored = store.get(item)
    new = stored.annotation if label is None else changed(stored.annotation, {"label": label})
    wrong = [finding.text for finding in report(new, source) if finding.level == BAD]
    if not new.label:
        wrong.append("Give it a quality label.")
    elif new.label == "bad":
        wrong.append("Its label is bad; reject it, or edit it and label it again.")
    if wrong:
        raise BadInput(f"it cannot be accepted yet: {' '.join(wrong)}")
    values = {"status": VALIDATED, "label": new.label, "reason": deed.reason}
    return store.set(item, values, replace(deed, action="accept"))


def reject(store: Store, item: str, deed: Deed) -> Stored:
    if not deed.reason.strip():
        raise BadInput("say why the question is rejected")
    return store.set(item, {"status": REJECTED, "reason": deed.reason}, replace(deed, action="reject"))


def ask_again(store: Store, item: str, time: float, deed: Deed) -> Stored:
    """The same question at another time, with its own answer and evidence."""
    old = store.get(item).annotation
    new_id = fresh_id(store, old.source)
    keep: Mapping[str, Any] = {"time": time, "answer": "", "spans": [], "options": [], "draft": None}
    clone = changed(replace(old, id=new_id, again_of=old.id, blind=None, label="", reason="", extra={}), keep)
    return store.add(replace(clone, status=DRAFT, confirmed=True), replace(deed, action="ask again"))


def fresh_id(store: Store, source: str) -> str:
    """A new id for the queue, numbered consecutively."""
    with store.reading() as sql:
        used = {row[0] for row in sql.execute("SELECT id FROM items WHERE source = ?", (source,))}
        number = len(used) + 1
        while f"{source}-{number:04d}" in used:
            number += 1
        return f"{source}-{number:04d}"


def guesser_name(model: str) -> str:
    return model or BUILT_IN


MAX_SPANS, MAX_LENGTH = 8, 300  # spans of evidence; characters of an answer
_AROUND_S = 0.5  # seconds shown around a frame of evidence


def draft(memory: SpatialMemory, question: str, time: float) -> dict[str, Any]:
    """Answer with what was known at a time, its confidence, and the spans of its evidence."""
    state = memory.state(time, time)
    try:
        reply = ask(state, to_first(question))
    except Unanswerable as error:
        return {"text": str(error), "answer": "", "confidence": 0.0, "spans": []}
    moments = sorted({float(state.path.time_of(frame)) for frame in reply.evidence[:MAX_SPANS]})
    spans = [[max(0.0, t - _AROUND_S), t] for t in moments if t < time]
    # Answers without a short value are given as text; an abstention is no answer.
    given = "" if reply.abstained else reply.text[:MAX_LENGTH] if reply.value is None else str(reply.value)
    return {"text": reply.text, "answer": given, "confidence": float(reply.confidence), "spans": spans}
