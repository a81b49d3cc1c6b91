"""More forms: between two things, at the moment of an act, acts counted, colours, what others did."""

from collections.abc import Iterator, Sequence

import numpy as np

from situ.benchmarks.ucs.asking import Asked, Asker, Group
from situ.benchmarks.ucs.lookalikes import fates_known, stood_in
from situ.benchmarks.ucs.moves import (
    MOST_AGAIN,
    SETTLED_S,
    SOON_S,
    TIMES,
    Case,
    cases_by_thing,
    count_groups,
    draw,
    grouped,
    in_threes,
)
from situ.benchmarks.ucs.now import binary, directions, known_things, moments
from situ.benchmarks.ucs.story import Relocation
from situ.benchmarks.ucs.ways import until_touched
from situ.geometry.heading import named_way
from situ.questions import (
    ClosestDistance,
    CouldReach,
    GoneSince,
    HowFarApart,
    LooksLike,
    MovedByOther,
    NearestTo,
    Question,
    Selector,
    TimesPut,
    WhereWhenPut,
    WithinReach,
)
from situ.questions.scene.view import NO, YES
from situ.worlds.days.events import OTHER, WEARER
from situ.worlds.days.small_objects import SINGLES
from situ.worlds.furniture import KINDS

BESIDE = 5  # things asked about at the moment of one act, pairs of furniture for one thing
MOST_MOMENTS = 10
LEAST_SPAN_S = 30.0
SHORTEST_APART_M, LEAST_RATIO = 0.3, 1.6  # lengths that people tell apart
TRIES = 3


def between_things(asker: Asker) -> list[Group]:
    """Which of two pieces of furniture is nearer to a thing, and whether one is within an arm's reach of it.

    The thing is one that is carried about, so that either answer can be right.
    """
    names, nearer, reach = asker.story.names, dict[Question, list[Asked]](), dict[Question, list[Asked]]()
    carried = [i for i in names if i in asker.story.events_of]
    fixed = [i for i in names if i not in asker.story.events_of]
    pairs = {i: _some_pairs(asker, i, fixed) for i in carried}
    times = moments(asker)
    for time in [times[int(k)] for k in sorted(asker.rng.permutation(len(times))[:MOST_MOMENTS])]:
        known = set(known_things(asker, time, [*carried, *fixed]))
        for thing in (i for i in carried if i in known):
            for a, b in pairs[thing]:
                if a in known and b in known:
                    _ask_into(nearer, asker, NearestTo((names[a], names[b]), names[thing]), time)
                if a in known:
                    _ask_into(reach, asker, WithinReach(names[thing], names[a]), time)
    groups = [binary(asker, "distance comparison", found, q.options) for q, found in nearer.items()]
    groups += [binary(asker, "reachability", found, (YES, NO)) for found in reach.values()]
    return [group for group in groups if group is not None]


def _some_pairs(asker: Asker, thing: int, fixed: list[int]) -> list[tuple[int, int]]:
    """Pairs of what a thing lay on at some time, and pairs by lot."""
    moves = [m for m in asker.story.relocations if m.object_id == thing]
    ends = sorted({end for m in moves for end in (m.from_id, m.to_id) if end is not None and end in fixed})
    pools = [pool for pool in (ends, ends, fixed) if len(pool) > 1]
    found = []
    for pool in pools * BESIDE:
        a, b = (pool[int(k)] for k in asker.rng.choice(len(pool), 2, replace=False))
        found.append((a, b))
    return list(dict.fromkeys(found))[: 2 * BESIDE]


def _ask_into(found: dict[Question, list[Asked]], asker: Asker, question: Question, time: float) -> None:
    asked = asker.ask(question, time)
    if asked is not None:
        found.setdefault(question, []).append(asked)


def when_put(asker: Asker) -> list[Group]:
    """In which direction a thing was when another was put down."""
    names, groups = asker.story.names, []
    for number, all_cases in cases_by_thing(asker).items():
        mine = [case for case in all_cases if case.move.by == WEARER and case.move.act == "put"]
        cases = [case._replace(end=until_touched(asker, case)) for case in mine]
        others = [i for i in names if i != number and i not in _ends(cases)]
        for beside in [others[int(k)] for k in asker.rng.permutation(len(others))[:BESIDE]]:
            question = WhereWhenPut(names[beside], names[number])
            found = [asked for case in cases for asked in _after_put(asker, question, case, beside)]
            group = directions(asker, "ego-centric position", found)
            groups += [group] if group is not None else []
    return groups


def _ends(cases: list[Case]) -> set[int]:
    """What a thing was taken from and put on is in front of whoever does it."""
    return {end for case in cases for end in case.ends}


