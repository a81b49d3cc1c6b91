"""What became of objects: whether, when, by whom and from where to where they were moved."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer
from situ.questions.programs.asks import NO, YES
from situ.questions.programs.run import Entry, NoneSeen, Result, Run, described
from situ.questions.programs.schema import Ask, Set, operator
from situ.questions.programs.table import SURE
from situ.questions.programs.world import InWorlds, World
from situ.questions.rules.landmarks import ON_M, plain_name
from situ.questions.rules.listing import SEPARATOR
from situ.questions.rules.moves import Move, frames_of
from situ.questions.rules.wearer import last_frame
from situ.state.protocol import LIKELY

YOU, OTHERS = "you", "somebody else"
MOVED, GONE, UNCHANGED, IN_HAND, BACK = (
    "moved",
    "gone",
    "unchanged",
    "in your hands",
    "moved and brought back",
)
FATES = (MOVED, GONE, UNCHANGED, IN_HAND, BACK)
MOVED_M = 0.4
UNNAMED = "in a place without a name"
ABOUT_S = 6.0  # to which a time is right
EDGE_M = 0.05  # beyond its edge something may stick out, or sink in
SEARCH_M, LARGER = 2.5, 3.0  # what carries an object is near, and so many times as large
APART_S = 30.0


@operator
@dataclass(frozen=True)
class History(InWorlds):
    """Of the one that is meant, since a time: whether it was moved ("moved"), what became of it ("fate"),
    whether it is still there ("there"), when it was moved last ("moved_at") and by whom ("moved_by"),
    where it was before ("came_from"), and from where to where it went ("from_to")."""

    tag: ClassVar[str] = "history"

    what: Literal["moved", "fate", "there", "moved_at", "moved_by", "came_from", "from_to"]
    of: Set
    since: float | None = None
    gone: bool = False  # "there" asked the other way round

    def in_world(self, world: World) -> Answer:
        if self.what in ("moved", "fate", "there"):
            return self._of_now(world, world.meant(self.of))
        column, move = self._last(world)
        frames, things = frames_of(world.state, move), (move.view.id,)
        if self.what == "moved_at":
            late = abs(float(world.run.table.arrivals(column, move)[world.number]) - move.arrived)
            if late > ABOUT_S:
                raise Unanswerable("nobody saw when it was put there")
            return Answer(move.arrived, 1.0, frames, {"age_s": world.now - move.arrived}, things)
        if self.what == "moved_by":
            return Answer(YOU if move.by_wearer else OTHERS, 1.0, frames, {}, things)
        start = spot_name(world, move.before, column)
        if self.what == "came_from":
            if not start:
                raise Unanswerable(f"I know no name for where {described(self.of, 'the')} was before")
            return Answer(start, 1.0, frames, {}, things)
        end = "elsewhere"
        if move.in_hand:
            end = "your hands"
        elif move.after is not None and (name := spot_name(world, move.after, column)):
            end = f"the {name}"
        return Answer(f"from the {start or 'another place'} to {end}", 1.0, frames, {}, things)

    def _of_now(self, world: World, column: int) -> Answer:
        moves, number = world.moves(column, self.since, told=True), int(world.run.table.ids[column])
        now = self._present(world, column)
        gone = now is None
        last = last_frame(world.state, number)
        if self.what == "there":
            there = not gone and not (self.since is not None and moves)
            return Answer(YES if there != self.gone else NO, 1.0, last, {}, (number,))
        frames = frames_of(world.state, moves[-1]) if moves else last
        if self.what == "moved":
            value = YES if moves or gone or world.doubled(column, self.of) else NO
            return Answer(value, 1.0, frames, {"count": len(moves) + gone}, (number,))
        value, margin = self._fate(moves, gone)
        if value == UNCHANGED and world.doubled(column, self.of):
            value = MOVED  # it was taken for another one elsewhere
        numbers: dict[str, float] = {"count": len(moves)}
        if value in (MOVED, BACK):
            numbers["moved_m"] = margin
        return Answer(value, margin, frames, numbers, (number,))

    @staticmethod
    def _present(world: World, column: int) -> Box | None:
        """Where an object is, None where it is no longer where it was seen."""
        try:
            return world.where_now(column)
        except Unanswerable:
            return None

    @staticmethod
    def _fate(moves: Sequence[Move], gone: bool) -> tuple[str, float]:
        """What became of an object, and by how much."""
        if gone:
            return GONE, 1.0
        if not moves:
            return UNCHANGED, 1.0
        first, last = moves[0], moves[-1]
        if last.after is None:
            return (IN_HAND if last.in_hand else MOVED), 1.0
        apart = math.dist(first.before.center, last.after.center)
        return (MOVED if apart > MOVED_M else BACK), abs(apart - MOVED_M)

    def _last(self, world: World) -> tuple[int, Move]:
        """The last move of the object that is meant; of several of a name, one that was moved is meant."""
        column = world.meant(self.of)
        moves = world.moves(column, self.since, told=True)
        if moves:
            return column, moves[-1]
        alike = sorted(world.members(self.of, surely=True))
        others = [(k, move) for k in alike for move in world.moves(k, self.since, told=True)]
        if not others:
            raise Unanswerable(f"as far as I know {described(self.of, 'the')} has not been moved")
        return max(others, key=lambda pair: pair[1].arrived)


@operator
@dataclass(frozen=True)
class Spots(Ask):
    """Where every object of a set is, by furniture and room: "2 on the table in the kitchen, 1 in the
    hall"."""

    tag: ClassVar[str] = "spots"

    of: Set

    def answer(self, run: Run) -> Result:
        columns = run.members(run.set(self.of))
        if not columns:
            raise NoneSeen(self.of)
        spots, sure = Counter[str](), []
        entries = []
        for k in columns:
            said = Counter(
                spot for spot, ok in zip(self._spots(run, k), run.table.placed[:, k], strict=True) if ok
            )
            spot, votes = said.most_common(1)[0] if said else (UNNAMED, 0)
            spots[spot] += 1
            sure.append(votes / run.table.count)
            entries.append(Entry(spot, sure[-1], None, run.ids([k])))
        value, chance = SEPARATOR.join(f"{n} {spot}" for spot, n in spots.most_common()), float(np.mean(sure))
        return Result(
            "spots", value, {value: chance}, chance, SURE, run.last_frames(columns[:8]), run.ids(columns),
            {"count": len(columns)}, entries=tuple(entries),
        )  # fmt: skip

    @staticmethod
    def _spots(run: Run, column: int) -> list[str]:
        """Where an object is in each world."""
        table, size = run.table, run.box(column)
        heights, found = table.centers[:, column, 2], []
        carried = supports(run, table.centers[:, column], size, column).tolist()
        for world, (k, room) in enumerate(zip(carried, table.rooms[:, column].tolist(), strict=True)):
            words = []
            if k >= 0:
                middle, half = table.centers[world, k, 2], table.sizes[k, 2] / 2
                inside = middle - half - EDGE_M <= heights[world] <= middle + half
                words.append(f"{'in' if inside else 'on'} the {plain_name(World(run, 0).view(k))}")
            if room >= 0:
                words.append(f"in the {table.places.nodes[room].tag}")
            found.append(" ".join(words) or UNNAMED)
        return found


