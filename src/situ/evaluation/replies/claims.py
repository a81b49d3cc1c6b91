"""What a marked text claims, and how firmly: stated as the answer, said on its own, or only mentioned.

The text is cut into sentences. What a sentence denies is set aside. What it states ("the answer is …",
"so …", "… is correct", "I would go with …") outranks what merely stands there; of equals, the last one "
"counts, and
taking something back ("wait, no") voids what was said before.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from situ.evaluation.replies import doubt, patterns
from situ.evaluation.replies.licence import licensed
from situ.evaluation.replies.marking import BY_LETTER, BY_NAME, CANDIDATE, DENIED, DENIED_ONE, LETTER, WORDS
from situ.evaluation.replies.mention import counts
from situ.lazy import pattern

KEPT = 2048  # texts whose claims are remembered
PLANE = WORDS - LETTER
_SIGN = pattern(f"{CANDIDATE}|{DENIED_ONE}")
_MARKED = pattern(patterns.GROUP)
LONGEST = 500  # characters of a sentence that are looked at: its ends
MOST_RETRACTIONS = 3


class Force(IntEnum):
    MENTIONED = 1
    ALONE = 2  # "B", "B, because we turned"
    JUDGED = 3  # "B is correct"
    STATED = 4  # "the answer is B", "so B", "I would choose B"


class Claim(NamedTuple):
    """Options that are claimed together, by letter or by name; more than one is no clear claim."""

    options: frozenset[int]
    force: Force
    by_letter: bool
    licensed: bool = True  # no word around it that is not known from answers


def claims_of(text: str) -> list[Claim]:
    """Every claim of a marked text, in order; what was taken back is left out.

    Options are numbered anew as they come up: which letter it is cannot matter, and what was worked out for
    one reply serves every reply of the same words.
    """
    known: dict[int, int] = {}

    def renamed(found: re.Match[str]) -> str:
        plane, option = divmod(ord(found.group()) - LETTER, PLANE)
        return chr(LETTER + plane * PLANE + known.setdefault(option, len(known)))

    found = _claims_of(_SIGN.sub(renamed, text))
    options = list(known)
    return [claim._replace(options=frozenset(options[i] for i in claim.options)) for claim in found]


@lru_cache(maxsize=KEPT)
def _claims_of(text: str) -> tuple[Claim, ...]:
    return tuple(_every_claim(text))


def _every_claim(text: str) -> list[Claim]:
    text = re.sub(r":[ \t]*\n\s*", ": ", text)
    text = re.sub(r"\b(?:e\.g|cf)\.", "for example", re.sub(r"\bvs\.", "vs", text))  # no sentence ends there
    text = re.sub(rf"({BY_LETTER})\?+(?=\s*(?:or|and|,)\s)", r"\1", text)
    text = patterns.HEADING.sub(r"\1: ", text)
    for found in list(patterns.RETRACTION.finditer(text))[: -1 - MOST_RETRACTIONS : -1]:
        before, after = _claims(text[: found.start()]), _claims(text[found.end() :])
        lettered = any(claim.by_letter for claim in before)
        firm = Force.MENTIONED if patterns.REVISION.match(found.group()) else Force.ALONE
        if any(claim.force >= firm and claim.by_letter >= lettered for claim in after):
            return after
        if before and patterns.TAKEN_BACK.search(text[found.start() :]):
            return []
    answered = _answer_before_reasons(text)
    return _claims(answered if answered is not None else text)


def _answer_before_reasons(text: str) -> str | None:
    """The part of a text that gives the answer, where an explanation follows under a heading of its own."""
    why = next((found for found in patterns.WHY.finditer(text) if found.start() > 0), None)
    if why is None:
        return None
    before = text[: why.start()]
    after = _claims(text[why.end() :])
    own = [claim for claim in _claims(before) if claim.force > Force.MENTIONED]
    restated = [claim for claim in after if claim.force is Force.STATED and claim.by_letter]
    return before if own and not restated else None


def _claims(text: str) -> list[Claim]:
    found: list[Claim] = []
    for sentence in sentences(text):
        found += _of_sentence(sentence)
    return found


def sentences(text: str) -> Iterator[str]:
    for part in patterns.SENTENCE_END.split(_bound(text)):
        if _SIGN.search(part):
            yield part if len(part) <= LONGEST else f"{part[: LONGEST // 2]}, {part[-LONGEST // 2 :]}"


def _bound(text: str) -> str:
    """Letters bound to the words of their option: "B. left" and "left (B)" are one claim, or a clash."""
    end = r"(?=[\")\]*_]*\s*(?:[.,;!?)|\n]|$|\b(?:because|since|as|given|due|so)\b))"

    def one(letter: str, words: str) -> str:
        same = ord(letter) - LETTER == ord(words) - WORDS
        return letter if same else f"{letter} and {chr(LETTER + ord(words) - WORDS)}"

    text = re.sub(
        rf"({BY_LETTER})[*_]*\s*(?:[.):,\-–—([=\"*_|]+\s*)+(?:the\s+|a\s+|an\s+)?({BY_NAME}){end}",
        lambda m: one(m[1], m[2]),
        text,
    )
    text = re.sub(rf"({BY_LETTER}) ({BY_NAME}){end}", lambda m: one(m[1], m[2]), text)
    text = re.sub(
        rf"({BY_NAME})[\"*_]*\s*[([]+\s*(?:(?:option|answer|choice)\s+)?({BY_LETTER})\s*[)\]]",
        lambda m: one(m[2], m[1]),
        text,
    )
    # "B. It turned": the full stop after a letter at the start of a line belongs to the letter.
    return re.sub(
        rf"(?m)^([^\w\ue000-\ue3fe]*(?:(?:final "
        rf"|the )?answer\s*(?:is)?\s*:?\s*)?{BY_LETTER})[.)]+(?=[ \t]+\S)",
        r"\1,",
        text,
    )


def _of_sentence(sentence: str) -> Iterator[Claim]:
    question = sentence.rstrip(" \"')*").endswith("?")
    kept = {
        found.span("group")
        for some in (patterns.ALL_BUT, patterns.NOTHING_BUT)
        for found in some.finditer(sentence)
    }
    for form in patterns.DENIALS:
        sentence = _deny(form, sentence, kept)
    if not re.search(CANDIDATE, sentence):
        return
    alone = patterns.ALONE.match(sentence)
    if question and (alone is None or patterns.INVERTED.match(sentence)):
        return
    scope = _Scope.of(sentence)
    stated = _stated(sentence, question, scope)
    yield from (stated[start] for start in sorted(stated))
    if stated:
        return
    firm = alone or patterns.OPENING.match(sentence) or patterns.CLOSING.search(sentence)
    if firm is not None and firm is not alone:
        label = re.split(r"[,;.]", sentence[: firm.start("group")])[-1]
        if doubt.ASIDE.search(label):
            return
    if firm is None:
        yield from _mentions(sentence, scope)
    elif not scope.idle(firm.start("group"), Force.ALONE):
        asked = question and alone is not None
        claim = _claim(firm.group("group"), Force.MENTIONED if asked else Force.ALONE)
        yield _with_licence(claim, sentence, firm.start("group"))


def _with_licence(claim: Claim, sentence: str, start: int) -> Claim:
    """A claim that knows whether it is made in the speech of answering."""
    found = _MARKED.match(sentence, start)
    end = found.end() if found else start + 1
    return claim._replace(licensed=licensed(sentence, start, end))


class _Scope(NamedTuple):
    """What takes the force from the claims of a sentence: suppositions, refusals, a "but"."""

    sentence: str
    supposed: Sequence[tuple[int, int]]
    refused: Sequence[int]

    @classmethod
    def of(cls, sentence: str) -> "_Scope":
        return cls(sentence, doubt.reaches(sentence), list(doubt.refusals(sentence)))

    def idle(self, place: int, force: Force) -> bool:
        """Whether what stands at a place claims nothing."""
        if any(a <= place < b for a, b in self.supposed) or any(place < at for at in self.refused):
            return True
        if force is Force.STATED:
            return False
        after_refusal = any(not doubt.STILL.search(self.sentence[at:place]) for at in self.refused)
        return after_refusal or doubt.contradicted(self.sentence, place)


_STATING = (
    patterns.ALL_BUT,
    patterns.NOTHING_BUT,
    patterns.AFTER_NOUN,
    patterns.CHOOSING,
    patterns.HINTING,
    patterns.IS_IT,
    patterns.SO,
    patterns.SO_IS,
    patterns.RIGHT,
)


def _stated(sentence: str, question: bool, scope: _Scope) -> dict[int, Claim]:
    """What a sentence states or judges, by its place."""
    stated: dict[int, Claim] = {}
    for form in _STATING:
        for found in form.finditer(sentence):
            start = found.start("group")
            judged = form in (patterns.RIGHT, patterns.SO_IS)
            claim = _claim(found.group("group"), Force.JUDGED if judged else Force.STATED)
            others = form in (patterns.CHOOSING, patterns.IS_IT)
            if others and patterns.OTHERS.search(sentence[: found.start()]):
                continue  # what somebody else would choose
            gap = found.group("gap") if form is patterns.AFTER_NOUN else ""
            if patterns.OTHER_CLAUSE.search(gap) or _laid_aside(sentence, form, found.start(), gap):
                continue
            possible = patterns.POSSIBLY.search(gap)
            if question or possible or (judged and doubt.AS_WELL.match(sentence, found.end())):
                claim = claim._replace(force=Force.MENTIONED)
            if form is patterns.IS_IT:
                claim = claim._replace(force=_force_of(claim, found.group()))
            if scope.idle(start, claim.force):
                continue
            if form not in (patterns.ALL_BUT, patterns.NOTHING_BUT):  # these say by what word they claim
                claim = _with_licence(claim, sentence, start)
            if start not in stated or claim.force > stated[start].force:
                stated[start] = claim
    return stated


def _laid_aside(sentence: str, form: re.Pattern[str], start: int, gap: str) -> bool:
    """Whether "the answer is" speaks of another question's answer, or of what is not the answer."""
    if form not in (patterns.AFTER_NOUN, patterns.IS_IT):
        return False
    before = re.split(r"[,;:.]|\bbut\b", sentence[:start])[-1]
    return doubt.ASIDE.search(before) is not None or doubt.ASIDE.search(gap) is not None


