"""The studies behind the human rows of published tables, as far as the papers describe them."""

from collections.abc import Mapping
from dataclasses import dataclass

from situ.errors import BadInput
from situ.study.design import FREE


@dataclass(frozen=True)
class Preset:
    """`per_person` 0 means that everybody answers everything; `recordings` 0 that all are taken."""

    benchmark: str
    people: int
    per_person: int = 0
    frames: str = FREE
    scratchpad: bool = False
    recordings: int = 0
    note: str = ""


PRESETS: Mapping[str, Preset] = {
    "rem": Preset(
        "rem", 1, frames="all", scratchpad=True,
        note="REM: 154 questions of 18 walks, no time limit, arrow keys through the frames, a scratchpad. "
        "How many people answered is not printed; --people says how many answer here.",
    ),
    "saw": Preset(
        "saw", 2,
        note="SAW-Bench: two raters answer all questions from the full videos, without a time limit "
        "(91.07 and 92.03 published).",
    ),
    "ucs": Preset(
        "ucs", 3, recordings=60,
        note="UCS-Bench: three experts, 985 questions of 20 short, 20 medium and 20 long videos, pause and "
        "replay, evidence removed. The published 91.0 is after items with disagreement were removed: an "
        "upper bound by selection. `situ study score` gives both.",
    ),
    "disjoint": Preset(
        "disjoint", 3, per_person=15,
        note="DISJOINT-3DQA: three workers for each question, 15 questions each for $9.99, workers with at "
        "least 95 % approval and more than 5,000 tasks.",
    ),
}  # fmt: skip


def find_preset(name: str) -> Preset:
    if name not in PRESETS:
        raise BadInput(f"no study is called '{name}'; there are {', '.join(PRESETS)}")
    return PRESETS[name]
