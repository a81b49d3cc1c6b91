"""Numbers, directions and lists as people say them."""

from situ.geometry.heading import SECTORS
from situ.questions.rules.listing import NOTHING, SEPARATOR, joined

DIRECTION_WORDS = {
    "front": "in front of you", "front right": "ahead to your right", "right": "to your right",
    "back right": "behind you to your right", "back": "behind you", "back left": "behind you to your left",
    "left": "to your left", "front left": "ahead to your left", "same location": "right where you are",
}  # fmt: skip
assert set(SECTORS) < set(DIRECTION_WORDS)
QUARTER_WORDS = {
    "front": "in front of you", "back": "behind you", "left": "on your left", "right": "on your right",
    "": "around you",
}  # fmt: skip
_PER_METRE = {
    "ft": 3.28084,
    "in": 39.3701,
    "yd": 1.09361,
    "cm": 100.0,
    "mm": 1000.0,
    "km": 0.001,
    "mi": 0.000621371,
}
_NAMES = {"ft": "feet", "in": "inches", "yd": "yards", "cm": "cm", "mm": "mm", "km": "km", "mi": "miles"}
STEP_M = 0.7
MOST_SAID = 12  # of a list; `--json` has all of it


def metres(distance: float, unit: str = "") -> str:
    """A length in the unit that was asked for."""
    if unit == "steps":
        return f"about {max(1, round(distance / STEP_M))} steps"
    if unit in _PER_METRE:
        number = distance * _PER_METRE[unit]
        return f"{number:.0f} {_NAMES[unit]}" if number >= 10 else f"{number:.1f} {_NAMES[unit]}"
    return f"{distance:.1f} m"


def listed(value: str, nothing: str) -> str:
    """ "a, b" as "a and b"; a word of its own where there is nothing; no more than a listener can hold."""
    if value == NOTHING:
        return nothing
    parts = value.split(SEPARATOR)
    rest = len(parts) - MOST_SAID
    return joined(parts) if rest < 2 else joined([*parts[:MOST_SAID], f"{rest} more"])


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]
