"""Arms of an ablation on narratives: the same questions, with different narratives next to them."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from situ.errors import BadInput
from situ.train.rows import TrainingRow

# What each arm trains on besides the questions.
ARMS = {
    "camera": "narratives of scene and camera, as the set has them",
    "scene": "narratives without their camera part",
    "poses": "narratives whose camera part is its turns in degrees, frame by frame",
    "shuffled": "narratives with the camera part of another clip",
    "questions": "nothing",
}
TURNS = "turns_deg"  # camera rotation of a narrative from each frame to the next: yaw, pitch, roll
_CAMERA = re.compile(r"\s*<camera>.*?</camera>", re.DOTALL)


def rows_of_arm(rows: Sequence[TrainingRow], arm: str, seed: int = 0) -> list[TrainingRow]:
    """Training examples of an arm; all arms have the same questions in the same order."""
    if arm not in ARMS:
        raise BadInput(f"unknown arm '{arm}'; choose one of {', '.join(ARMS)}")
    if arm == "camera":
        return list(rows)
    if arm == "questions":
        return [row for row in rows if row.kind != "narrative"]
    narratives = [place for place, row in enumerate(rows) if row.kind == "narrative"]
    others = _others(len(narratives), seed) if arm == "shuffled" else [-1] * len(narratives)
    found = list(rows)
    if arm == "poses":
        for place in narratives:
            found[place] = _in_degrees(rows[place])
        return found
    for place, other in zip(narratives, others, strict=True):
        row = rows[place]
        scene = _CAMERA.sub("", row.answer)
        if other < 0:
            found[place] = replace(row, answer=scene, motions=())
        else:
            giver = rows[narratives[other]]
            camera = "".join(_CAMERA.findall(giver.answer))
            found[place] = replace(row, answer=scene + camera, motions=giver.motions)
    return found


def _in_degrees(row: TrainingRow) -> TrainingRow:
    """A narrative whose camera part is the change of the pose from frame to frame, as regression targets."""
    turns = row.about.get(TURNS)
    if turns is None:
        raise BadInput(f"{row.id} does not say how its camera turned; make the set again for the arm 'poses'")
    camera = "; ".join(f"yaw {yaw:+.1f}, pitch {pitch:+.1f}, roll {roll:+.1f}" for yaw, pitch, roll in turns)
    return replace(row, answer=f"{_CAMERA.sub('', row.answer)}\n<camera>{camera}</camera>", motions=())


def _others(count: int, seed: int) -> list[int]:
    """For each narrative the index of another one: a random cyclic permutation."""
    if count == 1:
        raise BadInput("the arm 'shuffled' needs at least two narratives in the set, it has one")
    order = np.random.default_rng([seed, 9]).permutation(count)
    found = np.empty(count, dtype=int)
    found[order] = np.roll(order, 1)
    return [int(other) for other in found]
