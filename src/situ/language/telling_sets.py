"""Answers about sets in words: how many, whether any, which; and what is nearest where there is nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from situ.english import is_plural
from situ.language.ages import age_in_words
from situ.language.lexicon import PEOPLE
from situ.language.naming import measure_name, noun, on_anything, said, some
from situ.language.phrasing import MOST_SAID, metres, upper
from situ.language.saying import Saying, is_are
from situ.language.told import SURE
from situ.language.words import singular
from situ.questions.programs.relations import HALF_DEG, NEAR_ME_M
from situ.questions.rules.listing import joined, several
from situ.questions.select import with_article

Json = Mapping[str, Any]

_MOST_PLACED = 4  # things of a list that are told with where they are; of more the names and numbers alone
_MOST_KINDS = 3  # that the rest of a long list is counted by
_KNOWN = "as far as I know"


def tell_count(said: Saying) -> str:
    number = int(said.result.value)
    if said.ask.get("kinds"):
        return f"{number} different kinds of {noun(said.of, True)}."
    name = noun(said.of, number != 1)
    known = "so far" if "'ever': True" in str(said.of) or "'did'" in str(said.of) else _KNOWN
    return f"{number or 'No'} {name}, {known}."


def tell_exists(said: Saying) -> str:
    number = int(said.result.numbers.get("count", 1))
    if said.value == "no" and said.of["op"] == "top" and said.of.get("rank", 1) > 1:
        return f"No, there are fewer than {said.of['rank']} {noun(said.of['of'], True)}, {_KNOWN}."
    if said.value == "no":
        return f"No, {_there_is_no(said.of)}, {_KNOWN}{_nearest(said)}."
    if said.of["op"] == "top" and said.of.get("rank", 1) > 1:  # there are three where there is a third
        return f"Yes, there are at least {said.of['rank']} {noun(said.of['of'], True)}."
    if noun(said.of).startswith("thing") and said.result.things:
        return f"Yes: {tell_listed(said, said.result.things)}."
    seen = said.of["op"] == "did" and said.of["act"] in ("seen", "first_seen")
    of = said.of["of"] if seen else said.of
    if number > 1 and of["op"] != "or":
        name = f"{number} {noun(of, True)}"
    elif of["op"] == "or":
        name = joined([several(name, n) for name, n in _by_name(said, said.result.things).items()])
    else:
        name = some(of)
    one = said.result.things[0] if said.result.things else None
    way = "" if one is None else said.way(one)
    spot = f", {'the nearest ' if number > 1 else ''}{way}{said.spot(one)}" if one is not None and way else ""
    if seen:
        age = None if one is None else said.age_s(one)
        last = "" if age is None else f", {'one of them ' if number > 1 else 'last '}{age_in_words(age)}"
        return f"Yes, you saw {name}{last}{spot if number == 1 else ''}."
    return f"Yes, there {'are' if number > 1 else 'is'} {name}{spot}."


def _there_is_no(of: Json) -> str:
    if of["op"] == "or":
        return f"there is neither {joined([some(one) for one in of['of']]).replace(' and ', ' nor ')}"
    name = noun(of)
    return "there is nothing like that" if name == "thing" else f"there is no {name}"


def tell_all(said: Saying) -> str:
    of, are = said.of, said.ask["are"]
    number, against = int(said.result.numbers["count"]), int(said.result.numbers.get("against", 0))
    name = noun(of, True)
    if number == 1 and are["op"] != "not":
        be = "are" if is_plural(of.get("kind", "")) else "is"
        return (
            f"{upper(said.value)}, the {noun(of)} {be} {'' if said.value == 'yes' else 'not '}{_said(are)}."
        )
    if said.value == "yes":
        if are["op"] == "not":
            return f"That is so: none of the {number} {name} {_be(number)} {_said(are['of'])}."
        return f"Yes, all {number} {name} are {_said(are)}."
    if are["op"] == "not":
        which = tell_listed(said, said.result.things)
        return f"No, {against} of the {number} {name} {_be(against)}: {which}."
    return (
        f"No, {against} of the {number} {name} {_be(against)} not: {tell_listed(said, said.result.things)}."
    )


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _said(of: Json) -> str:
    return said(of)


def tell_one_is(said: Saying) -> str:
    one, is_in = said.result.things[0], said.ask["in"]
    yes = said.value == "yes"
    verb = "was" if "'did'" in str(is_in) and "inview" not in str(is_in) else is_are(said)
    negative = is_in["op"] == "not" and not on_anything(is_in["of"])
    word = _said(is_in["of"]) if negative else _said(is_in)
    denied = negative == yes
    answer = "Yes" if yes else "No"
    if negative:  # "is the cup not red": yes or no alone would be read either way
        answer = "Right" if yes else "On the contrary"
    where = said.way(one)
    if is_in["op"] == "compare" and (measured := said.measured()):
        return f"{answer}: {measured}."
    told = f"{answer}, {said.name} {verb} {'not ' if denied else ''}{word}"
    if denied and where and ("'did'" not in str(is_in) or "inview" in str(is_in)):
        return f"{told}; it is {where}{said.spot(one) if is_in['op'] == 'in' else ''}{said.seen}."
    return f"{told}{'' if verb == 'was' else said.seen}."


def tell_list(said: Saying) -> str:
    things = said.result.things
    if not things:
        return _nothing(said)
    order = measure_name(said.ask.get("by") or "distance")
    if order != "distance" and len(things) > 1:
        return f"{upper(noun(said.of, True))}, {_ORDER.get(order, 'in this order')}: {_in_order(said)}."
    if said.of["op"] == "top" and len(things) == 1:
        return _the_most(said)
    if said.of["op"] == "did" and said.of["act"] == "inview":
        return f"{_header(said)} {tell_listed(said, things)}."
    if _is_kind_alone(said.of) and len(things) > 1:
        return f"{len(things)} {noun(said.of, True)}: {tell_listed(said, things)}."
    return f"{_header(said)}: {tell_listed(said, things)}."


_ORDER = {"first_seen": "by when you first saw them", "last_seen": "by when you last saw them"}


def _in_order(said: Saying) -> str:
    names = list(dict.fromkeys(said.called(one) for one in said.result.things))
    more = [f"{len(names) - MOST_SAID} more"] if len(names) > MOST_SAID else []
    return joined([*names[:MOST_SAID], *more])


def _nothing(said: Saying) -> str:
    """An empty list, with what is nearest where it is of what is near."""
    known = "" if said.of["op"] == "did" else " that I know of"
    if said.of["op"] == "rel" and said.of["rel"] == "inside":
        return f"{_header(said)}: I cannot see inside, and I saw nothing put in or taken out."
    if _of_people(said.of):
        return f"{_header(said)}: nobody{known}."
    nearest = _nearest(said)
    if not nearest:
        return f"{_header(said)}: nothing{known}."
    within = f" within {metres(float(said.of.get('m') or NEAR_ME_M), said.unit)}"
    where = " in this room" if said.of.get("of") == {"op": "in", "place": "here"} else within
    doubt = known if said.result.confidence <= SURE else ""
    return f"{_header(said)}: nothing{where}{doubt}{nearest}."


def _of_people(of: Json) -> bool:
    """Whether a set is of people alone."""
    if isinstance(of.get("of"), Mapping):
        return _of_people(of["of"])
    return of["op"] == "things" and singular(str(of.get("kind", ""))) in PEOPLE


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
    if of["op"] == "or" and all(one["op"] == "did" for one in of["of"]):
        return upper(_said(of))
    if of["op"] in ("in", "rel") and bare:
        return upper(_said(of))
    if of["op"] == "not" or (of["op"] == "except" and bare):
        inner = _said(of["of"] if of["op"] == "not" else of["but"])
        return f"Not {inner}"
    return upper(noun(of, True))


def _by_name(said: Saying, things: Sequence[int]) -> Counter[str]:
    return Counter(said.called(one) for one in things)


def tell_listed(said: Saying, things: Sequence[int]) -> str:
    """Things, the nearest first: a few with where they are; of many the names with their numbers, and the
    rest by kind."""
    order = sorted(things, key=lambda one: (said.far(one) is None, said.far(one) or 0.0, one))
    if measure_name(said.ask.get("by") or "distance") != "distance":
        order = list(things)
    names = _by_name(said, order)
    if _is_kind_alone(said.of) and len(order) <= _MOST_PLACED:
        return joined([_placed(said, one, names[said.called(one)] > 1) for one in order])
    if len(names) <= _MOST_PLACED:
        return joined(
            [f"{several(name, number)}{_where(said, name, order)}" for name, number in names.items()]
        )
    near = "'to': 'me'" in str(said.of) and "'not'" not in str(said.of)
    placed = set(list(names)[:_MOST_PLACED] if near else [])
    parts = [
        f"{several(name, number)}{_where(said, name, order) if name in placed else ''}"
        for name, number in names.items()
    ]
    told = set(list(names)[:MOST_SAID])
    rest = [one for one in order if said.called(one) not in told]
    return joined(parts) if len(rest) < 2 else joined([*parts[:MOST_SAID], *_by_kind(said, rest)])


def _by_kind(said: Saying, things: Sequence[int]) -> list[str]:
    """The rest of a long list: how many of the commonest kinds, and how many others."""
    kinds = Counter(said.views[one].category for one in things if one in said.views)
    common = [(name, number) for name, number in kinds.most_common(_MOST_KINDS) if number > 1]
    others = len(things) - sum(number for _, number in common)
    more = [f"{others} {'other thing' if common else 'more'}{'s' if common and others > 1 else ''}"]
    return [*(f"{several(name, number)} more" for name, number in common), *(more if others else [])]


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
    return f"; the nearest is the {said.called(one)}, {said.way(one)}{said.room(one)}"
