"""`ask`: a sentence put to a state; the answer comes with everything that one needs to trust it, or not."""

from situ.language.dialogue import Conversation
from situ.language.interpreter import Model
from situ.language.running import refusal as refusal
from situ.language.told import LEAST_CONFIDENCE as LEAST_CONFIDENCE
from situ.language.told import Told as Told
from situ.language.vocabulary import Encoder
from situ.state.protocol import SpatialState


def ask(
    state: SpatialState,
    sentence: str,
    least_confidence: float = LEAST_CONFIDENCE,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Told:
    """Answer a sentence as of a state's time. What is not known, or not sure enough, is not answered.

    A `model` writes the program of what no frame takes, and that is told; an `encoder` finds likely names to
    suggest.
    """
    return Conversation(lambda: state, least_confidence, encoder, model).ask(sentence)


def answer(
    state: SpatialState,
    sentence: str,
    least_confidence: float = LEAST_CONFIDENCE,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Told:
    """As `ask`, but Unanswerable, and NotSeen for a name that the state does not know, are raised."""
    return Conversation(lambda: state, least_confidence, encoder, model).answer(sentence)
