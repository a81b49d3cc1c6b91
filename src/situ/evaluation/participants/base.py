"""Who answers without a language model: the truth, a guesser, the most frequent answer, and others.

A participant is made for one question set and then answers row by row. Other systems join by

    @participant("name", "what it does")
    def make(setting: Setting) -> Participant: ...

One that can answer some sets only says which by a static method `applies(dataset)`; `-p all` takes it in.
One that is made for other frames than a benchmark shows to models names them in `frames`; one that answers
from memories of the recordings has `takes_memories`.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.vsi.recipe import annotated_room
from situ.errors import Unanswerable
from situ.evaluation.cues.ladder import truth_of
from situ.evaluation.records.answer import Reply
from situ.evaluation.records.frames import FramePolicy
from situ.geometry.path import Path
from situ.questions.base import Question, from_program
from situ.recording import Recording
from situ.registry import Registry
from situ.state import TruthState


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
    memories: FilePath | None = None  # a folder with a memory of each recording, for who can use them


CONTROLS = ("truth", "random", "frequent")
LEAST_REPEATED = 5  # times that an answer of a task occurs on average for its words to be worth counting
Maker = Callable[[Setting], Participant]
M = TypeVar("M", bound=Maker)  # a class stays a class
_HERE = "situ.evaluation.participants"
PARTICIPANTS: Registry[Maker] = Registry(
    "participant",
    {
        f"{_HERE}.ask": ("ask", "ask-noisy"),
        f"{_HERE}.simulated": (
            *("memory-oracle", "memory-noisy", "memory-drifting"),
            *("memory-missing", "memory-overlooking", "memory-misjudging"),
        ),
        f"{_HERE}.memory": ("memory", "memory-once"),
        f"{_HERE}.narrative": ("narrative", "scene-narrative", "narrative-24", "narrative-32"),
        f"{_HERE}.odometry": ("odometry",),
        f"{_HERE}.pixels": ("memory-pixels", "memory-rgb"),
    },
)


def participant(name: str, about: str) -> Callable[[M], M]:
    """Register a maker of participants under a name for the command line."""
    return PARTICIPANTS.register(name, about)


def applicable(dataset: Dataset) -> list[str]:
    """Who answers when everybody is asked: the controls, and every system that says that it applies."""
    systems = [
        name
        for name, make in PARTICIPANTS.items()
        if (applies := getattr(make, "applies", None)) is not None and applies(dataset)
    ]
    return [*CONTROLS, *systems]


def own_frames(name: str) -> str:
    """The frames that a participant takes where nobody says which; "" leaves them to the protocol."""
    return str(getattr(PARTICIPANTS.find(name), "frames", ""))


def takes_memories(name: str) -> bool:
    """Whether a participant answers from memories of the recordings where there are any."""
    return bool(getattr(PARTICIPANTS.find(name), "takes_memories", False))


def make_participant(name: str, setting: Setting) -> Participant:
    return PARTICIPANTS.find(name)(setting)


def module_of(name: str) -> str:
    """The module that registers a participant when it is imported."""
    return str(PARTICIPANTS.find(name).__module__)


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

    frames: ClassVar[str] = "all"

    def __init__(self, setting: Setting) -> None:
        self._frames = setting.frames
        self._state: tuple[str, TruthState] | None = None

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        room = annotated_room(recording)
        if room is not None:  # boxes without frames
            return Reply(row.question.answer(room).text)
        if recording.meta.get("imported"):
            raise Unanswerable(
                "a published recording comes without its world: what is true in it is not known"
            )
        shown = self._frames.pick(recording, row)
        state = self._truth(recording)
        if row.time is not None:
            state = state.as_of(row.time)
        if list(shown) == list(range(len(state.path))):
            return Reply(row.question.answer(state).text)
        return Reply(about_frames(row, shown).answer(seen_in(state, recording, shown)).text)

    def _truth(self, recording: Recording) -> TruthState:
        key = str(recording.folder)
        if self._state is None or self._state[0] != key:
            self._state = key, truth_of(recording)
        return self._state[1]


def about_frames(row: QuestionRow, shown: Sequence[int]) -> Question:
    """The question with the frames that it names numbered as they are shown; those not shown fall away."""
    named = row.program.get("frames")
    if not named:
        return row.question
    place = {frame: i for i, frame in enumerate(dict.fromkeys(shown))}
    return from_program({**row.program, "frames": [place[frame] for frame in named if frame in place]})


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


@participant("frequent", "gives the option that is right most often in this very set")
class Frequent:
    """Numbers: the most frequent one of the task.

    Where answers hardly repeat, an option that is right once would give itself away: then it is the place
    among the options that counts.
    """

    def __init__(self, setting: Setting) -> None:
        self._words: dict[str, Counter[str]] = {}
        self._places: dict[str, Counter[int]] = {}
        for row in setting.dataset.questions:
            self._words.setdefault(row.task, Counter())[row.answer] += 1
            if row.answer in row.options:
                self._places.setdefault(row.task, Counter())[row.options.index(row.answer)] += 1

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        words = self._words[row.task]
        if not row.options or words.total() >= LEAST_REPEATED * len(words):
            return Reply(max(row.options or sorted(words), key=lambda answer: words[answer]))
        places = self._places[row.task]
        return Reply(row.options[max(range(len(row.options)), key=lambda place: places[place])])


def possible_answers(rows: Sequence[QuestionRow]) -> dict[str, tuple[str, ...]]:
    """The answers that occur in each task."""
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row.task, set()).add(row.answer)
    return {task: tuple(sorted(answers)) for task, answers in found.items()}
