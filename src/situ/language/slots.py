"""What patterns of sentences are made of: shorthand for words, and slots with what may stand in them."""

from functools import cache

SHORTHAND = {
    "@be": "(is|are|was|were|be)",
    "@i": "(i|we|you)",
    "@my": "(my|our|your|the)",
    "@did": "(did|have|had|has|do|does|could|might|would|should)",
    "@put": "(put|leave|left|place|placed|set|set down|put down|lay|stash|keep|kept|store|drop|dropped|"
    "have|had|"
    "last put|last leave|last left|last have|last had|last saw|last see|see|saw|seen|last seen|last use|"
    "use|find)",
    "@move": "(move|moved|carry|carried|shift|shifted|pick up|picked up|take|took|taken|put down|touch|"
    "touched|"
    "handle|handled|pick|displace|displaced|relocate|relocated|transport|transported|grab|grabbed)",
    "@see": "(see|saw|seen|notice|noticed|come across|came across|encounter|spot|spotted|look at|pass)",
    "@here": "(here|in here|around here|in this (room|place)|in the room|this room|in (my|our|the) (house|"
    "home|flat|"
    "apartment|place)|over here|there)",
    "@more": "(closer|nearer)",
    "@most": "(closest|nearest)",
    "@things": "(things|thing|object|item|all things|all|everything)",
    "@someone": "(someone|anyone|anybody|somebody|i|we|you|they)",
    "@last": "(last|most recently|recently|latest|previously|just)",
}
DIRECTIONS = {
    "front": "in front of me|in front of us|ahead of me|ahead of us|before me|straight ahead|right ahead|"
    "directly ahead|"
    "ahead|in front|facing me|opposite me|in front of you|on the way ahead|in my way|"
    "in my path|blocking my way",
    "back": "behind me|behind us|in back of me|at my back|behind my back|behind|directly behind me|right "
    "behind me|"
    "behind you|to the rear|at the back of me|to my rear|at my rear|backwards|if i step back|one step back|"
    "if i turn around|if i turned around",
    "left": "on my left|to my left|to the left of me|on the left of me|left of me|on the left|to the left|"
    "on my left side|on my left hand side|on my left hand|on the left side|on the left hand side|at my left|"
    "to my left side|at the left|to your left|on your left|off to my left|off to the left",
    "right": "on my right|to my right|to the right of me|on the right of me|right of me|on the right|to "
    "the right|"
    "on my right side|on my right hand side|on my right hand|on the right side|on the right hand side|at "
    "my right|"
    "to my right side|at the right|to your right|on your right|off to my right|off to the right",
}
RELATIONS = {
    "on": "on top of|on|upon|onto|atop",
    "near": "next to|beside|near to|near|close to|closest to|by|around|adjacent to|alongside|besides|"
    "nearby|nearest to|"
    "in the vicinity of|at|with",
    "under": "under|underneath|beneath|below",
    "above": "above|over",
    "inside": "inside of|inside|within|in",
    "behind": "behind|in back of|at the back of|in the back of",
    "in front of": "in front of|before|opposite",
    "left of": "to the left of|on the left of|on the left side of|on the left hand side of|left of|to the "
    "left side of",
    "right of": "to the right of|on the right of|on the right side of|on the right hand side of|right of|"
    "to the right side of",
}
CLOSED = {"direction": DIRECTIONS, "relation": RELATIONS}
NUMBERS = frozenset({"seconds", "size", "metres", "within_m"})
NUMBER_WORDS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
LISTS = frozenset({"things", "candidates", "steps", "words"})
THINGS = frozenset(
    {"which", "first", "second", "thing", "anchor", "target", "standing", "start", "facing", "other"}
)
SLOTS = (
    frozenset({*CLOSED, "about", "bare", "place", "goal", "room", "within", "many"})
    | NUMBERS
    | LISTS
    | THINGS
)


@cache
def closed_words(slot: str) -> dict[str, str]:
    """What each wording of a closed slot means."""
    return {words: value for value, many in CLOSED[slot].items() for words in many.split("|")}
