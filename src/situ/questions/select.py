"""Which objects a phrase such as "red cones" picks out."""

from collections.abc import Mapping
from dataclasses import dataclass

from situ.state.protocol import ByCategory, ObjectView, SpatialState


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

    def select(self, state: SpatialState) -> tuple[ObjectView, ...]:
        views = state.objects()
        if self.category is not None and isinstance(views, ByCategory):
            views = views.of_category(self.category)
        return tuple(view for view in views if self.matches(view))

    def covers(self, other: "Selector") -> bool:
        """Whether everything that `other` picks is picked by this one too."""
        category_fits = self.category is None or self.category == other.category
        return category_fits and set(self.attributes) <= set(other.attributes)

    @property
    def singular(self) -> str:
        """ "red cone", "red object"."""
        return " ".join([*(value for _, value in self.attributes), self.category or "object"])

    @property
    def plural(self) -> str:
        """ "red cones", "red objects"."""
        *words, noun = self.singular.split(" ")
        return " ".join([*words, plural(noun)])


def with_article(noun_phrase: str) -> str:
    """ "a red cone", "an orange cone"; "keys" stay "keys"."""
    if is_plural(noun_phrase):
        return noun_phrase
    return f"{'an' if noun_phrase[:1] in tuple('aeiou') else 'a'} {noun_phrase}"


_SINGULAR_IN_S = frozenset(["gas", "lens", "canvas", "atlas", "christmas", "pancreas", "iris", "chess"])


def is_plural(noun_phrase: str) -> bool:
    """Whether a name is a plural as it stands: keys, scissors, glasses, running shoes."""
    noun = noun_phrase.rsplit(" ", 1)[-1].lower()
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and noun not in _SINGULAR_IN_S


def plural(noun: str) -> str:
    """English plural of a regular noun, and of the irregular ones that homes are full of."""
    irregular = {
        "shelf": "shelves",
        "knife": "knives",
        "loaf": "loaves",
        "person": "people",
        "child": "children",
    }
    if noun in irregular:
        return irregular[noun]
    if is_plural(noun):
        return noun
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + "s"
