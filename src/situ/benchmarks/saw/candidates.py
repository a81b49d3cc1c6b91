"""The questions of a video, and options that give nothing away."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.saw.options import FairOptions, FairPairs, OptionSet, shuffled
from situ.benchmarks.saw.plan import CHANGES, Shot, direction_pairs
from situ.benchmarks.saw.protocol import VIDEOS, expected_row
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
from situ.questions.changes.between_visits import FATES
from situ.recording import ObjectRecord, Recording
from situ.state import SpatialState

OPTIONS = 4
EVEN_SHAPES = FairOptions(dict.fromkeys(SHAPES, 1.0), OPTIONS)
EVEN_FATES = FairOptions(dict.fromkeys(FATES, 1.0), OPTIONS)
WAYS_BACK = tuple(plan_in_words(("around", a, b)) for a in ("left", "right") for b in ("left", "right"))


class Proposal(NamedTuple):
    """A question with the options that it is asked with, and what its answer is balanced by."""

    task: str
    question: Question
    options: OptionSet
    stratum: str


class Asking(NamedTuple):
    """What the questions of one video are made from."""

    shot: Shot
    name: str
    recording: Recording
    rng: np.random.Generator

    @property
    def place(self) -> str:
        return str(self.recording.meta["place"])


def propose(number: int, asking: Asking, truth: SpatialState) -> list[tuple[Candidate, QuestionRow]]:
    """Every question that may be asked of a video, in a fixed order; none with a thin margin."""
    makers = {
        "direction": _direction_questions,
        "shape": _shape_questions,
        "revplan": _way_back_questions,
        "probe": _probe_questions,
        "localization": _position_questions,
        "memory": _memory_questions,
        "affordance": _affordance_questions,
    }
    rows: list[tuple[Candidate, QuestionRow]] = []
    for proposal in makers[asking.shot.task](asking):
        row = row_of(f"{asking.name}-{len(rows)}", asking.name, proposal, truth, _strata(asking, truth))
        if row is not None:
            candidate = Candidate(number, len(rows), proposal.task, proposal.stratum, row.answer)
            rows.append((candidate, row))
    return rows


def row_of(
    identity: str, item: str, proposal: Proposal, truth: SpatialState, strata: Mapping[str, Json]
) -> QuestionRow | None:
    """The question as it is stored; None where its answer is not clear or not among its options."""
    question = proposal.question
    try:
        answer = question.answer(truth)
    except Unanswerable:
        return None
    if answer.margin < question.min_margin or answer.text not in proposal.options:
        return None
    return QuestionRow(
        id=identity,
        item=item,
        task=proposal.task,
        text=question.text,
        options=proposal.options,
        answer=answer.text,
        program=to_program(question),
        margin=answer.margin,
        evidence=answer.evidence,
        strata={**strata, "balanced_by": proposal.stratum, **(answer.numbers or {})},
    )


def _strata(asking: Asking, truth: SpatialState) -> dict[str, Json]:
    return {
        "layout": asking.shot.layout,
        "place": asking.place,
        "setting": "indoor" if asking.recording.meta["indoor"] else "outdoor",
        "video_id": asking.shot.video_id,
        "seconds": round(float(truth.now), 2),
        **_path_strata(asking.shot),
    }


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


def _direction_questions(asking: Asking) -> Iterator[Proposal]:
    row = expected_row(asking.shot.video_id, VIDEOS[asking.shot.video_id])
    both = fair_directions().draw((row.start_to_end, row.end_to_start), asking.rng)
    yield Proposal("direction", RouteDirection("start", asking.place), both[0], "start")
    yield Proposal("direction", RouteDirection("end", asking.place), both[1], "end")


def _shape_questions(asking: Asking) -> Iterator[Proposal]:
    options = EVEN_SHAPES.draw(VIDEOS[asking.shot.video_id].shape, asking.rng)
    yield Proposal("shape", RouteShape(asking.place), options, "shape")


def _way_back_questions(asking: Asking) -> Iterator[Proposal]:
    options = shuffled(WAYS_BACK, asking.rng)
    yield Proposal("revplan", ReversePlan(asking.place, options), options, "plan")


def _probe_questions(asking: Asking) -> Iterator[Proposal]:
    """Straight and zigzag are always offered: which of the two is chosen is the point."""
    others = [s for s in SHAPES if s not in (STRAIGHT, ZIGZAG)]
    picked = [others[int(i)] for i in asking.rng.choice(len(others), OPTIONS - 2, replace=False)]
    options = shuffled((STRAIGHT, ZIGZAG, *picked), asking.rng)
    yield Proposal("shape", RouteShape(asking.place), options, "probe")


def _position_questions(asking: Asking) -> Iterator[Proposal]:
    question = PositionInPlace(Selector(asking.place))
    yield Proposal("localization", question, shuffled(question.options, asking.rng), "position")


def _memory_questions(asking: Asking) -> Iterator[Proposal]:
    """What changed, or what became of one item: one of the two, as the one's options answer the other."""
    meta, objects = asking.recording.meta, asking.recording.objects
    claims = tuple(_claim(data, objects) for data in meta["claims"])
    kind = CHANGES.index(asking.shot.case)
    split = float(meta["split"])
    if asking.rng.random() < 0.5:
        change = WhatChanged(split, claims, asking.place)
        yield Proposal("memory", change, shuffled(change.options, asking.rng), "what changed")
        return
    changed = asking.rng.random() < len(CHANGES) / len(FATES)  # each fate equally often
    thing = claims[kind].thing if changed else _selector(objects[meta["stayed"]])
    options = EVEN_FATES.draw(FATES[kind] if changed else FATES[-1], asking.rng)
    yield Proposal("memory", WhatHappenedTo(thing, split, asking.place), options, "what happened")


def _affordance_questions(asking: Asking) -> Iterator[Proposal]:
    for asked in asking.recording.meta["asked"]:
        thing, *other = (_selector(asking.recording.objects[i]) for i in asked["items"])
        question = Affords(asked["action"], asked["size"], thing, other[0] if other else None)
        yield Proposal("affordance", question, shuffled(question.options, asking.rng), asked["action"])


def _claim(data: Mapping[str, Any], objects: Mapping[int, ObjectRecord]) -> Claim:
    thing, *other = (_selector(objects[i]) for i in data["items"])
    return Claim(data["change"], thing, other[0] if other else None)


def _selector(record: ObjectRecord) -> Selector:
    return Selector.make(record.category, record.attributes)


@lru_cache(maxsize=1)
def fair_directions() -> FairPairs:
    return FairPairs(direction_pairs(), OPTIONS)
