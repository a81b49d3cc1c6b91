"""The result of the experiment: seeds, intervals, gates and verdicts by the rule of docs/camo.md, and curves.

    python -m benchmarks.camo.report symbols=benchmarks/results/camo_symbols.jsonl \
        pixels=benchmarks/results/camo_pixels.jsonl [--svg FILE] [--effect FILE]

`homes symbols=FILE` and `homes pixels=FILE` are the same for clips of homes.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t as student

from benchmarks.camo.effect_plot import draw_effect
from benchmarks.camo.plot import draw

ARMS = ("questions", "scene", "shuffled", "camera", "poses")
CONTRASTS = (("camera", "scene"), ("camera", "shuffled"), ("camera", "questions"), ("scene", "questions"))
PLACED, TOLD_F1, TRUE_POSES = 0.9, 0.7, 0.9  # the gates
LEAST_EFFECT, WITHIN = 0.05, 0.03
KINDS = ("thing", "start")
PLANNED_SEEDS = (1, 2, 3, 4)  # verdicts are by these; any more were added after those were known


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds with its 95 % interval by Student's t."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: list[float]) -> "Estimate":
        n = len(values)
        half = (
            float(student.ppf(0.975, n - 1) * np.std(values, ddof=1) / np.sqrt(n)) if n > 1 else float("inf")
        )
        mean = float(np.mean(values))
        return cls(mean, mean - half, mean + half)

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} [{100 * self.low:.1f}, {100 * self.high:.1f}]"


@dataclass(frozen=True)
class Group:
    """All models of one kind of eyes and one label count: scores by arm and seed."""

    eyes: str
    labels: int
    seconds: float
    models: list[dict[str, Any]]
    placed: float | None  # share of visible things named and placed; None where perception is solved
    planned: bool = True  # False where seeds are taken in that the plan does not name: exploratory

    def values(self, arm: str, key: str) -> dict[int, float]:
        return {m["seed"]: m[key] for m in self.models if m["arm"] == arm and key in m}

    def estimate(self, arm: str, key: str) -> Estimate:
        return Estimate.of(list(self.values(arm, key).values()))

    def difference(self, first: str, second: str, key: str) -> Estimate:
        """Paired by seed."""
        a, b = self.values(first, key), self.values(second, key)
        return Estimate.of([a[seed] - b[seed] for seed in sorted(set(a) & set(b))])

    @property
    def missed(self) -> list[str]:
        """The gates that were not passed, by means over seeds."""
        found = []
        if self.placed is not None and self.placed < PLACED:
            found.append(f"visible things placed {100 * self.placed:.1f} %")
        told = self.estimate("camera", "motion_f1").mean
        if told < TOLD_F1:
            found.append(f"motion words F1 {told:.2f}")
        poses = self.estimate("poses", "thing").mean
        if poses < TRUE_POSES:
            found.append(f"true poses {100 * poses:.1f} %")
        return found

    @property
    def name(self) -> str:
        if self.planned:
            return self.eyes
        return f"{self.eyes}, {len(self.values('camera', 'thing'))} seeds (exploratory)"

    @property
    def verdict(self) -> str:
        if self.missed:
            return "inconclusive: " + "; ".join(self.missed)
        gain, control = (
            self.difference("camera", "scene", "thing"),
            self.difference("camera", "shuffled", "thing"),
        )
        if gain.mean >= LEAST_EFFECT and gain.low > 0 and control.low > 0:
            return "positive"
        if gain.low >= -WITHIN and gain.high <= WITHIN:
            return "negative"
        return "undecided"


def read_groups(eyes: str, file: Path) -> list[Group]:
    """The planned groups, each followed by one of all its seeds where there are more than were planned."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    placed = next((line["named_and_placed"] for line in lines if line["group"] == "eyes"), None)
    lines = [line for line in lines if line["group"] != "eyes"]
    found = []
    for labels in sorted({line["models"][0]["labels"] for line in lines}):
        some = [line for line in lines if line["models"][0]["labels"] == labels]
        models = [model for line in some for model in line["models"]]
        planned = [model for model in models if model["seed"] in PLANNED_SEEDS]
        seconds = sum(line["seconds"] for line in some if line["models"][0]["seed"] in PLANNED_SEEDS)
        found.append(Group(eyes, labels, seconds, planned, placed))
        if len(planned) < len(models):
            found.append(Group(eyes, labels, sum(line["seconds"] for line in some), models, placed, False))
    return found


def tables(groups: list[Group]) -> str:
    """The scores of all arms, the differences, and what each group says."""
    out = ["| eyes | labels | question | " + " | ".join(ARMS) + " |", "|---" * (3 + len(ARMS)) + "|"]
    for g in groups:
        for key in KINDS:
            cells = " | ".join(str(g.estimate(arm, key)) for arm in ARMS)
            out.append(f"| {g.name} | {g.labels:,} | {key} | {cells} |")
    out += ["", "| eyes | labels | question | " + " | ".join(f"{a} − {b}" for a, b in CONTRASTS) + " |"]
    out.append("|---" * (3 + len(CONTRASTS)) + "|")
    for g in groups:
        for key in KINDS:
            cells = " | ".join(str(g.difference(a, b, key)) for a, b in CONTRASTS)
            out.append(f"| {g.name} | {g.labels:,} | {key} | {cells} |")
    out += ["", "| eyes | labels | things placed | motion words, F1 | true poses | verdict | GPU-seconds |"]
    out.append("|---" * 7 + "|")
    for g in groups:
        told = g.values("camera", "motion_f1").values()
        placed = "-" if g.placed is None else f"{100 * g.placed:.1f}"
        out.append(
            f"| {g.name} | {g.labels:,} | {placed} | "
            f"{np.mean(list(told)):.2f} ({min(told):.2f}-{max(told):.2f}) | "
            f"{g.estimate('poses', 'thing')} | {g.verdict} | {g.seconds:.0f} |"
        )
    return "\n".join(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", help="EYES=results.jsonl")
    parser.add_argument("--svg", type=Path, help="accuracy while the arms learn")
    parser.add_argument("--effect", type=Path, help="the effect against the number of labels")
    given = parser.parse_args()
    groups = [g for pair in given.files for g in read_groups(*_split(pair))]
    print(tables(groups))
    if given.svg:
        given.svg.write_text(draw([g for g in groups if g.planned]), encoding="utf-8")
    if given.effect:
        given.effect.write_text(draw_effect(groups), encoding="utf-8")


def _split(pair: str) -> tuple[str, Path]:
    eyes, _, file = pair.partition("=")
    return eyes, Path(file)


if __name__ == "__main__":
    main()
