"""What lies in or on a thing goes where it goes: a laptop in a bag that is carried off."""

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.moves import CONTENTS
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.tables.motion import PORTABLE
from situ.memory.tables.vocabulary import LABEL
from situ.memory.tracker.working_memory import Mind

_NAMES_CARRIED = """
bag backpack rucksack handbag suitcase basket box case crate tray purse bucket drawer trolley cart pouch
carton bin toolbox satchel briefcase
"""
_NAMES_STANDING = """
machine washer dryer dishwasher fridge refrigerator freezer oven microwave cupboard cabinet wardrobe closet
dresser chest sideboard nightstand locker safe trunk mailbox letterbox
"""
_CARRIED, _STANDING = frozenset(_NAMES_CARRIED.split()), frozenset(_NAMES_STANDING.split())


def is_container(name: str) -> bool:
    """Whether what lies in a thing of a name is carried along with it."""
    return _noun(name) in _CARRIED


def closes(name: str) -> bool:
    """Whether things of a name hold others out of sight."""
    return _noun(name) in _CARRIED | _STANDING


def _noun(name: str) -> str:
    return (name.lower().split() or [""])[-1]


def put_into(mind: Mind, slot: int) -> bool:
    """A thing was last seen in the hands, and nobody saw it put down: if that was at a container in which it
    fits, it likely is in there, out of sight. Whether there is one."""
    rows, row = mind.rows, mind.rows[slot]
    best, least = -1, SCALE.beside_m
    for number in sorted(mind.tracks.slot_of):
        other = mind.tracks.slot_of[number]
        holder = rows[other]
        in_view = holder["last_frame"] == mind.frames - 1  # else the thing may stand on it
        if other == slot or not in_view or holder["held"] or not holder["size"].any():
            continue
        outside = np.abs(row["position"] - holder["position"]) - 0.5 * holder["size"]
        gap = float(np.linalg.norm(np.maximum(outside, 0.0)))
        fits = row["size"].max() <= CONTENTS.fits * holder["size"].max()
        if gap < least and fits and closes(mind.words.text(LABEL, int(holder["filed"]))):
            best, least = other, gap
    if best < 0:
        return False
    holder, real = rows[best], 1.0 - float(row["p_false"])
    row["inside"], row["place_in"], row["position"] = holder["id"], 0.0, holder["position"]
    row["covariance"][:] = 0.0
    row["covariance"][[0, 3, 5]] = (0.25 * holder["size"]) ** 2 + 1e-4
    row["p_here"], row["p_gone"] = CHANCE.mostly * real, (1.0 - CHANCE.mostly) * real
    row["unverified"] = 0
    mind.contents[int(row["id"])] = int(holder["id"])
    mind.tracks.move(slot)
    return True


def contents(mind: Mind, slot: int, place: NDArray[np.float64]) -> list[int]:
    """Rows of what lies in or on a thing that is, or was, at a place; by number."""
    rows = mind.rows
    size, name = rows[slot]["size"], mind.words.text(LABEL, int(rows[slot]["filed"]))
    if not size.any():
        return []
    margin = SCALE.slack_m if is_container(name) else 0.0
    numbers = sorted(mind.tracks.slot_of)
    slots = np.array([mind.tracks.slot_of[number] for number in numbers], np.int32)
    away = rows["position"][slots] - place
    inside = (np.abs(away[:, :2]) <= 0.5 * size[:2] + margin).all(axis=1)
    inside &= (away[:, 2] >= -0.5 * size[2] - margin) & (away[:, 2] <= 0.5 * size[2] + CONTENTS.above_m)
    inside &= rows["size"][slots].max(axis=1) <= size.max() * CONTENTS.fits
    inside &= (rows["motion"][slots] == PORTABLE) & (rows["p_false"][slots] < 0.5) & (slots != slot)
    inside &= (rows["p_here"][slots] > 0.5) & (rows["held"][slots] == 0) & (rows["inside"][slots] == 0)
    return [int(other) for other in slots[inside]]


def take_along(mind: Mind, slot: int, place: NDArray[np.float64], time: float, unseen: bool = False) -> None:
    """A thing has left a place: so has what lay in it, as far as is known.

    Of a move that nobody saw no more can be said than that what was in a container is likely in it still.
    """
    if unseen and not is_container(mind.words.text(LABEL, int(mind.rows[slot]["filed"]))):
        return
    for other in contents(mind, slot, place):
        row = mind.rows[other]
        row["inside"], row["place_in"] = mind.rows[slot]["id"], row["position"] - place
        row["previous"], row["previous_since"], row["unverified"] = row["position"], row["stay_since"], 1
        real = 1.0 - float(row["p_false"])
        row["p_here"], row["p_gone"] = CHANCE.likely * real, (1.0 - CHANCE.likely) * real
        mind.contents[int(row["id"])] = int(mind.rows[slot]["id"])
        follow(mind, other, slot, time)


def follow(mind: Mind, slot: int, container: int, time: float) -> None:
    """Put a thing where its container is, in the hands if that is."""
    row, carrier = mind.rows[slot], mind.rows[container]
    moved = float(np.abs(carrier["position"] + row["place_in"] - row["position"]).max()) > 0.05
    changed = row["held"] != carrier["held"]
    row["position"] = carrier["position"] + row["place_in"]
    row["offset"] = carrier["offset"]
    row["held"] = carrier["held"]
    row["last_look"] = max(float(row["last_look"]), float(carrier["last_look"]))
    mind.tracks.move(slot)
    if changed or (moved and not row["held"]):
        mind.new_stay(slot, max(float(row["stay_since"]), float(carrier["stay_since"])) if changed else time)
        mind.tell(slot)


def keep_together(mind: Mind, seen: NDArray[np.int32], time: float) -> None:
    """After a frame: contents follow their containers, and what was seen on its own is no longer inside."""
    for number, carrier in list(mind.contents.items()):
        slot, container = mind.tracks.slot_of.get(number), mind.tracks.slot_of.get(carrier)
        if slot is None or container is None or slot in seen:
            del mind.contents[number]
            if slot is not None:
                mind.rows[slot]["inside"] = 0
                mind.rows[slot]["held"] = int(number in mind.holding)
        else:
            follow(mind, slot, container, time)
