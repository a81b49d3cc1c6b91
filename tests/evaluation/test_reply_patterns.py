"""The expressions by which replies are read mean the same on every Python that situ runs on."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]  # the only way to see into an expression

from situ.evaluation import replies


def expressions() -> Iterator[tuple[str, str, int]]:
    for found in pkgutil.iter_modules(replies.__path__, replies.__name__ + "."):
        for name, value in vars(importlib.import_module(found.name)).items():
            for one in value if isinstance(value, tuple | list) else (value,):
                if hasattr(one, "pattern") and hasattr(one, "flags"):
                    yield f"{found.name}.{name}", one.pattern, one.flags


def nested(part: object, inside: bool = False) -> bool:
    """Whether one possessive repetition holds another: Python before 3.11.5 then goes on behind what did not
    match."""
    if isinstance(part, tuple) and part and part[0] is _parser.POSSESSIVE_REPEAT:
        return inside or nested(part[1], True)
    if isinstance(part, tuple | list | _parser.SubPattern):
        return any(nested(one, inside) for one in part)
    return False


def test_no_possessive_repetition_holds_another() -> None:
    found = list(expressions())
    assert len(found) > 50
    assert not [name for name, text, flags in found if nested(_parser.parse(text, flags))]


def test_one_in_another_is_noticed() -> None:
    assert nested(_parser.parse(r"A(?:,\s*+or B)*+"))
    assert not nested(_parser.parse(r"(?>A(?:,\s*+or B)*)", re.IGNORECASE))