def _after_put(asker: Asker, question: Question, case: Case, beside: int) -> Iterator[Asked]:
    """Asked where the wearer saw the thing leave the hands, and did not turn so much meanwhile that the
    direction changed: the moment is known to a frame."""
    around = asker.story.frames_around_put(case.move)
    if around is None or not asker.story.place_known(beside, case.move.arrived):
        return
    box = asker.story.truth.where(beside, case.move.arrived)
    path = asker.story.truth.path
    if box is None or len({named_way(*path.heading_at(t).polar(box.center)[:2])[0] for t in around}) > 1:
        return
    for _ in range(TIMES):
        time = asker.later(case.start, case.end)
        if time is not None and asker.story.move_known(case.move, time):
            asked = asker.ask(question, time)
            if asked is not None:
                yield asked


def reached_when_put(asker: Asker) -> list[Group]:
    """Whether one thing was within reach where another was put down."""
    names, groups = asker.story.names, []
    for number, all_cases in cases_by_thing(asker).items():
        mine = [case for case in all_cases if case.move.by == WEARER and case.move.act == "put"]
        cases = [case._replace(end=until_touched(asker, case)) for case in mine]
        for beside in [i for i in names if i != number]:
            question = CouldReach(names[beside], names[number])
            found = [asked for case in cases for asked in _after_put(asker, question, case, beside)]
            group = binary(asker, "reachability", found, (YES, NO))
            groups += [group] if group is not None else []
    return groups


def distances(asker: Asker) -> list[Group]:
    """How far a thing that is carried about is from another: two lengths that were both true at some time."""
    names, groups = asker.story.names, []
    carried = [i for i in names if i in asker.story.events_of]
    fixed = [i for i in names if i not in asker.story.events_of]
    times = moments(asker)
    for thing in carried:
        for anchor in [fixed[int(i)] for i in asker.rng.permutation(len(fixed))[:BESIDE]]:
            pair = (thing, anchor)
            known = [time for time in times if all(asker.story.place_known(i, time) for i in pair)]
            apart = ClosestDistance(names[thing], names[anchor])
            lengths = sorted({_round_length(apart.answer(asker.state(time)).margin) for time in known})
            if len(lengths) < 2 or lengths[0] < SHORTEST_APART_M or lengths[-1] < LEAST_RATIO * lengths[0]:
                continue
            low, high = lengths[0], lengths[-1]
            metres = (low, high) if asker.rng.random() < 0.5 else (high, low)
            question = HowFarApart(names[thing], names[anchor], metres)
            found = [asked for time in known if (asked := asker.ask(question, time)) is not None]
            group = binary(asker, "distance comparison", found, question.options)
            groups += [group] if group is not None else []
    return groups


def _round_length(metres: float) -> float:
    """Two figures: nobody reads more off a walk."""
    return float(f"{metres:.2g}")


def acts_counted(asker: Asker) -> list[Group]:
    """How many times the wearer put something on or into a piece of furniture."""
    names, groups = asker.story.names, []
    puts: dict[int, list[tuple[float, int]]] = {}
    for number, events in asker.story.events_of.items():
        for event in events:
            if event.data.get("act") in ("put", "stowed") and event.data.get("by") == WEARER:
                puts.setdefault(event.data["to"], []).append((event.time, number))
    for anchor, acts in sorted(puts.items()):
        if anchor not in names:
            continue
        times = sorted(time for time, _ in acts)
        found = []
        for start, end in zip([SETTLED_S, *times], [*times, asker.story.truth.now], strict=True):
            for _ in range(TIMES):
                time = asker.later(start + SOON_S, end - 0.5)
                asked = None if time is None else asker.ask(TimesPut(names[anchor]), time)
                if asked is not None and _counted_alike(asker, anchor, acts, asked):
                    found.append(asked)
        groups += count_groups(asker, found)
    return groups


def _counted_alike(asker: Asker, anchor: int, acts: Sequence[tuple[float, int]], asked: Asked) -> bool:
    """Whether people would count the acts as the program does, and saw all of them.

    The program goes by where an object came to rest. Where one was taken up again at once, or lifted and set
    down again, people would count differently.
    """
    done = [(time, i) for time, i in acts if time <= asked.time]
    left = [time for time, _ in asker.story.departures(anchor)]
    return (
        int(asked.answer.text) == len(done)
        and not any(0.0 <= asked.time - time < SOON_S for time in left)
        and not any(asker.story.put_back(i, time) for time, i in done)
        and all(asker.story.put_seen(i, time, asked.time) for time, i in done)
    )


def changes_counted(asker: Asker) -> list[Group]:
    """How many of a kind were used up, or added, since a time on the clock."""
    groups = []
    for kind in asker.story.counted:
        ids = [i for i, thing in asker.story.recording.objects.items() if thing.category == kind]
        came = {i: e.time for i in ids for e in asker.story.events_of.get(i, []) if e.kind == "appeared"}
        gone = [e.time for i in ids for e in asker.story.events_of.get(i, []) if e.kind == "removed"]
        for added, changes in ((False, gone), (True, list(came.values()))):
            for _ in range(2 * TRIES):
                then = _some_time(asker, changes)
                if then is None:
                    continue
                found = list(_changes(asker, Selector(kind), ids, came, then, added))
                groups += count_groups(asker, found)
    return groups