def spot_name(world: World, box: Box, but: int) -> str:
    """The piece of furniture that carries a box, or else the room; "" where neither is known."""
    support = support_in(world, box, but)
    if support is not None:
        return plain_name(world.view(support))
    return world.run.table.places.tag_of(box.center)


def support_in(world: World, box: Box, but: int) -> int | None:
    """The column of the larger object that a box stands on or lies in; None if there is none."""
    found = world.kept(("support", box, but), lambda: supports(world.run, np.array([box.center]), box, but))
    k = int(found[world.number])
    return None if k < 0 else k


def supports(run: Run, centers: NDArray[np.float64], box: Box, but: int) -> NDArray[np.int64]:
    """The column of the larger object that a box of a size stands on or lies in, in each world (S,), where
    it is at some centers (S or 1, 3); -1 where there is none."""
    table = run.table
    middles, volumes = table.centers.mean(axis=0), table.sizes.prod(axis=1)
    near = np.hypot(*(middles[:, :2] - centers.mean(axis=0)[:2]).T) <= SEARCH_M
    real = (table.real > 0).mean(axis=0) > LIKELY
    columns = np.flatnonzero(near & real & (volumes >= LARGER * box.volume) & ~table.held)
    least, found = np.full(table.count, np.inf), np.full(table.count, -1)
    for k in columns[columns != but].tolist():
        gaps = np.where((table.real[:, k] > 0) & table.there[:, k], _on_gaps(run, centers, box, k), np.inf)
        found, least = np.where(gaps < least, k, found), np.minimum(gaps, least)
    return found


