"""What a strategy is: a way to make a model answer a question.

A strategy gets a case (one question with its recording) and a way to ask models; it knows nothing of the
engine behind. New ones join with `@strategy("name", "what it does")`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from typing import Protocol as TypingProtocol

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.official.names import safe_name
from situ.evaluation.models.prompt import Part, Template, Words, fill
from situ.evaluation.models.settings import PROXY as PROXY
from situ.evaluation.models.stages import Prompts
from situ.evaluation.participants.memory_cache import Memories
from situ.evaluation.protocols.base import Protocol
from situ.evaluation.records.frames import FramePolicy, Pictures, PictureStore
from situ.recording import Recording
from situ.recording.codec import Rgb
from situ.registry import Registry

MODEL = "model"  # the model under test; PROXY is the one that reads its words


@dataclass(frozen=True)
class Tool:
    """Something that a model may call while it thinks: `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    call: Callable[[dict[str, Any]], Awaitable[str]]


class Ask(TypingProtocol):
    """Put words and pictures to a model: `who` is MODEL or PROXY, `fps` the true rate of the pictures. With
    `tools` it may call them, and is asked again with what they said, until it answers."""

    async def __call__(
        self,
        system: str,
        parts: Sequence[Part],
        who: str = MODEL,
        max_tokens: int | None = None,
        temperature: float | None = None,
        fps: float | None = None,
        tools: Sequence[Tool] = (),
    ) -> str: ...


class Notes:
    """Texts that belong to a recording and not to a question: made once, kept in the run's folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._kept: dict[str, str] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def get(self, name: str, make: Callable[[], Awaitable[str]]) -> str:
        """The text of that name; made if it is not there yet, even when many ask for it at once."""
        async with self._locks.setdefault(name, asyncio.Lock()):
            if name not in self._kept:
                path = self._folder / f"{safe_name(name)}.txt" if self._folder else None
                if path and path.is_file():
                    self._kept[name] = path.read_text(encoding="utf-8")
                else:
                    self._kept[name] = await make()
                    if path:
                        path.parent.mkdir(parents=True, exist_ok=True)
                        path.write_text(self._kept[name], encoding="utf-8")
            return self._kept[name]


@dataclass(frozen=True)
class Case:
    """One question about to be asked."""

    row: QuestionRow
    protocol: Protocol
    store: PictureStore
    frames: FramePolicy
    template: Template = field(default_factory=Template)
    notes: Notes = field(default_factory=Notes)
    parser: str = ""
    memories: Memories = field(default_factory=Memories)
    prompts: Prompts = field(default_factory=Prompts)
    number: int = 0  # that of a strategy such as narrative:24; 0 where none was said

    @property
    def recording(self) -> Recording:
        return self.store.recording(self.row.item)

    @property
    def shown(self) -> tuple[int, ...]:
        return self.frames.pick(self.recording, self.row)

    async def pictures(self, indices: tuple[int, ...] | None = None) -> Pictures:
        """Frames as they are sent, by default those of the policy; made beside the event loop, not in it."""

        def read() -> Pictures:
            return self.store.pictures(
                self.row.item, self.shown if indices is None else indices, self.frames.size
            )

        return await asyncio.to_thread(read)

    async def images(self, indices: Sequence[int]) -> list[Rgb]:
        return await asyncio.to_thread(self.store.images, self.row.item, indices)

    def fps(self, shown: Sequence[int]) -> float | None:
        """Frames a second of the frames shown, as they were sampled; None for fewer than two."""
        times = self.recording.path.times
        seconds = float(times[shown[-1]] - times[shown[0]]) if len(shown) > 1 else 0.0
        return round((len(shown) - 1) / seconds, 3) if seconds > 0 else None

    def words(self, shown: Sequence[int], context: str = "", scene: str | None = None) -> Words:
        return fill(self.template, self.protocol, self.row, self.recording, shown, context, scene)

    def note_name(self, kind: str) -> str:
        """Notes about a part of a recording carry the moment of asking: another moment, other frames."""
        moment = "" if self.row.time is None else f"-{self.row.time:.3f}"
        return f"{kind}-{self.row.item}{moment}"


@dataclass(frozen=True)
class Outcome:
    """The reply with what it was given for."""

    reply: str
    words: Words
    frames: int = 0
    frames_hash: str = ""


Strategy = Callable[[Case, Ask], Awaitable[Outcome]]


_HERE = "situ.evaluation.models"
STRATEGIES: Registry[Strategy] = Registry(
    "strategy",
    {
        f"{_HERE}.strategies": (
            *("direct", "vote", "blind", "memory", "captions-memory"),
            *("marked", "trajectory", "bev", "full3d"),
        ),
        f"{_HERE}.strategies_in_words": (
            *("socratic", "captions", "map"),
            *("narrative", "scene-narrative", "narrative-reasoner", "oracle-narrative", "given-narrative"),
        ),
        "situ.serve.strategy": ("mcp",),
    },
)
strategy = STRATEGIES.register
