"""Programs from JSON, checked part by part: whatever is wrong is said with its place, `at .of.to: ...`."""

import difflib
import json
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING
from typing import Any, Literal, Union, get_args, get_origin

from situ.errors import BadInput
from situ.questions.programs.schema import (
    KEYS,
    REGISTRIES,
    VERSION,
    Ask,
    AsOf,
    Attributes,
    FrameNumbers,
    Json,
    Measure,
    Part,
    Program,
    Put,
    Set,
    Stand,
    Step,
    arguments_of,
    fault,
    hints_of,
)  # fmt: skip

MOST_NESTED = 32  # sets within sets; sentences of people need five
MOST_PARTS = 500
MOST_LETTERS = 100_000  # of a program in JSON
_MOST_SHOWN = 60  # letters of what was given, in an error
_WORDS = {Set: "operator", Measure: "measure", Ask: "ask"}


def parse(given: Json) -> Program:
    """A program from JSON, or from what `json.loads` makes of it. Raises BadInput with the place of a fault.

    >>> parse({"ask": "count", "of": {"op": "thing"}})
    Traceback (most recent call last):
        ...
    situ.errors.BadInput: in the program at .of.op: unknown operator 'thing' (did you mean 'things'?)
    """
    if isinstance(given, Program):
        return given
    if isinstance(given, str | bytes):
        given = _loaded(given)
    _check_size(given)
    if isinstance(given, Mapping) and "version" in given:
        if given["version"] != VERSION:
            raise fault(
                "version",
                f"this version of situ reads programs of version {VERSION}, got {_shown(given['version'])}",
            )
        given = {key: value for key, value in given.items() if key != "version"}
    return Program(tuple(_steps(given, "", ())))


def parse_set(given: Json) -> Set:
    """A set from what `json.loads` makes of it."""
    _check_size(given)
    found: Set = _read(Set, given, "")
    return found


def _loaded(text: str | bytes) -> Json:
    if len(text) > MOST_LETTERS:
        raise BadInput(f"a program of {len(text)} letters is too long; at most {MOST_LETTERS} are read")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(
            f'a program is JSON such as {{"ask": "count", "of": {{"op": "things"}}}}; {error}'
        ) from None


def _check_size(given: Json) -> None:
    """Nothing below walks deeper than this; a bomb of brackets is one sentence and no crash."""
    layer, depth, count, place = [("", given)], 0, 0, ""
    while layer:
        below: list[tuple[str, Json]] = []
        for place, one in layer:
            if isinstance(one, Mapping):
                below += [(f"{place}.{key}", value) for key, value in one.items()]
            elif isinstance(one, list | tuple):
                below += [(f"{place}[{k}]", value) for k, value in enumerate(one)]
        count += len(below)
        # Each set in a set is two layers of JSON where a list holds them.
        if depth > 2 * MOST_NESTED:
            raise fault(f"{place[:_MOST_SHOWN]}...", f"sets are nested deeper than {MOST_NESTED}")
        if count > 8 * MOST_PARTS:
            raise BadInput(f"the program has more than {8 * MOST_PARTS} values; ask for less at once")
        layer, depth = below, depth + 1


def _steps(given: Json, place: str, where: tuple[AsOf | Stand, ...]) -> Iterator[Step]:
    if isinstance(given, list | tuple):
        if not given:
            raise fault(place, "an empty list asks nothing")
        for k, one in enumerate(given):
            yield from _steps(one, f"{place}[{k}]", where)
        return
    if not isinstance(given, Mapping):
        raise fault(place, f"a program is an object with 'ask', got {_shown(given)}")
    if "ask" in given:
        yield Step(_tagged(Ask, given, place), where)
        return
    frame = next((key for key in ("as_of", "stand") if key in given), None)
    if frame is None:
        raise fault(place, f"a program needs 'ask', or 'as_of' or 'stand' with 'do'; got {_keys(given)}")
    inner: AsOf | Stand
    if frame == "as_of":
        _only(given, {"as_of", "do"}, place)
        inner = AsOf(_moment(given["as_of"], f"{place}.as_of"))
    else:
        _only(given, {"stand", "facing", "do"}, place)
        facing = given.get("facing")
        inner = Stand(
            _read(Set | float, given["stand"], f"{place}.stand"),
            None if facing is None else _read(Set, facing, f"{place}.facing"),
        )
    if "do" not in given:
        raise fault(place, f"'{frame}' needs 'do', the program that is asked then")
    yield from _steps(given["do"], f"{place}.do", (*where, inner))


def _moment(given: Json, place: str) -> float | Put:
    if not isinstance(given, Mapping):
        time: float = _read(float, given, place)
        return time
    _only(given, {"put", "earlier"}, place)
    if "put" not in given:
        raise fault(
            place, "a moment is a number of seconds, or an object with 'put', the set that was put down"
        )
    earlier = _read(float, given.get("earlier", 0.0), f"{place}.earlier")
    return Put(_read(Set, given["put"], f"{place}.put"), earlier)


