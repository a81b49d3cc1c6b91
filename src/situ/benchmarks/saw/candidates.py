"""The questions of a video, and options that give nothing away."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.saw.options import FairOptions, OptionSet, answer_at, blind_floor, shuffled
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


class Asking(NamedTuple):
    """What the questions of one video are made from."""

    shot: Shot
    part: str
    scale: float
    seed: int
    recording: Recording
    rng: np.random.Generator

    @property
    def place(self) -> str:
        return str(self.recording.meta["place"])

    @property
    def asks_shape(self) -> bool:
        return asks_shape(self.shot, self.part, self.scale)

    def fair(self, key: str) -> FairOptions:
        return answer_options(self.part, self.scale)[key]

    def ordered(self, purpose: str, options: Sequence[str], answer: str, group: int, take: int) -> OptionSet:
        """Options in an order in which the answer comes at every place equally often.

        In every `len(options)` takes of one group it comes at each place once, in an order that is random
        but the same for all of them.
        """
        block, within = divmod(take, len(options))
        shared = np.random.default_rng([self.seed, 4, group, block, *purpose.encode()])
        place = int(shared.permutation(len(options))[within])
        return answer_at(place, options, answer, self.rng)


def propose(number: int, asking: Asking, truth: SpatialState) -> list[tuple[Candidate, QuestionRow]]:
    """Every question that may be asked of a video, in a fixed order; none with a thin margin."""
    makers = {
        "route": _route_questions,
        "probe": _probe_questions,
        "standing": _standing_questions,
        "memory": _memory_questions,
        "affordance": _affordance_questions,
    }
    rows: list[tuple[Candidate, QuestionRow]] = []
    for proposal in makers[asking.shot.kind](asking):
        row = _row(len(rows), asking, proposal, truth)
        if row is not None:
            label = (
                f"{row.answer} {row.options.index(row.answer)}" if row.task == "affordance" else row.answer
            )
            candidate = Candidate(number, len(rows), proposal.task, proposal.stratum, label)
            rows.append((candidate, row))
    return rows


def _row(count: int, asking: Asking, proposal: Proposal, truth: SpatialState) -> QuestionRow | None:
    question, shot = proposal.question, asking.shot
    try:
        answer = question.answer(truth)
    except Unanswerable:
        return None
    if answer.margin < question.min_margin or answer.text not in proposal.options:
        return None
    strata: dict[str, Json] = {
        "layout": shot.layout,
        "place": asking.place,
        "setting": "indoor" if asking.recording.meta["indoor"] else "outdoor",
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


def _route_questions(asking: Asking) -> Iterator[Proposal]:
    shot, place = asking.shot, asking.place
    row = expected_row(shot.video_id, VIDEOS[shot.video_id])
    for origin, answer in (("start", row.start_to_end), ("end", row.end_to_start)):
        question = RouteDirection("start" if origin == "start" else "end", place)
        options = asking.fair(f"direction {origin}").draw(answer, asking.rng)
        options = asking.ordered(origin, options, answer, shot.video_id, shot.take)
        yield Proposal("direction", question, options, origin)
    if asking.asks_shape:
        yield _shape_question(asking, row.shape)
    if shot.video_id in TWO_TURNS:
        sides = tuple("left" if side == "L" else "right" for side in row.way_back)
        answer = plan_in_words(("around", *sides))
        choices = asking.ordered("plan", WAYS_BACK, answer, shot.video_id, shot.take)
        yield Proposal("revplan", ReversePlan(place, choices), choices, "plan")


def _shape_question(asking: Asking, answer: str) -> Proposal:
    options = asking.fair("shape").draw(answer, asking.rng)
    options = asking.ordered("shape", options, answer, asking.shot.video_id, asking.shot.take)
    return Proposal("shape", RouteShape(asking.place), options, "shape")


def _probe_questions(asking: Asking) -> Iterator[Proposal]:
    """Straight and zigzag are always offered: which of the two is chosen is the point."""
    others = [s for s in SHAPES if s not in (STRAIGHT, ZIGZAG)]
    picked = [others[int(i)] for i in asking.rng.choice(len(others), OPTIONS - 2, replace=False)]
    options = shuffled((STRAIGHT, ZIGZAG, *picked), asking.rng)
    yield Proposal("shape", RouteShape(asking.place), options, "probe")


def _standing_questions(asking: Asking) -> Iterator[Proposal]:
    shot, question = asking.shot, PositionInPlace(Selector(asking.place))
    spot = VIDEOS[shot.video_id].spot
    assert spot is not None
    # One group for each kind of spot: its videos come one in three.
    group = question.options.index(spot)
    options = asking.ordered("position", question.options, spot, group, shot.number // 3)
    yield Proposal("localization", question, options, "position")
    if asking.asks_shape:
        yield _shape_question(asking, VIDEOS[shot.video_id].shape)


def _memory_questions(asking: Asking) -> Iterator[Proposal]:
    """What changed, and what became of one item: the changed one, or every fifth time one that stayed."""
    shot, meta, objects = asking.shot, asking.recording.meta, asking.recording.objects
    claims = tuple(_claim(data, objects) for data in meta["claims"])
    take, kind = divmod(shot.number, len(claims))
    true = claims[kind]
    change = WhatChanged(float(meta["split"]), claims, asking.place)
    options = asking.ordered("what changed", change.options, true.words, kind, take)
    yield Proposal("memory", change, options, "what changed")
    about_change = take % 5 != 4
    thing = true.thing if about_change else _selector(objects[meta["stayed"]])
    answer = FATES[kind] if about_change else FATES[-1]
    offered = FairOptions(dict.fromkeys(FATES, 1.0), OPTIONS).draw(answer, asking.rng)
    options = asking.ordered("what happened", offered, answer, kind, take)
    yield Proposal(
        "memory", WhatHappenedTo(thing, float(meta["split"]), asking.place), options, "what happened"
    )


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
