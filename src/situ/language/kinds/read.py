"""Kinds that only benchmarks ask: read by the same grammar, so that `ask` can be scored on them."""

from situ import questions as q
from situ.language.kind import Saying, declare, phrase


def _value(said: Saying) -> str:
    return f"{said.value[:1].upper()}{said.value[1:]}."


AT_THE_CUT = 0.0  # words do not say when that is: who shows the clips puts it in
_PLACE = "(place (,)? {words})?"
_JOINS = f"{_PLACE} the video joins two clips of this place (,)? filmed at different times"
declare(
    q.WhatChanged, "choice", _value,
    phrase(f"{_JOINS} between them (exactly)? one thing changed (,)? what changed {{words}}", needs="options",
           split=AT_THE_CUT),
    asked=lambda question: "what changed",
)  # fmt: skip
declare(
    q.WhatHappenedTo, "choice", _value,
    phrase(f"{_JOINS} what happened to {{thing}} between the clips", split=AT_THE_CUT),
    asked=lambda question: f"what happened to the {question.thing.singular}",
)  # fmt: skip
declare(
    q.UniqueObjects, "list", _value,
    phrase("which kinds of things can be seen in these frames name each kind once"),
    phrase("list the different kinds of things that these frames show (,)? each only once"),
)  # fmt: skip
declare(
    q.UseShown, "choice", _value,
    phrase("for which of these purposes is an object made that can be seen in these frames", needs="options"),
    phrase("which of these things could you do with an object that these frames show", needs="options"),
)  # fmt: skip
declare(
    q.RoutePlan, "route", _value,
    phrase("you stand at {start} and look at {facing} (,)? your way is (,)? {steps} (,)? which turns belong "
    "in the gaps (,)? left (,)? right or back",
           needs="options"),
)  # fmt: skip
