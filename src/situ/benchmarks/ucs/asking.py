"""Putting questions to the truth: when a question is fair, and what a group of equal questions is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from situ.benchmarks.ucs.story import Story
from situ.errors import Unanswerable
from situ.questions import Answer, Question, Selector
from situ.questions.rules.wearer import last_frame
from situ.state import TruthState

OPTIONS = 5
# The least margin at which a question is asked: wider than the programs demand, as people must agree.
LEAST_MARGIN = {
    "where_from_here": 9.0,
    "where_was": 9.0,
    "closer_to_me": 0.8,
    "can_reach": 0.35,
    "kept_where": 0.6,
    "carried_from_to": 0.7,
    "taken_from": 0.25,
    "way_after": 0.7,
    "way_towards": 0.7,
    "could_reach": 0.35,
    "kinds_before": 0.9,
    "how_far_apart": 0.4,
    "count_now": 0.9,
    "where_when_put": 9.0,
    "where_when_first_seen": 9.0,
    "where_when_entered": 9.0,
    "turn_towards": 9.0,
    "turns_after": 8.0,
    "nearest_to": 0.8,
    "within_reach": 0.35,
    "times_put": 0.9,
    "kinds_on": 0.9,
    "count_related": 0.9,
    "gone_since": 0.9,
    "looks_like": 0.9,
    "moved_by_other": 0.25,
}


@dataclass(frozen=True)
class Asked:
    """A question at a moment, with its key."""

    question: Question
    time: float
    answer: Answer


@dataclass(frozen=True)
class Group:
    """The same words and options asked at one or several times. `labels` are what is to be balanced."""

    subtask: str
    options: tuple[str, ...]
    asked: tuple[Asked, ...]
    labels: tuple[str, ...] = ()


@dataclass(eq=False)
class Asker:
    """Asks the truth of a story as of any time, and turns unfair questions down."""

    story: Story
    rng: np.random.Generator
    _states: dict[float, TruthState] = field(default_factory=dict)

    def state(self, time: float) -> TruthState:
        if time not in self._states:
            if len(self._states) > 24:
                self._states.clear()
            self._states[time] = self.story.truth.as_of(time)
        return self._states[time]

    def told(self, question: Question, time: float) -> Asked | None:
        """The question with its key, if it has one."""
        state = self.state(time)
        try:
            answer = question.answer(state)
        except Unanswerable:
            return None
        if not answer.evidence:
            answer = replace(answer, evidence=last_seen(question, state))
        return Asked(question, time, answer)

    def ask(self, question: Question, time: float) -> Asked | None:
        """The question with its key, if it is fair and its evidence lies before it."""
        asked = self.told(question, time)
        return asked if asked is not None and self.fair(asked) else None

    def fair(self, asked: Asked) -> bool:
        """Whether people would agree, and what they need was in view before."""
        evidence = asked.answer.evidence
        if asked.answer.margin < LEAST_MARGIN[asked.question.kind] or not evidence:
            return False
        return max(evidence) < self.story.truth.path.index_at(asked.time)

    def frame_time(self, time: float) -> float:
        """The time of the frame at or before a moment."""
        path = self.story.truth.path
        return float(path.times[path.index_at(time)])

    def later(self, start: float, end: float) -> float | None:
        """A moment between two times: every other one soon after the first, the others at any time."""
        if end - start < 2.0:
            return None
        soon = float(np.exp(self.rng.uniform(np.log(2.0), np.log(end - start))))
        wait = soon if self.rng.random() < 0.5 else float(self.rng.uniform(2.0, end - start))
        return self.frame_time(start + wait)

    def fill(self, needed: Iterable[str], pool: Sequence[str], size: int = OPTIONS) -> tuple[str, ...] | None:
        """Options in random order: those needed, and others from a pool."""
        chosen = list(dict.fromkeys(needed))
        others = [text for text in dict.fromkeys(pool) if text not in chosen]
        if len(chosen) > size or len(chosen) + len(others) < size:
            return None
        picks = self.rng.permutation(len(others))[: size - len(chosen)]
        chosen += [others[int(i)] for i in picks]
        return tuple(chosen[int(i)] for i in self.rng.permutation(len(chosen)))


def last_seen(question: Question, state: TruthState) -> tuple[int, ...]:
    """The last frames that show what a question names, for programs that measure and do not say."""
    values = [one for v in vars(question).values() for one in (v if isinstance(v, tuple) else (v,))]
    named = [value for value in values if isinstance(value, Selector)]
    meant = {view.id for which in named for view in state.objects() if which.matches(view)}
    return tuple(sorted({frame for number in meant for frame in last_frame(state, number)}))


def asked_again(found: Sequence[Asked], most: int, options: int, rng: np.random.Generator) -> list[Asked]:
    """Some of the times a question can be asked, in order of time.

    The first answer is drawn evenly from those that occur. Each later time the answer is the same as the
    time before in one of `options` cases, so that it tells nothing about the next. It is asked again only
    where either could be had: being within reach is rare, and if what is not to be had only ended the series,
    every "Can I reach it?" that comes again would be a "no".
    """
    answers = sorted({asked.answer.text for asked in found})
    if not answers:
        return []
    drawn = answers[int(rng.integers(len(answers)))]
    first = [asked for asked in found if asked.answer.text == drawn]
    chosen = [first[int(rng.integers(len(first)))]]
    while len(chosen) < most:
        later = [a for a in found if a.time > chosen[-1].time]
        same = [a for a in later if a.answer.text == chosen[-1].answer.text]
        if not same or len(same) == len(later):
            break
        kept = rng.random() < 1 / options
        later = same if kept else [a for a in later if a.answer.text != chosen[-1].answer.text]
        texts = sorted({a.answer.text for a in later})
        text = texts[int(rng.integers(len(texts)))]
        fitting = [a for a in later if a.answer.text == text]
        chosen.append(fitting[int(rng.integers(len(fitting)))])
    return chosen
