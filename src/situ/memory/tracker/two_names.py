"""One thing under two names: what eyes call a book from here and a plate from there.

Two things in one place are seen side by side, and one that takes another's place is seen after it. What is
called now this and now that, and never both at once, is one thing that is hard to name.
"""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.moves import RELOCATION
from situ.memory.options.sightings import SAME_LOOK, TWO_NAMES
from situ.memory.tables.motion import AGENT
from situ.memory.tables.tracks import Heads, Table, bucket, cell
from situ.memory.tracker.kin import at_odds
from situ.memory.tracker.merge_and_split import cosine, merge
from situ.memory.tracker.working_memory import Mind


@njit(cache=True)
def rival_of(rows: Table, heads: Heads, slot: int, before: float, time: float) -> int:
    """The row of what was seen in the place of a thing since the thing was seen `before`, -1 if there is
    none: two solid things do not stand in one place."""
    row = rows[slot]
    if row.held or row.motion == AGENT:
        return -1
    x, y = row.position[0], row.position[1]
    far = TWO_NAMES.slack_m + 0.5 * max(row.size[0], row.size[1])
    for cx in range(cell(x - far), cell(x + far) + 1):
        for cy in range(cell(y - far), cell(y + far) + 1):
            other = heads[bucket(cx, cy, heads.shape[0])]
            while other >= 0:
                its = rows[other]
                if before < its.last_seen < time and other != slot and _inside_each_other(row, its):
                    return int(other)
                other = its.next
    return -1


@njit(cache=True)
def _inside_each_other(one, two) -> bool:  # type: ignore[no-untyped-def]
    """Whether the middle of each is inside of the other."""
    for k in range(3):
        within = TWO_NAMES.slack_m + 0.5 * min(one.size[k], two.size[k])
        if not abs(one.position[k] - two.position[k]) < within:
            return False
    return True


def join_names(mind: Mind, chosen: NDArray[np.int32], before: NDArray[np.float64]) -> None:
    """What is seen now, by rows and when each was seen before, is joined with what was seen in its place in
    between, if both look the same."""
    rows, heads = mind.rows, mind.tracks.heads
    for slot, seen in zip(chosen.tolist(), before.tolist(), strict=True):
        if slot < 0 or rows[slot]["id"] == 0 or rows[slot]["last_seen"] != mind.time:
            continue  # it was joined already, or is another row by now
        rival = rival_of(rows, heads, slot, seen, mind.time)
        if rival >= 0 and _may_be_one(mind, slot, rival) and _look_the_same(mind, slot, rival):
            mind.tell(join(mind, rival, slot))


def goes_by(row: np.void, label: int) -> bool:
    """Whether a thing was called so as a matter of course before it was called so time and again: eyes err
    alike in looks that are alike."""
    streak = float(row["streak"])
    before = float(row["label_weights"][row["labels"] == label].sum()) - streak
    return before >= max(RELOCATION.often, TWO_NAMES.share * (float(row["label_weights"].sum()) - streak))


def under_another_name(mind: Mind, slot: int) -> int:
    """A row of the same thing, whose place was found empty, under another name; -1 if there is none."""
    rows, row = mind.rows, mind.rows[slot]
    near = (np.abs(rows["position"] - row["position"]).max(axis=1) < RELOCATION.same_spot_m) & (
        rows["id"] > 0
    )
    for other in np.flatnonzero(near & (rows["p_here"] > 0.5)).tolist():
        if other != slot and _may_be_one(mind, slot, other):
            return other
    return -1


def _may_be_one(mind: Mind, a: int, b: int) -> bool:
    """Whether both names were given to what is there now, not to what was carried past, and never at once."""
    one, two = mind.rows[a], mind.rows[b]
    if int(two["id"]) in mind.seen_together.get(int(one["id"]), ()):
        return False
    for mine, its in ((one, two), (two, one)):
        if its["motion"] == AGENT or its["held"] or not mine["stay_since"] < its["last_seen"]:
            return False
        if mine["stay"] == 0:
            continue
        # What came here from elsewhere had its name there, and is not what was here before.
        if not its["first_seen"] > mine["stay_since"]:
            return False
        if mine["hits"] - mine["stay_hits"] < RELOCATION.often:
            return False
    return True


def _look_the_same(mind: Mind, a: int, b: int) -> bool:
    """By what the eyes make of their pictures; where they make nothing of them, by attributes, of which some
    may go with the name."""
    mine, its = (mind.embeddings.get(int(mind.rows[slot]["id"])) for slot in (a, b))
    if mine is None or its is None or mine.shape != its.shape:
        return not at_odds(mind.rows, a, b, mind.words.key_of)
    return cosine(mine, its) >= SAME_LOOK


def join(mind: Mind, slot: int, other: int) -> int:
    """Two rows of one thing, which is where the other says, become one, which is returned: that of the number
    that was given first."""
    rows = mind.rows
    if rows[other]["first_seen"] >= rows[slot]["first_seen"]:
        merge(mind, other, slot, True)
        return slot
    kept = {name: rows[other][name].copy() for name in ("position", "covariance", "p_here", "p_gone")}
    merge(mind, slot, other, True)
    for name, value in kept.items():
        mind.rows[other][name] = value
    mind.tracks.move(other)
    return other
