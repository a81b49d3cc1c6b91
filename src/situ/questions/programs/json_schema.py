"""The JSON Schema of programs, made from the operators: for models that write them, and for editors."""

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields
from typing import Any, Literal, get_args, get_origin

from situ.questions.programs.parser import options_of
from situ.questions.programs.schema import (
    ASKS,
    MEASURES,
    SETS,
    VERSION,
    Ask,
    Attributes,
    FrameNumbers,
    Json,
    Measure,
    Part,
    Set,
    arguments_of,
    hints_of,
)

_NAMES = {Set: "set", Measure: "measure", Ask: "ask"}
_TABLES: dict[Any, tuple[str, Any]] = {Set: ("op", SETS), Measure: ("measure", MEASURES), Ask: ("ask", ASKS)}


def program_schema() -> dict[str, Json]:
    """The JSON Schema of programs, of this package's operators and those of plugins."""
    found: dict[str, Json] = {name: _one_of(base) for base, name in _NAMES.items()}
    found["measure"]["anyOf"].insert(0, {"enum": sorted(_plain_measures())})
    time = {"type": "number"}
    moment = _object({"put": _ref("set"), "earlier": time}, ["put"])
    framed = [
        _object({"as_of": {"anyOf": [time, moment]}, "do": _ref("program")}, ["as_of", "do"]),
        _object(
            {"stand": {"anyOf": [_ref("set"), time]}, "facing": _ref("set"), "do": _ref("program")},
            ["stand", "do"],
        ),
    ]
    several = {"type": "array", "items": _ref("program"), "minItems": 1}
    found["program"] = {"anyOf": [_ref("ask"), several, *framed]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"situ program, version {VERSION}",
        **_ref("program"),
        "$defs": found,
    }


def _plain_measures() -> Iterator[str]:
    """Those that a word alone names."""
    for name in MEASURES:
        if all(each.default is not MISSING for each in fields(MEASURES[name])):
            yield name


def _one_of(base: Any) -> dict[str, Json]:
    key, registry = _TABLES[base]
    each = []
    for name in sorted(registry):
        cls = registry[name]
        hints, arguments = hints_of(cls), arguments_of(cls)
        properties = {key: {"const": name}}
        properties |= {argument: _schema_of(hints[one.name]) for argument, one in arguments.items()}
        needed = [argument for argument, one in arguments.items() if one.default is MISSING]
        about = " ".join((cls.__doc__ or "").split())
        each.append({"description": about, **_object(properties, [key, *needed])})
    return {"anyOf": each}


def _object(properties: dict[str, Json], required: Sequence[str]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _schema_of(wanted: Any) -> dict[str, Json]:
    options = [one for one in options_of(wanted) if one is not type(None)]
    if len(options) > 1:
        return {"anyOf": [_schema_of(one) for one in options]}
    (one,) = options
    if isinstance(one, type) and issubclass(one, Part):
        return dict(_ref(next(name for base, name in _NAMES.items() if issubclass(one, base))))
    if get_origin(one) is Literal:
        return {"enum": [*get_args(one)]}
    if get_origin(one) is tuple:
        return {"type": "array", "items": _schema_of(get_args(one)[0])}
    if one is FrameNumbers:
        return {"type": "array", "items": {"type": "integer", "minimum": 0}}
    if one is Attributes:
        return {"type": "object", "additionalProperties": {"type": "string"}}
    return {"type": {float: "number", int: "integer", bool: "boolean", str: "string"}[one]}
