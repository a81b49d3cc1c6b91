"""What a belief answers, and how surely: the likeliest value over its possible worlds, with its odds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from situ.geometry.heading import sector
from situ.questions.base import Answer, Question
from situ.questions.programs.named import Named
from situ.questions.programs.tallies import UNKNOWN as UNKNOWN
from situ.questions.programs.world import in_worlds
from situ.state.protocol import SpatialState


@dataclass(frozen=True)
class Decision:
    """The likeliest answer of a belief, and the odds that it was chosen by.

    `odds` are over values, and `UNKNOWN` where a thing may not be real or not be in its place; of a measure
    they are over right, too large and too small. `confidence` is that of the answer's value.
    """

    answer: Answer
    odds: Mapping[str, float]
    confidence: float
    distance_m: tuple[float, float] | None = None

    def among(self, options: Sequence[str]) -> str:
        """The likeliest of some options, for who must take one; if none is likely at all, the nearest."""
        if not options or self.answer.text in options:
            return self.answer.text
        best = max(options, key=lambda option: self.odds.get(option, 0.0))
        if best in self.odds:
            return best
        numbers = [option for option in options if option.lstrip("-").replace(".", "", 1).isdigit()]
        if numbers and isinstance(self.answer.value, (int, float)):
            return min(numbers, key=lambda option: abs(float(option) - float(self.answer.value)))
        bearing = (self.answer.numbers or {}).get("bearing_deg")
        way = best if bearing is None else sector(bearing)
        return way if way in options else best


def decide(question: Question, state: SpatialState) -> Decision:
    """The answer that is likeliest under what is believed. Truth has no doubt and gives its one answer.

    Raises Unanswerable where the state does not hold what the question needs.
    """
    if isinstance(question, Named):
        result = question.result(state)
        return Decision(question.told(result), result.odds, result.confidence, result.interval)
    if state.strict:
        answer = question.answer(state)
        return Decision(answer, {str(answer.value): 1.0}, 1.0)
    result = in_worlds(question.answer, state)
    answer = Answer(result.value, result.margin, result.evidence, result.numbers, result.things)
    return Decision(answer, result.odds, result.confidence, result.interval)
