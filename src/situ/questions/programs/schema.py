"""The records that programs are made of, and their form as plain data.

An operator is a frozen dataclass; its fields are its arguments, and their types say what may stand there. So
an operator that a plugin adds is read and checked like those of this package.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, get_type_hints

from situ.errors import BadInput
from situ.registry import Registry

if TYPE_CHECKING:
    from situ.questions.programs.run import Result, Run
    from situ.questions.programs.table import Margins

VERSION = 1

Json = Any  # plain data, as `json.loads` makes it


class Attributes(tuple[tuple[str, str], ...]):
    """What things look like, by name; in JSON an object."""


class FrameNumbers(tuple[int, ...]):
    """Numbers of frames, from 0 up."""


NO_LOOKS, ALL_FRAMES = Attributes(), FrameNumbers()


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
class Put:
    """The moment at which the wearer last put down the object that is meant, or some seconds earlier."""

    of: Set
    earlier: float = 0.0


@dataclass(frozen=True)
class AsOf:
    """What was known at a time, in seconds on the recording's clock, or at a moment."""

    time: float | Put


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


_WORLD_BY_WORLD = (
    "changes", "distances", "fates", "fits", "histories", "journeys", "moments", "orders", "routes",
    "surveys", "views", "whereabouts",
)  # fmt: skip
SETS: Registry[type[Set]] = Registry(
    "operator", tuple(f"situ.questions.programs.{name}" for name in ("sets", "events", "uses"))
)
MEASURES: Registry[type[Measure]] = Registry("measure", ("situ.questions.programs.measures",))
ASKS: Registry[type[Ask]] = Registry(
    "ask",
    tuple(
        f"situ.questions.programs.{name}"
        for name in ("asks", "comparisons", "properties", "ways", "wearer_asks", *_WORLD_BY_WORLD)
    ),
)
KEYS = {Set: "op", Measure: "measure", Ask: "ask"}
REGISTRIES: dict[Any, Registry[Any]] = {Set: SETS, Measure: MEASURES, Ask: ASKS}
P = TypeVar("P", bound=type[Part])


def fault(place: str, text: str) -> BadInput:
    """The error for a fault at a place of a program: `at .of.to: ...`."""
    return BadInput(f"in the program{f' at {place}' if place else ''}: {text}")


def operator(cls: P) -> P:
    """Register a set, a measure or an ask under its tag; for plugins as for this package."""
    base = next(base for base in KEYS if issubclass(cls, base))
    REGISTRIES[base].add(cls.tag, cls)
    return cls


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
    if isinstance(part, Put):
        return _plain_fields(part, {"of": "put"})
    if isinstance(part, Part):
        key = next(KEYS[base] for base in KEYS if isinstance(part, base))
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
    if isinstance(part, Part | Step | Stand | AsOf | Put):
        for each in fields(part):
            yield from parts_of(getattr(part, each.name))
    elif isinstance(part, tuple):
        for one in part:
            yield from parts_of(one)


@cache
def arguments_of(cls: type[Part]) -> dict[str, "Field[Any]"]:
    """The fields by the names that JSON has for them: `in_` is a word of Python's own."""
    return {each.name.rstrip("_"): each for each in fields(cls)}


@cache
def hints_of(cls: type[Part]) -> dict[str, Any]:
    return get_type_hints(cls)
