"""What was seen but has no place, and what nobody could have named: neither is "not seen"."""

import re
from collections.abc import Iterator, Mapping

from situ.errors import Unanswerable
from situ.geometry.heading import sector
from situ.language.told import Told
from situ.language.vocabulary import NotSeen, Vocabulary
from situ.language.words import singular
from situ.questions.select import with_article
from situ.state.protocol import SpatialState

_NAMELESS = (
    "no object in this memory has a name, so I cannot tell; watch again with situ[eyes], `--labels`, "
    "`--detections` or `--models`"
)
# Eyes that state how likely a name is right also miss objects: that they are sure of none is no proof.
_NOT_SURELY_SEEN = "I have not seen one that I could be sure of"


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


def check_nameable(state: SpatialState, told: Told) -> None:
    """Raise Unanswerable where "no" or "none" would be said of what no eye could have recognised."""
    if str(told.value).lower() not in ("no", "0", "nothing", "false"):
        return
    if getattr(state, "nameless", False):
        raise Unanswerable(_NAMELESS)
    program = told.certificate.program if told.certificate is not None else {}
    check_known(state, program)
    if getattr(state, "calibrated", False) and program.get("ask") in ("exists", "count"):
        raise Unanswerable(_NOT_SURELY_SEEN)


def check_known(state: SpatialState, program: object) -> None:
    """Raise Unanswerable for a program about things that none of the eyes which watched could have named."""
    for name in _kinds(program):
        if (why := unknown_to_eyes(state, name)) is not None:
            raise why


def not_named(state: SpatialState, refused: NotSeen) -> Unanswerable | None:
    """What is said instead of "I have not seen one" where nothing has a name, or nothing could have this."""
    if getattr(state, "nameless", False):
        return Unanswerable(_NAMELESS)
    return unknown_to_eyes(state, refused.name) if refused.name else None


def unknown_to_eyes(state: SpatialState, name: str) -> Unanswerable | None:
    """Why nothing can be said of a name that none of the eyes which watched can tell."""
    known: frozenset[str] = getattr(state, "known_names", frozenset())
    if not known:
        return None
    try:
        Vocabulary(known, frozenset()).select(name)
    except NotSeen:
        return Unanswerable(
            f"my detector does not know what {with_article(singular(name))} looks like, so I cannot tell"
        )
    except Unanswerable:  # it may mean several of the names
        pass
    return None


def _kinds(program: object) -> Iterator[str]:
    """The names that a program asks for."""
    if isinstance(program, Mapping):
        if program.get("op") == "things" and isinstance(program.get("kind"), str):
            yield program["kind"]
        program = tuple(program.values())
    if isinstance(program, list | tuple):
        for part in program:
            yield from _kinds(part)
