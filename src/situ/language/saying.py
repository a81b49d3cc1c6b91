"""What an answer is put into words from, and what its things are called."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from situ.errors import Unanswerable
from situ.geometry.heading import Heading, named_way
from situ.language.ages import age_in_words
from situ.language.naming import measure_name, noun, the
from situ.language.phrasing import DIRECTION_WORDS, metres
from situ.questions.programs import Result, evaluate
from situ.questions.rules.landmarks import plain_name, spot_of
from situ.questions.rules.places import Places
from situ.questions.rules.wearer import gap_from, heading_now
from situ.state.protocol import ObjectView, SpatialState

Json = Mapping[str, Any]
_MEASURED = {"distance": "away", "height": "tall", "width": "wide"}  # measures that are told in metres


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
        if "kind" in str(self.of) and self.of["of"]["op"] != "or":
            return ""
        return f", the {self.called(self.result.things[0])},"

    @property
    def seen(self) -> str:
        age = self.age_s(self.result.things[0]) if self.result.things else None
        return "" if age is None else f", seen {age_in_words(age)}"

    def age_s(self, number: int) -> float | None:
        last = next(reversed(self.state.sightings(number)), None)
        return None if last is None else max(0.0, self.state.now - last.time)

    def ago(self, time: float) -> str:
        """ "3 minutes ago, at 9:12", where the hours of the day are known."""
        words, wall = age_in_words(max(0.0, self.state.now - time)), getattr(self.state, "wall_clock", None)
        return words if wall is None else f"{words}, at {wall.at(time):%H:%M}".replace(" at 0", " at ")

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

    def room(self, number: int) -> str:
        """ ", in the hallway", where a thing is in another room than the wearer."""
        box, places = self.state.where(number, self.state.now), Places.of(self.state)
        tag = places.tag_of(box.center) if box is not None and places else ""
        mine = places.tag_of(self.here.position) if tag else ""
        return f", in the {tag}" if tag and tag != mine else ""

    def measured(self) -> str:
        """What a comparison found, with its numbers: "the lamp is 1.6 m tall, the shelf 1.2 m"."""
        said = self.ask["in"]
        name = measure_name(said["by"])
        if name not in _MEASURED or not isinstance(said["than"], Mapping | int | float):
            return ""
        sets = [self.of] + ([dict(said["than"])] if isinstance(said["than"], Mapping) else [])
        told = []
        for of in sets:
            entry = self._measure(of, name)
            if entry is None:
                return ""
            told.append((the(of), entry))
        long = {of: self._long(measure, name) for of, measure in told}
        first, *rest = long.items()
        return ", ".join(
            [f"{first[0]} is {first[1]} {_MEASURED[name]}", *(f"{of} {far}" for of, far in rest)]
        )

    def _long(self, measure: float, name: str) -> str:
        """A length as people tell it: sizes below a metre in centimetres."""
        small = name != "distance" and measure < 1.0 and not self.unit
        return f"{100 * measure:.0f} cm" if small else metres(measure, self.unit)

    def _measure(self, of: Json, name: str) -> float | None:
        """A measure of the one that a set means."""
        what = {"distance": "distance", "height": "height", "width": "width"}[name]
        try:
            (found,) = evaluate({"ask": "get", "what": what, "of": of}, self.state)
        except Unanswerable:
            return None
        if what == "distance":
            return float(found.value)
        return float(found.numbers[f"{what}_m"])

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

    if said.of["op"] == "top" and int(said.of.get("n", 1)) > 1:
        return "are"
    name = str(said.of.get("kind", "")) if said.of["op"] == "things" else ""
    return "are" if name and is_plural(name) else "is"
