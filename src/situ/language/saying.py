"""What an answer is put into words from, and what its things are called."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from situ.geometry.heading import Heading, named_way
from situ.language.ages import age_in_words
from situ.language.naming import noun, the
from situ.language.phrasing import DIRECTION_WORDS, metres
from situ.questions.programs import Result
from situ.questions.rules.landmarks import plain_name, spot_of
from situ.questions.rules.wearer import gap_from, heading_now
from situ.state.protocol import ObjectView, SpatialState

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Saying:
    """All that an answer is put into words from: the ask as JSON, what it came to, and the state it was put
    to."""

    ask: Json
    result: Result
    state: SpatialState
    unit: str = ""
    views: Mapping[int, ObjectView] = field(default_factory=dict)

    @cached_property
    def of(self) -> Json:
        found: Json = self.ask.get("of") or {"op": "things"}
        return found

    @property
    def value(self) -> str:
        return str(self.result.value)

    @cached_property
    def here(self) -> Heading:
        return heading_now(self.state)

    def called(self, number: int) -> str:
        view = self.views.get(number)
        return "thing" if view is None else plain_name(view)

    @property
    def name(self) -> str:
        """ "the red cup": the words that were asked with, or what the one is called."""
        if self.of["op"] == "top" and self.result.things:
            return f"the {noun(self.of)}{self._and_what()}"
        if "'kind'" not in str(self.of) and self.result.things:
            return f"the {self.called(self.result.things[0])}"
        return the(self.of)

    def _and_what(self) -> str:
        """What a superlative turned out to be, where its words do not say."""
        if "kind" in str(self.of):
            return ""
        return f", the {self.called(self.result.things[0])},"

    @property
    def seen(self) -> str:
        age = self.age_s(self.result.things[0]) if self.result.things else None
        return "" if age is None else f", seen {age_in_words(age)}"

    def age_s(self, number: int) -> float | None:
        last = next(reversed(self.state.sightings(number)), None)
        return None if last is None else max(0.0, self.state.now - last.time)

    def far(self, number: int) -> float | None:
        """Metres over the ground to the closest point of a thing; None where it is not known."""
        box = self.state.where(number, self.state.now)
        return None if box is None else gap_from(self.here, box)

    def way(self, number: int) -> str:
        """ "behind you, 2.0 m away"; "" where a thing is not known to be anywhere."""
        box = self.state.where(number, self.state.now)
        if box is None:
            return ""
        bearing, distance, up = self.here.polar(box.center)
        words = DIRECTION_WORDS[named_way(bearing, distance)[0]]
        return f"{words}, {metres(gap_from(self.here, box), self.unit)} away{_level(up)}"

    def spot(self, number: int) -> str:
        """ "on the desk in the office", where that is known and was not asked with."""
        box = self.state.where(number, self.state.now)
        if box is None or any(f"'op': '{op}'" in str(self.of) for op in ("in", "rel")):
            return ""
        words = spot_of(self.state, box, number).words
        return f", {words}" if words else ""


def _level(up_m: float) -> str:
    return " (above your eyes)" if up_m > 0.8 else " (near the floor)" if up_m < -1.4 else ""


def is_are(said: Saying) -> str:
    from situ.english import is_plural

    name = str(said.of.get("kind", "")) if said.of["op"] == "things" else ""
    return "are" if name and is_plural(name) else "is"
