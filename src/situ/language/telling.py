"""Answers of programs as a person would say them: where things are, how many, which, when, and what is
nearest where there is nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from situ.language.ages import age_in_words, span_in_words
from situ.language.naming import MORE, MOST, measure_name, noun, the
from situ.language.phrasing import DIRECTION_WORDS, QUARTER_WORDS, metres, upper
from situ.language.saying import Saying as Saying
from situ.language.saying import is_are
from situ.language.telling_sets import tell_all, tell_count, tell_exists, tell_list, tell_one_is
from situ.questions.programs import Entry
from situ.questions.rules.landmarks import spot_of
from situ.questions.rules.listing import NOTHING, SEPARATOR, joined
from situ.questions.select import with_article

Json = Mapping[str, Any]

_TURNS = {
    "straight ahead": "is straight ahead", "half right": "is ahead to your right: turn half right",
    "to the right": "is to your right: turn right",
    "sharp right": "is behind you to the right: turn sharply right",
    "turn around": "is behind you: turn around",
    "sharp left": "is behind you to the left: turn sharply left",
    "to the left": "is to your left: turn left",
    "half left": "is ahead to your left: turn half left",
}  # fmt: skip
_RANGE_M, _RANGE_SHARE = (
    0.5,
    0.25,
)  # how far the ends of its interval may be from a distance told without them


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
    way = said.way(one)
    where = f"{way or 'somewhere else'}{said.spot(one)}{said.seen}."
    return f"{upper(said.name)} {is_are(said)} {where}{_roughly(said) if way else ''}"


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
    return f"{upper(said.name)} {is_are(said)} {far} away{said.spot(one)}{said.seen}.{_roughly(said)}"


def _roughly(said: Saying) -> str:
    """How far it may be, where the distance that is told is no more than a middle."""
    told = said.result.numbers.get("distance_m")
    if told is None or said.result.interval is None:
        return ""
    low, high = said.result.interval
    if max(told - low, high - told) <= max(_RANGE_M, _RANGE_SHARE * told):
        return ""
    return f" The distance is known only roughly: {metres(low, said.unit)} to {metres(high, said.unit)}."


def _far(said: Saying) -> str:
    """How far away the one that is meant is."""
    return metres(said.far(said.result.things[0]) or 0.0, said.unit)


def _turn(said: Saying) -> str:
    return f"{upper(said.name)} {_TURNS[said.value]}; it is {_far(said)} away{said.seen}."


def _side(said: Saying) -> str:
    where = QUARTER_WORDS.get(said.value, f"on your {said.value}")
    return f"{upper(said.name)} {is_are(said)} {where}, {_far(said)} away{said.seen}."


def _clock(said: Saying) -> str:
    return f"{upper(said.name)} {is_are(said)} at {said.value}, {_far(said)} away{said.seen}."


def _place(said: Saying) -> str:
    return f"{upper(said.name)} {is_are(said)} in the {said.value}{said.seen}."


def _position(said: Saying) -> str:
    return f"{upper(said.name)} {is_are(said)} at {said.value} on the map, in metres{said.seen}."


def _size(said: Saying) -> str:
    numbers = said.result.numbers
    sides = [100 * numbers[f"{side}_m"] for side in ("width", "depth", "height")]
    if said.ask["what"] != "size":
        word = "tall" if said.ask["what"] == "height" else "wide"
        return f"{upper(said.name)} {is_are(said)} {said.value} cm {word}."
    return (
        f"{upper(said.name)} {is_are(said)} {sides[2]:.0f} cm tall, {sides[0]:.0f} cm by {sides[1]:.0f} cm."
    )


def _look(said: Saying) -> str:
    what = said.ask["what"]
    if what == "kind":
        return f"{upper(said.name)} is {with_article(said.value)}."
    return f"{upper(said.name)} {is_are(said)} {said.value}."


def _support(said: Saying) -> str:
    return f"{upper(said.name)} {is_are(said)} on the {said.value}{said.seen}."


def _last_seen(said: Saying) -> str:
    which = "first" if said.ask["what"] == "first_seen" else "last"
    one = said.result.things[0]
    spot = said.spot(one) if which == "last" else ""
    return f"You {which} saw {said.name} {_ago(said)}{spot}."


def _ago(said: Saying) -> str:
    return said.ago(said.state.now - said.result.numbers["age_s"])


def _moved_at(said: Saying) -> str:
    return f"{upper(said.name)} was last moved {_ago(said)}."


def _moved_by(said: Saying) -> str:
    if said.value == "you":
        return f"You moved {said.name}."
    return f"Not you: somebody else must have moved {said.name}."


def _came_from(said: Saying) -> str:
    return f"{upper(said.name)} was in the {said.value} before it was moved."


# ---------------------------------------------------------------------- comparing
def _compare(said: Saying) -> str:
    ask, entries = said.ask, said.result.entries
    if "by" not in ask:
        return _numbers(said, entries)
    by, least = measure_name(ask["by"]), ask.get("least") is not False
    if ask.get("diff"):
        first, second = (_measured(said, by, entry.number) for entry in entries)
        gap = metres(abs(float(said.result.value)), said.unit)
        return f"By {gap}: {first} for {_the(entries[0].name)}, {second} for {_the(entries[1].name)}."
    if said.value == "equal":
        return f"{upper(_the(entries[0].name))} and {_the(entries[1].name)} are alike in that."
    order = sorted(entries, key=lambda entry: entry.name != said.value)
    numbers = [_measured(said, by, entry.number) for entry in order]
    rest = [f"{number} for {_the(entry.name)}" for entry, number in zip(order[1:], numbers[1:], strict=True)]
    word = MORE.get((by, least), by) if len(order) < 3 else f"the {MOST.get((by, least), by)}"
    return f"{upper(_the(order[0].name))} is {word}: {numbers[0]}, against {joined(rest)}."


def _the(name: str) -> str:
    return name if name.split(" ")[0] in ("the", "my", "a", "an", "this", "that") else f"the {name}"


def _measured(said: Saying, by: str, number: float | None) -> str:
    if number is None:
        return "unknown"
    if by in ("last_seen", "first_seen", "moved_at"):
        return said.ago(number)
    if by == "volume":
        return f"{1000 * number:.0f} litres"
    return metres(number, said.unit)


def _numbers(said: Saying, entries: Sequence[Entry]) -> str:
    if [entry.name for entry in entries] == ["are", "are not"]:
        return _share(said, entries)
    told = joined([f"{int(entry.number or 0)} {entry.name}" for entry in entries])
    if said.ask.get("diff"):
        gap = int(said.result.value)
        return f"{abs(gap)} {'more' if gap >= 0 else 'fewer'}: {told}."
    if said.value == "equal":
        return f"Equally many: {told}."
    if all(
        one["op"] == "in" and one.get("place") == entry.name
        for one, entry in zip(said.ask["of"], entries, strict=True)
    ):
        told = joined([f"{int(entry.number or 0)} in the {entry.name}" for entry in entries])
        return (
            f"More {noun(said.ask['of'][0].get('of') or {'op': 'things'}, True)} in the {said.value}: {told}."
        )
    return f"More {said.value}: {told}."


def _share(said: Saying, entries: Sequence[Entry]) -> str:
    """Of how many of them something is so."""
    number, rest = (int(entry.number or 0) for entry in entries)
    base, of = said.ask["of"][1]["of"], said.ask["of"][0]
    name = noun(base, True) if of == base else noun(of, True)
    sure = "Yes" if said.value == "are" else "Half of them" if said.value == "equal" else "No"
    total = number + rest
    are = "is" if number == 1 else "are"
    return f"{sure}: of {total} {noun(base, True)}, {number or 'none'} {are} so ({name})."


def _gap(said: Saying) -> str:
    far = float(said.result.value)
    if far < 0.05:
        return f"{upper(the(said.of))} and {the(said.ask['to'])} touch each other: there is no gap."
    return f"{upper(the(said.of))} and {the(said.ask['to'])} are {metres(far, said.unit)} apart."


def _per(said: Saying) -> str:
    ask, name = said.ask, noun(said.of, True)
    if ask.get("and") is not None:
        name = f"{name} and {noun(ask['and'], True)}"
    groups = [] if said.value in ("none", NOTHING) else said.value.split(SEPARATOR)
    of_places = ask["per"] == "place"
    rooms = joined([f"the {room}" for room in groups]) if of_places else joined(groups)
    want = ask.get("want", "any")
    if want == "each":
        ranked = sorted(said.result.entries, key=lambda entry: (-(entry.number or 0), entry.name))
        told = [f"{int(one.number or 0)} {f'in the {one.name}' if of_places else one.name}" for one in ranked]
        return f"{upper(name)}: {joined(told) or 'none that I know of'}."
    if want == "one":
        return f"{upper(said.value)}, {name} are {'' if said.value == 'yes' else 'not '}in one {ask['per']}."
    if want in ("most", "least"):
        return _most_of(said, name)
    total = len(said.result.entries)
    if want == "none":
        if not groups:
            return f"Yes, every one of the {total} has {name}." if of_places else f"Every one has {name}."
        rest = total - len(groups)
        return f"No {name} in {rooms}{f'; the other {rest} have some' if rest > 0 else ''}."
    if ask.get("over"):
        more = f"more than {ask['over']:g} {name}"
        most = max((int(entry.number or 0) for entry in said.result.entries), default=0)
        return f"{upper(more)} in {rooms}." if groups else f"No room has {more}; the most in one is {most}."
    many = f"{len(groups)} rooms: " if of_places and len(groups) > 3 else ""
    return f"{upper(name)} in {many}{rooms}." if groups else f"None of them has {name}, as far as I know."


def _most_of(said: Saying, name: str) -> str:
    """The room with the most or the fewest, and the next."""
    want = said.ask["want"]
    ranked = sorted(
        said.result.entries, key=lambda one: -(one.number or 0) if want == "most" else one.number or 0
    )
    if said.value == "equal":
        best = [f"the {one.name}" for one in ranked if one.number == ranked[0].number]
        return f"Equally many {name} in {joined(best)}: {int(ranked[0].number or 0)}."
    number = next((int(one.number or 0) for one in ranked if one.name == said.value), 0)
    word = "most" if want == "most" else "fewest"
    place = f"the {said.value}" if said.ask["per"] == "place" else said.value
    return f"{upper(place)} has the {word} {name}: {number}."


# ---------------------------------------------------------------------- the wearer
def _me(said: Saying) -> str:
    return _ME[said.ask["what"]](said)


def _place_at(said: Saying) -> str:
    return f"You {'are' if said.ask.get('at') is None else 'were'} in the {said.value}."


def _rooms(said: Saying) -> str:
    names = [] if said.value in ("", NOTHING) else said.value.split(SEPARATOR)
    told = joined([f"the {name}" for name in names])
    many = f"{len(names)} rooms: " if len(names) > 3 else ""
    if said.ask["what"] == "places":
        verb = "were in" if said.ask.get("since") is not None else "have been in"
        return f"You {verb} {many}{told or 'no place that I know the name of'}."
    return f"You have not been in {many}{told}." if names else "You have been in every room that I know of."


def _been(said: Saying) -> str:
    place, numbers = said.ask["place"], said.result.numbers
    if said.value == "no":
        return f"No, you were not in the {place}{_span(said)}, as far as I know."
    times = int(numbers.get("count", 1))
    last = f", last {_ago(said)}" if "age_s" in numbers and not _span(said) else ""
    return f"Yes, you were in the {place} {'once' if times == 1 else f'{times} times'}{_span(said)}{last}."


def _span(said: Saying) -> str:
    return " in that time" if said.ask.get("since") is not None else ""


def _time_in(said: Saying) -> str:
    visits = int(said.result.numbers.get("visits", 1))
    if not visits:
        return f"You were not in the {said.ask['place']}{_span(said)}."
    times = f", in {visits} visits" if visits > 1 else ""
    long = span_in_words(float(said.result.value))
    return f"You were in the {said.ask['place']} for {long}{_span(said)}{times}."


def _times_in(said: Saying) -> str:
    number = int(said.result.value)
    place = said.ask["place"]
    if not number:
        return f"You were never in the {place}{_span(said)}, as far as I know."
    return f"You were in the {place} {'once' if number == 1 else f'{number} times'}{_span(said)}."


def _last_in(said: Saying) -> str:
    if said.result.numbers.get("still"):
        return f"You are in the {said.ask['place']} now."
    return f"You left the {said.ask['place']} {_ago(said)}."


def _entered(said: Saying) -> str:
    still = ", and you are still there" if said.result.numbers.get("still") else ""
    return f"You last entered the {said.ask['place']} {_ago(said)}{still}."


def _before(said: Saying) -> str:
    place = said.ask.get("place")
    return f"Before {f'the {place}' if place else 'that'} you were in the {said.value}."


def _longest(said: Saying) -> str:
    numbers = said.result.numbers
    return f"You stayed longest in the {said.value}: {span_in_words(numbers['seconds'])}, until {_ago(said)}."


def _walked(said: Saying) -> str:
    return f"You walked {metres(float(said.result.value), said.unit)}{_span(said)}."


_ME: Mapping[str, Callable[[Saying], str]] = {
    "place_at": _place_at, "before": _before, "places": _rooms, "unvisited": _rooms, "been": _been,
    "time_in": _time_in, "times_in": _times_in, "last_in": _last_in, "entered": _entered,
    "longest": _longest, "walked": _walked,
}  # fmt: skip
_GET: Mapping[str, Callable[[Saying], str]] = {
    "way": _way, "turn": _turn, "side": _side, "hand": _side, "clock": _clock, "distance": _distance,
    "place": _place, "position": _position, "size": _size, "height": _size, "width": _size,
    "last_seen": _last_seen, "first_seen": _last_seen, "moved_at": _moved_at, "came_from": _came_from,
    "support": _support, "moved_by": _moved_by,
}  # fmt: skip
_ASKS: Mapping[str, Callable[[Saying], str]] = {
    "count": tell_count, "exists": tell_exists, "all": tell_all, "is": tell_one_is, "list": tell_list,
    "compare": _compare, "gap": _gap, "per": _per, "me": _me,
}  # fmt: skip
