"""Which objects a phrase such as "red cones" picks out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from situ.english import is_plural as is_plural
from situ.english import plural as plural
from situ.english import with_article as with_article
from situ.lazy import lazily
from situ.state.protocol import ObjectView, SpatialState


@dataclass(frozen=True)
class Selector:
    """Objects of a category (any, if None) that carry all the given attributes."""

    category: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()

    @classmethod
    def make(cls, category: str | None = None, attributes: Mapping[str, str] | None = None) -> "Selector":
        return cls(category, tuple(sorted((attributes or {}).items())))

    def matches(self, view: ObjectView) -> bool:
        if self.category is not None and view.category != self.category:
            return False
        for key, value in self.attributes:  # noqa: SIM110 (asked of every object of every sample)
            if view.attributes.get(key) != value:
                return False
        return True

    def could_mean(self, category: str, attributes: Mapping[str, str]) -> bool:
        """Whether who hears the words could think of a thing: a floor vase is a vase, too."""
        words = set((self.category or "").split())
        return words <= set(category.split()) and all(attributes.get(k) == v for k, v in self.attributes)

    def select(self, state: SpatialState) -> tuple[ObjectView, ...]:
        return tuple(view for view in state.objects() if self.matches(view))

    def covers(self, other: "Selector") -> bool:
        """Whether everything that `other` picks is picked by this one too."""
        category_fits = self.category is None or self.category == other.category
        return category_fits and set(self.attributes) <= set(other.attributes)

    @lazily
    def singular(self) -> str:
        """ "red cone", "red object"; "Tom" is no object."""
        named = any(key in ("name", "code") for key, _ in self.attributes)
        what = self.category or ("" if named else "object")
        return " ".join([*(value for _, value in self.attributes), *([what] if what else [])])

    def __format__(self, spec: str) -> str:
        """ "{which}" is "red cone", "{which:plural}" "red cones", "{which:a}" "a red cone"."""
        said = {
            "": lambda: self.singular,
            "plural": lambda: self.plural,
            "a": lambda: with_article(self.singular),
        }
        return said[spec]()

    @property
    def plural(self) -> str:
        """ "red cones", "red objects"."""
        *words, noun = self.singular.split(" ")
        return " ".join([*words, plural(noun)])


@dataclass(frozen=True)
class Phrase(Selector):
    """Any set of the algebra by its name, where a question knows objects by kind and looks alone."""

    of: Any = field(default=None, hash=False)
    name: str = ""

    @property
    def singular(self) -> str:
        return self.name


def selectors(question: object) -> tuple[Selector, ...]:
    """All names in a question, those in pairs and lists included."""

    def within(value: object) -> Iterator[Selector]:
        if isinstance(value, Selector):
            yield value
        elif isinstance(value, tuple):
            for part in value:
                yield from within(part)

    return tuple(which for part in fields(question) for which in within(getattr(question, part.name)))  # type: ignore[arg-type]
