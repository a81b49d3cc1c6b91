"""`situ score`: score replies from a file, or the stored replies of a run again."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, between, console, errors, percent, print_json
from situ.cli.evaluate import score_table
from situ.errors import BadInput
from situ.evaluation.models.presets import find_preset
from situ.evaluation.models.stored_replies import NO_REPLY, Stored, read_marks, read_replies, score_replies
from situ.evaluation.runs.rescore import rescore as read_again
from situ.evaluation.runs.run import Settings
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise


def score(
    scored: Annotated[
        Path,
        typer.Argument(
            metavar="SET|RUN",
            help="A question set, or the keys that `situ publish --hide-keys` wrote; without replies: a run.",
        ),
    ],
    replies: Annotated[
        Path | None,
        typer.Argument(help="JSON, JSON lines, CSV or Parquet: an id and a reply for each question."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder of the new run.")] = None,
    who: Annotated[
        str, typer.Option(help="Name of the model that gave the replies (default: the file's name).")
    ] = "",
    marks: Annotated[Path | None, typer.Option(help="JSON with a judge's marks from 1 to 5 by id.")] = None,
    preset: Annotated[
        str, typer.Option(help="Settings of a published table's row: see `situ lab presets`.")
    ] = "",
    parser: Annotated[str, typer.Option(help="Which of the protocol's parsers reads replies.")] = "",
    protocol: Annotated[str, typer.Option(help="Score as another benchmark does, such as sns.")] = "",
    frames: Annotated[str, typer.Option(help="Which frames were shown, for the record.")] = "",
    moved_to: Annotated[
        Path | None, typer.Option("--set", help="For a run: where its question set is now, if you moved it.")
    ] = None,
    dry: Annotated[
        bool, typer.Option("--dry-run", help="For a run: show what would change and write nothing.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Score replies from a file. The result is a run that you can report and compare like any other.

    A question without a reply counts as failed.

    Without a file of replies, score a finished run again: --parser or the current rules read its stored
    replies, and no model is asked. Where the rules find no answer, the extractor's earlier reading stays.
    """
    if replies is None:
        if out or who or marks or preset or protocol or frames:
            raise BadInput("give the file of replies; without one a finished run is scored again, in place")
        rescore(scored, parser, moved_to, dry, as_json)
        return
    if out is None:
        raise BadInput("--out FOLDER is missing: where should the run go?")
    if dry or moved_to:
        raise BadInput("--dry-run and --set are for a finished run: leave the file of replies out")
    chosen = find_preset(preset) if preset else None
    settings = Settings(
        frames or (chosen.frames if chosen else ""),
        protocol or (chosen.protocol if chosen else ""),
        parser or (chosen.parser if chosen else ""),
        preset=preset,
    )
    stored = Stored(read_replies(replies), read_marks(marks) if marks else {})
    found = Dataset.open(scored)
    run = score_replies(found, who or replies.stem, stored, settings, out)
    lost = sum(record.reason == NO_REPLY for record in run.records)
    foreign = len(stored.replies) - (len(run.records) - lost)
    if lost or foreign > 0:
        errors.print(
            f"{lost} questions have no reply; {max(0, foreign)} replies are to no question of the set"
        )
    summary = summarise(run.protocol, run.records, found.questions)
    if as_json:
        print_json({"run": str(run.folder), "name": run.name, **summary.to_json()})
        return
    console.print(score_table(run, summary))
    if summary.llm_match:
        console.print(f"LLM-Match {summary.llm_match.score:.2f} over {summary.llm_match.graded} marks")
    console.print(summary.formula, highlight=False)


SHOWN = 20


def rescore(run: Path, parser: str, moved_to: Path | None, dry: bool, as_json: bool) -> None:
    """Read the replies by another parser or by newer rules, score them, and show what changes."""
    old = Run.open(run)
    before = summarise(old.protocol, old.records).overall
    new, changes = read_again(old, parser, not dry, moved_to)
    after = summarise(new.protocol, new.records).overall
    if as_json:
        both = {"before": before.to_json(), "after": after.to_json()}
        print_json({"run": str(run), **both, "changes": [asdict(change) for change in changes]})
        return
    if changes:
        table = Table(title=f"{len(changes)} of {len(old.records)} replies are read differently")
        for name in ("question", "reply", "before", "now", "key"):
            table.add_column(name)
        for change in changes[:SHOWN]:
            reply = " ".join(change.reply.split())[-60:]
            table.add_row(change.id, reply, change.before or "–", change.after or "–", change.key)
        console.print(table)
    console.print(f"before: {percent(before.value)} % ({between(before.interval)})")
    console.print(
        f"now:    {percent(after.value)} % ({between(after.interval)})" if not dry else "nothing was written"
    )
