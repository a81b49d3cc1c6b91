"""Objects in the wearer's hands, picked up, carried and put down; and what goes along inside others."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.moves import CONTENTS, HANDS
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import BELIEF
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tables.offsets import from_offset
from situ.memory.tables.rates import p_detect_now
from situ.memory.tables.tracks import Table
from situ.memory.tracker.association import CARRIED, ROAMED, STATIC, TRACKED
from situ.memory.tracker.step import Step
from situ.memory.tracker.working_memory import WorkingMemory

_NO_ROWS = np.zeros(0, np.int32)


def reachable(memory: WorkingMemory, time: float) -> NDArray[np.int32]:
    """Rows that may be in the wearer's hands."""
    if not memory.within_reach:
        return _NO_ROWS
    gap, long = SCALE.moment_s, memory.options.held_for_s
    if not memory.cameras:
        long = min(long, HANDS.unseen_s)
    slot_of = memory.tracks.slot_of
    slots = [slot_of[number] for number, last in memory.within_reach.items() if time - last <= gap]
    if len(slots) < len(memory.within_reach):
        slots = _still_reachable(memory, time, gap, long)
    return np.array(slots, dtype=np.int32)


def _still_reachable(memory: WorkingMemory, time: float, gap: float, long: float) -> list[int]:
    """Let go of what has not been near for too long."""
    slots = []
    for number, last in list(memory.within_reach.items()):
        slot, held = memory.tracks.slot_of[number], number in memory.holding
        if time - last <= (long if held else gap):
            slots.append(slot)
        else:
            del memory.within_reach[number]
            if held:
                _lose_sight(memory, slot)
    return slots


def note_moves(memory: WorkingMemory, step: Step) -> None:
    """Begin and end carrying, and follow objects that were tracked or move by themselves: before places are
    fused."""
    detections, chosen, how, time = step.detections, step.rows, step.how, step.time
    if not (memory.holding or how.any()) or not settle_still(memory.rows, detections, chosen, how):
        return
    for i in np.flatnonzero((chosen >= 0) & ((how != STATIC) | (memory.rows["held"][chosen] > 0))).tolist():
        slot = int(chosen[i])
        row, seen = memory.rows[slot], detections[i]
        moved = math.dist(seen["position"].tolist(), row["position"].tolist())
        if row["held"]:
            row["held_misses"] = 0
            expected = from_offset(row["offset"][None], step.pose)[0]
            with_wearer = math.dist(seen["position"].tolist(), expected.tolist())
            _note_grip(row, seen, moved > HANDS.still_m >= with_wearer, time)
            if time - row["lies_since"] >= BELIEF.unsteady_s:
                put_down(memory, slot, float(row["lies_since"]))
            elif (
                moved < HANDS.still_m and with_wearer > moved + HANDS.still_m
            ) or with_wearer > HANDS.moved_m:
                put_down(memory, slot, left_hands(memory, row, seen["position"]))
                how[i] = TRACKED if moved >= HANDS.still_m else how[i]
        elif how[i] == CARRIED:
            pick_up(memory, slot, time)
            row["grip"], row["lies_since"] = seen["offset"], np.nan
        elif how[i] in (TRACKED, ROAMED):
            leave(memory, slot, time)
            memory.count_move(slot, float(how[i] == ROAMED))
            memory.new_stay(slot, time)


@njit(cache=True)
def settle_still(
    rows: Table, detections: NDArray[np.void], chosen: NDArray[np.int32], how: NDArray[np.int32]
) -> bool:
    """Objects that are not held and have not left their places match there, however they were matched.
    Whether there are others."""
    others = False
    for i in range(detections.shape[0]):
        if chosen[i] < 0:
            continue
        row, seen = rows[chosen[i]], detections[i]
        if how[i] != STATIC and not row.held:
            x, y = seen.position[0] - row.position[0], seen.position[1] - row.position[1]
            z = seen.position[2] - row.position[2]
            if math.sqrt(x * x + y * y + z * z) < HANDS.moved_m:
                how[i] = STATIC
        others |= how[i] != STATIC or row.held != 0
    return others


