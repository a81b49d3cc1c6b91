"""Who answers without a language model: the truth, a guesser, the most frequent answer, and others.

A participant is made for one question set and then answers row by row. Other systems join by

    @participant("name", "what it does")
    def make(setting: Setting) -> Participant: ...
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import BadInput, Unanswerable
from situ.evaluate.answer import Reply
from situ.evaluate.audit import slot
from situ.evaluate.frames import FramePolicy
from situ.geometry.path import Path
from situ.recording import Recording
from situ.state import TruthState, Visibility


class Participant(Protocol):
    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        """The answer to one question from its recording; `Unanswerable` counts as abstaining."""
        ...


@dataclass(frozen=True)
class Setting:
    """What a participant is made for."""

    dataset: Dataset
    frames: FramePolicy
    seed: int = 0


Maker = Callable[[Setting], Participant]
M = TypeVar("M", bound=Maker)


@dataclass(frozen=True)
class Registered:
    make: Maker
    about: str


_REGISTRY: dict[str, Registered] = {}


def participant(
    name: str, about: str
) -> Callable[[Callable[[Setting], Participant]], Callable[[Setting], Participant]]:
    """Register a maker of participants under a name for the command line."""

    def register(make: M) -> M:
        if name in _REGISTRY:
            raise ValueError(f"two participants share the name '{name}'")
        _REGISTRY[name] = Registered(make, about)
        return make

    return register


def participants() -> Mapping[str, Registered]:
    return dict(_REGISTRY)


def make_participant(name: str, setting: Setting) -> Participant:
    if name not in _REGISTRY:
        raise BadInput(f"unknown participant '{name}'; known are {', '.join(sorted(_REGISTRY))}")
    return _REGISTRY[name].make(setting)


def timed(who: Participant, recording: Recording, row: QuestionRow) -> Reply:
    """One answer with its seconds; what cannot be answered becomes an abstention with its reason."""
    start = time.perf_counter()
    try:
        reply = who.answer(recording, row)
    except Unanswerable as error:
        reply = Reply(abstained=str(error))
    return Reply(reply.text, reply.abstained, reply.seconds or time.perf_counter() - start)


@participant("truth", "runs each question on the world itself, as far as the frames shown reveal it")
class Truth:
    """Perfect eyes on the frames shown. With all frames it must score 100 %; with one, it says how much of
    the set a single frame gives away."""

    def __init__(self, setting: Setting) -> None:
        self._frames = setting.frames
        self._state: tuple[str, TruthState] | None = None

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        shown = self._frames.pick(recording, row)
        state = self._truth(recording)
        if row.time is not None:
            state = state.as_of(row.time)
        if list(shown) != list(range(len(state.path))):
            state = seen_in(state, recording, shown)
        return Reply(row.question.answer(state).text)

    def _truth(self, recording: Recording) -> TruthState:
        key = str(recording.folder)
        if self._state is None or self._state[0] != key:
            rule = recording.meta.get("visibility")
            self._state = key, TruthState.of(recording, Visibility(**rule) if rule else None)
        return self._state[1]


def seen_in(state: TruthState, recording: Recording, shown: Sequence[int]) -> TruthState:
    """The truth as far as the frames shown reveal it, played in the order shown."""
    order = list(dict.fromkeys(shown))
    path = state.path
    times = np.sort(path.times[order])
    played = Path(times, path.poses[order])
    place = {frame: i for i, frame in enumerate(order)}
    sightings = {
        record.id: sorted(
            (type(s)(place[s.frame], float(times[place[s.frame]]), s.clarity)
             for s in state.sightings(record.id) if s.frame in place),
            key=lambda s: s.frame,
        )
        for record in recording.objects.values()
    }  # fmt: skip
    return TruthState(played, recording.objects, sightings, recording.events)


@participant("random", "picks among the options, or among the numbers that are right somewhere in the task")
class Random:
    def __init__(self, setting: Setting) -> None:
        self._seed = setting.seed
        self._values = possible_answers(setting.dataset.questions)

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        choices = row.options or self._values[row.task]
        digest = hashlib.sha256(f"{self._seed} {row.id}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:8], "little"))
        return Reply(choices[int(rng.integers(len(choices)))])


@participant("frequent", "always gives the most frequent answer of the task in this very set")
class Frequent:
    """Where the words of the options differ from question to question, the most frequent place among them."""

    def __init__(self, setting: Setting) -> None:
        counts: dict[tuple[str, int], Counter[str]] = {}
        for row in setting.dataset.questions:
            counts.setdefault(_group(row), Counter())[_common_name(row)] += 1
        self._usual = {group: counter.most_common(1)[0][0] for group, counter in counts.items()}

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        usual = self._usual[_group(row)]
        if usual.startswith("option ") and usual.split()[-1].isdigit() and row.options:
            return Reply(row.options[int(usual.split()[-1])])
        return Reply(usual)


def _group(row: QuestionRow) -> tuple[str, int]:
    return row.task, len(row.options)


def _common_name(row: QuestionRow) -> str:
    return slot(row, row.answer)


def possible_answers(rows: Sequence[QuestionRow]) -> dict[str, tuple[str, ...]]:
    """The answers that occur in each task."""
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row.task, set()).add(row.answer)
    return {task: tuple(sorted(answers)) for task, answers in found.items()}
