"""What must stay and what must change when a whole world is changed, for every question of REM.

Visibility comes from rendered masks, so these tests cover the renderer, the truth and the questions at once.
A question is compared only where both worlds decide it clearly: a changed world may turn a clear view into
a glimpse, and then no answer is due.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes import observed
from situ.benchmarks.rem.cells import world_of
from situ.benchmarks.rem.names import BY_TYPE, ENTITIES
from situ.benchmarks.rem.preview import rich_world
from situ.errors import Unanswerable
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.questions import Compare, Count, FirstSeenOrder, Question, Selector, SideInView
from situ.state import SpatialState, TruthState
from situ.worlds.actions import ActionWalk, swapped
from situ.worlds.scene import Scene

SEEDS = st.integers(0, 10_000)
ITEMS = st.integers(0, 155)
FEW = settings(max_examples=12, deadline=None)


def _world(seed: int, item: int) -> tuple[Scene, ActionWalk]:
    """The first world that is drawn for an item: choosing the richest of many takes far longer."""
    first = world_of("baseline", item)._replace(frames=16, tries=1)
    return rich_world(first, np.random.default_rng([seed, item]))


def _questions() -> list[Question]:
    rng = np.random.default_rng(1)
    pairs = [p for p in combinations(ENTITIES, 2) if not p[0].covers(p[1]) and not p[1].covers(p[0])]
    types = list(combinations(BY_TYPE, 2))
    questions: list[Question] = [Count(which) for which in ENTITIES]
    questions += [Compare(*pairs[i]) for i in rng.permutation(len(pairs))[:60]]
    questions += [FirstSeenOrder(*pair) for pair in types]
    return questions + [SideInView(*pair) for pair in types]


def _clear_answers(state: SpatialState) -> dict[Question, str]:
    answers = {}
    for question in _questions():
        try:
            answer = question.answer(state)
        except Unanswerable:
            continue
        if answer.margin >= question.min_margin:
            answers[question] = answer.text
    return answers


def _agreeing(before: dict[Question, str], after: dict[Question, str]) -> set[Question]:
    """Questions that both worlds decide; there must be many, or the test would prove nothing."""
    both = before.keys() & after.keys()
    assert len(both) >= 0.8 * max(len(before), len(after)) > 0
    return both


def _turned(scene: Scene, walk: ActionWalk, degrees: float) -> tuple[Scene, Path]:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    objects = [
        replace(o, yaw_deg=o.yaw_deg + degrees, position=(c * x - s * y, s * x + c * y, z))
        for o, (x, y, z) in ((o, o.position) for o in scene.objects)
    ]
    start = walk.start
    turned = Heading(c * start.x - s * start.y, s * start.x + c * start.y, start.z, start.yaw_deg + degrees)
    return scene.with_objects(objects), ActionWalk(turned, walk.actions).path()


@FEW
@given(SEEDS, ITEMS, st.floats(-180, 180))
def test_turning_the_world_and_the_wearer_changes_no_answer(seed: int, item: int, degrees: float) -> None:
    scene, walk = _world(seed, item)
    before, after = (
        _clear_answers(observed(scene, walk.path())),
        _clear_answers(observed(*_turned(scene, walk, degrees))),
    )
    assert all(before[q] == after[q] for q in _agreeing(before, after))


@FEW
@given(SEEDS, ITEMS)
def test_mirroring_swaps_left_and_right_and_nothing_else(seed: int, item: int) -> None:
    scene, walk = _world(seed, item)
    mirror = scene.with_objects(
        replace(o, position=(o.position[0], -o.position[1], 0.0)) for o in scene.objects
    )
    start = Heading(walk.start.x, -walk.start.y, walk.start.z, -walk.start.yaw_deg)
    before = _clear_answers(observed(scene, walk.path()))
    after = _clear_answers(observed(mirror, ActionWalk(start, swapped(walk.actions)).path()))
    swap = {"left": "right", "right": "left"}
    for question in _agreeing(before, after):
        expected = swap[before[question]] if isinstance(question, SideInView) else before[question]
        assert after[question] == expected


@FEW
@given(SEEDS, ITEMS)
def test_dropping_what_is_never_seen_changes_nothing(seed: int, item: int) -> None:
    scene, walk = _world(seed, item)
    state = observed(scene, walk.path())
    seen = {view.id for view in state.objects()}
    fewer = observed(scene.with_objects(o for o in scene.objects if o.id in seen), walk.path())
    assert _clear_answers(state) == _clear_answers(fewer)


@FEW
@given(SEEDS, ITEMS)
def test_playing_backwards_keeps_counts_and_flips_clear_orders(seed: int, item: int) -> None:
    scene, walk = _world(seed, item)
    path = walk.path()
    forwards = observed(scene, path)
    backwards = observed(scene, Path(path.times, path.poses[::-1].copy()))
    before, after = _clear_answers(forwards), _clear_answers(backwards)
    for question in _agreeing(
        {q: v for q, v in before.items() if not isinstance(q, FirstSeenOrder)},
        {q: v for q, v in after.items() if not isinstance(q, FirstSeenOrder)},
    ):
        assert before[question] == after[question]
    for question in before.keys() & after.keys():
        # One kind was gone before the other came: backwards the other comes first.
        if isinstance(question, FirstSeenOrder) and _last(forwards, question.first) < _first(
            forwards, question.second
        ):
            assert (before[question], after[question]) == ("before", "after")


@FEW
@given(SEEDS, ITEMS, st.integers(0, 14))
def test_a_state_as_of_a_time_is_the_state_of_the_walk_cut_there(seed: int, item: int, cut: int) -> None:
    scene, walk = _world(seed, item)
    time = float(min(cut, len(walk.actions)))
    whole = observed(scene, walk.path())
    assert _clear_answers(whole.as_of(time)) == _clear_answers(observed(scene, walk.path().until(time)))


@FEW
@given(SEEDS, ITEMS)
def test_swapping_two_names_in_a_question_swaps_its_answer(seed: int, item: int) -> None:
    scene, walk = _world(seed, item)
    state = observed(scene, walk.path())
    swap = {"left": "right", "right": "left", "before": "after", "after": "before"}
    for question, answer in _clear_answers(state).items():
        if isinstance(question, Compare):
            assert Compare(question.second, question.first).answer(state).text == answer
        elif isinstance(question, FirstSeenOrder):
            other = FirstSeenOrder(question.second, question.first).answer(state).text
            assert other == swap.get(answer, answer)
        elif isinstance(question, SideInView):
            assert SideInView(question.anchor, question.thing).answer(state).text == swap[answer]


def _first(state: TruthState, which: Selector) -> int:
    return min(s.frame for view in which.select(state) for s in state.sightings(view.id))


def _last(state: TruthState, which: Selector) -> int:
    return max(s.frame for view in which.select(state) for s in state.sightings(view.id))
