"""How long each kind of question takes: `python -m benchmarks.memory_kinds [--file M.situ | --frames N]`.

Every kind that this package registers, asked of things drawn at random, now and as of a random time; the
state is built anew for each. CPU milliseconds of this process, from the question to its value, odds and
evidence; where a wearer can ask it in words, the whole of `ask`, too. One JSON line for each kind, slowest
first.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.house import ROOM_M, Plan, Stream
from situ import questions as q
from situ.errors import Unanswerable
from situ.language import Memory
from situ.language.focus import decide
from situ.memory import MemoryState
from situ.questions.annotated.plan import TURN
from situ.questions.base import KINDS, Question, from_program

SEED = 501
HOUR = 3600  # frames
Builder = Callable[["Draw"], Question]


class Draw:
    """Names, times and places at random, as questions need them."""

    def __init__(self, state: MemoryState, rng: np.random.Generator) -> None:
        views = [view for view in state.objects() if view.presence > 0.5]
        self._named = sorted({(view.category, tuple(sorted(view.attributes.items()))) for view in views})
        moved = set(state.moved_since(-1.0))
        self._moved = [
            q.Selector(view.category, tuple(sorted(view.attributes.items())))
            for view in views
            if view.id in moved
        ]
        self._labels = sorted({view.category for view in views})
        self._places = sorted({place.tag for place in state.places()}) or ["nowhere"]
        self._end = state.now
        self._frames = len(state.path)
        self._rng = rng

    def _pick(self, pool: list[str]) -> str:
        return pool[int(self._rng.integers(len(pool)))]

    @property
    def thing(self) -> q.Selector:
        """One of a kind, more or less: "red cup"."""
        return q.Selector(*self._named[int(self._rng.integers(len(self._named)))])

    @property
    def kind(self) -> q.Selector:
        """Many: "cups"."""
        return q.Selector.make(self._pick(self._labels))

    @property
    def frame(self) -> int:
        return int(self._rng.integers(self._frames))

    @property
    def place(self) -> str:
        return self._pick(self._places)

    @property
    def time(self) -> float:
        return float(self._rng.uniform(0.1, 0.9)) * self._end

    @property
    def moved(self) -> q.Selector:
        """Something that is known to have been moved, if there is any."""
        if not self._moved:
            return self.thing
        return self._moved[int(self._rng.integers(len(self._moved)))]

    def things(self, number: int) -> tuple[q.Selector, ...]:
        return tuple(self.thing for _ in range(number))


def _of(kind: str, **given: Any) -> Question:
    """A question of a kind that has no name of its own outside its room."""
    return from_program({"kind": kind, **given})


def _pairs(draw: Draw) -> tuple[tuple[q.Selector, q.Selector], ...]:
    return tuple((draw.thing, draw.thing) for _ in range(4))


BUILDERS: dict[str, Builder] = {
    "affords": lambda d: q.Affords("step over", 0.3, d.thing),
    "appearance_order": lambda d: q.AppearanceOrder(d.things(4)),
    "can_reach": lambda d: q.CanReach(d.kind),
    "carried_from_to": lambda d: q.CarriedFromTo(d.moved, _pairs(d)),
    "closer_to_me": lambda d: q.CloserToMe(d.kind, d.kind),
    "closest_distance": lambda d: q.ClosestDistance(d.thing, d.thing),
    "compare": lambda d: q.Compare(d.kind, d.kind),
    "contents_of": lambda d: q.ContentsOf(d.place),
    "count": lambda d: q.Count(d.kind),
    "count_in_place": lambda d: q.CountInPlace(d.place, d.kind),
    "count_in_room": lambda d: q.CountInRoom(d.kind),
    "count_now": lambda d: q.CountNow(d.kind),
    "distance_from_here": lambda d: q.DistanceFromHere(d.kind),
    "first_seen_order": lambda d: q.FirstSeenOrder(d.kind, d.kind),
    "fits_on": lambda d: q.FitsOn(d.thing, d.thing),
    "in_view_now": lambda d: q.InViewNow(d.kind),
    "is_in": lambda d: q.IsIn(d.place, d.kind),
    "kept_where": lambda d: q.KeptWhere(d.moved, d.things(4)),
    "larger": lambda d: q.Larger(d.thing, d.thing),
    "longest_side": lambda d: q.LongestSide(d.thing),
    "nearest_to": lambda d: q.NearestTo(d.things(4), d.thing),
    "next_to": lambda d: q.NextTo(d.kind),
    "pair_relation": lambda d: q.PairRelation(d.thing, d.thing),
    "place_of": lambda d: q.PlaceOf(d.kind),
    "position_in_place": lambda d: q.PositionInPlace(d.thing),
    "relative_direction": lambda d: q.RelativeDirection(d.thing, d.thing, d.thing),
    "reverse_plan": lambda d: q.ReversePlan(),
    "room_size": lambda d: q.RoomSize(),
    "route_direction": lambda d: q.RouteDirection("end"),
    "route_plan": lambda d: q.RoutePlan(d.thing, d.thing, (TURN, d.kind.category or "")),
    "route_shape": lambda d: q.RouteShape(),
    "seen_when": lambda d: q.SeenWhen(d.kind),
    "side_in_view": lambda d: q.SideInView(d.thing, d.thing),
    "taken_from": lambda d: q.TakenFrom(d.thing, d.things(4)),
    "unique_objects": lambda d: q.UniqueObjects((d.frame, d.frame)),
    "use_shown": lambda d: q.UseShown(("to drink from", "to sit on"), (d.frame, d.frame)),
    "function_of": lambda d: q.FunctionOf(d.thing, (d.frame,)),
    "way_after": lambda d: q.WayAfter(d.moved, 20.0, _pairs(d)),
    "way_to_place": lambda d: q.WayToPlace(d.place),
    "what_changed": lambda d: q.WhatChanged(d.time, tuple(q.Claim("moved", d.moved) for _ in range(4))),
    "what_happened_to": lambda d: q.WhatHappenedTo(d.moved, d.time),
    "where_am_i": lambda d: q.WhereAmI(),
    "where_from_here": lambda d: q.WhereFromHere(d.kind),
    "where_was": lambda d: q.WhereWas(d.kind, time=d.time),
    "within_reach": lambda d: q.WithinReach(d.thing, d.thing),
    "all_of": lambda d: _of("all_of", which=d.kind),
    "around": lambda d: _of("around"),
    "been_here": lambda d: _of("been_here"),
    "been_to": lambda d: _of("been_to", place=d.place),
    "came_from": lambda d: _of("came_from", which=d.moved),
    "changes": lambda d: _of("changes", since=d.time),
    "count_related": lambda d: _of("count_related", relation="near", anchor=d.thing, which=d.kind),
    "distance_walked": lambda d: _of("distance_walked"),
    "exists": lambda d: _of("exists", which=d.kind),
    "happened_to": lambda d: _of("happened_to", which=d.moved),
    "has_moved": lambda d: _of("has_moved", which=d.moved),
    "is_near": lambda d: _of("is_near", which=d.kind),
    "is_related": lambda d: _of("is_related", relation="near", anchor=d.thing, which=d.kind),
    "is_toward": lambda d: _of("is_toward", which=d.kind),
    "last_in": lambda d: _of("last_in", place=d.place),
    "last_moved": lambda d: _of("last_moved"),
    "looks_like": lambda d: _of("looks_like", which=d.thing),
    "moved_by": lambda d: _of("moved_by", which=d.moved),
    "moved_from_to": lambda d: _of("moved_from_to", which=d.moved),
    "moved_things": lambda d: _of("moved_things", since=d.time),
    "moved_when": lambda d: _of("moved_when", which=d.moved),
    "nearest_one": lambda d: _of("nearest_one", which=d.kind),
    "nearest_thing": lambda d: _of("nearest_thing"),
    "place_before": lambda d: _of("place_before"),
    "places_visited": lambda d: _of("places_visited"),
    "places_with": lambda d: _of("places_with", which=d.kind),
    "related_to": lambda d: _of("related_to", relation="near", anchor=d.thing),
    "seen_since": lambda d: _of("seen_since", since=d.time),
    "side_of_me": lambda d: _of("side_of_me", which=d.kind),
    "size_of": lambda d: _of("size_of", which=d.thing),
    "still_there": lambda d: _of("still_there", which=d.thing),
    "taken_away": lambda d: _of("taken_away", place=d.place),
    "time_in": lambda d: _of("time_in", place=d.place),
    "visits": lambda d: _of("visits", place=d.place),
    "way_back": lambda d: _of("way_back"),
    "where_was_i": lambda d: _of("where_was_i", time=d.time),
    "gone_since": lambda d: q.GoneSince(d.kind, d.time),
    "kinds_on": lambda d: q.KindsOn(d.thing),
    "moved_by_other": lambda d: q.MovedByOther(tuple(d.moved for _ in range(4))),
    "times_put": lambda d: q.TimesPut(d.thing),
    "turn_towards": lambda d: q.TurnTowards(d.kind),
    "turns_after": lambda d: _of("turns_after", which=d.moved, seconds=20.0),
    "where_when_entered": lambda d: _of("where_when_entered", which=d.thing, place=d.place),
    "where_when_first_seen": lambda d: _of("where_when_first_seen", which=d.thing, anchor=d.thing),
    "could_reach": lambda d: q.CouldReach(d.thing, d.moved),
    "kinds_before": lambda d: q.KindsBefore(d.thing, d.moved),
    "way_towards": lambda d: q.WayTowards(d.moved, 20.0, _pairs(d)),
    "how_far_apart": lambda d: q.HowFarApart(d.thing, d.moved, (1.0, 2.0)),
    "where_when_put": lambda d: q.WhereWhenPut(d.thing, d.moved),
}
# What a wearer would say; the others are asked by benchmarks alone.
WORDS: dict[str, Callable[[Draw], str]] = {
    "can_reach": lambda d: f"can I reach the {d.thing.singular}",
    "closer_to_me": lambda d: f"which is closer, the {d.thing.singular} or the {d.thing.singular}",
    "contents_of": lambda d: f"what is in the {d.place}",
    "count": lambda d: f"how many {d.kind.plural} did I see",
    "count_in_place": lambda d: f"how many {d.kind.plural} are in the {d.place}",
    "count_now": lambda d: f"how many {d.kind.plural} are there",
    "distance_from_here": lambda d: f"how far is the {d.thing.singular}",
    "first_seen_order": lambda d: f"did I see the {d.thing.singular} before the {d.thing.singular}",
    "in_view_now": lambda d: f"can I see the {d.thing.singular}",
    "is_in": lambda d: f"is there a {d.kind.singular} in the {d.place}",
    "next_to": lambda d: f"what is next to the {d.thing.singular}",
    "place_of": lambda d: f"which room is the {d.thing.singular} in",
    "reverse_plan": lambda d: "which way did I come",
    "seen_when": lambda d: f"when did I last see the {d.thing.singular}",
    "side_in_view": lambda d: f"is the {d.thing.singular} to the left of the {d.thing.singular}",
    "way_to_place": lambda d: f"where is the {d.place}",
    "what_happened_to": lambda d: f"what happened to the {d.thing.singular}",
    "where_am_i": lambda d: "which room am I in",
    "where_from_here": lambda d: f"where is the {d.thing.singular}",
    "where_was": lambda d: f"where was the {d.thing.singular} 10 minutes ago",
}


def own_kinds() -> list[str]:
    """Every kind of question of this package; one that is not timed here is an error."""
    kinds = sorted(kind for kind, cls in KINDS.items() if cls.__module__.partition(".")[0] == "situ")
    untimed = [kind for kind in kinds if kind not in BUILDERS]
    if untimed:
        raise NotImplementedError(f"BUILDERS does not say how to ask: {', '.join(untimed)}")
    return kinds


def table(memory: Memory, kinds: Sequence[str], asked: int) -> None:
    """One line for each kind, the slowest first."""
    rows = [_row(memory, kind, asked) for kind in kinds]
    for row in sorted(rows, key=lambda row: -max(row["now_ms"][1], row["past_ms"][1])):
        print(json.dumps(row), flush=True)
    worst = max(max(row["now_ms"][1], row["past_ms"][1], row["ask_ms"][1]) for row in rows)
    print(json.dumps({"kinds": len(rows), "worst_p95_ms": worst, "load": round(os.getloadavg()[0], 1)}))


def _row(memory: Memory, kind: str, asked: int) -> dict[str, Any]:
    draw = Draw(memory.state(), np.random.default_rng(7))
    spent: dict[str, list[float]] = {"now_ms": [], "past_ms": [], "ask_ms": []}
    answered = 0
    _asked(memory, BUILDERS[kind](draw), None)  # the first of a kind loads its code, and is not counted
    for _ in range(asked):
        question = BUILDERS[kind](draw)
        for name, at in (("now_ms", None), ("past_ms", draw.time)):
            start = time.process_time()
            answered += _asked(memory, question, at)
            spent[name].append((time.process_time() - start) * 1000)
        if kind in WORDS:
            sentence = WORDS[kind](draw)
            start = time.process_time()
            memory.ask(sentence)
            spent["ask_ms"].append((time.process_time() - start) * 1000)
    shares = {name: _shares(values) for name, values in spent.items()}
    return {"kind": kind, **shares, "answered": round(answered / (2 * asked), 2)}


def _asked(memory: Memory, question: Question, at: float | None) -> bool:
    try:
        decide(question, memory.state() if at is None else memory.state(at=at))
    except Unanswerable:
        return False
    return True


def _shares(values: list[float]) -> list[float]:
    """Median, 95th percentile and longest."""
    if not values:
        return [0.0, 0.0, 0.0]
    return [round(float(value), 2) for value in (*np.percentile(values, (50, 95)), max(values))]


def watch(memory: Memory, frames: int) -> None:
    """A house of 500 things in 16 rooms, and the names of the rooms. After the first hour the same hour is
    walked backwards and forwards in turn: days of history at the cost of one."""
    plan = Plan(moved=60, carried=30, removed=20, added=15, seconds=min(frames, HOUR))
    hour = []
    for oracle in Stream(plan, SEED, keep_all=False).frames():
        exact = oracle.exact()
        x, y = (int(v // ROOM_M) for v in exact.T_world_camera[:2, 3])
        hour.append(replace(exact, place=f"room {'abcdefgh'[x]}{y + 1}"))
    for number in range(frames):
        turn, k = divmod(number, len(hour))
        memory.observe(replace(hour[k if turn % 2 == 0 else -1 - k], time=float(number)))
        if memory.frames % 10_000 == 0:
            print(f"{memory.frames} frames", file=sys.stderr, flush=True)
    memory.commit()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory_kinds", description=__doc__)
    parser.add_argument("--file", type=Path, help="a memory to ask; made from a stream if there is none")
    parser.add_argument("--frames", type=int, default=3600, help="length of the stream, at 1 fps")
    parser.add_argument("--asked", type=int, default=60, help="questions of each kind")
    parser.add_argument("--kinds", nargs="*", default=own_kinds(), metavar="KIND")
    given = parser.parse_args()
    if given.file is not None and given.file.exists():
        with Memory.open(given.file, read_only=True) as memory:
            table(memory, given.kinds, given.asked)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.create(given.file or Path(folder) / "house.situ") as memory,
    ):
        watch(memory, given.frames)
        table(memory, given.kinds, given.asked)


if __name__ == "__main__":
    main()
