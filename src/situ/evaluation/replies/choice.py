"""Which option a reply claims: one clear claim, or none. Nothing is ever drawn at random."""

import re
from collections.abc import Sequence

from situ.evaluation.records.answer import Reading
from situ.evaluation.replies.claims import Claim, Force, claims_of
from situ.evaluation.replies.licence import plain_signs
from situ.evaluation.replies.marking import BY_LETTER, CANDIDATE, LETTER, Names, mark, names_of
from situ.evaluation.replies.unwrap import final_part, formal_answer, without_side_values
from situ.lazy import pattern

_MARKUP = pattern(
    r"~~.*?~~|<(?P<tag>b|i|u|em|strong|p|span|div|code|mark|center|h\d|letter|text)\b[^>]*>(?=[^<]*</(?P=tag)>)"
    r"|</(?:b|i|u|em|strong|p|span|div|code|mark|center|h\d|letter|text)>|<br ?/?>"
    r"|\\(?:begin|end)\{[a-z]+\*?\}|&(?=\s*\\)|\*\*|__|`|^#+\s*|\\[()\[\]]|\$",
    re.MULTILINE | re.IGNORECASE,
)
_EMPHASIS = pattern(r"\*\*(.+?)\*\*|\\textbf\{(.+?)\}", re.DOTALL)
_CHECKED, _UNCHECKED = (
    pattern(rf"^[ \t]*(?:[-*+•][ \t]*)?\[{sign}\]", re.MULTILINE) for sign in ("[xX✓✔]", " ?")
)
# Where a model goes on to ask and answer questions of its own, only its first answer is one to ours.
_NEXT_TURN = pattern(
    r"<\|im_start\|>\s*(?:user|human)|<start_of_turn>\s*user"
    r"|\n\s*[#*\s]{0,6}(?:question|user|human|instruction)[ \d]{0,4}[*\s]{0,3}[:\n]",
    re.IGNORECASE,
)
_WEAK = ("only letter", "only mention", "no rule", "empty")
_LISTED = pattern(rf"^[\W_]*({BY_LETTER})[*_]*\s*[.):,\-–—]")
_UNIT = pattern(r"[A-Za-z]\s*[%+=^€]")  # "B%", "A+": a share or a grade
_BULLET = pattern(r"^[ \t]*(?:[-*•>]|\d+[.)])[ \t]+", re.MULTILINE)


def read_choice(reply: str, options: Sequence[str], lettered: bool = True) -> Reading:
    """Which option a reply claims: by letter (A is the first) where options have letters, or by its "
    "words."""
    turn = _NEXT_TURN.search(reply)
    if turn and reply[: turn.start()].strip():
        first = read_choice(reply[: turn.start()], options, lettered)
        if first.claim is not None and first.rule not in _WEAK:
            return first
    text = final_part(reply)
    if text is None:
        return Reading(None, "unfinished reasoning")
    if not text:
        return Reading(None, "empty")
    names = names_of(tuple(options), lettered)
    formal = formal_answer(text)
    if formal is None:
        found, rule = _of_text(without_side_values(text), names)
    else:
        found, rule = _of_phrase(formal.part, names), formal.rule
        later = _stated_later(formal.rest, names)
        found = found | later if later else found
    if len(found) == 1 and (place := next(iter(found))) < len(options):
        return Reading(options[place], rule)
    return Reading(None, f"several by {rule}" if len(found) > 1 else "no rule")


def _of_phrase(part: str, names: Names) -> frozenset[int]:
    """What a short text stands for, such as the inside of an answer tag."""
    return _of_text(part, names)[0]


def _stated_later(rest: str, names: Names) -> frozenset[int]:
    """What is stated after a formal answer, as "wait, the answer is C"."""
    claims = [c for c in claims_of(mark(_unmarked(rest), names)) if c.force is Force.STATED and c.by_letter]
    return claims[-1].options if claims else frozenset()


