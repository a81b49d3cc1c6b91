"""The original sampling and wording rules of REM, faults included, so that their effect can be measured.

What is reproduced: the camera stands 2 m behind the planned path; one visible pixel counts as seen;
turns start left and alternate, and some walks come out short; left/right pairs are the first five of an
alphabetical list in which the smaller name is always on the left; questions whose answer is "same time"
carry a wording of their own and may ask about one type twice; answers are not balanced.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.rem.candidates import Proposal, question_row
from situ.benchmarks.rem.cells import World
from situ.benchmarks.rem.names import ENTITIES
from situ.benchmarks.rem.scenes import draw_types, lattice_scene
from situ.benchmarks.rem.walks import BOUND_M, HALF_TURN, PLANNED_TURNS, START, random_walk
from situ.errors import Unanswerable
from situ.geometry.heading import Heading
from situ.questions import Compare, Count, FirstSeenOrder, Selector, SideInView
from situ.questions.scene.order import SAME_TIME
from situ.questions.scene.view import LEFT, RIGHT
from situ.state import ObjectView, SpatialState, Visibility
from situ.worlds.actions import Action, ActionWalk, turns
from situ.worlds.scene import Scene

VISIBILITY = Visibility(clear_share=1e-9, unseen_share=1e-9)
PLANNED_START = Heading(-3.0, 0.0, 0.0, 0.0)
PLANNED_CLEARANCE_M = 1.0
LIMIT = 5
UNSEEN_PROBABILITY = 0.1
TRIES = 1000


def build(world: World, rng: np.random.Generator) -> tuple[Scene, ActionWalk]:
    """Objects keep clear of the planned path; the camera then walks 2 m behind it."""
    actions = _actions(world.frames, rng)
    planned = ActionWalk(PLANNED_START, actions).path()
    types = draw_types(world.objects, world.repeats, rng)
    return lattice_scene(types, planned, rng, clearance=PLANNED_CLEARANCE_M), ActionWalk(START, actions)


def _actions(frames: int, rng: np.random.Generator) -> tuple[Action, ...]:
    if frames not in PLANNED_TURNS:
        return random_walk(frames, rng).actions
    remaining = PLANNED_TURNS[frames]
    groups = int(rng.integers(2, min(remaining, 5) + 1))
    sizes = []
    for left in range(groups, 0, -1):
        sizes.append(int(rng.integers(1, remaining - (left - 1) + 1)))
        remaining -= sizes[-1]
    spare, surplus = divmod(frames - 1 - PLANNED_TURNS[frames] - (groups - 1), groups + 1)
    runs = [spare + (i < surplus) + (0 < i < groups) for i in range(groups + 1)]
    plan: list[Action] = turns("forward", runs[0])
    for i, size in enumerate(sizes):
        plan += turns("left" if i % 2 == 0 else "right", size) + turns("forward", runs[i + 1])
    return tuple(_turned_back(plan, frames, rng) if frames >= 32 else plan)


def _turned_back(plan: Sequence[Action], frames: int, rng: np.random.Generator) -> list[Action]:
    """After every move that ends outside the field, turn by 180 degrees at the cost of the plan's tail."""
    done: list[Action] = []
    here = PLANNED_START
    for action in plan:
        here = ActionWalk(here, (action,)).headings()[-1]
        done.append(action)
        if max(abs(here.x), abs(here.y)) > BOUND_M:
            back = turns("left" if rng.random() < 0.5 else "right", HALF_TURN)
            here = ActionWalk(here, tuple(back)).headings()[-1]
            done += back
    return done[: frames - 1]


def propose(
    number: int, name: str, truth: SpatialState, world: World, rng: np.random.Generator
) -> list[tuple[Candidate, QuestionRow]]:
    """The questions that the original rules ask; all of them are kept."""
    proposals = list(_counting(truth, rng))
    if world.frames > 1:
        proposals += [*_comparison(truth, rng), *_ordering(truth, rng)]
        proposals += [] if world.repeats else _left_right(truth, rng)
    rows = []
    for i, proposal in enumerate(proposals):
        candidate = Candidate(number, i, proposal.task, proposal.stratum, proposal.label)
        answer = proposal.question.answer(truth)
        rows.append((candidate, question_row(candidate, name, proposal, answer, truth, world)))
    return rows


def _counting(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    listed = [w for w in ENTITIES if w.select(truth) or rng.random() < UNSEEN_PROBABILITY]
    for i in rng.permutation(len(listed))[:LIMIT]:
        yield Proposal("counting", "", "", Count(listed[i]), f"How many {listed[i].plural} are there?")


def _comparison(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    by_kind = [[w for w in kind if w.select(truth)] for kind in (ENTITIES[:8], ENTITIES[8:11], ENTITIES[11:])]
    asked: set[str] = set()
    for _ in range(TRIES if all(by_kind) else 0):
        a, b = (_pick(by_kind[int(rng.integers(3))], rng) for _ in range(2))
        text = f"Are there more {a.plural} or {b.plural}?"
        if a != b and text not in asked and _frames(truth, a) & _frames(truth, b):
            asked.add(text)
            yield Proposal("comparison", "", "", Compare(a, b), text)
        if len(asked) == LIMIT:
            return


def _ordering(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    instances = [_type_of(view) for view in truth.objects()]
    asked: set[FirstSeenOrder] = set()
    for same, tries, joint in ((False, TRIES, "at the same time as"), (True, 2 * TRIES, "same time as")):
        for _ in range(tries if len(instances) > 1 and len(asked) < LIMIT else 0):
            i, j = rng.choice(len(instances), 2, replace=False)
            question = FirstSeenOrder(instances[i], instances[j])
            if question not in asked and (question.answer(truth).value == SAME_TIME) == same:
                asked.add(question)
                first, second = question.first.singular, question.second.singular
                text = f"Was the {first} seen before, after, or {joint} the {second}?"
                yield Proposal("ordering", "", "", question, text)
            if len(asked) == LIMIT:
                return


def _left_right(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    named = sorted(truth.objects(), key=lambda view: f"{view.attributes['color']}_{view.category}_{view.id}")
    asked = 0
    for a, b in combinations([_type_of(view) for view in named], 2):
        if asked == LIMIT:
            return
        try:
            answer = SideInView(a, b).answer(truth)
        except Unanswerable:
            continue
        if answer.value != LEFT or answer.margin == 0:
            continue
        thing, anchor = (a, b) if rng.random() < 0.5 else (b, a)
        claim = LEFT if rng.random() < 0.5 else RIGHT
        asked += 1
        text = f"Is the {thing.singular} to the {claim} of the {anchor.singular}?"
        yield Proposal("left_right", "", "", SideInView(thing, anchor, claim), text)


def _type_of(view: ObjectView) -> Selector:
    return Selector.make(view.category, dict(view.attributes))


def _pick(options: Sequence[Selector], rng: np.random.Generator) -> Selector:
    return options[int(rng.integers(len(options)))]


def _frames(truth: SpatialState, which: Selector) -> set[int]:
    return {s.frame for view in which.select(truth) for s in truth.sightings(view.id)}
