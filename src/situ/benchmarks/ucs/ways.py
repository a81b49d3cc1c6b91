"""Questions about the wearer's own way: what was passed, in which order, after something was put down."""

from typing import NamedTuple

import numpy as np

from situ.benchmarks.ucs.asking import Asked, Asker, Group
from situ.benchmarks.ucs.moves import (
    SETTLED_S,
    TIMES,
    Case,
    Pair,
    ask_within,
    cases_by_thing,
    draw_pairs,
    grouped,
    in_threes,
)
from situ.benchmarks.ucs.now import directions
from situ.questions import TurnsAfter, WayAfter, WayTowards
from situ.questions.walk.journey import gaps_along, way_in_words
from situ.recording import ObjectRecord
from situ.worlds.days.events import IN_HAND, WEARER

WAY_S = (15.0, 25.0, 40.0)
TURNS_S = (20.0, 30.0, 45.0)  # two clear turns take a while
PASSED_M = 0.9
APART_S = 4.0  # between passing the first landmark and the second
LARGE_M = 0.45


class Leg(NamedTuple):
    """A stretch of way after a thing was put down, and two landmarks that were passed on it."""

    case: Case
    seconds: float
    passed: Pair


def ways(asker: Asker) -> list[Group]:
    """What was passed after a thing was put down: what was passed at other times as options."""
    names, groups = asker.story.names, []
    legs = [leg for seconds in WAY_S for leg in _legs(asker, seconds)]
    pool = [leg.passed for leg in legs]
    for key in dict.fromkeys((leg.case.move.object_id, leg.seconds) for leg in legs):
        for mine in in_threes([leg for leg in legs if (leg.case.move.object_id, leg.seconds) == key]):
            shown = draw_pairs(asker, [leg.passed for leg in mine], pool)
            if shown is None:
                continue
            question = WayAfter(names[key[0]], key[1], tuple((names[a], names[b]) for a, b in shown))
            asked = []
            for leg in mine:
                words = way_in_words(names[leg.passed[0]], names[leg.passed[1]])
                later = leg.case._replace(start=leg.case.start + leg.seconds)
                asked += [ask_within(asker, question, later, words) for _ in range(TIMES)]
            groups += grouped(asker, "my trajectory", question.options, asked)
    return groups


def ways_towards(asker: Asker) -> list[Group]:
    """What was passed on the way to where a thing was taken up: what was passed at other times as options."""
    names, legs = asker.story.names, list[tuple[Leg, float]]()
    landmarks = _landmarks(asker)
    for seconds in WAY_S:
        for cases in cases_by_thing(asker).values():
            for case in cases:
                start = case.move.left - seconds
                if case.move.by != WEARER or start < asker.story.truth.path.start + SETTLED_S / 2:
                    continue
                passed = _passed(asker, start, seconds, landmarks)
                legs += [(Leg(case, seconds, passed), start)] if passed is not None else []
    pool, groups = [leg.passed for leg, _ in legs], []
    for leg, _ in legs:
        shown = draw_pairs(asker, [leg.passed], pool)
        if shown is None:
            continue
        pairs = tuple((names[a], names[b]) for a, b in shown)
        question = WayTowards(names[leg.case.move.object_id], leg.seconds, pairs)
        words = way_in_words(names[leg.passed[0]], names[leg.passed[1]])
        asked = [ask_within(asker, question, leg.case, words) for _ in range(TIMES)]
        groups += grouped(asker, "my trajectory", question.options, asked)
    return groups


def turns(asker: Asker) -> list[Group]:
    """Which turns came first in some seconds after a thing was put down, with any other pairs as options.

    Two spans after the same act would have the same answer, and it would be what their options share.
    """
    groups = []
    for number, cases in cases_by_thing(asker).items():
        seconds = TURNS_S[int(asker.rng.integers(len(TURNS_S)))]
        question, found = TurnsAfter(asker.story.names[number], seconds), list[Asked]()
        for case in cases:
            until = until_touched(asker, case)
            if case.move.by != WEARER or case.move.act != "put" or case.start + seconds >= until:
                continue
            for _ in range(TIMES):
                time = asker.later(case.start + seconds, until)
                if time is not None and asker.story.move_known(case.move, time):
                    asked = asker.ask(question, time)
                    found += [] if asked is None else [asked]
        group = directions(asker, "my trajectory", found, question.options)
        groups += [] if group is None else [group]
    return groups


def _legs(asker: Asker, seconds: float) -> list[Leg]:
    found = []
    landmarks = _landmarks(asker)
    for cases in cases_by_thing(asker).values():
        for case in cases:
            until = until_touched(asker, case)
            if case.move.by == WEARER and case.move.act == "put" and case.start + seconds < until:
                passed = _passed(asker, case.move.arrived, seconds, landmarks)
                found += [Leg(case._replace(end=until), seconds, passed)] if passed is not None else []
    return found


def until_touched(asker: Asker, case: Case) -> float:
    """Until when a thing was last put down then: taken up and put back, it was put down once more."""
    touched = [e.time for e in asker.story.events_of[case.move.object_id] if e.data.get("act") != IN_HAND]
    return min([case.end, *(time - 0.5 for time in touched if time > case.move.arrived)])


def _passed(asker: Asker, start: float, seconds: float, landmarks: dict[int, ObjectRecord]) -> Pair | None:
    """Two landmarks that were passed closely, one after the other; None if there are none."""
    path = asker.story.truth.path
    first, last = path.index_at(start), path.index_at(start + seconds)
    ground, times = path.positions[first : last + 1, :2], path.times[first : last + 1]
    near = []
    for number, thing in landmarks.items():
        gaps = gaps_along(ground, [thing.box])
        if gaps.min() <= PASSED_M and asker.story.place_known(number, start):
            near.append((float(times[int(np.argmin(gaps))]), number))
    pairs = [(a, b) for i, a in near for j, b in near if j - i >= APART_S]
    return pairs[int(asker.rng.integers(len(pairs)))] if pairs else None


def _landmarks(asker: Asker) -> dict[int, ObjectRecord]:
    """Large things with a name that never move."""
    return {
        i: thing
        for i, thing in asker.story.recording.objects.items()
        if i in asker.story.names and i not in asker.story.events_of and thing.box.longest_side >= LARGE_M
    }
