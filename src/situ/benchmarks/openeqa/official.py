"""The published questions of OpenEQA: question_id, question, answer, category, episode_history.

The frames of an episode are pictures in a folder of its name (`frames/hm3d-v0/000-hm3d-…/*-rgb.png`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.official.collection import Collection, Draft, gather
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.media import Pictures
from situ.benchmarks.openeqa import ALSO
from situ.errors import BadInput

COLUMNS = ("question", "answer", "category", "question_id", "episode_history")


def read_official(files: SourceFiles, words_only: bool = False, split: str = "") -> Collection:
    """Open questions with their answer and the frames of their episode."""
    known: dict[str, Pictures | None] = {}

    def frames(episode: str) -> Pictures | None:
        if episode not in known:
            found = files.pictures_below(episode)
            colour = [f for f in found if "rgb" in f.name.lower() or "color" in f.name.lower()] or found
            known[episode] = Pictures(tuple(colour)) if colour else None
        return known[episode]

    def read(record: Mapping[str, Any], name: str, path: Path) -> Draft:
        lacking = [column for column in COLUMNS if not str(record.get(column) or "").strip()]
        if lacking:
            raise BadInput(f"it lacks {', '.join(lacking)}")
        episode = str(record["episode_history"]).strip("/")
        strata: dict[str, Json] = {"source": episode.partition("-")[0]}
        if record.get(ALSO):
            strata[ALSO] = "\n".join(map(str, record[ALSO]))
        row = QuestionRow(
            str(record["question_id"]), episode, str(record["category"]), str(record["question"]).strip(),
            (), str(record["answer"]).strip(), {}, 0.0, (), strata=strata,
        )  # fmt: skip
        return Draft(row, frames(episode), lacking=f"pictures in a folder {episode}")

    tables = ((path, rows) for path, rows in files.tables(COLUMNS, split) if "prediction" not in path.stem)
    return gather("openeqa", files, tables, read, words_only)
