"""The questions that a tour offers: direction, distance, order of appearance, route; all multiple choice."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.disjoint.spans import unique_names
from situ.errors import Unanswerable
from situ.questions import Question, Selector, to_program
from situ.questions.annotated.appearance import AppearanceOrder
from situ.questions.annotated.direction import RelativeDirection
from situ.questions.annotated.plan import TURN, RoutePlan
from situ.questions.scene.measure import NearestTo
from situ.state import ObjectView, TruthState

DIRECTION = {level: f"object_rel_direction_{level}" for level in ("easy", "medium", "hard")}
DISTANCE, ORDER, ROUTE = "object_rel_distance", "obj_appearance_order", "route_planning"
TASKS = (*DIRECTION.values(), DISTANCE, ORDER, ROUTE)
PER_TASK = 24  # candidates drawn for each task of a tour
LEAST_MARGIN = {DISTANCE: 0.3, ORDER: 2.0, ROUTE: 25.0, **dict.fromkeys(DIRECTION.values(), 10.0)}
NEAR_M, FAR_M = 0.8, 7.0  # how far apart the things of a direction question are
CHOICES = 4
ROUTES = 400  # drawn in a home: some of nearly every plan of two or three turns
Made = tuple[Question, tuple[str, ...]]


def propose(
    number: int, item: str, state: TruthState, rng: np.random.Generator
) -> list[tuple[Candidate, QuestionRow]]:
    """Questions with clear answers, each with its options in an order of its own."""
    named = _nameable(state)
    found: list[tuple[Candidate, QuestionRow]] = []
    makers: list[tuple[str, Callable[[], Made | None]]] = [
        *((task, lambda level=level: _direction(named, level, rng)) for level, task in DIRECTION.items()),
        (DISTANCE, lambda: _nearest(named, rng)),
        (ORDER, lambda: _order(named, state, rng)),
        (ROUTE, _routes(named, state, rng)),
    ]
    for task, make in makers:
        for question, options in _draws(make, 8 * PER_TASK, PER_TASK):
            row = _row(f"{item}-{len(found):04d}", item, task, question, options, state)
            if row is not None:
                place = str(row.options.index(row.answer))
                label = row.answer if task in DIRECTION.values() else place
                found.append((Candidate(number, len(found), task, "all", label), row))
    return found


def labels_of(task: str) -> dict[str, float]:
    """Answers that should be equally frequent: directions themselves, else the place among the options."""
    for level, name in DIRECTION.items():
        if task == name:
            options = RelativeDirection(Selector(), Selector(), Selector(), level).options
            return dict.fromkeys(options, 1 / len(options))
    return {str(i): 1 / CHOICES for i in range(CHOICES)}


def _draws(make: Callable[[], Made | None], tries: int, wanted: int) -> Iterator[Made]:
    """Different questions, at most `wanted`."""
    seen: set[str] = set()
    for _ in range(tries):
        made = make()
        if made is not None and made[0].text not in seen:
            seen.add(made[0].text)
            yield made
        if len(seen) == wanted:
            return


def _row(
    name: str, item: str, task: str, question: Question, options: Sequence[str], state: TruthState
) -> QuestionRow | None:
    try:
        answer = question.answer(state)
    except Unanswerable:
        return None
    if answer.margin < LEAST_MARGIN[task] or answer.text not in options:
        return None
    return QuestionRow(
        name, item, task, question.text, tuple(options), answer.text, to_program(question), answer.margin,
        answer.evidence,
    )  # fmt: skip


def _nameable(state: TruthState) -> dict[int, tuple[ObjectView, Selector]]:
    """Things that were clearly seen and that a name picks out."""
    names = unique_names(state)
    views = {view.id: view for view in state.objects() if view.presence == 1.0}
    return {i: (views[i], names[i]) for i in sorted(views) if i in names}


def _some(named: dict[int, tuple[ObjectView, Selector]], count: int, rng: np.random.Generator) -> list[int]:
    keys = list(named)
    return [keys[i] for i in rng.choice(len(keys), count, replace=False)] if len(keys) >= count else []


def _direction(
    named: dict[int, tuple[ObjectView, Selector]], level: str, rng: np.random.Generator
) -> Made | None:
    trio = _some(named, 3, rng)
    if not trio:
        return None
    (a, standing), (b, facing), (c, target) = (named[i] for i in trio)
    spots = [np.array(view.box.center[:2]) for view in (a, b, c)]
    gaps = [float(np.hypot(*(spots[i] - spots[j]))) for i, j in ((0, 1), (0, 2), (1, 2))]
    if not all(NEAR_M <= gap <= FAR_M for gap in gaps):
        return None
    question = RelativeDirection(standing, facing, target, level)
    options = question.options
    return question, tuple(options[i] for i in rng.permutation(len(options)))


def _nearest(named: dict[int, tuple[ObjectView, Selector]], rng: np.random.Generator) -> Made | None:
    some = _some(named, CHOICES + 1, rng)
    if not some:
        return None
    target, *others = (named[i][1] for i in some)
    question = NearestTo(tuple(others), target)
    return question, question.options


def _order(
    named: dict[int, tuple[ObjectView, Selector]], state: TruthState, rng: np.random.Generator
) -> Made | None:
    some = _some(named, CHOICES, rng)
    if not some:
        return None
    which = tuple(named[i][1] for i in some)
    try:
        right = AppearanceOrder(which).answer(state).text
    except Unanswerable:
        return None
    wrong = [", ".join(order) for order in permutations(w.singular for w in which)]
    wrong.remove(right)
    offered = [right, *(wrong[i] for i in rng.choice(len(wrong), CHOICES - 1, replace=False))]
    options = tuple(offered[i] for i in rng.permutation(CHOICES))
    return AppearanceOrder(which, options), options


def _routes(
    named: dict[int, tuple[ObjectView, Selector]], state: TruthState, rng: np.random.Generator
) -> Callable[[], Made | None]:
    """Draws routes whose options tell nothing: each of the four plans is that of a route in this home, and a
    lot says which of these routes is asked. A plan that is right more often is offered more often."""
    plain = {i: entry for i, entry in named.items() if not entry[1].attributes}
    of_plan: dict[str, list[RoutePlan]] = {}
    for route in {made: None for _ in range(ROUTES) if (made := _walk(plain, rng)) is not None}:
        of_plan.setdefault(route.answer(state).text, []).append(route)

    def make() -> Made | None:
        stops = int(rng.integers(2, 4))
        plans = [plan for plan, left in of_plan.items() if left and plan.count(",") == stops - 1]
        if len(plans) < CHOICES:
            return None
        options = tuple(plans[i] for i in rng.choice(len(plans), CHOICES, replace=False))
        clear = [_clear(of_plan[plan], options, state) for plan in options]
        if None in clear:
            return None
        right = int(rng.integers(CHOICES))
        route = clear[right]
        assert route is not None
        of_plan[options[right]].remove(route)
        return replace(route, plans=options), options

    return make


def _clear(routes: Sequence[RoutePlan], plans: tuple[str, ...], state: TruthState) -> RoutePlan | None:
    """A route whose own plan is clearly the best of some."""
    for route in routes:
        if replace(route, plans=plans).answer(state).margin >= LEAST_MARGIN[ROUTE]:
            return route
    return None


def _walk(named: dict[int, tuple[ObjectView, Selector]], rng: np.random.Generator) -> RoutePlan | None:
    """A way over two or three things that are neither close together nor far apart."""
    some = _some(named, int(rng.integers(2, 4)) + 2, rng)
    if not some:
        return None
    start, facing, *visited = (named[i] for i in some)
    spots = [np.array(view.box.center[:2]) for view, _ in (start, facing, *visited)]
    way = [spots[0], *spots[2:]]
    legs = [float(np.hypot(*(b - a))) for a, b in pairwise(way)]
    if not all(NEAR_M <= leg <= FAR_M for leg in (*legs, float(np.hypot(*(spots[1] - spots[0]))))):
        return None
    steps = tuple(step for _, which in visited for step in (TURN, which.singular))
    return RoutePlan(start[1], facing[1], steps)
