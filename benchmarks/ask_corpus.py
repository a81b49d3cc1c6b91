"""Questions as wearers ask them, over a generated day, with the answers of its truth."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.ask_days import RoomedTruth
from benchmarks.ask_judging import fair_answer
from benchmarks.ask_sections import OUTSIDE, SECTIONS, UNKNOWN, specific
from benchmarks.ask_slots import draw_slots, filled
from situ.questions.base import Answer, Question

WORDINGS = Path(__file__).with_name("ask_wordings.txt")
EARLIEST = 0.35  # share of the day that is over before the first question
TRIES = 12


@dataclass(frozen=True)
class Item:
    """A sentence at a moment, what it asks, and the answer of the truth; neither for what has no answer."""

    section: str
    sentence: str
    time: float
    question: Question | None
    key: Answer | None
    held_back: bool


def wordings(path: Path = WORDINGS) -> dict[str, list[str]]:
    """The wordings of each section."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = current = []
        elif line and not line.startswith("#"):
            current.append(line)
    return found


def held_back(wording: str) -> bool:
    """Every third wording is kept for measuring; the grammar was not tuned on it."""
    return zlib.crc32(wording.encode()) % 3 == 0


def corpus(truth: RoomedTruth, seed: int, each: int = 1, path: Path = WORDINGS) -> Iterator[Item]:
    """Each wording `each` times, with things, places and moments by lot; unfair questions are not asked."""
    rng = np.random.default_rng([seed, *b"corpus"])
    for section, lines in wordings(path).items():
        for line in lines:
            for _ in range(each):
                item = _asked(truth, section, line, rng)
                if item is not None:
                    yield item


def _asked(truth: RoomedTruth, section: str, line: str, rng: np.random.Generator) -> Item | None:
    for _ in range(TRIES):
        time = float(round(rng.uniform(EARLIEST * truth.now, truth.now)))
        state = truth.as_of(time)
        slots = draw_slots(state, section, line, rng)
        if slots is None:
            continue
        sentence = filled(line, slots, rng)
        if section == UNKNOWN and any(f" {view.category}" in sentence for view in truth.objects()):
            return None  # in this home there is one
        if section in (OUTSIDE, UNKNOWN):
            return Item(section, sentence, time, None, None, held_back(line))
        question = specific(section, line, SECTIONS[section](slots), time)
        key = fair_answer(state, question)
        if key is not None:
            return Item(section, sentence, time, question, key, held_back(line))
    return None
