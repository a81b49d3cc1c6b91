"""Plain data that any reader of JSON takes: numbers that JSON has none for are told as text."""

import math
from collections.abc import Mapping
from typing import Any


def finite(value: Any) -> Any:
    """A value as such data."""
    kind = type(value)
    if kind in _AS_IT_IS or (kind is float and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {str(key): finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [finite(part) for part in value]
    if isinstance(value, float):
        far = "Infinity" if value > 0 else "-Infinity"
        return value if math.isfinite(value) else "NaN" if math.isnan(value) else far
    return finite(value.item()) if hasattr(value, "item") else value  # one of numpy's numbers


_AS_IT_IS = frozenset({str, int, bool, type(None)})
