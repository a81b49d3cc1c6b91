"""`ask`: a sentence put to a state; the answer comes with everything that one needs to trust it, or not."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from situ.ask.certificate import Certificate
from situ.ask.focus import Odds, odds, selectors
from situ.ask.parse import Asked, parse
from situ.ask.reword import Interpreter, Model
from situ.ask.telling import tell
from situ.ask.vocabulary import Encoder, Vocabulary
from situ.errors import Unanswerable
from situ.questions.base import Question, Value
from situ.state.protocol import SpatialState

LEAST_CONFIDENCE = 0.5
_SCALE_UNKNOWN = " (The scale is not known: distances take the eyes to be 1.6 m above the floor.)"


@dataclass(frozen=True)
class Told:
    """An answer, or the reason why there is none.

    `probabilities` are over the alternatives, from the doubt about places, about what is real and about what
    may have moved since; `confidence` is that of `value`. `distance_m` is the interval that holds the
    distance nine times in ten. `age_s` is how long ago the thing was last seen.
    """

    asked: str
    text: str
    value: Value | None = None
    abstained: str = ""
    question: str = ""
    frame: str = ""
    confidence: float = 0.0
    probabilities: Mapping[str, float] = field(default_factory=dict)
    distance_m: tuple[float, float] | None = None
    age_s: float | None = None
    evidence: tuple[int, ...] = ()
    certificate: Certificate | None = None
    scale_known: bool = True

    def to_json(self) -> dict[str, Any]:
        plain = asdict(self)
        plain["certificate"] = None if self.certificate is None else self.certificate.to_json()
        return plain


def ask(
    state: SpatialState,
    sentence: str,
    least_confidence: float = LEAST_CONFIDENCE,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Told:
    """Answer a sentence as of a state's time. What is not known, or not sure enough, is not answered.

    A `model` rewords what the rules do not understand; an `encoder` finds likely names to suggest.
    """
    read = parse if model is None else Interpreter(model).parse
    try:
        asked = read(sentence, Vocabulary.of(state, encoder), state.path.start, state.now)
        return _answered(state, sentence, asked, least_confidence)
    except Unanswerable as error:
        return Told(sentence, f"{error}.".replace("..", "."), abstained=str(error))


def _answered(state: SpatialState, sentence: str, asked: Asked, least_confidence: float) -> Told:
    question = asked.question
    if asked.at is not None:
        state = state.as_of(asked.at)
    answer = question.answer(state)
    chances = odds(question, state)
    confidence = 1.0 if _is_measure(question) else chances.shares.get(str(answer.value), 0.0)
    age = _age(state, question)
    certificate = Certificate.of(question, state, answer)
    text = tell(question, answer, age, state.now)
    reason = ""
    if confidence < least_confidence:
        reason = f"I am not sure enough ({confidence:.0%})"
        text = f"{reason}; my best guess: {text[0].lower()}{text[1:]}"
    metric = bool(getattr(state, "metric", True))
    if not metric and (_is_measure(question) or any(n.endswith("_m") for n in answer.numbers or ())):
        text += _SCALE_UNKNOWN
    return Told(
        sentence, text, None if reason else answer.value, reason, question.text, question.frame,
        round(confidence, 3), _rounded(chances), chances.distance_m, age, answer.evidence, certificate,
        metric,
    )  # fmt: skip


def _is_measure(question: Question) -> bool:
    """Whether the answer is a measure: samples never repeat it to the digit, its doubt is the interval."""
    named = ("next_to", "place_of", "where_am_i")
    return not question.options and "count" not in question.kind and question.kind not in named


def _rounded(chances: Odds) -> dict[str, float]:
    return {value: round(share, 3) for value, share in chances.shares.items()}


def _age(state: SpatialState, question: Question) -> float | None:
    """How long ago the first thing named was last seen."""
    names = selectors(question)
    if not names:
        return None
    moments = [
        last.time
        for view in names[0].select(state)
        if view.presence > 0.5 and (last := next(reversed(state.sightings(view.id)), None)) is not None
    ]
    return state.now - max(moments) if moments else None
