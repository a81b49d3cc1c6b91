"""Several ways to ask each question, and the proof that a rewording asks the same.

A wording is a pattern with the objects as blanks. Reading a wording back gives the question that it asks;
a rewording is accepted only if that is the question it came from.
"""

import re
from functools import lru_cache

import numpy as np

from situ.questions import (
    FitsOn,
    FunctionOf,
    Larger,
    PairRelation,
    Question,
    Selector,
    UniqueObjects,
    UseShown,
    WithinReach,
)
from situ.questions.scene.fit import ARM_M, SPAN_M
from situ.questions.scene.pairs import DEPTH, HEIGHT, SIDE

# {a} is the thing or the first object, {b} the anchor or the second one.
WORDINGS: dict[str, tuple[str, ...]] = {
    SIDE: (
        "From the camera's point of view when it sees the {b}, is the {a} to the left or to the right of it?",
        "When the camera has the {b} in view, does the {a} lie to the left or to the right of the {b}?",
        "Looking at the {b} as the camera does, would you find the {a} on its left or on its right?",
        "Relative to the {b} as the camera sees it, is the {a} on the left or on the right?",
    ),
    DEPTH: (
        "From the camera's point of view when it sees the {b}, is the {a} in front of it (nearer to the "
        "camera) or behind it (farther away)?",
        "When the camera has the {b} in view, does the {a} lie in front of the {b}, towards the camera, or "
        "behind the {b}, away from it?",
        "Looking at the {b} as the camera does, is the {a} in front of it on the near side or behind it on "
        "the far side?",
    ),
    HEIGHT: (
        "Is the {a} above or below the {b}?",
        "Does the {a} sit higher up (above) or lower down (below) than the {b}?",
        "Comparing heights, is the {a} above the {b} or below it?",
    ),
    "reach": (
        f"Are the {{a}} and the {{b}} within arm's reach of each other (at most {ARM_M} m apart)?",
        f"Is the gap between the {{a}} and the {{b}} no more than an arm's length of {ARM_M} m?",
        f"Standing at the {{a}}, could you reach the {{b}} with one arm ({ARM_M} m at most)?",
    ),
    "both_arms": (
        "Could a person with outstretched arms touch the {a} and the {b} at the same time from one spot "
        f"(at most {SPAN_M} m between them)?",
        f"Without moving your feet, could you touch the {{a}} with one hand and the {{b}} with the other "
        f"(at most {SPAN_M} m between them)?",
    ),
    "larger": (
        "Which of the two is larger: the {a} or the {b}?",
        "Comparing the {a} and the {b}, which one is larger?",
        "Of the {a} and the {b}, which takes up more room?",
    ),
    "stand": (
        "Could the {a} stand on top of the {b} without sticking out over its edges?",
        "Is there room to put the {a} on top of the {b} without any of it sticking out?",
    ),
    "stack": (
        "Could the {a} be stacked on the {b}: do both have a flat top, and does the {a} not stick out over "
        "the {b}?",
        "If both need a flat top, could the {a} be stacked on the {b} without sticking out?",
    ),
    "unique": (
        "Which kinds of objects can be seen in these frames? Name each kind once.",
        "List the different kinds of objects that these frames show, each only once.",
    ),
    "function": ("What is the function of the {a} in this scene?", "What is the {a} in this scene for?"),
    "use": (
        "For which of these purposes is an object made that can be seen in these frames?",
        "Which of these things could you do with an object that these frames show?",
    ),
}


REWRITE_REQUEST = (
    "Reword the question below. Keep the names of the objects, which object is asked about, and the "
    "alternatives offered. Answer with the reworded question alone."
)
# After one of these words comes what something else is compared with, never the thing asked about.
_BEFORE_AN_ANCHOR = "of|than|on|onto|behind|above|below|beyond|under|over|beside|to|sees|at"


def template_of(question: Question) -> str:
    """The name of a question's family of wordings."""
    if isinstance(question, PairRelation):
        return question.axis
    if isinstance(question, WithinReach):
        return "both_arms" if question.both_arms else "reach"
    if isinstance(question, FitsOn):
        return "stack" if question.stacked else "stand"
    families = {Larger: "larger", UniqueObjects: "unique", UseShown: "use", FunctionOf: "function"}
    return families[type(question)]


def objects_of(question: Question) -> tuple[Selector, ...]:
    """The objects that a question names, in its own order."""
    names = ("thing", "anchor", "first", "second")
    return tuple(getattr(question, name) for name in names if hasattr(question, name))


def worded(question: Question, rng: np.random.Generator) -> str:
    """The question in one of its wordings."""
    choices = WORDINGS[template_of(question)]
    text = fill(choices[int(rng.integers(len(choices)))], objects_of(question))
    problems = rewording_problems(question, text)
    if problems:
        raise ValueError(f"a built-in wording changes the question: {text!r}: {'; '.join(problems)}")
    return text


def fill(pattern: str, objects: tuple[Selector, ...]) -> str:
    names = dict(zip("ab", (which.singular for which in objects), strict=False))
    return pattern.format(**names)


def read_back(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The family of a known wording and the objects in its blanks, in the question's order."""
    for template, patterns in WORDINGS.items():
        for pattern in patterns:
            found = re.fullmatch(_expression(pattern), text)
            if found is not None:
                return template, tuple(found.group(k) for k in "ab" if k in found.groupdict())
    return None


def rewording_problems(question: Question, text: str) -> list[str]:
    """Why a text does not ask the same; empty if it does.

    A known wording is read back exactly. Of a free one it is demanded that it names the same objects, does
    not swap their roles, offers the same alternatives and negates nothing.
    """
    objects = tuple(which.singular for which in objects_of(question))
    known = read_back(text)
    if known is not None:
        return [] if known == (template_of(question), objects) else [f"it reads as {known}"]
    lowered = text.lower()
    problems = [f"it does not name the {name}" for name in objects if name.lower() not in lowered]
    problems += [
        f"it does not offer '{option}'"
        for option in question.options
        if isinstance(question, PairRelation) and option.split()[-1] not in lowered
    ]
    if isinstance(question, PairRelation | FitsOn) and re.search(
        rf"\b(?:{_BEFORE_AN_ANCHOR}) the {re.escape(objects[0].lower())}\b", lowered
    ):
        problems.append(f"it makes the {objects[0]} the anchor: the two objects have changed places")
    if re.search(r"\b(not|n't|never)\b", lowered) and not re.search(r"\b(not|n't)\b", question.text.lower()):
        problems.append("it negates the question")
    return problems


@lru_cache(maxsize=64)
def _expression(pattern: str) -> str:
    """A regular expression that reads a wording back: the second mention must repeat the first."""
    expression = re.escape(pattern)
    for blank in "ab":
        mark = re.escape("{" + blank + "}")
        expression = expression.replace(mark, f"(?P<{blank}>.+?)", 1)
        expression = expression.replace(mark, f"(?P={blank})")
    return expression
