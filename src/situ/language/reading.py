"""A sentence read into a program of the algebra of questions: a frame, and what fills its holes.

A reading takes the whole sentence. What stands for nothing (politeness, fillers) is a closed list and goes
first; no negator, quantifier, `or`, number or time is among it, so that none of them can be left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from situ.errors import Unanswerable
from situ.language import lexicon as lx
from situ.language.english import COMMON
from situ.language.frames import Index, Match, Spans, index, matches
from situ.language.lexicon import Lexicon, lexicon
from situ.language.noun_phrases import Grammar
from situ.language.sets import HOLE, SET_HOLE, closed, ever, lacks_kind, meet, negated, things, with_kind
from situ.language.spans import Phrase, Said
from situ.language.spelling import is_word, slips
from situ.language.times import Clock, Window, windows
from situ.language.vocabulary import Vocabulary

Json = Any  # a program, a part of one, or a list of programs
MOST_TOKENS = 60
MOST_LETTERS = 600
_SURE = 1.0
_PER_COST = 0.12  # of certainty, for what had to be guessed
_CLOSE = 0.02  # costs that are not told apart
_AMBIGUOUS = 0.8
_BEHIND_STORY = 0.9
LEAST_READING = 0.7  # what is read less surely is no reading


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


def read(sentence: str, vocabulary: Vocabulary, clock: Clock | None = None) -> Reading | None:
    """The program that a sentence asks; None if no frame takes all of it."""
    if not 0 < len(sentence) <= MOST_LETTERS:
        return None
    clock, words = clock or Clock(), lexicon(vocabulary)
    plain = _plain(sentence)
    if (unit := _UNIT.search(plain)) is not None:
        measured = read(plain[: unit.start()], vocabulary, clock)
        return measured and replace(measured, unit=_UNITS[unit[1]])
    try:
        text, times = windows(plain, clock)
    except Unanswerable:
        return None
    for group in _without_repairs(_tokens(text)):
        found = [
            reading
            for tokens in group
            for variant in (tokens, _spelt(tokens, words))
            if variant is not None and 0 < len(variant) <= MOST_TOKENS
            and (reading := _read(variant, times, words, index())) is not None
        ]  # fmt: skip
        if found:
            return max(found, key=lambda reading: (not reading.unknown, reading.certainty))
    return _behind_a_story(_tokens(text), times, words)


@dataclass(frozen=True)
class Part:
    """A part of a sentence that stands alone: a noun phrase, what is said of things, a place or a time."""

    set: Json = None
    plural: bool = False
    said: Json = None
    place: str = ""
    window: Window | None = None
    unknown: tuple[str, ...] = ()


def read_part(words: str, vocabulary: Vocabulary, clock: Clock | None = None) -> Part | None:
    """What words mean that are no sentence; None if they mean nothing."""
    try:
        text, times = windows(_plain(words), clock or Clock())
    except Unanswerable:
        return None
    tokens = _tokens(text)
    if not 0 < len(tokens) <= MOST_TOKENS:
        return None
    if len(tokens) == 1 and tokens[0] in times:
        return Part(window=times[tokens[0]])
    grammar, size = Grammar(tokens, lexicon(vocabulary), times), len(tokens)
    at = tokens[0] in ("in", "at", "to", "for", "of", "with", "on") and size > 1
    if place := grammar.place(int(at), size):
        return None if place == HOLE else Part(place=place)
    said = grammar.behind(0, size)
    phrase = grammar.phrase(int(at), size) if not at or said is None else None
    if phrase is not None and (said is None or phrase.cost <= said.cost):
        return Part(_finished(phrase.set), phrase.plural, unknown=phrase.unknown)
    return None if said is None else Part(said=_finished(said.set), unknown=said.unknown)


_UNIT_ALONE = re.compile(r"^\W*(?:and |what is that |how much is that )?in ([a-z]+)\W*$")
_UNIT = re.compile(
    r"[ ,]+in (feet|foot|yards?|inch(?:es)?|steps|paces|cm|centimet(?:er|re)s|kilomet(?:er|re)s|miles)$"
)
_UNITS = {
    **dict.fromkeys(("feet", "foot"), "ft"), **dict.fromkeys(("yard", "yards"), "yd"),
    **dict.fromkeys(("inch", "inches"), "in"), **dict.fromkeys(("steps", "paces"), "steps"),
    **dict.fromkeys(("cm", "centimeters", "centimetres"), "cm"), **dict.fromkeys(("metres", "meters"), "m"),
    **dict.fromkeys(("kilometers", "kilometres"), "km"), "miles": "mi",
}  # fmt: skip


def spoken_unit(words: str) -> str:
    """The unit that is asked for alone: "and in feet?"."""
    found = _UNIT_ALONE.match(words)
    return _UNITS.get(found[1], "") if found else ""


def read_phrase(words: str, vocabulary: Vocabulary, clock: Clock | None = None) -> Json:
    """The set that a noun phrase alone means; None if it is none."""
    text, times = windows(_plain(words), clock or Clock())
    tokens = _tokens(text)
    found = Grammar(tokens, lexicon(vocabulary), times).phrase(0, len(tokens)) if tokens else None
    return None if found is None else _finished(found.set)


def _behind_a_story(tokens: list[str], times: dict[str, Window], words: Lexicon) -> Reading | None:
    """The question behind what somebody tells first: "I am standing still, what is in front of me"."""
    for k, token in enumerate(tokens):
        told = tokens[:k]
        if (
            token != ","
            or not lx.MEANINGFUL.isdisjoint(told)
            or told[0] in _OPENING
            or set(told) & set(times)
        ):
            continue
        found = _read(_trimmed(tokens[k + 1 :]), times, words, index())
        if found is not None and not found.holes:
            return replace(found, certainty=_BEHIND_STORY * found.certainty)
    return None


def _read(tokens: list[str], times: dict[str, Window], words: Lexicon, frames: Index) -> Reading | None:
    return _whole(tokens, times, words, frames) or _several(tokens, times, words, frames)


def _whole(tokens: list[str], times: dict[str, Window], words: Lexicon, frames: Index) -> Reading | None:
    found: list[tuple[float, str, Reading]] = []
    for match in matches(frames.start, tokens, times, _Holes(tokens, words, times)):
        reading = _filled(match, times)
        if reading is not None:
            found.append((match.cost - 0.03 * match.words, match.frame.name, reading))
    if not found:
        return None
    found.sort(key=lambda row: row[:2])
    cost, _, best = found[0]
    rivals = [
        other for price, _, other in found[1:] if price - cost < _CLOSE and other.program != best.program
    ]
    return replace(best, certainty=best.certainty * (_AMBIGUOUS if rivals else 1.0))


def _several(tokens: list[str], times: dict[str, Window], words: Lexicon, frames: Index) -> Reading | None:
    """Several questions in a row, each whole."""
    for k in range(1, len(tokens) - 1):
        if tokens[k] not in ("and", ","):
            continue
        after = k + 1 + (tokens[k + 1] == "and")
        if after >= len(tokens) or tokens[after] not in _OPENING:
            continue
        first = _whole(tokens[:k], times, words, frames)
        second = _read(tokens[after:], times, words, frames) if first is not None else None
        if first is None or second is None:
            continue
        programs = [one for part in (first, second) for one in _listed(_pointing_back(part, first).program)]
        return Reading(
            programs, min(first.certainty, second.certainty), f"{first.frame}+{second.frame}",
            first.holes, first.unknown + second.unknown, {**first.phrases, **second.phrases},
        )  # fmt: skip
    return None


def _pointing_back(part: Reading, first: Reading) -> Reading:
    """ "where is the fan and how far is it": what "it" is was said before."""
    said = next(iter(first.phrases.values()), None)
    if part is first or said is None or ("it" not in part.holes and "those" not in part.holes):
        return part
    return replace(part, program=filled(part.program, it=said, those=said), holes=())


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


def _listed(program: Json) -> list[Json]:
    return program if isinstance(program, list) else [program]


# ---------------------------------------------------------------------- words
_CONTRACTED = (
    ("cannot", "can not"), ("can't", "can n't"), ("won't", "will n't"),
    ("n't", " n't"), ("'ve", " have"), ("i'm", "i am"), ("'re", " are"), ("'ll", " will"),
)  # fmt: skip
_SHORT = {
    "dont": "do n't", "doesnt": "does n't", "didnt": "did n't", "isnt": "is n't", "arent": "are n't",
    "wasnt": "was n't", "werent": "were n't", "hasnt": "has n't", "havent": "have n't", "cant": "can n't",
    "couldnt": "could n't", "aint": "is n't", "whats": "what is", "wheres": "where is", "whos": "who is",
    "hows": "how is", "theres": "there is", "thats": "that is", "ive": "i have", "im": "i am",
    "whens": "when is", "gonna": "going to", "wanna": "want to", "whered": "where did",
}  # fmt: skip
_IS = re.compile(
    r"\b(what|where|who|how|when|which|there|here|it|he|she|that)'s\b"
    r"|(?<=[a-z])'s(?= (?:not|in|on|at|under|behind|next|near|to|the|my|a|missing)\b)"
)
_HAS = re.compile(r"(?<=[a-z])'s(?= (?:been|got|gone|disappeared|vanished|moved)\b)")
_MARKS = re.compile(r"[?!.;:\"“”()\[\]…–—]+(?:\s|$)|[\"“”()\[\]{}<>=*_|\\/]|\s-+\s|(?<!\d)[:;](?!\d)")
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")


def _plain(sentence: str) -> str:
    """Lower case, contractions written out, marks of punctuation as commas."""
    text = f"{sentence.lower().strip()} "
    text = re.sub(r"(?<![\w])'|'(?![\w])", " ", text.replace("’", "'").replace("‘", "'"))
    text = _HAS.sub(" has", text)
    text = _IS.sub(lambda found: f"{found[1]} is" if found[1] else " is", text)
    text = _MARKS.sub(" , ", text)
    for short, full in _CONTRACTED:
        text = text.replace(short, full)
    text = _HYPHEN.sub(" ", text.replace("left-most", "leftmost"))
    text = re.sub(r"(?<=[a-z])'s\b", " 's", text)
    text = re.sub(r"\s*,[\s,]*", " , ", text)
    return " ".join(_SHORT.get(word, word) for word in text.split()).strip(" ,")


def _phrases(lines: str) -> list[list[str]]:
    return sorted((line.split() for line in lines.split("|")), key=len, reverse=True)


_FILLERS = _phrases(
    "um|uh|er|erm|hmm|uhm|ah|oh|well|please|actually|basically|really|exactly|currently|right now|at the"
    " moment"
    "|you know|kind of|sort of|like|just|simply|by any chance|for me|again|now|at present|presently"
    "|perhaps|maybe"
    "|thingy|still|already|then|i guess|i think|as far as you know|at all|different|in total|altogether"
    "|in all"
    "|all together|damn|bloody|ever|thing is|on earth|the hell|the heck"
)
_OPENERS = _phrases(
    "hey|hi|hello|okay|ok|so|and|but|also|excuse me|sorry|robot|can you tell me|could you tell me|tell"
    " me|please tell me"
    "|can you say|say me|could you say me|do you know|do you remember|would you know|any idea|have you"
    " any idea"
    "|do you have any idea|remind me|i wonder|i was wondering|i want to know|i would like to know|i need"
    " to know|mummy"
    "|mommy|daddy|could you be so kind to tell me|could you be so kind to say me|could you please tell"
    " me|can you"
    "|could you|would you|let me know|quick question|one question|question|listen|look|right|yes|no|dear"
    "|assistant"
    "|do you happen to know|happen to know|i am not sure|i am asking myself|if|whether|i forgot|i forget"
    "|i have forgotten|can you remember|can you check|check|could you check|can you see|i am trying to"
    " remember"
    "|help me|i need help|say|is it true that|would you tell me|computer|situ|glasses|hey glasses|will"
    " you tell me"
)
_CLOSERS = _phrases(
    "or not|or what|or no|do you know|do you remember|please|thanks|thank you|by any chance|if any|mate"
    "|dear|okay|ok"
    "|right|then|can you tell me|could you tell me|do you have any clue|any idea|any clue|tell me|for me"
    "|yes or no"
    "|do you think|would you say|if i may ask|sir|madam|exactly|anywhere|somewhere|again|question mark"
    "|of them all"
)
_ASIDE = lx.words("right exactly anywhere somewhere then")  # words that mean something else without a comma
_MENDS = _phrases(
    "i mean|i meant|no wait|wait no|sorry i mean|or rather|no sorry|sorry|correction|no i mean|, no"
)


def _tokens(text: str) -> list[str]:
    """The words without what stands for nothing, and without what was said twice."""
    tokens = text.split()
    if len(tokens) > 2 * MOST_TOKENS:
        return []
    tokens = [word for k, word in enumerate(tokens) if k == 0 or word != tokens[k - 1]]
    tokens = _trimmed(tokens)
    kept: list[str] = []
    k = 0
    while k < len(tokens):
        filler = next((one for one in _FILLERS if tokens[k : k + len(one)] == one), None)
        if filler is not None and len(filler) < len(tokens) and not _needed(tokens, k, filler):
            k += len(filler)
            continue
        kept.append(tokens[k])
        k += 1
    kept = [word for k, word in enumerate(kept) if k == 0 or word != kept[k - 1]]
    return _trimmed(kept)


def _needed(tokens: list[str], k: int, filler: list[str]) -> bool:
    """Whether what looks like a filler says something here: "still there", "look like"."""
    before, after = tokens[k - 1] if k else "", tokens[k + 1] if k + 1 < len(tokens) else ""
    return (filler == ["still"] and after in ("there", "in", "where")) or (
        filler == ["like"] and before in ("look", "looks")
    )


def _trimmed(tokens: list[str]) -> list[str]:
    """Without politeness before and behind. "No" is an answer only before a comma."""
    while True:
        shorter = tokens
        for opener in _OPENERS:
            if tokens[: len(opener)] == opener and len(tokens) > len(opener) + 1:
                if opener == ["no"] and tokens[1] != ",":
                    continue
                shorter = tokens[len(opener) :]
                break
        else:
            for closer in _CLOSERS:
                aside = closer[0] not in _ASIDE or tokens[-len(closer) - 1 : -len(closer)] == [","]
                if tokens[-len(closer) :] == closer and len(tokens) > len(closer) + 1 and aside:
                    shorter = tokens[: -len(closer)]
                    break
        shorter = _without_commas(shorter)
        if shorter == tokens:
            return tokens
        tokens = shorter


def _without_commas(tokens: list[str]) -> list[str]:
    start, end = 0, len(tokens)
    while start < end and tokens[start] == ",":
        start += 1
    while start < end and tokens[end - 1] == ",":
        end -= 1
    return tokens[start:end]


def _without_repairs(tokens: list[str]) -> Iterator[list[list[str]]]:
    """The sentence as it was mended, in all ways ("how many plates I mean cups"); else as it stands."""
    for mend in _MENDS:
        for k in range(1, len(tokens) - len(mend)):
            if tokens[k : k + len(mend)] == mend:
                head, after = tokens[:k], tokens[k + len(mend) :]
                longest = min(5, len(head))
                yield [_without_commas([*head[: len(head) - n], *after]) for n in range(1, longest + 1)]
    yield [tokens]
    if "," in tokens:
        yield [[word for word in tokens if word != ","]]


def _spelt(tokens: list[str], words: Lexicon) -> list[str] | None:
    """The sentence with words that ask put right; None if there is nothing to put right. No word of a closed
    class, no name and no word of English is touched, and none becomes one that turns the meaning round."""
    known = index().words
    found = list(tokens)
    for k, word in enumerate(tokens):
        if (
            len(word) < 3 or not word.isalpha() or word in known or word in lx.CLOSED or word in COMMON
            or (word,) in lx.VERBS or is_word(word) or words.name(word) or word in words.vocabulary.words
        ):  # fmt: skip
            continue
        near = [other for other in slips(word, known | lx.CLOSED) if other not in lx.MEANINGFUL]
        if near:
            found[k] = min(
                near, key=lambda other: (sorted(other) != sorted(word), other not in lx.CLOSED, other)
            )
    return found if found != tokens else None


# ---------------------------------------------------------------------- holes
@dataclass
class _Holes(Spans):
    """Reads the spans of the holes of one sentence."""

    tokens: list[str]
    words: Lexicon
    times: dict[str, Window]

    def __post_init__(self) -> None:
        self.grammar = Grammar(self.tokens, self.words, self.times)

    def read(self, kind: str, i: int, j: int) -> tuple[Any, float] | None:
        grammar, text = self.grammar, self.tokens[i]
        if kind == "set":
            phrase = grammar.phrase(i, j)
            return None if phrase is None else (replace(phrase, words=grammar.text(i, j)), phrase.cost)
        if kind in ("said", "gap", "behind"):
            said: Said | None = getattr(grammar, kind)(i, j)
            return None if said is None else (said, said.cost)
        if kind == "place":
            place = grammar.place(i, j) or grammar.unknown_place(i, j)
            return None if not place else (place, 0.0 if grammar.place(i, j) else 2.0)
        if kind == "who":
            who = grammar.subject(i, j)
            return None if who is None else (who, 0.0)
        if kind == "act":
            acts = [act for act, end in grammar.verb(i, j) if end == j]
            return (acts[0], 0.0) if acts and acts[0] not in ("have", "reach", "changed", "put") else None
        if j - i != 1:
            return None
        if kind == "no":
            return (True, 0.0) if text in lx.NOT else None
        table: Mapping[str, Any] = {"more": lx.MORE_OR_LESS, "most": lx.LEAST_OR_MOST}.get(kind, {})
        if text in table:
            return table[text], 0.0
        number = grammar.number(i) if kind == "number" else None
        return None if number is None else (number, 0.0)


# ---------------------------------------------------------------------- programs
class _NoReading(Exception):
    """What fills the holes does not go together with the frame."""


def _filled(match: Match, times: Mapping[str, Window]) -> Reading | None:
    """A frame's program with its holes filled."""
    when = [times[name] for name in match.times]
    spans = [window for window in when if not window.whole]
    if len(spans) > 1 or (spans and match.frame.now):
        return None
    window = spans[0] if spans else when[0] if when else None
    filler = _Filler(match.holes, window)
    try:
        given = match.frame.program
        if window is not None and window.at is not None and match.frame.then is not None:
            given = match.frame.then
        program = _finished(filler.program(given))
        if spans and not filler.used_time:
            if window is None or window.at is None:
                raise _NoReading
            asked = [{"as_of": window.at, "do": one} for one in _listed(program)]
            program = asked if isinstance(program, list) else asked[0]
    except _NoReading:
        return None
    unknown = tuple(
        dict.fromkeys(name for value in match.holes.values() for name in getattr(value, "unknown", ()))
    )
    guessed = max(0.0, match.cost - match.frame.cost - 3.0 * bool(unknown))
    phrases = {name: value.set for name, value in match.holes.items() if isinstance(value, Phrase)}
    return Reading(
        program, max(0.5, _SURE - _PER_COST * guessed), match.frame.name, holes_of(program), unknown, phrases
    )


