"""Which questions REM may ask of an item, and how they are balanced over the whole set."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from situ.benchmarks.balance import Candidate, Quota
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.rem.cells import World
from situ.benchmarks.rem.scenes import ALL_TYPES, COLORS, SHAPES
from situ.errors import Unanswerable
from situ.questions import Answer, Compare, Count, FirstSeenOrder, Question, Selector, SideInView, to_program
from situ.questions.order import AFTER, BEFORE, first_seen
from situ.questions.view import LEFT
from situ.state import SpatialState

BY_COLOR = tuple(Selector.make(None, {"color": color}) for color in COLORS)
BY_SHAPE = tuple(Selector.make(shape) for shape in SHAPES)
BY_TYPE = tuple(Selector.make(kind.shape, {"color": kind.color}) for kind in ALL_TYPES)
ENTITIES = (*BY_COLOR, *BY_SHAPE, *BY_TYPE)

# Truths of counting questions, the same for colours, shapes and types and for walks of every length, so that
# neither says anything about the best guess, which is always "1". 55 % are 2 or more, as published.
COUNT_LABELS = {"0": 0.16, "1": 0.29, "2+": 0.55}
COUNT_KINDS = {"type": 0.52, "color": 0.30, "shape": 0.18}
MANY = 2
SHORT = 8  # frames
OUTCOMES = {"comparison": ("a", "b", "equal"), "ordering": ("a", "b", "same"), "left_right": ("a", "b")}
PER_CELL = 12  # candidates of one stratum and label that an item offers: enough to choose from, few to keep
MOST_NAMED = 4  # pairs of one walk and task in which a thing is named
MOST_AHEAD = 2  # by how much its wins may exceed its losses, or the other way round


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
        proposals = list(makers[task](truth, rng))
        limit = len(proposals) if task == "all_types" else PER_CELL
        found = _fair_sample(proposals, limit, truth, rng)
        if task in OUTCOMES:
            found = _every_outcome(found, OUTCOMES[task], rng)
        for proposal, answer in found:
            stratum = _stratum(task, proposal.stratum, len(truth.path))
            candidate = Candidate(number, len(rows), proposal.task, stratum, proposal.label)
            rows.append((candidate, question_row(candidate, name, proposal, answer, truth, world)))
    return rows


def quota(task: str, total: int, per_item: int, lengths: Sequence[int]) -> Quota:
    """How the questions of a task are spread: answers have the same shares in short and in long walks."""
    outcomes = OUTCOMES.get(task, ())
    labels = dict.fromkeys(outcomes, 1 / len(outcomes)) if outcomes else COUNT_LABELS
    kinds = {"counting": COUNT_KINDS, "comparison": COMPARISON_STRATA}.get(task, {"pair": 1.0})
    strata: Counter[str] = Counter()
    for kind, share in kinds.items():
        for length in lengths:
            strata[_stratum(task, kind, length)] += share / len(lengths)  # type: ignore[assignment]
    return Quota(total, dict(strata), labels, per_item)


def _stratum(task: str, kind: str, length: int) -> str:
    """Counts grow with the length of a walk. The outcomes of pairs are even in every walk by itself."""
    if task != "counting":
        return kind
    return f"{kind}|short" if length <= SHORT else f"{kind}|long"


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
        "balanced_by": proposal.stratum,
        **(answer.numbers or {}),
    }
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
    standing = _Standing()
    kept: dict[int, Answer] = {}
    for _, _, i in sorted(queue):  # every label has its turn before any has its second
        proposal = proposals[i]
        if taken[proposal.stratum, proposal.label] == limit:
            continue
        answer = proposal.question.answer(truth)
        if answer.margin >= proposal.question.min_margin and standing.admits(proposal.question, answer):
            taken[proposal.stratum, proposal.label] += 1
            kept[i] = answer
    return [(proposals[i], kept[i]) for i in sorted(kept)]


def _every_outcome(
    found: Sequence[tuple[Proposal, Answer]], outcomes: Sequence[str], rng: np.random.Generator
) -> list[tuple[Proposal, Answer]]:
    """Each outcome equally often in one walk: where all were seen at once, only one could be asked."""
    by_label = {label: [i for i, (p, _) in enumerate(found) if p.label == label] for label in outcomes}
    most = min(len(places) for places in by_label.values())
    kept = [places[int(k)] for places in by_label.values() for k in rng.permutation(len(places))[:most]]
    return [found[i] for i in sorted(kept)]


class _Standing:
    """How often each thing was named in the pairs of a walk, and its wins less its losses.

    What wins most comparisons would be named most often, and its name alone would give the answer away. So
    a thing is named again only if it wins as often as it loses, and a few times at most. To be seen first
    is to win, too.
    """

    def __init__(self) -> None:
        self._named: Counter[Selector] = Counter()
        self._ahead: Counter[Selector] = Counter()

    def admits(self, question: Question, answer: Answer) -> bool:
        """Whether a question may be asked beside those before; it is counted if it may."""
        if not isinstance(question, (Compare, FirstSeenOrder)):
            return True
        first, second = question.first, question.second
        lead = {BEFORE: 1, AFTER: -1, first.plural: 1, second.plural: -1}.get(answer.text, 0)
        gains = {first: lead, second: -lead}
        fits = all(
            self._named[which] < MOST_NAMED and abs(self._ahead[which] + gain) <= MOST_AHEAD
            for which, gain in gains.items()
        )
        if fits:
            self._named.update(gains.keys())
            self._ahead.update(gains)
        return fits


def _counting(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    for which in ENTITIES:
        question = Count(which)
        count = int(question.answer(truth).value)
        label = f"{MANY}+" if count >= MANY else str(count)
        yield Proposal("counting", entity_kind(which), label, question)


def _all_types(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    for which in BY_TYPE:
        yield Proposal("counting", "type", str(Count(which).answer(truth).value), Count(which))


# Pairs of entity kinds. A colour and a shape always have members in common, which makes "more of which" an
# odd question: such pairs are left out.
COMPARISON_STRATA = {
    "color/color": 0.25, "shape/shape": 0.1, "type/type": 0.35, "color/type": 0.2, "shape/type": 0.1
}  # fmt: skip


def _comparison(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    """Pairs that are both seen, share a frame somewhere and share no member."""
    counts = {which: int(Count(which).answer(truth).value) for which in ENTITIES}
    frames = {which: _frames(truth, which) for which in ENTITIES}
    seen = [which for which in ENTITIES if counts[which] > 0]
    for a, b in _named_pairs(seen):
        kinds = f"{entity_kind(a)}/{entity_kind(b)}"
        if kinds not in COMPARISON_STRATA or a.covers(b) or b.covers(a) or not frames[a] & frames[b]:
            continue
        outcome = "equal" if counts[a] == counts[b] else ("a" if counts[a] > counts[b] else "b")
        yield _asked_some_way("comparison", kinds, outcome, Compare, a, b, rng)


def _ordering(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    first = {}
    for which in BY_TYPE:
        try:
            first[which] = first_seen(truth, which).clear
        except Unanswerable:
            continue
    for a, b in _named_pairs(list(first)):
        outcome = "same" if first[a] == first[b] else ("a" if first[a] < first[b] else "b")
        yield _asked_some_way("ordering", "pair", outcome, FirstSeenOrder, a, b, rng)


def _left_right(truth: SpatialState, rng: np.random.Generator) -> Iterator[Proposal]:
    for a, b in _named_pairs([which for which in BY_TYPE if which.select(truth)]):
        try:
            outcome = "a" if SideInView(a, b).answer(truth).value == LEFT else "b"
        except Unanswerable:
            continue
        yield _asked_some_way("left_right", "pair", outcome, SideInView, a, b, rng)


def _named_pairs(entities: Sequence[Selector]) -> Iterator[tuple[Selector, Selector]]:
    """Each pair once. What a reader can see, kind and alphabet, says which of the two is `a`."""
    ranked = sorted(entities, key=lambda which: (entity_kind(which), which.singular))
    yield from combinations(ranked, 2)


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


def _frames(truth: SpatialState, which: Selector) -> frozenset[int]:
    return frozenset(s.frame for view in which.select(truth) for s in truth.sightings(view.id))
