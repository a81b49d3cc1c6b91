"""What a reply says at the end: its reasoning taken off, its answer taken out of tags, boxes and JSON.

Models that think aloud mark their thoughts, each family in its own brackets; what is meant is told by the
name inside the brackets, so any pair of brackets will do.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from situ.lazy import pattern

_OPEN, _CLOSE = r"(?:<\|?|\[|◁|〈|⟨|\{{1,2})", r"(?:\|?>|\]|▷|〉|⟩|\}{1,2})"
_THOUGHT = (  # any word before or after: seed:think, longcat_think, thinking_process
    r"(?!end[_ ])(?:[a-z]{1,12}[_: ]){0,2}"
    r"(?:(?:re)?think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratch_?pad|analysis|rationale|cot|summary"
    r"|caption|monologue|planning|observ(?:e|ation)|inner_prefix|unused94)(?:[_ ](?:process|trace|start))?"
)
_THOUGHT_OVER = rf"(?:(?:/\s*|end[_ ](?:of[_ ])?){_THOUGHT}|think(?:ing)?[_ ]end|inner_suffix|unused95)"
_ANSWER = r"(?:final[_ ]?)?(?:answer|solution|conclusion|response|choice|output|result)"
_THINKING = pattern(
    rf"{_OPEN}\s*{_THOUGHT}\s*{_CLOSE}.*?{_OPEN}\s*{_THOUGHT_OVER}\s*{_CLOSE}", re.DOTALL | re.IGNORECASE
)
_THOUGHT_END = pattern(rf"^.*{_OPEN}\s*{_THOUGHT_OVER}\s*{_CLOSE}", re.DOTALL | re.IGNORECASE)
_THOUGHT_START = pattern(rf"{_OPEN}\s*{_THOUGHT}\s*{_CLOSE}", re.IGNORECASE)
_CHANNEL = pattern(
    r"^.*<\|channel\|>\s*final\s*(?:<\|[^|>]*\|>\w*)?\s*<\|message\|>|^(?:analysis.*)?assistantfinal",
    re.DOTALL,
)
_UNFINISHED_CHANNEL = pattern(r"<\|channel\|>\s*(?:analysis|commentary)")
_TAG = pattern(
    rf"{_OPEN}\s*(?:{_ANSWER}|begin[_ ]of[_ ]box|start[_ ]{_ANSWER})\s*{_CLOSE}"
    rf"(.*?)(?:{_OPEN}\s*(?:/\s*{_ANSWER}|end[_ ]of[_ ]box|end[_ ]{_ANSWER})\s*{_CLOSE}"
    rf"|(?={_OPEN}\s*{_ANSWER}\s*{_CLOSE})|$)",
    re.DOTALL | re.IGNORECASE,
)
_BOXED = pattern(r"\\(?:boxed|fbox|framebox)\s*(?=\{)")
_LATEX = pattern(
    r"\\(?:text|mathrm|textbf|mathbf|textit|mathit|mathsf|texttt|operatorname|bm|rm|bf)\s*\{([^{}]*)\}"
)
_PLACEHOLDER = pattern(
    r"^\W*(?:letter|number|mark|option|your answer|the answer|x|\.{3}|…)\W*$", re.IGNORECASE
)
_SPECIAL = pattern(
    r"<\|(?:im_end|im_start|eot_id|endoftext|end|return|eom_id|assistant|eos)\|>|</?s>|<eos>"
    r"|<end_of_turn>|\[/?INST\]|<[|｜]end▁of▁\w+[|｜]>"
)
_KEYS = (
    r"(?:(?:final|correct|selected|predicted|chosen|best|model|my)[_ -]?)?"
    r"(?:answer|ans|option|choice|prediction|selection|letter|response|label|result|pred|solution)"
    r"(?:[_ ](?:letter|option|choice))?|final"
)
_KEY = pattern(rf"^{_KEYS}$", re.IGNORECASE)
_ANSWERING = pattern(r"answer|submit|final|choose|choice|select|respond|response|finish|pick", re.IGNORECASE)
_CALL = pattern(
    r"<(?:function|invoke|tool)[= ](?:name=)?[\"']?(?P<name>[\w.-]+)[^>]*>.*?"
    r"(?:</(?:function|invoke|tool)>|$)"
    r"|<tool_call>\s*(?P<called>\w+)\(.*?(?:</tool_call>|$)",
    re.DOTALL | re.IGNORECASE,
)
_SIDE_VALUE = pattern(
    r"[\"'](?:options|choices|candidates|question|reason\w*|explanation|rationale|why|thoughts?|analysis|steps"
    r"|arguments|parameters)[\"']\s*:\s*(?:\[[^\]]*\]?|\{[^}]*\}?|\"[^\"\n]*\"?|[^,}\]\n]+)",
    re.IGNORECASE,
)
_LOOSE_KEY = pattern(rf"[\"'“]({_KEYS})[\"'”]\s*:\s*(\"[^\"\n]*\"?|'[^'\n]*'?|[^\s,}}\]]+)", re.IGNORECASE)
# Letters that look like Latin ones, or show them: another script's capital means the letter offered.
_LOOKALIKE = {
    **dict(zip("АВСЕНІКМОРТХ", "ABCEHIKMOPTX", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABEZHIKMNOPTX", strict=True)),
}
_SHOWN = {first + i: chr(65 + i) for first in (0x1F170, 0x1F150, 0x1F130, 0x1F1E6) for i in range(26)}
# Before a word of its own script it is a word itself: a Greek article, a Russian preposition.
_LONE_LOOKALIKE = pattern(rf"(?<!\w)([{''.join(_LOOKALIKE)}])(?!\w|\s+[\u0370-\u04ff])")
_ENTITIES = {"lt": "<", "gt": ">", "nbsp": " ", "amp": "&", "quot": '"', "#39": "'"}
_ENTITY = pattern(rf"&({'|'.join(_ENTITIES)});", re.IGNORECASE)


_SIGNS = str.maketrans("’‘“”−", "''\"\"-")


MOST_FORMS, MOST_NESTED = 50, 4
FIRST, LAST = 600, 3400


class Formal(NamedTuple):
    """An answer in a form of its own: the form's name, what it holds, and what comes after it."""

    rule: str
    part: str
    rest: str = ""


