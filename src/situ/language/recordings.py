"""Words about recordings taken out of a sentence: what is asked of each, and what becomes of their answers.

"In how many recordings did I see the kettle" asks each "did I see the kettle" and counts those that say yes.
What is left is read by the grammar, so nothing here knows what is seen, near or far.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

How = Literal["count", "list", "first", "last", "every", "any", "total", "most", "least", "only"]


@dataclass(frozen=True)
class OverRecordings:
    """`inner` is put to each recording and `how` folds the answers. `named` are the recordings meant, all if
    there are none; of "is there more in a than in b", `claimed` is a. `daily` folds by days."""

    how: How
    inner: str
    named: tuple[str, ...] = ()
    claimed: str = ""
    daily: bool = False


_UNIT = r"(?P<unit>recording|memory|memorie|walk|video|clip|trip|stream|day)s?"
_OF = r"(?: of)?(?: my| the| these| those)?"
_LEAST = {"fewest", "least", "nearest", "closest", "shortest", "fewer", "less", "closer", "nearer"}
_SEE = r"(?:see|seen|pass|passed|find|found|meet|met|come across)"
_WALK = r"(?:did|have) i (?:walk|walked|go|gone|move|moved|travel|travelled)"

_ASKS = re.compile(rf"(?:(?:in|on|during|over) )?(?P<how>how many|which|what){_OF} {_UNIT} (?P<rest>.+)")
_QUANTIFIED = re.compile(
    rf"(?P<rest>(?:did|have|has|is|was|are|were|can|could) .+?) (?:in|on|during) "
    rf"(?P<how>every|each|all|any|some|one){_OF} {_UNIT}"
)
_TOTAL = re.compile(
    r"(?P<rest>how (?:many|far (?:did|have) i) .+?) "
    rf"(?:(?:in|on|over|across|during) (?:all|every|each){_OF} {_UNIT}(?: together| taken together)?"
    r"|altogether|all together|in total|overall)"
)
# What follows "which recording": more or less of something.
_RANKED = (
    (rf"(?:has|have|had|shows?|holds?|contains?|(?:did|have) i {_SEE}|(?:are|were|is|was) there) (?:the )?"
     r"(?P<rank>most|fewest|least) (?P<x>.+)", "how many {x} have i seen"),
    (rf"{_WALK} (?:the )?(?P<rank>farthest|furthest|longest|most|least|shortest)(?: way| distance)?",
     "how far have i walked"),
    (r"(?:is|was|are|were) (?P<x>.+?) (?:the )?(?P<rank>nearest|closest|farthest|furthest)(?: away| to me)?",
     "how far is {x}"),
)  # fmt: skip
# Two recordings by their names.
_PAIRED = (
    (rf"(?:(?:are|were|is|was) there|(?:did|have) i {_SEE}) (?P<rank>more|fewer|less) (?P<x>.+?)",
     "how many {x} have i seen"),
    (rf"{_WALK} (?P<rank>farther|further|more|longer|less)", "how far have i walked"),
    (r"(?:is|was|are|were) (?P<x>.+?) (?P<rank>closer|nearer|farther|further)(?: away| to me)?",
     "how far is {x}"),
)  # fmt: skip
_ONLY = (
    r"what (?:did i see|have i seen|is there|was there|is|was) in (?P<a>{n}) "
    r"(?:but|and)(?: is| was)? not in (?P<b>{n})"
)
_ORDINAL = re.compile(rf"(?:did|have) i (?P<which>first|last) {_SEE} (?P<x>.+)")
_SHOWS = re.compile(r"(?:shows?|showed|have|has|had|holds?|contains?|with) (?P<x>.+)")
_SAW = re.compile(rf"(?:did|have) i {_SEE} (?:(?:an?|the|my|any|some) )?(?P<x>.+)")
_OPENS = re.compile(r"(?:did|do|have|has|is|am|was|are|were|can|could) \S+ .+")


def over_recordings(sentence: str, names: Sequence[str]) -> OverRecordings | None:
    """What a sentence asks over recordings with these names; None if it asks one of them."""
    text = re.sub(r"\s+", " ", sentence.lower()).strip(" ?.!")
    if found := _ASKS.fullmatch(text):
        return _asked(found["how"] == "how many", found["rest"], found["unit"] == "day")
    if found := _QUANTIFIED.fullmatch(text):
        how: How = "any" if found["how"] in ("any", "some", "one") else "every"
        return OverRecordings(how, _saw(found["rest"]), daily=found["unit"] == "day")
    if found := _TOTAL.fullmatch(text):
        return OverRecordings("total", found["rest"])
    return _pair(text, {name.lower(): name for name in names})


def _asked(counted: bool, rest: str, daily: bool) -> OverRecordings | None:
    if not counted:
        for pattern, inner in _RANKED:
            if found := re.fullmatch(pattern, rest):
                parts = found.groupdict()
                return OverRecordings(_rank(parts["rank"]), inner.format(x=parts.get("x")), daily=daily)
        if found := _ORDINAL.fullmatch(rest):
            how: How = "first" if found["which"] == "first" else "last"
            return OverRecordings(how, _saw(f"did i see {found['x']}"), daily=daily)
    how = "count" if counted else "list"
    if _OPENS.fullmatch(rest) and not re.match(r"(?:has|have|had) (?!i\b)", rest):
        return OverRecordings(how, _saw(rest), daily=daily)
    if found := _SHOWS.fullmatch(rest):
        return OverRecordings(how, _saw(f"did i see {found['x']}"), daily=daily)
    return None


def _pair(text: str, names: dict[str, str]) -> OverRecordings | None:
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"
    if found := re.fullmatch(_ONLY.format(n=either), text):
        return OverRecordings("only", "", (names[found["a"]], names[found["b"]]))
    for pattern, inner in _PAIRED:
        second = rf"(?P<by>or|than) (?:(?:in|on|during) )?(?P<b>{either})"
        whole = rf"{pattern} (?:in|on|during) (?P<a>{either}) {second}"
        if found := re.fullmatch(whole, text):
            parts = found.groupdict()
            pair = names[parts["a"]], names[parts["b"]]
            claimed = pair[0] if parts["by"] == "than" else ""
            return OverRecordings(_rank(parts["rank"]), inner.format(x=parts.get("x")), pair, claimed)
    return None


def _saw(sentence: str) -> str:
    """Whether something was seen, in the one form that asks nothing else: "the kettle" of many recordings is
    any kettle."""
    found = _SAW.fullmatch(sentence)
    return f"did i see any {found['x']}" if found else sentence


def _rank(word: str) -> How:
    return "least" if word in _LEAST else "most"
