"""Scores of VSI-Bench, as its own scorer computes them."""

from collections.abc import Mapping

import numpy as np

from situ.benchmarks.question_types import mean_relative_accuracy

CHOICE_TYPES = (
    "object_rel_direction_easy",
    "object_rel_direction_medium",
    "object_rel_direction_hard",
    "object_rel_distance",
    "route_planning",
    "obj_appearance_order",
)
NUMBER_TYPES = (
    "object_counting",
    "object_abs_distance",
    "object_size_estimation",
    "room_size_estimation",
)
DIRECTION_TYPES = CHOICE_TYPES[:3]


def score(question_type: str, reply: str, truth: str) -> float:
    """The score of one reply, 0 to 1: its first word counts, without full stops, in any case."""
    words = reply.split(" ")
    word = words[0].rstrip(".").strip() if words else ""
    if question_type in CHOICE_TYPES:
        return float(word.lower() == truth.lower())
    try:
        return mean_relative_accuracy(float(word), float(truth))
    except ValueError:
        return 0.0


def overall(by_type: Mapping[str, float]) -> float:
    """The mean of the task scores; the three levels of direction make one task."""
    directions = [by_type[name] for name in DIRECTION_TYPES if name in by_type]
    others = [value for name, value in by_type.items() if name not in DIRECTION_TYPES]
    return float(np.mean([*others, *([np.mean(directions)] if directions else [])]))
