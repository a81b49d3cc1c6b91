"""What `situ lab describe` prints of a set: lines, and the sizes that a paper gives for its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class Statistic(NamedTuple):
    """One line: what was counted, of this set, and as published ("" where nothing was)."""

    about: str
    name: str
    value: str
    published: str = ""


@dataclass(frozen=True)
class PublishedSizes:
    """What a paper prints of its set; `tasks` are numbers of questions, `in_view` things in a frame."""

    recordings: str = ""
    questions: str = ""
    in_view: str = ""
    tasks: Mapping[str, float] = field(default_factory=dict)


def spread(values: Sequence[float], unit: str = "") -> str:
    """Mean, least and most."""
    if not values:
        return "-"
    return f"{np.mean(values):.1f}{unit} ({np.min(values):g} - {np.max(values):g})"
