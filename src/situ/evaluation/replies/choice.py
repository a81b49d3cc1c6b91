"""Which option a reply claims: one, or none. Nothing is drawn at random.

A reply is read as a row of statements. The options that a sentence names are found first (`mentions`), so the
grammar sees one sign for every option, whichever letter or words it has. A sentence loses what it concedes,
supposes or compares ("although C …", "if …", "rather than B"). The rest puts its options forward or denies
them, in one of four ways, the strongest first:

    GIVEN      names the answer, or is an option alone: "The category is …", "Answer: B", "B, because …"
    CONCLUDED  draws a conclusion: "so it is B"
    JUDGED     calls an option right: "B fits best"
    NAMED      says something else of one option: "It's on your left-hand side."

The last sentence of the strongest kind is the claim. Of the two weaker kinds it is the first one, where that
opens the reply and reasons follow. Two answers given side by side are none.

Inspect's scorers read less: `choice` knows the line "ANSWER: B" of its own prompt, `pattern` one expression.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple, Protocol

from situ.evaluation.records.answer import Reading
from situ.evaluation.replies import grammar
from situ.evaluation.replies.mentions import NOUN, OPTION, mentions_of, place_of
from situ.evaluation.replies.unwrap import final_part, formal_answer, shortened, unmarked


class Naming(Protocol):
    """What finds the options that a text names: those of a question, or the quantities of the text."""

    def mark(self, text: str) -> str: ...


class Force(IntEnum):
    """How firmly a sentence puts options forward; NOTHING lies below all."""

    NOTHING = -1
    NONE = 0
    NAMED = 1
    JUDGED = 2
    CONCLUDED = 3
    GIVEN = 4


class Claim(NamedTuple):
    """The options that one sentence puts forward, and in which way."""

    options: frozenset[int] = frozenset()
    force: Force = Force.NONE


def read_choice(reply: str, options: Sequence[str], lettered: bool = True) -> Reading:
    """Which option a reply claims: by letter (A is the first) where options have letters, or by its words."""
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    formal = formal_answer(text)
    found, rule = read_last(formal.part if formal else text, mentions_of(tuple(options), lettered))
    rule = formal.rule if formal else rule
    if len(found) == 1 and (place := min(found)) < len(options):
        return Reading(options[place], rule)
    return Reading(None, f"several by {rule}" if len(found) > 1 else "no rule")


def read_last(text: str, naming: Naming) -> tuple[frozenset[int], str]:
    """The options that the decisive statement of a text claims, and the name of its kind."""
    claims = list[Claim]()
    for sentence in _sentences(text, naming):
        claims = [claim for claim in claims if claim.force > _withdrawn(sentence)]
        claim = _claim_of(sentence)
        if claims and grammar.AGAINST.search(sentence):
            continue  # says how another option differs
        beside = not sentence.startswith(grammar.PARAGRAPH)
        if claims and beside and claims[-1].force is claim.force is Force.GIVEN:
            claim = Claim(claims[-1].options | claim.options, Force.GIVEN)  # "B. C." gives both
        claims.append(claim)
    strongest = max((claim.force for claim in claims), default=Force.NONE)
    if strongest is Force.NONE:
        return frozenset(), "no rule"
    best = [claim for claim in claims if claim.force is strongest]
    opens = strongest <= Force.JUDGED and claims[0].force is strongest
    return best[0 if opens else -1].options, strongest.name.lower()


def _withdrawn(sentence: str) -> Force:
    """Up to which kind a sentence makes the statements before it void. Statements of no kind stay."""
    named = re.search(OPTION, sentence) is not None
    if grammar.TAKEN_BACK.match(sentence) or (not named and grammar.ANSWER_LINE.match(sentence)):
        return Force.GIVEN  # "Wait, no", "Answer: none of these"
    if named:
        return Force.NOTHING
    if grammar.GIVES_UP.search(sentence):
        return Force.CONCLUDED
    return Force.JUDGED if grammar.SO.match(sentence) else Force.NOTHING


def refuses(reply: str) -> bool:
    """Whether a reply that claims nothing says that its author cannot or will not answer.

    "Hard to say, but …" is a hedge: a sentence says what follows its last "but".
    """
    ends = (grammar.TURN.split(sentence)[-1] for sentence in grammar.SENTENCE.split(final_part(reply) or ""))
    return any(map(grammar.GIVES_UP.search, ends))


def _sentences(text: str, naming: Naming) -> list[str]:
    """The sentences and lines of a text, options marked, without lists that give the options again."""
    lines = naming.mark(unmarked(shortened(text)).replace('"', "")).split("\n")
    rows = [
        (place, place_of(head[1])) for place, line in enumerate(lines) if (head := grammar.ROW.match(line))
    ]
    for (above, first), (below, second) in pairwise(rows):
        for place in (above, below) if first + 1 == second else ():
            line = lines[place]
            if grammar.DENIED.search(line) or not (grammar.JUDGED.search(line) or grammar.SO.search(line)):
                lines[place] = ""
    parts = grammar.SENTENCE.split(re.sub(r"\n\s*\n", f"\n{grammar.PARAGRAPH}", "\n".join(lines)))
    return [part.strip() for part in parts if part.strip()]


def _claim_of(sentence: str) -> Claim:
    """What one sentence puts forward."""
    sentence, concluded = _after_turn(grammar.ASIDE.sub(_set_beside, sentence))
    if sentence.endswith(":") or grammar.ASKED.search(sentence):
        return Claim()
    sentence = _main_part(sentence)
    found = dict[Force, frozenset[int]]()
    label = before = ""
    for clause, after in _clauses(sentence):
        places = _places(clause)
        if after in grammar.HEADS and grammar.ONLY_WORDED.fullmatch(clause):
            pass  # "Storage: the shelves are full" is a heading
        elif not places:
            judges = before in grammar.HEADS or grammar.OR.match(clause)
            if judges and grammar.DENIED.search(clause):  # "B: no", "B, or not"
                found.clear()
            label = clause if after in grammar.HEADS else label
        elif grammar.DENIED.search(clause) or grammar.DENIED.search(label):
            found = {force: some - places for force, some in found.items()}
        else:
            force = _force(clause, label, before, concluded)
            stated = grammar.STATED.search(clause)
            some = _places(clause[stated.end() - 1 :]) if stated else places
            found[force] = found.get(force, frozenset()) | some
        before = after
    force = max((force for force, some in found.items() if some), default=Force.NONE)
    return Claim(found[force], force) if force else Claim()


def _set_beside(aside: re.Match[str]) -> str:
    """What stands in brackets counts where it is an option alone."""
    return f" {aside[1]} " if grammar.ALONE.fullmatch(aside[1]) else " "


def _after_turn(sentence: str) -> tuple[str, bool]:
    """What a sentence comes to: its part after "so" or "but"; and whether there was such a turn."""
    turns = [
        turn.end() for turn in grammar.TURN.finditer(sentence) if re.search(OPTION, sentence[turn.end() :])
    ]
    return sentence[max(turns, default=0) :].strip(), bool(turns)


def _main_part(sentence: str) -> str:
    """A sentence without what it concedes, supposes or compares."""
    sentence = grammar.IN_A_LIST.sub(" ", sentence)
    sentence = _shorter(sentence, grammar.OPENING, " ")
    sentence = grammar.CONTRAST.sub(" ", sentence)
    for part, rest in ((grammar.EXAMPLES, " "), (grammar.BECAUSE, " "), (grammar.BESIDE, " is")):
        sentence = _shorter(sentence, part, rest)
    return grammar.SET_OFF.sub(r"\1 ", sentence.strip())


def _shorter(sentence: str, part: re.Pattern[str], rest: str) -> str:
    """A sentence without a part, where it still names an option then."""
    shorter = part.sub(rest, sentence)
    return shorter if re.search(OPTION, shorter) else sentence


def _clauses(sentence: str) -> Iterator[tuple[str, str]]:
    """The clauses of a sentence, each with the sign after it."""
    parts = grammar.BREAK.split(sentence)
    yield from zip(parts[::2], [*map(str.strip, parts[1::2]), ""], strict=True)


def _force(clause: str, label: str, before: str, concluded: bool) -> Force:
    """In which way a clause puts forward the options that it names."""
    if grammar.SUPPOSED.search(clause):
        return Force.NONE
    enumerated = before == "," and grammar.ONLY_WORDED.fullmatch(clause)  # "the stove, kitchen, and beds"
    alone = grammar.ALONE.fullmatch(clause) is not None and not enumerated
    if grammar.STATED.search(clause) or (alone and (not label or re.search(NOUN, label, re.I))):
        return Force.GIVEN
    if concluded:
        return Force.CONCLUDED
    return Force.JUDGED if alone or grammar.JUDGED.search(clause) else Force.NAMED


def _places(text: str) -> frozenset[int]:
    return frozenset(map(place_of, re.findall(OPTION, text)))