def _tagged(base: Any, given: Mapping[str, Json], place: str) -> Any:
    """An operator with its arguments."""
    key, registry = KEYS[base], REGISTRIES[base]
    name = given.get(key)
    if not isinstance(name, str):
        other = next(
            (f" this is {_A[each]}" for each in KEYS if KEYS[each] in given and each is not base), ""
        )
        raise fault(place, f"expected {_A[base]}: an object with '{key}';{other or ' got ' + _keys(given)}")
    if name not in registry:
        near = difflib.get_close_matches(name, registry, 1)
        hint = f" (did you mean '{near[0]}'?)" if near else f"; known are {', '.join(sorted(registry))}"
        raise fault(f"{place}.{key}", f"unknown {_WORDS[base]} '{name}'{hint}")
    cls = registry[name]
    arguments, hints = arguments_of(cls), hints_of(cls)
    _only(given, {key, *arguments}, place)
    values = {}
    for argument, each in arguments.items():
        value = given.get(argument)
        value = cls.also.get(argument, {}).get(value, value) if isinstance(value, str) else value
        if value is not None:
            values[each.name] = _read(hints[each.name], value, f"{place}.{argument}")
        elif each.default is MISSING:
            raise fault(place, f"'{name}' needs '{argument}'")
    made = cls(**values)
    made.checked(place)
    return made


def _read(wanted: Any, given: Json, place: str) -> Any:
    """A value of a type; raises with its place if it is not."""
    options = [one for one in options_of(wanted) if one is not type(None)]
    for one in options:
        if isinstance(one, type) and issubclass(one, Part):
            base = next(base for base in KEYS if issubclass(one, base))
            if isinstance(given, Mapping):
                return _tagged(base, given, place)
            if base is Measure and isinstance(given, str):
                return _tagged(base, {"measure": given}, place)
        elif get_origin(one) is Literal:
            if isinstance(given, str) and given in get_args(one):
                return given
        elif get_origin(one) is tuple:
            if isinstance(given, list | tuple):
                inner = get_args(one)[0]
                return tuple(_read(inner, value, f"{place}[{k}]") for k, value in enumerate(given))
        elif one is Attributes:
            if isinstance(given, Mapping) and all(isinstance(value, str) for value in given.values()):
                return Attributes(sorted(given.items()))
        elif one is FrameNumbers:
            if isinstance(given, list | tuple) and all(_is_frame(number) for number in given):
                return FrameNumbers(given)
        elif one is float:
            if isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < 1e15:
                return float(given)
        elif one is int:
            if isinstance(given, int) and not isinstance(given, bool) and 1 <= given < 10**6:
                return given
        elif one is bool:
            if isinstance(given, bool):
                return given
        elif one is str and isinstance(given, str) and given.strip():
            return " ".join(given.split())
    raise fault(place, f"expected {' or '.join(_described(one) for one in options)}, got {_shown(given)}")


def _is_frame(given: Json) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 0 <= given < 10**9


def _only(given: Mapping[str, Json], known: set[str], place: str) -> None:
    unknown = [str(key) for key in given if key not in known]
    if unknown:
        near = difflib.get_close_matches(unknown[0], sorted(known), 1)
        hint = f" (did you mean '{near[0]}'?)" if near else f"; known are {', '.join(sorted(known))}"
        raise fault(place, f"unknown argument '{unknown[0]}'{hint}")


def options_of(wanted: Any) -> Sequence[Any]:
    return get_args(wanted) if get_origin(wanted) in (Union, types.UnionType) else (wanted,)


_A = {Set: "a set", Measure: "a measure", Ask: "an ask"}
_PLAIN = {
    float: "a number",
    int: "a whole number from 1 up",
    bool: "true or false",
    str: "words",
    Attributes: "an object of words",
    FrameNumbers: "a list of frame numbers",
}


def _described(wanted: Any) -> str:
    if isinstance(wanted, type) and issubclass(wanted, Part):
        base = next(base for base in KEYS if issubclass(wanted, base))
        return f'{_A[base]} ({{"{KEYS[base]}": ...}})'
    if get_origin(wanted) is Literal:
        return " ".join(f'"{value}"' for value in get_args(wanted))
    if get_origin(wanted) is tuple:
        return f"a list of {_described(get_args(wanted)[0]).removeprefix('a ')}"
    return _PLAIN[wanted]


def _shown(given: Json) -> str:
    if isinstance(given, Mapping):
        kind = next((_A[base] for base in KEYS if KEYS[base] in given), "")
        return f"{kind} ({_keys(given)})" if kind else _keys(given)
    text = json.dumps(given, default=str) if not isinstance(given, list) else f"a list of {len(given)}"
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _keys(given: Mapping[str, Json]) -> str:
    names = ", ".join(repr(str(key)[:20]) for key in list(given)[:6])
    return f"an object with {names}" if names else "an empty object"
