"""Uses of buildings: their rooms, in the order in which larger buildings add them, and their furniture.

Rooms that are not part of homes take further objects from similar rooms of homes.
"""

from situ.errors import BadInput
from situ.worlds.furniture import kind as names

OFFICE, MEETING, SHOP_FLOOR, STOREROOM = "office", "meeting room", "shop floor", "storeroom"
CAFE, WORK_KITCHEN, WAITING_HALL, TICKETS = "café", "restaurant kitchen", "waiting hall", "ticket office"
TERRACE, LAWN, VEGETABLES, SHED, PATH = "terrace", "lawn", "vegetable garden", "shed", "garden path"
HOME, OUTDOORS = "home", "garden"
OPEN_AIR = (TERRACE, LAWN, VEGETABLES, PATH)  # without ceiling, between hedges
PROGRAMMES: dict[str, tuple[str, ...]] = {
    HOME: (
        names.LIVING,
        names.KITCHEN,
        names.BED,
        names.BATH,
        names.DINING,
        names.STUDY,
        names.KIDS,
        names.LAUNDRY,
        names.GYM,
        names.BED,
        names.BATH,
    ),
    "office": (OFFICE, MEETING, names.KITCHEN, names.BATH, OFFICE, OFFICE, STOREROOM),
    "shop": (SHOP_FLOOR, STOREROOM, OFFICE, names.BATH, SHOP_FLOOR, names.KITCHEN),
    "café": (CAFE, WORK_KITCHEN, STOREROOM, names.BATH, CAFE, OFFICE),
    "restaurant": (names.DINING, WORK_KITCHEN, names.BATH, STOREROOM, names.DINING, OFFICE),
    OUTDOORS: (TERRACE, LAWN, VEGETABLES, SHED, LAWN),
    "station": (WAITING_HALL, TICKETS, CAFE, names.BATH, SHOP_FLOOR, STOREROOM),
}
ESSENTIALS: dict[str, tuple[str, ...]] = {
    names.LIVING: ("sofa", "tv stand", "bookshelf"),
    names.KITCHEN: ("kitchen counter", "stove", "fridge", "kitchen counter", "dishwasher"),
    names.BED: ("bed", "nightstand", "wardrobe"),
    names.BATH: ("toilet", "sink", "bathtub", "shower"),
    names.DINING: ("dining table", "cabinet"),
    names.STUDY: ("desk", "bookshelf"),
    names.KIDS: ("bed", "desk", "wardrobe"),
    names.LAUNDRY: ("washing machine", "sink", "cabinet"),
    names.GYM: ("exercise bike", "cabinet", "bench"),
    names.HALL: ("shoe rack", "dresser"),
    OFFICE: ("desk", "desk", "cabinet", "bookshelf"),
    MEETING: ("dining table", "cabinet", "tv stand"),
    SHOP_FLOOR: ("kitchen counter", "bookshelf", "bookshelf", "cabinet", "dresser"),
    STOREROOM: ("cabinet", "bookshelf", "shoe rack", "cabinet"),
    CAFE: ("dining table", "kitchen counter", "fridge", "cabinet"),
    WORK_KITCHEN: ("kitchen counter", "stove", "kitchen counter", "dishwasher", "fridge", "sink"),
    WAITING_HALL: ("bench", "bench", "cabinet", "bookshelf"),
    TICKETS: ("desk", "kitchen counter", "cabinet"),
    TERRACE: ("dining table", "bench", "cabinet"),
    LAWN: ("bench", "tree", "side table"),
    VEGETABLES: ("bench", "cabinet"),
    SHED: ("cabinet", "shoe rack", "cabinet"),
    PATH: ("bench", "side table"),
}
ROOM_NAMES: tuple[str, ...] = tuple(sorted(ESSENTIALS))
# Rooms of homes whose objects a room may also contain.
LIKE: dict[str, tuple[str, ...]] = {
    OFFICE: (names.STUDY,),
    MEETING: (names.STUDY, names.DINING),
    SHOP_FLOOR: (names.LIVING, names.KITCHEN, names.HALL),
    STOREROOM: (names.LAUNDRY, names.HALL),
    CAFE: (names.DINING, names.KITCHEN),
    WORK_KITCHEN: (names.KITCHEN,),
    WAITING_HALL: (names.HALL, names.LIVING),
    TICKETS: (names.STUDY, names.HALL),
    SHED: (names.LAUNDRY, names.GARDEN),
    **dict.fromkeys(OPEN_AIR, (names.GARDEN,)),
}


def programme(use: str) -> tuple[str, ...]:
    if use not in PROGRAMMES:
        raise BadInput(f"a building is one of {', '.join(PROGRAMMES)}; got '{use}'")
    return PROGRAMMES[use]