def pick_up(memory: WorkingMemory, slot: int, time: float) -> None:
    leave(memory, slot, time)
    place = memory.rows[slot]["position"].copy()
    memory.count_move(slot)
    memory.rows[slot]["held"] = 1
    memory.holding.add(int(memory.rows[slot]["id"]))
    memory.rows[slot]["held_misses"] = 0
    if memory.rows[slot]["hits"] <= HANDS.never_at_rest:  # where it was taken from has yet to be found out
        memory.rows[slot]["settled"] = 0
    memory.new_stay(slot, time)
    take_along(memory, slot, place, time)


def put_down(memory: WorkingMemory, slot: int, time: float) -> None:
    memory.rows[slot]["held"] = 0
    memory.holding.discard(int(memory.rows[slot]["id"]))
    memory.new_stay(slot, time)


def _note_grip(row: np.void, seen: np.void, walked: bool, time: float) -> None:
    """What is carried keeps its place to the wearer. What has left that and stays where it is lies there
    already, though the wearer has not moved away from it yet."""
    off = math.dist(seen["offset"].tolist(), row["grip"].tolist())
    in_grip = off <= SCALE.hand_m + 2.0 * math.sqrt(seen["covariance"][[0, 3, 5]].max())
    if in_grip or walked:
        row["grip"] += (CHANCE.perhaps if in_grip else 1.0) * (seen["offset"] - row["grip"])
        row["lies_since"] = np.nan
    elif (
        np.isnan(row["lies_since"])
        or math.dist(seen["position"].tolist(), row["lies_at"].tolist()) > HANDS.still_m
    ):
        row["lies_at"], row["lies_since"] = seen["position"], time


def left_hands(memory: WorkingMemory, row: np.void, place: NDArray[np.float64]) -> float:
    """When a held object that is seen at rest now left the hands. What is in them is in view in nearly every
    frame: so it was right after the frame that showed it there last, or as much later as it takes to walk to
    where it lies. If that is where it was seen last, it lay there already, and the wearer walked on."""
    apart = math.dist(row["position"].tolist(), place.tolist())
    if apart < HANDS.still_m:
        return float(row["last_seen"])
    return min(
        memory.time,
        max(
            _next_frame(memory, row),
            float(row["last_seen"]) + (apart - SCALE.arm_m) / SCALE.walk_mps,
        ),
    )


def _next_frame(memory: WorkingMemory, row: np.void) -> float:
    """Half way between the frame that showed an object last and the one after it, as frames come."""
    frames = memory.frames - 1 - int(row["last_frame"])
    return float(row["last_seen"] + 0.5 * (memory.time - row["last_seen"]) / max(1, frames))


def _lose_sight(memory: WorkingMemory, slot: int, looked: bool = False) -> None:
    """An object was put down out of view: near where it was last seen, and lower, or farther on; if it
    was seen twice at one place out of the grip, there. `looked` says that the hands were in view: then it may
    be in something."""
    row = memory.rows[slot]
    if row["lies_since"] < row["last_seen"]:
        put_down(memory, slot, float(row["lies_since"]))
        row["p_here"], row["p_gone"] = (
            CHANCE.likely * (1 - row["p_false"]),
            (1 - CHANCE.likely) * (1 - row["p_false"]),
        )
        return
    put_down(memory, slot, _next_frame(memory, row))
    if looked and put_into(memory, slot):
        return
    real = 1 - row["p_false"]
    row["p_here"], row["p_gone"] = CHANCE.mostly * real, (1.0 - CHANCE.mostly) * real
    assert memory.pose is not None
    hands = from_offset(row["offset"][None], memory.drift.correction @ memory.pose)[0]
    walked = math.dist(hands.tolist(), row["position"].tolist())
    row["position"][2] -= SCALE.step_m
    for k in (0, 3, 5):
        row["covariance"][k] += SCALE.beside_m**2 + (0.5 * walked) ** 2


