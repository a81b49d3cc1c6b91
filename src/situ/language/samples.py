"""What a question answers in each sample of a belief.

The question's program is run on 64 samples. What became of things between two visits hangs on all others, and
is worked out for all samples at once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.lazy import lazily
from situ.memory.reading.sampling import SAMPLES, Draws, draw, draw_alike
from situ.memory.reading.state import MemoryState
from situ.memory.reading.version_records import RememberedObject
from situ.questions.annotated.plan import RoutePlan
from situ.questions.base import Answer, Question
from situ.questions.changes.between_visits import OfFates, frames_beside
from situ.questions.changes.fates import Fate, Fates, partners
from situ.questions.select import Selector
from situ.state.candidates import ranked
from situ.state.protocol import Candidate

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