def _mentions(sentence: str, scope: _Scope) -> Iterator[Claim]:
    """What merely stands in a sentence, unless all of it is doubted there."""
    found = [
        one
        for one in _MARKED.finditer(sentence)
        if not scope.idle(one.start(), Force.MENTIONED)
        and not _part_of_name(sentence[: one.start()], one.group())
        and (len(_claim(one.group(), Force.MENTIONED).options) > 1 or counts(sentence, *one.span()))
    ]
    if not all(_doubted(sentence, one.start()) for one in found):
        yield from (
            _with_licence(_claim(one.group(), Force.MENTIONED), sentence, one.start()) for one in found
        )


def _doubted(sentence: str, place: int) -> bool:
    """Whether the clause around a mention doubts it. A "not" that denied another candidate is used up."""
    ends = [found.span() for found in patterns.CLAUSE_END.finditer(sentence)]
    start = max((end for _, end in ends if end <= place), default=0)
    clause = sentence[start : min((begin for begin, _ in ends if begin > place), default=len(sentence))]
    denies = patterns.DENIED_MARK.search(clause) and not re.search(DENIED_ONE, sentence)
    return bool(denies or patterns.DOUBTED.search(clause))


def _part_of_name(before: str, group: str) -> bool:
    """Whether a letter belongs to the word before it, as in "vitamin C" and "plan B"."""
    return LETTER <= ord(group[0]) < WORDS and patterns.LABELLED.search(before) is not None


def _force_of(claim: Claim, words: str) -> Force:
    """ "It is B" states an answer; "it is left" may tell about anything; "it could be" is a thought."""
    possible = re.search(r"\b(?:could|might|may)\b", words, re.IGNORECASE) is not None
    if claim.by_letter:
        return Force.ALONE if possible else Force.STATED
    return Force.MENTIONED if possible else Force.ALONE


def _deny(form: re.Pattern[str], sentence: str, kept: set[tuple[int, int]]) -> str:
    def denied(found: re.Match[str]) -> str:
        if any(a <= found.start("group") < b for a, b in kept):
            return found.group()
        start, end = (place - found.start() for place in found.span("group"))
        whole = found.group()
        inside = "".join(
            chr(ord(c) + DENIED - LETTER) if LETTER <= ord(c) < DENIED else c for c in whole[start:end]
        )
        return whole[:start] + inside + whole[end:]

    return form.sub(denied, sentence)


def _claim(group: str, force: Force) -> Claim:
    letters = frozenset(ord(sign) - LETTER for sign in group if LETTER <= ord(sign) < WORDS)
    words = frozenset(ord(sign) - WORDS for sign in group if WORDS <= ord(sign) < DENIED)
    return Claim(letters | words, force, bool(letters))
