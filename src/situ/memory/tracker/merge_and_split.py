"""One thing or two: merging and splitting objects, with their history kept.

Observations stay filed under the object that they were first given to. A rule, known from a time on, says
that what was filed under one object between two times belongs to another.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.pending_rows import FOREVER
from situ.memory.tables.tracks import APPEARED, KEYFRAMES, SLOTS, Table
from situ.memory.tracker.belief import add_vote, weigh
from situ.memory.tracker.carrying import left_hands
from situ.memory.tracker.contents import take_along
from situ.memory.tracker.departure import apart, lies_about
from situ.memory.tracker.kin import alike
from situ.memory.tracker.working_memory import Mind


def merge(mind: Mind, younger: int, elder: int, verified: bool) -> None:
    """The younger row turns out to be the elder object at another place.

    The elder keeps its number and its past, and takes over where the younger is. `verified` says that the
    elder's old place was seen empty.
    """
    rows = mind.rows
    new, old = rows[younger], rows[elder]
    left, changed_hands = old["position"].copy(), old["held"] != new["held"]
    near, guessed = _found_about(rows, elder, younger)
    since = float(new["first_seen"])
    if old["held"] and not new["held"]:
        since = min(since, left_hands(mind, old, new["position"]))
    hits, votes = int(new["hits"]), (new["labels"].copy(), new["label_weights"].copy())
    _take_over(rows, elder, younger, guessed, verified or near or guessed)
    number, kept = int(new["id"]), int(old["id"])
    if number in mind.within_reach:
        mind.within_reach[kept] = mind.within_reach[number]
    if old["held"]:
        mind.holding.add(kept)
    else:
        mind.holding.discard(kept)
    if number in mind.embeddings:
        mind.embeddings.setdefault(kept, mind.embeddings[number])
    told = bool(new["told"])
    mind.journal.identities.append((number, kept, -FOREVER, FOREVER, mind.known))
    mind.forget_row(younger)
    mind.tracks.move(elder)
    if changed_hands or not (near or guessed):
        mind.new_stay(elder, since)
        old["stay_hits"] -= hits
        old["stay_labels"], old["stay_weights"] = votes
        take_along(mind, elder, left, since, unseen=True)
    elif near and not guessed and since - old["unsteady"] > BELIEF.unsteady_s:  # it may just have been taken
        old["steady"], old["unsteady"] = left, since
    if told or old["told"]:
        mind.tell(elder)


@njit(cache=True)
def _found_about(rows: Table, elder: int, younger: int) -> tuple[bool, bool]:
    """Whether a thing was found where it was, or nearly; and whether it was put down about here, out of
    sight, and not seen since: where it is found, there it was put."""
    old, new = rows[elder], rows[younger]
    unseen = old.stay > 0 and old.hits == old.stay_hits and old.held == 0
    return apart(new.position, old.position) < 0.5, unseen and lies_about(old, new)


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
    weigh(old, new.p_here, new.p_gone, min(old.p_false, new.p_false), new.stay_false)
    old.hits += new.hits
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


def split_last_stay(mind: Mind, slot: int, place: np.ndarray) -> int:
    """An object was thought to have moved, and is found where it was: the move was another thing's.

    The object goes back to its earlier place; what was seen since the move becomes a new object, whose
    row is returned.
    """
    rows = mind.rows
    since, number = float(rows[slot]["stay_since"]), mind.next_id
    mind.next_id += 1
    (other,) = mind.tracks.add(number)
    rows = mind.rows  # adding may have made a longer table
    kept_next = {name: rows[other][name] for name in ("next", "cell_x", "cell_y")}
    rows[other] = rows[slot]
    for name, value in kept_next.items():
        rows[other][name] = value
    rows[other]["id"], rows[other]["stay"], rows[other]["stay_since"] = number, 0, since
    rows[other]["first_seen"], rows[other]["told"], rows[other]["told_stay"] = since, 0, -1
    rows[other]["unverified"], rows[other]["settled"], rows[other]["appeared"] = 0, 0, 1
    _share_out(rows[other], rows[slot])
    mind.tracks.place(other)
    if rows[other]["held"]:
        mind.holding.add(number)
        mind.within_reach[number] = float(rows[other]["last_seen"])
    rows[other]["filed"] = mind.label_of(other)
    mind.by_label.setdefault(int(rows[other]["filed"]), set()).add(number)
    old = rows[slot]
    mind.journal.identities.append(
        (int(old["id"]), number, since, math.nextafter(mind.time, math.inf), mind.known)
    )
    old["position"], old["seen_from"] = place, 0.0
    old["found_from"], old["missed_from"] = 0, 0
    old["unverified"] = 0
    mind.tracks.move(slot)
    mind.new_stay(slot, since)
    return other


def _share_out(other: np.void, old: np.void) -> None:
    """Each part keeps its own sightings and votes; few of them leave as much doubt as they ever would."""
    other["hits"] = max(1, int(old["hits"] - old["stay_hits"]))
    other["stay_hits"] = 0
    old["hits"] = max(1, int(old["stay_hits"]))
    weigh(
        other,
        float(other["p_here"]),
        float(other["p_gone"]),
        float(old["stay_false"]),
        float(old["stay_false"]),
    )
    if old["stay_weights"].any():
        other["labels"], other["label_weights"] = old["stay_labels"], old["stay_weights"]
        for label, weight in zip(old["stay_labels"].tolist(), old["stay_weights"].tolist(), strict=True):
            old["label_weights"][old["labels"] == label] -= weight
        np.maximum(old["label_weights"], 0.0, out=old["label_weights"])


def share_attributes(mind: Mind, a: int, b: int, least: float) -> bool:
    """Whether two rows look like the same kind of thing: same leading label, no attribute at odds."""
    if not alike(mind.rows, a, b, mind.words.key_of):
        return False
    mine = mind.embeddings.get(int(mind.rows[a]["id"]))
    its = mind.embeddings.get(int(mind.rows[b]["id"]))
    if mine is None or its is None or mine.shape != its.shape:
        return True
    return cosine(mine, its) >= least


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else 0.0
