"""What the clock on the wall showed while a memory was made, where somebody said so."""

import json
from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from situ.errors import BadInput


@dataclass(frozen=True)
class WallClock:
    """Readings of the clock, each at a time of the memory, in order; it runs evenly from one to the next."""

    readings: tuple[tuple[float, datetime], ...]

    def at(self, time: float) -> datetime:
        """What the clock showed at a time."""
        times = [of for of, _ in self.readings]
        of, shown = self.readings[max(0, bisect_right(times, time) - 1)]
        return shown + timedelta(seconds=time - of)

    def time_of(self, moment: datetime) -> float:
        """The time at which the clock showed a moment."""
        shown = [reading for _, reading in self.readings]
        of, reading = self.readings[max(0, bisect_right(shown, moment) - 1)]
        return of + (moment - reading).total_seconds()

    @classmethod
    def from_json(cls, text: str) -> "WallClock":
        return cls(tuple((float(of), datetime.fromisoformat(shown)) for of, shown in json.loads(text)))

    def to_json(self) -> str:
        return json.dumps([(of, shown.isoformat()) for of, shown in self.readings])

    def with_reading(self, time: float, shown: datetime) -> "WallClock":
        """The clock with one more reading. Raises BadInput if it would run backwards."""
        readings = sorted({**dict(self.readings), time: shown.replace(tzinfo=None)}.items())
        if any(later <= earlier for (_, earlier), (_, later) in pairwise(readings)):
            said = ", ".join(f"{moment:%Y-%m-%d %H:%M} at {of:g} s" for of, moment in readings)
            raise BadInput(f"the clock would run backwards: {said}")
        return WallClock(tuple(readings))


def started_at(text: str) -> datetime:
    """The moment that a user wrote: 2026-03-02 09:00."""
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise BadInput(f"{text!r} is no date and time; write it like '2026-03-02 09:00'") from error
