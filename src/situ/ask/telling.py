"""Answers in words, by the declaration of their kind."""

from situ.ask.kind import KINDS, Saying
from situ.ask.times import age_in_words
from situ.questions.base import Answer, Question
from situ.state.protocol import SpatialState


def tell(question: Question, answer: Answer, age_s: float | None, state: SpatialState, unit: str = "") -> str:
    """One sentence for an answer."""
    seen = "" if age_s is None else f", seen {age_in_words(age_s)}"
    kind = KINDS.get(question.kind)
    if kind is None:
        return f"{str(answer.value).capitalize()}."
    return kind.say(Saying(question, answer, state, seen, unit))
