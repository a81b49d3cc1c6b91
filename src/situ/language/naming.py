"""Sets of the algebra of questions as people name them: "2 red cups on the table that you did not move"."""

from collections.abc import Mapping, Sequence
from typing import Any

from situ.english import is_plural, plural
from situ.language.ages import age_in_words, span_in_words
from situ.language.sets import HOLE, SET_HOLE
from situ.language.words import MASS, general_word
from situ.questions.rules.listing import joined
from situ.questions.select import with_article

Json = Mapping[str, Any]
ME_SIDES = {
    "front": "in front of you", "behind": "behind you", "left": "on your left", "right": "on your right",
    "near": "near you", "reach": "within reach",
}  # fmt: skip
_BESIDE = {
    "on": "on", "inside": "in", "under": "under", "above": "above", "near": "next to", "left": "left of",
    "right": "right of", "front": "in front of", "behind": "behind", "reach": "within reach of",
}  # fmt: skip
MOST = {
    ("distance", True): "nearest", ("distance", False): "farthest", ("volume", False): "biggest",
    ("volume", True): "smallest", ("size", False): "longest", ("size", True): "shortest",
    ("height", False): "tallest", ("height", True): "shortest", ("width", False): "widest",
    ("width", True): "narrowest", ("first_seen", True): "oldest", ("first_seen", False): "newest",
    ("last_seen", False): "most recently seen", ("last_seen", True): "least recently seen",
    ("moved_at", False): "last moved", ("moved_at", True): "first moved",
    ("times_moved", False): "most often moved", ("times_moved", True): "least often moved",
}  # fmt: skip
MORE = {
    ("distance", True): "closer", ("distance", False): "farther away", ("volume", False): "bigger",
    ("volume", True): "smaller", ("size", False): "longer", ("size", True): "shorter",
    ("height", False): "taller", ("height", True): "shorter", ("width", False): "wider",
    ("width", True): "narrower", ("last_seen", False): "seen more recently",
    ("last_seen", True): "seen longer ago", ("first_seen", True): "seen first",
    ("first_seen", False): "seen later", ("moved_at", False): "moved later",
    ("moved_at", True): "moved first",
}  # fmt: skip
_RANKS = (
    "",
    "",
    "second ",
    "third ",
    "fourth ",
    "fifth ",
    "sixth ",
    "seventh ",
    "eighth ",
    "ninth ",
    "tenth ",
)
_DONE = {
    "moved": "moved", "taken": "taken", "brought": "brought", "held": "in your hands", "seen": "seen",
    "first_seen": "first seen", "inview": "in view", "gone": "gone",
}  # fmt: skip
_I_DID = {
    "moved": "moved", "taken": "took", "brought": "brought", "held": "held", "seen": "saw",
    "first_seen": "first saw",
}  # fmt: skip


def measure_name(by: Any) -> str:
    return by["measure"] if isinstance(by, Mapping) else str(by)


_MANY_KINDS = 4  # are told by a general word
_OWN_NAMES = frozenset({"name", "code"})


