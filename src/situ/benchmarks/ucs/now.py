"""Questions about the moment of asking: where from here, which is closer, what is within reach."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from situ.benchmarks.ucs.asking import OPTIONS, Asked, Asker, Group, asked_again
from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.questions import CanReach, CloserToMe, TurnTowards, WhereFromHere, WhereWas
from situ.questions.rules.ways import TURN_WORDS
from situ.questions.rules.wearer import gap_from, heading_now
from situ.questions.scene.view import NO, YES

MOMENTS = (8, 24)  # at which such questions are tried, by the length of the stream
EVERY_S = 25.0
FARTHEST_M = 30.0
DARK_M = 4.0  # nearer than this, an arm's length changes the direction of what was put away out of sight
MOST_AGAIN = 3
LONG_S = 1800.0  # who has not seen a thing for this long must remember it well
LONG_MOMENTS, LONG_TRIES = 12, 120
MOST_THINGS, MOST_PAIRS = 32, 16


def about_now(asker: Asker) -> list[Group]:
    """Groups of the subtasks that depend on where the wearer is when asking."""
    asked_about = _things(asker)
    times = sorted({*moments(asker), *_long_after(asker, asked_about)})
    where: dict[int, list[Asked]] = {}
    reach: dict[int, list[Asked]] = {}
    turn: dict[int, list[Asked]] = {}
    closer: dict[tuple[int, int], list[Asked]] = {}
    for time in times:
        near = known_things(asker, time, asked_about)
        for number in near:
            _add(where, number, asker.ask(WhereFromHere(asker.story.names[number]), time))
            _add(reach, number, asker.ask(CanReach(asker.story.names[number]), time))
            _add(turn, number, asker.ask(TurnTowards(asker.story.names[number]), time))
        for pair in _pairs(asker, list(near)):
            names = asker.story.names
            _add(closer, pair, asker.ask(CloserToMe(names[pair[0]], names[pair[1]]), time))
    groups = [directions(asker, "ego-centric position", found) for found in where.values()]
    groups += [binary(asker, "reachability", found, (YES, NO)) for found in reach.values()]
    groups += [
        binary(asker, "distance comparison", found, found[0].question.options) for found in closer.values()
    ]
    groups += [
        directions(asker, "my trajectory", found, tuple(TURN_WORDS.values())) for found in turn.values()
    ]
    return [group for group in groups if group is not None]


def earlier_places(asker: Asker) -> list[Group]:
    """Where a thing was at an earlier time, as a direction from where the wearer is now."""
    groups = []
    for move in asker.story.relocations:
        which = asker.story.names.get(move.object_id)
        seen = asker.story.clear_between(move.object_id, 0.0, move.left)
        if which is None or not seen:
            continue
        then = seen[-1].time
        if not asker.story.place_known(move.object_id, then):
            continue
        # Only a place at which the thing stayed for a while is worth asking about.
        if move.left - then > 10.0 or len(asker.story.clear_between(move.object_id, then - 10.0, then)) < 2:
            continue
        when = float(np.floor(then))
        found = []
        for _ in range(6):
            time = asker.later(move.arrived + 10.0, asker.story.truth.now)
            if time is not None and asker.story.place_known(move.object_id, time):
                asked = asker.ask(WhereWas(which, time=when), time)
                found += [asked] if asked is not None else []
        group = directions(asker, "relative position memory", found)
        groups += [group] if group is not None else []
    return groups


def moments(asker: Asker) -> list[float]:
    path = asker.story.truth.path
    end = float(path.times[-1])
    length = end - path.start
    count = int(np.clip(length / EVERY_S, *MOMENTS))
    times = [float(t) for t in asker.rng.uniform(path.start + min(15.0, length / 3), end, count)]
    # Right after something was put down, it is often behind the wearer and still within reach.
    moves = asker.story.relocations
    for i in asker.rng.permutation(len(moves))[:count]:
        times += [moves[int(i)].arrived + float(t) for t in asker.rng.uniform(1.5, 6.0, 2)]
    return sorted({asker.frame_time(time) for time in times if time <= end})


def _long_after(asker: Asker, asked_about: list[int]) -> list[float]:
    """Moments at which many of the things asked about have not been in view for a long time."""
    start, end = asker.story.truth.path.start, asker.story.truth.now
    if end - start < LONG_S:
        return []
    seen = [np.array([s.time for s in asker.story.truth.sightings(i)]) for i in asked_about]
    old: dict[float, int] = {}
    for time in asker.rng.uniform(start + LONG_S, end, LONG_TRIES):
        places = [int(np.searchsorted(times, time, side="right")) for times in seen]
        old[asker.frame_time(float(time))] = sum(
            bool(k) and time - times[k - 1] > LONG_S for k, times in zip(places, seen, strict=True)
        )
    best = sorted(old, key=lambda time: (-old[time], time))[:LONG_MOMENTS]
    return [time for time in best if old[time]]


def _things(asker: Asker) -> list[int]:
    """The things that are asked about: the small ones, and furniture by lot."""
    names = asker.story.names
    small = [i for i in names if i in asker.story.events_of]
    others = [i for i in names if i not in asker.story.events_of]
    drawn = [others[int(i)] for i in asker.rng.permutation(len(others))]
    return sorted([*small, *drawn][:MOST_THINGS])


def known_things(asker: Asker, time: float, asked_about: list[int]) -> list[int]:
    """Named things whose place is known and that are out of view, not too far away."""
    state = asker.state(time)
    now, here = state.path.index_at(time), heading_now(state)
    found = []
    for number in asked_about:
        seen = state.sightings(number)
        if not seen or seen[-1].frame >= now or not asker.story.place_known(number, time):
            continue
        box = state.where(number, time)
        nearest = DARK_M if asker.story.in_the_dark(number, time) else 0.0
        if box is not None and nearest <= gap_from(here, box) <= FARTHEST_M:
            found.append(number)
    return found


def _pairs(asker: Asker, known: list[int]) -> list[tuple[int, int]]:
    """Pairs that can be asked at several moments: the choice depends on the numbers alone."""
    pairs = [p for p in combinations(sorted(known), 2) if (p[0] * 31 + p[1] * 17) % 11 == 0]
    return pairs[:MOST_PAIRS]


def directions(
    asker: Asker, subtask: str, found: list[Asked], names: Sequence[str] = SECTORS
) -> Group | None:
    sectors = [a for a in found if a.answer.text != SAME_LOCATION]
    chosen = asked_again(sectors, MOST_AGAIN, OPTIONS, asker.rng)
    options = asker.fill([a.answer.text for a in chosen], names) if chosen else None
    if options is None:
        return None
    return Group(subtask, options, tuple(chosen), tuple(a.answer.text for a in chosen))


def binary(asker: Asker, subtask: str, found: list[Asked], options: tuple[str, ...]) -> Group | None:
    """A binary question that could be asked with either answer: which one it is, a coin decides."""
    if len({asked.answer.text for asked in found}) < 2:
        return None
    chosen = asked_again(found, MOST_AGAIN, len(options), asker.rng)
    return Group(subtask, options, tuple(chosen), tuple(a.answer.text for a in chosen))


def _add(table: dict, key: object, asked: Asked | None) -> None:  # type: ignore[type-arg]
    if asked is not None:
        table.setdefault(key, []).append(asked)
