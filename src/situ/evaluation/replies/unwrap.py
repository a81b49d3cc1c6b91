"""A reply without what machines wrap around it: thoughts, tags, boxes, JSON, Markdown, look-alike signs.

What a bracket means is told by the name inside it, so any pair of brackets will do: a name of thinking
encloses what is no answer yet, a name of answering encloses the answer.
"""

import html
import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from situ.lazy import pattern

_THOUGHT = pattern(
    r"think|thought|reason|reflect|scratch|monologue|rationale|analys|summary|caption", re.IGNORECASE
)
_NOUN = r"(?:answers?|ans|response|conclusion|solution|choice|option|selected|letter|final|output|result)"
_ANSWER = pattern(rf"\b{_NOUN}|{_NOUN}\b", re.IGNORECASE)
_MARK = pattern(
    r"(?:<\|?|\[|◁|〈|⟨|\{\{?)\s*(?P<over>/?)\s*(?P<name>[A-Za-z][\w:. -]{1,30}?)(?:\s[\w-]+=[^<>]*)?\s*"
    r"(?:\|?>|\]|▷|〉|⟩|\}\}?)(?!\()"
)
_OVER = pattern(r"^end[_ .]|[_ ]end$", re.IGNORECASE)
_CHANNEL = pattern(r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>|\bassistant(final)")
_NEXT_TURN = pattern(
    r"<\|im_start\|>\s*(?:user|human)|<start_of_turn>\s*user"
    r"|\n[#*\s]*(?:question|user|human)[ \d]{0,4}[*\s]*[:\n]",
    re.IGNORECASE,
)
_BOX = pattern(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}?")
_LATEX = pattern(r"\\(?:text|math|operatorname|emph|bm|rm|bf)[a-z]*\s*\{([^{}]*)\}")
_KEY = pattern(rf"^(?:[a-z]+[_ -]?)?(?:{_NOUN}|pred(?:iction)?|label)(?:[_ -](?:letter|option|id))?$", re.I)
_PAIR = pattern(r"[\"'“]?\b([\w -]{2,20})[\"'”]\s*:\s*(\"[^\"\n]*\"?|'[^'\n]*'?|[^\s,}\]]+)")
_OBJECT = pattern(r"(?:```\w*)?\s*\{\s*\"[^\n]*\}\s*(?:```)?", re.DOTALL)
_PLACEHOLDER = pattern(r"\W*(?:letter|number|option|your answer|the answer|x|)\W*", re.IGNORECASE)
_STRUCK = pattern(
    r"~~.*?~~|<(s|del|strike)>.*?</\1>|\\(?:x?cancel|sout|st)\s*\{[^{}]*\}"
    r"|^[ \t]*(?:[-*•][ \t]*)?\[ ?\][^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_MARKUP = pattern(
    r"\*\*|(?<!\w)[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?!\w)|`+(?:\w+(?=\n))?|^[ \t]*(?:#+|>|[-*•+][ \t])[ \t]*"
    r"|^[ \t]*\|?[-:| ]{3,}\|?[ \t]*$|^[ \t]*\||\|[ \t]*$|</?[a-z]\w*\b[^<>]*>|<\|\w+\|>|\[/?INST\]"
    r"|\\[()\[\]]|\\(?:begin|end)\{\w+\}|\$|\[[xX✓✔]\]",
    re.MULTILINE,
)
_SIGNS = str.maketrans("’‘“”−", "''\"\"-", "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0f\u20e3")
FIRST, LAST = 600, 3400  # characters: answers stand at the ends, and time must not grow with what is between
MOST_FORMS = 50


class Formal(NamedTuple):
    """An answer in a form of its own: the form's name, what it holds, and what comes after it."""

    rule: str
    part: str
    rest: str = ""


def final_part(reply: str) -> str | None:
    """A reply without its reasoning; None where that was cut off before its end."""
    text = plain_signs(reply)
    turn = _NEXT_TURN.search(text)  # a model may go on to ask and answer itself
    text = text[: turn.start()] if turn and text[: turn.start()].strip() else text
    channels = list(_CHANNEL.finditer(text))
    if channels:
        last = channels[-1]
        return text[last.end() :].strip() if "final" in last.groups() else None
    outside, start, opened = list[str](), 0, False
    for mark in _MARK.finditer(text):
        if not _THOUGHT.search(mark["name"]):
            continue
        if mark["over"] or _OVER.search(mark["name"]):
            outside = outside if opened else []  # what comes before a thought without a beginning is thought
            start, opened = mark.end(), False
        elif not opened:
            outside.append(text[start : mark.start()])
            start, opened = mark.end(), True
    if opened:
        formal = formal_answer(text[start:])
        if formal is not None and formal.rule != "json" and not formal.rest.strip():
            return text[start:].strip()  # only the closing mark was forgotten
    else:
        outside.append(text[start:])
    said = [part.strip() for part in outside if part.strip()]
    return said[-1] if said else None if opened else ""


def plain_signs(text: str) -> str:
    """One form for every sign: entities, full-width and circled letters, quotes, LaTeX text."""
    text = unicodedata.normalize("NFKC", html.unescape(text)).translate(_SIGNS)
    for _ in range(4 if "\\" in text else 0):  # commands in commands
        text = _LATEX.sub(r"\1", text)
    return text.strip()


def formal_answer(text: str) -> Formal | None:
    """What stands in answer tags, a box or under a JSON key: the last of its kind that is not empty.

    Two of them one right after the other are given together.
    """
    for rule, found in (("tag", _tags(text)), ("boxed", _boxes(text)), ("json", _json_values(text))):
        filled = [
            (part, rest) for part, rest in islice(found, MOST_FORMS) if not _PLACEHOLDER.fullmatch(part)
        ]
        if filled:
            last, after = filled[-1]
            between = (len(re.findall(r"\w+", rest[: len(rest) - len(after)])) for _, rest in filled)
            beside = [part for (part, _), words in zip(filled, between, strict=True) if words < 8]
            return Formal(rule, "\n".join(dict.fromkeys([*beside, last])), after)
    return Formal("json", "") if _OBJECT.fullmatch(text.strip()) else None  # an object that gives no answer


def untagged(reply: str) -> str:
    """The reply for a benchmark's own parser, which does not know the tags that our prompts ask for."""
    text = final_part(reply)
    formal = formal_answer(text) if text else None
    return formal.part if formal is not None and formal.rule == "tag" else reply


def unmarked(text: str) -> str:
    """Without Markdown and HTML; what is struck through is gone."""
    return _MARKUP.sub("", _STRUCK.sub(" ", text)).strip()


def shortened(text: str) -> str:
    return text if len(text) <= FIRST + LAST else f"{text[:FIRST]}\n\n{text[-LAST:]}"


def _tags(text: str) -> Iterator[tuple[str, str]]:
    """What stands between each mark of an answer and the next, and what comes after."""
    marks = [mark for mark in _MARK.finditer(text) if _ANSWER.search(mark["name"])]
    for place, mark in enumerate(marks):
        if mark["over"] or _OVER.search(mark["name"]) or mark.group().startswith("{"):
            continue
        following = marks[place + 1] if place + 1 < len(marks) else None
        end = following.start() if following else len(text)
        closed = following is not None and (following["over"] or _OVER.search(following["name"]))
        yield text[mark.end() : end].strip(), text[following.end() if closed and following else end :]


def _boxes(text: str) -> Iterator[tuple[str, str]]:
    for found in _BOX.finditer(text):
        yield found[1], text[found.end() :]


def _json_values(text: str) -> Iterator[tuple[str, str]]:
    """Values of answer keys in JSON, or in what was meant to be JSON."""
    end = 0
    for start in (found.start() for found in islice(re.finditer(r"[{\[]", text), MOST_FORMS)):
        if start < end:
            continue  # inside an object that was read
        try:
            data, length = json.JSONDecoder().raw_decode(text[start:])
        except (ValueError, RecursionError):
            continue
        if isinstance(data, (dict, list)):
            end = start + length
            yield from ((value, text[end:]) for value in _keyed(data))
    if not end:
        for pair in _PAIR.finditer(text):
            if _KEY.match(pair[1].strip()):
                yield pair[2].strip("\"'"), text[pair.end() :].lstrip("\"'} \n`")


def _keyed(data: Any) -> Iterator[str]:
    for key, value in data.items() if isinstance(data, dict) else (("", one) for one in data):
        if _KEY.match(str(key)):
            parts = [*value.values()] if isinstance(value, dict) else value
            parts = parts if isinstance(parts, list) else [parts]
            yield "\n".join(str(part) for part in parts if isinstance(part, (str, int, float)))
        elif isinstance(value, (dict, list)):
            yield from _keyed(value)
