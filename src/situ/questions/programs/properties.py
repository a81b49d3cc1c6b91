"""One property of the one thing that is meant: where it is, how far, when it was seen, what it looks like."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import HERE_M, SAME_LOCATION, SECTORS
from situ.questions.programs.asks import most, of_changes
from situ.questions.programs.events import frames_of_changes
from situ.questions.programs.measures import FirstSeen, LastSeen, MovedAt
from situ.questions.programs.relations import FAIR_DEG
from situ.questions.programs.run import Result, Run, Value, fairness
from situ.questions.programs.schema import Ask, Measure, Set, operator
from situ.questions.programs.sets import One, Rel, Top
from situ.questions.programs.table import SURE
from situ.questions.programs.tallies import measured, voted
from situ.questions.rules.ways import TURN_WORDS
from situ.state.protocol import SpatialState

What = Literal[
    "way",
    "turn",
    "side",
    "hand",
    "clock",
    "distance",
    "place",
    "position",
    "color",
    "material",
    "kind",
    "name",
    "size",
    "height",
    "width",
    "last_seen",
    "first_seen",
    "moved_at",
    "moved_by",
    "came_from",
    "support",
]
_QUARTERS = ("front", "right", "back", "left")
_SAID_BY: dict[str, Sequence[str]] = {
    "way": SECTORS,
    "turn": tuple(TURN_WORDS.values()),
    "side": _QUARTERS,
    "clock": tuple(f"{hour or 12} o'clock" for hour in range(12)),
}
_OF_PAST = frozenset(
    {
        "last_seen",
        "first_seen",
        "moved_at",
        "moved_by",
        "came_from",
        "color",
        "material",
        "kind",
        "size",
        "height",
        "width",
    }
)
CM = 100
YOU, OTHERS = "you", "somebody else"


@operator
@dataclass(frozen=True)
class Get(Ask):
    """A property of the one that is meant; with `at`, as it was at a time, or before it came to its present
    place, by what is known now."""

    tag: ClassVar[str] = "get"

    what: What
    of: Set
    at: Literal["before"] | float | None = None
    strict: bool = False

    def answer(self, run: Run) -> Result:
        one = run.meant(self.of, self.what not in _OF_PAST and self.at is None, self.strict)
        if self.what in _SAID_BY or self.what in ("hand", "distance", "position"):
            return self._of_place(run, one)
        if self.what in ("last_seen", "first_seen", "moved_at"):
            return self._of_time(run, one)
        if self.what in ("size", "height", "width"):
            return self._of_size(run, one)
        return self._of_words(run, one)

    # ------------------------------------------------------------------ where
    def _of_place(self, run: Run, one: NDArray[np.int64]) -> Result:
        where, known, frames = self._where(run, one)
        lead, here = most(one), run.observer
        east, north = where[:, 0] - here.x, where[:, 1] - here.y
        away = np.hypot(east, north)
        numbers = {"distance_m": float(np.median(away[known]))}
        if self.what == "position":
            middle = [round(float(v), 1) for v in np.median(where[known], axis=0)]
            sure = float((np.abs(where - middle).max(axis=1)[known] <= 0.5).sum()) / (len(known) + 1)
            value = str(tuple(middle))
            return Result(
                "get", value, {value: sure}, sure, SURE, frames, run.ids([lead]), numbers, self.what, "m"
            )
        if self.what == "distance":
            gaps = run.ground_gaps()[np.arange(len(one)), one] if self.at is None else away
            found = measured(run, np.where(known, gaps, np.nan), rough=True)
            return Result(
                "get",
                found.value,
                found.odds,
                found.confidence,
                float(np.median(gaps[known])) / 0.1,
                frames,
                run.ids([lead]),
                {"distance_m": float(np.median(gaps[known]))},
                self.what,
                "m",
                found.interval,
            )
        if here.yaw is None:
            raise Unanswerable("which way somebody faces there must be said: give 'facing'")
        cos, sin = np.cos(here.yaw), np.sin(here.yaw)
        bearing = np.degrees(np.arctan2(east * sin - north * cos, east * cos + north * sin))
        values, clear = self._said_of(bearing, away)
        way, odds = voted(run, [v if ok else None for v, ok in zip(values, known, strict=True)])
        turn = np.radians(bearing[known])
        middle_deg = math.degrees(math.atan2(float(np.sin(turn).mean()), float(np.cos(turn).mean())))
        # As it is told: to the nearest point of the thing, where its shape is known.
        gaps = run.ground_gaps()[np.arange(len(one)), one] if self.at is None else away
        numbers = {
            "distance_m": float(np.median(gaps[known])),
            "bearing_deg": middle_deg,
            "up_m": float(np.median((where[:, 2] - here.z)[known])),
        }
        low, high = np.quantile(gaps[known], [0.05, 0.95]).tolist()
        return Result(
            "get",
            way,
            odds,
            odds[str(way)],
            float(clear[known].min()) / FAIR_DEG,
            frames,
            run.ids([lead]),
            numbers,
            self.what,
            interval=(round(low, 2), round(high, 2)),
        )

    def _where(
        self, run: Run, one: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], tuple[int, ...]]:
        """Where it is in each world (S, 3), where that is known, and the frames that show it there."""
        table, lead, known = run.table, most(one), one >= 0
        if self.at is None:
            return table.centers[np.arange(table.count), one], known, run.last_frames([lead])
        number = int(table.ids[lead])
        if self.at == "before":
            box, frames = _before(table.state, number), run.last_frames([lead])
        else:
            box = table.state.where(number, self.at)
            frames = tuple([s.frame for s in table.state.sightings(number) if s.time <= self.at][-1:])
        if box is None:
            raise Unanswerable("where it was then is not known")
        return np.tile(box.center, (table.count, 1)), known & (one == lead), frames

    def _said_of(
        self, bearing: NDArray[np.float64], away: NDArray[np.float64]
    ) -> tuple[list[Value], NDArray[np.float64]]:
        """The direction in words in each world, and the degrees to the next one."""
        if self.what == "hand":
            off = np.minimum(np.abs(bearing), 180.0 - np.abs(bearing))
            return ["right" if b > 0 else "left" for b in bearing], off
        names = _SAID_BY[self.what]
        width = 360.0 / len(names)
        turned = bearing + width / 2
        offset = turned % width
        said: list[Value] = [names[int(k) % len(names)] for k in np.floor(turned / width)]
        margin = np.minimum(offset, width - offset)
        if self.what == "way":
            here = away < HERE_M  # nearer than this there is no direction worth naming
            said = [SAME_LOCATION if close else one for close, one in zip(here, said, strict=True)]
            margin = np.where(here, 0.0, margin)
        return said, margin

    # ------------------------------------------------------------------ when
    def _of_time(self, run: Run, one: NDArray[np.int64]) -> Result:
        measure = {"last_seen": LastSeen, "first_seen": FirstSeen, "moved_at": MovedAt}[self.what]()
        if self.what != "moved_at":  # of several the one seen latest, or first
            inside = run.set(self.of) > 0
            times = run.measure(measure)
            key = np.where(inside, times if self.what == "first_seen" else -times, np.inf)
            one = np.where(inside.any(axis=1), key.argmin(axis=1), -1)
        lead = most(one)
        values = run.measure(measure)[np.arange(len(one)), one]
        value, odds = voted(
            run, [float(v) if k >= 0 and np.isfinite(v) else None for v, k in zip(values, one, strict=True)]
        )
        frames = run.last_frames([lead])
        if self.what == "first_seen":
            frames = (run.table.first_frames(lead)[0],)
        return Result(
            "get",
            value,
            odds,
            odds[str(value)],
            SURE,
            frames,
            run.ids([lead]),
            {"age_s": run.table.now - float(value)},
            self.what,
            "s",
        )

    # ------------------------------------------------------------------ what
    def _of_size(self, run: Run, one: NDArray[np.int64]) -> Result:
        lead, known = most(one), one >= 0
        sides = run.table.sizes[np.maximum(one, 0)]
        chosen = {"size": sides.max(axis=1), "height": sides[:, 2], "width": sides[:, :2].max(axis=1)}[
            self.what
        ]
        found = measured(run, np.where(known, CM * chosen, np.nan), close=0.05 * CM, digits=0)
        width, depth, height = run.table.sizes[lead].tolist()
        side = float(np.median(chosen[known]))
        return Result(
            "get",
            round(found.value),
            {str(k).removesuffix(".0"): v for k, v in found.odds.items()},
            found.confidence,
            CM * float(chosen[0]),
            run.last_frames([lead]),
            run.ids([lead]),
            {"side_m": side, "width_m": width, "depth_m": depth, "height_m": height},
            self.what,
            "cm",
        )

    def _of_words(self, run: Run, one: NDArray[np.int64]) -> Result:
        table, lead = run.table, most(one)
        frames, margin = run.last_frames([lead]), SURE
        if self.what == "place":
            if not table.places:
                raise Unanswerable("I have not been told the name of any place")
            rooms = np.where(one >= 0, table.rooms[np.arange(len(one)), one], -1)
            values = [table.places.nodes[k].tag if k >= 0 else None for k in rooms.tolist()]
            margin = abs(float(table.room_margins[lead]))
        elif self.what == "kind":
            values = [table.categories[k] if k >= 0 else None for k in one.tolist()]
        elif self.what == "name":
            values = [table.name(k) if k >= 0 else None for k in one.tolist()]
            margin = fairness(run.set(self.of)[one >= 0, one[one >= 0]])
            frames = frames_of_changes(run, [lead]) if of_changes(self.of) else frames
        elif self.what == "moved_by":
            values = [self._moved_by(run, k, s) if k >= 0 else None for s, k in enumerate(one.tolist())]
        elif self.what == "came_from":
            values = [self._came_from(run, k) if k >= 0 else None for k in one.tolist()]
        elif self.what == "support":
            values = [self._support(run, k, s) if k >= 0 else None for s, k in enumerate(one.tolist())]
        else:
            looks = {k: self._look(run, k) for k in range(table.number)}
            margins = run.set(self.of)
            agreed = {looks[k] for k in run.members(margins)} - {None}
            margin = SURE if len(agreed) <= 1 else 0.0
            if len(agreed) > 1 and table.certain:
                return self._told(run, " and ".join(sorted(map(str, agreed))), lead)
            values, frames = [looks[k] if k >= 0 else None for k in one.tolist()], run.clear_frames([lead])
        value, odds = voted(run, values)
        numbers = _measured_by(run, self.of.by, one) if isinstance(self.of, Top) else {}
        return Result(
            "get", value, odds, odds[str(value)], margin, frames, run.ids([lead]), numbers, self.what
        )

    def _told(self, run: Run, value: str, lead: int) -> Result:
        return Result(
            "get", value, {value: 1.0}, 1.0, 0.0, run.clear_frames([lead]), run.ids([lead]), {}, self.what
        )

    def _look(self, run: Run, column: int) -> str | None:
        had = run.table.attributes[column]
        return had.get("color") or had.get("colour") if self.what == "color" else had.get(self.what)

    def _came_from(self, run: Run, column: int) -> str | None:
        moves = run.table.moves().get(column)
        return None if not moves else run.table.places.tag_of(moves[-1].before.center) or None

    def _moved_by(self, run: Run, column: int, world: int) -> str | None:
        """Who moved it last."""
        moves = run.table.moves().get(column)
        if not moves:
            raise Unanswerable(f"as far as I saw, nobody moved the {run.table.name(column)}")
        return YOU if run.table.by_wearer(column, moves[-1])[world] else OTHERS

    def _support(self, run: Run, column: int, world: int) -> str | None:
        """The smallest thing that carries it."""
        table, best = run.table, None
        for k in np.flatnonzero(table.real[world] > 0).tolist():
            carries = run.set(Rel("on", One(k)), raw=True)[world, column] > 0
            if carries and (best is None or table.sizes[k].prod() < table.sizes[best].prod()):
                best = k
        return None if best is None else table.name(best)


def _before(state: SpatialState, number: int) -> Box | None:
    """The last place in which an object was seen before its present one."""
    now = state.where(number, state.now)
    for seen in reversed(state.sightings(number)):
        box = state.where(number, seen.time)
        if box is not None and now is not None and math.dist(box.center[:2], now.center[:2]) > HERE_M:
            return box
    return None


def _measured_by(run: Run, by: Measure, one: NDArray[np.int64]) -> dict[str, float]:
    """A measure of the one that is meant: that by which it is the first."""
    number = float(np.median(run.measure(by)[one >= 0, one[one >= 0]]))
    return {f"{by.tag}_{getattr(by, 'unit', '')}": number}
