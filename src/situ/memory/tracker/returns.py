"""Whether a thing whose place was found empty is one that was found elsewhere, or that went back."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.moves import RELOCATION
from situ.memory.tables.motion import PORTABLE, hazard_of
from situ.memory.tracker.census import shares
from situ.memory.tracker.merge_and_split import merge
from situ.memory.tracker.working_memory import Mind


def p_one(mind: Mind, slot: int, found: float) -> float:
    """How likely a thing whose place was found empty is the one of its kind that was found elsewhere at a
    time: it was carried there in the time between; or that is another, and this one was overlooked or went
    elsewhere."""
    row = mind.rows[slot]
    hazard = hazard_of(mind.motion.table, mind.rates, int(row["filed"]))
    moved, left = (
        1.0 - math.exp(-hazard * max(0.0, float(until - row["sure_seen"]))) for until in (found, mind.time)
    )
    if row["motion"] == PORTABLE:
        moved = max(moved, RELOCATION.unnoticed)
    doubles, _ = shares(mind.rows, mind.time - RELOCATION.lately_s)
    another = min(RELOCATION.another, doubles)
    gone = float(row["p_gone"]) / max(float(row["p_here"] + row["p_gone"]), 1e-12)
    one, two = moved * (1.0 - another), max(left, moved) / gone * another
    return float(one / (one + two))


def note_undone(mind: Mind, stranger: int, elder: int) -> None:
    """A thing was found where it was before a move: so another was seen in its stead; or it went back."""
    mind.undone[int(mind.rows[stranger]["id"])] = int(mind.rows[elder]["id"]), mind.time


def went_back(mind: Mind, slot: int, kin: NDArray[np.int32]) -> bool:
    """Join a thing whose place was found empty with the one that it was told apart from, if it has not been
    seen since: the two were never there at one time, and there is no other of their kind."""
    number, row = int(mind.rows[slot]["id"]), mind.rows[slot]
    elder_number, when = mind.undone.pop(number, (0, 0.0))
    elder = mind.tracks.slot_of.get(elder_number, -1)
    if elder < 0 or row["motion"] != PORTABLE or row["last_seen"] >= when or mind.rows[elder]["held"]:
        return False
    alone = len(kin) == 1 and kin[0] == elder
    if not alone or number in mind.seen_together.get(elder_number, ()) or p_one(mind, slot, when) <= 0.5:
        return False
    _join(mind, slot, elder, when)
    return True


def _join(mind: Mind, slot: int, elder: int, when: float) -> None:
    """The elder was where the other is until a time, and went back."""
    rows, left, since = mind.rows, mind.rows[slot]["position"].copy(), float(mind.rows[slot]["first_seen"])
    names = ("position", "covariance", "offset", "p_here", "p_gone", "p_false", "misses", "absent_since")
    kept = {name: rows[elder][name].copy() for name in names}
    merge(mind, slot, elder, True)
    mind.new_stay(elder, when)
    row = mind.rows[elder]
    for name, value in kept.items():
        row[name] = value
    row["previous"], row["previous_since"] = left, since
    row["stay_hits"] -= 1  # it was seen where it is
    mind.tracks.move(elder)
    mind.tell(elder)
