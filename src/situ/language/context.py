"""A question with what stands before or behind it: a story, the name of what is then "it", where one stands.

"I am cooking and need the cup. Where did it go?", "her pill box, is it here", "where is it, my bag".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from situ.errors import Unanswerable
from situ.language import lexicon as lx
from situ.language.ears import bounds
from situ.language.english import COMMON
from situ.language.filling import Reading, finished, holes_of, listed_programs
from situ.language.lexicon import lexicon
from situ.language.noun_phrases import Grammar
from situ.language.reading import LEAST_READING, read, read_part
from situ.language.sets import Json, either
from situ.language.times import Clock
from situ.language.tokens import plain, tokens_of
from situ.language.topic import Topic
from situ.language.vocabulary import Vocabulary

NAMED = 0.97  # certainty of a question about what is named before it: "the cup, where is it"
IN_STORY = 0.85  # of one about the thing of a story; it is announced
_LONGEST_NAME = 9  # words of a noun phrase in a story
_ENDS = re.compile(r"(?<=[\w']\w[.?!;])\s+(?=\S)|(?<=\w\w)\s+[-–—]+\s+(?=\S)")
_SHORT = re.compile(r"\b(?:mr|mrs|ms|dr|st|no|vs|approx)\.$", re.IGNORECASE)
_CUTS = re.compile(r"\s*(?:,|:(?!\d))\s*")
_JOINTS = re.compile(r"\s*,\s*(?:and |or |but |then )?|\s+(?:and|but|or|then)\s+(?:then )?")
_BEGINS = re.compile(r"(?<=\w)[\s,]+(?=(?:where|what|which|how|who|when|is there|are there)\b)")
_ABOUT = re.compile(r"^\W*(?:how about|what about|as for|regarding|concerning|about)\s+", re.IGNORECASE)
_STANDS = re.compile(
    r"^(?:(?:as )?(?:seen |viewed )?from|(?:if|when|suppose|imagine|say) (?:i|we|someone|somebody|you)"
    r"(?: were| was| am| are|'m)? ?(?:stand|stands|stood|standing|sit|sat|sitting)?"
    r" (?:at|by|next to|beside|near|in front of|on)) (?P<at>.+?)"
    r"(?: (?:and )?(?:facing|looking at|looking towards?|face|look at) (?P<facing>.+))?$"
)
_ASKS = lx.ASKING | lx.BE | lx.DO | lx.HAVE | lx.MAY


@dataclass(frozen=True)
class InContext:
    """A question apart from what is said around it: the words that ask, what they may call "it", and how
    sure it is that they belong together."""

    question: str
    topic: Topic
    certainty: float
    story: bool  # whether the rest is a sentence of its own
    unknown: str = ""  # the name of what is spoken of, where nobody has seen such a thing
    others_known: bool = False  # whether more things are spoken of, which were seen


def sentences(text: str) -> list[str]:
    """The sentences of what was said, at their marks."""
    found: list[str] = []
    for part in _ENDS.split(text.strip()):
        if found and _SHORT.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        elif re.search(r"\w", part):
            found.append(part)
    return found


def questions(text: str, words: Vocabulary, clock: Clock) -> list[str]:
    """The questions that a sentence asks one after the other, each of which a frame reads; [] if it asks one
    or none."""
    parts = sentences(text)
    if len(parts) > 1:
        return parts if all(asks(part) for part in parts) else []
    for cut in _JOINTS.finditer(text):
        first, rest = text[: cut.start()], text[cut.end() :]
        if not (re.search(r"\w", first) and asks(rest) and _read(first, words, clock)):
            continue
        if more := questions(rest, words, clock):
            return [first, *more]
        if _read(rest, words, clock):
            return [first, rest]
    return []


def _read(text: str, words: Vocabulary, clock: Clock) -> bool:
    try:
        found = read(text, words, clock)
    except Unanswerable:
        return False
    return found is not None and found.frame != "bare" and found.certainty >= LEAST_READING


def asks(text: str) -> bool:
    """Whether a sentence is written as questions are, or begins as they do."""
    return text.rstrip().endswith("?") or next(iter(tokens_of(plain(text))), "") in _ASKS


def in_context(text: str, words: Vocabulary, clock: Clock, topic: Topic) -> Iterator[InContext]:
    """The ways to take a sentence for a question with something before or behind it, the likeliest first."""
    parts = sentences(text)
    asking = [k for k, part in enumerate(parts) if asks(part)] or [len(parts) - 1]
    if len(parts) > 1 and len(asking) == 1:
        question, story = parts[asking[0]], " ".join(parts[: asking[0]])
        if (found := spoken_of(story, words, clock)) is not None:
            yield InContext(question, _about(topic, found[0]), found[1], True, found[2])
        yield InContext(question, topic, IN_STORY, True)
    for cut in _CUTS.finditer(text):
        before, after = text[: cut.start()], text[cut.end() :]
        for aside, question in ((before, after), (after, before)):
            if not re.search(r"\w", aside) or (aside is before and asks(_ABOUT.sub("", aside))):
                continue
            aside = _ABOUT.sub("", aside)
            found = spoken_of(aside, words, clock, whole=question is before or _bounded(aside))
            if found is not None:
                of, certainty, unknown = found
                rest = [one for one in of["of"] if one.get("kind") != unknown] if of["op"] == "or" else []
                of = either(rest) if unknown and rest else of
                yield InContext(question, _about(topic, of), certainty, False, unknown, bool(rest))
    for start in _BEGINS.finditer(text):  # as microphones write it, without marks
        story = text[: start.start()]
        if len(parts) == 1 and not asks(story) and not _bounded(story) and not _restricts(story):
            found = spoken_of(story, words, clock)
            yield InContext(
                text[start.end() :], topic if found is None else _about(topic, found[0]), IN_STORY, True
            )


def _restricts(text: str) -> bool:
    """Whether words may say of what is asked: "in the kitchen where ..."."""
    first = next(iter(plain(text).split()), "")
    return first in lx.PREPOSITIONS or first in ("if", "when", "while") or first in lx.JOINING


def _bounded(text: str) -> bool:
    return any(bounds(word) for word in tokens_of(plain(text)))


def _about(topic: Topic, of: Json) -> Topic:
    return replace(topic, it=of, those=of, other=topic.it, focus=of)


def spoken_of(
    text: str, words: Vocabulary, clock: Clock, whole: bool = False
) -> tuple[Json, float, str] | None:
    """What words name, how sure it is that "it" is that, and its name where nobody has seen such a thing: the
    whole of them, else the last thing in them."""
    tokens = tokens_of(plain(text))
    parts = [read_part(one, words, clock) for one in " ".join(tokens).split(" , ")]
    sets = [one.set for one in parts if one is not None and one.set is not None]
    sets = [one for one in sets if not holes_of(one)]
    if sets and all(one is not None and one.set is not None for one in parts):
        unknown = next((one.unknown[0] for one in parts if one is not None and one.unknown), "")
        return either(sets), NAMED, unknown
    return None if whole else _last_named(tokens, words)


def _last_named(tokens: Sequence[str], words: Vocabulary) -> tuple[Json, float, str] | None:
    grammar = Grammar(list(tokens), lexicon(words), {})
    for end in range(len(tokens), 0, -1):
        for start in range(max(0, end - _LONGEST_NAME), end):
            cut = start and tokens[start] not in lx.ARTICLES and tokens[start - 1] not in lx.CLOSED
            if cut or (end < len(tokens) and not _ends_name(tokens[end])):
                continue  # "pill" or "box" of "pill box"
            phrase = grammar.phrase(start, end)
            if phrase is None or phrase.head is None or phrase.joined:
                continue
            known = not phrase.unknown and phrase.cost < 0.5
            if known or (phrase.unknown and tokens[start] in lx.ARTICLES):
                unknown = phrase.unknown[0] if phrase.unknown else ""
                return finished(phrase.set), IN_STORY, unknown
    return None


def _ends_name(word: str) -> bool:
    return word in lx.CLOSED or word in COMMON or (word,) in lx.VERBS or not word.isalpha()


def from_elsewhere(text: str, words: Vocabulary, clock: Clock) -> Reading | None:
    """ "From the sofa, where is the lamp": a question of somebody who stands there."""
    cut = _CUTS.search(text)
    if cut is None:
        return None
    stands = _STANDS.match(plain(text[: cut.start()]))
    if stands is None:
        return None
    frame = {"stand": stands["at"], "facing": stands["facing"]}
    sets: dict[str, Json] = {}
    for name, said in frame.items():
        part = read_part(said, words, clock) if said else None
        if said and (part is None or part.set is None or part.unknown):
            return None
        if part is not None and part.set is not None:
            sets[name] = part.set
    reading = read(text[cut.end() :], words, clock)
    if reading is None or reading.unknown:
        return None
    program = [{**sets, "do": one} for one in listed_programs(reading.program)]
    return replace(reading, program=program if len(program) > 1 else program[0])
