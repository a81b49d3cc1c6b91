"""Each question in several wordings, in the first person (the wearer asks) and in the second."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from situ.benchmarks.clock import clock
from situ.questions import CountNow, CountRelated, GoneSince, NearestTo, Question, Selector
from situ.questions.base import to_program

FIRST, SECOND = "first", "second"
PERSONS = (FIRST, SECOND)
# {a}, {b} and {c} are things, {p} is a room, {s} seconds, {t} a time on the stream's clock.
WORDINGS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "way_after": {
        FIRST: (
            "Which way did I go in the {s} seconds after I last put down the {a}?",
            "What did I walk past, and in which order, in the {s} seconds after I last put the {a} down?",
        ),
        SECOND: (
            "Which way did you go in the {s} seconds after you last put down the {a}?",
            "What did you walk past, and in which order, in the {s} seconds after you last put the {a} down?",
        ),
    },
    "way_towards": {
        FIRST: ("What path did I take towards the {a}, in the {s} seconds before I last took it up?",),
        SECOND: ("What path did you take towards the {a}, in the {s} seconds before you last took it up?",),
    },
    "could_reach": {
        FIRST: ("Where I stood when I last put down the {b}, could I reach the {a} without taking a step?",),
        SECOND: (
            "Where you stood when you last put down the {b}, could you reach the {a} without taking a step?",
        ),
    },
    "how_far_apart": {
        FIRST: ("What is the distance between my {a} and the {b} now, where they come closest?",),
        SECOND: ("What is the distance between your {a} and the {b} now, where they come closest?",),
    },
    "kinds_before": {
        FIRST: ("Before I last put down the {a}, how many different kinds of things were on the {b}?",),
        SECOND: ("Before you last put down the {a}, how many different kinds of things were on the {b}?",),
    },
    "carried_from_to": {
        FIRST: (
            "From where to where was my {a} moved the last time?",
            "When my {a} last changed its place, where did it come from and where did it go?",
        ),
        SECOND: (
            "From where to where was your {a} moved the last time?",
            "When your {a} last changed its place, where did it come from and where did it go?",
        ),
    },
    "where_from_here": {
        FIRST: ("Where is the {a} from where I am now?", "In which direction from me is the {a} right now?"),
        SECOND: (
            "Where is the {a} from where you are now?",
            "In which direction from you is the {a} right now?",
        ),
    },
    "where_was": {
        FIRST: ("In which direction from where I am now was the {a} at {t}?",),
        SECOND: ("In which direction from where you are now was the {a} at {t}?",),
    },
    "kept_where": {
        FIRST: (
            "Where was my {a} before it was last moved?",
            "Where did my {a} lie until it was last moved?",
        ),
        SECOND: (
            "Where was your {a} before it was last moved?",
            "Where did your {a} lie until it was last moved?",
        ),
    },
    "closer_to_me": {
        FIRST: ("Which is closer to me now, the {a} or the {b}?",),
        SECOND: ("Which is closer to you now, the {a} or the {b}?",),
    },
    "can_reach": {
        FIRST: ("Can I reach the {a} from here without taking a step?",),
        SECOND: ("Can you reach the {a} from where you stand without taking a step?",),
    },
    "taken_from": {
        FIRST: ("Which of these did I take from the {a} last?", "What did I last take from the {a}?"),
        SECOND: ("Which of these did you take from the {a} last?", "What did you last take from the {a}?"),
    },
    "where_when_put": {
        FIRST: ("When I last put down the {b}, in which direction from me was the {a}?",),
        SECOND: ("When you last put down the {b}, in which direction from you was the {a}?",),
    },
    "where_when_first_seen": {
        FIRST: (
            "When I first came upon the {b}, in which direction from me was the {a}?",
            "The first time I saw the {b}, where was the {a} from me?",
        ),
        SECOND: (
            "When you first came upon the {b}, in which direction from you was the {a}?",
            "The first time you saw the {b}, where was the {a} from you?",
        ),
    },
    "where_when_entered": {
        FIRST: (
            "When I first entered the {p}, in which direction from me was the {a}?",
            "The first time I came into the {p}, where was the {a} from me?",
        ),
        SECOND: (
            "When you first entered the {p}, in which direction from you was the {a}?",
            "The first time you came into the {p}, where was the {a} from you?",
        ),
    },
    "turns_after": {
        FIRST: (
            "Which turns did I take first, in the {s} seconds after I last put down the {a}?",
            "After I last put the {a} down I walked on: which two turns came first, within {s} seconds?",
        ),
        SECOND: (
            "Which turns did you take first, in the {s} seconds after you last put down the {a}?",
            "After you last put the {a} down you walked on: which two turns came first, within {s} seconds?",
        ),
    },
    "turn_towards": {
        FIRST: ("Which way do I have to turn to walk towards the {a}?",),
        SECOND: ("Which way do you have to turn to walk towards the {a}?",),
    },
    "nearest_to": {
        FIRST: ("Which is closer to my {a} now, the {b} or the {c}?",),
        SECOND: ("Which is closer to your {a} now, the {b} or the {c}?",),
    },
    "within_reach": {
        FIRST: ("Is my {a} within an arm's length of the {b} (0.75 m at most)?",),
        SECOND: ("Is your {a} within an arm's length of the {b} (0.75 m at most)?",),
    },
    "times_put": {
        FIRST: ("How many times have I put something on or into the {a}?",),
        SECOND: ("How many times have you put something on or into the {a}?",),
    },
    "kinds_on": {
        FIRST: ("How many different kinds of things are on the {a} now, as far as I have seen?",),
        SECOND: ("How many different kinds of things are on the {a} now, as far as you have seen?",),
    },
    "count_related": {
        FIRST: ("How many {a} are on the {b} now, as far as I have seen?",),
        SECOND: ("How many {a} are on the {b} now, as far as you have seen?",),
    },
    "gone_since": {
        FIRST: ("How many {a} did I {act} since {t}?",),
        SECOND: ("How many {a} did you {act} since {t}?",),
    },
    "looks_like": {FIRST: ("What colour is my {a}?",), SECOND: ("What colour is your {a}?",)},
    "moved_by_other": {
        FIRST: ("Which of these did somebody else than me move last?",),
        SECOND: ("Which of these did somebody else than you move last?",),
    },
    "count_now": {
        FIRST: ("How many {a} are there now, of all that I have seen?",),
        SECOND: ("How many {a} are there now, of all that you have seen?",),
    },
}


class Style(NamedTuple):
    """Who speaks, and which of the wordings is taken."""

    person: str
    number: int


def draw_style(kind: str, rng: np.random.Generator) -> Style:
    person = PERSONS[int(rng.integers(2))]
    return Style(person, int(rng.integers(len(WORDINGS[kind][person]))))


def worded(question: Question, style: Style) -> str:
    """The question in words."""
    return WORDINGS[question.kind][style.person][style.number].format(**blanks(question))


def blanks(question: Question) -> dict[str, str]:
    """What goes into the blanks of a wording."""
    program = to_program(question)
    if isinstance(question, CountNow):
        return {"a": question.which.plural}
    if isinstance(question, CountRelated):
        return {"a": question.which.plural, "b": question.anchor.singular}
    if isinstance(question, GoneSince):
        act = "add" if question.added else "use up"
        return {"a": question.which.plural, "act": act, "t": clock(question.time)}
    if isinstance(question, NearestTo):
        return dict(zip("abc", [question.target.singular, *question.options], strict=True))
    things = [
        getattr(question, name)
        for name in ("which", "anchor", "first", "second")
        if isinstance(getattr(question, name, None), Selector)
    ]
    found = dict(zip("ab", (thing.singular for thing in things), strict=False))
    if "place" in program:
        found["p"] = str(program["place"])
    if "seconds" in program:
        found["s"] = f"{program['seconds']:g}"
    if program.get("time") is not None:
        found["t"] = clock(program["time"])
    return found
