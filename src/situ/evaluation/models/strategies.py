"""How a model answers: from frames, blindly, by vote, from a memory, or with cues.

Ways through the model's own words are in `strategies_in_words`.
"""

from collections import Counter
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING

from situ.errors import BadInput
from situ.evaluation.cues import CONDITIONS, cues_for_row
from situ.evaluation.models import strategies_in_words
from situ.evaluation.models.prompt import BLIND_SCENE
from situ.evaluation.models.strategies_in_words import captioned
from situ.evaluation.models.strategy import STRATEGIES, Ask, Case, Outcome, Strategy, strategy
from situ.evaluation.participants.memory_cache import frames_at, known_question
from situ.evaluation.records.frames import Pictures
from situ.evaluation.runs.score import parser_name, read
from situ.recording.codec import encode_jpeg

if TYPE_CHECKING:
    from situ.language.subgraph import Subgraph

VOTES, VOTE_TEMPERATURE = 5, 0.7
# Strategies that take a number, as in narrative:24, and what it counts.
NUMBERED = {**strategies_in_words.NUMBERED, "vote": "replies that vote"}


@strategy("direct", "the frames, then the question")
async def direct(case: Case, ask: Ask) -> Outcome:
    return await _direct(case, ask)


async def _direct(case: Case, ask: Ask, temperature: float | None = None) -> Outcome:
    pictures = await case.pictures()
    words = case.words(pictures.indices)
    fps = case.fps(pictures.indices)
    reply = await ask(words.system, words.parts(pictures.jpegs, fps), temperature=temperature, fps=fps)
    return Outcome(reply, words, len(pictures.indices), pictures.hash)


@strategy(
    "vote", "the same as direct several times, not at temperature 0; the answer given most often counts"
)
async def vote(case: Case, ask: Ask) -> Outcome:
    """Self-consistency: vote:5 asks five times."""
    parser = parser_name(case.protocol, case.parser)
    outcomes = [await _direct(case, ask, VOTE_TEMPERATURE) for _ in range(case.number or VOTES)]
    claims = [read(case.protocol, parser, case.row, outcome.reply).claim for outcome in outcomes]
    counted = Counter(claim for claim in claims if claim is not None)
    if not counted:
        return outcomes[0]
    return outcomes[claims.index(counted.most_common(1)[0][0])]


@strategy("blind", "the question alone: what can be guessed without looking")
async def blind(case: Case, ask: Ask) -> Outcome:
    words = case.words((), scene=BLIND_SCENE)
    return Outcome(await ask(words.system, words.parts(())), words)


@strategy("memory", "what a spatial memory holds about the question, with the frames that show it best")
async def memory(case: Case, ask: Ask) -> Outcome:
    known = _recalled(case)
    pictures = await case.pictures(known.frames)
    words = case.words(known.frames, known.text)
    reply = await ask(words.system, words.parts(pictures.jpegs))
    return Outcome(reply, words, len(known.frames), pictures.hash)


REMEMBERING = ("memory", "captions-memory", "mcp")


def _recalled(case: Case) -> "Subgraph":
    """What the memory holds about a question, with the recording's frames nearest to those that it kept."""
    from situ.language.subgraph import subgraph  # loaded when needed: it is slow to import

    state = case.memories.of(case.recording, case.row.item).state(case.row.time)
    known = subgraph(state, known_question(case.row))
    times = [float(state.path.times[frame]) for frame in known.frames]
    return replace(known, frames=frames_at(case.recording, times, case.row.time))


@strategy("captions-memory", "what a memory holds, and its frames with captions of their own")
async def captions_memory(case: Case, ask: Ask) -> Outcome:
    known = _recalled(case)
    pictures = await case.pictures(known.frames)
    words = replace(case.words(known.frames, known.text), captions=await captioned(case, ask, pictures))
    reply = await ask(words.system, words.parts(pictures.jpegs))
    return Outcome(reply, words, len(known.frames), pictures.hash)


def _with_cues(condition: str) -> Strategy:
    async def answer(case: Case, ask: Ask) -> Outcome:
        cues = cues_for_row(case.recording, case.row, condition)
        frames = Pictures(tuple(range(len(cues.pictures))), tuple(map(encode_jpeg, cues.pictures)))
        above: list[str | bytes] = [] if cues.above is None else [cues.legend, encode_jpeg(cues.above)]
        words = case.words(frames.indices, cues.text)
        words = replace(words, captions=cues.captions or words.captions)
        reply = await ask(words.system, words.parts(frames.jpegs, extra=above))
        shown = Pictures((), (*frames.jpegs, *(part for part in above if isinstance(part, bytes))))
        return Outcome(reply, words, len(frames.jpegs), shown.hash)

    return answer


_CUES = {
    "marked": "the frames with red circles round the things asked about",
    "trajectory": "marked frames, before each where the camera was",
    "bev": "marked frames, and a picture from above",
    "full3d": "marked frames, and centres, sizes, volumes and the camera's path as text",
}
for _condition in CONDITIONS[1:]:  # the first, unmarked, is `direct`
    strategy(_condition, _CUES[_condition])(_with_cues(_condition))


def find_strategy(text: str) -> Strategy:
    """A strategy by name, or by name and number: `narrative:24` narrates every 24 frames."""
    name, colon, number = text.partition(":")
    found = STRATEGIES.find(name)
    if not colon:
        return found
    if name not in NUMBERED or not number.isdigit() or not 0 < int(number) <= 1000:
        known = "; ".join(f"{name}:N ({about})" for name, about in NUMBERED.items())
        raise BadInput(f"the strategy '{text}' is none; a whole number goes with {known}")

    @wraps(found)
    async def numbered(case: Case, ask: Ask) -> Outcome:
        return await found(replace(case, number=int(number)), ask)

    return numbered
