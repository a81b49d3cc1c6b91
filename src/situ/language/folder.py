"""One sentence put to all memories of a wearer: the latest that knows tells, the others are told beside it.

Each recording has a world of its own, unless memories were merged; nothing is added up or compared across
them. Where all clocks are those of the day the order is that of time, else of the names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situ.errors import BadInput, SituError
from situ.language.answering import LEAST_CONFIDENCE, Told
from situ.language.answering import ask as put
from situ.memory import SpatialMemory

CALENDAR_S = 1e8  # clocks that stand at more count from an epoch; others from the start of a recording
SUFFIX = ".situ"


@dataclass(frozen=True)
class Recalled:
    """What one memory says."""

    name: str
    now: float
    told: Told


@dataclass(frozen=True)
class Across:
    """What all say, the latest first; `unreadable` names files that could not be asked, and why."""

    answers: tuple[Recalled, ...]
    unreadable: dict[str, str]

    @property
    def latest(self) -> Recalled | None:
        """The latest memory that knows an answer."""
        return next((one for one in self.answers if not one.told.abstained), None)

    def to_json(self) -> dict[str, Any]:
        latest = self.latest
        return {
            "latest": latest.name if latest else None,
            "answers": [{"memory": one.name, **one.told.to_json()} for one in self.answers],
            "unreadable": self.unreadable,
        }


def memories_in(folder: Path) -> list[Path]:
    """The memories of a folder, as `situ watch-many` leaves them."""
    found = sorted(folder.glob(f"*{SUFFIX}"))
    if not found:
        raise BadInput(f"{folder} holds no memory (NAME{SUFFIX}); make some with `situ watch-many`")
    return found


def ask_folder(memories: Sequence[Path], sentence: str, confidence: float = LEAST_CONFIDENCE) -> Across:
    """Put a sentence to each memory; a file that cannot be read does not stop the others."""
    unreadable: dict[str, str] = {}
    answers = list(_answers(memories, sentence, confidence, unreadable))
    if all(one.now >= CALENDAR_S for one in answers):
        answers.sort(key=lambda one: one.now)
    return Across(tuple(answers[::-1]), unreadable)


def _answers(
    memories: Sequence[Path], sentence: str, confidence: float, unreadable: dict[str, str]
) -> Iterator[Recalled]:
    for path in memories:
        try:
            with SpatialMemory.open(path, read_only=True) as memory:
                state = memory.state()
                yield Recalled(path.stem, state.now, put(state, sentence, confidence))
        except SituError as error:
            unreadable[path.name] = str(error)
