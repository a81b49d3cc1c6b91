"""New thing or old thing at a new place? Decided when a sighting is confirmed, and again when a place is
found empty."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.scales import SCALE
from situ.memory.options.sightings import SAME_LOOK
from situ.memory.tables.motion import AGENT
from situ.memory.tables.tracks import APPEARED
from situ.memory.tracker.judgement import MOVED, NEVER_LEFT, NOTHING, PERHAPS, judge, judge_next
from situ.memory.tracker.kin import confirmed_alike
from situ.memory.tracker.merge_and_split import join, merge, share_attributes, split_last_stay
from situ.memory.tracker.working_memory import Mind
from situ.perception.freespace import METRES_OF_CODE


def settle(mind: Mind, slots: NDArray[np.int32]) -> None:
    """Decide where newly found objects came from, as soon as it is sure enough what they are.

    If the spot of one was seen empty before, something was brought there: most likely a known thing of its
    kind that has not been seen in its own place since. In a spot never looked at before it is a new thing,
    unless the only thing of its kind is known to be gone. The more a move has to explain away, the surer
    must it be that the object is there, and is what it is called.
    """
    numbers, slot_of = mind.rows["id"][slots].tolist(), mind.tracks.slot_of
    while numbers:
        at, verdict, other, known_gone, moved = _judge_next(mind, slots)
        if verdict == NEVER_LEFT:
            _undo_move(mind, int(slots[at]), other)
        elif verdict == PERHAPS:
            _suspect_move(mind, other, moved, mind.rows[slots[at]])
        elif verdict == MOVED:
            merge(mind, int(slots[at]), other, known_gone)
            mind.count_move(other, 0.0 if known_gone else 1.0)
        # Rows may have vanished meanwhile, and others be where they were.
        numbers = [number for number in numbers[at + 1 :] if number in slot_of]
        slots = np.array([slot_of[number] for number in numbers], np.int32)


def _judge_next(mind: Mind, slots: NDArray[np.int32]) -> tuple[int, int, int, bool, float]:
    """See `judge_next`; with looks, kin are those that look alike in the pictures, too."""
    rows, about = mind.rows, (mind.motion.table, mind.rates, mind.limits, mind.views.tables, METRES_OF_CODE)
    wearer = _wearer(mind)
    if not mind.embeddings:
        found: tuple[int, int, int, bool, float]
        found = judge_next(rows, slots, mind.words.key_of, about, wearer, mind.time)
        return found
    for at, slot in enumerate(slots.tolist()):
        if rows[slot]["motion"] == AGENT:
            rows[slot]["settled"] = 1
            continue
        verdict, *told = judge(rows, slot, _kin(mind, slot), about, wearer, mind.time)
        if verdict != NOTHING:
            return at, verdict, *told
    return len(slots), NOTHING, -1, False, 0.0


def _suspect_move(mind: Mind, elder: int, moved: float, new: np.void) -> None:
    """One more of a kind may be the known one: that one is doubted as far as it may have moved."""
    row = mind.rows[elder]
    moved *= float(row["p_here"])
    row["p_here"] -= moved
    row["p_gone"] += moved
    if math.isnan(row["absent_since"]):
        row["absent_since"] = new["first_seen"]


def note_gone(mind: Mind, slot: int) -> None:
    """A place was found empty: the object may be one that turned up elsewhere since, or its double here."""
    rows = mind.rows
    row = rows[slot]
    row["gone"] = 1
    mind.count_move(slot)
    number = int(row["id"])
    kin = _kin(mind, slot)
    best: tuple[float, int] | None = None
    for other in kin.tolist():
        twin = rows[other]
        apart = _apart(twin["position"], row["position"])
        two = int(twin["id"]) in mind.seen_together.get(number, ())
        if not two and apart < SCALE.arm_m and twin["last_seen"] >= row["last_seen"]:
            join(mind, slot, other)
            return
        between = float(twin["stay_since"] - row["sure_seen"])
        if twin["unverified"] and between > 0.0 and apart <= 1.0 + SCALE.run_mps * between:
            _take_over(mind, slot, other)
            return
        alone = _only_kin(mind, other, slot)
        turned_up = twin["first_seen"] > row["sure_seen"] and (twin["stay"] == 0 or alone)
        appeared = twin["appeared"] == APPEARED
        if turned_up and _in_time(row, twin) and (appeared or alone):
            rank = (0.0 if appeared else 1e6) + apart
            if best is None or rank < best[0]:
                best = (rank, other)
    if best is not None:
        merge(mind, best[1], slot, True)


def _take_over(mind: Mind, slot: int, other: int) -> None:
    """`other` was thought to have moved, though nobody missed it; it was `slot`, whose place is empty."""
    mind.count_move(other, -1.0)
    stranger = split_last_stay(mind, other, mind.rows[other]["previous"].copy())
    merge(mind, stranger, slot, True)
    mind.tell(other)


def _undo_move(mind: Mind, slot: int, other: int) -> None:
    """`other` was thought to have moved away from where `slot` is seen now: it never did."""
    rows = mind.rows
    mind.count_move(other, -1.0)
    went_along = rows[other]["hits"] == rows[other]["stay_hits"]  # it was thought to be in something else
    if went_along or _put_back(rows[slot], rows[other]):
        merge(mind, slot, other, True)
        return
    place = rows[slot]["position"].copy()
    stranger = split_last_stay(mind, other, place)
    merge(mind, slot, other, True)
    mind.tell(other)
    if mind.rows[stranger]["p_false"] < 0.5:
        settle(mind, np.array([stranger], np.int32))
        if int(mind.rows[stranger]["id"]):
            mind.tell(stranger)


def _put_back(found: np.void, row: np.void) -> bool:
    """Whether a thing that was in the wearer's hands when it was last seen may have been put back since."""
    in_hand = row["held"] or math.hypot(*row["offset"].tolist()) <= SCALE.arm_m
    return bool(in_hand and row["last_seen"] < found["first_seen"])


def _kin(mind: Mind, slot: int) -> NDArray[np.int32]:
    """Confirmed objects that look the same, in the order of their numbers."""
    kin: NDArray[np.int32] = confirmed_alike(mind.rows, slot, mind.words.key_of)
    if mind.embeddings:
        alike = [share_attributes(mind, slot, other, SAME_LOOK) for other in kin.tolist()]
        kin = kin[np.array(alike, bool)]
    return kin


def _only_kin(mind: Mind, slot: int, elder: int) -> bool:
    """Whether the elder is the only known thing that looks like the one in a row."""
    return bool((_kin(mind, slot) == elder).all())


def _wearer(mind: Mind) -> np.ndarray:
    assert mind.pose is not None
    place: np.ndarray = (mind.drift.correction @ mind.pose)[:3, 3]
    return place


def _in_time(row: np.void, new: np.void) -> bool:
    """Whether a thing could have been brought from its last place to the new one."""
    return bool(
        _apart(row["position"], new["position"])
        <= 1.0 + SCALE.run_mps * (new["first_seen"] - row["sure_seen"])
    )


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    return math.dist(a.tolist(), b.tolist())
