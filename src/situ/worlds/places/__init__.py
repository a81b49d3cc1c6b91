"""Named places, indoors and outdoors, that vary with the seed."""

from collections.abc import Callable

import numpy as np

from situ.errors import BadInput
from situ.worlds.places import built, green, rooms
from situ.worlds.places.place import Place

OUTDOOR: dict[str, Callable[[np.random.Generator], Place]] = {
    "courtyard": built.courtyard,
    "lawn": green.lawn,
    "parking-lot": built.parking_lot,
    "plaza": built.plaza,
    "playground": green.playground,
    "garden": green.garden,
    "court": green.ball_court,
    "terrace": built.terrace,
    "market": built.market_square,
    "schoolyard": green.schoolyard,
}
INDOOR: dict[str, Callable[[np.random.Generator], Place]] = {
    "lecture-hall": rooms.lecture_hall,
    "office": rooms.office,
    "classroom": rooms.classroom,
    "recreation-room": rooms.recreation_room,
    "household": rooms.household,
}
LAYOUTS = {**OUTDOOR, **INDOOR}
# Category of each layout's floor, which names the place in questions.
FLOORS = {
    "courtyard": "courtyard",
    "lawn": "lawn",
    "parking-lot": "parking lot",
    "plaza": "plaza",
    "playground": "playground",
    "garden": "garden",
    "court": "basketball court",
    "terrace": "roof terrace",
    "market": "market square",
    "schoolyard": "schoolyard",
    "lecture-hall": "lecture hall",
    "office": "office",
    "classroom": "classroom",
    "recreation-room": "recreation room",
    "household": "living room",
}


def make_place(layout: str, rng: np.random.Generator) -> Place:
    """A place of a layout; the generator determines all variation."""
    if layout not in LAYOUTS:
        raise BadInput(f"unknown layout '{layout}'; choose one of {', '.join(LAYOUTS)}")
    return LAYOUTS[layout](rng)


__all__ = ["FLOORS", "INDOOR", "LAYOUTS", "OUTDOOR", "Place", "make_place"]
