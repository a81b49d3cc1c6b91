"""How a model answers: from frames, blindly, through its own words, from a memory, or with cues."""

from situ.ask.subgraph import subgraph
from situ.evaluate.cues import CONDITIONS, cues_for_row
from situ.evaluate.frames import Pictures, contact_sheets
from situ.evaluate.prompt import BLIND_SCENE, text_hash
from situ.evaluate.strategy import PROXY, STRATEGIES, Ask, Case, Outcome, Strategy, strategy
from situ.evaluate.watched import memory_of
from situ.narrate.oracle import oracle_narrative
from situ.recording.codec import encode_jpeg

SEGMENT, SHEET = 16, 16
NARRATIVE_TOKENS = 300


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
    return await _from_narrative(case, ask, told, pictures.hash, len(pictures.indices))


@strategy("oracle-narrative", "a perfect narrative of every 16 frames: how far an answer from words can get")
async def oracle(case: Case, ask: Ask) -> Outcome:
    shown = case.shown
    told = oracle_narrative(case.recording, SEGMENT, frames=shown).text
    return await _from_narrative(case, ask, told, text_hash(told), len(shown))


async def _from_narrative(case: Case, ask: Ask, told: str, frames_hash: str, frames: int) -> Outcome:
    scene = "You answer a question about a video from a narrative of it. Reason step by step, then answer."
    words = case.words((), f"Narrative of the video:\n{told}", scene=scene)
    return Outcome(await ask(words.system, [words.user], PROXY), words, frames, frames_hash)


@strategy("memory", "what a spatial memory holds about the question, with the frames that show it best")
async def memory(case: Case, ask: Ask) -> Outcome:
    known = subgraph(memory_of(case.recording).state(case.row.time), case.row.question)
    pictures = case.store.pictures(case.row.item, known.frames, case.frames.longer_side)
    words = case.words(known.frames, known.text)
    reply = await ask(words.system, [*pictures.jpegs, words.user])
    return Outcome(reply, words, len(known.frames), pictures.hash)


def _with_cues(condition: str) -> Strategy:
    async def answer(case: Case, ask: Ask) -> Outcome:
        cues = cues_for_row(case.recording, case.row, condition)
        pictures = Pictures(tuple(range(len(cues.pictures))), tuple(map(encode_jpeg, cues.pictures)))
        words = case.words(pictures.indices, cues.text)
        reply = await ask(words.system, [*pictures.jpegs, words.user])
        return Outcome(reply, words, len(pictures.jpegs), pictures.hash)

    return answer


_CUES = {
    "marked": "the frames with red circles round the things asked about",
    "trajectory": "marked frames, and where the camera was as text",
    "bev": "marked frames, the trajectory, and a picture from above",
    "full3d": "no picture: everything in the scene as text",
}
for _condition in CONDITIONS[1:]:  # the first, unmarked, is `direct`
    strategy(_condition, _CUES[_condition])(_with_cues(_condition))


# Looked up here, where all that come with situ have joined.
known_strategies = STRATEGIES.all
find_strategy = STRATEGIES.find
