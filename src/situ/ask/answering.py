"""`ask`: a sentence put to a state; the answer comes with everything that one needs to trust it, or not."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from situ.ask.certificate import Certificate
from situ.ask.focus import decide
from situ.ask.others import Other, in_words, other_candidates
from situ.ask.parse import Asked, parse
from situ.ask.reword import Interpreter, Model
from situ.ask.telling import tell
from situ.ask.vocabulary import Encoder, Vocabulary
from situ.errors import Unanswerable
from situ.questions.base import Answer, Value
from situ.state.protocol import SpatialState

LEAST_CONFIDENCE = 0.5
_SCALE_UNKNOWN = " (The scale is not known: distances take the eyes to be 1.6 m above the floor.)"


@dataclass(frozen=True)
class Told:
    """An answer, or the reason why there is none.

    `probabilities` are over the alternatives, from the doubt about places, about what is real and about what
    may have moved since; `confidence` is that of `value`. `distance_m` is the interval that holds the
    distance nine times in ten. `age_s` is how long ago the thing was last seen. `others` are further things
    that the words may mean.
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
    others: tuple[Other, ...] = ()

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
    decision = decide(question, state)
    answer, confidence = decision.answer, decision.confidence
    age = _age(state, answer)
    others = other_candidates(question, state, answer)
    certificate = Certificate.of(question, state, answer)
    text = tell(question, answer, age, state.now) + in_words(others)
    reason = ""
    if confidence < least_confidence:
        reason = f"I am not sure enough ({confidence:.0%})"
        text = f"{reason}; my best guess: {text[0].lower()}{text[1:]}"
    metric = bool(getattr(state, "metric", True))
    if not metric and any(n.endswith("_m") for n in answer.numbers or ()):
        text += _SCALE_UNKNOWN
    return Told(
        sentence, text, None if reason else answer.value, reason, question.text, question.frame,
        round(confidence, 3), {value: round(share, 3) for value, share in decision.odds.items()},
        decision.distance_m, age, answer.evidence, certificate, metric, others,
    )  # fmt: skip


def _age(state: SpatialState, answer: Answer) -> float | None:
    """How long ago the thing that the answer is about was last seen."""
    last = next(reversed(state.sightings(answer.things[0])), None) if answer.things else None
    return None if last is None else state.now - last.time
