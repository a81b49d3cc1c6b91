"""Scores in the engine's own table: the benchmark's aggregate and its interval over recordings."""

import math
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from situ.evaluation.benchmark import protocol_of
from situ.evaluation.records.answer import AnswerRecord, Status
from situ.evaluation.stats.intervals import interval_of

RECORD = "situ_record"  # an answer's record in the metadata of its sample


def points_scorer(benchmark: str) -> Scorer:
    """Points as the protocol gives them. The record of the answer is in the sample's metadata."""

    @scorer(metrics=[score(benchmark), low(benchmark), high(benchmark)], name="situ_points")
    def situ_points() -> Scorer:
        async def points(state: TaskState, target: Target) -> Score:
            data: dict[str, Any] = state.metadata[RECORD]
            return Score(
                value=float(data["points"]),
                answer=data["claim"] or "",
                explanation=data["reason"] or f"read by {data['rule']}",
                metadata={"item": data["item"], "task": data["task"]},
            )

        return points

    return situ_points()


@metric(name="score")
def score(benchmark: str) -> Metric:
    def value(scores: list[SampleScore]) -> float:
        return protocol_of(benchmark).aggregate.score(_records(scores)) if scores else math.nan

    return value


@metric(name="low_95")
def low(benchmark: str) -> Metric:
    def value(scores: list[SampleScore]) -> float:  # the engine goes by these types
        return _bound(benchmark, scores, 0)

    return value


@metric(name="high_95")
def high(benchmark: str) -> Metric:
    def value(scores: list[SampleScore]) -> float:
        return _bound(benchmark, scores, 1)

    return value


def _bound(benchmark: str, scores: list[SampleScore], end: int) -> float:
    """A bound of the interval; not a number where there are too few recordings for one."""
    interval = interval_of(_records(scores), protocol_of(benchmark).aggregate)
    return math.nan if interval is None else interval[end]


def _records(scores: list[SampleScore]) -> list[AnswerRecord]:
    found = []
    for place, one in enumerate(scores):
        told = one.score.metadata or {}
        item, task = str(told.get("item", place)), str(told.get("task", ""))
        points = one.score.as_float()
        found.append(AnswerRecord(str(place), item, task, "", "", None, "", Status.ANSWERED, "", points))
    return found
