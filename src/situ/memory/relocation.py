"""New thing or old thing at a new place? Decided when a sighting is confirmed, and again when a place is
found empty."""

import math

import numpy as np

from situ.memory.belief import leak
from situ.memory.identity import merge, share_attributes, split_last_stay
from situ.memory.mind import Mind
from situ.memory.rates import hazard

_CARRY_MPS = 1.5  # nothing is carried off faster than this
_SAME_LOOK = 0.6  # cosine of appearance embeddings
_BACK_M = 0.5
_DUPLICATE_M = 0.8
_EMPTY_BEFORE = 3.0  # log odds (20 to 1) at which a spot counts as seen empty before


def settle(mind: Mind, slot: int) -> None:
    """Decide where a newly confirmed object came from.

    If its spot was seen empty before, something was brought there: most likely a known thing of its kind
    that has not been seen in its own place since. In a spot never looked at before it is a new thing,
    unless the only thing of its kind is known to be gone.
    """
    rows = mind.rows
    row = rows[slot]
    kin = _kin(mind, slot)
    for other in kin:
        if rows[other]["unverified"] and _apart(rows[other]["previous"], row["position"]) < _BACK_M:
            _undo_move(mind, slot, other)
            return
    if not row["appeared"]:
        reach, slack = mind.options.look_range_m, float(max(row["size"])) + 0.1
        empty = mind.views.emptiness(row["position"], float(row["first_seen"]), reach, slack, mind.rates)
        row["appeared"] = empty > _EMPTY_BEFORE
    candidates = [(_left(mind, other, slot), other) for other in kin]
    left, elder = max(candidates, default=(0.0, -1))
    known_gone = left >= 0.5
    # A single sighting must not draw a thing away from a place that nobody has found empty.
    row["settled"] = known_gone or row["hits"] > 1 or not (row["appeared"] and left > 0.0)
    if left <= 0.0 or not row["settled"]:
        return
    in_hand = _within_reach(mind, rows[elder], row)
    if row["appeared"] or in_hand or (known_gone and _only_kin(mind, slot, elder)):
        merge(mind, slot, elder, known_gone)
        mind.rates[0]["moves"] += 0.0 if known_gone else 1.0


def note_gone(mind: Mind, slot: int) -> None:
    """A place was found empty: the object may be one that turned up elsewhere since, or its double here."""
    rows = mind.rows
    row = rows[slot]
    row["gone"] = 1
    mind.rates[0]["moves"] += 1.0
    number = int(row["id"])
    best: tuple[float, int] | None = None
    for other in _kin(mind, slot):
        twin = rows[other]
        pair = (min(number, int(twin["id"])), max(number, int(twin["id"])))
        apart = _apart(twin["position"], row["position"])
        if pair not in mind.seen_together and apart < _DUPLICATE_M and twin["last_seen"] >= row["last_seen"]:
            _join(mind, slot, other)
            return
        turned_up = twin["stay"] == 0 and twin["first_seen"] > row["last_seen"] and twin["settled"]
        if turned_up and _in_time(row, twin) and (twin["appeared"] or _only_kin(mind, other, slot)):
            rank = (0.0 if twin["appeared"] else 1e6) + apart
            if best is None or rank < best[0]:
                best = (rank, other)
    if best is not None:
        merge(mind, best[1], slot, True)


def _join(mind: Mind, slot: int, other: int) -> None:
    """Two rows of one thing become one; the number that was given first stays."""
    rows = mind.rows
    if rows[other]["first_seen"] >= rows[slot]["first_seen"]:
        merge(mind, other, slot, True)
        return
    kept = {name: rows[other][name].copy() for name in ("position", "covariance", "p_here", "p_gone")}
    merge(mind, slot, other, True)
    for name, value in kept.items():
        mind.rows[other][name] = value
    mind.tracks.move(other)


def _undo_move(mind: Mind, slot: int, other: int) -> None:
    """`other` was thought to have moved away from where `slot` is seen now: it never did."""
    rows = mind.rows
    place = rows[slot]["position"].copy()
    stranger = split_last_stay(mind, other, place)
    merge(mind, slot, other, True)
    mind.tell(other)
    if mind.rows[stranger]["p_false"] < 0.5:
        settle(mind, stranger)
        if int(mind.rows[stranger]["id"]):
            mind.tell(stranger)


def _kin(mind: Mind, slot: int) -> list[int]:
    """Confirmed objects that look the same, in the order of their numbers."""
    numbers = sorted(mind.by_label.get(mind.label_of(slot), ()))
    slots = (mind.tracks.slot_of[number] for number in numbers)
    return [
        other
        for other in slots
        if other != slot
        and mind.rows[other]["settled"]
        and mind.rows[other]["p_false"] < 0.5
        and share_attributes(mind, slot, other, _SAME_LOOK)
    ]


def _only_kin(mind: Mind, slot: int, elder: int) -> bool:
    """Whether the elder is the only known thing that looks like the one in a row."""
    return all(other == elder for other in _kin(mind, slot))


def _left(mind: Mind, other: int, slot: int) -> float:
    """How likely a known thing has left its place; 0 if it cannot be the one in `slot`."""
    row, new = mind.rows[other], mind.rows[slot]
    if row["last_seen"] >= new["first_seen"] or not _in_time(row, new):
        return 0.0
    if row["held"] or _within_reach(mind, row, new):
        return 0.95
    leak(row, hazard(mind.rates), mind.time)
    row["last_look"] = mind.time
    return float(row["p_gone"] / max(row["p_here"] + row["p_gone"], 1e-12))


def _within_reach(mind: Mind, row: np.void, new: np.void) -> bool:
    """Whether the wearer could have picked the thing up just now: near a moment ago, and near still."""
    last = mind.within_reach.get(int(row["id"]))
    recent = last is not None and new["first_seen"] - last <= mind.options.track_gap_s
    return bool(recent and math.hypot(*new["offset"].tolist()) <= mind.options.reach_m)


def _in_time(row: np.void, new: np.void) -> bool:
    """Whether a thing could have been brought from its last place to the new one."""
    return bool(
        _apart(row["position"], new["position"]) <= 1.0 + _CARRY_MPS * (new["first_seen"] - row["last_seen"])
    )


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    return math.dist(a.tolist(), b.tolist())
