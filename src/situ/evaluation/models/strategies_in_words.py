"""Ways to an answer through words about the recording: captions, narratives, a map that the model draws."""

import re
from dataclasses import replace

from situ.errors import BadInput
from situ.evaluation.models.prompt import text_hash
from situ.evaluation.models.strategy import PROXY, Ask, Case, Outcome, strategy
from situ.evaluation.records.frames import Pictures, contact_sheets
from situ.narrate.narrative import Narrative, Segment
from situ.recording import Recording

SEGMENT, SHEET = 16, 16
NARRATIVE_TOKENS = 300
NUMBERED = {
    "narrative": "frames of a segment",
    "scene-narrative": "frames of a segment",
    "oracle-narrative": "frames of a segment",
    "socratic": "frames on a sheet",
}
_HEAD = re.compile(r"Segment (\d+) \(frames (\d+) to (\d+)\)")
_BETWEEN = "\x1e\n"  # between segments in a note; no narrative holds this mark
_CAMERA = re.compile(r"<camera>.*?(?:</camera>|\Z)", re.DOTALL | re.IGNORECASE)
_CAMERA_TEXT = re.compile(r"<camera>(.*?)(?:</camera>|\Z)", re.DOTALL | re.IGNORECASE)
_SCENE = re.compile(r"<scene>(.*?)(?:</scene>|\Z)", re.DOTALL | re.IGNORECASE)


@strategy("socratic", "sheets of 16 frames, one caption of them all, an answer from the caption alone")
async def socratic(case: Case, ask: Ask) -> Outcome:
    shown = case.shown
    pictures = await case.pictures()
    size = case.number or SHEET

    async def caption() -> str:
        sheets = contact_sheets(await case.images(shown), size)
        system, request = case.prompts.of("socratic").said()
        return await ask(system, [*sheets, request])

    told = await case.notes.get(_note(case, "caption", "socratic", size, SHEET), caption)
    words = case.words((), f"Description of a video by someone who saw it:\n{told}", scene="")
    return Outcome(await ask(words.system, words.parts(()), PROXY), words, len(shown), pictures.hash)


@strategy("captions", "each frame with a caption of what is where in it, then the question")
async def captions(case: Case, ask: Ask) -> Outcome:
    pictures = await case.pictures()
    words = replace(case.words(pictures.indices), captions=await captioned(case, ask, pictures))
    reply = await ask(words.system, words.parts(pictures.jpegs))
    return Outcome(reply, words, len(pictures.indices), pictures.hash)


async def captioned(case: Case, ask: Ask, pictures: Pictures) -> tuple[str, ...]:
    """A caption for each picture, made once for a recording."""
    system, request = case.prompts.of("caption").said()
    found: list[str] = []
    for index, jpeg in zip(pictures.indices, pictures.jpegs, strict=True):

        async def caption(jpeg: bytes = jpeg) -> str:
            return await ask(system, [jpeg, request])

        name = f"frame-{case.row.item}-{index}{case.prompts.mark('caption')}"
        told = await case.notes.get(name, caption)
        found.append(f"Picture {len(found) + 1}: {told}")
    return tuple(found)


@strategy("narrative", "a narrative of every 16 frames, made without the question; an answer from it alone")
async def narrative(case: Case, ask: Ask) -> Outcome:
    pictures, told = await _narrated(case, ask)
    return await _from_narrative(case, ask, "\n\n".join(told), pictures.hash, len(pictures.indices))


@strategy("scene-narrative", "the same narrative without what it says of the camera")
async def scene_narrative(case: Case, ask: Ask) -> Outcome:
    pictures, told = await _narrated(case, ask)
    scenes = "\n\n".join(scene_part(segment) for segment in told)
    return await _from_narrative(case, ask, scenes, pictures.hash, len(pictures.indices))


async def _narrated(case: Case, ask: Ask) -> tuple[Pictures, list[str]]:
    """The frames, and what the model tells of each segment of them."""
    pictures = await case.pictures()
    size = case.number or SEGMENT
    system, request = case.prompts.of("narrative").said()

    async def narrate() -> str:
        parts: list[str] = []
        for start in range(0, len(pictures.jpegs), size):
            segment = pictures.jpegs[start : start + size]
            fps = case.fps(pictures.indices[start : start + size])
            told = await ask(system, [*segment, request], max_tokens=NARRATIVE_TOKENS, fps=fps)
            number, end = len(parts) + 1, start + len(segment)
            said = told.replace(_BETWEEN[0], " ").strip()
            parts.append(f"Segment {number} (frames {start + 1} to {end}):\n{said}")
        return _BETWEEN.join(parts)

    told = await case.notes.get(_note(case, "narrative", "narrative", size, SEGMENT), narrate)
    return pictures, segments_of(told)


