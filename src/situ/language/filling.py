"""A frame's program with its holes filled by what a sentence says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from situ.language import lexicon as lx
from situ.language.edits import with_bounds
from situ.language.frames import Match
from situ.language.lexicon import Lexicon
from situ.language.naming import noun
from situ.language.sets import HOLE, SET_HOLE, closed, either, lacks_kind, meet, negated, things, with_kind
from situ.language.spans import Phrase, Said
from situ.language.times import Window
from situ.questions.programs.named import with_gone

Json = Any  # a program, a part of one, or a list of programs
_SURE = 1.0
_OF_FRAGMENT, _FRAGMENT = 0.3, 0.92  # the cost of frames that are no sentences; they are announced
_JUST_BEFORE_S = 1.0
_PER_COST = 0.12  # of certainty, for what had to be guessed
_UNSAID = 0.5  # the cost of a word that the program does not say: it makes a reading one that is announced


@dataclass(frozen=True)
class Reading:
    """What a sentence asks. `holes` are what the dialogue has to fill, `unknown` names nobody has seen."""

    program: Json
    certainty: float
    frame: str
    holes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    phrases: Mapping[str, Json] = field(default_factory=dict)
    unit: str = ""  # in which lengths are asked for


def filled(program: Json, it: Json = None, those: Json = None, kind: str = "", place: str = "") -> Json:
    """A program with what the dialogue knows in its holes."""
    if isinstance(program, list):
        return [filled(one, it, those, kind, place) for one in program]
    if not isinstance(program, dict):
        return program
    if program.get("op") == SET_HOLE:
        known = those if program["what"] == "those" else it
        return program if known is None else known
    found = {key: filled(value, it, those, kind, place) for key, value in program.items()}
    if kind and found.get("kind") == HOLE:
        found["kind"] = kind
    if place and found.get("place") == HOLE:
        found["place"] = place
    return found


def holes_of(program: Json) -> tuple[str, ...]:
    """What a program lacks: "it", "those", "kind", "place"."""
    if isinstance(program, list):
        return tuple(dict.fromkeys(hole for one in program for hole in holes_of(one)))
    if not isinstance(program, dict):
        return ()
    if program.get("op") == SET_HOLE:
        return (program["what"],)
    own = [name for name in ("kind", "place") if program.get(name) == HOLE]
    return tuple(dict.fromkeys([*own, *(hole for value in program.values() for hole in holes_of(value))]))


def listed_programs(program: Json) -> list[Json]:
    return program if isinstance(program, list) else [program]


# ---------------------------------------------------------------------- programs
class _NoReading(Exception):
    """What fills the holes does not go together with the frame."""


def filled_match(match: Match, times: Mapping[str, Window], words: Lexicon) -> Reading | None:
    """A frame's program with its holes filled."""
    when = [times[name] for name in match.times]
    spans = [window for window in when if not window.whole]
    if len(spans) > 1 or (spans and match.frame.now):
        return None
    window = spans[0] if spans else when[0] if when else None
    filler = _Filler(match.holes, window, words)
    try:
        given = match.frame.program
        if window is not None and window.at is not None and match.frame.then is not None:
            given = match.frame.then
        if window is not None and window.is_span and match.frame.during is not None:
            given = match.frame.during
        program = finished(filler.program(given))
        if spans and not filler.used_time and window is not None:
            timed = with_bounds(program, window.bounds())
            if timed != program:
                program, filler.used_time = timed, True
        if spans and not filler.used_time:
            if window is None or window.at is None:
                raise _NoReading
            asked = [{"as_of": window.at, "do": one} for one in listed_programs(program)]
            program = asked if isinstance(program, list) else asked[0]
    except _NoReading:
        return None
    unknown = tuple(
        dict.fromkeys(name for value in match.holes.values() for name in getattr(value, "unknown", ()))
    )
    answered = _answers_without(program, match.holes.values())
    fragment = _FRAGMENT if match.frame.cost >= _OF_FRAGMENT else 1.0
    guessed = max(0.0, match.cost - match.frame.cost - 3.0 * bool(unknown)) + _UNSAID * match.leaves_out
    phrases = {name: value.set for name, value in match.holes.items() if isinstance(value, Phrase)}
    return Reading(
        program,
        fragment * max(0.5, _SURE - _PER_COST * guessed),
        match.frame.name,
        holes_of(program),
        () if answered else unknown,
        phrases,
    )


