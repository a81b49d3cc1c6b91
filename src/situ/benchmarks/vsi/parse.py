"""From the words of a VSI-Bench question to the program that answers it."""

import re
from collections.abc import Callable, Sequence

from situ.errors import BadFormat
from situ.questions import Question, Selector
from situ.questions.annotated.appearance import AppearanceOrder
from situ.questions.annotated.direction import RelativeDirection
from situ.questions.annotated.plan import TURN, RoutePlan
from situ.questions.annotated.room import CountInRoom, RoomSize
from situ.questions.scene.measure import ClosestDistance, LongestSide, NearestTo

LATTICE_M = 0.05  # VSI-Bench measured distances between points this far apart
_LETTER = re.compile(r"^\s*[A-Z][.)]\s*")


def parse(question_type: str, text: str, options: Sequence[str] = ()) -> Question:
    """The program of a published question. BadFormat says which type or wording is unknown."""
    if question_type not in _PARSERS:
        raise BadFormat(
            f"unknown VSI-Bench question type '{question_type}'; known are {', '.join(sorted(_PARSERS))}"
        )
    words = " ".join(text.split())
    return _PARSERS[question_type](words, tuple(option_text(option) for option in options))


def option_text(option: str) -> str:
    """An option without its letter."""
    return _LETTER.sub("", option).strip()


def thing(name: str) -> Selector:
    """The category that a name stands for; case and articles do not matter."""
    words = name.strip(" .?'\"").lower()
    return Selector(re.sub(r"^(?:(?:the|a|an)\s+)+", "", words))


def _match(pattern: str, words: str) -> tuple[str, ...]:
    found = re.search(pattern, words, re.IGNORECASE)
    if found is None:
        raise BadFormat(f"this is not a known VSI-Bench wording: {words[:120]!r}")
    return found.groups()


def _counting(words: str, options: Sequence[str]) -> Question:
    (name,) = _match(r"how many (.+?)(?:\(s\))? are (?:there )?in (?:this|the) room", words)
    return CountInRoom(thing(name))


def _size(words: str, options: Sequence[str]) -> Question:
    (name,) = _match(r"\(length, width, or height\) of (?:the )?(.+?), measured in centimet", words)
    return LongestSide(thing(name))


def _room(words: str, options: Sequence[str]) -> Question:
    _match(r"(size of this room)", words)
    return RoomSize()


def _distance(words: str, options: Sequence[str]) -> Question:
    first, second = _match(r"distance between the (.+?) and the (.+?) \(in met", words)
    return ClosestDistance(thing(first), thing(second), LATTICE_M)


def _nearest(words: str, options: Sequence[str]) -> Question:
    names, target = _match(r"which of these objects \((.+)\) is the closest to the (.+?)\?", words)
    candidates = options or names.split(", ")
    return NearestTo(tuple(thing(name) for name in candidates), thing(target), LATTICE_M)


def _direction(level: str) -> Callable[[str, Sequence[str]], Question]:
    def parser(words: str, options: Sequence[str]) -> Question:
        start, facing, target = _match(
            r"standing by the (.+?) and facing the (.+?), is the (.+?) to (?:my|the) ", words
        )
        return RelativeDirection(thing(start), thing(facing), thing(target), level)

    return parser


def _order(words: str, options: Sequence[str]) -> Question:
    (names,) = _match(r"following categories in the video: (.+?)\?", words)
    return AppearanceOrder(tuple(thing(name) for name in names.split(", ")), tuple(options))


def _route(words: str, options: Sequence[str]) -> Question:
    start, facing, actions = _match(
        r"beginning at (.+?)(?: and)? facing (.+?)\. you want to .*?'turn right\.?'\): (.*)$", words
    )
    actions = actions.split("You have reached")[0]
    steps = []
    for action in re.split(r"\s*\b\d+\.\s", " " + actions)[1:]:
        until = re.search(r"go forward \w+ (.+)", action, re.IGNORECASE)
        if until is None:
            steps.append(TURN)
        else:
            name = re.sub(r" is on (?:your|the) (?:left|right)", "", until.group(1))
            steps.append(thing(name).singular)
    return RoutePlan(thing(start), thing(facing), tuple(steps), tuple(options))


_PARSERS: dict[str, Callable[[str, Sequence[str]], Question]] = {
    "object_counting": _counting,
    "object_size_estimation": _size,
    "room_size_estimation": _room,
    "object_abs_distance": _distance,
    "object_rel_distance": _nearest,
    "object_rel_direction_easy": _direction("easy"),
    "object_rel_direction_medium": _direction("medium"),
    "object_rel_direction_hard": _direction("hard"),
    "obj_appearance_order": _order,
    "route_planning": _route,
}
