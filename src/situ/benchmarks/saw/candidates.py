"""The questions of a video, and options that give nothing away."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.saw.options import FairOptions, OptionSet, blind_floor, shuffled
from situ.benchmarks.saw.plan import Shot, asks_shape, shots
from situ.benchmarks.saw.protocol import TWO_TURNS, VIDEOS, expected_row
from situ.errors import Unanswerable
from situ.geometry.route import L_SHAPE, MANHATTAN, SHAPES, STRAIGHT, ZIGZAG, plan_in_words
from situ.questions import (
    Affords,
    Claim,
    PositionInPlace,
    Question,
    ReversePlan,
    RouteDirection,
    RouteShape,
    Selector,
    WhatChanged,
    WhatHappenedTo,
    to_program,
)
from situ.questions.change import FATES
from situ.recording import ObjectRecord, Recording
from situ.state import SpatialState

OPTIONS = 4
WAYS_BACK = tuple(plan_in_words(("around", a, b)) for a in ("left", "right") for b in ("left", "right"))


class Proposal(NamedTuple):
    """A question with the options that it is asked with, and what its answer is balanced by."""

    task: str
    question: Question
    options: OptionSet
    stratum: str


def propose(
    number: int,
    shot: Shot,
    part: str,
    scale: float,
    recording: Recording,
    truth: SpatialState,
    rng: np.random.Generator,
) -> list[tuple[Candidate, QuestionRow]]:
    """Every question that may be asked of a video, in a fixed order; none with a thin margin."""
    makers = {
        "route": _route_questions,
        "probe": _probe_questions,
        "standing": _standing_questions,
        "memory": _memory_questions,
        "affordance": _affordance_questions,
    }
    rows: list[tuple[Candidate, QuestionRow]] = []
    for proposal in makers[shot.kind](shot, part, scale, recording, rng):
        row = _row(number, len(rows), shot, proposal, recording, truth)
        if row is not None:
            candidate = Candidate(number, len(rows), proposal.task, proposal.stratum, row.answer)
            rows.append((candidate, row))
    return rows


def _row(
    number: int, count: int, shot: Shot, proposal: Proposal, recording: Recording, truth: SpatialState
) -> QuestionRow | None:
    question = proposal.question
    try:
        answer = question.answer(truth)
    except Unanswerable:
        return None
    if answer.margin < question.min_margin or answer.text not in proposal.options:
        return None
    strata: dict[str, Json] = {
        "layout": shot.layout,
        "place": str(recording.meta["place"]),
        "setting": "indoor" if recording.meta["indoor"] else "outdoor",
        "video_id": shot.video_id,
        "seconds": round(float(truth.now), 2),
        "balanced_by": proposal.stratum,
        **_path_strata(shot),
        **(answer.numbers or {}),
    }
    return QuestionRow(
        id=f"{shot.name}-{count}",
        item=shot.name,
        task=proposal.task,
        text=question.text,
        options=proposal.options,
        answer=answer.text,
        program=to_program(question),
        margin=answer.margin,
        evidence=answer.evidence,
        strata=strata,
    )


def _path_strata(shot: Shot) -> dict[str, Json]:
    """What the complexity and rotation analyses group by; `turns` is given for the shapes that count."""
    if shot.kind not in ("route", "probe"):
        return {}
    video = VIDEOS[shot.video_id]
    strata: dict[str, Json] = {"route": video.shape, "view": video.view, "sides": "".join(video.turns)}
    strata["head"] = {"straight, steady head": "steady", "straight, head turns": "turning"}.get(
        shot.case, "natural"
    )
    if shot.video_id == 35 or video.shape in (L_SHAPE, MANHATTAN):
        strata["turns"] = str(len(video.turns))
    return {**strata, "probe": shot.case} if shot.case else strata


def _route_questions(
    shot: Shot, part: str, scale: float, recording: Recording, rng: np.random.Generator
) -> Iterator[Proposal]:
    place, row = str(recording.meta["place"]), expected_row(shot.video_id, VIDEOS[shot.video_id])
    fair = answer_options(part, scale)
    start, end = RouteDirection("start", place), RouteDirection("end", place)
    yield Proposal("direction", start, fair["direction start"].draw(row.start_to_end, rng), "start")
    yield Proposal("direction", end, fair["direction end"].draw(row.end_to_start, rng), "end")
    if asks_shape(shot, part, scale):
        yield Proposal("shape", RouteShape(place), fair["shape"].draw(row.shape, rng), "shape")
    if shot.video_id in TWO_TURNS:
        choices = shuffled(WAYS_BACK, rng)
        yield Proposal("revplan", ReversePlan(place, choices), choices, "plan")


def _probe_questions(
    shot: Shot, part: str, scale: float, recording: Recording, rng: np.random.Generator
) -> Iterator[Proposal]:
    """Straight and zigzag are always offered: which of the two is chosen is the point."""
    others = [s for s in SHAPES if s not in (STRAIGHT, ZIGZAG)]
    picked = [others[int(i)] for i in rng.choice(len(others), OPTIONS - 2, replace=False)]
    options = shuffled((STRAIGHT, ZIGZAG, *picked), rng)
    yield Proposal("shape", RouteShape(str(recording.meta["place"])), options, "probe")


def _standing_questions(
    shot: Shot, part: str, scale: float, recording: Recording, rng: np.random.Generator
) -> Iterator[Proposal]:
    place = str(recording.meta["place"])
    position = PositionInPlace(Selector(place))
    yield Proposal("localization", position, shuffled(position.options, rng), "position")
    if asks_shape(shot, part, scale):
        fair = answer_options(part, scale)["shape"]
        yield Proposal("shape", RouteShape(place), fair.draw(VIDEOS[shot.video_id].shape, rng), "shape")


def _memory_questions(
    shot: Shot, part: str, scale: float, recording: Recording, rng: np.random.Generator
) -> Iterator[Proposal]:
    """What changed, and what became of one item: the changed one, or every fifth time one that stayed."""
    place, split = str(recording.meta["place"]), float(recording.meta["split"])
    claims = tuple(_claim(data, recording.objects) for data in recording.meta["claims"])
    change = WhatChanged(split, claims, place)
    yield Proposal("memory", change, shuffled(change.options, rng), "what changed")
    true = claims[shot.number % len(claims)]
    asks_changed = (shot.number // len(claims)) % 5 != 4
    thing = true.thing if asks_changed else _selector(recording.objects[recording.meta["stayed"]])
    fate = WhatHappenedTo(thing, split, place)
    answer = _FATE_OF[true.change] if asks_changed else FATES[4]
    options = FairOptions(dict.fromkeys(FATES, 1.0), OPTIONS).draw(answer, rng)
    yield Proposal("memory", fate, options, "what happened")


_FATE_OF = dict(zip(("moved", "added", "removed", "swapped", "unchanged"), FATES, strict=True))


def _affordance_questions(
    shot: Shot, part: str, scale: float, recording: Recording, rng: np.random.Generator
) -> Iterator[Proposal]:
    for asked in recording.meta["asked"]:
        thing, *other = (_selector(recording.objects[i]) for i in asked["items"])
        question = Affords(asked["action"], asked["size"], thing, other[0] if other else None)
        yield Proposal("affordance", question, shuffled(question.options, rng), asked["action"])


def _claim(data: Mapping[str, Any], objects: Mapping[int, ObjectRecord]) -> Claim:
    thing, *other = (_selector(objects[i]) for i in data["items"])
    return Claim(data["change"], thing, other[0] if other else None)


def _selector(record: ObjectRecord) -> Selector:
    return Selector.make(record.category, record.attributes)


def planned_answers(part: str, scale: float) -> dict[str, list[str]]:
    """The answers that the protocol gives to the questions of a set, before anything is filmed."""
    answers: dict[str, list[str]] = {"direction start": [], "direction end": [], "shape": []}
    for shot in shots(part, scale):
        if shot.kind not in ("route", "standing"):
            continue
        if asks_shape(shot, part, scale):
            answers["shape"].append(VIDEOS[shot.video_id].shape)
        if shot.kind == "route":
            row = expected_row(shot.video_id, VIDEOS[shot.video_id])
            answers["direction start"].append(row.start_to_end)
            answers["direction end"].append(row.end_to_start)
    return answers


@lru_cache(maxsize=8)
def answer_options(part: str, scale: float) -> dict[str, FairOptions]:
    """Fair options for a set's direction and shape questions."""
    answers = planned_answers(part, scale)
    return {key: FairOptions(Counter(found), OPTIONS) for key, found in answers.items() if found}


def blind_floors(part: str, scale: float) -> dict[str, float]:
    """What an attack that sees no pixels can reach on each task, by construction.

    Shape stays above a quarter: its published number of questions cannot be met with equally many videos
    of every shape, since 229 ways back need 229 walks with two turns.
    """
    answers = planned_answers(part, scale)
    ends = [blind_floor(answers[key], OPTIONS) for key in ("direction start", "direction end")]
    return {
        "localization": 1 / 3,
        "direction": sum(ends) / 2,
        "shape": blind_floor(answers["shape"], OPTIONS),
        "revplan": 1 / OPTIONS,
        "memory": 1 / OPTIONS,
        "affordance": 1 / 2,
    }
