"""The form of programs: records that are read from JSON, checked part by part, and written back.

An operator is a frozen dataclass; its fields are its arguments, and their types say what may stand there. So
an operator that a plugin adds is read and checked like those of this package. Whatever is wrong is told with
its place: `at .of.to: ...`.
"""

import difflib
import json
import types
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from situ.errors import BadInput
from situ.registry import Registry

if TYPE_CHECKING:
    from situ.questions.programs.run import Result, Run
    from situ.questions.programs.table import Margins

VERSION = 1
MOST_NESTED = 32  # sets within sets; sentences of people need five
MOST_PARTS = 500
MOST_LETTERS = 100_000  # of a program in JSON
_MOST_SHOWN = 60  # letters of what was given, in an error

Json = Any  # plain data, as `json.loads` makes it


class Attributes(tuple[tuple[str, str], ...]):
    """What things look like, by name; in JSON an object."""


NO_LOOKS = Attributes()


@dataclass(frozen=True)
class Part:
    """A part of a program. `tag` is the name by which JSON calls it; `also` are further words for values."""

    tag: ClassVar[str] = ""
    also: ClassVar[Mapping[str, Mapping[str, Json]]] = {}

    def checked(self, place: str) -> None:
        """Raise BadInput if the arguments do not go together; `place` says where it stands."""


@dataclass(frozen=True)
class Set(Part, ABC):
    """A set of objects: {"op": ...}. One that `filters` holds those of its `of` of which something is so,
    each by itself; one that `places` holds only what is where it is known to be."""

    filters: ClassVar[bool] = False
    places: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What it says of the things in its `of`, for a refusal: "on the table"."""
        return ""

    @abstractmethod
    def margins(self, run: "Run", raw: bool) -> "Margins":
        """How clearly each object is in it in each world; see `situ.questions.programs.sets`."""


@dataclass(frozen=True)
class Measure(Part, ABC):
    """A number of each object: a word, or {"measure": ...}."""

    @abstractmethod
    def numbers(self, run: "Run") -> "Margins":
        """That of each object in each world, NaN where it has none."""


@dataclass(frozen=True)
class Ask(Part, ABC):
    """What a program answers: {"ask": ...}."""

    @abstractmethod
    def answer(self, run: "Run") -> "Result":
        """The answer in all worlds together."""


@dataclass(frozen=True)
class Program(Part):
    """Asks, each as of a time and for an observer."""

    asks: tuple["Step", ...]


@dataclass(frozen=True)
class AsOf:
    """What was known at a time, in seconds on the recording's clock."""

    time: float


@dataclass(frozen=True)
class Stand:
    """Somebody who stands at something, or where the wearer was at a time, and faces something."""

    at: Set | float
    facing: Set | None = None


@dataclass(frozen=True)
class Step:
    """An ask, and who asks when, the outermost first."""

    ask: Ask
    where: tuple[AsOf | Stand, ...] = ()


SETS: Registry[type[Set]] = Registry(
    "operator", tuple(f"situ.questions.programs.{name}" for name in ("sets", "events", "uses"))
)
MEASURES: Registry[type[Measure]] = Registry("measure", ("situ.questions.programs.measures",))
ASKS: Registry[type[Ask]] = Registry(
    "ask",
    tuple(
        f"situ.questions.programs.{name}"
        for name in ("asks", "comparisons", "properties", "ways", "wearer_asks")
    ),
)
_KEYS = {Set: "op", Measure: "measure", Ask: "ask"}
_WORDS = {Set: "operator", Measure: "measure", Ask: "ask"}
_REGISTRIES: dict[Any, Registry[Any]] = {Set: SETS, Measure: MEASURES, Ask: ASKS}
P = TypeVar("P", bound=type[Part])


def operator(cls: P) -> P:
    """Register a set, a measure or an ask under its tag; for plugins as for this package."""
    base = next(base for base in _KEYS if issubclass(cls, base))
    _REGISTRIES[base].add(cls.tag, cls)
    return cls


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
            raise _Fault(
                "version",
                f"this version of situ reads programs of version {VERSION}, got {_shown(given['version'])}",
            )
        given = {key: value for key, value in given.items() if key != "version"}
    return Program(tuple(_steps(given, "", ())))


def to_json(part: Any) -> Json:
    """The plain data that `parse` reads; arguments at their defaults are left out."""
    if isinstance(part, Program):
        steps = [to_json(step) for step in part.asks]
        return steps[0] if len(steps) == 1 else steps
    if isinstance(part, Step):
        plain = to_json(part.ask)
        for one in reversed(part.where):
            plain = {**_plain_fields(one, {"time": "as_of", "at": "stand"}), "do": plain}
        return plain
    if isinstance(part, Part):
        key = next(_KEYS[base] for base in _KEYS if isinstance(part, base))
        return {key: part.tag, **_plain_fields(part, {})}
    if isinstance(part, Attributes):
        return dict(part)
    return [to_json(one) for one in part] if isinstance(part, tuple) else part


def _plain_fields(part: Any, names: Mapping[str, str]) -> dict[str, Json]:
    found = {}
    for each in fields(part):
        value = getattr(part, each.name)
        if each.default is MISSING or value != each.default:
            name = each.name.rstrip("_")
            found[names.get(name, name)] = to_json(value)
    return found


def parts_of(part: Any) -> Iterator[Part]:
    """A part and all parts within it."""
    if isinstance(part, Part):
        yield part
    if isinstance(part, Part | Step | Stand):
        for each in fields(part):
            yield from parts_of(getattr(part, each.name))
    elif isinstance(part, tuple):
        for one in part:
            yield from parts_of(one)


