"""Reading a sentence order-free: the kind whose cues explain most of it, and leave least unexplained.

For sentences that no phrase of the grammar fits: broken off, turned round, with a story before the question.
A reading of this kind is announced to whoever asked, and its certainty is that of the words it explains.
"""

from collections.abc import Iterable, Set
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any

from situ.language.concepts import WEIGHTS, YES_NO, concept_runs, concepts_of
from situ.language.function_words import UNIVERSAL, meant_by
from situ.language.kind import KINDS, Cue, Kind
from situ.language.mentions import PEOPLE, Mentions, mentions
from situ.language.reader import NoFit, Reader, Unused
from situ.language.vocabulary import NotSeen
from situ.questions.base import Question
from situ.questions.rules.relations import IN
from situ.questions.select import Selector, with_article

_SLOTS = frozenset({"thing", "things", "place", "direction", "relation", "time", "plural"})
_CERTAIN, _PER_WORD, _PER_LOSS, LEAST_CERTAINTY = 0.95, 0.12, 0.1, 0.6
_LEAST_SCORE, _PER_STRANGE_WORD = 1.0, 0.5


@dataclass(frozen=True)
class Reading:
    """A question that a sentence may ask, and how surely it does; None: one that no memory can answer."""

    question: Question | None
    certainty: float


@dataclass(frozen=True)
class _Heard:
    """What a sentence holds: concepts, names, and words that say nothing to the memory."""

    concepts: frozenset[str]
    named: Mentions
    strange: tuple[str, ...] = ()
    slots: frozenset[str] = field(default_factory=frozenset)


def loosely(sentence: str, reader: Reader) -> Reading:
    """The likeliest question. Raises NoFit if none is likely enough, NotSeen for a name nobody has seen."""
    heard, left = _heard(sentence, reader), ""
    ranked = sorted(_scored(heard), key=lambda found: -found[0])
    for score, kind, cue in ranked:
        loss = _loss(heard, cue)
        if score + loss / 2 < _LEAST_SCORE:
            continue
        if heard.named.unknown:
            raise not_seen(heard.named.unknown[0], reader)
        try:
            question = reader.completed(kind, arguments_of(kind, cue, heard.named))
        except NoFit:
            continue
        certainty = _CERTAIN - _PER_WORD * len(heard.strange) - _PER_LOSS * loss
        if certainty < LEAST_CERTAINTY:
            continue
        if unused := unused_by(kind, cue.needs | cue.may, heard.named, reader):
            left = left or unused
            continue
        return Reading(question, certainty)
    raise Unused(left) if left else NoFit(sentence)


def unused_by(kind: Kind, concepts: Set[str], named: Mentions, reader: Reader) -> str:
    """The first word that turns a meaning round and belongs to none of the concepts that a question is read
    from, or nothing."""
    sides = {"left", "right"} & {*named.words, *named.directions}
    meant = meant_by(kind, max(len(named.things) + len(named.unknown), len(named.places), len(sides)))
    if YES_NO in concepts_of(named.words)[0]:  # "are all of them red" asks for no list
        meant = meant - UNIVERSAL
    rest: list[str] = []
    for concept, words in concept_runs(named.words):
        rest += [""] * len(words) if concept in concepts - {"all"} else words
    return reader.unused(rest, meant)


def not_seen(name: str, reader: Reader) -> NotSeen:
    try:
        reader.vocabulary.select(name)
    except NotSeen as error:
        return error.with_traceback(None)
    return NotSeen(f"I have not seen {with_article(name)}", name)


def _heard(sentence: str, reader: Reader) -> _Heard:
    named = mentions(sentence, reader.vocabulary)
    found, rest = concepts_of(named.words)
    slots = set()
    number = len(named.things) + len(named.unknown)
    if number:
        slots.add("thing" if number == 1 else "things")
    if named.plural:
        slots.add("plural")
    if named.places:
        slots.add("place")
    if named.directions:
        slots.add("direction")
    if named.relation:
        slots.add("relation")
    if reader.when.time is not None or reader.when.since is not None:
        slots.add("time")
    concepts = set(found)
    if named.relation == "near" and number == 1 and ("am" in concepts or "me" in named.words):
        concepts.add("near")  # "am I close to the sink"
        slots.discard("relation")
    if {"left", "right"} <= set(rest) | set(named.directions):
        concepts.add("side")
    if reader.when.moved:
        concepts.add("before")
    strange = tuple(word for word in rest if _is_strange(word))
    return _Heard(frozenset(concepts), named, strange, frozenset(slots))


