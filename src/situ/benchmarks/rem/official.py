"""The released files of REM: `NNNN-run/` folders with pictures and moves, and tables of questions.

Questions come as one aggregated table (run_directory, question, ground_truth, question_type and statistics)
or as a CSV file per run and type. The camera of a run starts 5 m behind the middle, 1.25 m high, looks along
+x with 90 degrees, and moves as the pictures' names say.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.official.collection import Collection, Draft, gather
from situ.benchmarks.official.fields import first_of
from situ.benchmarks.official.files import MediaFile, SourceFiles
from situ.benchmarks.official.media import Pictures
from situ.benchmarks.rem.names import ENTITIES
from situ.benchmarks.rem.verify import claimed
from situ.errors import BadInput
from situ.geometry.heading import Heading
from situ.geometry.pose import camera_pose
from situ.questions import Compare, Count, FirstSeenOrder, SideInView, to_program
from situ.questions.scene.counting import EQUAL
from situ.questions.scene.order import SAME_TIME
from situ.worlds.actions import ACTION_TEXT, CAMERA_HEIGHT_M, Action, ActionWalk

COLUMNS = ("question", "ground_truth|answer")
START = Heading(-5.0, 0.0, CAMERA_HEIGHT_M, 0.0)
FOV_DEG = 90.0
_MOVES: dict[str, Action] = {"forward": "forward", "left": "left", "right": "right"}
_RUN = re.compile(r"\d+-run", re.IGNORECASE)
_TASKS = (
    ("counting", re.compile(r"\bhow many\b", re.IGNORECASE)),
    ("comparison", re.compile(r"\bmore\b.+\bor\b", re.IGNORECASE)),
    ("ordering", re.compile(r"\bbefore\b.+\bafter\b", re.IGNORECASE)),
    ("left_right", re.compile(r"\b(?:left|right)\b", re.IGNORECASE)),
)
_WORDINGS = {
    "counting": re.compile(r"\bhow many (?P<first>[a-z ]+?) (?:are|were|did|do)\b", re.IGNORECASE),
    "comparison": re.compile(
        r"\bmore (?P<first>[^,?]+?)(?:,? or |, )(?P<second>[^,?]+?)(?:,| or equal|\?|$)", re.IGNORECASE
    ),
    "ordering": re.compile(
        r"\bthe (?P<first>[a-z ]+?) (?:seen )?before\b.+\bas the (?P<second>[a-z ]+?)\s*\?", re.IGNORECASE
    ),
    "left_right": re.compile(
        r"\bis the (?P<first>[a-z ]+?) (?:to|on) the (?P<side>left|right) of the (?P<second>[a-z ]+?)\s*\?",
        re.IGNORECASE,
    ),
}
_NAMED = {words: which for which in ENTITIES for words in (which.singular, which.plural)}
# Columns of the aggregated table, and the strata that they are here.
_STATISTICS = {
    "len_of_trajectory": "frames",
    "number_of_objects_in_scene": "objects_in_scene",
    "number_of_objects_it_sees": "objects_seen",
    "number_of_duplicates": "repeats_in_scene",
    "total_number_of_duplicates_seen": "repeats_seen",
    "max_number_in_single_frame": "most_in_one_frame",
    "comp_1": "first",
    "comp_2": "second",
}


def read_official(files: SourceFiles, words_only: bool = False, split: str = "") -> Collection:
    """Questions of every run with its pictures, actions and poses."""
    walks: dict[str, Pictures | None] = {}

    def read(record: Mapping[str, Any], name: str, path: Path) -> Draft:
        run = _run(record, path)
        if run not in walks:
            walks[run] = _walk(files.pictures_below(f"{run}/images") or files.pictures_below(run))
        row = _row(record, run, f"{run}-{record.get('csv_name') or path.stem}", name, walks[run])
        return Draft(row, walks[run], lacking=f"pictures in {run}/images")

    tables = (
        (path, rows)
        for path, rows in files.tables(COLUMNS, split)
        if path.stem not in ("annotations", "data_dict")
    )
    return gather("rem", files, tables, read, words_only)


def _run(record: Mapping[str, Any], path: Path) -> str:
    stated = PurePosixPath(str(record.get("run_directory") or "").replace("\\", "/")).parts
    runs = [part for part in (*path.parts, *stated) if _RUN.fullmatch(part)]
    if stated and not runs:
        runs = [stated[-1]]
    if not runs:
        raise BadInput("it names no run (run_directory), and its file is in no folder NNNN-run")
    return runs[-1]


def _row(record: Mapping[str, Any], run: str, table: str, name: str, walk: Pictures | None) -> QuestionRow:
    text = str(record.get("question") or "").strip()
    said = str(first_of(record, ("ground_truth", "answer")) or "").strip()
    if not text or not said:
        raise BadInput("it has no question or no answer")
    task = next((task for task, words in _TASKS if words.search(text)), "")
    if not task:
        raise BadInput(f"its words are none of REM's four kinds: {text[:80]!r}")
    number = str(first_of(record, ("row_index",)) or name.rpartition("-")[2])
    row = QuestionRow(
        f"{table}-{number}", run, task, text, _options(task, text), said, program_of(task, text), 0.0, (),
        strata=_strata(record, walk),
    )  # fmt: skip
    key = claimed(row, said)
    if key is None or (row.options and key not in row.options):
        raise BadInput(f"its answer '{said}' is none that a {task} question can have")
    return QuestionRow(**{**row.__dict__, "answer": key})


def program_of(task: str, text: str) -> dict[str, Any]:
    """The program behind a published question, as far as its words tell; empty where they do not."""
    found = _WORDINGS[task].search(text)
    words = found.groupdict() if found else {}
    things = [_NAMED.get(str(words.get(part) or "").strip().lower()) for part in ("first", "second")]
    first, second = things
    if first is None or (second is None and task != "counting"):
        return {}
    if second is None:
        return to_program(Count(first))
    if task == "comparison":
        return to_program(Compare(first, second))
    if task == "ordering":
        return to_program(FirstSeenOrder(first, second))
    return to_program(SideInView(first, second, words["side"].lower()))


def _options(task: str, text: str) -> tuple[str, ...]:
    if task == "counting":
        return ()
    if task == "ordering":
        return "before", "after", SAME_TIME
    if task == "left_right":
        return ("left", "right") if re.search(r"left or right", text, re.IGNORECASE) else ("yes", "no")
    sides = _WORDINGS["comparison"].search(text)
    if sides is None or sides[1].strip().lower() == sides[2].strip().lower():
        raise BadInput(f"the two sides of a comparison cannot be told from {text[:80]!r}")
    return sides[1].strip(), sides[2].strip(), EQUAL


def _strata(record: Mapping[str, Any], walk: Pictures | None) -> dict[str, Json]:
    found: dict[str, Json] = {"frames": len(walk.files)} if walk else {}
    for column, name in _STATISTICS.items():
        try:
            found[name] = int(float(record[column]))
        except (KeyError, TypeError, ValueError):
            continue
    if kind := record.get("question_type"):
        found["asked_as"] = str(kind)
    return found


def _walk(files: Sequence[MediaFile]) -> Pictures | None:
    """The pictures of a run in order, with the move before each and the pose that follows from them."""
    shown = [file for file in files if "plot" not in file.name]
    if not shown:
        return None
    moves: list[Action] = []
    for file in shown[1:]:
        move = next((move for word, move in _MOVES.items() if word in file.name.lower()), None)
        if move is None:
            return Pictures(tuple(shown), fov_deg=FOV_DEG)  # moves unknown: pictures alone
        moves.append(move)
    headings = ActionWalk(START, tuple(moves)).headings()
    actions = tuple(ACTION_TEXT[move] for move in ("", *moves))
    poses = tuple(camera_pose((h.x, h.y, CAMERA_HEIGHT_M), h.yaw_deg) for h in headings)
    return Pictures(tuple(shown), None, actions, poses, FOV_DEG)
