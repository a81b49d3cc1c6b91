"""What a sentence asks in the light of those before: it fills holes from what was spoken of, or edits the
program that was asked before.

"And the blue one" puts another set in its place, "and in the kitchen" another place, "five minutes ago"
another time, "by how much" asks the same comparison for its number; "it", "those" and "there" are holes that
are filled with what was spoken of.
"""

import re
from typing import Any

from situ.errors import Unanswerable
from situ.language.edits import (
    at_time,
    holds,
    reheaded,
    replaced,
    with_place,
)
from situ.language.naming import noun
from situ.language.reading import Part, Reading, read_part, spoken_unit
from situ.language.set_phrases import EDITS, AboutTopic
from situ.language.sets import HOLE, Json, lacks_kind, meet, things, with_kind
from situ.language.tokens import plain

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
    "left or right": "is it on the left or on the right", "distance": "how far is it",
    "direction": "which way is it", "bearing": "which way is it", "colour": "what color is it",
    "color": "what color is it", "size": "how big is it", "height": "how tall is it",
    "room": "which room is it in",
    "width": "how wide is it", "location": "where is it", "position": "where is it",
}  # fmt: skip
_ALONE_OF_PLACE = {
    "how long": "how long was i in the {}", "for how long": "how long was i in the {}",
    "how often": "how often was i in the {}", "how many times": "how often was i in the {}",
    "when": "when was i last in the {}", "since when": "when was i last in the {}",
    "take me there": "where is the {}", "how far": "how far is the {}", "how far is it": "how far is the {}",
    "how far is that": "how far is the {}", "where is it": "where is the {}",
    "which way": "which way is the {}", "where": "where is the {}", "where is that": "where is the {}",
}  # fmt: skip
_MOVES = ("moved", "taken", "brought")
_OF_SETS = ("count", "exists", "list")


class GoingOn(AboutTopic):
    """Reads sentences in the light of a topic."""

    def read(self, sentence: str) -> Reading | None:
        """What a sentence asks; None if neither a frame takes it nor it edits what was asked before."""
        if self.topic.program is None:
            return self._plainly(sentence) or self._plainly(_ON.sub("", plain(sentence)))
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

    def _is_name(self, short: str) -> bool:
        part = read_part(short, self.words, self.clock)
        return part is not None and (part.set is not None or bool(part.place))

    # ------------------------------------------------------------------ edits
    def _edit(self, short: str) -> Reading | None:
        """What a set phrase makes of the question before."""
        for pattern, edit in EDITS:
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
        if of is None and part.said is not None and part.said["op"] == "things" and self._asks_of_one():
            of = {**part.said, "kind": HOLE}  # "repeat for green"
        if of is None:
            return None if part.said is None else self._said(part.said)
        if lacks_kind(of):
            head = things(self._kind()) if self._kind() else self.topic.those
            if head is None:
                return None
            of = self._chosen(of, head)
        return self._of_another(of, part)

    def _asks_of_one(self) -> bool:
        program = self.topic.program
        return isinstance(program, dict) and program.get("ask") in ("get", "gap") and bool(self._kind())

    def _of_another(self, of: Json, part: Part) -> Reading:
        program, focus = self.topic.program, self.topic.focus
        if focus is None or not holds(program, focus):
            return Reading({"ask": "get", "what": "way", "of": of}, 0.9, "where", phrases={"set": of})
        if isinstance(program, dict) and program.get("ask") == "compare" and "by" in program:
            pair = [*program["of"], of]  # "and the fridge": beside those that were compared
            asked = {**program, "of": pair, "names": [noun(one) for one in pair]}
            return Reading(asked, 1.0, "and another", phrases={"set": of})
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
