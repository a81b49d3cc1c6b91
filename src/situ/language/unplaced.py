"""What was seen but has no place, and what nobody could have named: neither is "not seen"."""

import re

from situ.errors import Unanswerable
from situ.geometry.heading import sector
from situ.language.vocabulary import Vocabulary
from situ.language.words import singular
from situ.questions.select import with_article
from situ.state.protocol import SpatialState

_NAMELESS = (
    "nothing that I saw has a name, so I cannot tell; name things with `situ watch --labels`, `--detections` "
    "or `--models`"
)


def check_placed(state: SpatialState, sentence: str, vocabulary: Vocabulary) -> None:
    """Raise Unanswerable for a thing that was seen in pictures alone: which way it lay, and when."""
    seen = getattr(state, "unplaced", None)
    if not seen:
        return
    said = [singular(word) for word in re.findall(r"[\w'-]+", sentence.lower())]
    for label, (count, time, bearing) in seen.items():
        name = [singular(word) for word in label.lower().split()]
        asked = any(said[k : k + len(name)] == name for k in range(len(said)))
        if asked and label not in vocabulary.labels:
            times = "once" if count == 1 else f"in {count} boxes"
            raise Unanswerable(
                f"I saw {with_article(label)} {times}, the last time {state.now - time:.0f} s ago and to the "
                f"{sector(bearing)} of where you looked then; how far away it was I could not tell"
            )


def check_nameable(state: SpatialState, value: object) -> None:
    """Raise Unanswerable where "no" or "none" would be said of what no eye could have recognised."""
    if getattr(state, "nameless", False) and str(value).lower() in ("no", "0", "nothing"):
        raise Unanswerable(_NAMELESS)


def not_named(state: SpatialState) -> Unanswerable | None:
    """What is said instead of "I have not seen one" where nothing has a name."""
    return Unanswerable(_NAMELESS) if getattr(state, "nameless", False) else None