def _on_gaps(run: Run, centers: NDArray[np.float64], box: Box, k: int) -> NDArray[np.float64]:
    """`on_gap` in each world: how far the underside of a box is from the top of an object, infinite if it is
    beside it."""
    anchor, size, yaw = run.table.centers[:, k], run.table.sizes[k], run.table.yaws[k]
    east, north = centers[:, 0] - anchor[:, 0], centers[:, 1] - anchor[:, 1]
    along, across = east * np.cos(yaw) + north * np.sin(yaw), north * np.cos(yaw) - east * np.sin(yaw)
    over = (np.abs(along) <= size[0] / 2 + EDGE_M) & (np.abs(across) <= size[1] / 2 + EDGE_M)
    top, bottom, middle = anchor[:, 2] + size[2] / 2, anchor[:, 2] - size[2] / 2, centers[:, 2]
    inside = (bottom - EDGE_M <= middle) & (middle <= top)
    gap = np.abs(middle - box.size[2] / 2 - top)
    return np.where(over, np.where(inside, EDGE_M, np.where(gap <= ON_M, gap, np.inf)), np.inf)


@operator
@dataclass(frozen=True)
class Turnover(InWorlds):
    """How many of a set were there at a time and are not any more; if `added`, the other way round."""

    tag: ClassVar[str] = "turnover"
    fair: ClassVar[float] = 0.5

    of: Set
    since: float
    added: bool = False

    def in_world(self, world: World) -> Answer:
        table = world.run.table
        members = sorted(world.members(self.of, surely=True))
        was = [world.where_at(k, self.since) is not None for k in members]
        there = [bool(table.there[world.number, k]) for k in members]
        these = [k for k, a, b in zip(members, was, there, strict=True) if a != b and b == self.added]
        frames = world.run.last_frames(these) or world.run.last_frames(members)
        return Answer(len(these), 1.0, frames, {"count": len(these)})


@operator
@dataclass(frozen=True)
class MovedLast(InWorlds):
    """Which of several objects was the last to be moved by somebody else than the wearer."""

    tag: ClassVar[str] = "moved_last"
    fair: ClassVar[float] = 0.25

    of: tuple[Set, ...]
    names: tuple[str, ...]

    def in_world(self, world: World) -> Answer:
        last: dict[str, Move] = {}
        for which, name in zip(self.of, self.names, strict=True):
            try:
                moves = [move for move in world.moves(world.meant(which)) if not move.by_wearer]
            except Unanswerable:
                continue
            if moves:
                last[name] = moves[-1]
        if not last:
            raise Unanswerable("as far as I know nobody else has moved any of these")
        order = sorted(last, key=lambda name: -last[name].arrived)
        best = last[order[0]]
        margin = (best.arrived - last[order[1]].arrived) / APART_S if len(order) > 1 else 9.0
        numbers = {"arrived_s": best.arrived}
        return Answer(order[0], margin, frames_of(world.state, best), numbers, (best.view.id,))