def _of_text(text: str, names: Names) -> tuple[frozenset[int], str]:
    bare = re.sub(r"^(\W*[A-Z])\.(?=[^\W\d_]{2})", r"\1. ", _unmarked(text))  # "B.left"
    single = re.fullmatch(r"[\W_]*([A-Za-z])(?:\W+\1)*[\W_]*", bare)
    if single and names.lettered:
        if not plain_signs(bare) or _UNIT.search(bare):
            return frozenset(), "letter"
        return frozenset([ord(names.letter(single.group(1))) - LETTER]), "letter"
    headed = names.lettered and re.match(r"[\W_]*[A-Za-z]\s*[.):,\-–—]\s", bare)
    whole = None if headed else names.exactly(bare)  # in "A. right" the A is no article
    if whole is not None:
        said = bare.rstrip().removesuffix("?")  # "Kitchen?" is a shy answer, "Kitchen?!" none
        named = plain_signs(said) or not plain_signs(names.options[whole])
        return frozenset([whole] if named else []), "whole reply"
    marked = _without_lists(mark(_BULLET.sub("", bare), names))
    odds = _odds(marked)
    if odds:
        return odds, "odds"
    if _TAKEN_UP.search(marked):
        return frozenset(), "no rule"
    claims = claims_of(marked)
    sure = [claim for claim in claims if claim.licensed]
    ranked = (
        ("stated letter", [c for c in sure if c.by_letter and c.force is Force.STATED]),
        ("judged letter", [c for c in sure if c.by_letter and c.force is Force.JUDGED]),
        ("statement", [c for c in sure if not c.by_letter and c.force is Force.STATED]),
        ("judged words", [c for c in sure if not c.by_letter and c.force is Force.JUDGED]),
        ("letter", [c for c in sure if c.by_letter and c.force is Force.ALONE]),
        ("words alone", [c for c in sure if not c.by_letter and c.force is Force.ALONE]),
    )
    letters = [c for _, some in ranked for c in some if c.by_letter]
    stated_words = ranked[2][1]
    for rule, some in ranked:
        if not some:
            continue
        if some[-1].force is Force.ALONE and _ASKS_ON.search(marked):
            return frozenset(), rule
        last = some[-1].options
        if some[-1].force is not Force.STATED:  # nothing says which of several is meant
            alike = [c for c in claims if (c.by_letter, c.force) == (some[-1].by_letter, some[-1].force)]
            last = frozenset().union(*(claim.options for claim in alike))
        last |= _said_since(claims, some[-1])
        if rule == "statement" and letters and letters[-1].options != last:
            return last | letters[-1].options, rule
        if rule == "stated letter" and stated_words and _disagree(last, stated_words[-1]):
            return last | stated_words[-1].options, rule
        return last, rule
    emphasised = {names.exactly(next(g for g in m.groups() if g)) for m in _EMPHASIS.finditer(text)} - {None}
    if emphasised:
        return frozenset(place for place in emphasised if place is not None), "emphasis"
    # Where a letter was said, in whatever sense, the words around it were not meant to be the answer.
    by_letter = re.search(rf"{BY_LETTER}|[\ue200-\ue2fe]", marked) is not None
    mentioned = [claim for claim in claims if claim.by_letter == by_letter]
    if not (any if not by_letter else all)(claim.licensed for claim in mentioned):
        return frozenset(), "no rule"
    return frozenset().union(
        *(claim.options for claim in mentioned)
    ), "only letter" if by_letter else "only mention"


def _said_since(claims: Sequence[Claim], last: Claim) -> frozenset[int]:
    """What was put forward after a claim in words that nobody knows from answers: it may have replaced it."""
    place = max(i for i, claim in enumerate(claims) if claim is last)
    least = Force.ALONE if last.by_letter else Force.JUDGED  # options' own words stand in any sentence
    since = [
        c
        for c in claims[place + 1 :]
        if not c.licensed and c.force >= least and c.by_letter == last.by_letter
    ]
    return frozenset().union(*(claim.options for claim in since))


