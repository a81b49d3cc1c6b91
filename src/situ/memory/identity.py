"""One thing or two: merging and splitting objects, with their history kept.

Observations stay filed under the object that they were first given to. A rule, known from a time on, says
that what was filed under one object between two times belongs to another.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.memory.belief import add_vote, dominant
from situ.memory.journal import FOREVER
from situ.memory.mind import Mind
from situ.memory.publish import leads
from situ.memory.rates import p_first_sighting
from situ.memory.tracks import KEYFRAMES, SLOTS, Table


def merge(mind: Mind, younger: int, elder: int, verified: bool) -> None:
    """The younger row turns out to be the elder object at another place.

    The elder keeps its number and its past, and takes over where the younger is. `verified` says that the
    elder's old place was seen empty.
    """
    rows = mind.rows
    new, old = rows[younger], rows[elder]
    near = float(np.linalg.norm(new["position"] - old["position"])) < 0.5
    old["previous"], old["previous_since"] = old["position"], old["stay_since"]
    old["unverified"] = 0 if verified or near else 1
    for name in ("position", "covariance", "offset", "p_here", "p_gone", "held", "absent_since", "misses"):
        old[name] = new[name]
    for name in ("last_seen", "last_look", "last_frame", "track_id", "appeared"):
        old[name] = max(old[name], new[name])
    old["p_false"] = min(float(old["p_false"]), float(new["p_false"]))
    total = float(old["p_here"] + old["p_gone"] + old["p_false"])
    for name in ("p_here", "p_gone", "p_false"):
        old[name] /= total
    hits = int(new["hits"])
    old["hits"] += hits
    old["gone"] = 0
    old["settled"] = 1
    _add_votes(old, new)
    qualities = np.concatenate([old["key_quality"], new["key_quality"]])
    old["key_quality"] = np.sort(qualities)[::-1][:KEYFRAMES]
    old["first_seen"] = min(old["first_seen"], new["first_seen"])
    number, kept = int(new["id"]), int(old["id"])
    if number in mind.within_reach:
        mind.within_reach[kept] = mind.within_reach[number]
    if old["held"]:
        mind.holding.add(kept)
    else:
        mind.holding.discard(kept)
    if number in mind.embeddings:
        mind.embeddings.setdefault(kept, mind.embeddings[number])
    since = float(new["first_seen"])
    told = bool(new["told"])
    mind.journal.identities.append((number, kept, -FOREVER, FOREVER, mind.known))
    mind.forget_row(younger)
    mind.tracks.move(elder)
    if not near:
        mind.new_stay(elder, since)
        old["stay_hits"] -= hits
    if told or old["told"]:
        mind.tell(elder)


def split_last_stay(mind: Mind, slot: int, place: np.ndarray) -> int:
    """An object was thought to have moved, and is found where it was: the move was another thing's.

    The object goes back to its earlier place; what was seen since the move becomes a new object, whose
    row is returned.
    """
    rows = mind.rows
    since, number = float(rows[slot]["stay_since"]), mind.next_id
    mind.next_id += 1
    other = mind.tracks.add(number)
    rows = mind.rows  # adding may have made a longer table
    kept_next = {name: rows[other][name] for name in ("next", "cell_x", "cell_y")}
    rows[other] = rows[slot]
    for name, value in kept_next.items():
        rows[other][name] = value
    rows[other]["id"], rows[other]["stay"], rows[other]["stay_since"] = number, 0, since
    rows[other]["first_seen"], rows[other]["told"], rows[other]["told_stay"] = since, 0, -1
    rows[other]["unverified"], rows[other]["settled"], rows[other]["appeared"] = 0, 0, 1
    _as_first_seen(mind, rows[other], rows[slot])
    mind.tracks.place(other)
    mind.by_label.setdefault(int(rows[other]["filed"]), set()).add(number)
    old = rows[slot]
    mind.journal.identities.append(
        (int(old["id"]), number, since, math.nextafter(mind.time, math.inf), mind.known)
    )
    old["position"] = place
    old["unverified"] = 0
    mind.tracks.move(slot)
    mind.new_stay(slot, since)
    return other


def _as_first_seen(mind: Mind, other: np.void, old: np.void) -> None:
    """Share the sightings out; a thing that is left with a single one is as doubtful as any such."""
    other["hits"] = max(1, int(old["hits"] - old["stay_hits"]))
    other["stay_hits"] = 0
    old["hits"] = max(1, int(old["stay_hits"]))
    if other["hits"] == 1:
        chance = other["prior"] = p_first_sighting(mind.rates)
        total = max(float(other["p_here"] + other["p_gone"]), 1e-12)
        other["p_here"], other["p_gone"] = other["p_here"] / total * chance, other["p_gone"] / total * chance
        other["p_false"] = 1.0 - chance


def _add_votes(old: np.void, new: np.void) -> None:
    for ids, weights in (("labels", "label_weights"), ("features", "feature_weights")):
        for k in range(SLOTS):
            if new[ids][k]:
                add_vote(old[ids], old[weights], int(new[ids][k]), float(new[weights][k]))


def share_attributes(mind: Mind, a: int, b: int, least: float) -> bool:
    """Whether two rows look like the same kind of thing: same leading label, no attribute at odds."""
    if not alike(mind.rows, a, b, mind.words.key_of):
        return False
    mine = mind.embeddings.get(int(mind.rows[a]["id"]))
    its = mind.embeddings.get(int(mind.rows[b]["id"]))
    if mine is None or its is None or mine.shape != its.shape:
        return True
    return cosine(mine, its) >= least


@njit(cache=True)
def alike(rows: Table, a: int, b: int, key_of: NDArray[np.int32]) -> bool:
    first, second = rows[a], rows[b]
    if dominant(first.labels, first.label_weights) != dominant(second.labels, second.label_weights):
        return False
    for k in range(SLOTS):
        feature = first.features[k]
        if feature == 0 or not leads(first, k, key_of):
            continue
        for j in range(SLOTS):
            other = second.features[j]
            if (
                other != 0
                and other != feature
                and key_of[other] == key_of[feature]
                and leads(second, j, key_of)
            ):
                return False
    return True


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else 0.0
