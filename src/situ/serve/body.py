"""What a client sent, read with distrust: known fields of the right type, numbers that are numbers."""

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from situ.errors import BadInput

_FAR = 1e12  # seconds or metres; beyond that nobody means it
MOST_FRAMES = 1 << 40


def read_json(text: bytes | str) -> dict[str, Any]:
    """One JSON object of strict JSON."""
    try:
        data = _DECODER.decode(text if isinstance(text, str) else text.decode())
    except (ValueError, RecursionError, UnicodeDecodeError) as error:
        raise BadInput(f"the body is no JSON ({str(error)[:80]})") from error
    if not isinstance(data, dict):
        raise BadInput("the body must be a JSON object")
    return data


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)  # made once: `json.loads` would make one for each text


class Fields:
    """The fields of a request. Each is asked for once; `done` refuses what nobody asked for."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._left = dict(data)

    def done(self) -> None:
        if self._left:
            names = ", ".join(repr(str(name)[:40]) for name in list(self._left)[:5])
            raise BadInput(f"unknown field {names}; docs/serve.md lists the fields of each request")

    def text(self, name: str, most: int, default: str | None = None) -> str:
        value = self._left.pop(name, None)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise BadInput(f"'{name}' must be a text")
        if len(value) > most:
            raise BadInput(f"'{name}' may have {most} characters, got {len(value)}")
        return value

    def optional_text(self, name: str, most: int) -> str | None:
        return None if self._left.get(name) is None and self._drop(name) else self.text(name, most)

    def _drop(self, name: str) -> bool:
        self._left.pop(name, None)
        return True

    def number(self, name: str, low: float = -_FAR, high: float = _FAR) -> float | None:
        """A number, or one in a text as query strings have it; None if it is not given."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        return number_of(name, value, low, high)

    def whole(self, name: str, low: int, high: int, default: int) -> int:
        value = self.number(name, low, high)
        if value is not None and value != int(value):
            raise BadInput(f"'{name}' must be a whole number")
        return default if value is None else int(value)

    def object(self, name: str) -> dict[str, Any] | None:
        value = self._left.pop(name, None)
        if value is not None and not isinstance(value, dict):
            raise BadInput(f"'{name}' must be an object")
        return value

    def any(self, name: str) -> Any:
        """What is checked by whom it is for."""
        value = self._left.pop(name, None)
        if value is None:
            raise BadInput(f"'{name}' is missing")
        return value

    def rows(self, name: str) -> list[Any]:
        value = self._left.pop(name, None)
        if not isinstance(value, list):
            raise BadInput(f"'{name}' must be a list")
        return value

    def numbers(self, name: str, count: int) -> tuple[float, ...] | None:
        """So many numbers: a list, or a text with commas."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list) or len(parts) != count:
            raise BadInput(f"'{name}' must be {count} numbers")
        return tuple(number_of(name, part) for part in parts)


def number_of(name: str, value: Any, low: float = -_FAR, high: float = _FAR) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BadInput(f"'{name}' must be a number")
    try:
        found = float(value)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"'{name}' must be a number, got {str(value)[:40]!r}") from error
    if not math.isfinite(found) or not low <= found <= high:
        raise BadInput(f"'{name}' must lie between {low:g} and {high:g}")
    return found
