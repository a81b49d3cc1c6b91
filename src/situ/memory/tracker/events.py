"""What a frame calls for beyond the update: false detections are dropped, empty places, new objects and
new names are explained.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.moves import RENAMING
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.motion import AGENT
from situ.memory.tables.rates import count_first_sighting
from situ.memory.tables.replaced import Replaced, Words
from situ.memory.tables.tracks import INSIDE_ANOTHER, SLOTS, leads
from situ.memory.tracker.identity import merge
from situ.memory.tracker.presence import is_refuted, misread
from situ.memory.tracker.relocation import note_gone, settle
from situ.memory.tracker.step import Step
from situ.memory.tracker.working_memory import WorkingMemory


def changed_words(memory: WorkingMemory, slot: int, seen: np.void) -> Words:
    """In which words a sighting differs from what its object is called."""
    row, key_of = memory.rows[slot], memory.words.key_of
    words = []
    label = memory.label_of(slot)
    if label != seen["label"]:
        words.append((-label, -int(seen["label"])))
    for new in seen["features"].tolist():
        if new == 0:
            break
        for k in range(SLOTS):
            old = int(row["features"][k])
            if old not in (0, new) and key_of[old] == key_of[new] and leads(row, k, key_of):
                words.append((old, int(new)))
    return tuple(words)


def is_renaming(memory: WorkingMemory, slot: int, seen: np.void, words: Words) -> bool:
    """Whether other things were called otherwise of late, and nothing known is called so."""
    number = int(memory.rows[slot]["id"])
    others = [r for r in memory.replaced if r.number != number and memory.time - r.time < SCALE.half_hour_s]
    alike = sum(bool(set(words) & set(r.words)) for r in others)
    return (alike >= RENAMING.same_way or len(others) >= RENAMING.any_way) and not is_known(
        memory, slot, seen
    )


def is_known(memory: WorkingMemory, slot: int, seen: np.void) -> bool:
    """Whether another thing than those that were replaced goes by the label and attributes of a sighting."""
    strangers = {replaced.stranger for replaced in memory.replaced}
    wanted = {int(f) for f in seen["features"].tolist() if f}
    for number in memory.by_label.get(int(seen["label"]), ()):
        other = memory.tracks.slot_of[number]
        row = memory.rows[other]
        if other == slot or number in strangers or row["p_false"] > 0.5:
            continue
        if wanted <= {int(row["features"][k]) for k in range(SLOTS) if leads(row, k, memory.words.key_of)}:
            return True
    return False


def note_replaced(memory: WorkingMemory, number: int, stranger: int, words: Words) -> None:
    kept = [r for r in memory.replaced if r.number != number and memory.time - r.time < SCALE.half_hour_s]
    memory.replaced = [*kept, Replaced(number, stranger, memory.time, words)]


def undo_replaced(memory: WorkingMemory) -> None:
    """Things that were taken for others, before it was known that the eyes have changed, are themselves."""
    slot_of = memory.tracks.slot_of
    for replaced in memory.replaced:
        number, stranger = replaced.number, replaced.stranger
        if number != stranger and number in slot_of and stranger in slot_of:
            memory.count_move(slot_of[number], -1.0)
            merge(memory, slot_of[stranger], slot_of[number], True)
        replaced.stranger = number


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
    for i in np.flatnonzero(memory.rows["streak"][chosen] >= SCALE.few).tolist():
        _replace_object(memory, step, i)
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


def _replace_object(memory: WorkingMemory, step: Step, which: int) -> None:
    """An object that is called otherwise time and again is another object in the same place."""
    slot, detections = int(step.rows[which]), step.detections
    row = memory.rows[slot]
    chance = misread(memory.rows, slot, memory.rates)
    if chance ** int(row["streak"]) > BELIEF.by_chance:
        return
    words = changed_words(memory, slot, detections[which])
    if not words:
        row["streak"] = 0  # that is its name by now
        return
    if is_renaming(memory, slot, detections[which], words):
        row["streak"] = 0
        memory.renamed_since.pop(int(row["id"]), None)
        undo_replaced(memory)
        note_replaced(memory, int(row["id"]), int(row["id"]), words)
        return
    unheard = not is_known(memory, slot, detections[which])
    row["streak"] = 0
    exists, old = 1.0 - row["p_false"], int(row["id"])
    row["p_here"], row["p_gone"] = 0.05 * exists, 0.95 * exists
    row["last_seen"] = since = memory.renamed_since.pop(old, memory.time)
    (stranger,) = memory.first_sightings(detections, np.array([which], np.int32), step.number)
    memory.rows[stranger]["p_here"], memory.rows[stranger]["p_false"] = 0.99, 0.01
    # What was seen since it was called otherwise was the other thing.
    span = math.nextafter(since, math.inf), math.nextafter(memory.time, math.inf)
    memory.journal.identities.append((old, int(memory.rows[stranger]["id"]), *span, memory.known))
    if unheard:
        note_replaced(memory, old, int(memory.rows[stranger]["id"]), words)
    note_gone(memory, slot)
    settle(memory, np.array([stranger], np.int32))
