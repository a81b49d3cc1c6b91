"""What the phrases of a question kind may hold: its own fields for things, and words in any form."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from situ.errors import BadInput
from situ.language.kind import KINDS, Kind, declare, phrase
from situ.language.normalise import tidied
from situ.language.reader import Reader
from situ.language.times import Clock, When
from situ.language.vocabulary import Vocabulary
from situ.questions.select import Selector


@dataclass(frozen=True)
class Above:
    upper: Selector
    lower: Selector
    by_m: float = 0.0
    kind: ClassVar[str] = "above_in_a_test"


def say(_: Any) -> str:
    return ""


def test_a_slot_is_a_field_for_a_thing() -> None:
    asked = phrase("is {upper} (further up|nearer to the ceiling) than {lower}")
    reader = Reader(Vocabulary(frozenset({"lamp", "table"}), frozenset()), When(), Clock())
    for words in ("further up", "farther up", "nearer to the ceiling", "closer to the ceiling"):
        slots = asked.pattern.match(tidied(f"Is the lamp {words} than the table?").text.split(" "))
        assert slots is not None, words
        question = reader.build(Kind(Above, "yes/no", (asked,), say), asked, slots)
        assert question == Above(Selector("lamp"), Selector("table"))


@pytest.mark.parametrize("slot", ["uper", "by_m"])  # a slip of the keyboard, and a field that is no thing
def test_a_slot_that_is_none_is_refused_where_it_is_declared(slot: str) -> None:
    with pytest.raises(BadInput, match=rf"{{{slot}}}.*\(lower, upper\)"):
        declare(Above, "yes/no", say, f"is {{{slot}}} above {{lower}}")
    assert Above.kind not in KINDS


@dataclass(frozen=True)
class Highest:
    of: Selector | None = None
    kind: ClassVar[str] = "highest_in_a_test"


def test_a_thing_that_may_be_left_out_is_a_slot_too() -> None:
    try:
        kind = declare(
            Highest, "name", say, "what is highest?", "which {of} is highest ?", "(what|which) (is)?"
        )
        ends = [one.pattern.text for one in kind.phrases]
        assert ends == ["what is highest", "which {of} is highest", "(what|which) (is)?"]
        assert next(iter(KINDS)) != Highest.kind  # those of the package come first
    finally:
        KINDS.pop(Highest.kind, None)


def test_a_phrase_that_cannot_ask_is_refused_where_it_is_declared() -> None:
    with pytest.raises(BadInput, match="says nothing of 'lower', which the question needs"):
        declare(Above, "yes/no", say, "is {upper} above all else")
    assert Above.kind not in KINDS
