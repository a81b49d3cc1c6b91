"""Replies that somebody's model gave, as a run: read, scored and reported like any other."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.official.fields import first_of
from situ.benchmarks.official.records import read_records
from situ.errors import BadInput
from situ.evaluation.models.prompt import text_hash
from situ.evaluation.records.answer import AnswerRecord, Reply, failed, write_records
from situ.evaluation.runs.run import Job, Settings, finish
from situ.evaluation.runs.run_folder import ANSWERS, Run, prepare
from situ.evaluation.runs.score import scored
from situ.evaluation.stats.llm_match import HIGHEST, LOWEST, SENTINEL

ID = ("question_id", "qid", "id", "idx", "index")
REPLY = ("reply", "response", "prediction", "output", "model_answer", "answer")
NO_REPLY = "the file holds no reply to this question"


@dataclass(frozen=True)
class Stored:
    """Texts, and marks where a judge gave some, by id."""

    replies: Mapping[str, str]
    marks: Mapping[str, int]


def score_replies(
    dataset: Dataset, who: str, stored: Stored, settings: Settings, out: Path, strategy: str = "stored"
) -> Run:
    """A run folder of replies from a file. Questions without a reply count as failed."""
    job = Job.of(dataset, settings)
    names = official_ids(job.rows)
    known = {names[name]: text for name, text in stored.replies.items() if name in names}
    if not known:
        some = next(iter(stored.replies), "none")
        raise BadInput(
            f"no reply is to a question of {dataset.folder}: its ids are like '{job.rows[0].id}', those in "
            f"the file like '{some}'"
        )
    marks = {names[name]: mark for name, mark in stored.marks.items() if name in names}
    # The replies are what the run is: other replies are another run.
    content = text_hash(json.dumps([sorted(known.items()), sorted(marks.items())]))
    if prepare(out, job.card(who, strategy, settings, own_frames=str(job.frames), prompt=content)):
        return Run.open(out)
    write_records(out / ANSWERS, [_record(job, row, known, marks) for row in job.rows])
    return finish(out)


def _record(job: Job, row: QuestionRow, replies: Mapping[str, str], marks: Mapping[str, int]) -> AnswerRecord:
    if row.id not in replies:
        return failed(row, NO_REPLY)
    record = scored(job.protocol, job.parser, row, Reply(replies[row.id]))
    return replace(record, mark=marks.get(row.id))


def official_ids(rows: Sequence[QuestionRow]) -> dict[str, str]:
    """Rows by id, and by the last part of it (the publisher's own number) where that is nobody else's."""
    last = Counter(row.id.rpartition("-")[2] for row in rows)
    short = {tail: row.id for row in rows if last[tail := row.id.rpartition("-")[2]] == 1}
    return {**short, **{row.id: row.id for row in rows}}


def read_replies(path: Path) -> dict[str, str]:
    """Replies by id: records with an id and a reply, or one object that maps ids to replies."""
    found: dict[str, str] = {}
    for number, record in enumerate(read_records(path), 1):
        if not isinstance(record, Mapping):
            raise BadInput(f"{path}, record {number} is no object with an id and a reply")
        name = first_of(record, ID)
        text = next((record[field] for field in REPLY if field in record), None)
        if name is not None and text is not None:
            pairs = {str(name): str(text)}
        elif name is None and all(isinstance(value, str) for value in record.values()):
            pairs = {str(key): str(value) for key, value in record.items()}
        else:
            raise BadInput(f"{path}, record {number} needs a field {'/'.join(ID)} and one {'/'.join(REPLY)}")
        if repeated := set(pairs) & set(found):
            raise BadInput(f"{path} has two replies to {sorted(repeated)[0]}")
        found |= pairs
    return found


def read_marks(path: Path) -> dict[str, int]:
    """A judge's marks by id; one that is none of 1 to 5 counts as not given."""
    found: dict[str, int] = {}
    for record in read_records(path):
        for name, mark in record.items() if isinstance(record, Mapping) else ():
            good = isinstance(mark, int) and LOWEST <= mark <= HIGHEST
            found[str(name)] = int(mark) if good else SENTINEL
    if not found:
        raise BadInput(f"{path} holds no marks; an object that maps ids to marks from 1 to 5 is needed")
    return found
