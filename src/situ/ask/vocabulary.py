"""What the names in a sentence mean in a memory: labels that were seen, never a guess at another thing."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from situ.ask.words import ANYTHING, ATTRIBUTE_OF, SAME_VALUE, same_thing, singular, without_articles
from situ.errors import Unanswerable
from situ.questions.places import Places
from situ.questions.select import Selector, with_article
from situ.state.protocol import ByCategory, SpatialState


class Encoder(Protocol):
    """Optional: how alike two names are, 0 to 1. Only used to suggest, never to answer."""

    def likeness(self, name: str, others: Iterable[str]) -> dict[str, float]: ...


class NotSeen(Unanswerable):
    """The memory holds nothing by that name."""


@dataclass(frozen=True)
class Vocabulary:
    """The labels and attributes of a state."""

    labels: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    encoder: Encoder | None = None
    places: frozenset[str] = frozenset()

    @classmethod
    def of(cls, state: SpatialState, encoder: Encoder | None = None) -> "Vocabulary":
        views, places = state.objects(), frozenset(place.tag for place in Places.of(state).nodes)
        if isinstance(views, ByCategory):
            return cls(*views.names(), encoder, places)
        return cls(
            frozenset(view.category for view in views),
            frozenset(item for view in views for item in view.attributes.items()),
            encoder,
            places,
        )

    def place(self, phrase: str) -> str:
        """The place that a phrase such as "the kitchen" names. Raises NotSeen for an unknown one."""
        name = without_articles(phrase.lower())
        by_name = {tag.lower(): tag for tag in sorted(self.places)}
        for known in (name, name.removesuffix(" room"), f"{name} room"):
            if known in by_name:
                return by_name[known]
        said = f"I do not know a place called {name}"
        known_ones = " and ".join(f"the {tag}" for tag in sorted(self.places)[:3])
        raise NotSeen(f"{said}; I know {known_ones}" if known_ones else said)

    def is_place(self, phrase: str) -> bool:
        try:
            return bool(self.place(phrase))
        except NotSeen:
            return False

    def select(self, phrase: str) -> Selector:
        """What a noun phrase such as "the red cups" picks out. Raises NotSeen for an unknown name."""
        words = without_articles(phrase.lower()).split()
        attributes: dict[str, str] = {}
        whole = self._label(" ".join(words)) if len(words) > 1 else None
        if whole is not None:  # a thing that somebody named "red crate", whatever colour it is
            return Selector.make(whole, {})
        while words:
            value = SAME_VALUE.get(words[0], words[0])
            keys = [key for key, known in sorted(self.attributes) if known == value]
            key = keys[0] if keys else ATTRIBUTE_OF.get(value)
            alone = len(words) == 1 and (not keys or self._label(words[0]) is not None)
            if key is None or alone:
                break  # "the glass" is a thing; "the red" is short for the red one
            attributes[key] = value
            words = words[1:]
        name = " ".join(words)
        if not name or singular(name) in ANYTHING:
            return Selector.make(None, attributes)
        label = self._label(name)
        if label is None:
            raise NotSeen(self._not_seen(name))
        if any((key, value) not in self.attributes for key, value in attributes.items()):
            known = " ".join([*attributes.values(), label])
            raise NotSeen(f"I have not seen {with_article(known)}, only other {label}s or things like it")
        return Selector.make(label, attributes)

    @cached_property
    def _by_key(self) -> dict[str, str]:
        return {singular(label.lower()): label for label in sorted(self.labels)}

    def _label(self, name: str) -> str | None:
        """The label that a name stands for: itself, its singular, a true synonym, or a fuller name for it."""
        names, by_key = same_thing(name), self._by_key
        exact = sorted(names & set(by_key))
        if exact:
            own = singular(name)
            return by_key[own if own in exact else exact[0]]
        fuller = [key for key in by_key if key.split(" ")[-1] in names]
        return by_key[fuller[0]] if len(fuller) == 1 else None

    def _not_seen(self, name: str) -> str:
        one = singular(name)
        said = f"I have not seen {with_article(one)}"
        alike = sorted(label for label in self.labels if label.split(" ")[-1] == one.split(" ")[-1])
        if self.encoder is not None and not alike:
            scores = self.encoder.likeness(one, self.labels)
            alike = sorted((label for label in scores if scores[label] > 0.6), key=lambda a: -scores[a])[:2]
        return f"{said}; I have seen {' and '.join(with_article(a) for a in alike[:3])}" if alike else said
