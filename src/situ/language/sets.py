"""Sets of the algebra of questions, put together: what meets, what is left out, what has a hole."""

from collections.abc import Sequence
from typing import Any

from situ.questions.programs.named import with_gone

Json = dict[str, Any]
HOLE = "?"  # a kind or a place that the dialogue knows
SET_HOLE = "hole"
_OPEN = frozenset({"in", "rel", "did", "top", "compare"})  # sets that may be said of others


def things(kind: str | None = None, /, **attributes: str) -> Json:
    found: Json = {"op": "things"}
    if kind is not None:
        found["kind"] = kind
    if attributes:
        found["with"] = attributes
    return found


def either(sets: Sequence[Json]) -> Json:
    """The union, without unions inside."""
    flat = [one for part in sets for one in (part["of"] if part["op"] == "or" else [part])]
    return flat[0] if len(flat) == 1 else {"op": "or", "of": flat}


def negated(of: Json) -> Json:
    inner: Json = of["of"] if of["op"] == "not" else {"op": "not", "of": of}
    return inner


def meet(base: Json, said: Json) -> Json:
    """Those of a set of which something is true."""
    if said["op"] == "and":
        for part in said["of"]:
            base = meet(base, part)
        return base
    if said["op"] == "not":
        return {"op": "except", "of": base, "but": said["of"]}
    if said["op"] in _OPEN and "of" not in said:
        return {**said, "of": with_gone(base) if said["op"] == "did" else base}
    if said["op"] in _OPEN and isinstance(said["of"], dict) and said["op"] != "top":
        return {**said, "of": meet(base, said["of"])}
    if said["op"] == "things" and base["op"] == "things" and not ("kind" in said and "kind" in base):
        both = {**base.get("with", {}), **said.get("with", {})}
        if len(both) == len(base.get("with", {})) + len(said.get("with", {})):
            found = {**base, **said}
            return {**found, "with": both} if both else found
    if base == things():
        return said
    look = said["op"] == "things" and "kind" not in said
    if look and base["op"] in ("did", "in", "rel", "compare") and isinstance(base.get("of"), dict):
        return {**base, "of": meet(base["of"], said)}  # "red hats that you saw", not "hats that are red"
    return {"op": "and", "of": [base, said]}


def with_kind(of: Json, head: Json) -> Json:
    """ "the red ones", once it is known of what: the hole for a kind, filled."""
    if of["op"] == "things" and of.get("kind") == HOLE:
        rest = {key: value for key, value in of.items() if key != "kind"}
        return meet(head, rest) if len(rest) > 1 else head
    found = dict(of)
    for key in ("of", "but"):
        if isinstance(of.get(key), dict):
            found[key] = with_kind(of[key], head)
        elif isinstance(of.get(key), list):
            found[key] = [with_kind(one, head) for one in of[key]]
    return found


def lacks_kind(of: Any) -> bool:
    if isinstance(of, dict):
        return of.get("kind") == HOLE or any(lacks_kind(value) for value in of.values())
    return isinstance(of, list) and any(lacks_kind(one) for one in of)


def closed(said: Json) -> Json:
    """What is said, of all things."""
    return meet(things(), said) if said["op"] == "and" else said


def every(said: Sequence[Json]) -> Json:
    if not said:
        return things()
    found = said[0]
    for one in said[1:]:
        flat = found["of"] if found["op"] == "and" else [found]
        found = (
            meet(found, one) if found["op"] == one["op"] == "things" else {"op": "and", "of": [*flat, one]}
        )
    return found
