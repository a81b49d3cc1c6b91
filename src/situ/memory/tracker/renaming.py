"""A detector that gives things other names for good: another network, or the light of the evening.

One thing that is called otherwise time and again is another thing in the same place. Several that are called
otherwise within half an hour, by names that nothing here had before, are what they were: the eyes have
changed.
"""

import numpy as np

from situ.memory.options.moves import RENAMING
from situ.memory.options.scales import SCALE
from situ.memory.tables.replaced import Replaced, Words
from situ.memory.tables.tracks import SLOTS
from situ.memory.tracker.merge_and_split import merge
from situ.memory.tracker.versions import leads
from situ.memory.tracker.working_memory import Mind


def changed_words(mind: Mind, slot: int, seen: np.void) -> Words:
    """In which words a sighting differs from what its object is called."""
    row, key_of = mind.rows[slot], mind.words.key_of
    words = []
    label = mind.label_of(slot)
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


def is_renaming(mind: Mind, slot: int, seen: np.void, words: Words) -> bool:
    """Whether other things were called otherwise of late, and nothing known is called so."""
    number = int(mind.rows[slot]["id"])
    others = [r for r in mind.replaced if r.number != number and mind.time - r.time < SCALE.half_hour_s]
    alike = sum(bool(set(words) & set(r.words)) for r in others)
    return (alike >= RENAMING.same_way or len(others) >= RENAMING.any_way) and not is_known(mind, slot, seen)


def is_known(mind: Mind, slot: int, seen: np.void) -> bool:
    """Whether another thing than those that were replaced goes by the label and attributes of a sighting."""
    strangers = {replaced.stranger for replaced in mind.replaced}
    wanted = {int(f) for f in seen["features"].tolist() if f}
    for number in mind.by_label.get(int(seen["label"]), ()):
        other = mind.tracks.slot_of[number]
        row = mind.rows[other]
        if other == slot or number in strangers or row["p_false"] > 0.5:
            continue
        if wanted <= {int(row["features"][k]) for k in range(SLOTS) if leads(row, k, mind.words.key_of)}:
            return True
    return False


def note_replaced(mind: Mind, number: int, stranger: int, words: Words) -> None:
    kept = [r for r in mind.replaced if r.number != number and mind.time - r.time < SCALE.half_hour_s]
    mind.replaced = [*kept, Replaced(number, stranger, mind.time, words)]


def undo_replaced(mind: Mind) -> None:
    """Things that were taken for others, before it was known that the eyes have changed, are themselves."""
    slot_of = mind.tracks.slot_of
    for replaced in mind.replaced:
        number, stranger = replaced.number, replaced.stranger
        if number != stranger and number in slot_of and stranger in slot_of:
            mind.count_move(slot_of[number], -1.0)
            merge(mind, slot_of[stranger], slot_of[number], True)
        replaced.stranger = number
