"""The question schema: every program that can be asked for, as JSON, with a version.

A document is `{"version": 1, "kind": "where_from_here", "which": {"thing": "cup", "color": "red"}}`. Things
are names, or records of a name and attributes; times are seconds before now (`seconds_ago`).
"""

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from situ.errors import BadFormat
from situ.language import kinds as _declared  # noqa: F401 (declares all kinds)
from situ.language.kind import KINDS, asked_as
from situ.language.vocabulary import Vocabulary
from situ.questions.base import Question
from situ.questions.select import Selector
from situ.registry import load_plugins

VERSION = 1
REFUSED = "refused"  # a model's word for what no kind asks
_THING = {
    "oneOf": [
        {"type": "string"},
        {"type": "object", "required": ["thing"], "additionalProperties": {"type": "string"}},
    ]
}
_TIMES = ("since", "time")
_HIDDEN = frozenset(
    {"frames", "choices", "claims", "plans", "uses", "orders", "step_m", "steps", "split", "size"}
)


def open_kinds() -> dict[str, Any]:
    """The kinds that a wearer can ask for: those that need no options and no frames."""
    load_plugins()
    return {
        name: kind
        for name, kind in KINDS.items()
        if not {f.name for f in fields(kind.question) if _required(f)} & _HIDDEN
    }


def schema() -> dict[str, Any]:
    """The JSON schema of a question (draft 2020-12)."""
    options = [_of_kind(name, kind.question) for name, kind in open_kinds().items()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "situ question",
        "version": VERSION,
        "oneOf": options,
    }


def _of_kind(name: str, question: type[Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"version": {"const": VERSION}, "kind": {"const": name}}
    required = ["kind"]
    hints = typing.get_type_hints(question)
    for part in fields(question):
        if part.name in _HIDDEN:
            continue
        key = f"{part.name}_seconds_ago" if part.name in _TIMES else part.name
        properties[key] = _type(hints[part.name]) if part.name not in _TIMES else {"type": "number"}
        if _required(part):
            required.append(key)
    about = (question.__doc__ or "").strip().split("\n")[0]
    return {
        "type": "object", "description": about, "properties": properties, "required": required,
        "additionalProperties": False,
    }  # fmt: skip


def _required(part: "Field[Any]") -> bool:
    return part.default is MISSING and part.default_factory is MISSING


def _type(hint: Any) -> dict[str, Any]:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        hint = next(one for one in typing.get_args(hint) if one is not type(None))
    if hint is Selector:
        return _THING
    if typing.get_origin(hint) is tuple:
        return {"type": "array", "items": _THING}
    if typing.get_origin(hint) is typing.Literal:
        return {"enum": list(typing.get_args(hint))}
    return {bool: {"type": "boolean"}, float: {"type": "number"}, int: {"type": "integer"}}.get(
        hint, {"type": "string"}
    )


def read_question(document: Any, vocabulary: Vocabulary, now: float) -> Question:
    """The question that a document of the schema asks. Raises BadFormat, or NotSeen for an unknown name."""
    if not isinstance(document, Mapping):
        raise BadFormat(f"a question is a JSON object, got {type(document).__name__}")
    if document.get("version", VERSION) != VERSION:
        raise BadFormat(
            f"the question has version {document['version']!r}; this version of situ reads {VERSION}"
        )
    kinds = open_kinds()
    name = document.get("kind")
    if not isinstance(name, str) or name not in kinds:
        raise BadFormat(f"unknown question kind {name!r}; `situ ask --schema` lists them all")
    question = kinds[name].question
    hints = typing.get_type_hints(question)
    arguments: dict[str, Any] = {}
    for key, value in document.items():
        if key in ("version", "kind"):
            continue
        field = key.removesuffix("_seconds_ago")
        if field not in hints or field in _HIDDEN or (field in _TIMES) != key.endswith("_seconds_ago"):
            raise BadFormat(f"a '{name}' question takes no argument {key!r}")
        if value is not None:
            arguments[field] = _value(field, value, _type(hints[field]), vocabulary, now)
    try:
        made: Question = question(**arguments)
    except TypeError as error:
        raise BadFormat(f"a '{name}' question cannot be made: {error}") from error
    return made


def _value(field: str, value: Any, expected: dict[str, Any], vocabulary: Vocabulary, now: float) -> Any:
    if field in _TIMES:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
            raise BadFormat(f"'{field}_seconds_ago' is a number of seconds, got {value!r}")
        return now - float(value)
    if field == "place" and isinstance(value, str) and value:
        return vocabulary.place(value)
    if expected is _THING:
        return _thing(value, vocabulary)
    if expected.get("type") == "array":
        if not isinstance(value, list):
            raise BadFormat(f"'{field}' is a list of things, got {value!r}")
        return tuple(_thing(one, vocabulary) for one in value)
    kinds: dict[str, tuple[type, ...]] = {
        "boolean": (bool,), "number": (int, float), "integer": (int,), "string": (str,)
    }  # fmt: skip
    if "enum" in expected:
        if value not in expected["enum"]:
            raise BadFormat(f"'{field}' is one of {', '.join(expected['enum'])}, got {value!r}")
        return value
    allowed = kinds[expected["type"]]
    if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
        raise BadFormat(f"'{field}' is a {expected['type']}, got {value!r}")
    return value


def _thing(value: Any, vocabulary: Vocabulary) -> Selector:
    """A thing by name, or by name and attributes."""
    if isinstance(value, str):
        return vocabulary.select(value)
    if not isinstance(value, Mapping) or not isinstance(value.get("thing"), str):
        raise BadFormat(f"a thing is a name, or an object with 'thing' and attributes, got {value!r}")
    attributes = [str(words) for key, words in value.items() if key != "thing"]
    return vocabulary.select(" ".join([*attributes, value["thing"]]))


def described(question: Question) -> str:
    """The question in the wearer's words, without its question mark: "where is the phone"."""
    words = asked_as(question).rstrip("?")
    return f"{words[:1].lower()}{words[1:]}"
