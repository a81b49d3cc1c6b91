"""Reading what a reply claims, strictly: one clear claim, or none.

Rules are tried from the most formal to the least; the name of the one that fired goes into the run's record.
A rule that finds two different answers ends the search: the reply claims both, which is to claim neither.
Nothing is ever drawn at random.
"""

import json
import re
from collections.abc import Callable, Sequence

from situ.evaluate.answer import Reading
from situ.evaluate.replies.mentions import Mentions, plain

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}")
_JSON = re.compile(r"\{[^{}]*\}", re.DOTALL)
_JSON_KEYS = ("answer", "final_answer", "option", "choice", "prediction")
_LETTER = re.compile(r"^\W*(?:(?:option|choice|answer)\s*:?\s*)?\(?([A-Za-z])\)?\W*$", re.IGNORECASE)
_LETTER_TEXT = re.compile(r"^[\s*_(\"']*([A-Z])\s*[).:]+\s*[*_]*\s*(\S.*)$", re.DOTALL)
# "The answer is X", "Best category for this space: X", "is best described as X", "is most likely an X".
_STATED = re.compile(
    r"\b(?:answer|category|choice|option|conclusion|guess)\b[^.\n:]{0,90}?(?:\bis\b|\bwould be\b|:|=)"
    r"|\b(?:described|categori[sz]ed|classified|identified|characteri[sz]ed)\s+as\b"
    r"|\b(?:is|be|likely)\s+(?:most\s+|very\s+|quite\s+)?(?:likely|probably|best)\b(?:\s+to\s+be\b)?"
    r"|\b(?:seems|appears)\s+to\s+be\b"
    r"|\bI\s+(?:would\s+|will\s+)?(?:choose|pick|select|go with|answer)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(r"[\s:*_\-•>]*(?:(?:most likely|likely|probably)\s+)?(?:(?:an?|the)\s+)?", re.IGNORECASE)
_MARKED = re.compile(r"^(?:\*\*(.+?)\*\*|\"(.+?)\"|“(.+?)”|\((.+?)\)|`(.+?)`)", re.DOTALL)
_CLAUSE_END = re.compile(
    r"[;\n]|\.(?:\s|$)|,\s|\b(?:as it|as the|because|since|rather than|but|which|with|given|due to)\b"
)
_EMPHASIS = re.compile(r"\*\*(.+?)\*\*|\\textbf\{(.+?)\}", re.DOTALL)
NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?!\w*\d)")
Rule = Callable[[str, Mentions], set[int]]


def read_choice(reply: str, options: Sequence[str]) -> Reading:
    """Which option a reply claims: by letter (A is the first), or by its words."""
    text = final_part(reply)
    if text is None:
        return Reading(None, "unfinished reasoning")
    if not text:
        return Reading(None, "empty")
    names = Mentions(options)
    formal, part = formal_part(text)
    rules = _RULES if formal == "whole reply" else ((formal, _resolve),)
    for rule, find in rules:
        claimed = find(part, names)
        if len(claimed) == 1:
            return Reading(options[claimed.pop()], rule)
        if claimed:
            return Reading(None, f"several by {rule}")
    return Reading(None, "no rule")


def read_number(reply: str) -> Reading:
    """The one number that a reply claims; words up to twenty count."""
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    rule, part = formal_part(text)
    if rule != "whole reply":
        return _one_number(part, rule)
    stated = [text[match.end() :].split("\n")[0] for match in _STATED.finditer(text)]
    for part in reversed(stated):
        if _numbers(part.split(". ")[0]):
            return _one_number(part.split(". ")[0], "statement")
    return _one_number(text, "only number")


def final_part(reply: str) -> str | None:
    """A reply without its reasoning block; None where the block was cut off before its end."""
    text = _THINKING.sub(" ", reply)
    text = re.sub(r"^.*</think(?:ing)?>", " ", text, flags=re.DOTALL | re.IGNORECASE)
    return None if re.search(r"<think(?:ing)?>", text, re.IGNORECASE) else text.strip()


