"""A sentence turned into a question program, by rules. No model.

Each rule is a pattern over the tidied sentence and a function from its noun phrases to a question. The first
rule that fits is taken; what fits none is refused with examples rather than guessed at.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from situ import questions as q
from situ.ask.times import When, take_time
from situ.ask.vocabulary import Vocabulary
from situ.errors import Unanswerable
from situ.geometry.heading import SECTORS
from situ.questions.about import IN, NEAR, ON
from situ.questions.base import Question

EXAMPLES = (
    "where is the red cup", "how far is the door", "can I reach the lamp", "how many chairs are there",
    "which is closer, the sofa or the desk", "when did I last see my keys", "where was the box 2 minutes ago",
)  # fmt: skip


class NotUnderstood(Unanswerable):
    """No rule fits the sentence."""


@dataclass(frozen=True)
class Asked:
    """What a sentence asks: the program, and the time as of which it is to be run (None: now)."""

    question: Question
    at: float | None = None


@dataclass(frozen=True)
class _Sentence:
    vocabulary: Vocabulary
    when: When
    start: float

    def which(self, phrase: str) -> q.Selector:
        return self.vocabulary.select(phrase)

    def about(self, phrase: str) -> dict[str, object]:
        """Arguments of a question about one thing: "the red cup on the desk"."""
        for words, relation in _RELATIONS:
            head, found, tail = phrase.partition(f" {words} ")
            if found and relation == IN:
                place = q.Selector.make(self.vocabulary.place(tail))
                return {"which": self.which(head), "relation": IN, "anchor": place}
            if found:
                return {"which": self.which(head), "relation": relation, "anchor": self.which(tail)}
        return {"which": self.which(phrase)}


_RELATIONS = (
    ("on top of", ON), ("that is on", ON), ("on", ON), ("next to", NEAR), ("beside", NEAR),
    ("close to", NEAR), ("near to", NEAR), ("near", NEAR), ("by", NEAR), ("at", NEAR),
    ("that is in", IN), ("inside", IN), ("in", IN),
)  # fmt: skip
Builder = Callable[[_Sentence, list[str]], Question]
_NP = r"((?:(?!\bor\b)[\w\-' ])+?)"
_I = r"(?:i|we|you)"
_BE = r"(?:is|are|was|were)"


def _where_was(s: _Sentence, np: list[str]) -> Question:
    return q.WhereWas(**s.about(np[0]), time=s.when.time)  # type: ignore[arg-type]


def _where(s: _Sentence, np: list[str]) -> Question:
    if s.vocabulary.is_place(np[0]):
        return q.WayToPlace(s.vocabulary.place(np[0]))
    if s.when.moved or s.when.time is not None:
        return _where_was(s, np)
    return q.WhereFromHere(**s.about(np[0]))  # type: ignore[arg-type]


def _side(claim: str) -> Builder:
    return lambda s, np: q.SideInView(s.which(np[0]), s.which(np[1]), claim)


def _two(kind: Callable[[q.Selector, q.Selector], Question]) -> Builder:
    return lambda s, np: kind(s.which(np[0]), s.which(np[1]))


def _about(kind: Callable[..., Question], **more: object) -> Builder:
    return lambda s, np: kind(**s.about(np[0]), **more)


def _happened(s: _Sentence, np: list[str]) -> Question:
    return q.WhatHappenedTo(s.which(np[0]), s.start if s.when.time is None else s.when.time)


def _appearance(s: _Sentence, np: list[str]) -> Question:
    names = re.split(r",| and ", np[0])
    return q.AppearanceOrder(tuple(s.which(name) for name in names if name.strip()))


def _count_in(s: _Sentence, np: list[str]) -> Question:
    return q.CountInPlace(s.vocabulary.place(np[1]), s.which(np[0]))


def _is_in(s: _Sentence, np: list[str]) -> Question:
    return q.IsIn(s.vocabulary.place(np[1]), s.which(np[0]))


def _affords(action: str, size: float) -> Builder:
    return lambda s, np: q.Affords(action, size, s.which(np[0]), s.which(np[1]) if len(np) > 1 else None)  # type: ignore[arg-type]


_RULES: tuple[tuple[str, Builder], ...] = (
    # Routes
    (rf"which way did {_I} come|how (?:do|can|did) {_I} (?:get|go|walk) back"
     r"(?: to (?:the )?(?:start|beginning))?|what is the way back", lambda s, np: q.ReversePlan()),
    (rf"where did {_I} (?:start|begin|come from)|which (?:way|direction) is (?:the )?(?:start|beginning)",
     lambda s, np: q.RouteDirection("end")),
    (rf"(?:what|which) shape (?:is|was|has|does) (?:my|our|the) (?:path|route|walk)(?: have)?|"
     rf"what shape did {_I} walk",
     lambda s, np: q.RouteShape()),
    # Two things, and standing somewhere else
    (rf"if {_I} (?:am |are )?(?:stand|standing) (?:by|at|next to) {_NP},? (?:and )?(?:face|facing) {_NP},? "
     rf"(?:where|which (?:way|direction)) {_BE} {_NP}",
     lambda s, np: q.RelativeDirection(s.which(np[0]), s.which(np[1]), s.which(np[2]), "hard")),
    (rf"did {_I} see more {_NP},? or (?:more )?{_NP}(?:,? or equally many(?: of both)?)?", _two(q.Compare)),
    (rf"(?:are|were) there more {_NP} (?:or|than)(?: more)? {_NP}", _two(q.Compare)),
    (rf"did {_I} (?:first )?see {_NP} before,? (?:or )?after,? or at the same time as "
     rf"(?:{_I} (?:first )?saw )?{_NP}",
     _two(q.FirstSeenOrder)),
    (rf"did {_I} (?:first )?see {_NP} (?:before|after) (?:or (?:before|after) )?"
     rf"(?:{_I} (?:first )?saw )?{_NP}",
     _two(q.FirstSeenOrder)),
    (rf"(?:which|what) did {_I} see first,? {_NP} or {_NP}", _two(q.FirstSeenOrder)),
    (r"(?:in )?(?:what|which) order did ([\w\-', ]+?) (?:first )?(?:appear|come into view)", _appearance),
    (rf"(?:when both are in view,? )?{_BE} {_NP} (?:to|on) the left or (?:to |on )?the right of {_NP}",
     _side("")),
    (rf"(?:when both are in view,? )?{_BE} {_NP} (?:to|on) the left(?: side)? of {_NP}", _side("left")),
    (rf"(?:when both are in view,? )?{_BE} {_NP} (?:to|on) the right(?: side)? of {_NP}", _side("right")),
    (rf"{_BE} {_NP} (?:above|below|over|under)(?: or (?:above|below|over|under))? {_NP}",
     lambda s, np: q.PairRelation(s.which(np[0]), s.which(np[1]), "height")),
    (rf"{_BE} {_NP} (?:in front of|behind)(?: or (?:in front of|behind))? {_NP}",
     lambda s, np: q.PairRelation(s.which(np[0]), s.which(np[1]), "depth")),
    (rf"(?:which|what) (?:one )?is (?:closer|nearer|closest|nearest) to (?!me\b){_NP}, {_NP} or {_NP}",
     lambda s, np: q.NearestTo((s.which(np[1]), s.which(np[2])), s.which(np[0]))),
    (rf"(?:which|what) (?:one )?is (?:closer|nearer)(?: to me)?,? {_NP} or {_NP}", _two(q.CloserToMe)),
    (rf"{_BE} {_NP} or {_NP} (?:closer|nearer)(?: to me)?", _two(q.CloserToMe)),
    (rf"(?:which|what) (?:one )?is (?:larger|bigger),? {_NP} or {_NP}", _two(q.Larger)),
    (rf"{_BE} {_NP} (?:larger|bigger) than {_NP}", _two(q.Larger)),
    (rf"(?:could|can|would|does) {_NP} (?:stand|fit|go) on(?: top of)? {_NP}", _two(q.FitsOn)),
    (rf"(?:are|is) {_NP} and {_NP} within (?:arm's )?reach of each other|{_BE} {_NP} within reach of {_NP}",
     _two(q.WithinReach)),
    (rf"(?:what is the distance|how far is it) (?:between|from) {_NP} (?:and|to) {_NP}",
     _two(q.ClosestDistance)),
    (rf"how far (?:away )?{_BE} {_NP} from (?!me\b|here\b){_NP}", _two(q.ClosestDistance)),
    # What a body can do
    (rf"can {_I} (?:fit|get|walk|pass) (?:through|between) {_NP} and {_NP}", _affords("pass through", 0.5)),
    (rf"can {_I} sit on {_NP}", _affords("sit on", 0.55)),
    (rf"can {_I} step over {_NP}", _affords("step over", 0.4)),
    (rf"can {_I} walk under {_NP}", _affords("fit under", 1.8)),
    (rf"(?:can|could) {_I} (?:reach|touch|grab) {_NP}(?: from here)?|{_BE} {_NP} (?:within|in) (?:my )?reach",
     _about(q.CanReach)),
    # One thing
    (rf"(?:can|do) {_I} see {_NP}|{_BE} {_NP} (?:in view|in sight|visible)", _about(q.InViewNow)),
    (rf"when did {_I} first see {_NP}", _about(q.SeenWhen, first=True)),
    (rf"(?:when|how long ago) did {_I} (?:last )?see {_NP}(?: last)?|when {_BE} {_NP} last seen",
     _about(q.SeenWhen)),
    (rf"how far (?:away )?{_BE} {_NP}(?: (?:from (?:me|here)|away))?|what is the distance to {_NP}|"
     rf"how far (?:away )?is it to {_NP}", _about(q.DistanceFromHere)),
    (r"how (?:big|large) is (?:the|this) room", lambda s, np: q.RoomSize()),
    (rf"how (?:big|large|long|tall|wide) {_BE} {_NP}", lambda s, np: q.LongestSide(s.which(np[0]))),
    (rf"how many(?: different)? {_NP} (?:did|have) {_I} (?:see|seen)(?: (?:in total|so far|altogether))?",
     lambda s, np: q.Count(s.which(np[0]))),
    (rf"how many {_NP} {_BE} (?:there )?in (?!this room\b|here\b){_NP}|"
     rf"(?:how many|count(?: the)?) {_NP} in (?!this room\b|here\b|total\b){_NP}(?: are there)?",
     _count_in),
    (rf"how many {_NP} {_BE} (?:there|left|still there|in this room)(?: left)?|"
     rf"how many {_NP} (?:do|can) {_I} have(?: left)?|count {_NP}", lambda s, np: q.CountNow(s.which(np[0]))),
    (rf"what (?:happened|has happened) to {_NP}|(?:did|has) {_NP} (?:been )?moved?", _happened),
    (r"where am i(?: now)?|(?:in )?(?:what|which) (?:room|place) am i(?: in)?", lambda s, np: q.WhereAmI()),
    (rf"(?:in )?(?:what|which) (?:room|place) (?:{_BE}|did {_I} (?:put|leave|see)) {_NP}(?: in)?",
     lambda s, np: q.PlaceOf(s.which(np[0]))),
    (rf"what (?:{_BE}(?: there)?|did {_I} see|have {_I} seen) (?:in|inside) {_NP}|"
     rf"(?:list|show me|tell me) (?:the|all|all the) things in {_NP}",
     lambda s, np: q.ContentsOf(s.vocabulary.place(np[0]))),
    (rf"(?:is|are) (?:there )?(?!there\b){_NP} in {_NP}", _is_in),
    (rf"what {_BE} (?:next to|beside|near|close to) {_NP}", _about(q.NextTo)),
    (rf"(?:in )?(?:what|which) (?:part|corner|place) of {_NP} am i(?: in)?|where in {_NP} am i",
     lambda s, np: q.PositionInPlace(s.which(np[0]))),
    (rf"(?:have|did) {_I} (?:ever )?(?:seen|see) {_NP}|(?:is|are) there (?:a|an|any) {_NP}",
     lambda s, np: q.Count(s.which(np[0]))),
    (rf"where (?:did {_I} (?:put|leave|see|last see|last put)|(?:have|had) {_I} (?:put|left|seen)) {_NP}",
     _where),
    (rf"(?:where|in which direction|which direction|which way|what direction) {_BE} {_NP}"
     r"(?: (?:from here|relative to me|from me|compared to me))?", _where),
    (rf"(?:how (?:do|can) {_I} (?:get|go) to|which way (?:is it )?to|point (?:me )?(?:to|at)|find(?: me)?|"
     rf"show me) {_NP}",
     _where),
)  # fmt: skip
_COMPILED = tuple((re.compile(rf"^(?:{pattern})$"), build) for pattern, build in _RULES)
_CONTRACTIONS = (
    ("where's", "where is"), ("what's", "what is"), ("who's", "who is"), ("i've", "i have"), ("i'm", "i am"),
    ("we've", "we have"), ("which's", "which is"), ("isn't", "is"), ("’", "'"),
)  # fmt: skip
_POLITE = re.compile(
    r"^(?:please|hey|ok|okay|so|and|um|well|could you|can you|tell me|do you know|i wonder|remind me)\b[, ]*"
)


def parse(sentence: str, vocabulary: Vocabulary, start: float = 0.0, now: float = 0.0) -> Asked:
    """The question that a sentence asks. Raises NotUnderstood, or NotSeen for a name that is not known."""
    tidy = _tidied(sentence)
    if not tidy:
        raise NotUnderstood("there is no question; ask for instance: " + "; ".join(EXAMPLES[:3]))
    rest, when = take_time(tidy, start, now)
    for pattern, build in _COMPILED:
        found = pattern.match(rest)
        if found:
            phrases = [phrase.strip() for phrase in found.groups() if phrase is not None]
            question = build(_Sentence(vocabulary, when, start), phrases)
            timed = isinstance(question, (q.WhereWas, q.WhatHappenedTo))
            return Asked(question, None if timed else when.time)
    raise NotUnderstood(
        f"I do not understand {sentence.strip()!r}. I can be asked, for instance: {'; '.join(EXAMPLES)}"
    )


def _tidied(sentence: str) -> str:
    text = sentence.lower().strip()
    for short, full in _CONTRACTIONS:
        text = text.replace(short, full)
    text = re.sub(r"[?!.\"]+", " ", text)
    text = re.sub(r"\s+", " ", text).strip(" ,")
    while True:
        shorter = _POLITE.sub("", text)
        if shorter == text:
            return re.sub(r"\s*,\s*", ", ", text)
        text = shorter


DIRECTION_WORDS = {
    "front": "in front of you", "front right": "ahead to your right", "right": "to your right",
    "back right": "behind you to your right", "back": "behind you", "back left": "behind you to your left",
    "left": "to your left", "front left": "ahead to your left", "same location": "right where you are",
}  # fmt: skip
assert set(SECTORS) < set(DIRECTION_WORDS)
