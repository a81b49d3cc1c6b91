"""How a model is made to answer: straight from the frames, blindly, or through words of its own.

A strategy gets a case (one question with its recording) and a way to ask models; it knows nothing of the
engine behind. New ones join with `@strategy("name", "what it does")`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol as TypingProtocol

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.evaluate.frames import FramePolicy, Pictures, PictureStore, contact_sheets
from situ.evaluate.prompt import BLIND_SCENE, Template, Words, fill
from situ.evaluate.protocols.base import Protocol
from situ.recording import Recording

SEGMENT, SHEET = 16, 16
NARRATIVE_TOKENS = 300
MODEL, PROXY = "model", "proxy"  # who is asked: the model under test, or the one that reads its words


class Ask(TypingProtocol):
    """Put words and pictures to a model: `who` is MODEL or PROXY."""

    async def __call__(
        self, system: str, parts: Sequence[str | bytes], who: str = MODEL, max_tokens: int | None = None
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
                path = self._folder / f"{name}.txt" if self._folder else None
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

    @property
    def recording(self) -> Recording:
        return self.store.recording(self.row.item)

    @property
    def shown(self) -> tuple[int, ...]:
        return self.frames.pick(self.recording, self.row.time)

    def pictures(self) -> Pictures:
        return self.store.pictures(self.row.item, self.shown, self.frames.longer_side)

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


@dataclass(frozen=True)
class RegisteredStrategy:
    answer: Strategy
    about: str


_REGISTRY: dict[str, RegisteredStrategy] = {}


def strategy(name: str, about: str) -> Callable[[Strategy], Strategy]:
    def register(answer: Strategy) -> Strategy:
        if name in _REGISTRY:
            raise ValueError(f"two strategies share the name '{name}'")
        _REGISTRY[name] = RegisteredStrategy(answer, about)
        return answer

    return register


def strategies() -> Mapping[str, RegisteredStrategy]:
    return dict(_REGISTRY)


def find_strategy(name: str) -> Strategy:
    if name not in _REGISTRY:
        raise BadInput(f"unknown strategy '{name}'; known are {', '.join(sorted(_REGISTRY))}")
    return _REGISTRY[name].answer


@strategy("direct", "the frames, then the question")
async def direct(case: Case, ask: Ask) -> Outcome:
    pictures = case.pictures()
    words = case.words(pictures.indices)
    reply = await ask(words.system, [*pictures.jpegs, words.user])
    return Outcome(reply, words, len(pictures.indices), pictures.hash)


@strategy("blind", "the question alone: what can be guessed without looking")
async def blind(case: Case, ask: Ask) -> Outcome:
    words = case.words((), scene=BLIND_SCENE)
    return Outcome(await ask(words.system, [words.user]), words)


@strategy("socratic", "sheets of 16 frames, one caption of them all, an answer from the caption alone")
async def socratic(case: Case, ask: Ask) -> Outcome:
    shown = case.shown
    pictures = case.pictures()

    async def caption() -> str:
        sheets = contact_sheets(list(case.recording.images(shown)), SHEET)
        request = (
            "Each picture is a sheet of frames from one video, in reading order. Describe what the video "
            "shows: the place, the things in it and where they are, and how the camera moves and turns."
        )
        return await ask("", [*sheets, request])

    told = await case.notes.get(case.note_name("caption"), caption)
    words = case.words((), f"Description of a video by someone who saw it:\n{told}", scene="")
    return Outcome(await ask(words.system, [words.user], PROXY), words, len(shown), pictures.hash)


@strategy("captions", "each frame with a caption of what is where in it, then the question")
async def captions(case: Case, ask: Ask) -> Outcome:
    pictures = case.pictures()
    request = "Say in one or two sentences which things this picture shows and where they are to each other."
    parts: list[str | bytes] = []
    for index, jpeg in zip(pictures.indices, pictures.jpegs, strict=True):

        async def caption(jpeg: bytes = jpeg) -> str:
            return await ask("", [jpeg, request])

        told = await case.notes.get(f"frame-{case.row.item}-{index}", caption)
        parts += [jpeg, f"Picture {len(parts) // 2 + 1}: {told}"]
    words = case.words(pictures.indices)
    return Outcome(await ask(words.system, [*parts, words.user]), words, len(pictures.indices), pictures.hash)


@strategy("narrative", "a narrative of every 16 frames, made without the question; an answer from it alone")
async def narrative(case: Case, ask: Ask) -> Outcome:
    pictures = case.pictures()
    request = (
        "Describe this part of a video. Between <scene> and </scene>: what is there and where it is. Between "
        "<camera> and </camera>: how the camera moves and turns."
    )

    async def narrate() -> str:
        parts: list[str] = []
        for start in range(0, len(pictures.jpegs), SEGMENT):
            segment = pictures.jpegs[start : start + SEGMENT]
            told = await ask("", [*segment, request], max_tokens=NARRATIVE_TOKENS)
            number, end = len(parts) + 1, start + len(segment)
            parts.append(f"Segment {number} (frames {start + 1} to {end}):\n{told.strip()}")
        return "\n\n".join(parts)

    told = await case.notes.get(case.note_name("narrative"), narrate)
    scene = "You answer a question about a video from a narrative of it. Reason step by step, then answer."
    words = case.words((), f"Narrative of the video:\n{told}", scene=scene)
    reply = await ask(words.system, [words.user], PROXY)
    return Outcome(reply, words, len(pictures.indices), pictures.hash)
