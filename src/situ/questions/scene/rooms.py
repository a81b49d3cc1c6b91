"""Named places: in which room a thing is, what a room holds, and the way to it."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.heading import HERE_M, SAME_LOCATION, SECTORS, named_way
from situ.questions.base import Answer, question_kind
from situ.questions.rules.places import NamedPlace, Places
from situ.questions.rules.shown import shown
from situ.questions.rules.tally import Tally, first_shares, surest
from situ.questions.rules.wearer import full_name, heading_now, last_frames
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector, plural, with_article
from situ.state.candidates import candidates_near, ranked
from situ.state.protocol import LIKELY, Candidate, SpatialState

_FRAME = "the places that the wearer was told the names of; a thing is in the one that explains it best"
# The middle of a place moves while more of it is walked: by so much, and by this share of its spread.
_MIDDLE_M, _MIDDLE_SHARE = 0.2, 0.25


class _Inside(NamedTuple):
    """Things of a kind, and for each the probability that it is in a place and the log odds of it.
    `namesakes` is how many are expected in other places of the same name near by."""

    found: Sequence[Candidate]
    chances: Sequence[float]
    margins: Sequence[float]
    namesakes: float = 0.0

    def one_room(self, listed: int) -> float:
        """How right a list is, if places of one name are as likely one room as two (F1)."""
        return 0.5 + listed / (2 * listed + self.namesakes) if listed and self.namesakes else 1.0

    def margin(self, things: Sequence[Candidate]) -> float:
        """Of the least sure of some things."""
        number = {thing.id: k for k, thing in enumerate(self.found)}
        return min((self.margins[number[thing.id]] for thing in things), default=1.0)


@dataclass(frozen=True)
class _OfPlace:
    """A question about a place by its name."""

    place: str

    frame: ClassVar[str] = _FRAME

    def _inside(self, state: SpatialState, which: Selector) -> _Inside:
        """Which things of a kind are still there and in the place that is meant."""
        places = Places.of(state)
        room, *others = places.called(self.place, state)
        node, reach = places.nodes[room], places.reach(room)
        found = state.candidates(which) if which.category else candidates_near(state, which, node.mean, reach)
        found = [thing for thing in found if thing.chance * thing.there > 0.0]
        shares, located = places.spread(found)
        inside = zip(found, shares[:, room].tolist(), strict=True)
        chances = [
            thing.chance * thing.there * share * (shown(state, thing.view) if share > 0.0 else 1.0)
            for thing, share in inside
        ]
        elsewhere = shares[:, others].sum(axis=1).tolist() if others else [0.0] * len(found)
        namesakes = sum(
            thing.chance * thing.there * share for thing, share in zip(found, elsewhere, strict=True)
        )
        return _Inside(found, chances, located.margin.tolist(), float(namesakes))


@question_kind
@dataclass(frozen=True)
class PlaceOf:
    """The place in which a thing is."""

    which: Selector

    kind: ClassVar[str] = "place_of"
    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "log odds to the next place"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return f"In which room is the {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        things = ranked(state.candidates(self.which), state.path, state.now)
        if not any(thing.likely for thing in things):
            raise Unanswerable(f"I have not seen {with_article(self.which.singular)}")
        places = Places.of(state)
        if not places:
            raise Unanswerable("I have not been told the name of any place")
        if not any(thing.left for thing in things):
            raise Unanswerable(f"I do not know where the {self.which.singular} is now")
        first = first_shares([thing.chance * thing.remains for thing in things])
        weights = np.array(first)[:, None] * [[thing.there] for thing in things] * places.shares(things)
        odds: dict[str, float] = defaultdict(float)
        for k, node in enumerate(places.nodes):
            odds[node.tag] += float(weights[:, k].sum())
        name = max(sorted(odds), key=lambda tag: odds[tag])
        if odds[name] <= 0.0:
            raise Unanswerable(f"the {self.which.singular} is in no place that I know the name of")
        thing = things[int(np.where(places.tags == name, weights, 0.0).sum(axis=1).argmax())]
        margin = float(places.locate(thing.view.box.center).margin_of_name[0])
        return Answer(name, margin, thing.last_shown, {"log_odds": margin}, (thing.id,), _told(odds))


@question_kind
@dataclass(frozen=True)
class IsIn(_OfPlace):
    """Whether a thing of a kind is in a place."""

    which: Selector

    kind: ClassVar[str] = "is_in"
    margin_unit: ClassVar[str] = "log odds to the next place"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return f"Is {with_article(self.which.singular)} in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        inside = self._inside(state, self.which)
        if not any(thing.likely for thing in state.candidates(self.which)):
            raise Unanswerable(f"I have not seen {with_article(self.which.singular)}")
        tally = Tally(inside.chances)
        none = float(tally.shares[0]) if tally.least == 0 else 0.0
        there = surest(inside.found, inside.chances, max(1, tally.value)) if none < LIKELY else ()
        margin = max((inside.margin([thing]) for thing in there), default=1.0)
        odds = {YES: 1.0 - none, NO: none}
        numbers = {"count": len(there)}
        about = tuple(thing.id for thing in there)
        return Answer(YES if there else NO, margin, last_frames(there), numbers, about, odds)


@question_kind
@dataclass(frozen=True)
class CountInPlace(_OfPlace):
    """How many things of a kind are in a place now."""

    which: Selector

    kind: ClassVar[str] = "count_in_place"
    margin_unit: ClassVar[str] = "log odds to the next place, of the least sure thing"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        inside = self._inside(state, self.which)
        tally = Tally(inside.chances)
        there = surest(inside.found, inside.chances, tally.value)
        margin, about = inside.margin(there), tuple(thing.id for thing in there)
        return Answer(tally.value, margin, last_frames(there), {"count": tally.value}, about, tally.odds)


@question_kind
@dataclass(frozen=True)
class ContentsOf(_OfPlace):
    """What is in a place, as a list in words: the most frequent first. Its odds are those of each entry."""

    kind: ClassVar[str] = "contents_of"
    margin_unit: ClassVar[str] = "log odds to the next place, of the least sure thing"
    min_margin: ClassVar[float] = 0.0

    @property
    def text(self) -> str:
        return f"What is in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        inside = self._inside(state, Selector())
        kinds: dict[str, list[int]] = defaultdict(list)
        for k, thing in enumerate(inside.found):
            if inside.chances[k] > 0.0:
                kinds[full_name(thing.view)].append(k)
        tallies = {name: Tally([inside.chances[k] for k in members]) for name, members in kinds.items()}
        listed = sorted((-tally.value, name) for name, tally in tallies.items() if tally.value)
        there: list[Candidate] = []
        for _, name in listed:
            members = [inside.found[k] for k in kinds[name]]
            there += surest(members, [inside.chances[k] for k in kinds[name]], tallies[name].value)
        whole = inside.one_room(sum(-n for n, _ in listed))
        odds = {_several(name, -n): whole * tallies[name].odds[str(-n)] for n, name in listed}
        margin, about = inside.margin(there), tuple(thing.id for thing in there)
        words = ", ".join(odds) or "nothing"
        return Answer(words, margin, last_frames(there), {"count": len(there)}, about, odds or {words: 1.0})


@question_kind
@dataclass(frozen=True)
class WayToPlace(_OfPlace):
    """The direction of a place from the wearer, in eight sectors."""

    kind: ClassVar[str] = "way_to_place"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return f"Where is the {self.place} from here?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def answer(self, state: SpatialState) -> Answer:
        places = Places.of(state)
        place = places.nodes[places.called(self.place, state)[0]]
        bearing, distance, _ = heading_now(state).polar(place.mean)
        value, margin = named_way(bearing, distance)
        numbers = {"bearing_deg": bearing, "distance_m": distance}
        return Answer(value, margin, (), numbers, odds=_told({value: _toward(place, margin, distance)}))


def _toward(place: NamedPlace, margin_deg: float, distance: float) -> float:
    """How surely the middle of a place lies where it seems to: it is that of the spots walked so far."""
    spread = float(np.sqrt(np.trace(np.asarray(place.covariance)[:2, :2])))
    sigma = _MIDDLE_M + _MIDDLE_SHARE * spread
    here = 0.5 * (1.0 + math.erf((HERE_M - distance) / (sigma * math.sqrt(2.0))))
    if distance < HERE_M:
        return here
    aside = math.degrees(math.atan2(sigma, distance))
    return (1.0 - here) * 0.5 * (1.0 + math.erf(margin_deg / (aside * math.sqrt(2.0))))


@question_kind
@dataclass(frozen=True)
class WhereAmI:
    """The place in which the wearer is."""

    kind: ClassVar[str] = "where_am_i"
    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "log odds to the next place"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return "In which room am I?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        places = Places.of(state)
        if not len(state.path) or not places:
            raise Unanswerable("I have not been told the name of any place")
        latest = state.path.index_at(state.now)
        found = places.locate(heading_now(state).position)
        if found.place[0] < 0:
            raise Unanswerable("you are in no place that I know the name of")
        margin = float(found.margin_of_name[0])
        return Answer(places.nodes[int(found.place[0])].tag, margin, (latest,), {"log_odds": margin})


def _told(odds: dict[str, float]) -> dict[str, float]:
    """The odds of names, likeliest first; what is missing is in no place that has one."""
    return {name: odds[name] for name in sorted(odds, key=lambda tag: (-odds[tag], tag)) if odds[name] > 0.0}


def _several(name: str, number: int) -> str:
    *words, noun = name.split(" ")
    return with_article(name) if number == 1 else " ".join([str(number), *words, plural(noun)])
