"""Which questions REM may ask of an item, and how they are balanced over the whole set."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from situ.benchmarks.balance import Candidate, Quota, choose_balanced, choose_evenly
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.rem.blocks import comparison_blocks, order_blocks
from situ.benchmarks.rem.cells import PER_ITEM, World
from situ.errors import Unanswerable
from situ.questions import Answer, Compare, Count, FirstSeenOrder, Question, Selector, SideInView, to_program
from situ.questions.scene.order import BEFORE, SAME_TIME
from situ.questions.scene.view import LEFT
from situ.state import SpatialState

# Truths of counting questions, the same for colours, shapes and types and for walks of every length. Of none
# of them any number is right more often than "1", so that what is asked for says nothing about the best
# guess. 55 % are 2 or more, as published.
FEW_LABELS = {"0": 0.16, "1": 0.29, "2": 0.27, "3+": 0.28}
MANY_LABELS = {"0": 0.16, "1": 0.29, "2+": 0.55}  # of shapes, of which there are many: no number is frequent
COUNT_LABELS = {"type": FEW_LABELS, "color": FEW_LABELS, "shape": MANY_LABELS}
COUNT_KINDS = {"type": 0.52, "color": 0.30, "shape": 0.18}
SHORT = 8  # frames
PER_CELL = 12  # candidates of one stratum and label that an item offers: enough to choose from, few to keep
LOTS = 100  # drawn again where too many answers are alike
SHAPES_SHARE = 0.03  # of comparisons; a walk has three shapes, and they are rarely equally many
SHAPES_LABELS = {"a": 1 / 3, "b": 1 / 3, "equal": 1 / 3}


class Proposal(NamedTuple):
    """A fair question with the stratum and label it is balanced by."""

    task: str
    stratum: str
    label: str
    question: Question
    text: str = ""  # the question's own words, unless another wording is given


def entity_kind(which: Selector) -> str:
    if which.category is None:
        return "color"
    return "type" if which.attributes else "shape"


def propose(
    number: int,
    name: str,
    truth: SpatialState,
    world: World,
    tasks: Sequence[str],
    rng: np.random.Generator,
) -> list[tuple[Candidate, QuestionRow]]:
    """All fair questions of an item, thinned to a few for each stratum and label."""
    makers: dict[str, Callable[..., Iterator[Proposal]]] = {
        "counting": _counting,
        "all_types": _all_types,
        "comparison": _comparison,
        "ordering": _ordering,
        "left_right": _left_right,
    }
    rows: list[tuple[Candidate, QuestionRow]] = []
    for task in tasks:
        proposals = list(makers[task](truth, world, rng))
        limit = PER_CELL if task in ("counting", "left_right") else len(proposals)
        found = _fair_sample(proposals, limit, truth, rng)
        if task == "left_right":
            found = _both_sides(found, rng)
        for proposal, answer in found:
            stratum = _stratum(task, proposal.stratum, len(truth.path))
            label = str(answer.value) if task == "left_right" else proposal.label
            candidate = Candidate(number, len(rows), proposal.task, stratum, label)
            rows.append((candidate, question_row(candidate, name, proposal, answer, truth, world)))
    return rows


def choose(
    task: str, candidates: Sequence[Candidate], total: int, lengths: Sequence[int], rng: np.random.Generator
) -> list[Candidate]:
    """The questions of a task. Counts and sides are balanced over the set; pairs are even in every walk."""
    if task == "counting":
        return _choose_counts(candidates, total, lengths, rng)
    shapes = Quota(round(SHAPES_SHARE * total), {SHAPES_PAIR: 1.0}, SHAPES_LABELS, 1)
    chosen = choose_balanced(candidates, shapes, rng) if task == "comparison" else []
    others = [candidate for candidate in candidates if candidate.stratum != SHAPES_PAIR]
    picked = choose_evenly(others, total - len(chosen), PER_ITEM, rng)
    for _ in range(LOTS):
        if task != "left_right" or _about_even(picked):
            break
        picked = choose_evenly(others, total, PER_ITEM, rng)
    return sorted(chosen + picked)


def _choose_counts(
    candidates: Sequence[Candidate], total: int, lengths: Sequence[int], rng: np.random.Generator
) -> list[Candidate]:
    """Shapes first, as walks have few; what they lack goes to the others."""
    chosen: list[Candidate] = []
    for labels in (MANY_LABELS, FEW_LABELS):
        kinds = {kind: share for kind, share in COUNT_KINDS.items() if COUNT_LABELS[kind] is labels}
        strata = {
            _stratum("counting", kind, length): share
            * sum(_band(n) == _band(length) for n in lengths)
            / len(lengths)
            / sum(kinds.values())
            for kind, share in kinds.items()
            for length in lengths
        }
        wanted = total - len(chosen) if labels is FEW_LABELS else round(total * sum(kinds.values()))
        chosen += choose_balanced(candidates, Quota(wanted, strata, labels, PER_ITEM), rng)
    return chosen


def _about_even(chosen: Sequence[Candidate]) -> bool:
    """Within a standard deviation of halves, as two lots in three: who always says one side does not do well
    in a small set, and who knows some answers can hardly tell the others."""
    left = sum(candidate.label == LEFT for candidate in chosen)
    return abs(left - len(chosen) / 2) <= max(1.0, math.sqrt(len(chosen)) / 2)


def _band(length: int) -> str:
    return "short" if length <= SHORT else "long"


def _stratum(task: str, kind: str, length: int) -> str:
    """Counts grow with the length of a walk."""
    if task != "counting":
        return kind
    return f"{kind}|{_band(length)}"


def question_row(
    candidate: Candidate, name: str, proposal: Proposal, answer: Answer, truth: SpatialState, world: World
) -> QuestionRow:
    """The question as it is stored, with its key and what analyses group by."""
    question = proposal.question
    strata: dict[str, Json] = {
        "frames": len(truth.path),
        "objects_in_scene": world.objects,
        "repeats_in_scene": sum(world.repeats),
        "objects_seen": len(truth.objects()),
        "repeats_seen": repeats_seen(truth),
        "balanced_by": proposal.stratum,
        **(answer.numbers or {}),
    }
    if isinstance(question, Count):
        strata["most_in_one_frame"] = most_in_one_frame(truth, question.which)
    return QuestionRow(
        id=f"{name}-{candidate.number:03d}",
        item=name,
        task=proposal.task,
        text=proposal.text or question.text,
        options=question.options,
        answer=answer.text,
        program=to_program(question),
        margin=answer.margin,
        evidence=answer.evidence,
        strata=strata,
    )


def repeats_seen(truth: SpatialState) -> int:
    """How many of the things seen clearly are like another one that was."""
    seen = [view for view in truth.objects() if any(s.clarity == 1.0 for s in truth.sightings(view.id))]
    return len(seen) - len({(view.category, view.attributes.get("color")) for view in seen})


def most_in_one_frame(truth: SpatialState, which: Selector) -> int:
    """The most things of a kind that any one frame shows clearly."""
    frames = Counter(
        s.frame for view in which.select(truth) for s in truth.sightings(view.id) if s.clarity == 1.0
    )
    return max(frames.values(), default=0)


def _fair_sample(
    proposals: Sequence[Proposal], limit: int, truth: SpatialState, rng: np.random.Generator
) -> list[tuple[Proposal, Answer]]:
    """At most `limit` random proposals of each stratum and label whose answer is clear, in their order."""
    turn: Counter[tuple[str, str]] = Counter()
    queue: list[tuple[int, int, int]] = []
    for i in rng.permutation(len(proposals)):
        cell = proposals[i].stratum, proposals[i].label
        queue.append((turn[cell], len(queue), int(i)))
        turn[cell] += 1
    taken: Counter[tuple[str, str]] = Counter()
    kept: dict[int, Answer] = {}
    for _, _, i in sorted(queue):  # every label has its turn before any has its second
        proposal = proposals[i]
        if taken[proposal.stratum, proposal.label] == limit:
            continue
        answer = proposal.question.answer(truth)
        if answer.margin >= proposal.question.min_margin:
            taken[proposal.stratum, proposal.label] += 1
            kept[i] = answer
    return [(proposals[i], kept[i]) for i in sorted(kept)]


def _both_sides(
    found: Sequence[tuple[Proposal, Answer]], rng: np.random.Generator
) -> list[tuple[Proposal, Answer]]:
    """Either answer equally often in one walk."""
    by_label = [[i for i, (p, _) in enumerate(found) if p.label == label] for label in ("a", "b")]
    most = min(map(len, by_label))
    kept = [places[int(k)] for places in by_label for k in rng.permutation(len(places))[:most]]
    return [found[i] for i in sorted(kept)]


def _counting(truth: SpatialState, world: World, rng: np.random.Generator) -> Iterator[Proposal]:
    for which in world.names.all:
        yield Proposal("counting", entity_kind(which), count_label(truth, which), Count(which))


def count_label(truth: SpatialState, which: Selector) -> str:
    """What a count is balanced by: the number, or that it is no smaller than the last label of its kind."""
    count, last = int(Count(which).answer(truth).value), [*COUNT_LABELS[entity_kind(which)]][-1]
    return last if count >= int(last.removesuffix("+")) else str(count)


def _all_types(truth: SpatialState, world: World, rng: np.random.Generator) -> Iterator[Proposal]:
    for which in world.names.types:
        yield Proposal("counting", "type", str(Count(which).answer(truth).value), Count(which))


SHAPES_PAIR = "shape/shape"


def _comparison(truth: SpatialState, world: World, rng: np.random.Generator) -> Iterator[Proposal]:
    """Pairs of types, of colours, or of a colour and a type in blocks; and one pair of shapes."""
    for block in comparison_blocks(truth, world.level, rng, world.names):
        for one, other in block.pairs:
            yield _compared(*_ranked(one, other), truth, rng)
    shapes = world.names.shapes
    pair = [shapes[int(i)] for i in rng.permutation(len(shapes))[:2]]
    if len(pair) == 2 and all(which.select(truth) for which in pair):
        yield _compared(*_ranked(*pair), truth, rng)


def _compared(a: Selector, b: Selector, truth: SpatialState, rng: np.random.Generator) -> Proposal:
    value = str(Compare(a, b).answer(truth).value)
    outcome = {a.plural: "a", b.plural: "b"}.get(value, "equal")
    kinds = f"{entity_kind(a)}/{entity_kind(b)}"
    return _asked_some_way("comparison", kinds, outcome, Compare, a, b, rng)


def _ordering(truth: SpatialState, world: World, rng: np.random.Generator) -> Iterator[Proposal]:
    for block in order_blocks(truth, rng, world.names):
        for one, other in block.pairs:
            a, b = _ranked(one, other)
            value = FirstSeenOrder(a, b).answer(truth).value
            outcome = "same" if value == SAME_TIME else "a" if value == BEFORE else "b"
            yield _asked_some_way("ordering", "pair", outcome, FirstSeenOrder, a, b, rng)


def _left_right(truth: SpatialState, world: World, rng: np.random.Generator) -> Iterator[Proposal]:
    for a, b in combinations([which for which in world.names.types if len(which.select(truth)) == 1], 2):
        try:
            outcome = "a" if SideInView(*_ranked(a, b)).answer(truth).value == LEFT else "b"
        except Unanswerable:
            continue
        yield _asked_some_way("left_right", "pair", outcome, SideInView, *_ranked(a, b), rng)


def _ranked(one: Selector, other: Selector) -> tuple[Selector, Selector]:
    """What a reader can see, kind and alphabet, says which of the two is `a`."""
    first, second = sorted((one, other), key=lambda which: (entity_kind(which), which.singular))
    return first, second


def _asked_some_way(
    task: str,
    stratum: str,
    outcome: str,
    ask: Callable[[Selector, Selector], Question],
    a: Selector,
    b: Selector,
    rng: np.random.Generator,
) -> Proposal:
    """The question about a pair, one way round or the other by the toss of a coin."""
    return Proposal(task, stratum, outcome, ask(a, b) if rng.random() < 0.5 else ask(b, a))