def _answers_without(program: object, values: Iterable[object]) -> bool:
    """Whether names that nobody has seen leave an answer: "a fridge or a sink" exist where a fridge does, and
    of "the fridge and the sink" each is answered by itself."""
    if isinstance(program, Mapping):
        joined = "or" if program.get("ask") in ("exists", "count", "list") else ""
    else:
        joined = "and"
    return bool(joined) and all(
        isinstance(value, Phrase) and value.joined == joined and not all(one.unknown for one in value.parts)
        for value in values
        if getattr(value, "unknown", ())
    )


@dataclass
class _Filler:
    """Puts what was read into the holes of a program."""

    holes: Mapping[str, Any]
    window: Window | None
    words: Lexicon
    used_time: bool = False

    def program(self, given: Json) -> Json:
        if isinstance(given, list):
            return [inner for one in given for inner in listed_programs(self.program(one))]
        ask = given.get("ask")
        if ask == "yes":
            return self._yes(given)
        if ask == "bare":
            return self._bare(given)
        if ask == "compare":
            return self._compared(given)
        if ask == "question" and isinstance(phrase := self.holes.get("set"), Phrase):
            alone = phrase.set["op"] in ("things", SET_HOLE) and not phrase.quantity and not phrase.plural
            if not alone:
                raise _NoReading  # these are about one thing by its name
        if ask == "per" and isinstance(given.get("of"), str):
            return self._per(given)
        if ask in ("get", "exists", "count", "list") and isinstance(given.get("of"), str):
            return self._of_one(given)
        return self.value(given)

    def value(self, given: Json) -> Json:
        """A part of a program, filled."""
        if isinstance(given, list):
            return [self.value(one) for one in given]
        if isinstance(given, str):
            return self._hole(given)
        if not isinstance(given, dict):
            return given
        if given.get("op") == "meet" and given["said"] == "$gap" and "gap" not in self.holes:
            return self._set(given["of"])
        if given.get("op") == "meet":
            return meet(self._set(given["of"]), self._set(given["said"], open_=True))
        if given.get("op") == "general":
            known = self.words.name(given["word"])
            return either([things(kind.lower()) for kind in (known.kinds if known else (given["word"],))])
        if given.get("op") == "number":
            return self._ranked(given)
        if given.get("op") == "unless":
            of = self._set(given["of"])
            return negated(of) if given["flag"] in self.holes else of
        found: dict[str, Any] = {}
        for key, one in given.items():
            if key == "when":
                self.used_time = True
                if one == "at":
                    found.update(self._moment())
                elif one == "after" and self.window is not None:  # "not seen for more than an hour"
                    since = self.window.until if self.window.since is None else self.window.since
                    found.update({} if since is None else {"since": since})
                elif self.window is not None:
                    found.update(self._bounds(given))
            elif key == "by" and one == "$who":
                if self.holes.get("who") in ("me", "other"):
                    found["by"] = self.holes["who"]
            elif key == "more":
                found["by"], less = self.holes[one]
                found |= {"less": True} if less else {}
            elif key == "most":
                found["by"], least = self.holes[one]
                found |= {} if least else {"least": False}
            elif one is not None:
                found[key] = self.value(one)
        return found

    def _ranked(self, given: Json) -> Json:
        """There are three where there is a third."""
        of = self._set(given["of"])
        of = meet(of, self._set(given["said"], open_=True)) if "gap" in self.holes else of
        rank = int(self.holes["number"]) + bool(given.get("over"))
        return {"op": "top", "by": "distance", "of": of, "rank": rank} if rank > 1 else of

    def _bounds(self, given: Json) -> dict[str, float | str]:
        """When something happened; questions of their own know only since when."""
        assert self.window is not None
        bounds = self.window.bounds()
        if given.get("ask") == "question" and (bounds.keys() - {"since"} or self.window.at is not None):
            raise _NoReading
        return bounds

    def _moment(self) -> dict[str, float]:
        if self.window is not None and self.window.at is None and self.window.until is not None:
            return {"at": self.window.until - _JUST_BEFORE_S}  # "before I entered the kitchen"
        if self.window is None or self.window.at is None:
            raise _NoReading
        return {"at": self.window.at}

    def _hole(self, name: str) -> Json:
        if not name.startswith("$"):
            return name
        key, _, how = name[1:].partition("!")
        if key not in self.holes:
            raise _NoReading
        value = self.holes[key]
        if isinstance(value, Phrase):
            if value.quantity == "none":
                raise _NoReading
            return with_gone(value.set) if how == "ever" else value.set
        return closed(value.set) if isinstance(value, Said) else value

    def _set(self, given: Json, open_: bool = False) -> Json:
        if isinstance(given, str) and open_ and isinstance(value := self.holes.get(given[1:]), Said):
            return self._of_kind(value.set)
        return self.value(given)

    def _of_kind(self, said: Json) -> Json:
        """ "which cups are the red ones": the kind is that of the phrase."""
        heads = [value.head for value in self.holes.values() if isinstance(value, Phrase) and value.head]
        return with_kind(said, heads[0]) if heads and lacks_kind(said) else said

    def _phrase(self, given: str) -> Phrase:
        value = self.holes[given[1:].partition("!")[0]]
        assert isinstance(value, Phrase)
        return replace(value, set=with_gone(value.set)) if given.endswith("!ever") else value

    def _of_one(self, given: Json) -> Json:
        """One program for each thing that was named, or one for all of a set."""
        if not isinstance(self.holes.get(given["of"][1:].partition("!")[0]), Phrase):
            return self.value({**given, "of": {"op": "meet", "of": things(), "said": given["of"]}})
        phrase, ask = self._phrase(given["of"]), given["ask"]
        many = ask in ("get", "exists", "count") and phrase.joined == "and" and len(phrase.parts) > 1
        if many:
            alone = [replace(self, holes={**self.holes, "_": part}) for part in phrase.parts]
            end = "!ever" if given["of"].endswith("!ever") else ""
            return [one._of_one({**given, "of": f"$_{end}"}) for one in alone]
        rest = self.value({key: value for key, value in given.items() if key not in ("of", "ask")})
        if ask == "exists" and phrase.quantity == "none":
            return {"ask": "count", "of": phrase.set}
        if phrase.quantity == "none":
            raise _NoReading
        if ask == "get" and phrase.plural and phrase.set["op"] != "top":
            return _of_many(given["what"], phrase.set)
        return {"ask": ask, "of": phrase.set, **rest}

    def _per(self, given: Json) -> Json:
        """Rooms that have one thing and another are those that have both."""
        phrase = self._phrase(given["of"])
        if given.get("want") == "any" and phrase.joined == "and" and len(phrase.parts) == 2:
            one, other = phrase.parts
            return {**self.value(given), "of": one.set, "and": other.set}
        return self.value(given)

    def _bare(self, given: Json) -> Json:
        """A noun phrase alone: what there is of many, whether there is any, where the one is."""
        phrase = self._phrase(given["of"])
        word = "".join(phrase.unknown)
        if phrase.set == things() or phrase.quantity == "none":
            raise _NoReading
        if word and not (word.isascii() and word.isalpha()):
            raise _NoReading  # words of another language
        if phrase.quantity == "some":
            return {"ask": "exists", "of": phrase.set}
        if phrase.quantity == "all":
            return {"ask": "list", "of": phrase.set}
        return self._of_one({"ask": "get", "what": "way", "of": given["of"]})

    def _compared(self, given: Json) -> Json:
        """Two or more sets: "the yellow or the blue one" are of the kind that the question names."""
        named = [
            value.head
            for name, value in sorted(self.holes.items())  # of what it is compared to comes last
            if isinstance(value, Phrase) and value.head is not None
        ]
        holes = {
            name: replace(value, set=with_kind(value.set, named[0]))
            if isinstance(value, Phrase) and named
            else value
            for name, value in self.holes.items()
        }
        by = self.holes.get("by")
        found: dict[str, Any] = {}
        for key, one in given.items():
            if one == "$by":
                found[key] = by[0] if by else None
            elif one == "$by#":
                found[key] = by[1] if by else True
            elif key == "names":
                found[key] = [name for hole in one for name in self._names(hole)]
            elif key == "of" and given.get("names", [""])[0].startswith("$"):
                filler = replace(self, holes=holes)
                found[key] = [of for hole in one for of in filler._each(hole)]
            else:
                found[key] = replace(self, holes=holes).value(one)
        return found

    def _parts(self, given: str) -> Sequence[Phrase]:
        """The things that a hole names one by one: "the sofa, the stool" of "… or the chair"."""
        value = self.holes.get(given[1:].partition("!")[0].rstrip("#"))
        return value.parts if isinstance(value, Phrase) and value.joined != "" else ()

    def _names(self, given: str) -> list[str]:
        parts = self._parts(given)
        return [noun(one.set) for one in parts] if parts else [self._name(given)]

    def _each(self, given: Json) -> list[Json]:
        parts = self._parts(given) if isinstance(given, str) else ()
        how = with_gone if isinstance(given, str) and given.endswith("!ever") else (lambda of: of)
        return [how(one.set) for one in parts] if parts else [self.value(given)]

    def _name(self, given: str) -> str:
        if not given.startswith("$"):
            return given
        value = self.holes[given[1:].rstrip("#")]
        words = (value.words if isinstance(value, Phrase) else str(value)).split()
        return " ".join(words[1:] if words[0] in lx.ARTICLES and len(words) > 1 else words)

    def _yes(self, given: Json) -> Json:
        """Yes or no: of one thing, of all of them, of any."""
        phrase = self._phrase(given["of"])
        said = self._of_kind(self._set(given["in"], open_=True))
        said = filled(said, kind=_only_kind(phrase))
        happened = '"did"' in str(said).replace("'", '"')
        of = with_gone(phrase.set) if happened else phrase.set
        if phrase.quantity == "some" or phrase.joined == "or":
            return {"ask": "exists", "of": meet(of, said)}
        if phrase.quantity == "none":
            return {"ask": "all", "of": of, "are": negated(closed(said))}
        if phrase.quantity == "all" or phrase.plural:
            return {"ask": "all", "of": of, "are": closed(said)}
        if said["op"] == "or" and not happened:  # "is it red or blue": which of them it is
            return [{"ask": "is", "of": of, "in": closed(one)} for one in said["of"]]
        return {"ask": "is", "of": of, "in": closed(said)}


