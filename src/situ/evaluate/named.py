"""Things that join by name: participants and strategies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from situ.errors import BadInput

T = TypeVar("T")


@dataclass(frozen=True)
class Named(Generic[T]):
    """A thing with one line about it, for the command line's help."""

    thing: T
    about: str


class Names(Generic[T]):
    """A registry: `kind` is what its things are called in messages."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._known: dict[str, Named[T]] = {}

    def register(self, name: str, about: str) -> Callable[[T], T]:
        """A decorator that adds what it decorates."""

        def add(thing: T) -> T:
            if name in self._known:
                raise ValueError(f"two things of the kind '{self._kind}' share the name '{name}'")
            self._known[name] = Named(thing, about)
            return thing

        return add

    def all(self) -> Mapping[str, Named[T]]:
        return dict(self._known)

    def find(self, name: str) -> T:
        if name not in self._known:
            raise BadInput(f"unknown {self._kind} '{name}'; known are {', '.join(sorted(self._known))}")
        return self._known[name].thing
