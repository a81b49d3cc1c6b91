"""What a thing looks like and how large it is."""

from situ import questions as q
from situ.language.kind import Saying, cue, declare, phrase
from situ.language.phrasing import metres


def _looks(said: Saying) -> str:
    several = " and " in said.value
    name = said.question.which.plural if several else f"{said.question.which.singular} is"
    return f"The {name}{' are' if several else ''} {said.value}."


declare(
    q.LooksLike, "name", _looks,
    "(what|which) (color|colors) @be {which}",
    "(what is|what was)? (the)? color of {which}",
    "(what|which) color (does|did|do) {which} have",
    "what color {which} (is|are|was)",
    phrase("what @be {which} made (of|out of|from)", attribute="material"),
    phrase("(what|which) material @be {which}", attribute="material"),
    phrase("what is the material of {which}", attribute="material"),
    cues=(
        "color thing +what +which +how +list",
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
    phrase("how (tall|high) @be {which}", side="height"),
    phrase("(what is)? (the)? height of {which}", side="height"),
    phrase("how (wide|broad|thick|deep) @be {which}", side="width"),
    phrase("(what is)? (the)? (width|depth) of {which}", side="width"),
    "how (big|large|long|small|huge) @be {which}",
    "(what is|what are)? (the)? (size|dimensions|length|measurements) of {which}",
    "what size @be {which}",
    "how (big|large|long) {which} (is|are)",
    "how much space does {which} (take|take up|need)",
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