def _only_kind(phrase: Phrase) -> str:
    """The kind that "one" stands for behind a phrase: "is the red crate bigger than the blue one"."""
    head = phrase.head or {}
    kind = head.get("kind", "") if head.get("op") == "things" else ""
    return "" if kind == HOLE else str(kind)


_OF_MANY = lx.words("way distance side hand turn clock place color last_seen first_seen moved_at position")


def _of_many(what: str, of: Json) -> Json:
    """A property of several things: a list, sorted."""
    if what not in _OF_MANY:
        raise _NoReading  # it would be told of where they are
    if what == "place":
        return {"ask": "per", "per": "place", "of": of, "want": "each"}
    if what == "color":
        return {"ask": "per", "per": "color", "of": of, "want": "each"}
    by = what if what in ("last_seen", "first_seen", "moved_at") else "distance"
    return {"ask": "list", "of": of, "by": by}


def finished(program: Json) -> Json:
    """A program in which every set that needs one has things to choose from."""
    if isinstance(program, list):
        return [finished(one) for one in program]
    if not isinstance(program, dict):
        return program
    found = {key: finished(value) for key, value in program.items()}
    if found.get("op") in ("top", "compare", "same") and "of" not in found:
        found["of"] = things()
    if found.get("op") in ("and", "or") and len(found["of"]) < 2:
        return found["of"][0] if found["of"] else things()
    return found
