"""How many recordings and questions tell two systems apart.

Questions of one recording are alike: with intra-cluster correlation ρ and m questions per recording, n
questions are worth n / (1 + (m − 1) ρ) independent ones. Two systems that answer the same questions differ
only where exactly one of them is right; that share of discordant questions drives the paired test.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from situ.errors import BadInput
from situ.evaluation.records.answer import AnswerRecord

ALPHA, POWER = 0.05, 0.80


@dataclass(frozen=True)
class Plan:
    """What it takes to see a difference of `detect` (a share) between two systems on the same questions."""

    detect: float
    recordings: int
    per_recording: int
    correlation: float
    discordant: float
    design_effect: float

    @property
    def questions(self) -> int:
        return self.recordings * self.per_recording


def intra_cluster_correlation(items: Sequence[str], values: Sequence[float]) -> float:
    """One-way analysis-of-variance estimate of ρ, at least 0."""
    groups: dict[str, list[float]] = {}
    for item, value in zip(items, values, strict=True):
        groups.setdefault(item, []).append(value)
    total, k = len(values), len(groups)
    if k < 2 or total <= k:
        return 0.0
    sizes = np.array([len(group) for group in groups.values()])
    means = np.array([np.mean(group) for group in groups.values()])
    between = float((sizes * (means - np.mean(values)) ** 2).sum() / (k - 1))
    within = sum(((np.array(g) - np.mean(g)) ** 2).sum() for g in groups.values()) / (total - k)
    size = (total - (sizes**2).sum() / total) / (k - 1)
    spread = between + (size - 1) * within
    return float(max(0.0, (between - within) / spread)) if spread > 0 else 0.0


def correlation_of(records: Sequence[AnswerRecord]) -> float:
    """ρ of a run's points, within tasks: recordings differ in which tasks they carry."""
    means: dict[str, float] = {}
    for task in {record.task for record in records}:
        means[task] = float(np.mean([r.points for r in records if r.task == task]))
    return intra_cluster_correlation([r.item for r in records], [r.points - means[r.task] for r in records])


def design_effect(per_recording: float, correlation: float) -> float:
    return 1 + max(0.0, per_recording - 1) * correlation


def minimal_detectable_difference(
    questions: int, per_recording: float, correlation: float, discordant: float, power: float = POWER
) -> float:
    """The smallest difference that a paired comparison of this size finds with the given power."""
    effective = questions / design_effect(per_recording, correlation)
    return float((_z(ALPHA / 2) + _z(1 - power)) * math.sqrt(discordant / max(effective, 1e-9)))


def plan(
    detect: float,
    per_recording: int,
    correlation: float = 0.1,
    discordant: float = 0.3,
    power: float = POWER,
) -> Plan:
    """Recordings and questions to generate so that a difference of `detect` is found."""
    if not 0 < detect < 1:
        raise BadInput(f"the difference to detect must be between 0 and 100 points, got {100 * detect:g}")
    if per_recording < 1 or not 0 <= correlation <= 1 or not 0 < discordant <= 1 or not 0 < power < 1:
        raise BadInput(
            "needed: at least one question per recording, a correlation from 0 to 1, a discordant share "
            "above 0 and up to 1, a power between 0 and 1; "
            f"got {per_recording}, {correlation}, {discordant}, {power}"
        )
    if detect > discordant:
        raise BadInput(
            f"two systems that disagree on {100 * discordant:g} % of the questions cannot differ by "
            f"{100 * detect:g} points; raise --discordant"
        )
    effect = design_effect(per_recording, correlation)
    # Connor's formula for a paired test of two shares.
    wanted = _z(ALPHA / 2) * math.sqrt(discordant) + _z(1 - power) * math.sqrt(discordant - detect**2)
    independent = (wanted / detect) ** 2
    recordings = math.ceil(independent * effect / per_recording)
    return Plan(detect, recordings, per_recording, correlation, discordant, effect)


def plan_from_runs(
    detect: float, runs: Sequence[Sequence[AnswerRecord]], per_recording: int = 0, power: float = POWER
) -> Plan:
    """A plan from pilot runs. Two runs give the discordant share and the correlation of their difference."""
    if not 1 <= len(runs) <= 2 or not all(runs):
        raise BadInput(f"one or two pilot runs with answers are needed, got {len(runs)}")
    first = {record.id: record for record in runs[0]}
    size = per_recording or max(1, round(len(first) / len({r.item for r in first.values()})))
    if len(runs) == 1:
        share = float(np.mean([record.points for record in runs[0]]))
        # Two systems of this accuracy that err independently disagree this often.
        return plan(detect, size, correlation_of(runs[0]), max(detect, 2 * share * (1 - share)), power)
    pairs = [(first[record.id], record) for record in runs[1] if record.id in first]
    if not pairs:
        raise BadInput("the two pilot runs share no question; make both on one set")
    gaps = [b.points - a.points for a, b in pairs]
    correlation = intra_cluster_correlation([a.item for a, _ in pairs], gaps)
    return plan(detect, size, correlation, max(detect, float(np.mean(np.abs(gaps)))), power)


def _z(tail: float) -> float:
    return -NormalDist().inv_cdf(tail)
