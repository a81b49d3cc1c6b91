"""Simulated studies: are people of known skill and known bias found again, and are careless ones left out?

`python -m benchmarks.study --simulations 300 --seed 9301`. Prints one line of JSON for each design: how often
the interval holds the true level of the population (people and recordings are both drawn anew each time), how
often those of single people and of the bias hold theirs, and who is excluded. Nothing is asserted.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.benchmark import protocol_of
from situ.study.assign import assign
from situ.study.design import GOLD, INSTRUCTED, POOL, SET, Assignment, Design, Place
from situ.study.score import StudyScore, score
from situ.study.store import Given

WORDS = ("left", "right", "front", "back")


@dataclass(frozen=True)
class World:
    """Skills and difficulties are normal on the log odds of knowing; who does not know guesses, and takes the
    first place on the screen with the chance `bias` and any otherwise."""

    name: str
    recordings: int
    questions: int  # of each recording
    people: int
    per_person: int
    skill: float = 2.2
    skill_sd: float = 0.7
    hard_sd: float = 0.7
    bias: float = 0.3
    careless: float = 0.1  # share of people who click at random, half of them at leisure


WORLDS = (
    World("30 recordings, 15 people", 30, 6, 3, 36),
    World("60 recordings, 24 people", 60, 5, 2, 25),
    World("everybody answers all: 8 people", 24, 5, 8, 0),
    World("12 recordings, 6 people", 12, 8, 3, 48),
    World("nearly perfect", 40, 5, 3, 40, skill=4.0),
    World("nobody careless", 30, 6, 3, 36, careless=0.0),
)


def known_share(world: World, draws: int = 400_000) -> float:
    """The true share of questions that careful people of the population know."""
    rng = np.random.default_rng(1)
    total = world.skill + rng.normal(0, np.hypot(world.skill_sd, world.hard_sd), draws)
    return float((1 / (1 + np.exp(-total))).mean())


def simulate(world: World, seed: int) -> tuple[StudyScore, set[int], dict[int, float]]:
    """One study: its score, who was careless, and the true level of each person over all recordings."""
    rng = np.random.default_rng([seed, 3])
    rows = _rows(world.recordings, world.questions, "r", rng)
    pool = _rows(6, 4, "p", rng)
    design = Design("simulated", "", "", "ucs", seed, world.people, world.per_person)
    plan = assign(design, rows, pool)
    known = {(SET, row.id): row for row in rows} | {(POOL, row.id): row for row in pool}
    hard = {row.item: rng.normal(0, world.hard_sd) for row in sorted(rows, key=lambda row: row.item)}
    hard = {item: float(hard[item]) for item in sorted(hard)}
    careless = {i for i in range(len(plan.slots)) if rng.random() < world.careless}
    answers: list[Given] = []
    levels: dict[int, float] = {}
    for person in range(len(plan.slots)):
        skill = rng.normal(world.skill, world.skill_sd)
        knows = float((1 / (1 + np.exp(-skill - world.hard_sd * _NORMAL))).mean())
        levels[person] = knows + (1 - knows) / 4
        answers += _answers(world, plan, person, skill, person in careless, known, hard, rng)
    found = score(known, protocol_of("ucs"), answers, design.exclusion)
    return found, careless, levels


_NORMAL = np.random.default_rng(2).normal(size=20_000)


class _Plain:
    min_margin = 1.0


@dataclass(frozen=True)
class _Row(QuestionRow):
    """A question without a world: its margin is in units of the least."""

    @property
    def question(self):  # type: ignore[no-untyped-def, override]
        return _Plain()


def _rows(recordings: int, each: int, name: str, rng: np.random.Generator) -> list[QuestionRow]:
    margins = rng.uniform(1, 6, (recordings, each))
    return [
        _Row(
            f"{name}{i}-{j}", f"{name}{i}", ("direction", "relation")[j % 2], "where?", WORDS,
            WORDS[int(rng.integers(4))], {}, float(margins[i, j]), (),
        )
        for i in range(recordings)
        for j in range(each)
    ]  # fmt: skip


def _answers(
    world: World,
    plan: Assignment,
    person: int,
    skill: float,
    careless: bool,
    rows: dict[tuple[str, str], QuestionRow],
    hard: dict[str, float],
    rng: np.random.Generator,
) -> list[Given]:
    found = []
    for number, place in enumerate(plan.slots[person]):
        row = rows[place.source, place.question]
        odds = 5.0 if place.role in (GOLD, INSTRUCTED) else skill + hard.get(row.item, 0.0)
        knows = not careless and rng.random() < 1 / (1 + np.exp(-odds))
        answer = (place.wanted or row.answer) if knows else _guess(place, row, world.bias, rng)
        shown = place.order.index(row.options.index(answer))
        ms = float(rng.lognormal(np.log(1500 if careless and person % 2 else 12_000), 0.5))
        found.append(
            Given(
                person, number, place.role, place.source, place.question, place.order, answer, shown,
                wanted=place.wanted, answer_ms=ms,
            )
        )  # fmt: skip
    return found


def _guess(place: Place, row: QuestionRow, bias: float, rng: np.random.Generator) -> str:
    at = 0 if rng.random() < bias else int(rng.integers(len(row.options)))
    return row.options[place.order[at]]


def run(world: World, simulations: int, seed: int) -> dict[str, object]:
    knows = known_share(world)
    truth = knows + (1 - knows) / 4  # a guess is right one time in four, wherever it falls
    # Who guesses takes the first place with bias + (1 − bias) / 4; the key is there one time in four.
    leaning = (1 - knows) * world.bias * 0.75
    held = {"level": 0, "mean over tasks": 0, "bias": 0, "tasks": 0, "single people": 0}
    singles = tasks = careful_out = careful = careless_out = careless = 0
    widths, errors = [], []
    for k in range(simulations):
        found, bad, levels = simulate(world, seed + k)
        held["level"] += _holds(found.micro.interval, truth)
        held["mean over tasks"] += _holds(found.macro.interval, truth)
        held["bias"] += _holds(found.leanings[0].interval, leaning)
        held["tasks"] += sum(_holds(task.interval, truth) for task in found.tasks)
        tasks += len(found.tasks)
        for person, level in zip(sorted({v.person for v in found.votes}), found.each, strict=True):
            if person not in bad:
                held["single people"] += _holds(level.interval, levels[person])
                singles += 1
        for one in found.people:
            if one.person in bad:
                careless, careless_out = careless + 1, careless_out + one.excluded
            else:
                careful, careful_out = careful + 1, careful_out + one.excluded
        if found.micro.interval is not None:
            widths.append(found.micro.interval.high - found.micro.interval.low)
        errors.append(found.micro.value - truth)
    out_of = {"tasks": tasks, "single people": singles}
    shares = {name: round(100 * n / max(1, out_of.get(name, simulations)), 1) for name, n in held.items()}
    return {
        "world": world.name, "simulations": simulations, "seed": seed, "truth": round(100 * truth, 2),
        "held_percent": shares, "mean_error_points": round(100 * float(np.mean(errors)), 2),
        "median_width_points": round(100 * float(np.median(widths)), 1) if widths else None,
        "careless_excluded": f"{careless_out} of {careless}",
        "careful_excluded": f"{careful_out} of {careful}",
    }  # fmt: skip


def _holds(interval: object, truth: float) -> int:
    return int(interval is not None and interval.holds(truth))  # type: ignore[attr-defined]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=9301)
    parser.add_argument("--world", type=int, default=None, help="only this one")
    given = parser.parse_args(arguments)
    for number, world in enumerate(WORLDS):
        if given.world in (None, number):
            print(json.dumps(run(world, given.simulations, given.seed)), flush=True)


if __name__ == "__main__":
    main()
