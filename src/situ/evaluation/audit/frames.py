"""Answering from too few frames, or from frames in a senseless order.

Two answerers see the frames of an attack:

the learner       learns from tiny pictures of some recordings and guesses for others. It understands nothing:
                  what it gets beyond the usual answer is a shortcut.
perfect eyes      the truth as far as these frames reveal it, poses included; where they reveal nothing it
                  guesses. This is the theory: what these frames decide at best.

A leak is a learner that beats the expectation (chance, or always giving the usual answer, whichever is more)
although perfect eyes do not. Where perfect eyes beat it too, the frames decide the questions, as geometry
says they must: the first and the last frame give the way between them to whoever can compute it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import SituError
from situ.evaluation.audit.glimpse import Glimpse, Vector, picture_features
from situ.evaluation.audit.result import LEVEL, Outcome, by_lot, chance, in_turn, judged
from situ.evaluation.audit.words import masked_wording
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.participants.base import Setting, Truth
from situ.evaluation.records.frames import FramePolicy, PictureStore
from situ.evaluation.stats.intervals import Interval

SHUFFLED, REPEATED = "shuffled", "repeated"
BOTH = "first and last"
FEW = {"single": "middle", "first": "first", "last": "last", BOTH: "ends"}
ORDER = {SHUFFLED: "shuffled", REPEATED: "twice"}
LEAK, DECIDED, AT_CHANCE = "LEAK", "geometry decides", "at chance"
NEEDS_ORDER, NO_ORDER, SAME, FAULT = "needs the order", "no need of order", "no change", "FAULT"
MOST_QUESTIONS = 2000
TOLERANCE = 0.03  # perfect eyes that get no more than this above a guess see nothing
LEAST_WORDING = 60  # questions with the same wording that make a learner of their own
Progress = Callable[[int, int], None]
USUAL, PLAIN = "usual answer", "as shown"


@dataclass(frozen=True)
class FrameAttack:
    """One attack on one task. `theory` is the share that perfect eyes get, `plain` what they get from the
    frames that the benchmark shows, all and in order; `accuracy` is the learner's."""

    task: str
    attack: str
    questions: int
    chance: float
    expected: float
    theory: float
    accuracy: float | None = None
    interval: Interval | None = None
    p: float = 1.0
    plain: float = 1.0
    level: float = LEVEL

    @property
    def beats(self) -> bool:
        return self.p <= self.level

    @property
    def leaks(self) -> bool:
        return self.beats and self.theory <= self.expected + TOLERANCE

    @property
    def verdict(self) -> str:
        """A few words; `theory` and `expected` are the figures behind them."""
        if self.attack == REPEATED:
            return SAME if self.theory == self.plain else FAULT
        if self.attack in ORDER:
            return NO_ORDER if self.theory > self.plain - TOLERANCE else NEEDS_ORDER
        if self.leaks:
            return LEAK
        return DECIDED if self.beats else AT_CHANCE

    def to_json(self) -> dict[str, Any]:
        interval = None if self.interval is None else list(self.interval)
        return {**asdict(self), "interval": interval, "leaks": self.leaks, "verdict": self.verdict}


def audit_frames(
    dataset: Dataset, most: int = MOST_QUESTIONS, progress: Progress | None = None, level: float = LEVEL
) -> list[FrameAttack]:
    """Every attack on every task, on whole recordings up to so many questions."""
    store = PictureStore(dataset.recording)
    rows = [row for row in _some(dataset, most) if _at_hand(store, row)]
    usual = FramePolicy.parse(protocol_of(str(dataset.manifest["benchmark"])).frames)
    attacks = {PLAIN: usual, **{name: usual.then(step) for name, step in {**FEW, **ORDER}.items()}}
    eyes = {name: Truth(Setting(dataset, policy)) for name, policy in attacks.items()}
    credit: dict[str, dict[str, float]] = {name: {} for name in attacks}
    features: dict[str, dict[str, Vector]] = {name: {} for name in FEW}
    glimpses: dict[tuple[str, tuple[int, ...]], Vector | None] = {}
    for number, row in enumerate(rows, 1):
        for name, policy in attacks.items():
            credit[name][row.id] = _perfect_eyes(eyes[name], store, row)
            if name in FEW:
                shown = policy.pick(store.recording(row.item), row)
                if name == BOTH:
                    shown = (*shown, *shown)[-2:]  # a single frame is both the first and the last
                if (row.item, shown) not in glimpses:
                    glimpses[row.item, shown] = _glimpse(store, row.item, shown)
                found = glimpses[row.item, shown]
                if found is not None:
                    features[name][row.id] = found
        if progress:
            progress(number, len(rows))
    return list(_results(rows, credit, features, level))


