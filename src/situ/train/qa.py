"""Training questions about one image, several views or a whole tour, all multiple choice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from situ.benchmarks.disjoint.spans import unique_names
from situ.benchmarks.narratives.candidates import propose
from situ.errors import Unanswerable
from situ.geometry.path import Path
from situ.questions import Question, RelativeDirection, Selector, SideInView
from situ.recording import ObjectRecord
from situ.state import Sighting, TruthState

VIEWS = 4  # images of a question on several views
VIDEO_FRAMES = 32  # frames of a question on a tour
LETTERS = "ABCDEF"


class Letters:
    """Distributes correct answers evenly over all letters."""

    def __init__(self) -> None:
        self._used: Counter[tuple[int, str]] = Counter()

    def arrange(
        self, options: Sequence[str], answer: str, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], str]:
        """The options in a new order, and the letter of the correct one."""
        count = len(options)
        place = min(range(count), key=lambda i: (self._used[count, LETTERS[i]], rng.random()))
        self._used[count, LETTERS[place]] += 1
        others = [option for option in options if option != answer]
        mixed = [others[i] for i in rng.permutation(len(others))]
        mixed.insert(place, answer)
        return tuple(mixed), LETTERS[place]


def ask(text: str, options: Sequence[str]) -> str:
    """A question with its options and instructions for the answer."""
    lines = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=False))
    return f"{text}\nOptions:\n{lines}\nAnswer with the option's letter."


def image_questions(
    state: TruthState, rng: np.random.Generator, wanted: int
) -> Iterator[tuple[Question, list[int]]]:
    """Questions about left and right in one image."""
    frames = [int(f) for f in rng.permutation(len(state.path))]
    for frame in frames:
        one = only_frames(state, [frame])
        names = [
            which for i, which in unique_names(state).items() if any(s.clarity == 1 for s in one.sightings(i))
        ]
        if len(names) < 2:
            continue
        first, second = (names[i] for i in rng.choice(len(names), 2, replace=False))
        question = SideInView(first, second)
        if _clear(question, one, 8.0):
            yield question, [frame]
            wanted -= 1
        if wanted == 0:
            return


def view_questions(
    state: TruthState, rng: np.random.Generator, wanted: int
) -> Iterator[tuple[Question, list[int]]]:
    """Questions about directions between objects in a few views, none of which shows all three."""
    names = unique_names(state)
    seen = {i: [s.frame for s in state.sightings(i) if s.clarity == 1.0] for i in names}
    known = [i for i in names if seen[i]]
    for _ in range(60 * wanted):
        if len(known) < 3 or wanted == 0:
            return
        trio = [known[i] for i in rng.choice(len(known), 3, replace=False)]
        if set.intersection(*(set(seen[i]) for i in trio)):
            continue
        middle = int(rng.choice(seen[trio[0]]))
        nearest = sorted({min(seen[i], key=lambda f: abs(f - middle)) for i in trio})
        if nearest[-1] - nearest[0] > 24:
            continue
        spread = np.linspace(nearest[0], nearest[-1], VIEWS).round().astype(int).tolist()
        question = RelativeDirection(names[trio[0]], names[trio[1]], names[trio[2]], "medium")
        if _clear(question, state, 15.0):
            yield question, sorted({*nearest, *spread})
            wanted -= 1


def tour_questions(
    state: TruthState, rng: np.random.Generator, wanted: int, frames: Sequence[int] = ()
) -> list[tuple[Question, tuple[str, ...], str]]:
    """VSI-type questions with options and answers, spread over the tasks.

    With `frames`, questions and answers are restricted to these frames: what is only visible between two of
    them is not asked about, and orders are those in them.
    """
    shown = only_frames(state, frames) if len(frames) else state
    rows = [row for _, row in propose(0, "tour", shown, rng)]
    by_task: dict[str, list[tuple[Question, tuple[str, ...], str]]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append((row.question, row.options, row.answer))
    found: list[tuple[Question, tuple[str, ...], str]] = []
    while len(found) < wanted and any(by_task.values()):
        for task in sorted(by_task):
            if by_task[task]:
                found.append(by_task[task].pop(int(rng.integers(len(by_task[task])))))
    return found[:wanted]


def shown_in(state: TruthState, question: Question, frames: Sequence[int]) -> dict[str, list[int]]:
    """For every object in a question, the positions in `frames` that show it clearly."""
    place = {frame: i for i, frame in enumerate(frames)}
    return {
        which.singular: sorted(
            place[s.frame]
            for view in which.select(state)
            for s in state.sightings(view.id)
            if s.clarity == 1.0 and s.frame in place
        )
        for which in named_objects(question)
    }


def named_objects(question: Question) -> list[Selector]:
    """The objects in a question of any kind."""
    fields_of: Any = question
    found: list[Selector] = []
    for value in fields_of.__dict__.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Selector):
                found.append(part)
    return list(dict.fromkeys(found))


def only_frames(state: TruthState, frames: Sequence[int]) -> TruthState:
    """The state of an observer who saw only these frames."""
    place = {frame: i for i, frame in enumerate(frames)}
    path = Path(state.path.times[list(frames)], state.path.poses[list(frames)])
    objects = {v.id: ObjectRecord(v.id, v.category, v.box, v.attributes) for v in state.objects()}
    seen = {
        i: [Sighting(place[s.frame], s.time, s.clarity) for s in state.sightings(i) if s.frame in place]
        for i in objects
    }
    return TruthState(path, objects, seen)


def _clear(question: Question, state: TruthState, margin: float) -> bool:
    try:
        return question.answer(state).margin >= margin
    except Unanswerable:
        return False
