"""Programs edited: another set, another place or another time in the place of one."""

from collections.abc import Mapping
from typing import Any

from situ.language.naming import noun
from situ.language.sets import HOLE, Json, things
from situ.questions.programs.named import with_gone


def reheaded(of: Json, kind: Json) -> Json:
    """A set of other things of which the same is said: "and stools?" in the same room."""
    inner = of.get("of")
    if of["op"] not in ("in", "rel", "did", "except") or not isinstance(inner, dict) or inner == things():
        return kind
    return {**of, "of": reheaded(inner, kind)}


def kind_of(of: Any) -> str:
    """The kind of a set, where it has one."""
    if isinstance(of, dict):
        kind = of.get("kind")
        if kind and kind != HOLE and of.get("op") == "things":
            return str(kind)
        return kind_of(of.get("of"))
    if isinstance(of, list):
        kinds = {kind_of(one) for one in of}
        return kinds.pop() if len(kinds) == 1 else ""
    return ""


def plainly(of: Any) -> Any:
    """A part of a program without what says that gone things count."""
    if isinstance(of, dict):
        plain = {key: plainly(value) for key, value in of.items() if key != "ever"}
        return plain | (
            {"by": {"measure": of["by"]}}
            if isinstance(of.get("by"), str) and of["op"] in ("top", "compare")
            else {}
        )
    return [plainly(one) for one in of] if isinstance(of, list) else of


def holds(program: Any, part: Json) -> bool:
    return str(plainly(part)) in str(plainly(program))


def replaced(program: Any, old: Json, new: Json) -> Any:
    """A program with another set in the place of one."""
    if isinstance(program, list):
        return [replaced(one, old, new) for one in program]
    if not isinstance(program, dict):
        return program
    if "op" in program and plainly(program) == plainly(old):
        return with_gone(new) if program.get("ever") or "'ever': True" in str(program) else new
    found = {key: replaced(value, old, new) for key, value in program.items()}
    if "names" in program and isinstance(found["of"], list):
        found["names"] = [noun(one, many="by" not in program) for one in found["of"]]
    return found


def with_place(program: Any, place: str) -> Any:
    if isinstance(program, list):
        return [with_place(one, place) for one in program]
    if not isinstance(program, dict):
        return program
    return {key: place if key == "place" and isinstance(value, str) else with_place(value, place)
            for key, value in program.items()}  # fmt: skip


def place_in(program: Any) -> str:
    if isinstance(program, dict):
        if isinstance(program.get("place"), str) and program["place"] != "here":
            return str(program["place"])
        return next((found for value in program.values() if (found := place_in(value))), "")
    return (
        next((found for value in program if (found := place_in(value))), "")
        if isinstance(program, list)
        else ""
    )


def since_of(program: Any) -> float | None:
    if isinstance(program, dict):
        if isinstance(program.get("since"), int | float):
            return float(program["since"])
        return next((found for value in program.values() if (found := since_of(value)) is not None), None)
    return None


def time_asked(program: Any) -> float | None:
    """The moment that a program asks of."""
    if not isinstance(program, dict):
        return None
    at = program.get("as_of", program.get("at"))
    return float(at) if isinstance(at, int | float) else None


def at_time(program: Any, bounds: Mapping[str, Any], at: float | None, start: float) -> Any:
    """A program as of another time: of what happened then, if it asks of that."""
    timed = with_bounds(program, bounds)
    if timed != program:
        return timed
    inner = program["do"] if isinstance(program, dict) and "as_of" in program else program
    moment = at if at is not None else bounds.get("since", start)
    if isinstance(inner, dict) and inner.get("ask") == "me" and inner["what"] == "place_at":
        return {**inner, "at": moment}
    return {"as_of": moment, "do": inner}


def with_bounds(program: Any, bounds: Mapping[str, Any]) -> Any:
    if isinstance(program, list):
        return [with_bounds(one, bounds) for one in program]
    if not isinstance(program, dict):
        return program
    rest = {key: with_bounds(value, bounds) for key, value in program.items() if key not in _TIMES}
    happened = program.get("op") == "did" and program.get("act") not in ("inview", "held")
    spent = program.get("ask") == "me" and program["what"] in (
        "places",
        "walked",
        "been",
        "time_in",
        "times_in",
    )
    if happened or spent:
        return {**rest, **bounds}
    return rest if happened else {key: with_bounds(value, bounds) for key, value in program.items()}


_TIMES = ("since", "until", "while")
