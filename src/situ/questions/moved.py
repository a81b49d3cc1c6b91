"""What was moved: by whom, when, from where to where, and what changed since a time."""

import math
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer, question_kind
from situ.questions.landmarks import chance_of, on_gap, plain_name, spot_name
from situ.questions.listing import NOTHING, SEPARATOR
from situ.questions.moves import Move, all_moves, begin, frames_of, moves_of, sure_of, walks
from situ.questions.places import place_of
from situ.questions.resting import meant
from situ.questions.select import Selector, with_article
from situ.questions.view import NO, YES
from situ.questions.wearer import last_frame
from situ.state.diary import WithStays
from situ.state.protocol import LIKELY, ObjectView, SpatialState

_FRAME = "places of rest, one after the other; no direction is involved"
YOU, OTHERS = "you", "somebody else"
MOVED, GONE, UNCHANGED, IN_HAND, BACK = (
    "moved",
    "gone",
    "unchanged",
    "in your hands",
    "moved and brought back",
)
FATES = (MOVED, GONE, UNCHANGED, IN_HAND, BACK)
_APART_S = 5.0
MOVED_M = 0.4


@dataclass(frozen=True)
class _OfMoves:
    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "metres of position error that would change the answer"
    min_margin: ClassVar[float] = 0.2

    @property
    def options(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class _OfThing(_OfMoves):
    """About the moves of one thing since a time."""

    which: Selector
    since: float | None = None

    def moves(self, state: SpatialState) -> tuple[ObjectView, list[Move]]:
        view = meant(state, self.which)
        return view, [move for move in moves_of(state, view) if move.arrived > begin(self.since)]

    def last(self, state: SpatialState) -> tuple[ObjectView, Move]:
        view, moves = self.moves(state)
        if not moves:
            raise Unanswerable(f"as far as I know the {self.which.singular} has not been moved")
        return view, moves[-1]


@question_kind
@dataclass(frozen=True)
class HasMoved(_OfThing):
    """Whether a thing has been moved since a time."""

    kind: ClassVar[str] = "has_moved"

    @property
    def text(self) -> str:
        return f"Has the {self.which.singular} been moved?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        view, moves = self.moves(state)
        gone = state.where(view.id, state.now) is None
        frames = frames_of(state, moves[-1]) if moves else last_frame(state, view.id)
        sure = view.presence if moves or gone else chance_of([view])
        value = YES if moves or gone else NO
        numbers = {"count": len(moves) + gone}
        return Answer(value, 1.0, frames, numbers, (view.id,), sure_of(value, sure))


@question_kind
@dataclass(frozen=True)
class HappenedTo(_OfThing):
    """What became of a thing since a time: moved, gone, in hand, brought back, or nothing."""

    kind: ClassVar[str] = "happened_to"

    @property
    def text(self) -> str:
        return f"What happened to the {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return FATES

    def answer(self, state: SpatialState) -> Answer:
        view, moves = self.moves(state)
        frames = frames_of(state, moves[-1]) if moves else last_frame(state, view.id)
        numbers: dict[str, float] = {"count": len(moves)}
        value, margin, sure = self._fate(state, view, moves)
        if value in (MOVED, BACK):
            numbers["moved_m"] = margin
        return Answer(value, margin, frames, numbers, (view.id,), sure_of(value, sure))

    def _fate(self, state: SpatialState, view: ObjectView, moves: list[Move]) -> tuple[str, float, float]:
        """What became of it, by how much, and how surely."""
        if state.where(view.id, state.now) is None:
            return GONE, 1.0, view.presence
        if not moves:
            return UNCHANGED, 1.0, chance_of([view])
        first, last = moves[0], moves[-1]
        if last.after is None:
            return (IN_HAND if last.in_hand else MOVED), 1.0, view.presence
        apart = math.dist(first.before.center, last.after.center)
        return (MOVED if apart > MOVED_M else BACK), abs(apart - MOVED_M), view.presence


@question_kind
@dataclass(frozen=True)
class StillThere(_OfThing):
    """Whether a thing is still where it was last seen, or at a time; if `gone`, whether it is not."""

    gone: bool = False

    kind: ClassVar[str] = "still_there"

    @property
    def text(self) -> str:
        return f"Is the {self.which.singular} {'gone' if self.gone else 'still there'}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        view, moves = self.moves(state)
        there = state.where(view.id, state.now) is not None
        if self.since is not None:
            there = there and not moves
        chance = chance_of([view])
        value = YES if there != self.gone else NO
        odds = sure_of(value, max(chance, 1.0 - chance))
        return Answer(value, 1.0, last_frame(state, view.id), {}, (view.id,), odds)


@question_kind
@dataclass(frozen=True)
class MovedWhen(_OfThing):
    """When a thing came to its present place, in seconds on the recording's clock."""

    kind: ClassVar[str] = "moved_when"

    @property
    def text(self) -> str:
        return f"When was the {self.which.singular} last moved?"

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        numbers, odds = {"age_s": state.now - move.arrived}, sure_of(move.arrived, view.presence)
        return Answer(move.arrived, 1.0, frames_of(state, move), numbers, (view.id,), odds)


@question_kind
@dataclass(frozen=True)
class MovedBy(_OfThing):
    """Who moved a thing last, as far as its being in the wearer's hands tells."""

    kind: ClassVar[str] = "moved_by"

    @property
    def text(self) -> str:
        return f"Who moved the {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YOU, OTHERS)

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        sure = view.presence * (1.0 if move.by_wearer else 0.8)  # hands are not always in view
        value = YOU if move.by_wearer else OTHERS
        return Answer(value, 1.0, frames_of(state, move), {}, (view.id,), sure_of(value, sure))


@question_kind
@dataclass(frozen=True)
class CameFrom(_OfThing):
    """On which piece of furniture, or in which room, a thing was before its present place."""

    kind: ClassVar[str] = "came_from"

    @property
    def text(self) -> str:
        return f"Where was the {self.which.singular} before it was last moved?"

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        name = spot_name(state, move.before, view.id)
        if not name:
            raise Unanswerable(f"I know no name for where the {self.which.singular} was before")
        return Answer(name, 1.0, frames_of(state, move), {}, (view.id,), sure_of(name, view.presence))


@question_kind
@dataclass(frozen=True)
class MovedFromTo(_OfThing):
    """From where to where a thing was last moved, by furniture or room."""

    kind: ClassVar[str] = "moved_from_to"

    @property
    def text(self) -> str:
        return f"From where to where was the {self.which.singular} last moved?"

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        start = spot_name(state, move.before, view.id) or "another place"
        end = "elsewhere"
        if move.in_hand:
            end = "your hands"
        elif move.after is not None and (name := spot_name(state, move.after, view.id)):
            end = f"the {name}"
        words = f"from the {start} to {end}"
        return Answer(words, 1.0, frames_of(state, move), {}, (view.id,), sure_of(words, view.presence))


@question_kind
@dataclass(frozen=True)
class LastMoved(_OfMoves):
    """The thing that was moved last; by the wearer, if `mine`."""

    mine: bool = True

    kind: ClassVar[str] = "last_moved"
    margin_unit: ClassVar[str] = "spans of five seconds to the move before"

    @property
    def text(self) -> str:
        return "What did I move last?" if self.mine else "What was moved last?"

    def answer(self, state: SpatialState) -> Answer:
        moves = [m for m in all_moves(state, -math.inf) if m.by_wearer or not self.mine]
        if not moves:
            raise Unanswerable("as far as I know nothing has been moved")
        last = moves[0]
        others = [m.arrived for m in moves[1:] if m.view.id != last.view.id]
        margin = (last.arrived - others[0]) / _APART_S if others else 9.0
        numbers, name = {"age_s": state.now - last.arrived}, plain_name(last.view)
        odds = sure_of(name, last.view.presence)
        return Answer(name, margin, frames_of(state, last), numbers, (last.view.id,), odds)


@question_kind
@dataclass(frozen=True)
class MovedThings(_OfMoves):
    """Which things were moved since a time; by the wearer, if `mine`."""

    since: float | None = None
    mine: bool = True

    kind: ClassVar[str] = "moved_things"

    @property
    def text(self) -> str:
        return "What did I move?" if self.mine else "What was moved?"

    def answer(self, state: SpatialState) -> Answer:
        moves = [m for m in all_moves(state, begin(self.since)) if m.by_wearer or not self.mine]
        names = list(dict.fromkeys(f"the {plain_name(m.view)}" for m in moves))
        frames = tuple(sorted({f for m in moves[:4] for f in frames_of(state, m)}))
        words = SEPARATOR.join(names) or NOTHING
        return Answer(words, 1.0, frames, {"count": len(names)}, (), sure_of(words, 1.0))


@question_kind
@dataclass(frozen=True)
class TakenAway(_OfMoves):
    """What was taken from a place or a piece of furniture and is elsewhere now, the latest first."""

    place: str = ""
    anchor: Selector | None = None
    since: float | None = None

    kind: ClassVar[str] = "taken_away"

    @property
    def text(self) -> str:
        return f"What was taken from the {self.place or (self.anchor or Selector()).singular}?"

    def answer(self, state: SpatialState) -> Answer:
        anchors = (
            []
            if self.anchor is None
            else [thing.view for thing in state.candidates(self.anchor) if thing.likely]
        )
        if self.anchor is not None and not anchors:
            raise Unanswerable(f"I have not seen {with_article(self.anchor.singular)}")
        found: list[Move] = []
        for move in all_moves(state, begin(self.since)):
            now = state.where(move.view.id, state.now) if move.after is not None else None
            back = now is not None and self._at(state, now, anchors)
            if self._at(state, move.before, anchors) and not back:
                found.append(move)
        names = list(dict.fromkeys(f"the {plain_name(m.view)}" for m in found))
        frames = tuple(sorted({f for m in found[:4] for f in frames_of(state, m)}))
        words = SEPARATOR.join(names) or NOTHING
        return Answer(words, 1.0, frames, {"count": len(names)}, (), sure_of(words, 1.0))

    def _at(self, state: SpatialState, box: Box, anchors: list[ObjectView]) -> bool:
        if self.anchor is None:
            return place_of(state, box.center) == self.place
        return any(on_gap(box, anchor.box) is not None for anchor in anchors)


@question_kind
@dataclass(frozen=True)
class Changes(_OfMoves):
    """What has changed since a time, anywhere, in a place or at a thing: moved, gone, brought."""

    since: float | None = None
    place: str = ""
    anchor: Selector | None = None

    kind: ClassVar[str] = "changes"

    @property
    def text(self) -> str:
        where = f" in the {self.place}" if self.place else ""
        where = f" at the {self.anchor.singular}" if self.anchor is not None else where
        return f"What has changed{where}?"

    def answer(self, state: SpatialState) -> Answer:
        anchors = (
            []
            if self.anchor is None
            else [thing.view for thing in state.candidates(self.anchor) if thing.likely]
        )
        if self.anchor is not None and not anchors:
            raise Unanswerable(f"I have not seen {with_article(self.anchor.singular)}")
        said: dict[str, str] = {}
        frames: set[int] = set()
        moves: dict[int, list[Move]] = {}
        for move in all_moves(state, begin(self.since)):
            moves.setdefault(move.view.id, []).insert(0, move)
        for run in moves.values():
            words = self._words(state, run[0], run[-1], anchors)
            if words:
                said[f"the {plain_name(run[0].view)}"] = words
                frames.update(frames_of(state, run[-1])[-2:])
        for view in self._gone(state):
            if view.id not in moves and self._at(state, view.box, anchors):
                said[f"the {plain_name(view)}"] = "is gone"
                frames.update(last_frame(state, view.id))
        parts = [f"{name} {words}" for name, words in said.items()]
        words = SEPARATOR.join(parts) or NOTHING
        return Answer(words, 1.0, tuple(sorted(frames)), {"count": len(parts)}, (), sure_of(words, 1.0))

    def _words(self, state: SpatialState, first: Move, last: Move, anchors: list[ObjectView]) -> str:
        before = self._at(state, first.before, anchors)
        now = state.where(last.view.id, state.now)
        if now is None and last.after is not None:
            return "is gone" if before else ""
        if last.after is None and last.in_hand:
            return "is in your hands" if before else ""
        if last.after is None:
            return ("was taken away" if self.place or anchors else "was moved") if before else ""
        after = self._at(state, last.after, anchors)
        if before and after:
            apart = math.dist(first.before.center, last.after.center)
            return "was moved" if apart > MOVED_M else ""
        return "was taken away" if before else "was brought here" if after else ""

    def _at(self, state: SpatialState, box: Box, anchors: list[ObjectView]) -> bool:
        if self.anchor is not None:
            return any(on_gap(box, anchor.box) is not None for anchor in anchors)
        return not self.place or place_of(state, box.center) == self.place

    def _gone(self, state: SpatialState) -> list[ObjectView]:
        """Things that are not where they were, and were still there at the time."""
        found = []
        for view in state.objects():
            left = getattr(view, "absent_since", math.nan)
            fixed = getattr(view, "motion", "") == "fixed"  # furniture that is out of sight is not gone
            if view.presence <= LIKELY or left <= begin(self.since) or fixed or walks(view):
                continue
            if state.where(view.id, state.now) is None:
                if not isinstance(state, WithStays) or math.isnan(left):
                    seen = state.sightings(view.id)
                    if self.since is not None and seen and state.where(view.id, self.since) is None:
                        continue
                found.append(view)
        return found
