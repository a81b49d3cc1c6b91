"""What every question is: words, options, a reference frame, and a program that answers it on any state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar

from situ.errors import BadFormat
from situ.questions.select import Phrase, Selector
from situ.registry import Registry
from situ.state.protocol import SpatialState

Value = str | int | float


@dataclass(frozen=True)
class Answer:
    """The result of running a question on a state.

    `margin` is the distance to the nearest decision boundary, in the question's `margin_unit`; 0 means
    that the state cannot decide. `evidence` lists the frames that decide it. `numbers` are what the
    decision was computed from. `things` are the ids of the objects that it is about, the one meant first.
    `odds` is the probability of each value, where the program can tell; the likeliest is `value`.
    """

    value: Value
    margin: float
    evidence: tuple[int, ...] = ()
    numbers: Mapping[str, float] | None = None
    things: tuple[int, ...] = ()
    odds: Mapping[str, float] | None = None

    def __init__(
        self,
        value: Value,
        margin: float,
        evidence: tuple[int, ...] = (),
        numbers: Mapping[str, float] | None = None,
        things: tuple[int, ...] = (),
        odds: Mapping[str, float] | None = None,
    ) -> None:
        """Filled directly: that of a frozen record takes several times as long, and samples make many."""
        self.__dict__.update(
            value=value, margin=margin, evidence=evidence, numbers=numbers, things=things, odds=odds
        )

    @property
    def text(self) -> str:
        """The value as it stands in an answer key."""
        return str(self.value)


class Question(Protocol):
    """A frozen dataclass whose fields are the program's arguments.

    `frame` names the reference frame; `min_margin` is the least margin at which the question is fair.
    """

    kind: ClassVar[str]
    frame: ClassVar[str]
    margin_unit: ClassVar[str]
    min_margin: ClassVar[float]

    @property
    def text(self) -> str:
        """The question in words."""
        ...

    @property
    def options(self) -> tuple[str, ...]:
        """The closed set of answers; empty when the answer is a number."""
        ...

    def answer(self, state: SpatialState) -> Answer:
        """Run the program. Raises Unanswerable where the state does not hold what it needs."""
        ...


KINDS: Registry[type[Any]] = Registry("question kind", ("situ.questions",))
Kind = TypeVar("Kind", bound=type[Any])


def question_kind(cls: Kind) -> Kind:
    """Register a question class, so that a stored program finds its way back to it."""
    KINDS.add(cls.kind, cls)
    return cls


def to_program(question: Question) -> dict[str, Any]:
    """Plain data that `from_program` turns back into an equal question."""
    return {"kind": question.kind, **_plain(question)}


def _plain(value: Any) -> Any:
    """`dataclasses.asdict` of what programs are made of, without a copy of every word."""
    if isinstance(value, tuple | list):
        parts = map(_plain, value)
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {_plain(key): _plain(one) for key, one in value.items()}
    if not hasattr(value, "__dataclass_fields__"):
        return value
    record: Any = type(value)
    return {name: _plain(getattr(value, name)) for name in _arguments(record)}


@cache
def _arguments(record: Any) -> tuple[str, ...]:
    return tuple(part.name for part in fields(record))


def from_program(program: Mapping[str, Any]) -> Question:
    """The question that a stored program describes."""
    if not isinstance(program, Mapping):
        raise BadFormat(
            f"a program is a dict such as {{'kind': ...}}, got {type(program).__name__}; json.loads makes "
            "one of a text"
        )
    kind = program.get("kind")
    if kind not in KINDS:
        raise BadFormat(
            f"unknown question kind {kind!r}; one of your own is known where SITU_PLUGINS names its file. "
            f"This version knows {', '.join(sorted(KINDS))}"
        )
    cls = KINDS[str(kind)]
    arguments = {key: value for key, value in program.items() if key != "kind"}
    unknown = set(arguments) - {f.name for f in fields(cls)}
    if unknown:
        raise BadFormat(f"a '{kind}' question takes no argument {', '.join(sorted(unknown))}")
    question: Question = cls(**{key: _revive(value) for key, value in arguments.items()})
    return question


_REVIVERS: tuple[tuple[frozenset[str], Callable[..., Any]], ...] = (
    (
        frozenset({"category", "attributes"}),
        lambda data: Selector.make(data["category"], dict(data["attributes"])),
    ),
    (
        frozenset({"category", "attributes", "of", "name"}),
        lambda data: Phrase(of=data["of"], name=data["name"]),
    ),
)


def _revive(value: Any) -> Any:
    """Nested records come back as what they were; lists as tuples."""
    if isinstance(value, Mapping):
        for keys, revive in _REVIVERS:
            if set(value) == keys:
                return revive(value)
    if isinstance(value, (list, tuple)):
        return tuple(_revive(v) for v in value)
    return value
