"""What set phrases make of the question before: "by how much", "which ones are not", "the other one"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from situ.errors import Unanswerable
from situ.language import lexicon as lx
from situ.language.edits import at_time, holds, kind_of, plainly, replaced, since_of, time_asked
from situ.language.naming import noun
from situ.language.reading import LEAST_READING, Reading, filled, read, read_part
from situ.language.sets import Json, lacks_kind, meet, things, with_kind
from situ.language.times import Clock
from situ.language.topic import Topic
from situ.language.vocabulary import Vocabulary
from situ.questions.programs.named import with_gone

_OF_BOTH = re.compile(r"\b(?:apart|between|both|together|the two|those two|these two|each other)\b")
_LATER = re.compile(r"^(?P<amount>.+) (?P<way>later|after that|earlier|before that)$")
_EARLIER_S = 300.0
_BEFORE_WHAT = "I do not know before what you mean; ask with a time, such as '5 minutes ago'"
_REST_OF_WHAT = "I do not know what was left out; name the things that you mean"
_SAID = {"it": "it", "those": "those", "place": "there", "kind": "one"}


@dataclass(frozen=True)
class AboutTopic:
    """A topic, with what a sentence may mean by it."""

    topic: Topic
    words: Vocabulary
    clock: Clock

    def _plainly(self, sentence: str) -> Reading | None:
        return read(sentence, self.words, self.clock)

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
            asked = {
                "ask": "compare",
                "of": pair,
                "names": [noun(one) for one in pair],
                "by": by,
                "least": least,
            }
            return Reading(asked, 1.0, "which of two")
        measure = lx.MORE_OR_LESS.get(word) or lx.LEAST_OR_MOST.get(word)
        program = topic.program
        if isinstance(program, dict) and program.get("ask") == "me" and word == "longest":
            bounds = {key: program[key] for key in ("since", "until") if key in program}
            return Reading({"ask": "me", "what": word, **bounds}, 1.0, word)
        if topic.those is None or measure is None or "two" in found[0]:
            return None
        top: Json = {"op": "top", "by": measure[0], "of": topic.those}
        top |= {} if measure[1] else {"least": False}
        return Reading({"ask": "list", "of": top}, 1.0, "which of them", phrases={"set": top})

    def _rooms(self, found: re.Match[str]) -> Reading | None:
        """ "In which rooms": where those are."""
        those = self.topic.those
        if those is None:
            return None
        asked = {"ask": "per", "per": "place", "of": those, "want": "each"}
        return Reading(asked, 1.0, "in which rooms", phrases=self._phrases())

    def _which(self, found: re.Match[str]) -> Reading | None:
        those = self.topic.those
        if those is None:
            return None
        return Reading({"ask": "list", "of": those, "by": "distance"}, 1.0, "which", phrases={"set": those})

    def _rest(self, found: re.Match[str]) -> Reading | None:
        """ "Which ones are not", "the rest": those of their kind that the last question left out."""
        program = self.topic.program
        if isinstance(program, dict) and program.get("ask") == "per":
            return Reading({**program, "want": "none"}, 1.0, "which not", phrases=self._phrases())
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
        top = {**top, "rank": int(str(top.get("rank", 1))) + 1}
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
            return Reading(
                {"ask": "get", "what": "way", "of": other}, 1.0, "the other one", phrases={"set": other}
            )
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
            came = {"ask": "get", "what": "came_from", "of": with_gone(self.topic.it)}
            return Reading(came, 1.0, "came from", phrases={"set": self.topic.it})
        since = since_of(program)
        if since is None:
            raise Unanswerable(_BEFORE_WHAT)
        span = {"since": since - _EARLIER_S, "until": since}
        return Reading(at_time(program, span, None, self.clock.start), 1.0, "before", phrases=self._phrases())


Edit = Callable[[AboutTopic, re.Match[str]], Reading | None]
# Set phrases that edit the question before; others are said again by the ears in these words.
EDITS: tuple[tuple[re.Pattern[str], Edit], ...] = tuple(
    (re.compile(pattern), edit)
    for pattern, edit in (
        (r"^by how many$|^(?:by )?how much(?: (?:closer|nearer|farther|taller|bigger|more|fewer|shorter))?$",
         AboutTopic._how_much),
        (r"^(?:before that|before|earlier|the time before|previously|before then)$", AboutTopic._before),
        (_LATER.pattern, AboutTopic._later),
        (r"^(?:(?:are|is) there )?(?:any |some |an)? ?(?:others?|more|other ones?)(?: ones?)?$",
         AboutTopic._others),
        (r"^(?:are|were) (?:they|those|these|both|the two) (?:near|close to|next to|beside) each other$",
         AboutTopic._together),
        (r"^how far (?:apart|from each other) are (?:they|those|these|both|the two)$", AboutTopic._apart),
        (r"^where (?:was|were) (?P<who>it|that|i|we) (?:then|at that time|at that moment)$",
         AboutTopic._then),
        (r"^(?:which|what)(?: ones?)?(?: of (?:them|those))? (?:is|are) (?:left(?: over)?|remaining|not)$"
         r"|^(?:which|what)(?: ones?)? remains?$|^(?:where are )?the (?:rest|others|remaining ones)$",
         AboutTopic._rest),
        (r"^(?:(?:which|what)(?: one)?(?: of (?:them|these|those|the (?:two|three|four)))? is )?(?:the )?"
         r"(?P<more>\w+)(?: one)?(?: of (?:them|these|those|the (?:two|three|four|lot)))?"
         r"(?: (?:from here|to me|is))?$", AboutTopic._of_two),
        (r"^which (?:one|ones) (?:is|are)$", AboutTopic._which_is),
        (r"^(?:in )?(?:which|what) rooms$", AboutTopic._rooms),
        (r"^which (?:ones|of them|are (?:they|those))$", AboutTopic._which),
        (r"^the next (?:nearest|one)$", AboutTopic._next),
        (r"^something (?:nearer|closer)$", AboutTopic._nearer),
        (r"^(?:where is )?(?:the other|another)(?: one| (?P<what>.+))?$", AboutTopic._other),
    )
)  # fmt: skip
