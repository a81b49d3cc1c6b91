"""Things in the wearer's hands: picked up, carried along, put down."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.moves import HANDS
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.motion import PORTABLE
from situ.memory.tables.offsets import from_offset
from situ.memory.tables.rates import p_detect_now
from situ.memory.tables.tracks import Table
from situ.memory.tracker.association import CARRIED, ROAMED, STATIC, TRACKED
from situ.memory.tracker.contents import put_into, take_along
from situ.memory.tracker.working_memory import Mind

_NO_ROWS = np.zeros(0, np.int32)


def reachable(mind: Mind, time: float) -> NDArray[np.int32]:
    """Rows that may be in the wearer's hands."""
    if not mind.within_reach:
        return _NO_ROWS
    gap, long = SCALE.moment_s, mind.options.held_for_s
    if not mind.cameras:
        long = min(long, HANDS.unseen_s)
    slot_of = mind.tracks.slot_of
    slots = [slot_of[number] for number, last in mind.within_reach.items() if time - last <= gap]
    if len(slots) < len(mind.within_reach):
        slots = _still_reachable(mind, time, gap, long)
    return np.array(slots, dtype=np.int32)


def _still_reachable(mind: Mind, time: float, gap: float, long: float) -> list[int]:
    """Let go of what has not been near for too long."""
    slots = []
    for number, last in list(mind.within_reach.items()):
        slot, held = mind.tracks.slot_of[number], number in mind.holding
        if time - last <= (long if held else gap):
            slots.append(slot)
        else:
            del mind.within_reach[number]
            if held:
                _lose_sight(mind, slot)
    return slots


def note_moves(
    mind: Mind,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
    pose: Matrix,
    time: float,
) -> None:
    """Begin and end carrying, and follow tracked things, before positions are fused."""
    if not settle_still(mind.rows, observed, chosen, how):
        return
    for i in np.flatnonzero((chosen >= 0) & ((how != STATIC) | (mind.rows["held"][chosen] > 0))).tolist():
        slot = int(chosen[i])
        row, seen = mind.rows[slot], observed[i]
        moved = math.dist(seen["position"].tolist(), row["position"].tolist())
        if row["held"]:
            row["held_misses"] = 0
            expected = from_offset(row["offset"][None], pose)[0]
            with_wearer = math.dist(seen["position"].tolist(), expected.tolist())
            _note_grip(row, seen, moved > HANDS.still_m >= with_wearer, time)
            if time - row["lies_since"] >= BELIEF.unsteady_s:
                put_down(mind, slot, float(row["lies_since"]))
            elif (
                moved < HANDS.still_m and with_wearer > moved + HANDS.still_m
            ) or with_wearer > HANDS.moved_m:
                put_down(mind, slot, left_hands(mind, row, seen["position"]))
                how[i] = TRACKED if moved >= HANDS.still_m else how[i]
        elif how[i] == CARRIED:
            pick_up(mind, slot, time)
            row["grip"], row["lies_since"] = seen["offset"], np.nan
        elif how[i] in (TRACKED, ROAMED):
            leave(mind, slot, time)
            mind.count_move(slot, float(how[i] == ROAMED))
            mind.new_stay(slot, time)


@njit(cache=True)
def settle_still(
    rows: Table, observed: NDArray[np.void], chosen: NDArray[np.int32], how: NDArray[np.int32]
) -> bool:
    """Things that are not held and have not left their places match there, however they were matched; whether
    there are any others."""
    others = False
    for i in range(observed.shape[0]):
        if chosen[i] < 0:
            continue
        row, seen = rows[chosen[i]], observed[i]
        if how[i] != STATIC and not row.held:
            x, y = seen.position[0] - row.position[0], seen.position[1] - row.position[1]
            z = seen.position[2] - row.position[2]
            if math.sqrt(x * x + y * y + z * z) < HANDS.moved_m:
                how[i] = STATIC
        others |= how[i] != STATIC or row.held != 0
    return others


