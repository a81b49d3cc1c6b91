"""What a sentence asks in the light of those before: it fills holes from what was spoken of, or edits the
program that was asked before.

"And the blue one" puts another set in its place, "and in the kitchen" another place, "five minutes ago"
another time, "by how much" asks the same comparison for its number; "it", "those" and "there" are holes that
are filled with what was spoken of.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from situ.errors import Unanswerable
from situ.language import lexicon as lx
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
from situ.language.naming import noun
from situ.language.reading import LEAST_READING, Part, Reading, filled, read, read_part, spoken_unit
from situ.language.sets import Json, ever, lacks_kind, meet, things, with_kind
from situ.language.times import Clock
from situ.language.tokens import plain
from situ.language.topic import Topic
from situ.language.vocabulary import Vocabulary

# What stands before a sentence that goes on, or mends the one before.
_ON = re.compile(
    r"^\W*(?:(?:and|but|or|then|now|so|only|just|ok|okay|no|nope|not that(?: one)?|what about|how about"
    r"|same for|also|i mean|i meant|sorry|rather|wait|about)\b[\s,]*)+"
)
_LAST_WORDS = re.compile(r"[\s,]+(?:i mean|i meant|instead|rather|then|please)\W*$")
# A question word alone asks on about what was spoken of last; "when" after a move means that move.
_ALONE = {
    "where": "where is it", "how far": "how far is it", "which way": "which way is it",
    "how big": "how big is it", "how tall": "how tall is it", "how high": "how tall is it",
    "how wide": "how wide is it", "which room": "which room is it in", "what color": "what color is it",
    "what colour": "what colour is it", "from where": "where was it before",
    "when was that": "when was it moved", "when": "when did i last see it",
    "since when": "when was it last moved", "how long ago": "when did i last see it",
    "how many": "how many of those are there", "how many are there": "how many of those are there",
    "take me there": "where is it", "show me": "where is it", "on what": "what is it on",
    "left or right": "is it on the left or on the right",
}  # fmt: skip
_ALONE_OF_PLACE = {
    "how long": "how long was i in the {}", "for how long": "how long was i in the {}",
    "how often": "how often was i in the {}", "how many times": "how often was i in the {}",
    "when": "when was i last in the {}", "since when": "when was i last in the {}",
    "take me there": "where is the {}", "how far": "how far is the {}", "how far is it": "how far is the {}",
    "how far is that": "how far is the {}", "where is it": "where is the {}",
    "which way": "which way is the {}", "where": "where is the {}", "where is that": "where is the {}",
}  # fmt: skip
_OF_BOTH = re.compile(r"\b(?:apart|between|both|together|the two|those two|these two|each other)\b")
_LATER = re.compile(r"^(?P<amount>.+) (?P<way>later|after that|earlier|before that)$")
_EARLIER_S = 300.0
_BEFORE_WHAT = "I do not know before what you mean; ask with a time, such as '5 minutes ago'"
_REST_OF_WHAT = "I do not know what was left out; name the things that you mean"
_MOVES = ("moved", "taken", "brought")
_OF_SETS = ("count", "exists", "list")
_SAID = {"it": "it", "those": "those", "place": "there", "kind": "one"}


@dataclass(frozen=True)
class GoingOn:
    """Reads sentences in the light of a topic."""

    topic: Topic
    words: Vocabulary
    clock: Clock

    def read(self, sentence: str) -> Reading | None:
        """What a sentence asks; None if neither a frame takes it nor it edits what was asked before."""
        if self.topic.program is None:
            return read(sentence, self.words, self.clock)
        text = plain(sentence).strip(" ?!.,")
        if unit := spoken_unit(text):
            return Reading(self.topic.program, 1.0, "again", unit=unit)
        short = _ON.sub("", text).strip(" ,?!.")
        if not _where_then(short):
            short = _LAST_WORDS.sub("", short).strip(" ,?!.")
        goes_on = short != text
        if self.topic.at_place and short in _ALONE_OF_PLACE:
            return self._plainly(_ALONE_OF_PLACE[short].format(self.topic.place))
        if (edited := self._edit(short)) is not None:
            return edited
        reading = self._plainly(sentence)
        if reading is not None and reading.frame == "bare" and reading.holes:  # "just the yellow ones"
            return self._edited(short, True) or self.filled(reading, short)
        whole = self.filled(reading, short)
        if whole is not None and whole.frame == "bare":
            whole, goes_on = None, True
        if whole is not None and not (goes_on and self._is_name(short)):
            return whole
        return self._edited(short, goes_on) or reading

    def _plainly(self, sentence: str) -> Reading | None:
        return read(sentence, self.words, self.clock)

    def _is_name(self, short: str) -> bool:
        part = read_part(short, self.words, self.clock)
        return part is not None and (part.set is not None or bool(part.place))

    # ------------------------------------------------------------------ what was spoken of
    def filled(self, reading: Reading | None, said: str) -> Reading | None:
        """A reading with what was spoken of in its holes."""
        if reading is None or reading.unknown or reading.certainty < LEAST_READING:
            return None
        if not reading.holes:
            return reading
        topic = self.topic
        of_both = topic.it is not None and topic.other is not None and _OF_BOTH.search(said)
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

    def _phrases(self) -> dict[str, Json]:
        return {} if self.topic.focus is None else {"set": self.topic.focus}

    # ------------------------------------------------------------------ edits
    def _edit(self, short: str) -> Reading | None:
        """What a set phrase makes of the question before."""
        for pattern, edit in _EDITS:
            if found := pattern.match(short):
                reading = edit(self, found)
                if reading is not None:
                    return reading
        if short == "when" and any(f"'{act}'" in str(self.topic.program) for act in _MOVES):
            short = "when was it moved"
        elif short in _ALONE and (self.topic.it or self.topic.those) is not None:
            short = _ALONE[short]
        else:
            return None
        return self.filled(self._plainly(short), short)

    def _how_much(self, found: re.Match[str]) -> Reading | None:
        """ "By how much": the last comparison, as a number."""
        program = self.topic.program
        if not isinstance(program, dict):
            return None
        if program.get("ask") == "compare":
            return Reading({**program, "diff": True}, 1.0, "by how much")
        said = program.get("in") or {}
        if program.get("ask") == "is" and said.get("op") == "compare" and isinstance(said["than"], dict):
            pair = [program["of"], said["than"]]
            asked = {"ask": "compare", "of": pair, "names": [noun(one) for one in pair], "by": said["by"],
                     "least": bool(said.get("less")), "diff": True}  # fmt: skip
            return Reading(asked, 1.0, "by how much")
        return None

    def _later(self, found: re.Match[str]) -> Reading | None:
        """ "And five minutes later": the same question, so long after the time that it was asked of."""
        program, asked = self.topic.program, time_asked(self.topic.program)
        ago = read_part(f"{found['amount']} ago", self.words, self.clock)
        if asked is None or ago is None or ago.window is None or ago.window.at is None:
            return None
        span = self.clock.now - ago.window.at
        at = asked + span if found["way"] in ("later", "after that") else asked - span
        if not self.clock.start <= at <= self.clock.now:
            raise Unanswerable("I remember nothing of that time")
        return Reading(at_time(program, {}, at, self.clock.start), 1.0, "later", phrases=self._phrases())

    def _others(self, found: re.Match[str]) -> Reading | None:
        """ "Any others?": of the same kind, but the one that was told."""
        focus = self.topic.focus
        kind = things(kind_of(focus)) if kind_of(focus) else None
        if kind is None or focus is None:
            return None
        rest: Json = {"op": "except", "of": kind, "but": {"op": "the", "of": plainly(focus)}}
        return Reading({"ask": "list", "of": rest}, 1.0, "others", phrases={"set": rest})

    def _together(self, found: re.Match[str]) -> Reading | None:
        topic = self.topic
        if topic.it is None or topic.other is None:
            return None
        asked = {"ask": "is", "of": plainly(topic.other),
                 "in": {"op": "rel", "rel": "near", "to": plainly(topic.it)}}  # fmt: skip
        return Reading(asked, 1.0, "together", phrases={"set": topic.it})

    def _apart(self, found: re.Match[str]) -> Reading | None:
        topic = self.topic
        if topic.it is None or topic.other is None:
            return None
        asked = {"ask": "gap", "of": plainly(topic.other), "to": plainly(topic.it)}
        return Reading(asked, 1.0, "apart", phrases={"set": topic.it})

    def _then(self, found: re.Match[str]) -> Reading | None:
        """Where it was then, or where the wearer was."""
        if self.topic.time is None:
            return None
        if found["who"] in ("i", "we"):
            return Reading({"ask": "me", "what": "place_at", "at": self.topic.time}, 1.0, "where then")
        if self.topic.it is None:
            return None
        what = "place" if self.words.places else "way"
        asked = {"as_of": self.topic.time, "do": {"ask": "get", "what": what, "of": plainly(self.topic.it)}}
        return Reading(asked, 1.0, "where then", phrases={"set": self.topic.it})

    def _of_two(self, found: re.Match[str]) -> Reading | None:
        """ "Which one is closer": of the two that were spoken of; "nearest": of all of those."""
        topic, word = self.topic, found["more"]
        if topic.it is not None and topic.other is not None and word in lx.MORE_OR_LESS:
            by, least = lx.MORE_OR_LESS[word]
            pair = [topic.other, topic.it]
            asked = {"ask": "compare", "of": pair, "names": [noun(one) for one in pair], "by": by, "least": least}
            return Reading(asked, 1.0, "which of two")
        measure = lx.MORE_OR_LESS.get(word) or lx.LEAST_OR_MOST.get(word)
        if topic.those is None or measure is None or "two" in found[0]:
            return None
        top: Json = {"op": "top", "by": measure[0], "of": topic.those}
        top |= {} if measure[1] else {"least": False}
        return Reading({"ask": "list", "of": top}, 1.0, "which of them", phrases={"set": top})

    def _which(self, found: re.Match[str]) -> Reading | None:
        those = self.topic.those
        if those is None:
            return None
        return Reading({"ask": "list", "of": those, "by": "distance"}, 1.0, "which", phrases={"set": those})

    def _rest(self, found: re.Match[str]) -> Reading | None:
        """ "Which ones are not", "the rest": those of their kind that the last question left out."""
        program = self.topic.program
        if isinstance(program, dict) and program.get("ask") == "per":
            want = "none" if program.get("want", "any") != "none" or "not" not in found[0] else "none"
            return Reading({**program, "want": want}, 1.0, "which not", phrases=self._phrases())
        if isinstance(program, dict) and program.get("ask") == "all":
            rest: Json = {"op": "except", "of": program["of"], "but": program["are"]}
            return Reading({"ask": "list", "of": rest}, 1.0, "which not", phrases={"set": rest})
        those, kind = self.topic.those, self._kind()
        if those is None or not kind or plainly(those) == things(kind):
            raise Unanswerable(_REST_OF_WHAT)
        rest = {"op": "except", "of": things(kind), "but": those}
        return Reading({"ask": "list", "of": rest}, 1.0, "the rest", phrases={"set": rest})

    def _which_is(self, found: re.Match[str]) -> Reading | None:
        """ "Then which one is": of the kind that was asked about, those of which it is so."""
        program = self.topic.program
        if not isinstance(program, dict) or program.get("ask") != "is" or not kind_of(program["of"]):
            return None
        of = meet(things(kind_of(program["of"])), plainly(program["in"]))
        return Reading({"ask": "list", "of": of, "by": "distance"}, 1.0, "which is", phrases={"set": of})

    def _next(self, found: re.Match[str]) -> Reading | None:
        """ "The next nearest": one rank further."""
        focus = self.topic.focus
        if focus is None:
            return None
        top = focus if focus["op"] == "top" else {"op": "top", "by": "distance", "of": focus}
        top = {**top, "rank": int(top.get("rank", 1)) + 1}
        return Reading({"ask": "get", "what": "way", "of": top}, 1.0, "next", phrases={"set": top})

    def _nearer(self, found: re.Match[str]) -> Reading | None:
        focus = self.topic.focus or self.topic.it
        if focus is None:
            return None
        of = focus["of"] if focus["op"] == "top" else things(kind_of(focus)) if kind_of(focus) else focus
        top: Json = {"op": "top", "by": "distance", "of": plainly(of)}
        return Reading({"ask": "get", "what": "way", "of": top}, 1.0, "nearer", phrases={"set": top})

    def _other(self, found: re.Match[str]) -> Reading | None:
        """ "The other one": of two that were named the one before, else another than the likeliest. "The
        other white one": another of those."""
        program, focus, other = self.topic.program, self.topic.focus, self.topic.other
        if focus is None:
            return None
        if found["what"]:
            part = read_part(f"the {found['what']}", self.words, self.clock)
            of = None if part is None or part.set is None else part.set
            if of is None:
                return None
            focus_of = with_kind(of, things(self._kind())) if lacks_kind(of) and self._kind() else of
            other = {"op": "except", "of": focus_of, "but": {"op": "the", "of": focus}}
        elif focus["op"] == "top":
            other = {"op": "except", "of": focus["of"], "but": focus}
        elif focus.get("with") and kind_of(focus) and (other is None or other == things(kind_of(focus))):
            other = {"op": "except", "of": things(kind_of(focus)), "but": {"op": "the", "of": focus}}
        elif other is None or kind_of(other) != kind_of(self.topic.it):
            other = {"op": "except", "of": focus, "but": {"op": "the", "of": focus}}
        if not holds(program, focus):
            return Reading({"ask": "get", "what": "way", "of": other}, 1.0, "the other one", phrases={"set": other})
        return Reading(replaced(program, focus, other), 1.0, "the other one", phrases={"set": other})

    def _before(self, found: re.Match[str]) -> Reading | None:
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
        return Reading(at_time(program, span, None, self.clock.start), 1.0, "before", phrases=self._phrases())

    # ------------------------------------------------------------------ another set, place or time
    def _edited(self, short: str, goes_on: bool) -> Reading | None:
        """The last program with another set, place or time."""
        part = read_part(short, self.words, self.clock)
        if part is None or (not goes_on and len(short.split()) > 5):
            return None
        if part.unknown:
            raise Unanswerable(self.words.not_seen(part.unknown[0]))
        program = self.topic.program
        if part.window is not None:
            bounds, at = part.window.bounds(), part.window.at
            return Reading(at_time(program, bounds, at, self.clock.start), 1.0, "at another time")
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
            of = self._chosen(of, head)
        return self._of_another(of, part)

    def _of_another(self, of: Json, part: Part) -> Reading:
        program, focus = self.topic.program, self.topic.focus
        if focus is None or not holds(program, focus):
            return Reading({"ask": "get", "what": "way", "of": of}, 0.9, "where", phrases={"set": of})
        if of["op"] == "things" and isinstance(program, dict) and program.get("ask") in _OF_SETS:
            of = reheaded(focus, of)
        edited = replaced(program, focus, of)
        if part.plural and isinstance(edited, dict) and edited.get("ask") in ("get", "is"):
            edited = {"ask": "list", "of": of, "by": "distance"}
        return Reading(edited, 1.0, "of another", phrases={"set": of})

    def _chosen(self, of: Json, head: Json) -> Json:
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

    def _at_place(self, program: Any, place: str) -> Any:
        found = with_place(program, place)
        if found != program or not isinstance(program, dict):
            return found
        of = program.get("of")
        if program.get("ask") in ("get", "is") and isinstance(of, dict):
            return {"ask": "is", "of": of, "in": {"op": "in", "place": place}}
        return {**program, "of": meet(of, {"op": "in", "place": place})} if isinstance(of, dict) else program


