"""One object or two: pairs that were seen side by side, merging and splitting, with the history kept.

Detections stay filed under the object that they were first given to. A rule, known from a time on, says that
what was filed under one object between two times belongs to another.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import SCALE
from situ.memory.options.tracking import BELIEF
from situ.memory.tables.motion import FIXED
from situ.memory.tables.offsets import distance
from situ.memory.tables.pairs import find_key, key_of_pair
from situ.memory.tables.pending_rows import FOREVER
from situ.memory.tables.tracks import APPEARED, KEYFRAMES, PARTED, SLOTS, Table, add_vote
from situ.memory.tracker.carrying import left_hands, take_along
from situ.memory.tracker.presence import weigh
from situ.memory.tracker.reidentification import lies_about, looks_alike
from situ.memory.tracker.stays import split_stay
from situ.memory.tracker.working_memory import WorkingMemory


@njit(cache=True)
def pairs_in_frame(
    rows: Table,
    detections: NDArray[np.void],
    chosen: NDArray[np.int32],
    noted: NDArray[np.int64],
    pairs: NDArray[np.void],
) -> int:
    """Pairs of objects that stand close and share the frame, the elder first; fresh ones are noted. The count
    of them: if it is more than there is room for, nothing may be made of them."""
    count = 0
    for i in range(detections.shape[0]):
        for j in range(i):
            a, b = detections[i], detections[j]
            apart = distance(a.position, b.position)
            if apart >= (SCALE.about_m if a.label == b.label else SCALE.beside_m):
                continue
            if count < pairs.shape[0]:
                first, second = chosen[i], chosen[j]
                if rows[first].id > rows[second].id:
                    first, second = second, first
                pair = pairs[count]
                pair.elder, pair.younger = rows[first].id, rows[second].id
            count += 1
    if count > pairs.shape[0]:
        return count
    for k in range(count):
        pair = pairs[k]
        key = key_of_pair(pair.elder, pair.younger)
        at = find_key(noted, key)
        pair.fresh = pair.elder != pair.younger and noted[at] == 0
        if pair.fresh:
            noted[at] = key
    return count


def merge(memory: WorkingMemory, younger: int, elder: int, verified: bool) -> None:
    """The younger row turns out to be the elder object at another place.

    The elder keeps its number and its past, and takes over where the younger is. `verified` says that the
    elder's old place was seen empty.
    """
    rows = memory.rows
    new, old = rows[younger], rows[elder]
    left, changed_hands = old["position"].copy(), old["held"] != new["held"]
    near, guessed = _found_about(rows, elder, younger)
    since = float(new["first_seen"])
    if old["held"] and not new["held"]:
        since = min(since, left_hands(memory, old, new["position"]))
    hits, votes = int(new["hits"]), (new["labels"].copy(), new["label_weights"].copy())
    _take_over(rows, elder, younger, guessed, verified or near or guessed)
    number, kept = int(new["id"]), int(old["id"])
    if number in memory.within_reach:
        memory.within_reach[kept] = memory.within_reach[number]
    if old["held"]:
        memory.holding.add(kept)
    else:
        memory.holding.discard(kept)
    if number in memory.embeddings:
        memory.embeddings.setdefault(kept, memory.embeddings[number])
    told = bool(new["published"])
    memory.journal.identities.append((number, kept, -FOREVER, FOREVER, memory.known))
    memory.forget_row(younger)
    memory.tracks.move(elder)
    if changed_hands or not (near or guessed):
        memory.new_stay(elder, since)
        old["stay_hits"] -= hits
        old["stay_labels"], old["stay_weights"] = votes
        take_along(memory, elder, left, since, unseen=True)
    elif near and not guessed and since - old["unsteady"] > BELIEF.unsteady_s:  # it may just have been taken
        old["steady"], old["unsteady"] = left, since
    if told or old["published"]:
        memory.publish(elder)


@njit(cache=True)
def _found_about(rows: Table, elder: int, younger: int) -> tuple[bool, bool]:
    """Whether an object was found where it was, or nearly; and whether it was put down about here, out of
    sight, and not seen since: where it is found, there it was put. Of what stays for years, a place that is
    badly off is likelier than a move."""
    old, new = rows[elder], rows[younger]
    unseen = old.stay > 0 and old.hits == old.stay_hits and old.held == 0
    about = SCALE.about_m if old.motion == FIXED else SCALE.beside_m
    return distance(new.position, old.position) < about, unseen and lies_about(old, new)


@njit(cache=True)
def _take_over(rows: Table, elder: int, younger: int, guessed: bool, verified: bool) -> None:
    """What is known of the younger row goes over to the elder."""
    old, new = rows[elder], rows[younger]
    if not guessed:
        old.previous[:] = old.position
        old.previous_since = old.stay_since
    old.unverified = 0 if verified else 1
    old.position[:] = new.position
    old.covariance[:] = new.covariance
    old.offset[:] = new.offset
    old.misses[:] = new.misses
    old.seen_from[:] = new.seen_from
    old.found_from[:] = new.found_from
    old.missed_from[:] = new.missed_from
    old.held, old.absent_since, old.prior = new.held, new.absent_since, new.prior
    old.last_seen, old.sure_seen = max(old.last_seen, new.last_seen), max(old.sure_seen, new.sure_seen)
    old.last_look, old.last_frame = max(old.last_look, new.last_look), max(old.last_frame, new.last_frame)
    old.track_id = max(old.track_id, new.track_id)
    if new.appeared == APPEARED:
        old.appeared = APPEARED
    # It is as real as the surer of the two, and where the younger is.
    false, here = min(old.p_false, new.p_false), new.p_here / max(new.p_here + new.p_gone, 1e-12)
    weigh(old, (1.0 - false) * here, (1.0 - false) * (1.0 - here), false, new.stay_false)
    old.hits += new.hits
    old.found, old.looked = old.found + new.found, old.looked + new.looked
    old.vain, old.recurs, old.misfit = new.vain, min(old.recurs, new.recurs), new.misfit
    old.track_runs += new.track_runs
    if new.near_m < old.near_m:
        old.near_label, old.near_m = new.near_label, new.near_m
    old.gone, old.settled = 0, 1
    for k in range(SLOTS):
        if new.labels[k] != 0:
            add_vote(old.labels, old.label_weights, new.labels[k], new.label_weights[k])
    for k in range(SLOTS):
        if new.features[k] != 0:
            add_vote(old.features, old.feature_weights, new.features[k], new.feature_weights[k])
    qualities = np.sort(np.concatenate((old.key_quality, new.key_quality)))[::-1]
    old.key_quality[:] = qualities[:KEYFRAMES]
    old.first_seen = min(old.first_seen, new.first_seen)


def join(memory: WorkingMemory, slot: int, other: int) -> int:
    """Two rows of one object, which is where the other says, become one: that of the number that was given
    first, which is returned."""
    rows = memory.rows
    if rows[other]["first_seen"] >= rows[slot]["first_seen"]:
        merge(memory, other, slot, True)
        return slot
    kept = {name: rows[other][name].copy() for name in ("position", "covariance", "p_here", "p_gone")}
    merge(memory, slot, other, True)
    for name, value in kept.items():
        memory.rows[other][name] = value
    memory.tracks.move(other)
    return other


def split_last_stay(memory: WorkingMemory, slot: int, place: np.ndarray) -> int:
    """An object was thought to have moved, and is found where it was: the move was another object's.

    The object goes back to its earlier place; what was seen since the move becomes a new object, whose
    row is returned.
    """
    number = memory.next_id
    memory.next_id += 1
    (other,) = memory.tracks.add(number)
    since = split_stay(memory.rows, slot, other, place)
    memory.tracks.place(other)
    row = memory.rows[other]
    row["origin"] = PARTED
    if row["held"]:
        memory.holding.add(number)
        memory.within_reach[number] = float(row["last_seen"])
    memory.by_label.setdefault(int(row["filed"]), set()).add(number)
    memory.journal.identities.append(
        (int(memory.rows[slot]["id"]), number, since, math.nextafter(memory.time, math.inf), memory.known)
    )
    memory.tracks.move(slot)
    memory.new_stay(slot, since)
    return other


def share_attributes(memory: WorkingMemory, a: int, b: int, least: float) -> bool:
    """Whether two rows look like the same kind of object: same leading label, no attribute at odds."""
    if not looks_alike(memory.rows, a, b, memory.words.key_of):
        return False
    mine = memory.embeddings.get(int(memory.rows[a]["id"]))
    its = memory.embeddings.get(int(memory.rows[b]["id"]))
    if mine is None or its is None or mine.shape != its.shape:
        return True
    return cosine(mine, its) >= least


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else 0.0
