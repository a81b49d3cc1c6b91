"""What a memory would answer at a moment: a draft that a person may take, marked as such."""

from typing import Any

from situ.annotate.perspective import to_first
from situ.errors import Unanswerable
from situ.language.answering import ask
from situ.memory.memory import SpatialMemory

MOST_SPANS, LONGEST = 8, 300
_AROUND_S = 0.5  # a frame that proves something is shown with a moment around it


def draft(memory: SpatialMemory, question: str, time: float) -> dict[str, Any]:
    """The answer with what was known by then, how sure it is, and the moments that prove it."""
    state = memory.state(time, time)
    try:
        told = ask(state, to_first(question))
    except Unanswerable as error:
        return {"text": str(error), "answer": "", "confidence": 0.0, "spans": []}
    moments = sorted({float(state.path.time_of(frame)) for frame in told.evidence[:MOST_SPANS]})
    spans = [[max(0.0, t - _AROUND_S), t] for t in moments if t < time]
    # What has no short value is told in words; a refusal is no answer that somebody could take.
    given = "" if told.abstained else told.text[:LONGEST] if told.value is None else str(told.value)
    return {"text": told.text, "answer": given, "confidence": float(told.confidence), "spans": spans}
