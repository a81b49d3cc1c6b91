"""What the network says of each cell of its picture, and in which order.

A cell is `STRIDE` pixels wide. Beside a name it has numbers in these fields:

depth     log of metres along the optical axis, for a lens of `FOCAL` pixels: what looks equal is equal
centre    from the point that a cell shows to the middle of its thing, camera axes, in `CENTRE_PX` pixels
size      log of metres: the longer and the shorter side of the footprint, and the height
turn      cosine and sine of twice the angle from the view's heading to the longer side
spread    log of the metres by which the middle is off, by the network's own account
color, material, surface   scores of each name
look      a direction in which the same thing lies near itself from any side

And of the whole picture it says in which of `ROOMS` its camera stands.
"""

from situ.worlds.furniture import KINDS, PAINTS
from situ.worlds.homes.uses import ROOM_NAMES
from situ.worlds.places import FLOORS
from situ.worlds.props.items import ITEMS

WIDTH, HEIGHT = 320, 240
STRIDE = 4
FOCAL = 160.0
CENTRE_PX = 32.0
LOOK = 24

# Parts of buildings have a name but are no things; the first also stands for the sky.
SHELL = ("other", "floor", "wall", "ceiling", "lawn", "stairs", "plinth")
OUTSIDE = (
    "front door",
    "lift",
    "housemate",
    "car",
    "fir tree",
    "bush",
    "street lamp",
    "park bench",
    "litter bin",
)
# Beyond homes: what is put down in places, what stands in the way there, and solids on a field. The floor of
# a place is a thing, too: where its middle is and how large it is tells in which part of it one stands.
PUT_DOWN = tuple(name for name in sorted(ITEMS) if name not in KINDS)
IN_THE_WAY = ("pillar", "beam", "barrier", "block")
SOLIDS = ("cuboid", "sphere")
PLACES = tuple(name for name in FLOORS.values() if name not in SHELL)
# New names come last: a network that knows fewer goes on learning with those that it has.
NAMES: tuple[str, ...] = (*SHELL, *sorted(KINDS), *OUTSIDE, *PUT_DOWN, *IN_THE_WAY, *SOLIDS, *PLACES)
# Things whose colour is told.
COLORED = (
    *sorted(name for name, kind in KINDS.items() if kind.named), "car", *PUT_DOWN, *IN_THE_WAY, *SOLIDS
)  # fmt: skip
# What anybody knows of a thing who knows its name.
KNOWN = {name: {"use": kind.use, "flat_top": "yes" if kind.flat else "no"} for name, kind in KINDS.items()}
COLORS: tuple[str, ...] = tuple(PAINTS)
MATERIALS: tuple[str, ...] = tuple(sorted({kind.material for kind in KINDS.values()}))
SURFACES = ("side", "floor", "wall", "ceiling", "top")
OUTDOORS = ""  # in no room
ROOMS: tuple[str, ...] = (OUTDOORS, *ROOM_NAMES)
NO_ROOM = 255  # stands for a room that none of them names

FIELDS: dict[str, int] = {
    "depth": 1,
    "centre": 3,
    "size": 3,
    "turn": 2,
    "spread": 1,
    "color": len(COLORS),
    "material": len(MATERIALS),
    "surface": len(SURFACES),
    "look": LOOK,
}


def slices(fields: dict[str, int]) -> dict[str, slice]:
    """Where each field lies among the channels."""
    found, start = {}, 0
    for name, count in fields.items():
        found[name] = slice(start, start + count)
        start += count
    return found
