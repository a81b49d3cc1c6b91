"""A reply without what machines wrap around it: thoughts, tags, boxes, JSON, Markdown, look-alike signs.

What a bracket means is told by the name inside it, so any pair of brackets will do: a name of thinking
encloses what is no answer yet, a name of answering encloses the answer.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from situ.lazy import pattern

_THINKING = r"think|thought|reason|reflect|scratch|monologue|rationale|analys|unused9\d|summary|caption"
_ANSWERING = (
    r"answer|\bans\b|response|conclusion|solution|choice|option|selected|letter|final|output|result|of.box"
)
_MARK = pattern(
    r"(?:<\|?|\[|◁|〈|⟨|\{\{?)\s*(?P<over>/?)\s*(?P<name>[A-Za-z][\w:. -]{1,30}?)(?:\s[\w-]+=[^<>]*)?\s*"
    r"(?:\|?>|\]|▷|〉|⟩|\}\}?)(?!\()"
)
_THOUGHT, _ANSWER = pattern(_THINKING, re.IGNORECASE), pattern(_ANSWERING, re.IGNORECASE)
_OVER = pattern(r"^end[_ .]|[_ ]end$|^unused95$", re.IGNORECASE)
_CHANNEL = pattern(r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>|\bassistant(final)")
_NEXT_TURN = pattern(
    r"<\|im_start\|>\s*(?:user|human)|<start_of_turn>\s*user|\n[#*\s]*(?:question|user"
    r"|human)[ \d]{0,4}[*\s]*[:\n]",
    re.IGNORECASE,
)
_BOX = pattern(r"\\(?:boxed|fbox|framebox)\s*\{")
_LATEX = pattern(r"\\(?:text|math|operatorname|emph|bm|rm|bf)[a-z]*\s*\{([^{}]*)\}")
_KEY = pattern(
    r"^(?:(?:final|correct|selected|predicted|chosen|best|model|my|your)[_ -]?)?(?:answers?|ans|choice|option"
    r"|prediction|pred|selection|letter|response|label|result|solution|output|final)(?:[_ -](?:letter"
    r"|option|id"
    r"|choice|text))?$",
    re.IGNORECASE,
)
_PAIR = pattern(r"[\"'“]?\b([\w -]{2,20})[\"'”]\s*:\s*(\"[^\"\n]*\"?|'[^'\n]*'?|[^\s,}\]]+)")
_OBJECT = pattern(r"(?:<\w+>|```\w*)?\s*\{\s*\"[^\n]*\}\s*(?:</\w+>|```)?", re.DOTALL)
_PLACEHOLDER = pattern(r"\W*(?:letter|number|mark|option|your answer|the answer|x|)\W*", re.IGNORECASE)
_STRUCK = pattern(
    r"~~.*?~~|<(s|del|strike)>.*?</\1>|\\(?:x?cancel|sout|st)\s*\{[^{}]*\}"
    r"|^[ \t]*(?:[-*•][ \t]*)?\[ ?\][^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_MARKUP = pattern(
    r"\*\*|(?<!\w)[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?!\w)|`+(?:json|python|text|\w+(?=\n))?|^[ \t]*(?:#+"
    r"|>)[ \t]*"
    r"|^[ \t]*[-*•+][ \t]+|^[ \t]*\|?[-:| ]{3,}\|?[ \t]*$|</?(?:b|i|u|em|strong|p|span|div|code|pre|mark"
    r"|center|h\d|br|font|table|t[rdh]|li|[uo]l|letter|text)\b[^<>]*>"
    r"|<\|\w+\|>|</?s>|<eos>|<end_of_turn>|\[/?INST\]"
    r"|\\[()\[\]]|\\(?:begin|end)\{\w+\}|\$|^[ \t]*\||\|[ \t]*$|\[[xX✓✔]\]",
    re.MULTILINE,
)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&nbsp;": " ", "&amp;": "&", "&quot;": '"', "&#39;": "'"}
_LOOKALIKE = dict(zip("АВСЕНІКМОРТХΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABCEHIKMOPTXABEZHIKMNOPTX", strict=True))
_LONE_LOOKALIKE = pattern(rf"(?<!\w)[{''.join(_LOOKALIKE)}](?!\w|\s+[\u0370-\u04ff])")
_SHOWN = {first + i: chr(65 + i) for first in (0x1F170, 0x1F150, 0x1F130, 0x1F1E6) for i in range(26)}
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
    text = _own_turn(plain_signs(reply))
    channels = list(_CHANNEL.finditer(text))
    if channels:
        last = channels[-1]
        return text[last.end() :].strip() if "final" in last.groups() else None
    kept, last_kept, start = "", "", 0
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        if not _THOUGHT.search(mark["name"]) or _KEY.match(mark["name"]):
            continue
        if mark["over"] or _OVER.search(mark["name"]):
            # What was said before a thought that has no beginning was thought as well.
            last_kept, start = kept if opened else "", mark.end()
            kept, opened = last_kept, None
        elif opened is None:
            kept += text[start : mark.start()]
            opened = mark
    if opened is None:
        after = text[start:]
        return (after if after.strip() or not kept else kept).strip()
    inside = text[opened.end() :]
    formal = formal_answer(inside)
    if formal is not None and formal.rule != "json" and not formal.rest.strip():
        return inside.strip()  # only the closing mark was forgotten
    return kept.strip() or None


def _own_turn(text: str) -> str:
    """Without questions that a model goes on to ask and answer itself."""
    turn = _NEXT_TURN.search(text)
    return text[: turn.start()] if turn and text[: turn.start()].strip() else text


def plain_signs(text: str) -> str:
    """One form for every sign: full-width, circled, boxed and look-alike letters, quotes, LaTeX text."""
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign)
    text = re.sub(r"\\(?:lnot|neg|neq)\b", " not ", re.sub(r"\\([<>])", r"\1", text)).translate(_SHOWN)
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    text = _LONE_LOOKALIKE.sub(lambda found: _LOOKALIKE[found.group()], text)
    for _ in range(4 if "\\" in text else 0):  # commands in commands
        text = _LATEX.sub(r"\1", text)
    return text.strip()


def formal_answer(text: str) -> Formal | None:
    """What stands in answer tags, a box or under a JSON key: the last of its kind that is not empty.

    Two of them one right after the other are given together.
    """
    for rule, found in (("tag", _tags(text)), ("boxed", _boxes(text)), ("json", _json_values(text))):
        filled = [one for one in islice(found, MOST_FORMS) if not _PLACEHOLDER.fullmatch(one.part)]
        if filled:
            last = filled[-1]
            beside = [
                one.part for one in filled if len(re.findall(r"\w+", one.rest[: -len(last.rest) or None])) < 8
            ]
            return Formal(rule, "\n".join(dict.fromkeys([*beside, last.part])), last.rest)
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


def _tags(text: str) -> Iterator[Formal]:
    marks = [mark for mark in _MARK.finditer(text) if _ANSWER.search(mark["name"])]
    for mark, following in zip_longest(marks, marks[1:]):
        if mark["over"] or _OVER.search(mark["name"]) or mark.group().startswith("{"):
            continue
        end = following.start() if following else len(text)
        closed = following is not None and (following["over"] or _OVER.search(following["name"]))
        if following is None and mark.group().startswith("["):
            end = len(text)
        yield Formal(
            "tag", text[mark.end() : end].strip(), text[following.end() if closed and following else end :]
        )


def _boxes(text: str) -> Iterator[Formal]:
    for found in _BOX.finditer(text):
        depth, end = 1, found.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if depth and end - found.end() > MOST_FORMS:
            return  # never closed, and no answer
        yield Formal("boxed", text[found.end() : end].rstrip("}"), text[end:])


def _json_values(text: str) -> Iterator[Formal]:
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
            yield from (Formal("json", value, text[end:]) for value in _keyed(data))
    if not end:
        for pair in _PAIR.finditer(text):
            if _KEY.match(pair[1].strip()):
                yield Formal("json", pair[2].strip("\"'"), text[pair.end() :].lstrip("\"'} \n`"))


def _keyed(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for one in data:
            yield from _keyed(one)
    elif isinstance(data, dict):
        called = str(next((data[key] for key in ("name", "tool", "function", "action") if key in data), ""))
        if called and not re.search(rf"submit|finish|{_ANSWERING}", called, re.IGNORECASE):
            return  # a tool that gives no answer is called
        for key, value in data.items():
            if _KEY.match(str(key)):
                parts = (
                    value.values()
                    if isinstance(value, dict)
                    else value
                    if isinstance(value, list)
                    else [value]
                )
                yield "\n".join(str(part) for part in parts if isinstance(part, (str, int, float)))
            elif isinstance(value, (dict, list)):
                yield from _keyed(value)