def noun(of: Json, many: bool = False) -> str:
    """What a set is called, without an article: "red cup on the table"."""
    op = of["op"]
    if op == "things":
        looks = of.get("with", {})
        if "kind" not in of and _OWN_NAMES & looks.keys():  # "Tom", "desk 3"
            return " ".join(looks.values())
        words = [*looks.values(), of.get("kind", "thing") if of.get("kind") != HOLE else "one"]
        return " ".join([*words[:-1], plural(words[-1]) if many else words[-1]])
    if op == "or":
        kinds = [one.get("kind", "") for one in of["of"] if one["op"] == "things" and len(one) == 2]
        if len(kinds) == len(of["of"]) >= _MANY_KINDS and (word := general_word(kinds)):
            one = f"piece of {word}" if word in MASS else word
            return one if not many else f"pieces of {word}" if word in MASS else plural(word)
        return " or ".join(dict.fromkeys(noun(one, many) for one in of["of"]))
    if op == SET_HOLE:
        return "those" if many else "one"
    if op == "and":
        return _of_all(of["of"], many)
    if op == "not":
        return f"{noun({'op': 'things'}, many)} that {_are(many)} not {said(of['of'])}"
    if op == "except":
        base = noun(of.get("of") or {"op": "things"}, many)
        kind = (of.get("of") or {}).get("kind")
        sibling = of["but"]["op"] == "the" and of["but"]["of"].get("kind") == kind
        if sibling or of["but"].get("of") == of.get("of"):  # all of them but one
            return f"other {base}"
        if on_anything(of["but"]):
            return f"{base} on the floor"
        if _is_said(of["but"]):
            return f"{base} that {_are(many)} not {said(of['but'])}"
        return f"{base} except {the(of['but'], True)}"
    if op == "top":
        return _superlative(of, many)
    if op == "the":
        return noun(of["of"], many)
    if op == "then":
        return f"{noun(of['of'], many)} then"
    base = noun(of.get("of") or {"op": "things"}, many)
    if op in ("in", "rel", "between"):
        return f"{base} {said(of)}"
    return f"{base} that {_clause(of, many)}"


def the(of: Json, many: bool = False) -> str:
    name = noun(of, many)
    own = of["op"] == SET_HOLE or (of["op"] == "things" and "kind" not in of and "name" in of.get("with", {}))
    return name if own else f"the {name}"


def some(of: Json) -> str:
    """ "a cup or a bowl"; a name in the plural has no article."""
    parts = of["of"] if of["op"] == "or" else [of]
    return " or ".join(dict.fromkeys(with_article(noun(one)) for one in parts))


def _are(many: bool) -> str:
    return "are" if many else "is"


def _of_all(parts: Sequence[Json], many: bool) -> str:
    named = [one for one in parts if not _is_said(one)] or [{"op": "things"}]
    rest = [one for one in parts if one not in named[:1]]
    looks = [one for one in rest if one["op"] == "things" and "kind" not in one]
    if looks and named[0]["op"] == "things":  # "red candles", not candles that are red
        seen = {key: value for one in looks for key, value in one.get("with", {}).items()}
        named[0] = {**named[0], "with": {**named[0].get("with", {}), **seen}}
        rest = [one for one in rest if one not in looks]
    base = noun(named[0], many)
    return f"{base} that {_are(many)} {joined([said(one) for one in rest])}" if rest else base


def _is_said(of: Json) -> bool:
    """Whether a set says something of things rather than names some."""
    if of["op"] in ("things", "top", "the"):
        return of["op"] == "things" and "kind" not in of
    if of["op"] in ("or", "and"):
        return all(_is_said(one) for one in of["of"])
    if of["op"] in ("in", "rel", "did", "compare", "same", "except", "between", "can"):
        return of.get("of") is None or of["of"] in ({"op": "things"}, {"op": "things", "ever": True})
    return of["op"] in ("not", "then")


def said(of: Json) -> str:
    """What a set says of its members, as it follows "is"."""
    op = of["op"]
    if op == "things":
        looks = list(of.get("with", {}).values())
        kind = of.get("kind")
        return " ".join(looks) or "there" if kind is None else with_article(" ".join([*looks, kind]))
    if op == "or" and [one.get("act") for one in of["of"]] == ["moved", "gone", "brought"]:
        return f"changed{when(of['of'][0])}"
    if op in ("or", "and"):
        parts = [said(one) for one in of["of"]]
        return " or ".join(parts) if op == "or" else joined(parts) if parts else "there"
    if op == "not" and on_anything(of["of"]):
        return "on the floor"
    if op == "not":
        return f"not {said(of['of'])}"
    if op == "in":
        return "here" if of["place"] == "here" else f"in the {of['place']}"
    if op == "rel":
        return _related(of)
    if op == "between":
        return f"between {the(of['one'])} and {the(of['other'])}"
    if op == "can":
        return f"something that you can {of['act']}"
    if op == "did":
        return _done(of)
    if op == "compare":
        return f"{_than(of)}"
    if op == "same":
        what = {
            "color": "of the same colour as",
            "place": "in the same room as",
            "kind": "of the same kind as",
        }
        return f"{what.get(of['what'], 'on the same thing as')} {the(of['as'])}"
    if op == "top":
        return f"the {_superlative(of, False)}"
    if op == "then":
        return said(of["of"])
    return noun(of)


