"""A new object or a known one that was moved: decided when a detection is confirmed, and again when a
place is found empty.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.scales import SCALE
from situ.memory.options.tracking import SAME_LOOK
from situ.memory.tables.motion import AGENT
from situ.memory.tables.tracks import APPEARED
from situ.memory.tracker.identity import join, merge, share_attributes, split_last_stay
from situ.memory.tracker.reidentification import (
    MOVED,
    NEVER_LEFT,
    PERHAPS,
    Scene,
    confirmed_lookalikes,
    judge,
)
from situ.memory.tracker.working_memory import WorkingMemory
from situ.perception.freespace import METRES_OF_CODE


def settle(memory: WorkingMemory, slots: NDArray[np.int32]) -> None:
    """Decide where newly found objects came from, as soon as it is sure enough what they are.

    If the spot of one was seen empty before, something was brought there: most likely a known object of its
    kind that has not been seen in its own place since. In a spot never looked at before it is a new object,
    unless the only object of its kind is known to be gone. The more a move has to explain away, the surer
    must it be that the object is there, and is what it is called.
    """
    slot_of = memory.tracks.slot_of
    for number in memory.rows["id"][slots].tolist():
        if number not in slot_of:  # rows may vanish meanwhile
            continue
        slot = slot_of[number]
        if memory.rows[slot]["motion"] == AGENT:  # association alone says which agent it is
            memory.rows[slot]["settled"] = 1
            continue
        found = judge(slot, _lookalikes(memory, slot), _scene(memory))
        if found.verdict == NEVER_LEFT:
            _undo_move(memory, slot, found.known)
        elif found.verdict == PERHAPS:
            _suspect_move(memory, found.known, found.p_moved, memory.rows[slot])
        elif found.verdict == MOVED:
            merge(memory, slot, found.known, found.known_gone)
            memory.count_move(found.known, 0.0 if found.known_gone else 1.0)


def _scene(memory: WorkingMemory) -> Scene:
    return Scene(
        memory.rows, memory.motion.table, memory.rates, memory.limits, memory.views.tables, METRES_OF_CODE,
        _wearer(memory), memory.time,
    )  # fmt: skip


def _suspect_move(memory: WorkingMemory, elder: int, moved: float, new: np.void) -> None:
    """One more of a kind may be the known one: that one is doubted as far as it may have moved."""
    row = memory.rows[elder]
    moved *= float(row["p_here"])
    row["p_here"] -= moved
    row["p_gone"] += moved
    if math.isnan(row["absent_since"]):
        row["absent_since"] = new["first_seen"]


def note_gone(memory: WorkingMemory, slot: int) -> None:
    """A place was found empty: the object may be one that turned up elsewhere since, or its double here."""
    rows = memory.rows
    row = rows[slot]
    row["gone"] = 1
    memory.count_move(slot)
    number = int(row["id"])
    lookalikes = _lookalikes(memory, slot)
    best: tuple[float, int] | None = None
    for other in lookalikes.tolist():
        twin = rows[other]
        apart = _apart(twin["position"], row["position"])
        two = int(twin["id"]) in memory.seen_together.get(number, ())
        if not two and apart < SCALE.arm_m and twin["last_seen"] >= row["last_seen"]:
            join(memory, slot, other)
            return
        between = float(twin["stay_since"] - row["sure_seen"])
        if twin["unverified"] and between > 0.0 and apart <= 1.0 + SCALE.run_mps * between:
            _take_over(memory, slot, other)
            return
        alone = _is_only_lookalike(memory, other, slot)
        turned_up = twin["first_seen"] > row["sure_seen"] and (twin["stay"] == 0 or alone)
        appeared = twin["appeared"] == APPEARED
        if turned_up and _in_time(row, twin) and (appeared or alone):
            rank = (0.0 if appeared else 1e6) + apart
            if best is None or rank < best[0]:
                best = (rank, other)
    if best is not None:
        merge(memory, best[1], slot, True)


def _take_over(memory: WorkingMemory, slot: int, other: int) -> None:
    """`other` was thought to have moved, though it was never missed; it was `slot`, whose place is empty."""
    memory.count_move(other, -1.0)
    stranger = split_last_stay(memory, other, memory.rows[other]["previous"].copy())
    merge(memory, stranger, slot, True)
    memory.publish(other)


def _undo_move(memory: WorkingMemory, slot: int, other: int) -> None:
    """`other` was thought to have moved away from where `slot` is seen now: it never did."""
    rows = memory.rows
    memory.count_move(other, -1.0)
    went_along = rows[other]["hits"] == rows[other]["stay_hits"]  # it was thought to be in something else
    if went_along or _put_back(rows[slot], rows[other]):
        merge(memory, slot, other, True)
        return
    place = rows[slot]["position"].copy()
    stranger = split_last_stay(memory, other, place)
    merge(memory, slot, other, True)
    memory.publish(other)
    if memory.rows[stranger]["p_false"] < 0.5:
        settle(memory, np.array([stranger], np.int32))
        if int(memory.rows[stranger]["id"]):
            memory.publish(stranger)


def _put_back(found: np.void, row: np.void) -> bool:
    """Whether an object that was in the wearer's hands when it was last seen may have been put back since."""
    in_hand = row["held"] or math.hypot(*row["offset"].tolist()) <= SCALE.arm_m
    return bool(in_hand and row["last_seen"] < found["first_seen"])


def _lookalikes(memory: WorkingMemory, slot: int) -> NDArray[np.int32]:
    """Confirmed objects that look the same, in the order of their numbers."""
    lookalikes: NDArray[np.int32] = confirmed_lookalikes(memory.rows, slot, memory.words.key_of)
    if memory.embeddings:
        alike = [share_attributes(memory, slot, other, SAME_LOOK) for other in lookalikes.tolist()]
        lookalikes = lookalikes[np.array(alike, bool)]
    return lookalikes


def _is_only_lookalike(memory: WorkingMemory, slot: int, elder: int) -> bool:
    """Whether the elder is the only known object that looks like the one in a row."""
    return bool((_lookalikes(memory, slot) == elder).all())


def _wearer(memory: WorkingMemory) -> np.ndarray:
    assert memory.pose is not None
    place: np.ndarray = (memory.drift.correction @ memory.pose)[:3, 3]
    return place


def _in_time(row: np.void, new: np.void) -> bool:
    """Whether an object could have been brought from its last place to the new one."""
    return bool(
        _apart(row["position"], new["position"])
        <= 1.0 + SCALE.run_mps * (new["first_seen"] - row["sure_seen"])
    )


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    return math.dist(a.tolist(), b.tolist())
