"""English words: singular forms, true synonyms, and which adjectives are attributes."""

import re

# Each line names one thing. Only words that any speaker would swap stand together: a mug is not a glass.
SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split(", "))
    for line in [
        "sofa, couch, settee",
        "tv, television, telly, tv set, television set",
        "fridge, refrigerator",
        "lift, elevator",
        "bin, trash can, garbage can, trash bin, dustbin, rubbish bin, waste bin, wastebasket",
        "phone, mobile phone, cell phone, cellphone, smartphone, mobile",
        "laptop, notebook computer, laptop computer",
        "cupboard, cabinet",
        "sink, washbasin, basin",
        "tap, faucet",
        "stairs, staircase, stairway",
        "rucksack, backpack",
        "curtain, drape",
        "stove, cooker, hob",
        "bike, bicycle",
        "car, automobile",
        "sneaker, trainer",
        "glasses, eyeglasses, spectacles",
        "remote, remote control, tv remote",
        "monitor, computer monitor",
        "bookshelf, bookcase",
        "nightstand, bedside table",
        "toilet, loo",
        "letterbox, mailbox",
        "jumper, sweater, pullover",
    ]
)
# A solid goes by these names too, but a thing that is labelled "box" is not a cuboid.
SOLID_NAMES = {"cube": "cuboid", "box": "cuboid", "block": "cuboid", "ball": "sphere", "globe": "sphere"}
_COLORS = (
    *("red", "green", "blue", "yellow", "purple", "brown", "black", "orange", "white", "grey", "gray"),
    *("pink", "silver", "gold", "beige", "turquoise", "violet", "dark", "light"),
)
SAME_VALUE = {"gray": "grey", "violet": "purple"}
ATTRIBUTE_OF = {
    **dict.fromkeys(_COLORS, "color"),
    **dict.fromkeys(("wooden", "metal", "glass", "plastic", "leather", "ceramic", "stone"), "material"),
    **dict.fromkeys(("small", "large", "big", "tiny", "huge"), "size"),
    **dict.fromkeys(("open", "closed", "full", "empty", "broken"), "state"),
}
ANYTHING = frozenset({"object", "thing", "item", "one"})
_IRREGULAR = {
    "shelves": "shelf", "knives": "knife", "loaves": "loaf", "people": "person", "children": "child",
    "men": "man", "women": "woman", "mice": "mouse", "feet": "foot", "leaves": "leaf",
    "bookshelves": "bookshelf",
    "stairs": "stairs", "glasses": "glasses", "scissors": "scissors", "keys": "key", "trousers": "trousers",
    "bus": "bus", "chess": "chess", "canvas": "canvas",
}  # fmt: skip
_ARTICLES = re.compile(
    r"^(?:the|a|an|my|your|our|his|her|their|this|that|these|those|some|any|all|different|of)\s+"
)


def singular(word: str) -> str:
    """ "cups" -> "cup"; a phrase keeps its other words."""
    *before, noun = word.split(" ")
    return " ".join([*before, _singular(noun)])


def _singular(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def without_articles(phrase: str) -> str:
    phrase = phrase.strip()
    while True:
        shorter = _ARTICLES.sub("", phrase)
        if shorter == phrase:
            return phrase
        phrase = shorter


def same_thing(name: str) -> frozenset[str]:
    """A name and its true synonyms, in the singular."""
    one = singular(name)
    groups = [group for group in SYNONYMS if one in group or name in group]
    solid = {SOLID_NAMES[one]} if one in SOLID_NAMES else set()
    return frozenset({one, name}).union(solid, *groups)
