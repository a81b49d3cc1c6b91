"""Answering the published questions from the boxes, and comparing with the published answers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from situ.benchmarks.vsi.parse import option_text, parse
from situ.benchmarks.vsi.reader import Collection, PublishedQuestion
from situ.benchmarks.vsi.score import score
from situ.errors import SituError, Unanswerable
from situ.questions import Answer


@dataclass(frozen=True)
class Outcome:
    """One question: the reply in the benchmark's own form and its score, or why there is none."""

    question: PublishedQuestion
    reply: str = ""
    score: float = 0.0
    exact: bool = False
    unanswerable: str = ""


@dataclass(frozen=True)
class TypeResult:
    """All questions of one type. Scores are over the answered ones."""

    question_type: str
    asked: int
    answered: int
    score: float
    exact: float


def outcomes(collection: Collection) -> Iterator[Outcome]:
    """Every question with what the engine makes of it."""
    for question in collection.questions:
        room = collection.rooms.get(question.room)
        if room is None:
            yield Outcome(question, unanswerable=f"no boxes of scene {question.scene}")
            continue
        try:
            program = parse(question.question_type, question.text, question.options)
            reply = as_published(program.answer(room), question)
        except SituError as error:
            yield Outcome(question, unanswerable=str(error))
            continue
        points = score(question.question_type, reply, question.ground_truth)
        yield Outcome(question, reply, points, _same(reply, question.ground_truth))


def results(found: list[Outcome]) -> list[TypeResult]:
    """One line per question type, in the order of first appearance."""
    by_type: dict[str, list[Outcome]] = {}
    for outcome in found:
        by_type.setdefault(outcome.question.question_type, []).append(outcome)
    lines = []
    for name, group in by_type.items():
        answered = [outcome for outcome in group if not outcome.unanswerable]
        points = float(np.mean([o.score for o in answered])) if answered else 0.0
        exact = float(np.mean([o.exact for o in answered])) if answered else 0.0
        lines.append(TypeResult(name, len(group), len(answered), points, exact))
    return lines


def as_published(answer: Answer, question: PublishedQuestion) -> str:
    """The answer's letter among the options, or its number."""
    if not question.options:
        return answer.text
    for option in question.options:
        if option_text(option).lower() == answer.text.lower():
            return option.strip()[0]
    raise Unanswerable(f"the answer '{answer.text}' is none of the options {list(question.options)}")


def _same(reply: str, truth: str) -> bool:
    try:
        return float(reply) == float(truth)
    except ValueError:
        return reply.lower() == truth.lower()
