"""One sentence put to all memories of a wearer: the latest that knows tells, the others are told beside it.

A sentence about recordings ("in how many recordings did I see my keys") is told by all of them together. Each
recording has a world of its own, unless memories were merged. Where all clocks are those of the day the order
is that of time, else of the names.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from situ.errors import BadInput, SituError, Unanswerable
from situ.language.across import Part, by_day, only_in, part_of, told_over
from situ.language.answering import LEAST_CONFIDENCE, Told, refusal
from situ.language.answering import ask as put
from situ.language.recordings import OverRecordings, over_recordings
from situ.memory import SpatialMemory
from situ.questions.select import with_article
from situ.state.protocol import SpatialState

CALENDAR_S = 1e8  # clocks that stand at more count from an epoch; others from the start of a recording
SUFFIX = ".situ"
T = TypeVar("T")


@dataclass(frozen=True)
class Recalled:
    """What one memory says."""

    name: str
    told: Told
    ended: datetime | None = None  # by the clock on the wall, where it is known
    part: Part | None = None


@dataclass(frozen=True)
class Across:
    """What all say, the latest first; `unreadable` names files that could not be asked, and why.

    `together` is the answer of all, where the sentence asks about recordings.
    """

    answers: tuple[Recalled, ...]
    unreadable: dict[str, str]
    together: Told | None = None

    @property
    def latest(self) -> Recalled | None:
        """The latest memory that knows an answer."""
        return next((one for one in self.answers if not one.told.abstained), None)

    def to_json(self) -> dict[str, Any]:
        latest = self.latest
        return {
            "together": self.together.to_json() if self.together else None,
            "latest": latest.name if latest else None,
            "answers": [{"memory": one.name, **one.told.to_json()} for one in self.answers],
            "unreadable": self.unreadable,
        }


def memories_in(folder: Path) -> list[Path]:
    """The memories of a folder, as `situ watch LIST.csv` leaves them."""
    found = sorted(folder.glob(f"*{SUFFIX}"))
    if not found:
        raise BadInput(f"{folder} holds no memory (NAME{SUFFIX}); make some with `situ watch LIST.csv`")
    return found


def ask_folder(memories: Sequence[Path], sentence: str, confidence: float = LEAST_CONFIDENCE) -> Across:
    """Put a sentence to each memory; a file that cannot be read does not stop the others."""
    asked = over_recordings(sentence, [path.stem for path in memories])
    if asked is not None:
        return _over(asked, memories, sentence, confidence)

    def one(name: str, state: SpatialState) -> Recalled:
        return Recalled(name, put(state, sentence, confidence), _wall_time(state))

    unreadable: dict[str, str] = {}
    return Across(tuple(_in_order(_each(memories, one, unreadable))[::-1]), unreadable)


def _over(asked: OverRecordings, memories: Sequence[Path], sentence: str, confidence: float) -> Across:
    unreadable: dict[str, str] = {}
    meant = [path for path in memories if not asked.named or path.stem in asked.named]
    if asked.how == "only":
        return Across((), unreadable, _only(asked, meant, sentence, unreadable))

    def one(name: str, state: SpatialState) -> Recalled:
        part, told = part_of(name, state, asked.inner)
        return Recalled(name, told, _wall_time(state), part)

    answers = _in_order(_each(meant, one, unreadable))
    parts = [found.part for found in answers if found.part is not None]
    try:
        if asked.daily:
            parts = by_day(parts, [_day(found) for found in answers], asked.inner.startswith("how"))
        together = told_over(asked, sentence, parts, confidence)
    except Unanswerable as error:
        together = refusal(sentence, error)
    return Across(tuple(answers[::-1]), unreadable, together)


def _only(asked: OverRecordings, memories: Sequence[Path], sentence: str, unreadable: dict[str, str]) -> Told:
    """Names of things seen in the first and not in the second."""
    paths = {path.stem: path for path in memories}
    first, second = asked.named

    def names(name: str, state: SpatialState) -> list[str]:
        return sorted({view.category for view in state.objects()})

    found = list(_each([paths[first]], names, unreadable))
    kinds = found[0] if found else []

    def seen(name: str, state: SpatialState) -> dict[str, float]:
        parts = {kind: part_of(name, state, f"did i see {with_article(kind)}")[0] for kind in kinds}
        return {kind: (part.shares or {}).get(1.0, 0.0) for kind, part in parts.items()}

    both = [share for path in (paths[first], paths[second]) for share in _each([path], seen, unreadable)]
    if len(both) < 2:
        return refusal(sentence, Unanswerable(f"{', '.join(unreadable)} cannot be read"))
    return only_in(sentence, asked.named, both)


def _each(
    memories: Sequence[Path], ask: Callable[[str, SpatialState], T], unreadable: dict[str, str]
) -> Iterator[T]:
    for path in memories:
        try:
            with SpatialMemory.open(path, read_only=True) as memory:
                yield ask(path.stem, memory.state())
        except SituError as error:
            unreadable[path.name] = str(error)


def _in_order(answers: Iterator[Recalled]) -> list[Recalled]:
    """Earliest first, where all clocks are known."""
    found = list(answers)
    if all(one.ended is not None for one in found):
        found.sort(key=lambda one: one.ended or datetime.min)
    return found


def _wall_time(state: SpatialState) -> datetime | None:
    clock = getattr(state, "wall_clock", None)
    if clock is not None:
        return clock.at(state.now)  # type: ignore[no-any-return]
    if state.now >= CALENDAR_S:
        return datetime.fromtimestamp(state.now, UTC).replace(tzinfo=None)
    return None


def _day(found: Recalled) -> str:
    if found.ended is None:
        raise Unanswerable(
            f"the day of {found.name} is not known; ask about recordings, or say when it began with "
            "`situ memory clock`"
        )
    return f"{found.ended:%Y-%m-%d}"