# ---------------------------------------------------------------------- reading
class _Fault(BadInput):
    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"in the program{f' at {place}' if place else ''}: {fault}")


def fault(place: str, text: str) -> BadInput:
    """The error for a fault at a place of a program."""
    return _Fault(place, text)


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
            raise _Fault(f"{place[:_MOST_SHOWN]}...", f"sets are nested deeper than {MOST_NESTED}")
        if count > 8 * MOST_PARTS:
            raise BadInput(f"the program has more than {8 * MOST_PARTS} values; ask for less at once")
        layer, depth = below, depth + 1


def _steps(given: Json, place: str, where: tuple[AsOf | Stand, ...]) -> Iterator[Step]:
    if isinstance(given, list | tuple):
        if not given:
            raise _Fault(place, "an empty list asks nothing")
        for k, one in enumerate(given):
            yield from _steps(one, f"{place}[{k}]", where)
        return
    if not isinstance(given, Mapping):
        raise _Fault(place, f"a program is an object with 'ask', got {_shown(given)}")
    if "ask" in given:
        yield Step(_tagged(Ask, given, place), where)
        return
    frame = next((key for key in ("as_of", "stand") if key in given), None)
    if frame is None:
        raise _Fault(place, f"a program needs 'ask', or 'as_of' or 'stand' with 'do'; got {_keys(given)}")
    inner: AsOf | Stand
    if frame == "as_of":
        _only(given, {"as_of", "do"}, place)
        inner = AsOf(_read(float, given["as_of"], f"{place}.as_of"))
    else:
        _only(given, {"stand", "facing", "do"}, place)
        facing = given.get("facing")
        inner = Stand(
            _read(Set | float, given["stand"], f"{place}.stand"),
            None if facing is None else _read(Set, facing, f"{place}.facing"),
        )
    if "do" not in given:
        raise _Fault(place, f"'{frame}' needs 'do', the program that is asked then")
    yield from _steps(given["do"], f"{place}.do", (*where, inner))


def _tagged(base: Any, given: Mapping[str, Json], place: str) -> Any:
    """An operator with its arguments."""
    key, registry = _KEYS[base], _REGISTRIES[base]
    name = given.get(key)
    if not isinstance(name, str):
        other = next(
            (f" this is {_A[each]}" for each in _KEYS if _KEYS[each] in given and each is not base), ""
        )
        raise _Fault(place, f"expected {_A[base]}: an object with '{key}';{other or ' got ' + _keys(given)}")
    if name not in registry:
        near = difflib.get_close_matches(name, registry, 1)
        hint = f" (did you mean '{near[0]}'?)" if near else f"; known are {', '.join(sorted(registry))}"
        raise _Fault(f"{place}.{key}", f"unknown {_WORDS[base]} '{name}'{hint}")
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
            raise _Fault(place, f"'{name}' needs '{argument}'")
    made = cls(**values)
    made.checked(place)
    return made


def _read(wanted: Any, given: Json, place: str) -> Any:
    """A value of a type; raises with its place if it is not."""
    options = [one for one in options_of(wanted) if one is not type(None)]
    for one in options:
        if isinstance(one, type) and issubclass(one, Part):
            base = next(base for base in _KEYS if issubclass(one, base))
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
    raise _Fault(place, f"expected {' or '.join(_described(one) for one in options)}, got {_shown(given)}")


def _only(given: Mapping[str, Json], known: set[str], place: str) -> None:
    unknown = [str(key) for key in given if key not in known]
    if unknown:
        near = difflib.get_close_matches(unknown[0], sorted(known), 1)
        hint = f" (did you mean '{near[0]}'?)" if near else f"; known are {', '.join(sorted(known))}"
        raise _Fault(place, f"unknown argument '{unknown[0]}'{hint}")


@cache
def arguments_of(cls: type[Part]) -> dict[str, "Field[Any]"]:
    """The fields by the names that JSON has for them: `in_` is a word of Python's own."""
    return {each.name.rstrip("_"): each for each in fields(cls)}


@cache
def hints_of(cls: type[Part]) -> dict[str, Any]:
    return get_type_hints(cls)


def options_of(wanted: Any) -> Sequence[Any]:
    return get_args(wanted) if get_origin(wanted) in (Union, types.UnionType) else (wanted,)


_A = {Set: "a set", Measure: "a measure", Ask: "an ask"}
_PLAIN = {
    float: "a number",
    int: "a whole number from 1 up",
    bool: "true or false",
    str: "words",
    Attributes: "an object of words",
}


def _described(wanted: Any) -> str:
    if isinstance(wanted, type) and issubclass(wanted, Part):
        base = next(base for base in _KEYS if issubclass(wanted, base))
        return f'{_A[base]} ({{"{_KEYS[base]}": ...}})'
    if get_origin(wanted) is Literal:
        return " ".join(f'"{value}"' for value in get_args(wanted))
    if get_origin(wanted) is tuple:
        return f"a list of {_described(get_args(wanted)[0]).removeprefix('a ')}"
    return _PLAIN[wanted]


def _shown(given: Json) -> str:
    if isinstance(given, Mapping):
        kind = next((_A[base] for base in _KEYS if _KEYS[base] in given), "")
        return f"{kind} ({_keys(given)})" if kind else _keys(given)
    text = json.dumps(given, default=str) if not isinstance(given, list) else f"a list of {len(given)}"
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _keys(given: Mapping[str, Json]) -> str:
    names = ", ".join(repr(str(key)[:20]) for key in list(given)[:6])
    return f"an object with {names}" if names else "an empty object"
