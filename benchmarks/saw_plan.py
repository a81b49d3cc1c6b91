"""The questions of a SAW set as planned, at full size and without filming anything."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.saw import candidates as saw
from situ.benchmarks.saw.protocol import VIDEOS, expected_row
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.saw.routes import draw_seconds
from situ.geometry.route import plan_in_words


def planned_rows(recipe: SawRecipe) -> tuple[list[QuestionRow], dict[str, int]]:
    """The questions of a set's walks and standing videos as planned, and their numbers of frames."""
    rows, frames = [], {}
    names = recipe.item_names()
    for number, shot in enumerate(recipe.shots):
        if shot.task not in ("direction", "shape", "revplan", "localization"):
            continue
        recording = SimpleNamespace(meta={"place": shot.layout, "indoor": True}, objects={})
        rng = recipe._rng(number, "questions", 0)
        asking = saw.Asking(shot, names[number], recording, rng)  # type: ignore[arg-type]
        frames[names[number]] = (
            int(draw_seconds(recipe.fps, recipe._rng(number, "length", 0)) * recipe.fps) + 1
        )
        makers = {
            "direction": saw._direction_questions,
            "shape": saw._shape_questions,
            "revplan": saw._way_back_questions,
            "localization": saw._position_questions,
        }
        for proposal in makers[shot.task](asking):
            answer = planned_answer(shot.video_id, shot.task, proposal.stratum)
            text, options = proposal.question.text, proposal.options
            rows.append(QuestionRow("", names[number], shot.task, text, options, answer, {}, 1.0, ()))
    order = np.random.default_rng(recipe.seed).permutation(len(rows))
    return [replace(rows[int(k)], id=f"q{i:05d}") for i, k in enumerate(order)], frames


def planned_answer(video_id: int, task: str, origin: str) -> str:
    video = VIDEOS[video_id]
    if task == "localization":
        return str(video.spot)
    if task == "shape":
        return video.shape
    row = expected_row(video_id, video)
    if task == "revplan":
        return plan_in_words(("around", *("left" if side == "L" else "right" for side in row.way_back)))
    return row.start_to_end if origin == "start" else row.end_to_start