def final_part(reply: str) -> str | None:
    """A reply without its reasoning; None where that was cut off before its end."""
    text = _CALL.sub(_answering_call, _visible(reply))
    last_thought = _THOUGHT_END.search(text)
    if last_thought and text[last_thought.end() :].strip():
        text = text[last_thought.end() :]
    elif len(_THOUGHT_START.findall(text)) <= MOST_FORMS:
        text = _THINKING.sub(" ", text)
    text = _THOUGHT_END.sub(" ", text)
    if _CHANNEL.search(text):
        return _plain_signs(_CHANNEL.sub("", text))
    if _UNFINISHED_CHANNEL.search(text):
        return None
    start = _THOUGHT_START.search(text)
    if start is None:
        return _plain_signs(text)
    inside = _plain_signs(text[start.end() :])
    formal = formal_answer(inside)
    # A thought that was never closed, but ends in a formal answer: only the closing mark was forgotten.
    return inside if formal is not None and formal.rule != "json" and not formal.rest.strip() else None


def _answering_call(found: re.Match[str]) -> str:
    """A call of a tool in tags, if it hands in an answer; a look at something says nothing yet."""
    return found.group() if _ANSWERING.search(found["name"] or found["called"]) else " "


def _visible(text: str) -> str:
    """Without signs that have no width, and with escaped signs as they were meant."""
    text = re.sub(r"[\u200b-\u200f\u2060\ufeff\ufe0f\u20e3]", "", text)
    text = _ENTITY.sub(lambda found: _ENTITIES[found.group(1).lower()], text)
    return re.sub(r"\\([<>])", r"\1", re.sub(r"\\n(?![a-z])", "\n", text))


