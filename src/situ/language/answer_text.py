"""Answers in words, by the declaration of their kind."""

import re

from situ.language.kind import KINDS, Saying
from situ.language.times import age_in_words
from situ.questions.base import Answer, Question
from situ.questions.select import is_plural
from situ.state.protocol import SpatialState


def tell(question: Question, answer: Answer, age_s: float | None, state: SpatialState, unit: str = "") -> str:
    """One sentence for an answer."""
    seen = "" if age_s is None else f", seen {age_in_words(age_s)}"
    kind = KINDS.get(question.kind)
    if kind is None:
        return f"{str(answer.value).capitalize()}."
    return agreed(kind.say(Saying(question, answer, state, seen, unit)))


_SUBJECT = re.compile(r"(\w+ )?\b([Tt]he (?:(?!the\b)[\w'-]+ )*?([\w'-]+)) (is|was|has)\b")
_BEFORE_OTHERS = frozenset(
    [
        "of",
        "near",
        "on",
        "under",
        "beside",
        "behind",
        "in",
        "to",
        "from",
        "by",
        "at",
        "with",
        "inside",
        "below",
        "above",
    ]
)
_OF_SEVERAL = {"is": "are", "was": "were", "has": "have"}


def agreed(text: str) -> str:
    """The same with verbs that agree with names which are plurals: "the keys are to your left"."""

    def agree(found: re.Match[str]) -> str:
        before, subject, noun, verb = found.groups()
        if (before or "").strip().lower() in _BEFORE_OTHERS or not is_plural(noun):
            return found.group()
        return f"{before or ''}{subject} {_OF_SEVERAL[verb]}"

    return _SUBJECT.sub(agree, text)