def leave(memory: WorkingMemory, slot: int, time: float) -> None:
    """Note where an object was taken from, unless it is not even sure that it had been there. Detections in
    the hands before the wearer walked off were taken for such at its place: it was there before them."""
    row = memory.rows[slot]
    if time - row["unsteady"] <= BELIEF.unsteady_s and row["motion"] == PORTABLE:
        row["position"] = row["steady"]
        memory.tracks.move(slot)
        memory.publish(slot)
    if not row["unverified"]:
        row["previous"], row["previous_since"] = row["position"], row["stay_since"]


def look_at_hands(
    memory: WorkingMemory, held: NDArray[np.int32], in_view: NDArray[np.bool_], frame: int
) -> None:
    """Held objects that should be in view and are not: after enough frames they were put down."""
    for slot, visible in zip(held.tolist(), in_view.tolist(), strict=True):
        row = memory.rows[slot]
        if not row["held"] or row["last_frame"] == frame or not visible:
            continue
        row["held_misses"] += 1
        overlooked = 1.0 - p_detect_now(memory.rates, SCALE.arm_m, row["size"])
        if row["held_misses"] > 1 and overlooked ** int(row["held_misses"]) < CHANCE.rarely:
            _lose_sight(memory, slot, looked=True)


@njit(cache=True)
def in_image(
    points: NDArray[np.float64], camera_from_world: Matrix, lens: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which points fall well inside the image."""
    inside = np.zeros(points.shape[0], np.bool_)
    turn = camera_from_world
    for i in range(points.shape[0]):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        ahead = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z + turn[2, 3]
        if ahead > 0.15:
            u = lens[0] * (turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z + turn[0, 3]) / ahead + lens[2]
            v = lens[1] * (turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z + turn[1, 3]) / ahead + lens[3]
            inside[i] = 0.1 * lens[4] < u < 0.9 * lens[4] and 0.1 * lens[5] < v < 0.9 * lens[5]
    return inside


def put_into(memory: WorkingMemory, slot: int) -> bool:
    """An object that was in the hands was put down out of view: if that was at another object in view in
    which it fits, it likely is in there; but not where things are seen in or on that one. Whether there is
    such an object."""
    rows, row = memory.rows, memory.rows[slot]
    best, least = -1, SCALE.beside_m
    for number in sorted(memory.tracks.slot_of):
        other = memory.tracks.slot_of[number]
        holder = rows[other]
        in_view = holder["last_frame"] == memory.frames - 1  # else the object may stand on it
        if other == slot or not in_view or holder["held"] or holder["motion"] == AGENT:
            continue
        outside = np.abs(row["position"] - holder["position"]) - 0.5 * holder["size"]
        gap = float(np.linalg.norm(np.maximum(outside, 0.0)))
        fits = row["size"].max() <= CONTENTS.fits * holder["size"].max()
        seen = any(
            rows[k]["last_frame"] == memory.frames - 1 for k in contents(memory, other, holder["position"])
        )
        if gap < least and fits and not seen:
            best, least = other, gap
    if best < 0:
        return False
    holder, real = rows[best], 1.0 - float(row["p_false"])
    row["inside"], row["place_in"], row["position"] = holder["id"], 0.0, holder["position"]
    row["covariance"][:] = 0.0
    row["covariance"][[0, 3, 5]] = (0.25 * holder["size"]) ** 2 + 1e-4
    row["p_here"], row["p_gone"] = CHANCE.mostly * real, (1.0 - CHANCE.mostly) * real
    row["unverified"] = 0
    memory.contents[int(row["id"])] = int(holder["id"])
    memory.tracks.move(slot)
    return True


def contents(memory: WorkingMemory, slot: int, place: NDArray[np.float64], missed: bool = False) -> list[int]:
    """Rows of what lies in or on an object that is, or was, at a place; by number. `missed`: only what was
    looked for there in vain."""
    rows, size = memory.rows, memory.rows[slot]["size"]
    if not size.any():
        return []
    numbers = sorted(memory.tracks.slot_of)
    slots = np.array([memory.tracks.slot_of[number] for number in numbers], np.int32)
    away = rows["position"][slots] - place
    inside = (np.abs(away[:, :2]) <= 0.5 * size[:2]).all(axis=1)
    inside &= (away[:, 2] >= -0.5 * size[2]) & (away[:, 2] <= 0.5 * size[2] + CONTENTS.above_m)
    inside &= rows["size"][slots].max(axis=1) <= size.max() * CONTENTS.fits
    inside &= (rows["motion"][slots] == PORTABLE) & (rows["p_false"][slots] < 0.5) & (slots != slot)
    inside &= (rows["held"][slots] == 0) & (rows["inside"][slots] == 0)
    inside &= ~np.isnan(rows["absent_since"][slots]) if missed else rows["p_here"][slots] > 0.5
    return [int(other) for other in slots[inside]]


def take_along(
    memory: WorkingMemory, slot: int, place: NDArray[np.float64], time: float, unseen: bool = False
) -> None:
    """An object has left a place: so has what lay in or on it. Of a move out of view, that goes for what
    was missed at its own place, and for all contents of objects of a name that were found to keep
    theirs."""
    name = memory.motion.table[int(memory.rows[slot]["filed"])]
    for other in contents(memory, slot, place, missed=unseen and name["kept"] <= name["spilled"]):
        row = memory.rows[other]
        row["inside"], row["place_in"] = memory.rows[slot]["id"], row["position"] - place
        row["previous"], row["previous_since"], row["unverified"] = row["position"], row["stay_since"], 1
        real = 1.0 - float(row["p_false"])
        row["p_here"], row["p_gone"] = CHANCE.likely * real, (1.0 - CHANCE.likely) * real
        memory.contents[int(row["id"])] = int(memory.rows[slot]["id"])
        follow(memory, other, slot, time)


def follow(memory: WorkingMemory, slot: int, container: int, time: float) -> None:
    """Put an object where its container is, in the hands if that is."""
    row, carrier = memory.rows[slot], memory.rows[container]
    moved = float(np.abs(carrier["position"] + row["place_in"] - row["position"]).max()) > 0.05
    changed = row["held"] != carrier["held"]
    row["position"] = carrier["position"] + row["place_in"]
    row["offset"] = carrier["offset"]
    row["held"] = carrier["held"]
    row["last_look"] = max(float(row["last_look"]), float(carrier["last_look"]))
    memory.tracks.move(slot)
    if changed or (moved and not row["held"]):
        memory.new_stay(
            slot, max(float(row["stay_since"]), float(carrier["stay_since"])) if changed else time
        )
        memory.publish(slot)


def keep_together(memory: WorkingMemory, seen: NDArray[np.int32], time: float) -> None:
    """After a frame: contents follow their containers, and what was seen on its own is no longer inside."""
    for number, carrier in list(memory.contents.items()):
        slot, container = memory.tracks.slot_of.get(number), memory.tracks.slot_of.get(carrier)
        if slot is None or container is None or slot in seen:
            del memory.contents[number]
            if slot is not None and container is not None:
                _learn_contents(memory, slot, container)
            if slot is not None:
                memory.rows[slot]["inside"] = 0
                memory.rows[slot]["held"] = int(number in memory.holding)
        else:
            follow(memory, slot, container, time)


def _learn_contents(memory: WorkingMemory, slot: int, container: int) -> None:
    """What was thought to have gone along is seen again: where its container is, or where it was."""
    row, carrier = memory.rows[slot], memory.rows[container]
    name = memory.motion.table[int(carrier["filed"])]
    if float(np.abs(row["position"] - carrier["position"] - row["place_in"]).max()) < SCALE.beside_m:
        name["kept"] += 1.0
    elif float(np.abs(row["position"] - row["previous"]).max()) < SCALE.beside_m:
        name["spilled"] += 1.0
