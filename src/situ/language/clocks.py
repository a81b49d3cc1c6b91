"""What times in words are counted from, and what they mean."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from situ.memory.file.wall_clock import WallClock

_SINCE_1970_S = 1e8  # times this large are seconds since 1970, so the hour of the day is known
_SINCE_1970 = WallClock(((0.0, datetime(1970, 1, 1)),))


@dataclass(frozen=True)
class When:
    """A time in a sentence: a moment, or the start of a span. `moved`: the place before the present one."""

    time: float | None = None
    since: float | None = None
    moved: bool = False

    @property
    def given(self) -> bool:
        return self.moved or self.time is not None or self.since is not None


@dataclass(frozen=True)
class Clock:
    """What times in words are counted from; `left` says when the wearer left a named place ("": this one)."""

    start: float = 0.0
    now: float = 0.0
    left: Callable[[str], float | None] = lambda place: None
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

    def bounds(self) -> dict[str, float | str]:
        """The arguments that say when something happened; a moment has a minute around it."""
        if self.place:
            return {"while": self.place}
        if self.at is not None:
            return {"since": self.at - _AROUND_S, "until": self.at + _AROUND_S}
        return {
            name: value for name, value in (("since", self.since), ("until", self.until)) if value is not None
        }


_AROUND_S = 30.0
