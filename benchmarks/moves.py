"""Learns on generated days how likely a move that a memory tells of did happen, and writes it down.

    python -m benchmarks.moves [--days 24] [--first 0] [--write]

Days are watched by a detector with faults. A move is right if the truth has one of the same name at about
that time. Days are held apart: each is judged by weights learned from the others.
"""

import argparse
import json
import pickle
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.identity import WEIGHTS, logistic
from situ.benchmarks.ucs.film import write_day
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.evaluation.participants.simulated import DEFAULT_NOISE
from situ.evaluation.participants.stages import visibility_rule
from situ.memory import SpatialMemory
from situ.memory.reading.identity import IdentityModel, model
from situ.memory.reading.move_doubts import MOVES, move_features
from situ.perception.oracle import noisy, oracle_frames
from situ.questions.rules.landmarks import plain_name
from situ.questions.rules.moves import all_moves
from situ.recording import Recording
from situ.state import TruthState

_ABOUT_S = 25.0  # a move that is told so much too early or too late is still that move
_HOURS = 0.1
_SHARES = (0.5, 1.0)  # of a day after which lists are asked for
PARTS = 4


@dataclass(frozen=True)
class Told:
    """What a memory tells of moves at a moment, beside what happened."""

    day: int
    features: tuple[tuple[float, ...], ...]
    right: tuple[bool, ...]
    hands: tuple[tuple[bool, bool], ...]  # of the right ones: whether it seemed the wearer's, and was
    missed: int


def days(first: int, number: int, kept: Path | None = None) -> list[Told]:
    """What is told on some days; what was kept in a file is not made again."""
    found: list[Told] = pickle.loads(kept.read_bytes()) if kept is not None and kept.exists() else []
    done = {one.day for one in found}
    for day in range(first, first + number):
        if day in done:
            continue
        rng = np.random.default_rng([day, 47])
        noise = DEFAULT_NOISE
        if day % 2:
            noise = replace(noise, miss=float(rng.uniform(0.02, 0.35)), drift=float(rng.uniform(0, 0.03)))
        recipe = UcsRecipe(seed=470_000 + day, hours=_HOURS)
        with tempfile.TemporaryDirectory() as folder:
            write_day(Path(folder) / "day", recipe.day(0), recipe.camera, 1.0)
            recording = Recording.open(Path(folder) / "day")
            truth = TruthState.of(recording, visibility_rule(recording))
            memory = SpatialMemory.create(":memory:")
            for frame in noisy(oracle_frames(recording), noise, rng):
                memory.observe(frame)
            for share in _SHARES:
                time = float(truth.path.times[truth.path.index_at(share * truth.now)])
                found.append(_told(day, truth.as_of(time), memory, time))
            memory.close()
        if kept is not None:
            kept.write_bytes(pickle.dumps(found))
        print(f"day {day}: {sum(len(one.right) for one in found)} moves", file=sys.stderr)
    return found


def _told(day: int, truth: TruthState, memory: SpatialMemory, time: float) -> Told:
    state = memory.state(time)
    left = list(all_moves(truth, -np.inf))
    features, right, hands = [], [], []
    for move in reversed(all_moves(state, -np.inf)):
        features.append(move_features(state, move))
        same = [
            one
            for one in left
            if plain_name(one.view) == plain_name(move.view)
            and one.left - _ABOUT_S <= move.arrived
            and move.left <= one.arrived + _ABOUT_S
        ]
        right.append(bool(same))
        if same:
            one = min(same, key=lambda one: abs(one.arrived - move.arrived))
            hands.append((move.by_wearer, one.by_wearer))
            left.remove(one)
    return Told(day, tuple(features), tuple(right), tuple(hands), len(left))


def learn(told: Sequence[Told]) -> IdentityModel:
    rows = np.array([row for one in told for row in one.features]).reshape(-1, len(MOVES))
    right = np.array([float(r) for one in told for r in one.right])
    moved = logistic(rows, right, np.ones(len(right)))
    seemed = np.array([pair for one in told for pair in one.hands], bool).reshape(-1, 2)
    other, mine = (seemed[seemed[:, 0] == k, 1] for k in (False, True))
    by = _share(other), _share(mine)
    known, missed = [sum(one.right) for one in told], [one.missed for one in told]
    each, none = np.polyfit(known, missed, 1)
    overlooked = round(max(0.0, float(none)), 4), round(max(0.0, float(each)), 4)
    return replace(model(), moved=moved, by_wearer=by, overlooked=overlooked)


def _share(yes: NDArray[np.bool_]) -> float:
    return round(float((yes.sum() + 0.5) / (len(yes) + 1)), 4)


def judged(told: Sequence[Told]) -> str:
    """How right the moves are that are stated to be likely, by weights that were learned from other days."""
    rows = []
    for part in range(PARTS):
        weights = learn([one for one in told if one.day % PARTS != part])
        for one in told:
            if one.day % PARTS == part:
                rows += [(weights.p_moved(f), r) for f, r in zip(one.features, one.right, strict=True)]
    chance, right = np.array(rows).T
    lines = ["| stated | moves | happened |", "|---|---|---|"]
    for low, high in ((0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.0)):
        mine = (chance > low) & (chance <= high)
        if mine.any():
            lines.append(f"| {low} to {high} | {mine.sum()} | {100 * right[mine].mean():.1f} % |")
    return "\n".join(lines)


def main(words: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=24)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a file for what was told, to go on from")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    given = parser.parse_args(words)
    told = days(given.first, given.days, given.keep)
    held_apart = judged(told)
    print(held_apart)
    if given.write:
        made = json.loads(WEIGHTS.read_text())
        made["moves, made by"] = f"python -m benchmarks.moves --days {given.days} --write"
        made["moves, days held apart"] = held_apart.split("\n")
        made["features of moves"] = list(MOVES)
        made["weights"] = asdict(learn(told))
        WEIGHTS.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
