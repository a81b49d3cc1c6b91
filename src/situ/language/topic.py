"""What a conversation speaks of."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from situ.errors import BadFormat
from situ.language.edits import kind_of, place_in
from situ.language.sets import Json, things
from situ.language.told import Told


@dataclass(frozen=True)
class Topic:
    """What was spoken of: the last program, the set in it that a short sentence puts another one for, the
    thing that "it" is, the one before that, the several that "those" are, and the place that "there" is."""

    program: Any = None
    focus: Json | None = None
    it: Json | None = None
    other: Json | None = None
    those: Json | None = None
    place: str = ""
    at_place: bool = False  # whether a place was spoken of last
    time: float | None = None  # a moment that was told last

    def to_json(self) -> Json:
        return {part.name: value for part in fields(self) if (value := getattr(self, part.name))}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Topic":
        sets = (given.get(name) for name in ("focus", "it", "other", "those"))
        if set(given) - {part.name for part in fields(cls)} or not all(
            one is None or (isinstance(one, dict) and isinstance(one.get("op"), str)) for one in sets
        ):
            raise BadFormat("this is no topic of a conversation")
        return cls(**given)


def topic_after(program: Any, phrases: Mapping[str, Json], told: Told, before: Topic) -> Topic:
    """What is spoken of from now on."""
    first = program[-1] if isinstance(program, list) else program
    while "do" in first:
        first = first["do"]
    asked, of = first["ask"], first.get("of")
    focus = phrases.get("set") or next(iter(phrases.values()), None) or (of if isinstance(of, dict) else None)
    told_time = asked == "get" and first["what"] in _WHENS and isinstance(told.value, int | float)
    time = float(told.value) if told_time and told.value is not None else None
    topic = replace(before, program=program, focus=focus, at_place=False, time=time)
    place = place_in(first) or (
        str(told.value) if asked == "me" and told.value and first["what"] in _TELLS else ""
    )
    if asked == "get" and first["what"] == "place" and told.value:
        topic = replace(topic, place=str(told.value))
    elif place:
        topic = replace(topic, place=place, at_place=asked == "me")
    if asked in ("get", "is") and isinstance(of, dict):
        return _spoken_of(topic, of)
    if asked == "compare":
        pair = list(first["of"])
        if "by" in first and str(told.value) in first.get("names", []):
            best = first["names"].index(str(told.value))
            return replace(topic, it=pair[best], other=pair[1 - best] if len(pair) == 2 else None,
                           those={"op": "or", "of": pair})  # fmt: skip
        return replace(topic, those={"op": "or", "of": pair})
    if asked == "gap":
        return replace(_spoken_of(_spoken_of(topic, first["of"]), first["to"]), focus=first["of"])
    if isinstance(of, dict):
        return _of_set(topic, of, told)
    return topic


def _of_set(topic: Topic, of: Json, told: Told) -> Topic:
    """What is spoken of after a question about a set: where there are none, those of the kind; what is on
    something leaves that to be "it"."""
    if str(told.value) in ("no", "0", "nothing"):
        kind = kind_of(of)
        return replace(topic, those=things(kind) if kind else None)
    topic = replace(topic, those=of)
    if len(told.things) == 1:
        return _spoken_of(topic, of)
    landmark = of.get("to") if of["op"] == "rel" else None
    return replace(topic, it=landmark, other=topic.it) if isinstance(landmark, dict) else topic


_TELLS = ("place_at", "before")
_WHENS = ("last_seen", "first_seen", "moved_at")


def _spoken_of(topic: Topic, of: Json) -> Topic:
    other = topic.it if topic.it is not None and topic.it != of else topic.other
    return replace(topic, it=of, other=other, those=of)


def topic_of(program: Mapping[str, Any], before: Topic) -> Topic:
    """The things and the place of a question that is no program of the algebra."""
    topic = replace(before, program=program, focus=None)
    for value in program.values():
        if isinstance(value, dict) and value.get("category"):
            topic = _spoken_of(topic, things(value["category"], **dict(value.get("attributes") or ())))
    place = program.get("place")
    return replace(topic, place=place, at_place=True) if isinstance(place, str) and place else topic
