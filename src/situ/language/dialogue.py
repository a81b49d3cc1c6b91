"""A conversation: a sentence that is short for a question edits the program that was asked before.

"And the blue one" puts another set in its place, "and in the kitchen" another place, "five minutes ago"
another time, "by how much" asks the same comparison for its number; "it", "those" and "there" are holes
that are filled with what was spoken of.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from situ.errors import BadFormat, Unanswerable
from situ.language.answering import ask, clock_of, refusal
from situ.language.forgotten import check_names
from situ.language.interpreter import Model
from situ.language.naming import noun
from situ.language.reading import LEAST_READING, Part, Reading, filled, read, read_part, spoken_unit
from situ.language.running import run
from situ.language.sets import HOLE, SET_HOLE, Json, ever, lacks_kind, meet, things, with_kind
from situ.language.told import LEAST_CONFIDENCE, Told
from situ.language.vocabulary import Encoder, Vocabulary
from situ.state.protocol import SpatialState

_THANKS = re.compile(
    r"^(?:many |ok |okay |great |good )?(?:thanks?|thank you|cheers|ta)(?: (?:you|so much|a lot))?$"
)
# What stands before a sentence that goes on, or mends the one before.
_ON = re.compile(
    r"^\W*(?:(?:and|but|or|then|now|so|ok|okay|no|nope|not that(?: one)?|what about|how about"
    r"|same for|also|i mean|i meant|sorry|rather|wait|about)\b[\s,]*)+"
)
_BEFORE = re.compile(r"^(?:before that|before|earlier|the time before|previously|before then)$")
_LAST_WORDS = re.compile(r"[\s,]+(?:i mean|i meant|instead|rather|then|please)\W*$")
# A question word alone asks on about what was spoken of last; "when" after a move means that move.
_ALONE = {
    "where": "where is it", "where exactly": "where is it", "how far": "how far is it",
    "how far away": "how far is it", "which way": "which way is it", "how big": "how big is it",
    "how tall": "how tall is it", "how high": "how tall is it", "tall": "how tall is it",
    "how wide": "how wide is it", "wide": "how wide is it", "big": "how big is it",
    "which room": "which room is it in", "in which room": "which room is it in",
    "what room": "which room is it in", "what color": "what color is it", "what colour": "what colour is it",
    "from where": "where was it before", "when": "when did i last see it",
    "since when": "when was it last moved", "how long ago": "when did i last see it",
    "which side": "on which side is it", "left or right": "is it on the left or on the right",
    "take me there": "where is it", "show me": "where is it",
}  # fmt: skip
_ALONE_OF_PLACE = {
    "how long": "how long was i there", "for how long": "how long was i there",
    "how often": "how often was i there", "how many times": "how often was i there",
    "when": "when was i last there", "since when": "when was i last there",
    "take me there": "where is the {}", "how far": "how far is the {}", "how far is it": "how far is the {}",
    "how far is that": "how far is the {}", "where is it": "where is the {}",
    "which way": "which way is the {}", "where": "where is the {}", "where is that": "where is the {}",
}  # fmt: skip
_BY_HOW_MUCH = re.compile(
    r"^(?:by )?how much(?: (?:closer|nearer|farther|taller|bigger|more|fewer|shorter))?$"
)
_WHICH_OF_TWO = re.compile(
    r"^(?:which|what)(?: one)?(?: of (?:them|these|those|the two))? is (?:the )?(\w+)(?: one)?$"
)
_OF_BOTH = re.compile(r"\b(?:apart|between|both|together|the two|those two|these two|each other)\b")
_EARLIER_S = 300.0
_BEFORE_WHAT = "I do not know before what you mean; ask with a time, such as '5 minutes ago'"
_MOVES = ("moved", "taken", "brought")


@dataclass(frozen=True)
class Topic:
    """What was spoken of: the last program, the set in it that a short sentence puts another one for, the
    thing that "it" is, the one before that, the several that "those" are, and the place that "there" is."""

    program: Any = None
    focus: Json | None = None
    it: Json | None = None
    other: Json | None = None
    those: Json | None = None
    place: str = ""
    at_place: bool = False  # whether a place was spoken of last

    def to_json(self) -> Json:
        return {part.name: value for part in fields(self) if (value := getattr(self, part.name))}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Topic":
        sets = (given.get(name) for name in ("focus", "it", "other", "those"))
        if set(given) - {part.name for part in fields(cls)} or not all(
            one is None or (isinstance(one, dict) and isinstance(one.get("op"), str)) for one in sets
        ):
            raise BadFormat("this is no topic of a conversation")
        return cls(**given)


@dataclass
class Conversation:
    """Sentences put to one state after the other; `state` is asked for anew for each of them."""

    state: Callable[[], SpatialState]
    least_confidence: float = LEAST_CONFIDENCE
    encoder: Encoder | None = None
    model: Model | None = None
    topic: Topic = field(default_factory=Topic)

    def ask(self, sentence: str) -> Told:
        """Answer a sentence in the light of those before."""
        state = self.state()
        if _THANKS.match(re.sub(r"[^a-z ]", "", sentence.lower()).strip()):
            return Told(sentence, "You are welcome.")
        try:
            check_names(state, sentence)
            reading = self.read(sentence, state)
            if reading is None:
                told = ask(state, sentence, self.least_confidence, self.encoder, self.model)
            else:
                told = run(state, sentence, reading, self.least_confidence)
        except Unanswerable as error:
            return refusal(sentence, error)
        self._remember(told, reading, state)
        return told

    # ------------------------------------------------------------------ reading on
    def read(self, sentence: str, state: SpatialState) -> Reading | None:
        """What the sentence asks in the light of those before; None if it stands alone."""
        words = Vocabulary.of(state, self.encoder)
        if self.topic.program is None:
            return None
        text = sentence.lower().strip(" ?!.")
        unit = spoken_unit(text)
        if unit:
            return Reading(self.topic.program, 1.0, "again", unit=unit)
        short = _LAST_WORDS.sub("", _ON.sub("", text)).strip(" ,?!.")
        goes_on = short != text
        if (of_place := self._of_place(short)) is not None:
            return read(of_place, words, clock_of(state))
        if (edited := self._alone(short, words, state)) is not None:
            return edited
        whole = self._filled(read(sentence, words, clock_of(state)), short)
        if whole is not None and not (goes_on and self._is_name(short, words, state)):
            return whole
        return self._edited(short, words, state, goes_on)

    def _of_place(self, short: str) -> str | None:
        if not self.topic.at_place or short not in _ALONE_OF_PLACE:
            return None
        return (
            _ALONE_OF_PLACE[short].replace(" there", f" in the {self.topic.place}").format(self.topic.place)
        )

    def _alone(self, short: str, words: Vocabulary, state: SpatialState) -> Reading | None:
        """A question word alone."""
        program = self.topic.program
        if _BY_HOW_MUCH.match(short) and isinstance(program, dict) and program.get("ask") == "compare":
            return Reading({**program, "diff": True}, 1.0, "by how much")
        if _BEFORE.match(short):
            return self._earlier(state)
        if short == "when" and any(f"'{act}'" in str(program) for act in _MOVES):
            short = "when was it moved"
        elif short in _ALONE and self.topic.it is not None:
            short = _ALONE[short]
        elif (two := _WHICH_OF_TWO.match(short)) and self.topic.it and self.topic.other:
            reading = read(f"which is {two[1]}, this or that", words, clock_of(state))
            return reading and self._of_both(reading)
        else:
            return None
        return self._filled(read(short, words, clock_of(state)), short)

    def _of_both(self, reading: Reading) -> Reading | None:
        """ "Which of the two is closer": both that were spoken of fill the holes."""
        program = reading.program
        if not isinstance(program, dict) or program.get("ask") != "compare":
            return None
        pair = [self.topic.other, self.topic.it]
        names = [noun(one) for one in pair if one is not None]
        return replace(reading, program={**program, "of": pair, "names": names}, holes=())

    def _filled(self, reading: Reading | None, short: str) -> Reading | None:
        """A reading with what was spoken of in its holes."""
        if reading is None or reading.unknown or reading.certainty < LEAST_READING:
            return None
        if not reading.holes:
            return reading
        topic = self.topic
        of_both = topic.it is not None and topic.other is not None and _OF_BOTH.search(short)
        if of_both and isinstance(reading.program, dict) and reading.program.get("ask") == "gap":
            return replace(reading, program={"ask": "gap", "of": topic.other, "to": topic.it}, holes=())
        it, those = topic.it or topic.those, topic.those or topic.it
        known = {"it": it, "those": those, "place": topic.place, "kind": self._kind()}
        if any(not known.get(hole) for hole in reading.holes):
            raise Unanswerable(
                f"I do not know what you mean by '{_SAID.get(reading.holes[0], 'that')}'; name it"
            )
        program = filled(reading.program, it, those, self._kind(), topic.place)
        phrases = {
            name: filled(one, it, those, self._kind(), topic.place) for name, one in reading.phrases.items()
        }
        return replace(reading, program=program, phrases=phrases, holes=())

    def _kind(self) -> str:
        return _kind_of(self.topic.it) or _kind_of(self.topic.those) or _kind_of(self.topic.focus)

    def _is_name(self, short: str, words: Vocabulary, state: SpatialState) -> bool:
        part = read_part(short, words, clock_of(state))
        return part is not None and part.set is not None

    # ------------------------------------------------------------------ editing
    def _edited(self, short: str, words: Vocabulary, state: SpatialState, goes_on: bool) -> Reading | None:
        """The last program with another set, place or time."""
        part = read_part(short, words, clock_of(state))
        if part is None or (not goes_on and len(short.split()) > 5):
            return None
        if part.unknown:
            raise Unanswerable(words.not_seen(part.unknown[0]))
        program = self.topic.program
        if part.window is not None:
            bounds, at = part.window.bounds(), part.window.at
            return Reading(_at_time(program, bounds, at, state.path.start), 1.0, "at another time")
        if part.place:
            return Reading(
                self._at_place(program, part.place), 1.0, "in another place", phrases=self._phrases()
            )
        of = part.set
        if of is None:
            return None if part.said is None else self._said(part.said)
        if lacks_kind(of):
            head = things(self._kind()) if self._kind() else None
            if head is None:
                return None
            of = self._chosen(of, part, head)
        if self.topic.focus is None or not _holds(program, self.topic.focus):
            return Reading({"ask": "get", "what": "way", "of": of}, 0.9, "where", phrases={"set": of})
        edited = _replaced(program, self.topic.focus, of)
        if part.plural and isinstance(edited, dict) and edited.get("ask") in ("get", "is"):
            edited = {"ask": "list", "of": of, "by": "distance"}
        return Reading(edited, 1.0, "of another", phrases={"set": of})

    def _chosen(self, of: Json, part: Part, head: Json) -> Json:
        """ "The blue one" is of the kind spoken of, "the closer one" among those spoken of."""
        if of["op"] == "top" and self.topic.those is not None:
            return {**of, "of": self.topic.those}
        return with_kind(of, head)

    def _said(self, said: Json) -> Reading | None:
        """ "And under the bed": something else is said of the same things."""
        program = self.topic.program
        if not isinstance(program, dict):
            return None
        base = self.topic.focus or things()
        if program.get("ask") == "is":
            return Reading({**program, "in": said}, 1.0, "said of it", phrases=self._phrases())
        if program.get("ask") in ("count", "exists", "list", "all"):
            return Reading({**program, "of": meet(base, said)}, 1.0, "said of them", phrases=self._phrases())
        return Reading({"ask": "is", "of": base, "in": said}, 1.0, "said of it", phrases=self._phrases())

    def _phrases(self) -> dict[str, Json]:
        return {} if self.topic.focus is None else {"set": self.topic.focus}

    def _at_place(self, program: Any, place: str) -> Any:
        found = _with_place(program, place)
        if found != program or not isinstance(program, dict):
            return found
        of = program.get("of")
        if program.get("ask") in ("get", "is") and isinstance(of, dict):
            return {"ask": "is", "of": of, "in": {"op": "in", "place": place}}
        return {**program, "of": meet(of, {"op": "in", "place": place})} if isinstance(of, dict) else program

    def _earlier(self, state: SpatialState) -> Reading | None:
        """ "And before that?": the place before, the room before, or some minutes earlier."""
        program = self.topic.program
        if (
            isinstance(program, dict)
            and program.get("ask") == "me"
            and program["what"] in ("place_at", "before")
        ):
            steps = int(program.get("steps", 0)) if program["what"] == "before" else 0
            asked: Json = {"ask": "me", "what": "before"}
            at = program.get("at")
            asked |= {"steps": steps + 1} if steps else {}
            return Reading(asked if at is None else {"as_of": at, "do": asked}, 1.0, "before")
        if isinstance(program, dict) and program.get("ask") == "get" and self.topic.it is not None:
            return Reading({"ask": "get", "what": "came_from", "of": ever(self.topic.it)}, 1.0, "came from",
                           phrases={"set": self.topic.it})  # fmt: skip
        since = _since(program)
        if since is None:
            raise Unanswerable(_BEFORE_WHAT)
        span = {"since": since - _EARLIER_S, "until": since}
        return Reading(_at_time(program, span, None, state.path.start),
                       1.0, "before", phrases=self._phrases())  # fmt: skip

    # ------------------------------------------------------------------ remembering
    def _remember(self, told: Told, reading: Reading | None, state: SpatialState) -> None:
        made = [one.certificate for one in (told, *told.readings) if one.certificate is not None]
        if not made:
            return
        program: Any = [one.program for one in made] if len(made) > 1 else dict(made[0].program)
        if "kind" in program:  # one of the questions that are no programs of the algebra
            self.topic = _topic_of(program, self.topic)
            return
        phrases = dict((reading.phrases if reading is not None else {}) or told.phrases)
        self.topic = _topic(program, phrases, told, self.topic)


_SAID = {"it": "it", "those": "those", "place": "there", "kind": "one"}


def _topic(program: Any, phrases: Mapping[str, Json], told: Told, before: Topic) -> Topic:
    """What is spoken of from now on."""
    first = program[-1] if isinstance(program, list) else program
    while "do" in first:
        first = first["do"]
    asked, of = first["ask"], first.get("of")
    focus = phrases.get("set") or next(iter(phrases.values()), None) or (of if isinstance(of, dict) else None)
    topic = replace(before, program=program, focus=focus, at_place=False)
    place = _place_in(first) or (
        str(told.value) if asked == "me" and told.value and first["what"] in _TELLS else ""
    )
    if asked == "get" and first["what"] == "place" and told.value:
        topic = replace(topic, place=str(told.value))
    elif place:
        topic = replace(topic, place=place, at_place=asked == "me")
    if asked in ("get", "is") and isinstance(of, dict):
        return _spoken_of(topic, of)
    if asked == "compare":
        pair = list(first["of"])
        if "by" in first and str(told.value) in first.get("names", []):
            best = first["names"].index(str(told.value))
            return replace(topic, it=pair[best], other=pair[1 - best] if len(pair) == 2 else None,
                           those={"op": "or", "of": pair})  # fmt: skip
        return replace(topic, those={"op": "or", "of": pair})
    if asked == "gap":
        return replace(_spoken_of(_spoken_of(topic, first["of"]), first["to"]), focus=first["of"])
    if isinstance(of, dict):
        topic = replace(topic, those=of)
        if len(told.things) == 1:
            topic = _spoken_of(topic, of)
    return topic


_TELLS = ("place_at", "before")


def _spoken_of(topic: Topic, of: Json) -> Topic:
    other = topic.it if topic.it is not None and topic.it != of else topic.other
    return replace(topic, it=of, other=other, those=of)


def _topic_of(program: Mapping[str, Any], before: Topic) -> Topic:
    """The things and the place of a question that is no program of the algebra."""
    topic = replace(before, program=program, focus=None)
    for value in program.values():
        if isinstance(value, dict) and value.get("category"):
            topic = _spoken_of(topic, things(value["category"], **dict(value.get("attributes") or ())))
    place = program.get("place")
    return replace(topic, place=place, at_place=True) if isinstance(place, str) and place else topic


def _kind_of(of: Any) -> str:
    """The kind of a set, where it has one."""
    if isinstance(of, dict):
        kind = of.get("kind")
        if kind and kind != HOLE and of.get("op") == "things":
            return str(kind)
        return _kind_of(of.get("of"))
    if isinstance(of, list):
        kinds = {_kind_of(one) for one in of}
        return kinds.pop() if len(kinds) == 1 else ""
    return ""


def _plainly(of: Any) -> Any:
    """A part of a program without what says that gone things count."""
    if isinstance(of, dict):
        return {key: _plainly(value) for key, value in of.items() if key != "ever"}
    return [_plainly(one) for one in of] if isinstance(of, list) else of


def _holds(program: Any, part: Json) -> bool:
    return str(_plainly(part)) in str(_plainly(program))


def _replaced(program: Any, old: Json, new: Json) -> Any:
    """A program with another set in the place of one."""
    if isinstance(program, list):
        return [_replaced(one, old, new) for one in program]
    if not isinstance(program, dict):
        return program
    if "op" in program and _plainly(program) == _plainly(old):
        return ever(new) if program.get("ever") or "'ever': True" in str(program) else new
    return {key: _replaced(value, old, new) for key, value in program.items() if key != "names"}


def _with_place(program: Any, place: str) -> Any:
    if isinstance(program, list):
        return [_with_place(one, place) for one in program]
    if not isinstance(program, dict):
        return program
    return {key: place if key == "place" and isinstance(value, str) else _with_place(value, place)
            for key, value in program.items()}  # fmt: skip


def _place_in(program: Any) -> str:
    if isinstance(program, dict):
        if isinstance(program.get("place"), str) and program["place"] != "here":
            return str(program["place"])
        return next((found for value in program.values() if (found := _place_in(value))), "")
    return (
        next((found for value in program if (found := _place_in(value))), "")
        if isinstance(program, list)
        else ""
    )


def _since(program: Any) -> float | None:
    if isinstance(program, dict):
        if isinstance(program.get("since"), int | float):
            return float(program["since"])
        return next((found for value in program.values() if (found := _since(value)) is not None), None)
    return None


def _at_time(program: Any, bounds: Mapping[str, Any], at: float | None, start: float) -> Any:
    """A program as of another time: of what happened then, if it asks of that."""
    timed = _with_bounds(program, bounds)
    if timed != program:
        return timed
    inner = program["do"] if isinstance(program, dict) and "as_of" in program else program
    moment = at if at is not None else bounds.get("since", start)
    if isinstance(inner, dict) and inner.get("ask") == "me" and inner["what"] == "place_at":
        return {**inner, "at": moment}
    return {"as_of": moment, "do": inner}


def _with_bounds(program: Any, bounds: Mapping[str, Any]) -> Any:
    if isinstance(program, list):
        return [_with_bounds(one, bounds) for one in program]
    if not isinstance(program, dict):
        return program
    rest = {key: _with_bounds(value, bounds) for key, value in program.items() if key not in _TIMES}
    happened = program.get("op") == "did" and program.get("act") not in ("inview", "held")
    spent = program.get("ask") == "me" and program["what"] in (
        "places",
        "walked",
        "been",
        "time_in",
        "times_in",
    )
    if happened or spent:
        return {**rest, **bounds}
    return rest if happened else {key: _with_bounds(value, bounds) for key, value in program.items()}


_TIMES = ("since", "until", "while")
_ = SET_HOLE
