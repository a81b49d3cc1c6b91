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


class Sample(NamedTuple):
    form: str
    options: tuple[str, ...]
    reply: str
    right: str | None


def forms() -> dict[str, list[str]]:
    """Forms by kind; those of the last kind claim nothing, or two things."""
    found: dict[str, list[str]] = {}
    for line in (Path(__file__).parent / "reply_forms.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("=="):
            kind = line.strip("= ")
            found[kind] = []
        elif line.startswith("|"):
            found[kind].append(_unescaped(line[1:]))
    return found


def filled(form: str, options: tuple[str, ...], place: int) -> str:
    """A form that claims the option at a place."""
    other, third = (place + 1) % len(options), (place + 2) % len(options)
    return form.format(
        L=chr(65 + place), l=chr(97 + place), T=options[place], M=chr(65 + other), N=chr(65 + third),
        MT=options[other], wide=chr(0xFF21 + place), circled=chr(0x24B6 + place), round=chr(0x1F150 + place),
        boxed=chr(0x1F170 + place), flag=chr(0x1F1E6 + place), squared=chr(0x1F130 + place),
        paren=chr(0x249C + place), bold=chr(0x1D400 + place), mono=chr(0x1D670 + place),
        TU=options[place].upper(), TL=options[place].lower(), ord=ORDINALS[place],
        LIST="\n".join(f"{chr(65 + i)}. {option}" for i, option in enumerate(options)),
    )  # fmt: skip


def corpus(tasks: tuple[str, ...] = tuple(TASKS)) -> Iterator[Sample]:
    """Every form with every letter of the tasks."""
    known = forms()
    for options in (TASKS[task] for task in tasks):
        for place, right in enumerate(options):
            for kind, some in known.items():
                for form in some:
                    reply = filled(form, options, place)
                    yield Sample(form, options, reply, None if kind == UNCLEAR else right)


def _unescaped(line: str) -> str:
    for written, meant in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t")):
        line = line.replace("\\\\", "\0").replace(written, meant).replace("\0", "\\\\")
    return unicodedata.normalize("NFC", line.replace("\\\\", "\\"))
