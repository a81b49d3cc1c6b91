"""English words: singular forms, true synonyms, and which adjectives are attributes."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from situ.english import singular as singular

TITLES = frozenset(["mr", "mrs", "ms", "miss", "dr"])  # of people by name

# Each line names one thing. Only words that any speaker would swap stand together: a mug is not a glass.
SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split(", "))
    for line in [
        "sofa, couch, settee",
        "tv, television, telly, tv set, television set",
        "fridge, refrigerator, icebox",
        "lift, elevator",
        "bin, trash can, garbage can, trash bin, dustbin, rubbish bin, waste bin, wastebasket, garbage bin, "
        "litter bin, waste basket, trash",
        "phone, mobile phone, cell phone, cellphone, smartphone, mobile, handset, telephone",
        "laptop, notebook computer, laptop computer",
        "cupboard, cabinet",
        "sink, washbasin, basin, wash basin, washing basin",
        "tap, faucet",
        "stairs, staircase, stairway",
        "rucksack, backpack, knapsack",
        "curtain, drape",
        "stove, cooker, hob, cooktop",
        "bike, bicycle",
        "car, automobile",
        "sneaker, trainer",
        "glasses, eyeglasses, spectacles, reading glasses",
        "remote, remote control, tv remote",
        "monitor, computer monitor",
        "bookshelf, bookcase",
        "nightstand, bedside table, night table, bedside cabinet",
        "toilet, loo, lavatory",
        "letterbox, mailbox",
        "jumper, sweater, pullover",
        "bathtub, bath, tub, bath tub",
        "wardrobe, armoire, closet",
        "dresser, chest of drawers",
        "beanbag, bean bag",
        "torch, flashlight",
        "vacuum cleaner, vacuum, hoover",
        "washing machine, washer",
        "dryer, tumble dryer",
        "hairdryer, hair dryer, blow dryer",
        "handbag, purse",
        "pram, stroller, buggy, pushchair",
        "napkin, serviette",
        "spanner, wrench",
        "trolley, cart, shopping cart",
        "kitchen counter, worktop, countertop, counter top, kitchen worktop",
        "plant, potted plant, pot plant, houseplant, house plant",
        "picture frame, photo frame",
        "soap bottle, soap dispenser",
        "tissue box, box of tissues, tissues",
        "teddy bear, teddy",
        "cutting board, chopping board",
        "alarm clock, alarm",
        "coffee machine, coffee maker, coffeemaker",
        "trousers, pants",
        "computer, pc, desktop computer",
        "keys, key, bunch of keys, set of keys, keyring",
        "tv stand, television stand, tv bench",
        "housemate, flatmate, roommate",
        "stool, footstool",
        "doormat, door mat",
        "pet bed, dog bed, cat bed, dog basket",
        "sculpture, statue",
        "aquarium, fish tank",
        "shoes, pair of shoes, shoe",
    ]
)
# General words, and the kinds of things that they stand for by what these are for: a shoe is no seat.
_SEATS = frozenset(["sofa", "armchair", "chair", "stool", "bench", "ottoman", "beanbag"])
_STORAGE = frozenset(
    ("wardrobe", "bookshelf", "cabinet", "dresser", "shelf", "shoe rack", "coat rack", "tv stand", "chest")
)
GENERAL: dict[str, frozenset[str]] = {
    "seat": _SEATS,
    "furniture": _SEATS | _STORAGE | {"table", "desk", "nightstand", "bed", "crib", "kitchen counter"},
    "appliance": frozenset(
        ("fridge", "stove", "dishwasher", "washing machine", "dryer", "oven", "microwave", "kettle",
         "toaster", "coffee machine", "vacuum cleaner")
    ),
    "crockery": frozenset(("cup", "mug", "bowl", "plate", "saucer", "teapot", "glass", "jug")),
    "cutlery": frozenset(("knife", "fork", "spoon")),
    "instrument": frozenset(("piano", "guitar", "violin", "drum", "keyboard")),
}  # fmt: skip
_SAME_GENERAL = {"appliances": "appliance", "dish": "crockery", "seating": "seat", "place to sit": "seat",
                 "musical instrument": "instrument"}  # fmt: skip
MASS = frozenset({"furniture", "crockery", "cutlery", "seating"})  # words for many that have no plural
PLACE_SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split(", "))
    for line in [
        "living room, lounge, sitting room, front room, family room, living area",
        "bathroom, bath room, restroom, rest room, washroom, shower room, toilet, toilets, loo, wc, lavatory",
        "laboratory, lab",
        "storage room, storage, store room, storeroom, stock room, store",
        "copy room, copying room, photocopy room, printer room",
        "canteen, cafeteria",
        "reception, lobby, front desk, reception area",
        "hallway, hall, corridor, entrance hall, entry, entryway, passage",
        "study, office, home office, study room",
        "children's room, kids room, kids' room, kid's room, nursery, child's room, childrens room",
        "laundry room, utility room, laundry, washing room, utility",
        "dining room, dining area, dining",
        "bedroom, bed room",
        "garden, yard, backyard, back yard, outside, outdoors",
        "kitchen, kitchen area, kitchenette",
        "hobby room, gym, home gym, exercise room",
    ]
)
# What is called so and not known is a place that was never entered, rather than a thing that was never seen.
PLACE_NAMES = frozenset().union(*PLACE_SYNONYMS) | frozenset(
    {
        "attic",
        "cellar",
        "basement",
        "garage",
        "loft",
        "balcony",
        "terrace",
        "porch",
        "pantry",
        "shed",
        "lobby",
    }
)
# A solid goes by these names too, but a thing that is labelled "box" is not a cuboid.
SOLID_NAMES = {"cube": "cuboid", "box": "cuboid", "block": "cuboid", "ball": "sphere", "globe": "sphere"}
# "A toy car" is no car: what these words stand before is not a kind of what they name.
UNLIKE = frozenset(
    [
        "toy",
        "model",
        "bean",
        "pet",
        "teddy",
        "tissue",
        "doll",
        "dog",
        "cat",
        "baby",
        "paper",
        "play",
        "fake",
        "picture",
        "coffee",
        "soap",
        "shoe",
        "shower",
        "hot",
        "light",
        "match",
        "pencil",
        "sea",
        "water",
        "horse",
        "key",
        "hand",
        "foot",
        "eye",
        "ear",
        "air",
        "wine",
        "beer",
        "egg",
        "salt",
        "pepper",
        "tool",
        "book",
        "ironing",
        "cutting",
        "chopping",
        "skate",
        "snow",
        "surf",
        "key",
        "mouse",
        "dash",
        "card",
        "score",
        "black",
        "white",
        "street",
        "litter",
        "park",
        "tv",
        "washing",
    ]
)
LIKE = frozenset(
    {  # and those in which it is one after all
        "coffee table", "picture frame", "soap bottle", "shoe rack", "street lamp", "park bench", "litter "
        "bin",
        "wine bottle", "wine glass", "water bottle", "coffee cup", "coffee mug", "coffee pot", "beer "
        "bottle", "tv stand",
        "baby chair", "paper towel", "book shelf", "shower curtain", "hand towel", "washing "
        "basket", "light switch",
        "coffee machine", "white board",
    }
)  # fmt: skip
COLOURS = (
    *("red", "green", "blue", "yellow", "purple", "brown", "black", "orange", "white", "grey", "gray"),
    *(
        "pink",
        "silver",
        "gold",
        "golden",
        "beige",
        "turquoise",
        "violet",
        "teal",
        "cyan",
        "olive",
        "cream",
        "navy",
    ),
)
SAME_VALUE = {"gray": "grey", "violet": "purple", "golden": "gold", "colour": "color"}
ATTRIBUTE_OF = {
    **dict.fromkeys(COLOURS, "color"),
    **dict.fromkeys(("wooden", "metal", "glass", "plastic", "leather", "ceramic", "stone"), "material"),
    **dict.fromkeys(("small", "large", "big", "tiny", "huge"), "size"),
    **dict.fromkeys(("open", "closed", "full", "empty", "broken"), "state"),
}
ANYTHING = frozenset({"object", "thing", "item", "one", "something", "anything", "stuff"})
# Adjectives that name nothing that a memory holds.
IDLE = frozenset(
    [
        "damn",
        "bloody",
        "stupid",
        "favourite",
        "favorite",
        "own",
        "old",
        "new",
        "lovely",
        "silly",
        "good",
        "nice",
        "beloved",
        "precious",
        "usual",
        "dear",
        "actual",
        "colored",
        "coloured",
        "little",
        "other",
        "whole",
        "entire",
        "same",
        "current",
    ]
)
# "A101", "B-12", "4x4"; a number with its unit or ending is none.
_CODE = re.compile(r"(?=[a-z.-]*\d)(?=[\d.-]*[a-z])[a-z\d][a-z\d.-]*")
_QUANTITY = re.compile(r"\d[\d.:]*(?:st|nd|rd|th|am|pm|mm|cm|m|km|ft|in|s|sec|min|h|hr|d|x)?s?")
_ARTICLES = re.compile(
    r"^(?:the|a|an|my|your|our|his|her|their|this|that|these|those|some|any|all|different|of|every|each|"
    r"both|pair of|pairs of|"
    r"many|more|single|no|mine)\s+"
)


def is_code(word: str) -> bool:
    """Whether a word tells one thing from all others, and means nothing else: letters and digits."""
    return _CODE.fullmatch(word) is not None and _QUANTITY.fullmatch(word) is None


def without_articles(phrase: str) -> str:
    phrase = phrase.strip()
    while True:
        shorter = _ARTICLES.sub("", phrase)
        if shorter == phrase:
            return phrase
        phrase = shorter


@cache
def same_thing(name: str) -> frozenset[str]:
    """A name and its true synonyms, in the singular."""
    one = singular(name)
    groups = [frozenset(map(singular, group)) for group in SYNONYMS if one in group or name in group]
    solid = {SOLID_NAMES[one]} if one in SOLID_NAMES else set()
    return frozenset({one, name}).union(solid, *groups)


@cache
def same_place(name: str) -> frozenset[str]:
    """A place's name and its true synonyms."""
    groups = [group for group in PLACE_SYNONYMS if name in group]
    return frozenset({name, name.removesuffix(" room"), f"{name} room"}).union(*groups)


