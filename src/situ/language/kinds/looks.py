"""What a thing looks like and how large it is."""

from situ import questions as q
from situ.language.kind import Saying, cue, declare, phrase
from situ.language.phrasing import metres
from situ.language.words import COLOURS


def _looks(said: Saying) -> str:
    several = " and " in said.value
    name = said.question.which.plural if several else f"{said.question.which.singular} is"
    return f"The {name}{' are' if several else ''} {said.value}."


_COLOUR = f"({'|'.join(COLOURS)})"
declare(
    q.LooksLike, "name", _looks,
    "(what|which) (color|colors) @be {about}",
    "(what is|what was)? (the)? color of {about}",
    "(what|which) color (does|did|do) {about} have",
    "what color {about} (is|are|was)",
    f"(is|are|was) {{about}} {_COLOUR} (or {_COLOUR})?",
    phrase("what @be {about} made (of|out of|from)", attribute="material"),
    phrase("(what|which) material @be {about}", attribute="material"),
    phrase("what is the material of {about}", attribute="material"),
    cues=(
        "color thing +what +which +how +list",
        "color thing place +what +which +how",
        "color relation things +what +which +how",
    ),
)  # fmt: skip


def _size(said: Saying) -> str:
    name, numbers = said.question.which.singular, said.numbers
    if said.question.side != "longest":
        word = {"height": "tall", "width": "wide"}[said.question.side]
        return f"The {name} is {metres(numbers['side_m'], said.unit or 'cm')} {word}."
    sides = " x ".join(f"{100 * numbers[key]:.0f}" for key in ("width_m", "depth_m", "height_m"))
    return (
        f"The {name} is {metres(numbers['side_m'], said.unit or 'cm')} along its longest side ({sides} cm)."
    )


declare(
    q.SizeOf, "measure", _size,
    phrase("how (tall|high) @be {about}", side="height"),
    phrase("(what is)? (the)? height of {about}", side="height"),
    phrase("how (wide|broad|thick|deep) @be {about}", side="width"),
    phrase("(what is)? (the)? (width|depth) of {about}", side="width"),
    "how (big|large|long|small|huge) @be {about}",
    "(what is|what are)? (the)? (size|dimensions|length|measurements) of {about}",
    "what size @be {about}",
    "how (big|large|long) {about} (is|are)",
    "how much space does {about} (take|take up|need)",
    cues=(
        cue("tall thing +what +how +size +yes/no", side="height"),
        "size thing +what +how +yes/no +list",
    ),
)  # fmt: skip
declare(
    q.LongestSide, "measure", lambda said: f"{said.value} cm.",
    "what is the length of the longest dimension length (,)? width (,)? or height of {which} (,)? measured",
    phrase("how many (centimeters|cm) long is the longest side of {which}"),
    phrase("what is the length of the longest dimension length width or height of {which} measured in "
    "centimeters"),
)  # fmt: skip
