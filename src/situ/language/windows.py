"""Records of times: a window that a sentence names, and the clock that it is counted from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from situ.memory.file.wall_clock import WallClock

_SINCE_1970_S = 1e8  # times this large are seconds since 1970, so the hour of the day is known
_SINCE_1970 = WallClock(((0.0, datetime(1970, 1, 1)),))
_AROUND_S = 30.0  # a moment is a minute long where what happened at it is asked
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "forty five": 45, "fifty": 50, "sixty": 60, "ninety": 90, "half a": 0.5, "half an": 0.5, "a few": 3,
    "few": 3, "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2, "several": 5, "some": 5, "": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Stay:
    """When the wearer entered and left a place."""

    start: float
    end: float


@dataclass(frozen=True)
class Clock:
    """What times in words are counted from; `stays` are those in a named place, in order ("": in the place
    that the wearer is in), none where no place is called so."""

    start: float = 0.0
    now: float = 0.0
    stays: Callable[[str], Sequence[Stay]] = lambda place: ()
    told: WallClock | None = None  # what the memory was told of the hours of its day
    anyway: bool = False  # whether a time that the memory does not know is taken for its start

    @property
    def wall(self) -> WallClock | None:
        """The clock on the wall, if its hours are known."""
        return self.told or (_SINCE_1970 if self.now > _SINCE_1970_S else None)


@dataclass(frozen=True)
class Window:
    """A time in a sentence as the algebra takes it: a moment, a span, or while the wearer was in a place."""

    at: float | None = None
    since: float | None = None
    until: float | None = None
    place: str = ""
    whole: bool = False  # "today", "so far": all that the recording holds
    said: str = field(default="", compare=False)  # the words for it

    @property
    def is_span(self) -> bool:
        return self.since is not None and self.at is None and not self.whole

    def bounds(self) -> dict[str, float | str]:
        """The arguments that say when something happened; a moment has a minute around it."""
        if self.place:
            return {"while": self.place}
        if self.at is not None:
            return {"since": self.at - _AROUND_S, "until": self.at + _AROUND_S}
        return {
            name: value for name, value in (("since", self.since), ("until", self.until)) if value is not None
        }


def bounded(word: str, moment: float) -> Window:
    """The window that "since", "until" and others make of a moment."""
    if word in ("before", "until", "till"):
        return Window(until=moment)
    return Window(since=moment) if word in ("after", "since", "from") else Window(at=moment)


def number_of(word: str) -> float | None:
    """A number in words or digits; None if it is none."""
    return float(NUMBERS[word]) if word in NUMBERS else float(word) if word.isdigit() else None
