"""Fields of foreign records: options, keys and spans of time, in the forms that are found."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from situ.benchmarks.clock import read_time
from situ.errors import BadInput

_LETTER = re.compile(r"\s*\(?([A-Za-z])[).:]\s*(.*)", re.DOTALL)
_BARE = re.compile(r"\(?([A-Za-z])\)?[.:]?")
_SPAN = re.compile(r"\s*(.+?)\s*(?:-|–|to|,)\s*(.+?)\s*")
_TAGGED = re.compile(r"\s*<answer>(.*)</answer>\s*", re.DOTALL)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LABEL = "answer_label"
KEYS = (LABEL, "answer_idx", "answer", "ground_truth", "gt_answer", "correct_answer", "solution")


def first_of(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first of these fields that is there and not empty; None where none is."""
    return next((record[n] for n in names if record.get(n) not in (None, "", [], {})), None)


def read_options(value: object) -> dict[str, str]:
    """Options by letter, from {letter: text}, ["A. text", ...] or "A. text\\nB. text"."""
    if isinstance(value, str):
        value = [line for line in value.splitlines() if line.strip()]
    if isinstance(value, Mapping):
        pairs = [(str(letter).strip().upper(), str(text).strip()) for letter, text in value.items()]
        found = {letter: text for letter, text in pairs if text not in ("", "None")}
    elif isinstance(value, (list, tuple)) and all(isinstance(text, (str, int, float)) for text in value):
        found = {}
        for place, text in enumerate(map(str, value)):
            match = _LETTER.fullmatch(text)
            letter = LETTERS[place] if place < len(LETTERS) else str(place)
            found[letter] = (
                match.group(2).strip() if match and match.group(1).upper() == letter else text.strip()
            )
    else:
        raise BadInput(f"its options are {type(value).__name__}; a list or an object of texts is needed")
    if len(found) < 2 or not all(found.values()):
        raise BadInput("it needs at least two options, none of them empty")
    if len({option.lower() for option in found.values()}) != len(found):
        raise BadInput("two of its options are the same")
    return found


def read_key(record: Mapping[str, Any], options: Mapping[str, str]) -> str:
    """The text of the correct option. Raises `BadInput` if a field names no option or fields disagree."""
    given = {name: value for name in KEYS if (value := without_tags(record.get(name))) not in (None, "")}
    claims = {name: _option(name, value, options) for name, value in given.items()}
    if not claims:
        raise BadInput("it has no answer")
    for name, claim in claims.items():
        if not claim:
            raise BadInput(f"its {name} {str(given[name])[:60]!r} is not one of its options")
    if len(set(claims.values())) > 1:
        told = ", ".join(f"{name} is {str(value)[:60]!r}" for name, value in given.items())
        raise BadInput(f"its fields disagree about the answer: {told}")
    return next(iter(claims.values()))


def _option(name: str, value: object, options: Mapping[str, str]) -> str:
    """The option that a field names by letter, by place or by text; "" if it names none."""
    if name == LABEL:
        return options.get(str(value).strip().upper(), "")
    if isinstance(value, int) and not isinstance(value, bool):
        return dict(enumerate(options.values())).get(value, "")
    return _claim(str(value).strip(), options)


def without_tags(value: object) -> Any:
    """A key without the tags in which training sets put it: "<answer>B</answer>"."""
    tagged = _TAGGED.fullmatch(value) if isinstance(value, str) else None
    return tagged[1] if tagged else value


def _claim(said: str, options: Mapping[str, str]) -> str:
    """An option by its text, by its letter, or by both."""
    by_text = next((option for option in options.values() if option.lower() == said.lower()), "")
    bare, both = _BARE.fullmatch(said), _LETTER.fullmatch(said)
    if by_text or (bare is None and both is None):
        return by_text
    if bare is not None:
        return options.get(bare[1].upper(), "")
    assert both is not None
    option = options.get(both[1].upper(), "")
    return option if option.lower() == both[2].strip().lower() else ""


def read_spans(value: object, fps: float | None = None) -> tuple[tuple[float, float], ...]:
    """Evidence as spans of seconds: [[a, b], ...], {"start": a, "end": b}, or "00:01:00-00:01:10".

    An object may hold its spans under `timestamps`, beside what is seen there; null stands for no span.
    """
    if value in (None, "", [], {}):
        return ()
    if isinstance(value, Mapping):
        if "timestamps" in value:
            return read_spans(value["timestamps"], fps)
        return (_span(value.get("start"), value.get("end"), fps),)
    if isinstance(value, str):
        parts = [part for part in re.split(r"[;\n]", value) if part.strip()]
        spans = []
        for part in parts:
            match = _SPAN.fullmatch(part)
            start, end = match.groups() if match else (part, part)
            spans.append(_span(start, end, fps))
        return tuple(spans)
    if isinstance(value, (list, tuple)):
        if len(value) == 2 and not any(isinstance(v, (list, tuple, Mapping)) for v in value):
            return (_span(value[0], value[1], fps),)
        return tuple(span for part in value for span in read_spans(part, fps))
    raise BadInput(f"evidence {value!r} cannot be read; write [[start, end], ...] in seconds or HH:MM:SS")


def _span(start: object, end: object, fps: float | None) -> tuple[float, float]:
    first, last = read_time(start, fps), read_time(end, fps)
    if last < first:
        raise BadInput(f"an evidence span ends before it starts ({first:g} s to {last:g} s)")
    return first, last