@dataclass
class _Filler:
    """Puts what was read into the holes of a program."""

    holes: Mapping[str, Any]
    window: Window | None
    used_time: bool = False

    def program(self, given: Json) -> Json:
        if isinstance(given, list):
            return [inner for one in given for inner in _listed(self.program(one))]
        ask = given.get("ask")
        if ask == "yes":
            return self._yes(given)
        if ask == "compare":
            return self._compared(given)
        if ask == "question" and isinstance(phrase := self.holes.get("set"), Phrase):
            alone = phrase.set["op"] in ("things", SET_HOLE) and not phrase.quantity and not phrase.plural
            if not alone:
                raise _NoReading  # these are about one thing by its name
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
        if given.get("op") == "meet":
            return meet(self._set(given["of"]), self._set(given["said"], open_=True))
        if given.get("op") == "unless":
            of = self._set(given["of"])
            return negated(of) if given["flag"] in self.holes else of
        found: dict[str, Any] = {}
        for key, one in given.items():
            if key == "when":
                self.used_time = True
                if one == "at":
                    found.update(self._moment())
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

    def _bounds(self, given: Json) -> dict[str, float | str]:
        """When something happened; questions of their own know only since when."""
        assert self.window is not None
        bounds = self.window.bounds()
        if given.get("ask") == "question" and (bounds.keys() - {"since"} or self.window.at is not None):
            raise _NoReading
        return bounds

    def _moment(self) -> dict[str, float]:
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
            return ever(value.set) if how == "ever" else value.set
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
        return replace(value, set=ever(value.set)) if given.endswith("!ever") else value

    def _of_one(self, given: Json) -> Json:
        """One program for each thing that was named, or one for all of a set."""
        if not isinstance(self.holes.get(given["of"][1:].partition("!")[0]), Phrase):
            return self.value({**given, "of": {"op": "meet", "of": things(), "said": given["of"]}})
        phrase, ask = self._phrase(given["of"]), given["ask"]
        many = ask in ("get", "exists", "count") and phrase.joined == "and" and len(phrase.parts) > 1
        if many:
            alone = [_Filler({**self.holes, "_": part}, self.window) for part in phrase.parts]
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

    def _compared(self, given: Json) -> Json:
        """Two or more sets: "the yellow or the blue one" are of the kind that the question names."""
        named = [
            value.head
            for value in self.holes.values()
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
                found[key] = [self._name(name) for name in one]
            else:
                found[key] = replace(self, holes=holes).value(one)
        return found

    def _name(self, given: str) -> str:
        value = self.holes[given[1:].rstrip("#")]
        words = (value.words if isinstance(value, Phrase) else str(value)).split()
        return " ".join(words[1:] if words[0] in lx.ARTICLES and len(words) > 1 else words)

    def _yes(self, given: Json) -> Json:
        """Yes or no: of one thing, of all of them, of any."""
        phrase = self._phrase(given["of"])
        said = self._of_kind(self._set(given["in"], open_=True))
        happened = '"did"' in str(said).replace("'", '"')
        of = ever(phrase.set) if happened else phrase.set
        if phrase.quantity == "some" or phrase.joined == "or":
            return {"ask": "exists", "of": meet(of, said)}
        if phrase.quantity == "none":
            return {"ask": "all", "of": of, "are": negated(closed(said))}
        if phrase.quantity == "all" or phrase.plural:
            return {"ask": "all", "of": of, "are": closed(said)}
        return {"ask": "is", "of": of, "in": closed(said)}


def _of_many(what: str, of: Json) -> Json:
    """A property of several things: a list, sorted."""
    if what == "place":
        return {"ask": "per", "per": "place", "of": of, "want": "each"}
    if what == "color":
        return {"ask": "per", "per": "color", "of": of, "want": "each"}
    by = what if what in ("last_seen", "first_seen", "moved_at") else "distance"
    return {"ask": "list", "of": of, "by": by}


def _finished(program: Json) -> Json:
    """A program in which every set that needs one has things to choose from."""
    if isinstance(program, list):
        return [_finished(one) for one in program]
    if not isinstance(program, dict):
        return program
    found = {key: _finished(value) for key, value in program.items()}
    if found.get("op") in ("top", "compare", "same") and "of" not in found:
        found["of"] = things()
    if found.get("op") in ("and", "or") and len(found["of"]) < 2:
        return found["of"][0] if found["of"] else things()
    return found


_OPENING = lx.ASKING | lx.BE | lx.HAVE | lx.DO | lx.MAY | lx.words("in list count show find name take tell")
