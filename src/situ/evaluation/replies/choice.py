"""Which option a reply claims: one clear claim, or none. Nothing is ever drawn at random.

A reply is a row of statements, and the last one that names an answer is what it comes to. Each statement is
read by its form: an answer under its name ("answer: B", "the category is …") or an option on its own; else a
conclusion, or an option that is judged right; else the last sentence that names exactly one option. Letters
and words of one option are one claim. What a clause denies, takes back, supposes or tells of others is no
claim; two answers in one statement, or one right after the other, are none.

Inspect's scorers read less and compare at once: `choice` knows the line "ANSWER: B" of its own prompt,
`pattern` one regular expression, and both give a score where a claim is wanted that other parsers, points and
a later reading can use. `model_graded_qa` asks a model for each reply; a model is asked here only for what
stays open (`--extractor`).
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, Protocol

from situ.evaluation.records.answer import Reading
from situ.evaluation.replies import logic
from situ.evaluation.replies.logic import LETTERED, NAMED, OPTION, SIGN
from situ.evaluation.replies.options import names_of, place_of
from situ.evaluation.replies.unwrap import final_part, formal_answer, shortened, unmarked
from situ.lazy import pattern

_ASIDE = pattern(r"\(([^()]*)\)")
_ROW = pattern(
    rf"{SIGN}*(?:option{SIGN}+)?({LETTERED})(?:{NAMED}|[^\n]*\w)", re.IGNORECASE
)  # more than the letter
_GLOSSED = pattern(rf"({LETTERED}){SIGN}*({NAMED})")  # a letter and words: of one option, or at odds
_LABELS = frozenset(":-–—→=")  # after a label
_PARAGRAPH = "¶"
_NOTHING: frozenset[int] = frozenset()


class Naming(Protocol):
    """What finds the options that a text names: those of a question, or the quantities of the text."""

    def mark(self, text: str) -> str: ...


class Force(IntEnum):
    NONE = 0
    NAMED = 1  # "the space is used as an office"
    CONCLUDED = 2  # "so we end at the door", "B fits best"
    GIVEN = 3  # "the answer is B", "B" on its own


class Claim(NamedTuple):
    """The options that one sentence puts forward, and how firmly."""

    options: frozenset[int] = _NOTHING
    force: Force = Force.NONE


class Clause(NamedTuple):
    """A part of a sentence, and the signs that it stands between."""

    begins_with: str
    text: str
    ends_in: str


def read_choice(reply: str, options: Sequence[str], lettered: bool = True) -> Reading:
    """Which option a reply claims: by letter (A is the first) where options have letters, or by its words."""
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    names = names_of(tuple(options), lettered)
    formal = formal_answer(text)
    found, rule = read_last(formal.part if formal else text, names)
    rule = formal.rule if formal else rule
    if len(found) == 1 and (place := min(found)) < len(options):
        return Reading(options[place], rule)
    return Reading(None, f"several by {rule}" if len(found) > 1 else "no rule")


def read_last(text: str, names: Naming) -> tuple[frozenset[int], str]:
    """What the last of the firmest statements of a text claims, and what kind of statement it was."""
    sentences = _sentences(text, names)
    claims = [_claim_of(sentence) for sentence in sentences]
    for place in range(len(sentences) - 1, 0, -1):
        if logic.TAKEN_BACK.match(sentences[place]):  # what was said before is no claim any more
            sentences, claims = sentences[place:], claims[place:]
            break
    firmest = max((claim.force for claim in claims), default=Force.NONE)
    if firmest is Force.NONE:
        return _NOTHING, "no rule"
    last = max(place for place, claim in enumerate(claims) if claim.force is firmest)
    after = [later for later in sentences[last + 1 :] if not re.search(OPTION, later)]
    if any(map(logic.ANSWERS.match, after)) or (
        firmest is Force.NAMED and any(map(logic.CONCLUDES.match, after))
    ):
        return _NOTHING, "no rule"  # it comes to something else, in words that no option has
    found = claims[last].options
    if (
        firmest is Force.GIVEN
        and last
        and claims[last - 1].force is firmest
        and _side_by_side(*sentences[last - 1 : last + 1])
    ):
        found |= claims[last - 1].options
    return found, firmest.name.lower()


def _side_by_side(one: str, other: str) -> bool:
    """Whether two sentences that give an answer give both."""
    return not other.startswith(_PARAGRAPH) or bool(logic.ALONE.fullmatch(one.lstrip(_PARAGRAPH)))


def _sentences(text: str, names: Naming) -> list[str]:
    """The sentences and lines of a text, options marked; options that are only listed again are left out."""
    text = unmarked(shortened(text)).replace('"', "")
    if re.search(r"\bQ\d*:", text):
        text = re.sub(r"\bA\d*:", "-", text)  # questions and answers told one after the other
    marked = names.mark(text)
    marked = "\n".join(_without_list(marked.split("\n")))
    marked = re.sub(r"\n\s*\n", f"\n{_PARAGRAPH}", marked)
    return [part.strip(" \t") for part in logic.SENTENCE.split(marked) if part and part.strip()]


def _without_list(lines: list[str]) -> list[str]:
    """Without the rows of a list that a reply gives again: letters in turn head them, and none is judged."""
    heads = [(place, place_of(head[1])) for place, line in enumerate(lines) if (head := _ROW.match(line))]
    rows = {
        place
        for some in zip(heads, heads[1:], heads[2:], strict=False)
        if some[0][1] + 2 == some[1][1] + 1 == some[2][1]
        for place, _ in some
        if not (logic.RIGHT.search(lines[place]) or logic.DENYING.search(lines[place]))
    }
    return [line for place, line in enumerate(lines) if place not in rows]


def _places(text: str) -> frozenset[int]:
    return frozenset(map(place_of, re.findall(OPTION, text)))


def _claim_of(sentence: str) -> Claim:
    """What one sentence puts forward and denies: its clauses after the last turn ("so"), in their order."""
    sentence = _ASIDE.sub(_set_beside, sentence)
    turns = [turn.end() for turn in logic.TURN.finditer(sentence)]
    start = max((end for end in turns if re.search(OPTION, sentence[end:])), default=0)
    if not re.search(OPTION, sentence[start:]) or logic.ASKED.search(sentence[start:]):
        return Claim()
    said = _Said(concluded=start > 0)
    parts = logic.CLAUSE.split(sentence[start:])
    for clause in map(Clause, ["", *parts[1::2]], parts[::2], [*parts[1::2], ""]):
        said.take(clause, only=len(parts) == 1)
    return said.claim()


class _Said:
    """What the clauses of one sentence come to, taken one after the other."""

    def __init__(self, concluded: bool) -> None:
        self._concluded = concluded
        self._found: dict[Force, frozenset[int]] = {}
        self._label = ""

    def take(self, clause: Clause, only: bool) -> None:
        own = logic.BUT_NOT.sub(" ", clause.text)
        places = _named(own)
        if not places:
            self._take_remark(clause, own)
        elif self._found and logic.AN_OR.match(own):  # "left, or maybe right"
            self._found = {force: some | places for force, some in self._found.items()}
        elif logic.DENYING.search(own) or logic.DENYING.search(self._label):
            self._found = {force: some - places for force, some in self._found.items()}
        elif only or not logic.SET_ASIDE.match(own):
            force = self._force(own, clause)
            self._found[force] = self._found.get(force, _NOTHING) | places

    def claim(self) -> Claim:
        firmest = max((force for force, some in self._found.items() if some), default=Force.NONE)
        return Claim(self._found[firmest] if firmest else _NOTHING, firmest)

    def _take_remark(self, clause: Clause, own: str) -> None:
        """A clause without options may head the next one, or judge what was named."""
        self._label = own if clause.ends_in.strip() in _LABELS else self._label
        judges = clause.begins_with.strip() in _LABELS or logic.AN_OR.match(own)
        if (judges and logic.DENYING.search(own)) or logic.TAKEN_BACK.match(f"{own},"):
            self._found = {}  # "B - no", "B, or not", "B, no, wait"

    def _force(self, own: str, clause: Clause) -> Force:
        """How firmly a clause puts forward the options that it names."""
        lettered = re.search(LETTERED, own) is not None
        heads = clause.ends_in == ":" and not lettered  # "Storage: the shelves are full"
        if heads or logic.UNREAL.search(own):
            return Force.NONE
        ends = logic.ENDS.search(own) is not None
        enumerated = clause.begins_with.strip() == "," and not lettered  # "the stove, kitchen, and beds"
        alone = not enumerated and logic.ALONE.fullmatch(own.lstrip(_PARAGRAPH)) is not None
        if (
            logic.STATED.search(own)
            or (alone and not self._label)
            or (ends and logic.CALLED.search(self._label))
        ):
            return Force.GIVEN
        if alone or logic.JUDGED.search(own) or logic.SEEMS.search(own) or (self._concluded and ends):
            return Force.CONCLUDED
        return Force.NAMED if ends or re.search(NAMED, own) else Force.NONE


def _named(clause: str) -> frozenset[int]:
    """The options that a clause names: by letter where it has letters, for words may be the reason then."""
    letters = "".join(re.findall(LETTERED, clause))
    if letters and not any(place_of(one) != place_of(other) for one, other in _GLOSSED.findall(clause)):
        return _places(letters)
    judged = logic.RIGHT.search(clause)
    if judged and len(_places(clause)) > 1:  # "a bed and a sofa fit an apartment best"
        groups = logic.GROUP.findall(clause[: judged.start()])
        return _places(clause[judged.start() :]) or (_places(groups[-1]) if groups else _NOTHING)
    return _places(clause)


def _set_beside(aside: re.Match[str]) -> str:
    """What stands in brackets counts where it is an option alone, or judges one."""
    if logic.ALONE.fullmatch(aside[1]):
        return f" {aside[1]} "
    return f": {aside[1]}," if logic.DENYING.search(aside[1]) and not re.search(OPTION, aside[1]) else " "
