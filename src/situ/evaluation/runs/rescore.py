"""Reading the stored replies of a run again: by another parser, or by the newer rules. Nobody is asked."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from situ.benchmarks.dataset import QuestionRow, write_atomically
from situ.errors import BadInput
from situ.evaluation.records.answer import AnswerRecord, Status
from situ.evaluation.runs.run import finish
from situ.evaluation.runs.run_folder import ANSWERS, Run, read_card, write_card
from situ.evaluation.runs.score import parser_name, read, scored_reading

EXTRACTED = "extractor"  # the rule of a reading that a model made


@dataclass(frozen=True)
class Change:
    """A reply that is read otherwise than before; None is no reading."""

    id: str
    reply: str
    before: str | None
    after: str | None
    key: str


def rescore(
    run: Run, parser: str = "", write: bool = True, moved_to: Path | None = None
) -> tuple[Run, list[Change]]:
    """The run with every stored reply read again, and what changed. Without `write`, the folder stays.

    `moved_to` is where the question set is now.
    """
    dataset = run.dataset(moved_to)
    if dataset is None:
        raise BadInput(
            f"{run.folder} was made on {run.card['dataset']}; "
            + (f"{moved_to} is another set" if moved_to else "that is not there any more, or has changed")
            + ". Its replies cannot be read without the options; say where the set is: --set DIR"
        )
    rows = {row.id: row for row in dataset.questions}
    chosen = parser_name(run.protocol, parser or str(run.card["parser"]))
    again = [_again(run, chosen, rows[record.id], record) for record in run.records]
    changes = [
        Change(new.id, new.reply, old.claim, new.claim, new.key)
        for old, new in zip(run.records, again, strict=True)
        if old.claim != new.claim or old.points != new.points
    ]
    if not write:
        return run, changes
    complete = bool(run.card.get("complete"))
    lines = "".join(json.dumps(record.to_json(), sort_keys=True) + "\n" for record in again)
    write_atomically(run.folder / ANSWERS, lines.encode())
    place = str(dataset.folder.resolve())
    write_card(run.folder, {**read_card(run.folder), "parser": chosen, "dataset": place})
    if complete:
        return finish(run.folder), changes
    return Run.open(run.folder), changes


def _again(run: Run, parser: str, row: QuestionRow, record: AnswerRecord) -> AnswerRecord:
    if record.status is Status.ERROR or not record.reply:
        return record
    reading = read(run.protocol, parser, row, record.reply)
    if reading.claim is None and record.rule == EXTRACTED:
        return record  # what a model read stays where the rules still read nothing
    fresh = scored_reading(run.protocol, row, record.reply, reading)
    return replace(
        record,
        claim=fresh.claim,
        rule=fresh.rule,
        status=fresh.status,
        reason=fresh.reason,
        points=fresh.points,
    )
