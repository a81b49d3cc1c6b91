"""The wearer's own way after something was put down, or before it was taken up."""

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.journeys import gaps_along as gaps_along
from situ.questions.programs.journeys import way_in_words as way_in_words
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector


@dataclass(frozen=True)
class _Past(Raw, ABC):
    """`choices` are pairs of landmarks: past the first, then past the second."""

    which: Selector
    seconds: float
    choices: tuple[tuple[Selector, Selector], ...]

    frame: ClassVar[str] = "the landmarks named, in order of time; no direction is involved"
    margin_unit: ClassVar[str] = "metres between how near the best pair was passed and the next"
    when: ClassVar[str] = "after_put"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(way_in_words(a, b) for a, b in self.choices)

    @property
    def landmarks(self) -> tuple[Selector, ...]:
        return tuple(dict.fromkeys(landmark for pair in self.choices for landmark in pair))

    @property
    def program(self) -> Json:
        number = {landmark: k for k, landmark in enumerate(self.landmarks, 1)}
        pairs = [[number[a], number[b]] for a, b in self.choices]
        past = {
            "ask": "walked_past", "of": "{which:ever}", "when": self.when, "seconds": self.seconds,
            "landmarks": "{landmarks:ever}", "names": "{landmarks:text}",
        }  # fmt: skip
        return self._filled({**past, "choices": pairs})


@question_kind
@dataclass(frozen=True)
class WayAfter(_Past):
    """What the wearer walked past, and in which order, after an object had come to its present place."""

    kind: ClassVar[str] = "way_after"
    asks = "Which way did I go in the {seconds:g} seconds after I last put down the {which}?"


@question_kind
@dataclass(frozen=True)
class WayTowards(_Past):
    """What the wearer walked past on the way to where an object was taken up for the last time."""

    kind: ClassVar[str] = "way_towards"
    asks = "Which way did I take towards the {which}, in the {seconds:g} seconds before I last took it up?"
    when: ClassVar[str] = "before_taken"