def is_idle(word: str) -> bool:
    """Whether a word may stand in any sentence without changing what it asks."""
    return word in _IDLE


def _is_strange(word: str) -> bool:
    return word[:1].isalpha() and word not in _IDLE and word not in PEOPLE


def _scored(heard: _Heard) -> Iterable[tuple[float, Kind, Cue]]:
    for kind, cue in _cues():
        if not cue.needs <= heard.concepts | heard.slots or cue.bars & (heard.concepts | heard.slots):
            continue
        taken = {"plural", "time", *cue.needs, *cue.may}
        if heard.slots - taken:  # a name that the question would leave out
            continue
        gain = sum(_weight(part) for part in cue.needs)
        yield gain - _loss(heard, cue) - _PER_STRANGE_WORD * len(heard.strange), kind, cue


def _loss(heard: _Heard, cue: Cue) -> float:
    """What a sentence says that the question would leave out."""
    return sum(_weight(part) for part in heard.concepts - cue.needs - cue.may)


def _weight(part: str) -> float:
    return 0.0 if part in ("plural",) else 1.0 if part in _SLOTS else WEIGHTS.get(part, 2.0)


@cache
def _cues() -> tuple[tuple[Kind, Cue], ...]:
    return tuple((kind, cue) for kind in KINDS.values() for cue in kind.cues)


def arguments_of(kind: Kind, cue: Cue, named: Mentions) -> dict[str, Any]:
    """What the names of a sentence are to a question."""
    known = {part.name for part in fields(kind.question)}
    found: dict[str, Any] = dict(cue.fixed)
    if "direction" in cue.needs | cue.may and named.directions and "direction" in known:
        found["direction"] = named.directions[0]
    if "mine" in known and "mine" not in found:  # "what was moved" does not say by whom
        found["mine"] = not _WEARER.isdisjoint(named.words)
    things = list(named.things)
    if named.relation and "relation" in cue.needs | cue.may and "relation" in known and things:
        found["relation"] = named.relation
        found["anchor"] = things.pop()
    elif "anchor" in known and "which" not in known and things:
        found["anchor"] = things.pop()
    if named.places:
        if "place" in known:
            found["place"] = named.places[0]
        elif {"relation", "anchor"} <= known and "relation" not in found:
            found |= {"relation": IN, "anchor": Selector.make(named.places[0])}
    names = (
        ("first", "second") if "second" in known else ("which",) if "which" in known else ("thing", "other")
    )
    for name in names:
        if name in known and things:
            found[name] = things.pop(0)
    if things or not _needed(kind.question) <= set(found):
        raise NoFit("a thing too many or too few")
    return found


_WEARER = frozenset({"i", "we", "me"})


def _needed(question: type[Any]) -> frozenset[str]:
    """The names without which a question cannot be made."""
    return frozenset(part.name for part in fields(question) if part.default is MISSING) - {"time", "since"}


# Words that may stand in any sentence without changing what it asks.
_IDLE_WORDS = """
a able about actually again ago ahead all almost already also am an and another anyone anything anywhere are
area around as ask at away be because been being but by call called can could did do does doing down each
either else end ever every everything everywhere exact for from front get getting give go goes going got had
has have having he help her here him his how i if in inside into is it its itself just kind know last left
let like make may maybe me mean might mine moment much must my myself near nearly never no nothing now of
off okay on once one only onto or other our out over own part please point possible probably put quite
rather ready really remember remind right same say second seem set she should show side since so some
someone something somewhere soon sort still straight such sure tell than thank that the their them then
there these they thing things think this those though thought through till time to today together told too
try turn two under until up upon us use used very want was way we well went were what when where which while
who will with within without wonder would yes yet you your gimme lemme yeah hmm gonna wanna happens happen
wondering asking anymore er erm um uh ah oh eh kinda sorta heck hell darn blimey crikey goodness gosh folks
guys anyhow anyways whatever thingy bit lot supposed reckon guess seems looks looking lying sitting standing
located lie sits sit stands hello hey hi exactly question daughter honey dear love mate buddy dude sir madam
alexa siri situ assistant ok house home flat apartment world earth place spot
"""
_IDLE = frozenset(_IDLE_WORDS.split())
