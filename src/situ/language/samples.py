"""What a question answers in each sample of a belief.

Every way gives what the question's program gives on each sample. Running it 64 times is the plain way; where
the answer follows from a few things, all samples are worked out at once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.oriented import upright_gaps
from situ.lazy import lazily
from situ.memory.reading.sampling import SAMPLES, Draws, draw, draw_alike, sampled_view
from situ.memory.reading.state import MemoryState
from situ.memory.reading.version_records import RememberedObject
from situ.questions.annotated.plan import RoutePlan
from situ.questions.base import Answer, Question
from situ.questions.changes.acts import GoneSince
from situ.questions.changes.between_visits import OfFates, frames_beside
from situ.questions.changes.fates import Fate, Fates, partners
from situ.questions.rules.things import OfThings
from situ.questions.scene.measure import ClosestDistance, NearestTo
from situ.questions.select import Selector
from situ.state.candidates import ranked
from situ.state.protocol import Candidate, ObjectView

# Questions whose answers hinge on which things are real, not on where exactly they are now.
WHEREVER = frozenset(
    {
        *("appearance_order", "fits_on", "first_seen_order", "larger", "longest_side"),
        *("carried_from_to", "kept_where", "taken_from", "way_after"),
        *("where_when_first_seen", "where_when_entered"),
    }
)
Answers = Iterator[Answer | None]


def selectors(question: Question) -> tuple[Selector, ...]:
    """All names in a question, those in pairs and lists included."""

    def within(value: object) -> Iterator[Selector]:
        if isinstance(value, Selector):
            yield value
        elif isinstance(value, tuple):
            for part in value:
                yield from within(part)

    return tuple(which for part in fields(question) for which in within(getattr(question, part.name)))  # type: ignore[arg-type]


def answers(question: Question, state: MemoryState) -> Answers:
    """The answers in samples of belief, None where a sample holds none."""
    if isinstance(question, OfThings) and question.phrases:
        return _of_things(question, state)
    if isinstance(question, NearestTo | ClosestDistance) and not question.step_m:
        return _of_gaps(question, state)
    if isinstance(question, GoneSince):
        return _of_those_gone(question, state)
    if isinstance(question, OfFates):
        return _of_fates(question, state, _about(question, state))
    return plain_answers(question, state)


def plain_answers(question: Question, state: MemoryState) -> Answers:
    """The program itself, run on one sample after the other."""
    objects = _about(question, state)
    if question.kind in WHEREVER:
        for alike, times in draw_alike(state, objects):
            answer = _tried(partial(question.answer, alike))
            yield from (answer for _ in range(times))
        return
    for sample in draw(state, SAMPLES, objects):
        yield _tried(partial(question.answer, sample))


def _of_things(question: OfThings, state: MemoryState) -> Answers:
    each = [_Meant(state, _ranked(state, which), question.where_now) for which in question.phrases]
    for sample in range(SAMPLES):
        things = [meant.view(sample) for meant in each]
        known = [view for view in things if view is not None]
        yield _tried(partial(question.said_of_things, state, known)) if len(known) == len(things) else None


def _of_gaps(question: NearestTo | ClosestDistance, state: MemoryState) -> Answers:
    if isinstance(question, ClosestDistance):
        for gap in _least_gaps(state, question.first, question.second).tolist():
            yield None if gap == np.inf else question.said_of_gap(gap)
        return
    gaps = np.stack([_least_gaps(state, which, question.target) for which in question.candidates], axis=1)
    for row in gaps.tolist():
        yield None if np.inf in row else question.said_of_gaps(row)


def _least_gaps(state: MemoryState, first: Selector, second: Selector) -> NDArray[np.float64]:
    """Of each sample how near two kinds of thing come to each other; infinite where one has no member."""
    a, b = _Members(state, state.candidates(first)), _Members(state, state.candidates(second))
    away = a.centers[:, :, None] - b.centers[:, None]
    gaps = upright_gaps(away, a.sizes[:, None] + b.sizes)
    gaps[~(a.here[:, :, None] & b.here[:, None])] = np.inf
    return np.asarray(gaps.min(axis=(1, 2), initial=np.inf))


def _of_those_gone(question: GoneSince, state: MemoryState) -> Answers:
    things = state.candidates(question.which)
    members = _Members(state, things)
    remains = members.stays <= np.array([view.remains for view in members.views])
    then = remains
    if question.time < state.now:
        then = np.array([state.where(thing.id, question.time) is not None for thing in things], bool)
    # Of what may have been moved unseen nobody knows where it is.
    lost = remains & (members.stays > np.array([view.here for view in members.views]))
    changed = question.changed(then, remains)
    unknown = np.asarray((members.here & lost).any(axis=1))
    for here, counts, doubtful in zip(members.here, changed, unknown.tolist(), strict=True):
        found = [things[k] for k in np.flatnonzero(here).tolist()]
        yield None if doubtful else question.said_of(found, counts[here], 1.0)


def _of_fates(question: OfFates, state: MemoryState, objects: Sequence[RememberedObject]) -> Answers:
    draws = Draws(objects, SAMPLES, state)
    stays = draws.stays()
    gone = stays > np.array([view.remains for view in objects])
    lost = ~gone & (stays > np.array([view.here for view in objects]))
    fates = Fates(state, question.split, objects, draws.centers(), draws.real(), gone, lost)
    shown = cache(partial(frames_beside, state, question.split))
    each = [_fates_of_meant(fates, _Meant(state, _ranked(state, which), False)) for which in question.phrases]
    for sample in range(SAMPLES):
        found = [known[sample] for known in each if sample in known]
        yield _tried(partial(question.said_of_fates, found, shown)) if len(found) == len(each) else None


def _fates_of_meant(fates: Fates, meant: "_Meant") -> dict[int, tuple[int, Fate]]:
    """By sample the thing that is meant and what became of it, where that is known."""
    samples: dict[int, list[int]] = defaultdict(list)  # of each thing, those in which it is meant
    for sample, k in enumerate(meant.first):
        if k >= 0:
            samples[meant.things[k].id].append(sample)
    return {
        sample: (number, fate)
        for number, mine in samples.items()
        for sample, fate in zip(mine, fates.of(number, mine), strict=True)
        if fate is not None
    }


class _Members:
    """What a phrase may pick out: whether each thing is one in each sample, and where (samples, n, 3)."""

    def __init__(self, state: MemoryState, things: Sequence[Candidate]) -> None:
        self.views = [thing.view for thing in things if isinstance(thing.view, RememberedObject)]
        self._draws = draws = Draws(self.views, SAMPLES, state)
        self.here = draws.real() & (draws.names() <= np.array([thing.kind for thing in things]))
        self.stays = draws.stays()

    @lazily
    def centers(self) -> NDArray[np.float64]:
        return self._draws.centers()

    @lazily
    def sizes(self) -> NDArray[np.float64]:
        return np.array([view.box.size for view in self.views]).reshape(-1, 3)


class _Meant:
    """Of each sample the first thing that is meant, -1 if there is none, and where it is.

    `where_now`: one that has gone is not meant, and one that may have been moved since is not known.
    """

    def __init__(self, state: MemoryState, things: Sequence[Candidate], where_now: bool) -> None:
        self.things = things
        self._members = members = _Members(state, things)
        rows = np.arange(SAMPLES)
        self.first: list[int] = [-1] * SAMPLES
        if not things:
            return
        here = members.here
        if where_now:
            here = here & (members.stays <= np.array([thing.remains for thing in things]))
        first = here.argmax(axis=1)
        known = here[rows, first]
        if where_now:
            known &= members.stays[rows, first] <= np.array([thing.there for thing in things])[first]
        self.first = np.where(known, first, -1).tolist()

    @lazily
    def centers(self) -> Sequence[Sequence[float]]:
        """Where it is in each sample; anywhere where there is none."""
        if not self.things:
            return [(0.0, 0.0, 0.0)] * SAMPLES
        found: list[list[float]] = self._members.centers[np.arange(SAMPLES), self.first].tolist()
        return found

    def view(self, sample: int) -> ObjectView | None:
        """The thing as it is in a sample."""
        k = self.first[sample]
        return None if k < 0 else sampled_view(self._members.views[k], self.centers[sample])


def _ranked(state: MemoryState, which: Selector) -> Sequence[Candidate]:
    return ranked(state.candidates(which), state.path, state.now)


def _about(question: Question, state: MemoryState) -> list[RememberedObject]:
    """The objects that a question's words can pick out, and others that its answer hangs on."""
    names = selectors(question) + (question.stops if isinstance(question, RoutePlan) else ())
    found = {thing.id: thing.view for which in names for thing in state.candidates(which)}
    if isinstance(question, OfFates):
        found |= {thing.id: thing.view for thing in partners(state, list(found), question.split)}
    return [view for _, view in sorted(found.items()) if isinstance(view, RememberedObject)]


def _tried(answer: Callable[[], Answer]) -> Answer | None:
    try:
        return answer()
    except Unanswerable:
        return None
