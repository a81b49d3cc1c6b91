"""The other things that an answer's words may mean: "another one may be in the kitchen"."""

from dataclasses import dataclass

from situ.errors import Unanswerable
from situ.geometry.heading import named_way
from situ.language.phrasing import DIRECTION_WORDS
from situ.language.times import age_in_words
from situ.questions.base import Answer, Question
from situ.questions.rules.about import About
from situ.questions.rules.places import Places
from situ.questions.rules.wearer import heading_now
from situ.state.protocol import Candidate, SpatialState

LEAST_CHANCE = 0.1  # less likely things are not worth a word
_TOLD = 1  # so many are told in words; all are in the record


@dataclass(frozen=True)
class Other:
    """A thing that was not meant but may have been: where it is believed to be, and how surely.

    `place` is the name of the room, "" where none is known; `direction` and `distance_m` are from the wearer.
    """

    id: int
    direction: str
    distance_m: float
    place: str
    chance: float
    age_s: float | None


def other_candidates(question: Question, state: SpatialState, answer: Answer) -> tuple[Other, ...]:
    """Those that the words of a question about one thing may mean as well, likeliest to be meant first."""
    if not isinstance(question, About) or not answer.things:
        return ()
    try:
        here, found = heading_now(state), question.found(state)
    except Unanswerable:
        return ()
    rest = [
        thing
        for thing in found
        if thing.id not in answer.things and thing.chance * thing.there >= LEAST_CHANCE
    ]
    if not rest:
        return ()
    rooms = Places.of(state).tags_of([thing.view.box.center for thing in rest])
    others = []
    for thing, name in zip(rest, rooms, strict=True):
        bearing, distance, _ = here.polar(thing.view.box.center)
        direction, chance = named_way(bearing, distance)[0], thing.chance * thing.there
        others.append(
            Other(thing.id, direction, round(distance, 2), name, round(chance, 3), _age(state, thing))
        )
    return tuple(others)


def in_words(others: tuple[Other, ...]) -> str:
    """A sentence for the first of them, and the number of the rest."""
    if not others:
        return ""
    first = others[0]
    where = (
        f"in the {first.place}"
        if first.place
        else f"{DIRECTION_WORDS[first.direction]}, {first.distance_m:.1f} m away"
    )
    seen = "" if first.age_s is None else f", seen {age_in_words(first.age_s)}"
    verb = "is" if first.age_s == 0.0 and first.chance >= 0.5 else "may be"  # in view, or remembered
    more = f", and there are {len(others) - _TOLD} more" if len(others) > _TOLD else ""
    return f" Another one {verb} {where}{seen}{more}."


def _age(state: SpatialState, thing: Candidate) -> float | None:
    return None if thing.last is None else state.now - thing.last.time
