"""Reader that knows only a narrative: it reconstructs the layout and runs the question on it.

It replaces the language model of the Spatial Narrative Score; its result on perfect narratives is the upper
bound of that score.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property

from situ.errors import Unanswerable
from situ.narrate.layout import NarratedState
from situ.narrate.narrative import Narrative, parse_narrative
from situ.questions.base import Question


class Reasoner:
    """Answers questions from one narrative, given as text or segments."""

    def __init__(self, narrative: Narrative | str) -> None:
        self.narrative = parse_narrative(narrative) if isinstance(narrative, str) else narrative

    @cached_property
    def state(self) -> NarratedState:
        return NarratedState.of(self.narrative)

    def answer(self, question: Question, options: Sequence[str] = ()) -> str:
        """One of the options (by default the question's own).

        What the narrative does not contain is guessed, deterministically per question.
        """
        choices = tuple(options) or question.options
        try:
            found = question.answer(self.state).text
        except Unanswerable:
            return self.guess(question, choices)
        return found if not choices or found in choices else self.guess(question, choices)

    def knows(self, question: Question) -> bool:
        """Whether the narrative contains everything that the question needs."""
        try:
            question.answer(self.state)
        except Unanswerable:
            return False
        return True

    def guess(self, question: Question, options: Sequence[str]) -> str:
        if not options:
            raise Unanswerable(
                "the narrative does not contain the answer, and there are no options to guess from"
            )
        digest = hashlib.sha256(question.text.encode()).digest()
        return options[int.from_bytes(digest[:4], "little") % len(options)]
