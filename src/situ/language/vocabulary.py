"""What the names in a sentence mean in a memory: labels that were seen, never a guess at another thing."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol

from situ.english import name_key
from situ.errors import Unanswerable
from situ.language.words import (
    ANYTHING,
    ATTRIBUTE_OF,
    COLOURS,
    IDLE,
    PLACE_NAMES,
    SAME_VALUE,
    TITLES,
    is_code,
    same_place,
    same_thing,
    short_for,
    singular,
    without_articles,
)
from situ.questions.rules.places import WithPlaces, place_of
from situ.questions.select import Selector, with_article
from situ.state.protocol import FACTS_OF_KINDS, SpatialState, WithNames

_MOST_KEPT = 2000  # names that were looked up
_MOST_WORDS = 2  # of a name that nobody has heard
HERE = frozenset(
    {
        "same room as me",
        "same room as i am",
        "same room that i am in",
        "here",
        "room",
        "place",
        "same room",
        "current room",
        "house",
        "home",
        "flat",
        "apartment",
    }
)


NO_PLACES = "I have not been told the name of any place"
_BEDROOM = frozenset({"my room", "our room"})


class Encoder(Protocol):
    """Optional: how alike two names are, 0 to 1. Only used to suggest, never to answer."""

    def likeness(self, name: str, others: Iterable[str]) -> dict[str, float]: ...


_INNER = frozenset({"the", "a", "an"})


class NotSeen(Unanswerable):
    """The memory holds nothing by that name, if it is one."""

    def __init__(self, why: str, name: str = "") -> None:
        super().__init__(why, name)  # all that makes it again: refusals are kept as their arguments
        self.name = name

    def __str__(self) -> str:
        return str(self.args[0])


class NoSuchPlace(NotSeen):
    """No place has that name. It may have been there without a name."""


class Ambiguous(Unanswerable):
    """A name that may mean things of several kinds: "lamp" where there are a desk lamp and a floor lamp."""

    def __init__(self, name: str, kinds: tuple[str, ...]) -> None:
        super().__init__(
            f"I know {' and '.join(with_article(kind) for kind in kinds)}; which {name} do you mean"
        )
        self.name = name
        self.kinds = kinds


@dataclass(frozen=True)
class Vocabulary:
    """The labels and attributes of a state; `here` is the name of the place in which the wearer is."""

    labels: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    encoder: Encoder | None = None
    places: frozenset[str] = frozenset()
    here: str = ""
    preferred: frozenset[str] = frozenset()  # labels that are meant where a name may mean several
    any_name: bool = False  # of things that nobody saw there are none, which may be the answer

    @classmethod
    def of(cls, state: SpatialState, encoder: Encoder | None = None) -> "Vocabulary":
        views = state.objects()
        places = (
            frozenset(place.tag for place in state.places()) if isinstance(state, WithPlaces) else frozenset()
        )
        here = _here(state) if places else ""
        if isinstance(state, WithNames):
            labels, attributes = state.names()
            if encoder is None:
                return _shared(labels, attributes, places, here)
            return cls(labels, attributes, encoder, places, here)
        return cls(
            frozenset(view.category for view in views),
            frozenset(item for view in views for item in view.attributes.items()),
            encoder,
            places,
            here,
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """All names of things and places, in small letters."""
        return frozenset(name.lower() for name in self.labels | self.places)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of names that may be meant: a slip of the keyboard can only be one of these."""
        names = {*self.labels, *(word for pair in self.adjectives for word in pair), *ATTRIBUTE_OF}
        names |= {name.split(" ")[-1] for label in self.labels for name in same_thing(label.lower())}
        names |= {name for place in self.places for name in same_place(place.lower())}
        found = {word for name in names for word in name.lower().split(" ") if word.isalpha()}
        return frozenset(found | {f"{word}s" for word in found})

    def place(self, phrase: str) -> str:
        """The place that a phrase such as "the kitchen" names. Raises NotSeen for an unknown one."""
        name = without_articles(phrase.lower())
        if (name in HERE or phrase in HERE) and phrase.lower() not in _BEDROOM:
            if not self.here:
                raise NotSeen("I do not know the name of the place that you are in")
            return self.here
        if phrase.lower() in _BEDROOM:
            name = "bedroom"
        by_key, names = self._places_by_key, [name, *sorted(same_place(name))]
        for known in names:
            if name_key(known) in by_key:
                return by_key[name_key(known)]
        if not self._by_key.keys().isdisjoint(same_thing(name)):  # a thing that is called just so is meant
            raise self._unknown_place(name)
        fuller = [tag for key, tag in by_key.items() if any(short_for(short, key) for short in names)]
        chosen = [tag for tag in fuller if tag in self.preferred] or fuller
        if len(chosen) > 1:
            raise Ambiguous(name, tuple(chosen))
        if chosen:
            return chosen[0]
        raise self._unknown_place(name)

    @cached_property
    def _places_by_key(self) -> dict[str, str]:
        return {name_key(tag): tag for tag in sorted(self.places)}

    def _unknown_place(self, name: str) -> NoSuchPlace:
        if not self.places:
            return NoSuchPlace(NO_PLACES)
        known_ones = " and ".join(f"the {tag}" for tag in sorted(self.places)[:3])
        return NoSuchPlace(f"I do not know a place called {name}; I know {known_ones}")

    def is_place(self, phrase: str) -> bool:
        try:
            return bool(self.place(phrase))
        except Ambiguous:
            return True
        except NotSeen:
            return False

    def knows(self, phrase: str) -> bool:
        """Whether a phrase is a name that picks something out."""
        try:
            return self.select(phrase) is not None
        except Ambiguous:
            return True
        except NotSeen:
            return False

    def select(self, phrase: str) -> Selector:
        """What a noun phrase such as "the red cups" picks out. Raises NotSeen for an unknown name."""
        known = self._selected.get(phrase)  # the same few words are tried in many phrases
        if known is None:
            try:
                known = self._select(phrase)
            except Ambiguous as error:
                known = Ambiguous, (error.name, error.kinds)
            except NotSeen as error:  # not the error itself, which holds on to the calls it came through
                known = type(error), error.args
            if len(self._selected) >= _MOST_KEPT:
                self._selected.clear()
            self._selected[phrase] = known
        if isinstance(known, Selector):
            return known
        wrong, given = known
        raise wrong(*given)

    @cached_property
    def _selected(self) -> dict[str, Selector | tuple[type[Unanswerable], tuple[Any, ...]]]:
        return {}

    def _select(self, phrase: str) -> Selector:
        whole = self._by_key.get(name_key(phrase))
        if whole is not None:  # "no entry sign", which is no sign
            return Selector.make(whole, {})
        words = self._value_first(without_articles(phrase.lower()).split())
        attributes: dict[str, str] = {}
        ways = [words] if not words or not is_code(words[0]) else [words, [*words[1:], words[0]]]
        for way in ways if len(words) > 1 else []:  # "crate C303" is the C303 crate, too
            whole = self._label(_without_inner(" ".join(way)))
            if whole is not None:  # a thing that somebody named "red crate", whatever colour it is
                return Selector.make(whole, {})
        while words:
            spelt = words[0] if words[0] in self._by_value else SAME_VALUE.get(words[0], words[0])
            keys = self._by_value.get(spelt, [])
            key, value = keys[0] if keys else (ATTRIBUTE_OF.get(spelt), spelt)
            if key is None and words[0] in IDLE and len(words) > 1:
                words = words[1:]
                continue
            alone = len(words) == 1 and (not keys or self._label(words[0]) is not None)
            if key is None or alone:
                break  # "the glass" is a thing; "the red" is short for the red one
            attributes[key] = value
            words = words[1:]
        name = " ".join(words)
        if not name or singular(name) in ANYTHING:
            return Selector.make(None, attributes)
        label = self._label(name, attributes)
        unseen = label is None or any(pair not in self.attributes for pair in attributes.items())
        if self.any_name and unseen and name not in HERE and len(name.split(" ")) <= _MOST_WORDS:
            return Selector.make(label or singular(name), attributes)
        if label is None and (name in PLACE_NAMES or name.endswith(" room")):
            raise self._unknown_place(name)
        if label is None:
            raise NotSeen(self.not_seen(name), name)
        if any((key, value) not in self.attributes for key, value in attributes.items()):
            known = " ".join([*attributes.values(), label])
            raise NotSeen(f"I have not seen {with_article(known)}, only other {label}s or things like it")
        return Selector.make(label, attributes)

    def _value_first(self, words: list[str]) -> list[str]:
        """What describes a thing in front of its name: "the cup red", as many say who learnt English late,
        "carton A101", "the carton with code A101"."""
        last = words[-1] if len(words) > 1 else ""
        if last in COLOURS or (is_code(last) and last in self._by_value):
            keys = {key.lower() for key, _ in self._by_value.get(last, [])}
            said = len(words) > 3 and words[-3] == "with" and words[-2] in keys
            return [last, *words[: -3 if said else -1]]
        return words

    @cached_property
    def adjectives(self) -> list[tuple[str, str]]:
        """The attributes, in order, that may stand before a name: not "yes" of `flat_top`."""
        return sorted(pair for pair in self.attributes if pair[0] not in FACTS_OF_KINDS)

    @cached_property
    def _by_value(self) -> dict[str, list[tuple[str, str]]]:
        """The attributes by their values in small letters, as they are asked for."""
        found: dict[str, list[tuple[str, str]]] = {}
        for key, value in self.adjectives:
            found.setdefault(value.lower(), []).append((key, value))
        return found

    @cached_property
    def _by_key(self) -> dict[str, str]:
        return {singular(_without_inner(label.lower())): label for label in sorted(self.labels)}

    @cached_property
    def _by_end(self) -> dict[str, list[str]]:
        """The keys by their last word: a name is short only for what ends as it does."""
        found: dict[str, list[str]] = {}
        for key in self._by_key:
            found.setdefault(key.split(" ")[-1], []).append(key)
        return found

    def _label(self, name: str, attributes: dict[str, str] | None = None) -> str | None:
        """The label that a name stands for: itself, its singular, a true synonym, or a fuller name for it."""
        names, by_key = same_thing(name), self._by_key
        exact = sorted(name for name in names if name in by_key)
        if exact:
            own = singular(name)
            return by_key[own if own in exact else exact[0]]
        ends = {short.split(" ")[-1] for short in names}
        fuller = [
            key
            for key in sorted({key for end in ends for key in self._by_end.get(end, ())})
            if any(short_for(short, key) for short in names)
        ]
        chosen = [key for key in fuller if by_key[key] in self.preferred]
        if len(fuller) > 1 and not chosen:
            raise Ambiguous(singular(name), tuple(by_key[key] for key in fuller))
        return by_key[(chosen or fuller)[0]] if fuller else None

    def kinds(self, name: str) -> tuple[str, ...]:
        """The labels that a name may mean: none, one, or several ("lamp" of a desk lamp and a floor lamp)."""
        try:
            label = self._label(_without_inner(name))
        except Ambiguous as error:
            return error.kinds
        return () if label is None else (label,)

    def not_seen(self, name: str) -> str:
        """What is said of a name that nobody has seen."""
        if name.split(" ")[0] in TITLES:
            return f"I have not seen {name.title()}"
        one = singular(name)
        said = f"I have not seen {with_article(one)}"
        alike = sorted(label for label in self.labels if label.split(" ")[-1] == one.split(" ")[-1])
        if self.encoder is not None and not alike:
            scores = self.encoder.likeness(one, self.labels)
            alike = sorted((label for label in scores if scores[label] > 0.6), key=lambda a: -scores[a])[:2]
        return f"{said}; I have seen {' and '.join(with_article(a) for a in alike[:3])}" if alike else said


def _without_inner(name: str) -> str:
    """A name of several words without articles: who named a "sign on door" may be asked for the sign on the
    door."""
    return " ".join(word for word in name.split() if word not in _INNER) or name


def _here(state: SpatialState) -> str:
    """The name of the place in which the wearer is; a memory was told it with the last frame."""
    told = getattr(state, "place_now", None)
    tag = told() if told is not None else None
    if tag or not len(state.path):
        return str(tag or "")
    return place_of(state, state.path.heading_at(state.now).position)


@lru_cache(maxsize=16)
def _shared(
    labels: frozenset[str], attributes: frozenset[tuple[str, str]], places: frozenset[str], here: str
) -> Vocabulary:
    """One for all questions to a memory that knows the same names: what it works out from them takes long."""
    return Vocabulary(labels, attributes, None, places, here)
