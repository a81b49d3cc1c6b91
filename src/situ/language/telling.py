"""Answers of programs as a person would say them: where things are, how many, which, when, and what is
nearest where there is nothing."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from situ.errors import Unanswerable
from situ.geometry.heading import Heading, named_way
from situ.language.naming import MORE, measure_name, noun, said, some, the
from situ.language.phrasing import DIRECTION_WORDS, MOST_SAID, QUARTER_WORDS, metres, upper
from situ.language.times import age_in_words, span_in_words
from situ.language.told import SURE
from situ.questions.programs import Entry, Result
from situ.questions.programs.relations import HALF_DEG, NEAR_ME_M
from situ.questions.rules.landmarks import plain_name, spot_of
from situ.questions.rules.listing import NOTHING, SEPARATOR, joined, several
from situ.questions.rules.wearer import gap_from, heading_now
from situ.questions.select import with_article
from situ.state.protocol import ObjectView, SpatialState

Json = Mapping[str, Any]
_MOST_PLACED = 4  # things of a list that are told with where they are; of more the names and numbers alone
_TURNS = {
    "straight ahead": "is straight ahead", "half right": "is ahead to your right: turn half right",
    "to the right": "is to your right: turn right",
    "sharp right": "is behind you to the right: turn sharply right",
    "turn around": "is behind you: turn around",
    "sharp left": "is behind you to the left: turn sharply left",
    "to the left": "is to your left: turn left",
    "half left": "is ahead to your left: turn half left",
}  # fmt: skip
_KNOWN = "as far as I know"
_RANGE_M, _RANGE_SHARE = (
    0.5,
    0.25,
)  # how far the ends of its interval may be from a distance told without them


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


def tell(said: Saying) -> str:
    """One or two sentences for an answer."""
    if said.ask["ask"] == "get":
        return _GET.get(said.ask["what"], _look)(said)
    return _ASKS[said.ask["ask"]](said)


# ---------------------------------------------------------------------- one thing
def _way(said: Saying) -> str:
    if said.ask.get("at") is not None:
        return _then(said)
    one = said.result.things[0]
    return f"{upper(said.name)} {_is(said)} {said.way(one) or 'somewhere else'}{said.spot(one)}{said.seen}."


def _is(said: Saying) -> str:
    from situ.english import is_plural

    name = str(said.of.get("kind", "")) if said.of["op"] == "things" else ""
    return "are" if name and is_plural(name) else "is"


def _then(said: Saying) -> str:
    """Where it was at a time, and where that is from where the wearer is now."""
    far, words = metres(said.result.numbers["distance_m"], said.unit), DIRECTION_WORDS[said.value]
    one, at = said.result.things[0], float(said.ask["at"])
    box = said.state.where(one, at)
    spot = spot_of(said.state, box, one).words if box is not None else ""
    ago = age_in_words(said.state.now - at)
    where = f"{spot} {ago}; that is " if spot else ""
    return f"{upper(said.name)} was {where}{words}, {far} away{'' if spot else f', {ago}'}."


def _distance(said: Saying) -> str:
    far = metres(float(said.result.value), said.unit)
    one = said.result.things[0]
    return f"{upper(said.name)} {_is(said)} {far} away{said.spot(one)}{said.seen}.{_roughly(said)}"


def _roughly(said: Saying) -> str:
    """How far it may be, where the distance that is told is no more than a middle."""
    told = said.result.numbers.get("distance_m")
    if told is None or said.result.interval is None:
        return ""
    low, high = said.result.interval
    if max(told - low, high - told) <= max(_RANGE_M, _RANGE_SHARE * told):
        return ""
    return f" The distance is known only roughly: {metres(low, said.unit)} to {metres(high, said.unit)}."


def _turn(said: Saying) -> str:
    far = metres(said.far(said.result.things[0]) or 0.0, said.unit)
    return f"{upper(said.name)} {_TURNS[said.value]}; it is {far} away{said.seen}."


def _side(said: Saying) -> str:
    where = QUARTER_WORDS.get(said.value, f"on your {said.value}")
    far = metres(said.far(said.result.things[0]) or 0.0, said.unit)
    return f"{upper(said.name)} {_is(said)} {where}, {far} away{said.seen}."


def _clock(said: Saying) -> str:
    far = metres(said.far(said.result.things[0]) or 0.0, said.unit)
    return f"{upper(said.name)} {_is(said)} at {said.value}, {far} away{said.seen}."


def _place(said: Saying) -> str:
    return f"{upper(said.name)} {_is(said)} in the {said.value}{said.seen}."


def _position(said: Saying) -> str:
    return f"{upper(said.name)} {_is(said)} at {said.value} on the map, in metres{said.seen}."


def _size(said: Saying) -> str:
    numbers = said.result.numbers
    sides = [100 * numbers[f"{side}_m"] for side in ("width", "depth", "height")]
    if said.ask["what"] != "size":
        word = "tall" if said.ask["what"] == "height" else "wide"
        return f"{upper(said.name)} {_is(said)} {said.value} cm {word}."
    return f"{upper(said.name)} {_is(said)} {sides[2]:.0f} cm tall, {sides[0]:.0f} cm by {sides[1]:.0f} cm."


def _look(said: Saying) -> str:
    what = said.ask["what"]
    if what == "kind":
        return f"{upper(said.name)} is {with_article(said.value)}."
    return f"{upper(said.name)} {_is(said)} {said.value}."


def _support(said: Saying) -> str:
    return f"{upper(said.name)} {_is(said)} on the {said.value}{said.seen}."


def _last_seen(said: Saying) -> str:
    which = "first" if said.ask["what"] == "first_seen" else "last"
    one = said.result.things[0]
    spot = said.spot(one) if which == "last" else ""
    return f"You {which} saw {said.name} {age_in_words(said.result.numbers['age_s'])}{spot}."


def _moved_at(said: Saying) -> str:
    return f"{upper(said.name)} was last moved {age_in_words(said.result.numbers['age_s'])}."


def _came_from(said: Saying) -> str:
    return f"{upper(said.name)} was in the {said.value} before it was moved."


# ---------------------------------------------------------------------- how many, whether, which
def _count(said: Saying) -> str:
    number = int(said.result.value)
    if said.ask.get("kinds"):
        return f"{number} different kinds of {noun(said.of, True)}."
    name = noun(said.of, number != 1)
    known = "so far" if "'ever': True" in str(said.of) or "'did'" in str(said.of) else _KNOWN
    return f"{number or 'No'} {name}, {known}."


def _exists(said: Saying) -> str:
    number = int(said.result.numbers.get("count", 1))
    if said.value == "no":
        return f"No, {_there_is_no(said.of)}, {_KNOWN}{_nearest(said)}."
    if number > 1 and said.of["op"] != "or":
        name = f"{number} {noun(said.of, True)}"
    elif said.of["op"] == "or":
        name = joined([several(name, n) for name, n in _by_name(said, said.result.things).items()])
    else:
        name = some(said.of)
    if noun(said.of).startswith("thing") and said.result.things:
        return f"Yes: {_listed(said, said.result.things)}."
    first = said.way(said.result.things[0]) if said.result.things else ""
    nearest = f"; {'the nearest is' if number > 1 else 'it is'} {first}" if first else ""
    return f"Yes, {name}{nearest}."


def _there_is_no(of: Json) -> str:
    if of["op"] == "or":
        return f"there is neither {joined([some(one) for one in of['of']]).replace(' and ', ' nor ')}"
    name = noun(of)
    return "there is nothing like that" if name == "thing" else f"there is no {name}"


def _all(said: Saying) -> str:
    of, are = said.of, said.ask["are"]
    number, against = int(said.result.numbers["count"]), int(said.result.numbers.get("against", 0))
    name = noun(of, True)
    if said.value == "yes":
        if are["op"] == "not":
            return f"That is so: none of the {number} {name} {_be(number)} {_said(are['of'])}."
        return f"Yes, all {number} {name} are {_said(are)}." if number > 1 else f"Yes, the one {noun(of)} is."
    if are["op"] == "not":
        which = _listed(said, said.result.things)
        return f"No, {against} of the {number} {name} {_be(against)}: {which}."
    return f"No, {against} of the {number} {name} {_be(against)} not: {_listed(said, said.result.things)}."


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _said(of: Json) -> str:
    return said(of)


def _one_is(said: Saying) -> str:
    one, is_in = said.result.things[0], said.ask["in"]
    yes = said.value == "yes"
    verb = "was" if "'did'" in str(is_in) and "inview" not in str(is_in) else _is(said)
    word = _said(is_in["of"]) if is_in["op"] == "not" else _said(is_in)
    denied = (is_in["op"] == "not") == yes
    answer = "Yes" if yes else "No"
    if is_in["op"] == "not":  # "is the cup not red": yes or no alone would be read either way
        answer = "Right" if yes else "On the contrary"
    where = said.way(one)
    told = f"{answer}, {said.name} {verb} {'not ' if denied else ''}{word}"
    if denied and where and ("'did'" not in str(is_in) or "inview" in str(is_in)):
        return f"{told}; it is {where}{said.spot(one) if is_in['op'] == 'in' else ''}{said.seen}."
    return f"{told}{said.seen}."


def _list(said: Saying) -> str:
    things = said.result.things
    if not things:
        return _nothing(said)
    if said.of["op"] == "top" and len(things) == 1:
        return _the_most(said)
    if said.of["op"] == "did" and said.of["act"] == "inview":
        return f"{_header(said)} {_listed(said, things)}."
    if _is_kind_alone(said.of) and len(things) > 1:
        return f"{len(things)} {noun(said.of, True)}: {_listed(said, things)}."
    return f"{_header(said)}: {_listed(said, things)}."


def _nothing(said: Saying) -> str:
    """An empty list, with what is nearest where it is of what is near."""
    known = "" if said.of["op"] == "did" else " that I know of"
    nearest = _nearest(said)
    if nearest:
        within = metres(float(said.of.get("m") or NEAR_ME_M), said.unit)
        known = f" within {within}{known if said.result.confidence <= SURE else ''}"
    return f"{_header(said)}: nothing{known}{nearest}."


def _the_most(said: Saying) -> str:
    one = said.result.things[0]
    way = said.way(one)
    name = noun(said.of)
    called = said.called(one)
    what = "" if called in name else f" is the {called}"
    if not what:
        return f"The {name} is {way or 'not where it was'}{said.spot(one)}{said.seen}."
    return f"The {name}{what}{f', {way}' if way else ''}{said.spot(one)}{said.seen}."


def _is_kind_alone(of: Json) -> bool:
    return of["op"] == "things" and "kind" in of


def _header(said: Saying) -> str:
    """What a list is of: "In the kitchen", "Behind you", "You moved", "Red chairs"."""
    of = said.of
    if of["op"] == "rel" and of["to"] == "me" and of["rel"] in ("front", "behind", "left", "right"):
        of = {**of, "m": None}
    bare = of.get("of") in (
        None,
        {"op": "things"},
        {"op": "things", "ever": True},
        {"op": "in", "place": "here"},
    )
    if of["op"] == "did" and of["act"] == "inview" and bare:
        return "You see"
    if of["op"] == "did" and bare:
        if of["act"] in ("moved", "taken", "brought", "held", "seen") and of.get("by") == "me":
            return upper(noun(of).removeprefix("thing that "))
        return upper(_said(of))
    if of["op"] == "things" and "kind" not in of:
        return upper(noun(of, True))
    if of["op"] in ("in", "rel") and bare:
        return upper(_said(of))
    if of["op"] == "not" or (of["op"] == "except" and bare):
        inner = _said(of["of"] if of["op"] == "not" else of["but"])
        return f"Not {inner}"
    return upper(noun(of, True))


def _by_name(said: Saying, things: Sequence[int]) -> Counter[str]:
    return Counter(said.called(one) for one in things)


def _listed(said: Saying, things: Sequence[int]) -> str:
    """Things, the nearest first: a few with where they are, of many the names with their numbers."""
    order = sorted(things, key=lambda one: (said.far(one) is None, said.far(one) or 0.0, one))
    if said.ask.get("by") not in (None, "distance"):
        order = list(things)
    names = _by_name(said, order)
    if _is_kind_alone(said.of) and len(order) <= _MOST_PLACED:
        return joined([_placed(said, one, names[said.called(one)] > 1) for one in order])
    if len(names) <= _MOST_PLACED:
        return joined(
            [f"{several(name, number)}{_where(said, name, order)}" for name, number in names.items()]
        )
    parts = [several(name, number) for name, number in names.items()]
    rest = sum(list(names.values())[MOST_SAID:])
    return joined(parts) if rest < 2 else joined([*parts[:MOST_SAID], f"{rest} more"])


def _placed(said: Saying, one: int, alike: bool) -> str:
    way = said.way(one)
    name = "one" if alike and _is_kind_alone(said.of) else with_article(said.called(one))
    return f"{name} {way}" if way else name


def _where(said: Saying, name: str, order: Sequence[int]) -> str:
    """ " (2.0 m, behind you)", of several the nearest."""
    alike = [one for one in order if said.called(one) == name]
    way = said.way(alike[0])
    if not way:
        return ""
    _, far = way.rsplit(", ", 1)
    if "'to': 'me'" in str(said.of) and "'not'" not in str(said.of):  # the side is in the question
        way = far.removesuffix(" away")
    return f" ({'the nearest ' if len(alike) > 1 else ''}{way})"


def _is_beside(said: Saying, one: int) -> bool:
    """Whether a thing is on the side that was asked about."""
    middle = {"front": 0.0, "right": 90.0, "behind": 180.0, "left": -90.0}.get(said.of["rel"])
    box = said.state.where(one, said.state.now)
    if middle is None or box is None:
        return box is not None
    return abs((said.here.bearing_deg(box.center) - middle + 180.0) % 360.0 - 180.0) <= HALF_DEG


def _nearest(said: Saying) -> str:
    """Where nothing is near or on a side: the nearest thing there is."""
    of = said.of
    if of["op"] != "rel" or of["to"] != "me" or of["rel"] == "reach":
        return ""
    found = [(far, one) for one in said.views if (far := said.far(one)) is not None and _is_beside(said, one)]
    if not found:
        return ""
    far, one = min(found)
    return f"; the nearest is the {said.called(one)}, {said.way(one)}"


# ---------------------------------------------------------------------- comparing
def _compare(said: Saying) -> str:
    ask, entries = said.ask, said.result.entries
    if "by" not in ask:
        return _numbers(said, entries)
    first, second = entries[0], entries[1]
    by, least = measure_name(ask["by"]), ask.get("least") is not False
    if ask.get("diff"):
        return f"By {metres(abs(float(said.result.value)), said.unit)}."
    if said.value == "equal":
        return f"{upper(_the(first.name))} and {_the(second.name)} are alike in that."
    best = next(entry for entry in entries if entry.name == said.value)
    numbers = [f"{_measured(said, by, entry.number)}" for entry in entries]
    word = MORE.get((by, least), by)
    order = sorted(zip(entries, numbers, strict=True), key=lambda pair: pair[0] is not best)
    return f"{upper(_the(best.name))} is {word}: {joined([number for _, number in order])}."


def _the(name: str) -> str:
    return name if name.split(" ")[0] in ("the", "my", "a", "an", "this", "that") else f"the {name}"


def _measured(said: Saying, by: str, number: float | None) -> str:
    if number is None:
        return "unknown"
    if by in ("last_seen", "first_seen", "moved_at"):
        return age_in_words(said.state.now - number)
    if by == "volume":
        return f"{1000 * number:.0f} litres"
    return metres(number, said.unit)


def _numbers(said: Saying, entries: Sequence[Entry]) -> str:
    told = joined([f"{int(entry.number or 0)} {entry.name}" for entry in entries])
    if said.ask.get("diff"):
        gap = int(said.result.value)
        return f"{abs(gap)} {'more' if gap >= 0 else 'fewer'}: {told}."
    if said.value == "equal":
        return f"Equally many: {told}."
    return f"More {said.value}: {told}."


def _gap(said: Saying) -> str:
    far = metres(float(said.result.value), said.unit)
    return f"{upper(the(said.of))} and {the(said.ask['to'])} are {far} apart."


def _per(said: Saying) -> str:
    ask, name = said.ask, noun(said.of, True)
    groups = said.value.split(SEPARATOR)
    rooms = joined([f"the {room}" for room in groups]) if ask["per"] == "place" else joined(groups)
    want = ask.get("want", "any")
    if want == "each":
        told = [f"{int(entry.number or 0)} in the {entry.name}" for entry in said.result.entries]
        if ask["per"] != "place":
            told = [f"{int(entry.number or 0)} {entry.name}" for entry in said.result.entries]
        return f"{upper(name)}: {joined(told) or 'none that I know of'}."
    if want == "one":
        return f"{upper(said.value)}, {name} are {'' if said.value == 'yes' else 'not '}in one {ask['per']}."
    if want == "most":
        if said.value == "equal":
            return f"Equally many {name} in several of them."
        return f"{upper(rooms)} has the most {name}."
    nothing = said.value in ("none", NOTHING)
    if want == "none":
        return f"Every one of them has {name}." if nothing else f"No {name} in {rooms}."
    return f"None of them has {name}, {_KNOWN}." if nothing else f"{upper(name)} in {rooms}."


# ---------------------------------------------------------------------- the wearer
def _me(said: Saying) -> str:
    return _ME[said.ask["what"]](said)


def _place_at(said: Saying) -> str:
    return f"You {'are' if said.ask.get('at') is None else 'were'} in the {said.value}."


def _rooms(said: Saying) -> str:
    names = [] if said.value in ("", NOTHING) else said.value.split(SEPARATOR)
    told = joined([f"the {name}" for name in names])
    if said.ask["what"] == "places":
        return f"You have been in {told or 'no place that I know the name of'}."
    return (
        f"You have not been in {told}." if names else "There is no room that I know of and you were not in."
    )


def _been(said: Saying) -> str:
    place = said.ask["place"]
    if said.value == "no":
        return f"No, you were not in the {place}{_span(said)}."
    times = int(said.result.numbers.get("count", 1))
    return f"Yes, you were in the {place}{'' if times == 1 else f' {times} times'}{_span(said)}."


def _span(said: Saying) -> str:
    return " in that time" if said.ask.get("since") is not None else ""


def _time_in(said: Saying) -> str:
    visits = int(said.result.numbers.get("visits", 1))
    times = f" over {visits} visits" if visits > 1 else ""
    return f"You were in the {said.ask['place']} for {span_in_words(float(said.result.value))}{times}."


def _times_in(said: Saying) -> str:
    number = int(said.result.value)
    return f"You were in the {said.ask['place']} {'once' if number == 1 else f'{number} times'}{_span(said)}."


def _last_in(said: Saying) -> str:
    if said.result.numbers.get("still"):
        return f"You are in the {said.ask['place']} now."
    return f"You were last in the {said.ask['place']} {age_in_words(said.result.numbers['age_s'])}."


def _walked(said: Saying) -> str:
    return f"You walked {metres(float(said.result.value), said.unit)}{_span(said)}."


_ME: Mapping[str, Callable[[Saying], str]] = {
    "place_at": _place_at, "before": lambda s: f"Before that you were in the {s.value}.", "places": _rooms,
    "unvisited": _rooms, "been": _been, "time_in": _time_in, "times_in": _times_in, "last_in": _last_in,
    "walked": _walked,
}  # fmt: skip
_GET: Mapping[str, Callable[[Saying], str]] = {
    "way": _way, "turn": _turn, "side": _side, "hand": _side, "clock": _clock, "distance": _distance,
    "place": _place, "position": _position, "size": _size, "height": _size, "width": _size,
    "last_seen": _last_seen, "first_seen": _last_seen, "moved_at": _moved_at, "came_from": _came_from,
    "support": _support,
}  # fmt: skip
_ASKS: Mapping[str, Callable[[Saying], str]] = {
    "count": _count, "exists": _exists, "all": _all, "is": _one_is, "list": _list, "compare": _compare,
    "gap": _gap, "per": _per, "me": _me,
}  # fmt: skip
_ = Unanswerable