def _some_time(asker: Asker, changes: list[float]) -> float | None:
    """A time on the clock: every other one shortly before a change."""
    if changes and asker.rng.random() < 0.5:
        time = changes[int(asker.rng.integers(len(changes)))] - float(asker.rng.uniform(5.0, 40.0))
        return float(np.floor(time)) if time > SETTLED_S else None
    then = asker.later(SETTLED_S, asker.story.truth.now - LEAST_SPAN_S)
    return None if then is None else float(np.floor(then))


def _changes(
    asker: Asker, which: Selector, ids: list[int], came: dict[int, float], then: float, added: bool
) -> Iterator[Asked]:
    """Asked at some times after `then`; what had not been seen by then must have come since, and stayed."""
    fresh = [i for i in ids if came.get(i, -1.0) > then]
    passing = any(e.kind == "removed" for i in fresh for e in asker.story.events_of[i])
    if passing or not all(asker.story.clear_between(i, 0.0, then) for i in ids if i not in fresh):
        return
    for _ in range(MOST_AGAIN):
        time = asker.later(then + LEAST_SPAN_S / 2, asker.story.truth.now)
        if time is None or not all(asker.story.clear_between(i, 0.0, time) for i in fresh if came[i] <= time):
            continue  # what has come must have been seen
        if _just_changed(asker, ids, time):
            continue
        if fates_known(asker.story, ids, time) and not stood_in(asker.story, ids, then, time):
            asked = asker.ask(GoneSince(which, then, added), time)
            if asked is not None:
                yield asked


def _just_changed(asker: Asker, ids: list[int], time: float) -> bool:
    """Whether one of some things came or went so shortly ago that its place was hardly looked at since."""
    events = (e for i in ids for e in asker.story.events_of.get(i, []) if e.kind in ("appeared", "removed"))
    return any(0.0 <= time - event.time < SOON_S for event in events)


def colours(asker: Asker) -> list[Group]:
    """The colour of a thing of which there is one: others that its kind comes in as options."""
    groups = []
    for number, which in asker.story.names.items():
        kind = KINDS.get(which.category or "")
        if which.attributes or which.category not in SINGLES or kind is None:
            continue
        seen = asker.story.clear_between(number, 0.0, asker.story.truth.now)
        time = asker.later(seen[2].time, asker.story.truth.now) if len(seen) > 2 else None
        asked = None if time is None else asker.ask(LooksLike(which), time)
        options = None if asked is None else asker.fill([asked.answer.text], kind.colors)
        if asked is not None and options is not None:
            groups.append(Group("category recall", options, (asked,), (asked.answer.text,)))
    return groups


def by_others(asker: Asker) -> list[Group]:
    """What somebody else moved last, among things that were moved by anybody."""
    names, groups = asker.story.names, []
    moves = [m for m in asker.story.relocations if m.by == OTHER and m.object_id in names]
    handled = [m.object_id for m in asker.story.relocations if m.object_id in names]
    if not moves:
        return []
    ends = [*(m.arrived for m in moves[1:]), asker.story.truth.now]
    cases = [Case(m, (0, 0), m.arrived + SOON_S, end) for m, end in zip(moves, ends, strict=True)]
    for some in in_threes(cases):
        shown = draw(asker, handled, [case.move.object_id for case in some])
        if shown is None:
            continue
        question = MovedByOther(tuple(names[i] for i in shown))
        asked = [_moved_by_other(asker, question, case, shown) for case in some for _ in range(TIMES)]
        groups += grouped(asker, "category recall", question.options, asked)
    return groups


def _order_known(asker: Asker, last: Relocation, shown: list[int]) -> bool:
    """Whether a thing was seen where it had been after each of the others was seen where it was put:
    of moves that nobody watched the order is known by that alone."""
    story = asker.story
    seen = story.clear_between(last.object_id, 0.0, last.left)
    earlier = [
        move
        for move in story.relocations
        if move.by == OTHER and move.object_id in shown and move.object_id != last.object_id
    ]
    return bool(seen) and all(
        bool(story.clear_between(move.object_id, move.arrived, seen[-1].time))
        for move in earlier
        if move.arrived <= last.arrived
    )


def _moved_by_other(asker: Asker, question: MovedByOther, case: Case, shown: list[int]) -> Asked | None:
    """Asked when the wearer knows where each of the things is, and what became of it."""
    for _ in range(TRIES):
        time = asker.later(case.start, case.end)
        if time is None or not all(asker.story.place_known(i, time) for i in shown):
            continue
        if not asker.story.move_known(case.move, time) or not _order_known(asker, case.move, shown):
            continue
        asked = asker.ask(question, time)
        if asked is not None and asked.answer.text == asker.story.names[case.move.object_id].singular:
            return asked
    return None