def _at_hand(store: PictureStore, row: QuestionRow) -> bool:
    """Whether a question's pictures are there; a recording that is missing, or has words alone, costs its own
    questions."""
    try:
        return bool(store.recording(row.item).has_images)
    except SituError:
        return False


def _some(dataset: Dataset, most: int) -> list[QuestionRow]:
    """The questions of whole recordings, evenly drawn, up to about so many."""
    asked = list(dataset.by_item())
    total = sum(len(rows) for _, rows in asked)
    step = max(1, -(-total // most))
    return [row for _, rows in asked[::step] for row in rows]


def _perfect_eyes(eyes: Truth, store: PictureStore, row: QuestionRow) -> float:
    """1 or 0 for an answer; what a guess is worth where the frames shown do not hold one."""
    try:
        return float(eyes.answer(store.recording(row.item), row).text == row.answer)
    except (SituError, IndexError, ValueError):  # a path of one frame, or of none, has no shape
        return 1 / len(row.options) if row.options else 0.0


def _glimpse(store: PictureStore, item: str, shown: tuple[int, ...]) -> Vector | None:
    """Features of some frames; None where there is no picture to see."""
    try:
        recording = store.recording(item)
        if not recording.has_images or not shown:
            return None
        return np.concatenate([picture_features(image) for image in recording.images(list(shown))])
    except SituError:  # a damaged picture costs its own questions
        return None


def _results(
    rows: Sequence[QuestionRow],
    credit: dict[str, dict[str, float]],
    features: dict[str, dict[str, Vector]],
    level: float,
) -> Iterator[FrameAttack]:
    tasks = {task: [row for row in rows if row.task == task] for task in sorted({row.task for row in rows})}
    order = by_lot(rows)
    found, guessed = list[FrameAttack](), dict[tuple[str, str], list[Outcome]]()
    for task, mine in tasks.items():
        lucky = chance(mine)
        usual = [right for _, right in _guesses(mine, order, USUAL, {})]
        expected = max([lucky, float(np.mean(usual))] if usual else [lucky])
        plain = float(np.mean([credit[PLAIN][row.id] for row in mine]))
        for attack in (*FEW, *ORDER):
            theory = float(np.mean([credit[attack][row.id] for row in mine]))
            seen = [row for row in mine if row.id in features.get(attack, {})]
            shown = len(seen) or len(mine)
            found.append(FrameAttack(task, attack, shown, lucky, expected, theory, plain=plain))
            guesses = _guesses(seen, order, attack, features.get(attack, {}))
            guessed[task, attack] = [Outcome(item, right, expected) for item, right in guesses]
    tested = {(result.task, result.attack): result for result in judged(guessed, level)}
    for one in found:
        learner = tested.get((one.task, one.attack))
        yield (
            one
            if learner is None
            else replace(
                one,
                accuracy=learner.accuracy,
                interval=learner.interval,
                p=learner.p,
                level=level,
            )
        )


def _guesses(
    rows: Sequence[QuestionRow], order: dict[str, int], attack: str, features: dict[str, Vector]
) -> Iterator[tuple[str, bool]]:
    for known, asked in in_turn(rows, order):
        guess = _usual(known) if attack == USUAL else _learnt(known, features)
        yield from ((row.item, guess(row) == row.answer) for row in asked)


def _usual(known: Sequence[QuestionRow]) -> Callable[[QuestionRow], str]:
    counts = Counter(row.answer for row in known)
    return lambda row: max(row.options or sorted(counts), key=lambda answer: counts[answer])


def _learnt(known: Sequence[QuestionRow], features: dict[str, Vector]) -> Callable[[QuestionRow], str]:
    """A learner for each wording that is frequent, and one for all: the words say what is asked."""
    by_wording: dict[str, list[QuestionRow]] = {}
    for row in known:
        by_wording.setdefault(masked_wording(row), []).append(row)
    frequent = {words: rows for words, rows in by_wording.items() if len(rows) >= LEAST_WORDING}

    def fit(rows: Sequence[QuestionRow]) -> Glimpse:
        return Glimpse.fit([features[row.id] for row in rows], [row.answer for row in rows])

    for_all, learners = fit(known), {words: fit(rows) for words, rows in frequent.items()}
    return lambda row: learners.get(masked_wording(row), for_all).predict(features[row.id], row.options)
