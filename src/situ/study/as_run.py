"""A study as a run, so that people can be a participant of reports, comparisons and leaderboards."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from situ.errors import BadInput
from situ.evaluation.records.answer import AnswerRecord, Effort, Status, write_records
from situ.evaluation.runs.job import Job, Settings
from situ.evaluation.runs.run import finish
from situ.evaluation.runs.run_folder import ANSWERS, Run, prepare
from situ.evaluation.stats.paired import Comparison, compare
from situ.study.design import FREE, SET, Study
from situ.study.intervals import Vote
from situ.study.score import StudyScore


def people_records(votes: Sequence[Vote]) -> list[AnswerRecord]:
    """One record per question: mean points of its answers, and what was answered."""
    by_question: dict[str, list[AnswerRecord]] = {}
    for vote in votes:
        by_question.setdefault(vote.record.id, []).append(vote.record)
    return [_merged(records) for _, records in sorted(by_question.items())]


def _merged(records: Sequence[AnswerRecord]) -> AnswerRecord:
    said = [record.claim or record.reason or record.reply for record in records]
    most = max(dict.fromkeys(said), key=said.count)
    claims = [record.claim for record in records if record.claim == most]
    answered = any(record.status is Status.ANSWERED for record in records)
    return replace(
        records[0],
        reply=" | ".join(said),
        claim=claims[0] if claims else None,
        rule=f"mean of {len(records)} people; the claim is what most said" if answered else "",
        status=Status.ANSWERED if answered else Status.REFUSED,
        reason="" if answered else records[0].reason,
        points=sum(record.points for record in records) / len(records),
        effort=Effort(seconds=sum(record.effort.seconds for record in records) / len(records)),
    )


def write_run(study: Study, found: StudyScore, out: Path) -> Run:
    """Write the run folder of the present state of a study."""
    records = people_records(found.votes)
    if not records:
        raise BadInput("nobody's answers are kept so far, so there is nothing to make a run of")
    design = study.design
    who = f"people (study {design.name}, n={found.kept})"
    settings = Settings(frames="all" if design.frames == FREE else design.frames, seed=design.seed)
    job = Job.of(study.sets[SET], settings)
    # The answers identify the run: more answers give another run.
    content = hashlib.sha256(json.dumps([record.to_json() for record in records]).encode()).hexdigest()[:16]
    card = job.card(who, "", settings, own_frames=str(job.frames), prompt=content, study=design.name)
    card["questions"] = len(records)
    if len(records) < len(job.rows):
        card["limit"] = len(records)  # excluded from rankings of runs over the whole set
    if prepare(out, card):
        return Run.open(out)
    write_records(out / ANSWERS, records)
    return finish(out)


def against(found: StudyScore, run: Run) -> Comparison:
    """Comparison of people with a run on common questions. The interval is over recordings, for these
    people."""
    return compare(people_records(found.votes), run.records, run.protocol.aggregate)
