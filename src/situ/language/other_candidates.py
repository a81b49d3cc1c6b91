"""The other things that an answer's words may mean: "another one may be in the kitchen"."""

from dataclasses import dataclass

from situ.language.ages import age_in_words
from situ.language.phrasing import DIRECTION_WORDS

LEAST_CHANCE = 0.1  # less likely things are not worth a word


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


def in_words(others: tuple[Other, ...]) -> str:
    """A sentence for the nearest guess among them, and how many there are."""
    if not others:
        return ""
    first = others[0]
    where = (
        f"in the {first.place}"
        if first.place
        else f"{DIRECTION_WORDS[first.direction]}, {first.distance_m:.1f} m away"
    )
    seen = "" if first.age_s is None else f", seen {age_in_words(first.age_s)}"
    if len(others) > 1:
        return f" There are {len(others)} others; one is {where}{seen}."
    verb = "is" if first.age_s == 0.0 and first.chance >= 0.5 else "may be"  # in view, or remembered
    return f" Another one {verb} {where}{seen}."
