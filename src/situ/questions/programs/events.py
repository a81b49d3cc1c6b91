"""Sets by what happened: seen, moved, taken from or brought somewhere, gone, in hand; when, and by whom."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.programs.run import Run
from situ.questions.programs.schema import Json, Set, fault, operator
from situ.questions.programs.table import SURE, Margins
from situ.questions.rules.landmarks import on_gap
from situ.questions.rules.moves import Move, frames_of

Act = Literal["seen", "first_seen", "inview", "held", "gone", "moved", "taken", "brought"]
_STATES = ("inview", "held")  # acts of now
_MOVES_SHOWN = 4
CHANGES = ("moved", "taken", "brought", "gone")  # of which some may not have been seen
_MOVED_M = (
    0.2  # a move is clear if the position may be off by so much: the fair margin of questions about moves
)


@operator
@dataclass(frozen=True)
class Did(Set):
    """What something happened to: seen, moved, taken from or brought to a place or objects, gone, in hand."""

    tag: ClassVar[str] = "did"
    filters: ClassVar[bool] = True
    also: ClassVar[Mapping[str, Mapping[str, Json]]] = {"by": {"any": None}}

    act: Act
    of: Set | None = None
    since: float | None = None
    until: float | None = None
    while_: str | None = None
    by: Literal["me", "other"] | None = None
    at: str | Set | None = None

    def checked(self, place: str) -> None:
        if self.since is not None and self.until is not None and self.since > self.until:
            raise fault(place, f"'since' {self.since:g} lies after 'until' {self.until:g}")

    def margins(self, run: Run, raw: bool) -> Margins:
        now = self.act in _STATES and self.since is None and self.until is None
        of = run.set(self.of, raw) if self.of is not None else run.set(None, raw or not now)
        return np.minimum(of, self._happened(run, np.flatnonzero((of > 0).any(axis=0))))

    def _happened(self, run: Run, columns: NDArray[np.int64]) -> Margins:
        table, spans = run.table, self._spans(run)
        one_world = np.full(table.number, False)
        times, _ = table.last
        if self.act == "inview" and spans == [(-math.inf, math.inf)]:
            one_world = table.in_view
        elif self.act == "held" and spans == [(-math.inf, math.inf)] and self.at is None:
            return np.where(table.in_hand & (self.by != "other"), SURE, -SURE)
        elif self.act == "gone":
            since = min((a for a, _ in spans), default=math.inf)
            late = times >= since if since > -math.inf else np.ones(table.number, bool)
            return np.where(table.there | ~late, -SURE, SURE)
        elif self.act == "first_seen":
            for a, b in spans:
                one_world = one_world | ((table.first_times >= a) & (table.first_times <= b))
        elif self.act in ("seen", "inview"):
            one_world = seen_within(run, spans, columns)
        else:
            return moved_within(run, self, spans)
        return np.tile(np.where(one_world, SURE, -SURE), (table.count, 1))

    def _spans(self, run: Run) -> list[tuple[float, float]]:
        """When it may have happened."""
        begin = -math.inf if self.since is None else self.since
        end = math.inf if self.until is None else self.until
        if self.while_ is None:
            return [(begin, end)]
        visits = run.table.state.visits() if hasattr(run.table.state, "visits") else ()
        known = [visit for visit in visits if visit.tag == self.while_]
        if not known:
            raise Unanswerable(f"you have not been in a place called {self.while_}")
        spans = [(max(begin, visit.start), min(end, visit.end)) for visit in known]
        return [(a, b) for a, b in spans if a <= b]


def seen_within(run: Run, spans: list[tuple[float, float]], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which objects were seen within some spans of time."""
    table = run.table
    times, _ = table.last
    found = np.zeros(table.number, bool)
    for a, b in spans:
        found |= (times >= a) & (times <= b)
        for k in columns:  # seen again since: an earlier sighting may lie within
            if not found[k] and times[k] > b and table.first_times[k] <= b:
                seen = table.state.sightings(int(table.ids[k]))
                found[k] = any(a <= one.time <= b for one in seen)
    return found


def moved_within(run: Run, did: Did, spans: list[tuple[float, float]]) -> Margins:
    """How clearly objects were moved, taken or brought, within some spans of time."""
    table, at = run.table, did.at
    found = np.full((table.count, table.number), -SURE)
    holders: list[int] = run.anchors(at)[0].tolist() if isinstance(at, Set) else []
    if isinstance(at, str):
        table.places.called(at, table.state)
    for column, moves in table.moves(min((a for a, _ in spans), default=-math.inf)).items():
        for move in moves:
            during = any(a < move.arrived <= b or (did.while_ and a <= move.left <= b) for a, b in spans)
            if not during or column in holders or not _concerns(run, did, move, holders):
                continue
            so = table.happened(column, move)
            if did.by is not None or did.act == "held":
                so = so & (table.by_wearer(column, move) == (did.by != "other"))
            clear = SURE if math.isinf(move.distance_m) else move.distance_m / _MOVED_M
            found[:, column] = np.where(so, np.maximum(found[:, column], clear), found[:, column])
    return found


def _concerns(run: Run, did: Did, move: Move, holders: Sequence[int]) -> bool:
    """Whether a move was from or to where it is asked about."""
    if did.at is None:
        return True
    if did.act in ("taken", "brought", "held"):
        box = move.before if did.act == "taken" else move.after
        return box is not None and _at(run, box, did.at, holders)
    ends = [box.center for box in (move.before, move.after) if box is not None]
    return not isinstance(did.at, str) or did.at in run.table.places.tags_of(ends)


def _at(run: Run, box: Box, at: str | Set, holders: Sequence[int]) -> bool:
    """Whether a box was in a place, or on one of some objects."""
    if isinstance(at, str):
        return run.table.places.tag_of(box.center) == at
    return any(on_gap(box, run.box(k)) is not None for k in holders)


def frames_of_changes(run: Run, columns: Sequence[int]) -> tuple[int, ...]:
    """Frames of the last moves of some things; of what was not seen to be moved the last that shows it."""
    moves = {k: moved[-1] for k, moved in run.table.moves().items() if k in columns}
    latest = sorted(moves, key=lambda k: -moves[k].arrived)[:_MOVES_SHOWN]
    frames = {frame for k in latest for frame in frames_of(run.table.state, moves[k])}
    others = [k for k in columns if k not in moves]
    return tuple(sorted({*frames, *run.last_frames(others[: 2 * _MOVES_SHOWN])}))