def pick_up(mind: Mind, slot: int, time: float) -> None:
    leave(mind, slot, time)
    place = mind.rows[slot]["position"].copy()
    mind.count_move(slot)
    mind.rows[slot]["held"] = 1
    mind.holding.add(int(mind.rows[slot]["id"]))
    mind.rows[slot]["held_misses"] = 0
    if mind.rows[slot]["hits"] <= HANDS.never_at_rest:  # where it was taken from has yet to be found out
        mind.rows[slot]["settled"] = 0
    mind.new_stay(slot, time)
    take_along(mind, slot, place, time)


def put_down(mind: Mind, slot: int, time: float) -> None:
    mind.rows[slot]["held"] = 0
    mind.holding.discard(int(mind.rows[slot]["id"]))
    mind.new_stay(slot, time)


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


def left_hands(mind: Mind, row: np.void, place: NDArray[np.float64]) -> float:
    """When a held thing that is seen at rest now left the hands. What is in them is in view in nearly every
    frame: so it was right after the frame that showed it there last, or as much later as it takes to walk to
    where it lies. If that is where it was seen last, it lay there already, and the wearer walked on."""
    apart = math.dist(row["position"].tolist(), place.tolist())
    if apart < HANDS.still_m:
        return float(row["last_seen"])
    return min(
        mind.time,
        max(
            _next_frame(mind, row),
            float(row["last_seen"]) + (apart - SCALE.arm_m) / SCALE.walk_mps,
        ),
    )


def _next_frame(mind: Mind, row: np.void) -> float:
    """Half way between the frame that showed a thing last and the one after it, as frames come."""
    frames = mind.frames - 1 - int(row["last_frame"])
    return float(row["last_seen"] + 0.5 * (mind.time - row["last_seen"]) / max(1, frames))


def _lose_sight(mind: Mind, slot: int, looked: bool = False) -> None:
    """A thing was put down while nobody looked: near where it was last seen, and lower, or farther on; if it
    was seen twice at one place out of the grip, there. `looked` says that the hands were in view: then it may
    be in something."""
    row = mind.rows[slot]
    if row["lies_since"] < row["last_seen"]:
        put_down(mind, slot, float(row["lies_since"]))
        row["p_here"], row["p_gone"] = (
            CHANCE.likely * (1 - row["p_false"]),
            (1 - CHANCE.likely) * (1 - row["p_false"]),
        )
        return
    put_down(mind, slot, _next_frame(mind, row))
    if looked and put_into(mind, slot):
        return
    real = 1 - row["p_false"]
    row["p_here"], row["p_gone"] = CHANCE.mostly * real, (1.0 - CHANCE.mostly) * real
    assert mind.pose is not None
    hands = from_offset(row["offset"][None], mind.drift.correction @ mind.pose)[0]
    walked = math.dist(hands.tolist(), row["position"].tolist())
    row["position"][2] -= SCALE.step_m
    for k in (0, 3, 5):
        row["covariance"][k] += SCALE.beside_m**2 + (0.5 * walked) ** 2


def leave(mind: Mind, slot: int, time: float) -> None:
    """Note where a thing was taken from, unless it is not even sure that it had been there. Sightings in the
    hands before the wearer walked off were taken for such at its place: that is where it was before them."""
    row = mind.rows[slot]
    if time - row["unsteady"] <= BELIEF.unsteady_s and row["motion"] == PORTABLE:
        row["position"] = row["steady"]
        mind.tracks.move(slot)
        mind.tell(slot)
    if not row["unverified"]:
        row["previous"], row["previous_since"] = row["position"], row["stay_since"]


def look_at_hands(mind: Mind, held: NDArray[np.int32], in_view: NDArray[np.bool_], frame: int) -> None:
    """Held things that should be in view and are not: after enough looks they were put down."""
    for slot, visible in zip(held.tolist(), in_view.tolist(), strict=True):
        row = mind.rows[slot]
        if not row["held"] or row["last_frame"] == frame or not visible:
            continue
        row["held_misses"] += 1
        overlooked = 1.0 - p_detect_now(mind.rates, SCALE.arm_m, row["size"])
        if row["held_misses"] > 1 and overlooked ** int(row["held_misses"]) < CHANCE.rarely:
            _lose_sight(mind, slot, looked=True)


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
