"""A conversation: a sentence that is short for a question edits the program that was asked before.

"And the blue one" puts another set in its place, "and in the kitchen" another place, "five minutes ago"
another time, "by how much" asks the same comparison for its number; "it", "those" and "there" are holes
that are filled with what was spoken of.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from situ.errors import Unanswerable
from situ.language import lexicon as lx
from situ.language.answering import answer, clock_of, refusal
from situ.language.edits import (
    at_time,
    holds,
    kind_of,
    plainly,
    reheaded,
    replaced,
    since_of,
    time_asked,
    with_place,
)
from situ.language.forgotten import check_names
from situ.language.interpreter import Model
from situ.language.naming import noun
from situ.language.reading import LEAST_READING, Part, Reading, filled, read, read_part, spoken_unit
from situ.language.running import run
from situ.language.sets import Json, ever, lacks_kind, meet, things, with_kind
from situ.language.tokens import plain
from situ.language.told import LEAST_CONFIDENCE, Told
from situ.language.topic import Topic as Topic
from situ.language.topic import topic_after, topic_of
from situ.language.vocabulary import Encoder, Vocabulary
from situ.state.protocol import SpatialState

_THANKS = re.compile(
    r"^(?:many |ok |okay |great |good )?(?:thanks?|thank you|cheers|ta)(?: (?:you|so much|a lot))?$"
)
# What stands before a sentence that goes on, or mends the one before.
_ON = re.compile(
    r"^\W*(?:(?:and|but|or|then|now|so|only|just|ok|okay|no|nope|not that(?: one)?|what about|how about"
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
    "from where": "where was it before", "where from": "where was it before",
    "when was that": "when was it moved", "how far is that from here": "how far is it",
    "when": "when did i last see it",
    "since when": "when was it last moved", "how long ago": "when did i last see it",
    "which side": "on which side is it", "left or right": "is it on the left or on the right",
    "how many": "how many of those are there", "how many are there": "how many of those are there",
    "how many of them": "how many of those are there", "take me there": "where is it",
    "show me": "where is it",
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
_REST = re.compile(
    r"^(?:which|what)(?: ones?)?(?: of (?:them|those))? (?:is|are) (?:left(?: over)?|remaining)$"
    r"|^(?:which|what)(?: ones?)? remains?$|^(?:where are )?the (?:rest|others|remaining ones)$"
)
_OF_BOTH = re.compile(r"\b(?:apart|between|both|together|the two|those two|these two|each other)\b")
# The answer to a question back.
_CHOSEN = re.compile(
    r"^(?:(?:yes|yep|yeah|right|exactly|the (?:first|former)(?: one)?|first)|"
    r"(?P<second>no|the (?:second|latter|other)(?: one)?|second))$"
)
_OTHER = re.compile(r"^(?:where is )?(?:the other|another)(?: one)?$")
_OTHERS = re.compile(r"^(?:(?:are|is) there )?(?:any|some|an) ?(?:others?|more|other ones?)(?: ones?)?$")
_TOGETHER = re.compile(
    r"^(?:are|were) (?:they|those|these|both|the two) (?:near|close to|next to|beside) each other$"
)
_LATER = re.compile(r"^(?P<amount>.+) (?P<way>later|after that|earlier|before that)$")
_THEN = re.compile(r"^where was (?:it|that) (?:then|at that time|at that moment)$")
_EARLIER_S = 300.0
_BEFORE_WHAT = "I do not know before what you mean; ask with a time, such as '5 minutes ago'"
_REST_OF_WHAT = "I do not know what was left out; name the things that you mean"
_MOVES = ("moved", "taken", "brought")


@dataclass
class Conversation:
    """Sentences put to one state after the other; `state` is asked for anew for each of them."""

    state: Callable[[], SpatialState]
    least_confidence: float = LEAST_CONFIDENCE
    encoder: Encoder | None = None
    model: Model | None = None
    topic: Topic = field(default_factory=Topic)
    choices: tuple[Any, ...] = ()  # of the question back that was asked last

    def ask(self, sentence: str) -> Told:
        """Answer a sentence in the light of those before."""
        state = self.state()
        if _THANKS.match(re.sub(r"[^a-z ]", "", sentence.lower()).strip()):
            return Told(sentence, "You are welcome.")
        try:
            check_names(state, sentence)
            reading = self.read(sentence, state)
            if reading is None:
                told = answer(state, sentence, self.least_confidence, self.encoder, self.model)
            else:
                told = run(state, sentence, reading, self.least_confidence)
        except Unanswerable as error:
            return refusal(sentence, error)
        self.choices = told.choices
        self._remember(told, reading, state)
        return told

    # ------------------------------------------------------------------ reading on
    def read(self, sentence: str, state: SpatialState) -> Reading | None:
        """What the sentence asks in the light of those before; None if it stands alone."""
        words = Vocabulary.of(state, self.encoder)
        text = plain(sentence).strip(" ?!.,")
        if self.choices and (chosen := _CHOSEN.match(text)):
            number = int(chosen["second"] is not None)
            if number < len(self.choices):
                program = self.choices[number]
                return Reading(program, 1.0, "chosen", phrases={"set": program["of"]})
        if self.topic.program is None:
            return None
        unit = spoken_unit(text)
        if unit:
            return Reading(self.topic.program, 1.0, "again", unit=unit)
        short = _ON.sub("", text).strip(" ,?!.")
        short = short if _THEN.match(short) else _LAST_WORDS.sub("", short).strip(" ,?!.")
        goes_on = short != text
        if (of_place := self._of_place(short)) is not None:
            return read(of_place, words, clock_of(state))
        if (edited := self._alone(short, words, state) or self._other(short)) is not None:
            return edited
        reading = read(sentence, words, clock_of(state))
        if reading is not None and reading.frame == "bare" and reading.holes:  # "just the yellow ones"
            return self._edited(short, words, state, True) or self._filled(reading, short)
        whole = self._filled(reading, short)
        if whole is not None and whole.frame == "bare":
            whole, goes_on = None, True
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
        if (later := _LATER.match(short)) is not None:
            return self._later(later["amount"], later["way"] in ("later", "after that"), state)
        if _OTHERS.match(short) and self.topic.focus is not None:
            return self._others(self.topic.focus)
        if _TOGETHER.match(short) and self.topic.it is not None and self.topic.other is not None:
            beside = {"op": "rel", "rel": "near", "to": plainly(self.topic.it)}
            asked = {"ask": "is", "of": plainly(self.topic.other), "in": beside}
            return Reading(asked, 1.0, "together", phrases={"set": self.topic.it})
        if _THEN.match(short) and self.topic.time is not None and self.topic.it is not None:
            what = "place" if words.places else "way"
            asked = {
                "as_of": self.topic.time,
                "do": {"ask": "get", "what": what, "of": plainly(self.topic.it)},
            }
            return Reading(asked, 1.0, "where then", phrases={"set": self.topic.it})
        if short == "when" and any(f"'{act}'" in str(program) for act in _MOVES):
            short = "when was it moved"
        elif short in _ALONE and (self.topic.it or self.topic.those) is not None:
            short = _ALONE[short]
        elif (two := _WHICH_OF_TWO.match(short)) and self.topic.it and self.topic.other:
            reading = read(f"which is {two[1]}, this or that", words, clock_of(state))
            return reading and self._of_both(reading)
        elif (
            (two := _WHICH_OF_TWO.match(short))
            and self.topic.those
            and "two" not in short
            and two[1] in lx.MORE_OR_LESS
        ):
            by, least = lx.MORE_OR_LESS[two[1]]
            top: Json = {"op": "top", "by": by, "of": self.topic.those, **({} if least else {"least": False})}
            return Reading({"ask": "list", "of": top}, 1.0, "which of them", phrases={"set": top})
        elif _REST.match(short):
            return self._rest()
        else:
            return None
        return self._filled(read(short, words, clock_of(state)), short)

    def _later(self, amount: str, after: bool, state: SpatialState) -> Reading | None:
        """ "And five minutes later": the same question, so long after the time that it was asked of."""
        program, asked = self.topic.program, time_asked(self.topic.program)
        ago = read_part(f"{amount} ago", Vocabulary.of(state), clock_of(state))
        if asked is None or ago is None or ago.window is None or ago.window.at is None:
            return None
        span = state.now - ago.window.at
        at = asked + span if after else asked - span
        if not state.path.start <= at <= state.now:
            raise Unanswerable("I remember nothing of that time")
        return Reading(at_time(program, {}, at, state.path.start), 1.0, "later", phrases=self._phrases())

    def _others(self, focus: Json) -> Reading | None:
        """ "Any others?": of the same kind, but the one that was told."""
        kind = things(kind_of(focus)) if kind_of(focus) else None
        if kind is None:
            return None
        rest: Json = {"op": "except", "of": kind, "but": {"op": "the", "of": plainly(focus)}}
        return Reading({"ask": "list", "of": rest}, 1.0, "others", phrases={"set": rest})

    def _rest(self) -> Reading | None:
        """ "Which ones are left": those of their kind that the last question left out."""
        those, kind = self.topic.those, self._kind()
        if those is None or not kind or plainly(those) == things(kind):
            raise Unanswerable(_REST_OF_WHAT)
        rest = {"op": "except", "of": things(kind), "but": those}
        return Reading({"ask": "list", "of": rest}, 1.0, "the rest", phrases={"set": rest})

    def _other(self, short: str) -> Reading | None:
        """ "The other one": of two that were named the one before, else another than the likeliest."""
        if not _OTHER.match(short) or self.topic.focus is None:
            return None
        program, focus, other = self.topic.program, self.topic.focus, self.topic.other
        many = focus["of"] if focus["op"] == "top" else focus
        if many is not focus:
            other = {"op": "except", "of": many, "but": focus}
        elif focus.get("with") and kind_of(focus) and (other is None or other == things(kind_of(focus))):
            other = {"op": "except", "of": things(kind_of(focus)), "but": {"op": "the", "of": focus}}
        elif other is None or kind_of(other) != kind_of(self.topic.it):
            other = {"op": "except", "of": many, "but": {"op": "the", "of": many}}
        if not holds(program, focus):
            return None
        return Reading(replaced(program, focus, other), 1.0, "the other one", phrases={"set": other})

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
        return kind_of(self.topic.it) or kind_of(self.topic.those) or kind_of(self.topic.focus)

    def _is_name(self, short: str, words: Vocabulary, state: SpatialState) -> bool:
        part = read_part(short, words, clock_of(state))
        return part is not None and (part.set is not None or bool(part.place))

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
            return Reading(at_time(program, bounds, at, state.path.start), 1.0, "at another time")
        if part.place:
            moved = {name: with_place(one, part.place) for name, one in self._phrases().items()}
            return Reading(self._at_place(program, part.place), 1.0, "in another place", phrases=moved)
        of = part.set
        if of is None:
            return None if part.said is None else self._said(part.said)
        if lacks_kind(of):
            head = things(self._kind()) if self._kind() else self.topic.those
            if head is None:
                return None
            of = self._chosen(of, part, head)
        if self.topic.focus is None or not holds(program, self.topic.focus):
            return Reading({"ask": "get", "what": "way", "of": of}, 0.9, "where", phrases={"set": of})
        if of["op"] == "things" and isinstance(program, dict) and program.get("ask") in _OF_SETS:
            of = reheaded(self.topic.focus, of)
        edited = replaced(program, self.topic.focus, of)
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
        if base["op"] in ("rel", "in") and said["op"] in ("rel", "in"):  # "and under the bed"
            base = base.get("of") or things()
        if program.get("ask") == "is":
            return Reading({**program, "in": said}, 1.0, "said of it", phrases=self._phrases())
        if program.get("ask") in ("count", "exists", "list", "all"):
            return Reading({**program, "of": meet(base, said)}, 1.0, "said of them", phrases=self._phrases())
        return Reading({"ask": "is", "of": base, "in": said}, 1.0, "said of it", phrases=self._phrases())

    def _phrases(self) -> dict[str, Json]:
        return {} if self.topic.focus is None else {"set": self.topic.focus}

    def _at_place(self, program: Any, place: str) -> Any:
        found = with_place(program, place)
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
        since = since_of(program)
        if since is None:
            raise Unanswerable(_BEFORE_WHAT)
        span = {"since": since - _EARLIER_S, "until": since}
        return Reading(at_time(program, span, None, state.path.start),
                       1.0, "before", phrases=self._phrases())  # fmt: skip

    # ------------------------------------------------------------------ remembering
    def _remember(self, told: Told, reading: Reading | None, state: SpatialState) -> None:
        made = [one.certificate for one in (told, *told.readings) if one.certificate is not None]
        if not made:
            return
        program: Any = [one.program for one in made] if len(made) > 1 else dict(made[0].program)
        if "kind" in program:  # one of the questions that are no programs of the algebra
            self.topic = topic_of(program, self.topic)
            return
        phrases = dict((reading.phrases if reading is not None else {}) or told.phrases)
        self.topic = topic_after(program, phrases, told, self.topic)


_OF_SETS = ("count", "exists", "list")
_SAID = {"it": "it", "those": "those", "place": "there", "kind": "one"}