def scene_part(segment: str) -> str:
    """A segment's head and its scene; without tags, all that is not marked as the camera's."""
    head, _, told = segment.partition("\n")
    scenes = _SCENE.findall(told)
    return f"{head}\n{' '.join(s.strip() for s in scenes) if scenes else _CAMERA.sub('', told).strip()}"


def segments_of(note: str) -> list[str]:
    """The segments of a narrative as they are kept in a run's notes."""
    return note.split(_BETWEEN)


def camera_part(segment: str) -> str:
    """What a segment says of the camera; all of it where there are no tags."""
    told = segment.partition("\n")[2]
    found = _CAMERA_TEXT.findall(told)
    return " ".join(part.strip() for part in found) if found else _SCENE.sub("", told).strip()


@strategy("narrative-reasoner", "the same narrative, answered by the built-in reader instead of a model")
async def narrative_reasoner(case: Case, ask: Ask) -> Outcome:
    from situ.narrate.reasoner import Reasoner  # loaded when needed: it is slow to import

    pictures, told = await _narrated(case, ask)
    reader = Reasoner(Narrative(tuple(map(_parsed, told))))
    words = case.words((), "Narrative of the video:\n" + "\n\n".join(told), scene="")
    reply = reader.answer(case.row.question, case.row.options)
    return Outcome(reply, words, len(pictures.indices), pictures.hash)


def _parsed(segment: str) -> Segment:
    """A segment as the built-in reader takes it, whatever else the model wrote."""
    head = _HEAD.match(segment)
    number, first, last = (int(value) for value in head.groups()) if head else (1, 1, 1)
    return Segment(number, first, last, scene_part(segment).partition("\n")[2], camera_part(segment))


@strategy("oracle-narrative", "a perfect narrative of every 16 frames: how far an answer from words can get")
async def oracle(case: Case, ask: Ask) -> Outcome:
    shown = case.shown
    from situ.narrate.oracle import oracle_narrative  # loaded when needed: it is slow to import

    told = oracle_narrative(case.recording, case.number or SEGMENT, frames=shown).text
    return await _from_narrative(case, ask, told, text_hash(told), len(shown))


@strategy("given-narrative", "a narrative that people or others wrote: SET/narratives/ITEM.txt")
async def given(case: Case, ask: Ask) -> Outcome:
    told = written_narrative(case.recording)
    return await _from_narrative(case, ask, told, text_hash(told), 0)


def written_narrative(recording: Recording) -> str:
    """The text that lies beside the items of a set under the name of the recording."""
    path = recording.folder.parent.parent / "narratives" / f"{recording.folder.name}.txt"
    try:
        told = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"no narrative can be read from {path} ({error}). Write one file per item.") from error
    if not told:
        raise BadInput(f"{path} is empty. Write what the video shows, in words.")
    return told


async def _from_narrative(case: Case, ask: Ask, told: str, frames_hash: str, frames: int) -> Outcome:
    scene = "You answer a question about a video from a narrative of it. Reason step by step, then answer."
    words = case.words((), f"Narrative of the video:\n{told}", scene=scene)
    return Outcome(await ask(words.system, words.parts(()), PROXY), words, frames, frames_hash)


@strategy("map", "the model draws a map of the place first, then answers from the frames and its map")
async def cognitive_map(case: Case, ask: Ask) -> Outcome:
    pictures = await case.pictures()
    fps = case.fps(pictures.indices)

    async def draw() -> str:
        system, request = case.prompts.of("map").said()
        return await ask(system, [*pictures.jpegs, request], fps=fps)

    drawn = await case.notes.get(case.note_name("map") + case.prompts.mark("map"), draw)
    words = case.words(pictures.indices, f"Your own map of the place, on a grid of 10 by 10 cells:\n{drawn}")
    reply = await ask(words.system, words.parts(pictures.jpegs, fps), fps=fps)
    return Outcome(reply, words, len(pictures.indices), pictures.hash)


def _note(case: Case, kind: str, stage: str, size: int, usual: int) -> str:
    return case.note_name(kind if size == usual else f"{kind}-{size}") + case.prompts.mark(stage)