_SIZES = frozenset({"giant", "big", "small", "large", "little", "mini", "huge", "tiny", "tall", "old", "new"})


def of_general(word: str, labels: Iterable[str]) -> tuple[str, ...]:
    """Those of some names that a general word stands for: of "seat" the chairs and the sofas."""
    one = singular(word)
    kinds = GENERAL.get(_SAME_GENERAL.get(one, one), frozenset())
    return tuple(label for label in sorted(labels) if _is_one_of(label.lower(), kinds))


def _is_one_of(name: str, kinds: frozenset[str]) -> bool:
    return not kinds.isdisjoint(same_thing(name)) or any(short_for(kind, name) for kind in kinds)


def general_word(names: Sequence[str]) -> str:
    """The general word for many kinds, the narrowest; "" if there is none."""
    fit = [word for word, kinds in GENERAL.items() if all(_is_one_of(name, kinds) for name in names)]
    return min(fit, key=lambda word: len(GENERAL[word]), default="")


def short_for(name: str, fuller: str) -> bool:
    """Whether a name is short for a fuller one: a floor lamp is a lamp, a toy car is no car."""
    *before, noun = fuller.split(" ")
    if before and before[0] in _SIZES and " ".join([*before[1:], noun]) == name:
        return True
    if not before or noun != name:
        return False
    return fuller in LIKE or before[-1] not in UNLIKE