def _plain_signs(text: str) -> str:
    """One form for every sign: full-width, circled, boxed and look-alike letters, quotes, LaTeX text."""
    text = _SPECIAL.sub(" ", text).translate(_SHOWN)
    text = unicodedata.normalize("NFKC", text)
    text = _LONE_LOOKALIKE.sub(lambda found: _LOOKALIKE[found.group(1)], text)
    text = text.translate(_SIGNS)
    for _ in range(MOST_NESTED if "\\" in text else 0):
        text = _LATEX.sub(r"\1", text)
    text = text.strip()
    if len(text) > FIRST + LAST:  # answers stand at the ends, and time must not grow with what is between
        text = f"{text[:FIRST]}\n\n{text[-LAST:]}"
    return text


def formal_answer(text: str) -> Formal | None:
    """What stands in answer tags, a box or under a JSON key; the last of its kind, if not empty."""
    for rule, found in (("tag", _tags(text)), ("boxed", _boxes(text)), ("json", _json_values(text))):
        filled = [form for form in found if form.part.strip() and not _PLACEHOLDER.match(form.part)]
        if filled:
            last = filled[-1]
            before = filled[-2] if len(filled) > 1 else None
            if before is not None and before.part.strip().lower() != last.part.strip().lower():
                between = text[len(text) - len(before.rest) : len(text) - len(last.rest)]
                if len(re.findall(r"\w+", between)) <= 4:  # one right after the other: both are meant
                    return Formal(rule, f"{before.part} and {last.part}", last.rest)
            return Formal(rule, last.part, last.rest)
    return None


def untagged(reply: str) -> str:
    """The reply for a benchmark's own parser, which does not know the tags that our prompts ask for."""
    text = final_part(reply)
    formal = formal_answer(text) if text else None
    return formal.part if formal is not None and formal.rule == "tag" else reply


def without_side_values(text: str) -> str:
    """JSON without what stands under other keys than the answer's: reasons, options, arguments of tools."""
    return _SIDE_VALUE.sub("", text) if '"' in text else text


def _tags(text: str) -> Iterator[Formal]:
    for found in islice(_TAG.finditer(text), MOST_FORMS):
        yield Formal("tag", found.group(1).strip(), text[found.end() :])


def _boxes(text: str) -> Iterator[Formal]:
    for found in islice(_BOXED.finditer(text), MOST_FORMS):
        depth, end = 0, found.end()
        while end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        yield Formal("boxed", text[found.end() + 1 : end].rstrip("}"), text[end:])


def _json_values(text: str) -> Iterator[Formal]:
    """Values of answer keys in JSON, or in what was meant to be JSON."""
    decoder = json.JSONDecoder()
    end = 0
    for start in (match.start() for match in islice(re.finditer(r"\{", text), MOST_FORMS)):
        if start < end:
            continue  # inside an object that was read
        try:
            data, length = decoder.raw_decode(text[start:])
        except (ValueError, RecursionError):
            continue
        end = start + length
        for value in _keyed(data):
            yield Formal("json", value, text[start + length :])
    if not end:
        for match in _LOOSE_KEY.finditer(text):
            yield Formal("json", match.group(2).strip("\"'"), text[match.end() :].lstrip("\"'"))


def _calls_for_more(data: dict[str, Any]) -> bool:
    """Whether JSON calls a tool that gives no answer: "look_at", not "submit_answer"."""
    called = [
        data[key]
        for key in ("name", "tool", "function", "tool_name", "action")
        if isinstance(data.get(key), str)
    ]
    given = any(isinstance(data.get(key), dict) for key in ("arguments", "args", "parameters", "input"))
    return given and any(not _ANSWERING.search(name) for name in called)


def _keyed(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        data = {"": data}
    if not isinstance(data, dict) or _calls_for_more(data):
        return
    for key, value in data.items():
        if _KEY.match(str(key)):
            values = (
                value
                if isinstance(value, list)
                else list(value.values())
                if isinstance(value, dict)
                else [value]
            )
            yield " and ".join(str(one) for one in values if isinstance(one, (str, int, float)))
        elif isinstance(value, (dict, list)):
            for inner in value if isinstance(value, list) else [value]:
                yield from _keyed(inner)
