"""What a memory no longer knows, told as such: deleted on request, or older than it remembers."""

import re

from situ.english import is_description, name_key, singular
from situ.errors import Unanswerable
from situ.memory.reading.state import MemoryState
from situ.state.protocol import SpatialState

_MOST_WORDS = 4  # of a name


def check_remembered(state: SpatialState, asked_about: float | None = None) -> None:
    """Raise Unanswerable for a moment that was deleted, or lies beyond the horizon: that of the state, or one
    that a question asks about."""
    if not isinstance(state, MemoryState):
        return
    moment = state.now if asked_about is None else asked_about
    stone = state.deleted.of_time(moment)
    if stone is not None:
        raise Unanswerable(f"what I saw then was deleted on request on {stone.deleted_on}")
    if asked_about is None and moment < state.forgotten_before:
        raise Unanswerable(
            f"I no longer remember that: I have kept details from {state.forgotten_before:.0f} s on"
        )


def check_names(state: SpatialState, sentence: str) -> None:
    """Raise Unanswerable if a sentence names something that was deleted, and no other bears its name."""
    if not isinstance(state, MemoryState):
        return
    stones = state.deleted
    if not stones:
        return
    known = {name_key(name) for name in state.names()[0]}
    known |= {name_key(place.tag) for place in state.places()}
    for phrase in _phrases(sentence):
        stone = stones.of_name(phrase)
        if stone is not None and name_key(phrase) not in known and not _shows(state, phrase):
            raise Unanswerable(f"what I knew of '{phrase}' was deleted on request on {stone.deleted_on}")


def _shows(state: MemoryState, phrase: str) -> bool:
    """Whether something that is still known looks so: another blue sphere than the one that was deleted."""
    return any(is_description(phrase, v.category, v.attributes.values()) for v in state.objects())


def _phrases(sentence: str) -> list[str]:
    """All runs of a few words, also with the last one in the singular."""
    words = re.findall(r"[^\s.,;:!?\"()]+", sentence)
    runs = [
        words[start : start + length]
        for length in range(1, _MOST_WORDS + 1)
        for start in range(len(words) - length + 1)
    ]
    plain = [" ".join(run) for run in runs]
    bare = [" ".join([*run[:-1], run[-1].removesuffix("'s")]) for run in runs]
    return [*plain, *(" ".join([*run[:-1], singular(run[-1].lower())]) for run in runs), *bare]
