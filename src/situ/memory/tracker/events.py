"""What a frame calls for beyond the update: false detections are dropped, empty places and new objects are
explained.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.tables.motion import AGENT, hazard_of, p_called
from situ.memory.tables.rates import count_first_sighting, p_confusion_before, p_stays
from situ.memory.tables.tracks import INSIDE_ANOTHER
from situ.memory.tracker.presence import is_refuted
from situ.memory.tracker.relocation import note_gone, settle
from situ.memory.tracker.step import Step
from situ.memory.tracker.working_memory import WorkingMemory


def explain(memory: WorkingMemory, step: Step) -> None:
    """Account for what a frame leaves open. Rows may vanish and appear: objects are addressed by number."""
    chosen, missed, rows = step.rows, step.missed, memory.rows
    _drop_doubtful(memory, missed)
    back = chosen[(rows["gone"][chosen] > 0) & (rows["p_here"][chosen] > 0.5)]
    rows["gone"][back] = 0
    for slot in back.tolist():
        memory.count_move(slot, -1.0)  # it had never left
    emptied = missed[
        (rows["id"][missed] > 0)
        & (rows["gone"][missed] == 0)
        & (rows["p_gone"][missed] > rows["p_here"][missed])
        & (rows["p_false"][missed] < 0.5)
        & (rows["motion"][missed] != AGENT)
    ]
    for object_id in rows["id"][emptied].tolist():
        if object_id in memory.tracks.slot_of:
            note_gone(memory, memory.tracks.slot_of[object_id])
    for i in np.flatnonzero(memory.rows["renamed"][chosen] >= SCALE.few).tolist():
        if _is_another(memory, int(chosen[i]), step.detections[i]):
            _replace(memory, step, i)
    rows = memory.rows
    settle(memory, chosen[(rows["settled"][chosen] == 0) & (rows["p_false"][chosen] < CHANCE.perhaps)])


def _drop_doubtful(memory: WorkingMemory, missed: NDArray[np.int32]) -> None:
    rows = memory.rows
    for slot in missed[rows["p_false"][missed] > CHANCE.likely].tolist():
        if not is_refuted(rows[slot]):
            continue
        score = float(rows[slot]["label_weights"].sum()) / float(rows[slot]["hits"])
        count_first_sighting(memory.rates[0], memory.motion.table[int(rows[slot]["filed"])], score, False)
        if rows[slot]["origin"] & INSIDE_ANOTHER:
            memory.rates["twice"] += 1.0
        memory.forget_row(slot)


def _is_another(memory: WorkingMemory, slot: int, seen: np.void) -> bool:
    """Whether what is called otherwise time and again is another object in the same place: the known one has
    left unseen, and another one was put just there. Else it was misread, or the detector has got other names;
    but not if it calls other objects so. An object that was seen a moment before it was called otherwise was
    not replaced."""
    row, motion, rates = memory.rows[slot], memory.motion.table, memory.rates
    unseen_s = float(row["renamed_at"] - row["sure_seen"])
    left = 1.0 - p_stays(hazard_of(motion, rates, int(row["filed"])), unseen_s)
    times = int(row["renamed"])
    misread = p_confusion_before(rates, times)
    if memory.label_of(slot) != seen["label"]:
        misread = p_called(motion, misread, memory.label_of(slot), int(seen["label"]), times)
    misread **= times
    if not _is_known(memory, slot, seen):
        misread = max(misread, CHANCE.rarely)
    return bool(CHANCE.seldom * left > misread)


def _is_known(memory: WorkingMemory, slot: int, seen: np.void) -> bool:
    """Whether another object goes by the label and the attributes of a detection."""
    rows, slot_of = memory.rows, memory.tracks.slot_of
    wanted = set(seen["features"].tolist())
    others = [slot_of[number] for number in memory.by_label.get(int(seen["label"]), ())]
    return any(
        rows[other]["p_false"] < 0.5 and wanted <= {0, *rows[other]["features"].tolist()}
        for other in others
        if other != slot
    )


def _replace(memory: WorkingMemory, step: Step, which: int) -> None:
    """An object has left its place to another one, since it was last called by its own name."""
    slot = int(step.rows[which])
    row = memory.rows[slot]
    number, since, exists = int(row["id"]), float(row["sure_seen"]), 1.0 - row["p_false"]
    row["renamed"] = 0
    row["p_here"], row["p_gone"], row["last_seen"] = 0.05 * exists, 0.95 * exists, since
    (other,) = memory.first_sightings(step.detections, np.array([which], np.int32), step.number)
    memory.rows[other]["p_here"], memory.rows[other]["p_false"] = 0.99, 0.01
    span = math.nextafter(since, math.inf), math.nextafter(memory.time, math.inf)
    memory.journal.identities.append((number, int(memory.rows[other]["id"]), *span, memory.known))
    note_gone(memory, slot)
    settle(memory, np.array([other], np.int32))