def _where_then(short: str) -> bool:
    return short.startswith("where was ") and short.endswith(" then")


_Edit = Callable[[GoingOn, re.Match[str]], Reading | None]
# Set phrases that edit the question before; others are said again by the ears in these words.
_EDITS: tuple[tuple[re.Pattern[str], _Edit], ...] = tuple(
    (re.compile(pattern), edit)
    for pattern, edit in (
        (r"^(?:by )?how much(?: (?:closer|nearer|farther|taller|bigger|more|fewer|shorter))?$", GoingOn._how_much),
        (r"^(?:before that|before|earlier|the time before|previously|before then)$", GoingOn._before),
        (_LATER.pattern, GoingOn._later),
        (r"^(?:(?:are|is) there )?(?:any |some |an)? ?(?:others?|more|other ones?)(?: ones?)?$", GoingOn._others),
        (r"^(?:are|were) (?:they|those|these|both|the two) (?:near|close to|next to|beside) each other$",
         GoingOn._together),
        (r"^how far (?:apart|from each other) are (?:they|those|these|both|the two)$", GoingOn._apart),
        (r"^where (?:was|were) (?P<who>it|that|i|we) (?:then|at that time|at that moment)$", GoingOn._then),
        (r"^(?:which|what)(?: ones?)?(?: of (?:them|those))? (?:is|are) (?:left(?: over)?|remaining|not)$"
         r"|^(?:which|what)(?: ones?)? remains?$|^(?:where are )?the (?:rest|others|remaining ones)$",
         GoingOn._rest),
        (r"^(?:which|what)(?: one)?(?: of (?:them|these|those|the two))? is (?:the )?(?P<more>\w+)(?: one)?$",
         GoingOn._of_two),
        (r"^which (?:one|ones) (?:is|are)$", GoingOn._which_is),
        (r"^which (?:ones|of them|are (?:they|those))$", GoingOn._which),
        (r"^the next (?:nearest|one)$", GoingOn._next),
        (r"^something (?:nearer|closer)$", GoingOn._nearer),
        (r"^(?:where is )?(?:the other|another)(?: one| (?P<what>.+))?$", GoingOn._other),
    )
)  # fmt: skip
