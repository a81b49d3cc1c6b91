"""A second opinion on the keys of narrated tours: every answer derived anew from the words and the boxes.

Nothing here calls the question engine, the state, the geometry or the wordings that made the keys.
"""

import re
from collections.abc import Sequence

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.second_look import (
    Shares,
    compare_annotations,
    gap_m,
    mask_shares,
    names_in,
    visibility_rule,
)
from situ.recording import Recording

_PLANS = {"Turn Left": 90.0, "Turn Right": -90.0, "Turn Back": 180.0}
Names = list[tuple[str, int]]


def check_item(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """What is wrong with an item's annotations and keys; empty if all is well."""
    masks = mask_shares(recording)
    problems = compare_annotations(recording, masks)
    for row in rows:
        derived = _derive(recording, masks, row)
        if derived != row.answer:
            problems.append(f"{row.id}: key says '{row.answer}', the tour says '{derived}': {row.text}")
    return problems


def _derive(recording: Recording, masks: Sequence[Shares], row: QuestionRow) -> str:
    words = row.text
    if "come into view" in words:
        return _order(recording, masks, names_in(recording, masks, words.split(": ")[1], article=""))
    if "edge to edge" in words:
        (target,) = names_in(recording, masks, words.split(",")[0])
        offered = names_in(recording, masks, words.split(": ")[1], article="")
        box = recording.objects[target[1]].box
        return min(offered, key=lambda name: gap_m(recording.objects[name[1]].box, box))[0]
    spots = [np.asarray(recording.objects[i].box.center[:2]) for _, i in names_in(recording, masks, words)]
    if "in the gaps" in words:
        return _route(spots[0], spots[1], spots[2:], row.options) if len(spots) > 2 else "(names not found)"
    if len(spots) != 3:
        return f"(undecided: the words name {len(spots)} objects)"
    left = _left_turn_deg(spots[1] - spots[0], spots[2] - spots[0])
    side = "left" if left > 0 else "right"
    if "quarter" in words:
        return f"{'front' if abs(left) < 90 else 'back'}-{side}"
    back = re.search(r"turn of (\d+) degrees", words)
    return "back" if back and abs(left) >= float(back.group(1)) else side


def _left_turn_deg(now: np.ndarray, then: np.ndarray) -> float:
    """The turn from one ground direction to another, positive to the left: -180 to 180."""
    return float(np.degrees(np.angle(complex(*then) / complex(*now))))


def _order(recording: Recording, masks: Sequence[Shares], names: Names) -> str:
    clear = visibility_rule(recording)[0]
    first = {
        name: next((f for f, shares in enumerate(masks) if shares.get(i, 0.0) >= clear), len(masks))
        for name, i in names
    }
    return ", ".join(sorted(first, key=lambda name: first[name]))


def _route(start: np.ndarray, facing: np.ndarray, stops: Sequence[np.ndarray], plans: Sequence[str]) -> str:
    """The plan whose turns are nearest to those of the way."""
    turns, here, heading = [], start, facing - start
    for stop in stops:
        turns.append(_left_turn_deg(heading, stop - here))
        here, heading = stop, stop - here

    def misfit(plan: str) -> float:
        told = [_PLANS[turn] for turn in plan.split(", ")]
        return sum(abs((a - b + 180) % 360 - 180) for a, b in zip(turns, told, strict=True))

    return min(plans, key=misfit)