def formal_part(text: str) -> tuple[str, str]:
    """What stands in answer tags, a box or a JSON answer, or the whole text; with the name of the rule."""
    for rule, part in (
        ("tag", _last(_TAG, text)),
        ("boxed", _last(_BOXED, text)),
        ("json", _json_value(text)),
    ):
        if part is not None:
            return rule, part
    return "whole reply", text


def _letter(text: str, names: Mentions) -> set[int]:
    found = _LETTER.match(text)
    return names.letter(found.group(1)) if found else set()


def _letter_and_text(text: str, names: Mentions) -> set[int]:
    """ "B. the chair" claims B; where the words name another option, the reply claims both."""
    found = _LETTER_TEXT.match(text)
    if not found:
        return set()
    by_letter = names.letter(found.group(1))
    words = found.group(2).split("\n")[0]
    by_words = names.exactly(words)
    return by_letter | by_words if by_letter else set()


def _whole(text: str, names: Mentions) -> set[int]:
    return names.exactly(text)


def _opening(text: str, names: Mentions) -> set[int]:
    """ "Yes, it is." """
    first = re.split(r"[,.;:\n]", text, maxsplit=1)[0]
    return names.exactly(first)


def _last_line(text: str, names: Mentions) -> set[int]:
    line = text.rstrip().split("\n")[-1]
    return names.exactly(line) or _letter(line, names) or _letter_and_text(line, names)


def _stated(text: str, names: Mentions) -> set[int]:
    """The last statement of the form "the answer is X" that names anything."""
    for match in reversed(list(_STATED.finditer(text))):
        rest = text[match.end() :]
        lead = _LEAD.match(rest)
        phrase = rest[lead.end() if lead else 0 :][:240]
        marked = _MARKED.match(phrase)
        if marked:
            phrase = next(group for group in marked.groups() if group is not None)
        else:
            phrase = _CLAUSE_END.split(phrase, maxsplit=1)[0]
        claimed = _resolve(phrase, names)
        if claimed:
            return claimed
    return set()


def _emphasised(text: str, names: Mentions) -> set[int]:
    marked = [next(group for group in found.groups() if group) for found in _EMPHASIS.finditer(text)]
    return set().union(*(names.exactly(phrase) for phrase in marked)) if marked else set()


def _only_mention(text: str, names: Mentions) -> set[int]:
    return names.affirmed(text)


_RULES: tuple[tuple[str, Rule], ...] = (
    ("letter", _letter),
    ("letter and text", _letter_and_text),
    ("whole reply", _whole),
    ("last line", _last_line),
    ("opening", _opening),
    ("statement", _stated),
    ("emphasis", _emphasised),
    ("only mention", _only_mention),
)


def _resolve(phrase: str, names: Mentions) -> set[int]:
    """The options that a short phrase stands for: a letter, a letter with words, or names."""
    exact = names.exactly(phrase)
    return exact or _letter(phrase, names) or _letter_and_text(phrase, names) or names.affirmed(phrase)


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.findall(text)
    return str(found[-1]) if found else None


def _json_value(text: str) -> str | None:
    for candidate in reversed(_JSON.findall(text)):
        try:
            data = json.loads(candidate)
        except ValueError:
            continue
        for key, value in data.items():
            if plain(key).replace(" ", "_") in _JSON_KEYS and isinstance(value, (str, int, float)):
                return str(value)
    return None


def _one_number(text: str, rule: str) -> Reading:
    found = _numbers(text)
    if len(found) == 1:
        return Reading(found.pop(), rule)
    return Reading(None, f"several by {rule}" if found else "no rule")


def _numbers(text: str) -> set[str]:
    """Numbers as they stand in a key: no thousands separators, no trailing zeros."""
    digits = {_canonical(match.replace(",", "").replace("−", "-")) for match in _NUMBER.findall(text)}
    if digits:
        return digits
    return {str(NUMBER_WORDS[word]) for word in re.findall(r"[a-z]+", text.lower()) if word in NUMBER_WORDS}


def _canonical(number: str) -> str:
    value = float(number)
    return str(int(value)) if value == int(value) else repr(value)