# A letter, then a question: it was only taken up.
_ASKS_ON = pattern(rf"{CANDIDATE}[.:,][^?\ue000-\ue0fe]*\?[^\ue000-\ue0fe]*$")
# What follows asks on at once, rejects what was said, or is a remark of a word or two that is no reason.
_TAKEN_UP = pattern(
    rf"{CANDIDATE}[\"')\]*]*\s*(?:\?|\.\.\.|…)[^\ue000-\ue0fe]*\?[^\ue000-\ue0fe]*$"
    r"|(?:\.\.\.|…)\W*(?:not|no)\W*$"
    rf"|{BY_LETTER}\s*\?\s*{BY_LETTER}\s*:"
    # "B? Not enough information": asked, and not answered with a yes.
    rf"|^[^\ue000-\ue3fe]*{CANDIDATE}[\"')\]*]*\s*\?+\s+(?!(?:i think |that's |it's )?(?:yes|yeah|yep|yup"
    r"|sure|right|correct|true|likely|probably|definite|certain|absolute|indeed|exactly|clear|obvious"
    r"|of course|fits|matches))"
    r"[^\ue000-\ue3fe]*$"
    rf"|{CANDIDATE}\W*\?\W*(?:no idea|really|hmm|who knows)\b[^\ue000-\ue0fe]*$"
    r"|\b(?:this|that|it|which|answer|claim|choice)(?: \w+)? (?:is|was|would be|seems) (?:\w+ly )?"
    r"(?:wrong|incorrect|false|mistaken|rejected|nonsense|not (?:right|correct|true))\b[^\ue000-\ue1fe]*$"
    rf"|{CANDIDATE}\s*(?:;|\.\s)\s*(?!yes|sure|right|correct|done|final|thanks|end|definite|certain|obvious"
    r"|clear|indeed|easy|absolute)[a-z]+[.!]?\s*$"
    rf"|{CANDIDATE}\W*!\s*(?:no|nope|not)\b[^\ue000-\ue0fe]*$"
    # "Take B. It needs two turns; we saw one": what would have to be so is looked at, and nothing claimed.
    rf"|{CANDIDATE}(?: first)?\W+(?:it|this|that|which|then|there|we)(?: \w+)? (?:needs?|requires?|demands?"
    r"|presupposes|would (?:need|require|mean|imply|have to))\b[^\ue000-\ue0fe]*$"
    rf"|\b(?:say|take|suppose|assume|let it be)\b[^.;\ue000-\ue1fe]*{CANDIDATE}\W+"
    r"(?:then|so|that|it|we|there)\b[^.\ue000-\ue0fe]*\bwould\b[^\ue000-\ue0fe]*$"
    r"|[;.]\s*(?:it|we|they|there|that) (?:is|was|did|does|do|were|are)(?:n't| not| none)\W*$",
    re.IGNORECASE,
)
_ODDS = (
    pattern(rf"({BY_LETTER})[\s:=(,–—-]{{1,3}}(?:about |roughly )?(\d+(?:\.\d+)?)\s*%"),
    pattern(rf"(?P<share>\d+(?:\.\d+)?)\s*%\s*(?:for|on|to|that it is)?\s*({BY_LETTER})"),
)


def _odds(marked: str) -> frozenset[int]:
    """The likeliest of letters that are given shares; several where the highest share is not one alone."""
    for form in _ODDS:
        shares: dict[int, float] = {}
        for found in form.finditer(marked):
            one, two = found.groups()
            letter, share = (two, one) if "share" in form.groupindex else (one, two)
            shares[ord(letter) - LETTER] = float(share)
        if len(shares) > 1:
            return frozenset(place for place, share in shares.items() if share == max(shares.values()))
    return frozenset()


def _disagree(letters: frozenset[int], words: Claim) -> bool:
    return len(words.options) == 1 and words.options != letters


def _unmarked(text: str) -> str:
    text = "\n".join(line for line in text.split("\n") if not _UNCHECKED.match(line))
    text = re.sub(r"(?<!\w)_([^_\n]+)_(?!\w)", r"\1", _CHECKED.sub("", text))
    return _MARKUP.sub("", text)


def _without_lists(text: str) -> str:
    """The text without options that are only listed again, one letter after the other.

    A line that judges its letter ("B) left: correct") stays.
    """
    if "\n" not in text:
        return text
    lines = text.split("\n")
    heads = [_LISTED.match(line) for line in lines]
    kept: list[str] = []
    for i, (line, head) in enumerate(zip(lines, heads, strict=True)):
        near = [heads[j] for j in (i - 1, i + 1) if 0 <= j < len(lines)]
        places = [ord(h.group(1)) - LETTER for h in near if h]
        if head and any(abs(place - (ord(head.group(1)) - LETTER)) == 1 for place in places):
            judged = re.search(
                r"[✓✔✅☑]|\b(?:correct|right answer|yes|true|best|matches|fits)\b(?!\s*[✗✘❌])",
                line,
                re.IGNORECASE,
            )
            if not judged or re.search(r"\b(?:not|incorrect|wrong)\b|n't", line, re.IGNORECASE):
                continue
        kept.append(line)
    return "\n".join(kept)
