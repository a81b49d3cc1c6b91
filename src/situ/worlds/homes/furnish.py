"""Furnishing of rooms: what belongs in each kind of room, and in which order."""

import numpy as np

from situ.worlds.furniture import KINDS, Kind
from situ.worlds.homes.placing import Placed, RoomSpace, against_wall, hung, on_floor, on_top
from situ.worlds.homes.uses import ESSENTIALS, LIKE
from situ.worlds.homes.walkable import walkable

SPOT_SHARES = {"top": 0.46, "wall": 0.2, "floor": 0.2, "hung": 0.14}  # of the objects of a room, by placement
MAX_OF_A_KIND = {"top": 2, "wall": 1, "floor": 1, "hung": 2}
PATIENCE = 90  # failed placements after which a room is full


class Numbers:
    """Assigns object ids."""

    def __init__(self, first: int) -> None:
        self.next = first

    def take(self) -> int:
        self.next += 1
        return self.next - 1


def furnish(room: RoomSpace, target: int, numbers: Numbers, rng: np.random.Generator) -> None:
    """Add about `target` objects to a room, keeping a walkable path between its doors."""
    for name in ESSENTIALS[room.name]:
        if len(room.placed) < target:
            _essential(room, KINDS[name], numbers, rng)
    while not walkable(room) and room.placed:
        _take_out_last(room)
    like = LIKE.get(room.name, (room.name,))
    choices = [kind for kind in KINDS.values() if set(kind.rooms) & set(like)]
    failures = 0
    while len(room.placed) < target and failures < PATIENCE:
        kind = _pick(room, choices, rng)
        placed = None if kind is None else _place(room, kind, numbers, rng)
        if placed is None:
            failures += 1
            continue
        room.placed.append(placed)
        if placed.kind.spot in ("wall", "floor") and not walkable(room):
            room.placed.pop()
            failures += 1


def _pick(room: RoomSpace, choices: list[Kind], rng: np.random.Generator) -> Kind | None:
    spots = list(SPOT_SHARES)
    spot = spots[int(rng.choice(len(spots), p=list(SPOT_SHARES.values())))]
    have = [placed.kind.name for placed in room.placed]
    fitting = [k for k in choices if k.spot == spot and have.count(k.name) < MAX_OF_A_KIND[spot]]
    return fitting[int(rng.integers(len(fitting)))] if fitting else None


def _place(room: RoomSpace, kind: Kind, numbers: Numbers, rng: np.random.Generator) -> Placed | None:
    if kind.spot == "wall":
        return against_wall(room, numbers.take(), kind, rng)
    if kind.spot == "floor":
        return on_floor(room, numbers.take(), kind, rng)
    if kind.spot == "hung":
        return hung(room, numbers.take(), kind, rng)
    supports = [placed for placed in room.placed if placed.kind.top is not None]
    if not supports:
        return None
    return on_top(room, numbers.take(), kind, supports[int(rng.integers(len(supports)))], rng)


def _essential(room: RoomSpace, kind: Kind, numbers: Numbers, rng: np.random.Generator) -> None:
    """A piece of furniture with its companions: chairs at a table, a screen on a stand."""
    last = room.placed[-1] if room.placed else None
    beside = last if kind.name in ("nightstand", "stove", "dishwasher") else None
    if kind.spot == "floor":
        middle = room.area.center
        placed = on_floor(room, numbers.take(), kind, rng, middle, float(rng.choice([0.0, 90.0])))
    else:
        placed = against_wall(room, numbers.take(), kind, rng, beside)
        if placed is None and beside is not None:
            placed = against_wall(room, numbers.take(), kind, rng)
    if placed is None:
        return
    room.placed.append(placed)
    companions = {
        "dining table": _chairs,
        "desk": _desk_set,
        "tv stand": _screen,
        "sofa": _coffee_table,
    }
    if kind.name in companions:
        companions[kind.name](room, placed, numbers, rng)


def _chairs(room: RoomSpace, table: Placed, numbers: Numbers, rng: np.random.Generator) -> None:
    half_width, half_depth = table.obj.parts[0].size[0] / 2, table.obj.parts[0].size[1] / 2
    for u in (-0.45, 0.45):
        for v, turn in ((-1, 180.0), (1, 0.0)):
            spot = _beyond(table, u * half_width, v * (half_depth + 0.28))
            yaw = table.obj.yaw_deg + turn + float(rng.normal(0, 4))
            _append(room, on_floor(room, numbers.take(), KINDS["chair"], rng, spot, yaw))


def _desk_set(room: RoomSpace, desk: Placed, numbers: Numbers, rng: np.random.Generator) -> None:
    spot = _beyond(desk, -0.15, -0.68)
    yaw = desk.obj.yaw_deg + 180 + float(rng.normal(0, 15))
    _append(room, on_floor(room, numbers.take(), KINDS["office chair"], rng, spot, yaw))
    name = "monitor" if rng.random() < 0.6 else "laptop"
    _append(room, on_top(room, numbers.take(), KINDS[name], desk, rng))


def _screen(room: RoomSpace, stand: Placed, numbers: Numbers, rng: np.random.Generator) -> None:
    _append(room, on_top(room, numbers.take(), KINDS["television"], stand, rng))


def _coffee_table(room: RoomSpace, sofa: Placed, numbers: Numbers, rng: np.random.Generator) -> None:
    spot = _beyond(sofa, 0.0, -1.15)
    _append(room, on_floor(room, numbers.take(), KINDS["coffee table"], rng, spot, sofa.obj.yaw_deg))


def _append(room: RoomSpace, placed: Placed | None) -> None:
    if placed is not None:
        room.placed.append(placed)


def _beyond(anchor: Placed, u: float, v: float) -> tuple[float, float]:
    """A point given in the axes of a placed object."""
    yaw = np.radians(anchor.obj.yaw_deg)
    x, y, _ = anchor.obj.position
    return float(x + u * np.cos(yaw) - v * np.sin(yaw)), float(y + u * np.sin(yaw) + v * np.cos(yaw))


def _take_out_last(room: RoomSpace) -> None:
    """Remove the last object, with everything on top of it."""
    gone = room.placed.pop()
    room.placed = [
        placed
        for placed in room.placed
        if not (
            placed.kind.spot == "top"
            and (placed.low[:2] < gone.high[:2]).all()
            and (placed.high[:2] > gone.low[:2]).all()
        )
    ]
