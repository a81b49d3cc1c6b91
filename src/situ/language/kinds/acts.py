"""What was put down, used up and added, and which way to turn."""

from situ import questions as q
from situ.language.kind import Saying, declare, phrase
from situ.language.phrasing import DIRECTION_WORDS, upper

_PUT_DOWN = "(put down {anchor}|put {anchor} down)"


def _when_put(said: Saying) -> str:
    which, anchor = said.question.which.singular, said.question.anchor.singular
    return f"The {which} was {DIRECTION_WORDS[said.value]} when you put down the {anchor}."


declare(
    q.WhereWhenPut, "choice", _when_put,
    f"when @i last {_PUT_DOWN} (,)? in (which|what) direction from (me|us|you) was {{which}}",
    f"when @i last {_PUT_DOWN} (,)? where was {{which}}",
    f"where was {{which}} when @i last {_PUT_DOWN}",
    asked=lambda question: (
        f"where was the {question.which.singular} when I put down the {question.anchor.singular}"
    ),
)  # fmt: skip


def _when_first_seen(said: Saying) -> str:
    which, anchor = said.question.which.singular, said.question.anchor.singular
    return f"The {which} was {DIRECTION_WORDS[said.value]} when you first saw the {anchor}."


declare(
    q.WhereWhenFirstSeen, "choice", _when_first_seen,
    "when @i first (came upon|saw|noticed) {anchor} (,)? in (which|what) direction from (me|us|you) was "
    "{which}",
    "(when|the first time) @i (first)? (saw|came upon) {anchor} (,)? where was {which} (from (me|us|you))?",
    "where was {which} when @i first (saw|came upon) {anchor}",
    asked=lambda question: (
        f"where was the {question.which.singular} when I first saw the {question.anchor.singular}"
    ),
)  # fmt: skip


def _when_entered(said: Saying) -> str:
    which, place = said.question.which.singular, said.question.place
    return f"The {which} was {DIRECTION_WORDS[said.value]} when you first entered the {place}."


declare(
    q.WhereWhenEntered, "choice", _when_entered,
    "when @i first (entered|came into|walked into|went into) {place} (,)? in (which|what) direction from "
    "(me|us|you) was {which}",
    "(when|the first time) @i (first)? (entered|came into|walked into|went into) {place} (,)? where was "
    "{which} (from (me|us|you))?",
    "where was {which} when @i first (entered|came into|walked into|went into) {place}",
    asked=lambda question: (
        f"where was the {question.which.singular} when I first entered the {question.place}"
    ),
)  # fmt: skip
declare(
    q.TurnsAfter, "choice",
    lambda said: f"You turned {said.value}.",
    phrase("(which|what) turns did @i take first (,)? in the {seconds} seconds after @i last put down "
           "{which}", needs="options"),
    phrase("after @i last put {which} down @i walked on (:|,)? which two turns came first (,)? within "
           "{seconds} seconds", needs="options"),
)  # fmt: skip


def _turn(said: Saying) -> str:
    return f"To {said.question.name}: {said.value}."


declare(
    q.TurnTowards, "choice", _turn,
    "(which|what) way (do|must|should) @i (have to)? turn to (walk|go|get|look) (toward|to|at) {about}",
    "(which|what) way to turn (for|to) {about}",
)  # fmt: skip


def _times_put(said: Saying) -> str:
    number = int(said.answer.value)
    times = "once" if number == 1 else "never" if number == 0 else f"{number} times"
    return (
        f"You {'have ' if number == 0 else ''}put something on the {said.question.anchor.singular} {times}."
    )


declare(
    q.TimesPut, "count", _times_put,
    "how (many times|often) (have|did) @i (put|place|placed) (something|anything|things) (on or into|on|"
    "onto|into|in) {anchor}",
)  # fmt: skip
declare(
    q.KindsOn, "count",
    lambda said: f"{said.value} kinds of things on the {said.question.anchor.singular}, as far as I know.",
    "how many (different)? (kinds|sorts|types) of things are (there)? on {anchor} (now)? (,)? (as far as @i "
    "have seen)?",
)  # fmt: skip


def _gone(said: Saying) -> str:
    number, which = int(said.answer.value), said.question.which
    name = which.singular if number == 1 else which.plural
    return f"{number} {name} {'came' if said.question.added else 'went'} since then."


declare(
    q.GoneSince, "count", _gone,
    phrase("how many {which} (did @i|have @i) (use up|used up|finish|lose|take away)", needs="time"),
    phrase("how many {which} (have|are) (gone|missing|disappeared)", needs="time"),
    phrase("how many {which} (did @i|have @i) (add|added|get|bring)", needs="time", added=True),
    phrase("how many {which} (have)? (come|arrived|been added)", needs="time", added=True),
)  # fmt: skip
declare(
    q.MovedByOther, "choice", lambda said: f"{upper(said.value)}.",
    phrase("(which|what) (of these)? did (someone|anyone) else (than (me|you))? move last", needs="options"),
    asked=lambda question: "what did somebody else move last",
)  # fmt: skip