def on_anything(of: Json) -> bool:
    """Whether a set is all that lies on other things; the rest is on the floor."""
    return (
        of["op"] == "rel"
        and of["rel"] == "on"
        and of["to"] in ({"op": "things"}, {"op": "things", "ever": True})
    )


def _related(of: Json) -> str:
    metres = of.get("m")
    if of["to"] == "me":
        side = ME_SIDES[of["rel"]]
        if not metres:
            return side
        return f"within {metres:g} m of you" if of["rel"] == "near" else f"{side}, within {metres:g} m"
    if metres:
        return f"within {metres:g} m of {the(of['to'])}"
    if on_anything(of):
        return "on something"
    return f"{_BESIDE[of['rel']]} {the(of['to'])}"


def _than(of: Json) -> str:
    name, less = measure_name(of["by"]), bool(of.get("less"))
    word = MORE.get((name, less), "more")
    if isinstance(of["than"], int | float):
        far = f"{of['than']:g} m"
        to = of["by"].get("to") if isinstance(of["by"], Mapping) else None
        if name == "distance":
            return f"{'less' if less else 'more'} than {far} {'away' if to is None else f'from {the(to)}'}"
        return f"{word} than {far}"
    return f"{word} than {the(of['than'])}"


def _superlative(of: Json, many: bool) -> str:
    by = of["by"]
    name = measure_name(by)
    word = MOST.get((name, of.get("least", True)), f"{'least' if of.get('least', True) else 'most'} {name}")
    number = f"{of['n']} " if of.get("n", 1) > 1 else ""
    inner = of.get("of") or {"op": "things"}
    happened = inner["op"] == "did" and inner["act"] == "moved"
    if happened and name in ("moved_at", "times_moved"):  # "the last moved cup", by whom where it is said
        by_whom = {"me": " by you", "other": " by somebody else"}.get(inner.get("by", ""), "")
        inner = inner.get("of") or {"op": "things"}
        return (
            f"{number}{_RANKS[min(of.get('rank', 1), 10)]}{noun(inner, many or bool(number))} {word}{by_whom}"
        )
    base = noun(inner, many or bool(number))
    to = by.get("to") if isinstance(by, Mapping) else None
    toward = f" to {the(to)}" if isinstance(to, Mapping) else ""
    return f"{number}{_RANKS[min(of.get('rank', 1), 10)]}{word} {base}{toward}"


def _clause(of: Json, many: bool) -> str:
    """A relative clause without its pronoun: "you moved", "are taller than the fridge"."""
    if (of["op"] == "did" and of.get("by") in ("me", "other")) or of.get("act") in ("seen", "first_seen"):
        who = "somebody else" if of.get("by") == "other" else "you"
        return f"{who} {_I_DID.get(of['act'], of['act'])}{_where(of)}{when(of)}"
    return f"{_are(many)} {said(of)}"


def _done(of: Json) -> str:
    by = {"me": " by you", "other": " by somebody else"}.get(of.get("by", ""), "")
    return f"{_DONE[of['act']]}{'' if of['act'] == 'held' else by}{_where(of)}{when(of)}"


def _where(of: Json) -> str:
    at = of.get("at")
    if at is None:
        return ""
    word = {"taken": " from", "brought": " to"}.get(of["act"], " in")
    return f"{word} {the(at) if isinstance(at, Mapping) else f'the {at}'}"


