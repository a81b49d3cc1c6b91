"""Memories of a small house with every belief in doubt, and questions to put to them."""

import numpy as np
from benchmarks.house import Plan, Stream

from situ import questions as q
from situ.memory import MemoryState, SpatialMemory
from situ.perception import Noise, noisy
from situ.questions.base import Question

HOUSE = Plan(rooms=2, objects=60, moved=10, carried=2, removed=4, added=0, seconds=500, calm=60)
NOISE = Noise(miss=0.2, false_positive=0.1, depth_m=0.1, depth_share=0.04)


def watched(seed: int) -> SpatialMemory:
    memory = SpatialMemory.create(":memory:")
    for frame in noisy(Stream(HOUSE, seed).frames(), NOISE, np.random.default_rng(seed)):
        memory.observe(frame)
    return memory


def shaken(memory: SpatialMemory, seed: int) -> SpatialMemory:
    """The same with every belief at random: what is real, what is in place, what it is and how well known."""
    rng, working = np.random.default_rng(seed), memory.working
    slots = np.array(sorted(working.tracks.slot_of.values()), np.int32)
    for slot in slots.tolist():
        row = working.rows[slot]
        false, here = rng.choice([0.0, 0.02, 0.3, 0.45, rng.random()]), rng.choice([1.0, 0.9, rng.random()])
        row["p_false"], row["p_here"], row["p_gone"] = false, (1 - false) * here, (1 - false) * (1 - here)
        row["absent_since"] = memory.now if here < 0.8 else np.nan
        row["last_seen"] -= 1e-3 * (here < 1.0)
        wide = rng.choice([0.01, 0.3, 1.5]) ** 2
        row["covariance"] = (wide, 0.0, 0.0, wide, 0.0, wide)
        row["label_weights"] = np.sort(rng.random(len(row["label_weights"])) * rng.choice([0.0, 3.0]))[::-1]
        row["label_weights"][0] += 0.1
    working.publish_rows(slots)
    return memory


def some_questions(state: MemoryState, most: int = 8) -> list[Question]:
    """Every kind that a wearer asks, of kinds of things that the memory knows, doubtful ones among them."""
    labels = sorted({view.category for view in state.objects()})[:most]
    things = [q.Selector.make(label) for label in labels]
    found: list[Question] = []
    for one, two in zip(things, [*things[1:], things[0]], strict=True):
        found += [q.WhereFromHere(one), q.DistanceFromHere(one), q.CanReach(one), q.InViewNow(one)]
        found += [q.SeenWhen(one), q.SeenWhen(one, first=True), q.WhereWas(one, time=state.now / 2)]
        found += [q.Count(one), q.CountNow(one), q.Compare(one, two), q.CloserToMe(one, two)]
        found += [q.FirstSeenOrder(one, two), q.SideInView(one, two), q.WhatHappenedTo(one, state.now / 2)]
        found += [
            q.ClosestDistance(one, two),
            q.LongestSide(one),
            q.Larger(one, two),
            q.WithinReach(one, two),
        ]
        found += [q.WhereFromHere(one, "near", two), q.RelativeDirection(one, two, things[0])]
        found += [q.RoutePlan(one, two, ("", str(things[0].category)))]
    return [*found, q.Count(q.Selector()), q.NextTo(things[0]), q.RouteDirection("end")]
