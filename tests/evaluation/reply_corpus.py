"""Replies as models write them, with the reading that a person gives them at once.

Every form of `reply_forms.txt` is filled with every letter of a task: no reading may hang on the letter.
"""

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TASKS = {
    "directions": ("left", "right", "front", "back"),
    "ways": ("front left", "left", "back right", "behind", "same location"),
    "order": ("before", "after", "same time"),
    "yes and no": ("no", "yes", "cannot be told"),
    "rooms": ("Kitchen", "Bedroom / Hotel", "Living room / Lounge", "Office", "Bathroom"),
    "things": ("the red chair", "a table", "trash bin", "lamp"),
    "shapes": ("straight line", "zigzag", "circle", "L-shaped turn"),
    "plans": (
        "Turn left, walk 3 m, turn right",
        "Turn right, walk 3 m, turn left",
        "Turn around and walk back",
    ),
    "counts": ("2", "3", "4", "12"),
}
UNCLEAR = "unclear"
ORDINALS = ("first", "second", "third", "fourth", "fifth")


class Form(NamedTuple):
    """A form of replies; `unlike` is a word that means something else where an option has it ("B: no")."""

    text: str
    kind: str
    unlike: str = ""

    def suits(self, options: tuple[str, ...]) -> bool:
        return not self.unlike or not any(self.unlike in option.lower().split() for option in options)


class Sample(NamedTuple):
    form: str
    options: tuple[str, ...]
    reply: str
    right: str | None


def forms() -> list[Form]:
    """Every form; those of the kind `UNCLEAR` claim nothing, or two things."""
    found = []
    for line in (Path(__file__).parent / "reply_forms.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("=="):
            kind = line.strip("= ")
        elif "|" in line and not line.startswith("#"):
            unlike, text = line.split("|", 1)
            found.append(Form(_unescaped(text), kind, unlike))
    return found


def filled(form: str, options: tuple[str, ...], place: int) -> str:
    """A form that claims the option at a place."""
    other, third = (place + 1) % len(options), (place + 2) % len(options)
    return form.format(
        L=chr(65 + place), l=chr(97 + place), T=options[place], M=chr(65 + other), N=chr(65 + third),
        MT=options[other], wide=chr(0xFF21 + place), circled=chr(0x24B6 + place), bold=chr(0x1D400 + place),
        TU=options[place].upper(), TL=options[place].lower(), ord=ORDINALS[place],
        LIST="\n".join(f"{chr(65 + i)}. {option}" for i, option in enumerate(options)),
    )  # fmt: skip


def in_turn() -> Iterator[Sample]:
    """Every form with every letter of one task, the tasks taking turns."""
    for number, form in enumerate(forms()):
        suited = [options for options in TASKS.values() if form.suits(options)]
        yield from _samples(form, suited[number % len(suited)])


def _samples(form: Form, options: tuple[str, ...]) -> Iterator[Sample]:
    for place, right in enumerate(options if form.suits(options) else ()):
        reply = filled(form.text, options, place)
        yield Sample(form.text, options, reply, None if form.kind == UNCLEAR else right)


def _unescaped(line: str) -> str:
    for written, meant in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t")):
        line = line.replace("\\\\", "\0").replace(written, meant).replace("\0", "\\\\")
    return unicodedata.normalize("NFC", line.replace("\\\\", "\\"))