def when(of: Json, now: float | None = None) -> str:
    """When something happened, as far as it is said."""
    if of.get("while"):
        return f" while you were in the {of['while']}"
    since, until = of.get("since"), of.get("until")
    if now is None or (since is None and until is None):
        return " in that time" if since is not None or until is not None else ""
    if since is not None and until is None:
        return f" in the last {span_in_words(now - since)}"
    return f" before {age_in_words(now - until)}" if since is None and until is not None else " in that time"


# ---------------------------------------------------------------------- questions
_GETS = {
    "way": "where is {}", "turn": "which way to turn for {}", "side": "on which side is {}",
    "hand": "is {} on the left or on the right", "clock": "at what o'clock is {}",
    "distance": "how far is {}", "place": "in which room is {}", "position": "where on the map is {}",
    "size": "how big is {}", "height": "how tall is {}", "width": "how wide is {}",
    "last_seen": "when did you last see {}", "first_seen": "when did you first see {}",
    "moved_at": "when was {} last moved", "moved_by": "who moved {}",
    "came_from": "where was {} before", "support": "what is {} on",
}  # fmt: skip
_ME = {
    "place_at": "where you are", "before": "where you were before", "places": "where you have been",
    "unvisited": "where you have not been", "walked": "how far you walked",
    "been": "were you in the {}", "time_in": "how long you were in the {}",
    "times_in": "how often you were in the {}", "last_in": "when you were last in the {}",
    "entered": "when you entered the {}", "longest": "where you stayed longest",
}  # fmt: skip


def asked(program: Any) -> str:
    """A program as the question that it asks."""
    if isinstance(program, Sequence):
        return "; ".join(asked(one) for one in program)
    if "do" in program:
        return asked(program["do"])
    ask, of = program["ask"], program.get("of")
    if ask == "get" and of["op"] == "things" and is_plural(of.get("kind", "")):
        words = _GETS.get(program["what"], f"what {program['what']} has {{}}").format(the(of))
        return words.replace(f"is {the(of)}", f"are {the(of)}").replace(f"was {the(of)}", f"were {the(of)}")
    if ask == "get":
        return _GETS.get(program["what"], f"what {program['what']} has {{}}").format(the(of))
    if ask == "me":
        return _ME[program["what"]].format(program.get("place"))
    if ask == "compare":
        names = " or ".join(program.get("names") or [the(one) for one in of])
        if "by" not in program:
            return f"are there more {names}"
        by, least = measure_name(program["by"]), program.get("least") is not False
        return f"which is {MORE.get((by, least), by)}, {names}"
    if ask == "gap":
        return f"how far apart are {the(of)} and {the(program['to'])}"
    return _of_sets(program, of or {"op": "things"})


def _of_sets(program: Json, of: Json) -> str:
    ask = program["ask"]
    if ask == "is":
        return f"is {the(of)} {said(program['in'])}"
    if ask == "all":
        return f"are all {noun(of, True)} {said(program['are'])}"
    if ask == "per":
        words = {"any": "have", "none": "have no", "most": "has the most", "least": "has the fewest"}
        groups = {"place": "rooms", "color": "colours", "kind": "kinds"}[program["per"]]
        want = program.get("want", "any")
        if want == "each":
            return f"how many {noun(of, True)} there are by {groups.removesuffix('s')}"
        if want == "one":
            return f"are all {noun(of, True)} in one {groups.removesuffix('s')}"
        groups = groups.removesuffix("s") if want in ("most", "least") else groups
        over = f" more than {program['over']:g}" if program.get("over") else ""
        return f"which {groups} {words[want]}{over} {noun(of, True)}"
    starts = {"count": "how many {} are there", "exists": "is there {}", "list": "which are the {}"}
    return starts[ask].format(some(of) if ask == "exists" else noun(of, True))
