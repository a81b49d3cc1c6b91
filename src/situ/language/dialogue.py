"""A conversation: what was asked before gives meaning to "and the blue one?", "is it far?"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from situ import questions as q
from situ.errors import Unanswerable
from situ.language.answering import LEAST_CONFIDENCE, Told, answered, ask, clock_of, refusal
from situ.language.forgotten import check_names
from situ.language.interpreter import Model
from situ.language.normalise import tidied
from situ.language.parse import Asked, parse
from situ.language.reader import NoFit, Reader
from situ.language.slots import closed_words
from situ.language.times import Clock, When, take_time
from situ.language.vocabulary import Ambiguous, Encoder, NotSeen, Vocabulary
from situ.language.words import COLOURS, without_articles
from situ.questions.base import Question, from_program
from situ.questions.select import Selector
from situ.state.protocol import SpatialState

# "and the blue one?", "what about the kitchen?", "how about 5 minutes ago?"
_AGAIN = re.compile(
    r"^(?:and|but|or|then|ok and|what about|how about|and what about|and how about|same for|also|now|or "
    r"what about|no|no not that|i mean|i meant|no i (?:mean|meant)|rather) (.+)$"
)
_MEANT = re.compile(r" (?:i mean|i meant|instead|rather|then)$")
_BEFORE = re.compile(
    r"^(?:and |what about |or )?(?:before that|before|earlier|the time before|previously|"
    r"before then)$"
)
# "What did I carry before that": the same, spelt out.
_BEFORE_THAT = re.compile(
    r"^(?:and )?(what|where|which room) (?:did|was|have|had) i (?:\w+ ){0,3}before that$"
)
_WHOLE = re.compile(r"^(?:where|what|how|when|which|is|are|who|did|do|has|have|can) ")
_IT = re.compile(r"\b(it|that|this one|that one|the thing|him|her|that thing)\b")
_THEM = re.compile(r"\b(they|them|those|these)\b")
_THERE = re.compile(
    r"\b(in|to|at|from) (?:there|it|that room|that place)\b|"
    r"(?<!is )(?<!are )(?<!was )(?<!were )\bthere\b(?! (?:is|are|was|were|be|any|a|an|from)\b)|\bthere$"
)
# Both things last spoken of: "how far apart are they", "could I squeeze between them".
_BOTH = re.compile(r"\b(?:they|them|both(?: of them)?|the two(?: of them)?|those two|these two|each other)\b")
_OF_BOTH = re.compile(r"\b(?:apart|between|both|together|the two|those two|these two|each other)\b")
_IN_UNIT = re.compile(r"^\W*(?:and |what is that |how much is that )?in [a-z]+\W*$")
_ONE = re.compile(r"\b(?:the )?(\w+) ones?\b")
_COLOURED_ONE = re.compile(rf"\b(?:the|my) ({'|'.join(COLOURS)}) one\b")
# "Which one is closer?" of the two things last spoken of; "take me there", to the thing or the place.
_OF_TWO = re.compile(
    r"^(?:which|what)(?: one| of (?:them|these|those|the two))? is (?:the )?"
    r"(?:closer|closest|bigger|biggest|taller|smaller)(?: one)?(?: to me)?$"
)
_TO_THERE = re.compile(
    r"^(?:take|lead|guide|bring|get|walk|how (?:do|can|could) i (?:get|go)|which way|navigate)\b.*\bthere"
    r"(?: from here| now)?$"
)
_THE_CLOSEST = re.compile(
    r"^(?:(?:and )?which(?: one| of (?:them|those|these))? is |(?:take|lead|guide|bring|show) me (?:to )?)?"
    r"(?:the )?closest(?: one| of them)?"
    r"(?: to me)?$"
)
_OF_SEVERAL = frozenset(
    {"place_of", "all_of", "count", "count_now", "count_in_place", "count_related", "where_from_here"}
)
_OF_PLACE = re.compile(
    r"^(?:and )?(?:how (?:far|close|big)|is|which way|where)(?: away)? (?:is )?(?:it|that)\b"
)
_OF_ONE = re.compile(r"^\W*(?:and )?(?:is|are|was|were) ")
_HOW = re.compile(r"^(?:and )?(?:how )?(wide|tall|high|big|long|large)$")
_THANKS = re.compile(
    r"^(?:many |ok |okay |great |good )?(?:thanks?|thank you|cheers|ta)(?: (?:you|so much|a lot))?$"
)
# A question word alone asks on about the thing last spoken of; "when" after a move means that move.
_ALONE = {
    "where": "where is the {}", "where exactly": "where is the {}", "how far": "how far is the {}",
    "which way": "which way is the {}", "how big": "how big is the {}", "who": "who moved the {}",
    "which room": "in which room is the {}", "in which room": "in which room is the {}",
    "what color": "what color is the {}", "from where": "where was the {} before it was moved",
    "when": "when did I last see the {}", "by whom": "who moved the {}", "who was it": "who moved the {}",
}  # fmt: skip
_ALONE_OF_PLACE = {
    "how long": "how long was I in the {}", "for how long": "how long was I in the {}",
    "how often": "how often was I in the {}", "how many times": "how often was I in the {}",
    "when": "when was I last in the {}", "how far": "how far is the {}", "which way": "which way is the {}",
    "since when": "since when am I in the {}", "where": "where is the {}",
}  # fmt: skip
_OF_MOVES = frozenset(
    {"has_moved", "moved_when", "moved_by", "came_from", "moved_from_to", "happened_to", "still_there"}
)
_HAS_BEFORE = frozenset({"last_moved", "where_was_i", "place_before", "where_am_i"})
_NAMES = ("which", "thing", "first", "target", "anchor")
_EARLIER_S = 300.0


@dataclass
class Conversation:
    """Sentences put to one state after the other; `state` is asked for anew for each of them.

    It remembers the last question that was understood: its kind, its thing and its place.
    """

    state: Callable[[], SpatialState]
    least_confidence: float = LEAST_CONFIDENCE
    encoder: Encoder | None = None
    model: Model | None = None
    last: Question | None = None
    thing: str = ""
    place: str = ""
    other: str = ""  # the thing spoken of before the last one
    at_thing: bool = False  # "there" is where the thing is, not the place
    _steps: int = field(default=1, repr=False)
    _as_of: float | None = field(default=None, repr=False)  # what "before that" is before

    def ask(self, sentence: str) -> Told:
        """Answer a sentence in the light of those before."""
        state = self.state()
        if _THANKS.match(re.sub(r"[^a-z ]", "", sentence.lower()).strip()):
            return Told(sentence, "You are welcome.")
        told = self._followed(state, sentence)
        if told is None:
            filled = self.resolved(sentence)
            told = ask(state, filled, self.least_confidence, self.encoder, self.model)
            if filled != sentence:
                told = replace(told, asked=sentence)
        self._remember(told)
        return told

    def resolved(self, sentence: str) -> str:
        """The sentence with the last thing and place put in for the words that point back to them."""
        if not (self.thing or self.place):
            return sentence  # nothing was spoken of yet
        text = sentence
        words = tidied(text).text.replace(" , ", " ")
        if self.place and not self.at_thing and _OF_PLACE.match(words):
            return _IT.sub(f"the {self.place}", words, count=1)
        if self.other and _OF_TWO.match(words):
            return f"{words}, the {self.other} or the {self.thing}"
        if self.thing and self.at_thing and words in _ALONE:
            moves = words == "when" and self.last is not None and self.last.kind in _OF_MOVES
            return (_ALONE[words] if not moves else "when was the {} moved").format(self.thing)
        if self.thing and self.at_thing and (side := _HOW.match(words)):
            return f"how {side[1]} is the {self.thing}"
        if self.place and not self.at_thing and words in _ALONE_OF_PLACE:
            return _ALONE_OF_PLACE[words].format(self.place)
        if self.thing and self.at_thing and _TO_THERE.match(words):
            return f"which way is the {self.thing}"
        if self.other and _BOTH.search(words) and (_OF_BOTH.search(words) or self._spoke_of_two):
            return _BOTH.sub(f"the {self.other} and the {self.thing}", words, count=1)
        if self.place and _THERE.search(text.lower()):
            text = _THERE.sub(lambda found: f"{found[1] or 'in'} the {self.place}", text.lower())
        if not self.thing:
            return text
        head, comma, rest = text.partition(",")
        own = re.sub(r"^(?:and|then|now|so|ok) ", "", head.lower().strip())
        if comma and Vocabulary.of(self.state(), self.encoder).knows(own):
            return f"{own},{rest}"  # "and the cup, where is that" is not about what was spoken of before
        named = (getattr(self.last, name, None) for name in _NAMES)
        kind = next((one.category for one in named if isinstance(one, Selector)), None)
        if kind and (found := _COLOURED_ONE.search(text.lower())):
            return text[: found.start()] + f"the {found[1]} {kind}" + text[found.end() :]
        if _IT.search(text.lower()) and not re.match(
            r"(?i)^\W*(?:what|which|how) .*\bis (?:it|"
            r"that)\b.*\bto\b",
            text,
        ):
            text = _IT.sub(f"the {self.thing}", text.lower(), count=1)
        elif _THEM.search(text.lower()):
            text = _THEM.sub(f"the {self.thing}", text.lower(), count=1)
        return text

    @property
    def _spoke_of_two(self) -> bool:
        return any(isinstance(getattr(self.last, name, None), Selector) for name in ("second", "other"))

    def _followed(self, state: SpatialState, sentence: str) -> Told | None:
        """An answer to a sentence that says only what differs from the last question; None if it is whole."""
        if self.last is None:
            return None
        tidy = tidied(sentence)
        text = _MEANT.sub("", tidy.text.replace(" , ", " "))
        if tidy.unit and _IN_UNIT.match(sentence.lower()):
            return answered(state, sentence, Asked(self.last, unit=tidy.unit), self.least_confidence)
        spelt_out = _BEFORE_THAT.match(text)
        if spelt_out and spelt_out[1] == "what" and self.last.kind in _OF_MOVES:
            self.last = q.LastMoved()
        if _BEFORE.match(text) or (spelt_out and self.last.kind in _HAS_BEFORE):
            return self._earlier(state, sentence)
        if _HOW.match(text):  # "and how wide"
            return None
        found = _AGAIN.match(text)
        words = found[1] if found else text
        if not found and not self._is_short(words):
            return None
        try:
            check_names(state, sentence)
            changed = self._changed(words, Vocabulary.of(state, self.encoder), state)
            return None if changed is None else answered(state, sentence, changed, self.least_confidence)
        except (NotSeen, Ambiguous) as error:
            return refusal(sentence, error) if found and len(words.split(" ")) <= 4 else None
        except Unanswerable as error:
            return refusal(sentence, error)

    def _is_short(self, words: str) -> bool:
        """Whether a sentence without a verb may be short for the last one: "the blue one"."""
        if _THE_CLOSEST.match(words):
            return self.last is not None and self.last.kind in _OF_SEVERAL
        short = r"^(?:the|my|in|on|under|behind|next to|near|a|\w+ ones?$)"
        return len(words.split(" ")) <= 4 and bool(re.match(short, words))

    def _changed(self, words: str, vocabulary: Vocabulary, state: SpatialState) -> Asked | None:
        """The last question with another thing, place or time."""
        assert self.last is not None
        clock = clock_of(state)
        rest, when = take_time(words, clock)
        if not rest and when.given:
            return self._at_time(when)
        try:
            if _WHOLE.match(words) and not _THE_CLOSEST.match(words):
                return parse(words, vocabulary, clock)
            return self._with_name(rest, vocabulary, when)
        except NoFit:
            return None

    def _with_name(self, words: str, vocabulary: Vocabulary, when: When) -> Asked | None:
        assert self.last is not None
        known = {part.name for part in fields(self.last)}  # type: ignore[arg-type]
        if self.thing and _THE_CLOSEST.match(words):
            return Asked(q.NearestOne(vocabulary.select(self.thing)))
        if {"relation", "anchor"} <= known and (found := self._related(words, vocabulary)):
            return self._with(**found)
        name = words = re.sub(r"^(?:in|at|to|for|of|on|with) ", "", words)
        of_place = isinstance(getattr(self.last, "place", None), str)
        if of_place and vocabulary.is_place(name):
            return self._with(place=vocabulary.place(name))
        if vocabulary.is_place(name) and {"relation", "anchor"} <= known:
            anchor = Selector.make(vocabulary.place(name))
            return self._with(relation="in", anchor=anchor)
        if vocabulary.is_place(name) and "which" in known:
            return parse(f"is {self.thing} in the {vocabulary.place(name)}", vocabulary)
        parts = [one for one in _NAMES if isinstance(getattr(self.last, one, None), Selector)]
        field_name = parts[0] if parts else None
        if field_name is None:
            return None
        which = self._which(words, vocabulary, getattr(self.last, field_name))
        return self._with(**{field_name: which}, when=when)

    def _related(self, words: str, vocabulary: Vocabulary) -> dict[str, Any] | None:
        """Another relation and its anchor: "and under the bed"."""
        for link, relation in sorted(closed_words("relation").items(), key=lambda pair: -len(pair[0])):
            tail = words.removeprefix(f"{link} ")
            if tail != words and vocabulary.knows(tail):
                return {"relation": relation, "anchor": Reader(vocabulary, When(), Clock())._which(tail)}
        return None

    def _which(self, words: str, vocabulary: Vocabulary, before: Selector) -> Selector:
        """ "the blue one" is a thing of the kind that was spoken of before."""
        name = without_articles(words)
        found = _ONE.fullmatch(name) or _ONE.fullmatch(words)
        if found and before.category is not None:
            if found[1] in ("other", "next", "second"):
                raise NoFit(words)
            return vocabulary.select(f"{found[1]} {before.category}")
        return Reader(vocabulary, When(), Clock())._which(words)

    def _with(self, when: When | None = None, **changes: Any) -> Asked:
        question: Any = self.last
        if when is not None and when.given:
            known = {part.name for part in fields(question)}
            moment = when.time if when.time is not None else when.since
            for name in ("time", "since"):
                if name in known:
                    changes[name] = moment
            if not known & {"time", "since"}:
                return Asked(replace(question, **changes), when.time)
        return Asked(replace(question, **changes))

    def _at_time(self, when: When) -> Asked | None:
        """The last question at another time."""
        assert self.last is not None
        program: Any = self.last
        known = {part.name for part in fields(program)}
        moment = when.time if when.time is not None else when.since
        if self.last.kind == "where_from_here" and moment is not None:
            return Asked(q.WhereWas(program.which, program.relation, program.anchor, moment))
        if known & {"time", "since"}:
            return self._with(when)
        return Asked(self.last, when.time)

    def _earlier(self, state: SpatialState, sentence: str) -> Told:
        """ "And before that?": the place before, the room before, or some minutes earlier."""
        program: Any = self.last
        if isinstance(program, (q.WhereAmI, q.PlaceBefore, q.WhereWasI)):
            self._steps = program.steps + 1 if isinstance(program, q.PlaceBefore) else 1
            if not isinstance(program, q.PlaceBefore):
                self._as_of = getattr(program, "time", None)
            question: Question = q.PlaceBefore(self._steps)
        elif isinstance(program, (q.WhereFromHere, q.CameFrom, q.PlaceOf, q.WhereWas)):
            question = q.CameFrom(program.which)
        elif isinstance(program, q.LastMoved):
            question = q.MovedThings(mine=program.mine)
        elif "since" in {part.name for part in fields(program)} and program.since is not None:
            question = replace(program, since=program.since - _EARLIER_S)
        else:
            return refusal(
                sentence,
                Unanswerable("I do not know before what you mean; ask with a time, such as '5 minutes ago'"),
            )
        try:
            at = self._as_of if isinstance(question, q.PlaceBefore) else None
            return answered(state, sentence, Asked(question, at), self.least_confidence)
        except Unanswerable as error:
            return refusal(sentence, error)

    def _remember(self, told: Told) -> None:
        made = [told.certificate, *(one.certificate for one in told.readings)]
        certificate = next((one for one in made if one is not None), None)
        if certificate is None:
            return
        question: Any = from_program(certificate.program)
        self.last = question
        if not isinstance(question, q.PlaceBefore):
            self._as_of = None
        before = self.thing
        for name in _NAMES:
            which = getattr(question, name, None)
            if isinstance(which, Selector):
                self.thing, self.at_thing = which.singular, True
                break
        if question.kind in ("last_moved", "nearest_thing") and isinstance(told.value, str):
            self.thing = told.value
        second = getattr(question, "second", None)
        if isinstance(second, Selector):
            self.other = second.singular
            # "The pink phone is closer": that is "it" from now on, unless it was asked of another.
            if told.value == self.other and not _OF_ONE.match(told.asked.lower()):
                self.thing, self.other = self.other, self.thing
        elif before and before != self.thing:
            self.other = before
        place = getattr(question, "place", "")
        if isinstance(place, str) and place:
            self.place, self.at_thing = place, False
        elif question.kind in ("place_of", "where_am_i", "where_was_i", "place_before") and told.value:
            self.place, self.at_thing = str(told.value), question.kind == "place_of"
        elif getattr(question, "relation", "") == "in" and question.anchor is not None:
            self.place = question.anchor.category or ""
