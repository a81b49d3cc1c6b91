"""The rare turns of a frame: doubtful things are dropped, empty places and new things are explained."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.motion import AGENT
from situ.memory.tables.rates import count_first_sighting
from situ.memory.tables.tracks import INSIDE_ANOTHER
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.belief import is_refuted, misread
from situ.memory.tracker.relocation import note_gone, settle
from situ.memory.tracker.renaming import changed_words, is_known, is_renaming, note_replaced, undo_replaced
from situ.memory.tracker.working_memory import Mind


def decide(
    mind: Mind,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    missed: NDArray[np.int32],
    number: int,
    flags: int,
) -> None:
    """Act on the flags of a frame. Rows may vanish and appear, so objects are addressed by number."""
    if flags & kernel.DOUBTFUL:
        _drop_doubtful(mind, missed)
    if flags & kernel.BACK:
        rows = mind.rows
        back = chosen[(rows["gone"][chosen] > 0) & (rows["p_here"][chosen] > 0.5)]
        rows["gone"][back] = 0
        for slot in back.tolist():
            mind.count_move(slot, -1.0)  # it had never left
    if flags & kernel.EMPTIED:
        rows = mind.rows
        emptied = missed[
            (rows["id"][missed] > 0)
            & (rows["gone"][missed] == 0)
            & (rows["p_gone"][missed] > rows["p_here"][missed])
            & (rows["p_false"][missed] < 0.5)
            & (rows["motion"][missed] != AGENT)
        ]
        for object_id in rows["id"][emptied].tolist():
            if object_id in mind.tracks.slot_of:
                note_gone(mind, mind.tracks.slot_of[object_id])
    if flags & kernel.RENAMED:
        for i in np.flatnonzero(mind.rows["streak"][chosen] >= SCALE.few).tolist():
            _replace(mind, observed, i, int(chosen[i]), number)
    if flags & (kernel.CONFIRMED | kernel.NEW):
        rows = mind.rows
        confirmed = chosen[(rows["settled"][chosen] == 0) & (rows["p_false"][chosen] < CHANCE.perhaps)]
        settle(mind, confirmed)


def _drop_doubtful(mind: Mind, missed: NDArray[np.int32]) -> None:
    rows = mind.rows
    for slot in missed[rows["p_false"][missed] > CHANCE.likely].tolist():
        if not is_refuted(rows[slot]):
            continue
        score = float(rows[slot]["label_weights"].sum()) / float(rows[slot]["hits"])
        count_first_sighting(mind.rates[0], mind.motion.table[int(rows[slot]["filed"])], score, False)
        if rows[slot]["origin"] & INSIDE_ANOTHER:
            mind.rates["twice"] += 1.0
        mind.forget_row(slot)


def _replace(mind: Mind, observed: NDArray[np.void], which: int, slot: int, number: int) -> None:
    """A thing that is called otherwise time and again is another thing in the same place."""
    row = mind.rows[slot]
    chance = misread(mind.rows, slot, mind.rates)
    if chance ** int(row["streak"]) > BELIEF.by_chance:
        return
    words = changed_words(mind, slot, observed[which])
    if not words:
        row["streak"] = 0  # that is its name by now
        return
    if is_renaming(mind, slot, observed[which], words):
        row["streak"] = 0
        mind.odd_since.pop(int(row["id"]), None)
        undo_replaced(mind)
        note_replaced(mind, int(row["id"]), int(row["id"]), words)
        return
    unheard = not is_known(mind, slot, observed[which])
    row["streak"] = 0
    exists, old = 1.0 - row["p_false"], int(row["id"])
    row["p_here"], row["p_gone"] = 0.05 * exists, 0.95 * exists
    row["last_seen"] = since = mind.odd_since.pop(old, mind.time)
    (stranger,) = mind.first_sightings(observed, np.array([which], np.int32), number)
    mind.rows[stranger]["p_here"], mind.rows[stranger]["p_false"] = 0.99, 0.01
    # What was seen since it was called otherwise was the other thing.
    span = math.nextafter(since, math.inf), math.nextafter(mind.time, math.inf)
    mind.journal.identities.append((old, int(mind.rows[stranger]["id"]), *span, mind.known))
    if unheard:
        note_replaced(mind, old, int(mind.rows[stranger]["id"]), words)
    note_gone(mind, slot)
    settle(mind, np.array([stranger], np.int32))
