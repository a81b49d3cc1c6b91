"""`situ score`: replies that were given elsewhere, scored as a run."""

from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, console, errors, print_json
from situ.cli.evaluate import score_table
from situ.evaluation.models.presets import find_preset
from situ.evaluation.models.stored_replies import NO_REPLY, Stored, read_marks, read_replies, score_replies
from situ.evaluation.runs.run import Settings
from situ.evaluation.runs.summary import summarise


def score(
    dataset: Annotated[Path, typer.Argument(help="A question set, made or imported.")],
    replies: Annotated[
        Path, typer.Argument(help="JSON, JSON lines, CSV or Parquet: an id and a reply for each question.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the run.")],
    who: Annotated[str, typer.Option(help="Who gave the replies; the file's name unless said.")] = "",
    marks: Annotated[Path | None, typer.Option(help="JSON with a judge's marks from 1 to 5 by id.")] = None,
    preset: Annotated[str, typer.Option(help="Read and sum up as a published row: see `situ presets`.")] = "",
    parser: Annotated[str, typer.Option(help="Which of the protocol's parsers reads replies.")] = "",
    protocol: Annotated[str, typer.Option(help="Score as another benchmark does, such as sns.")] = "",
    frames: Annotated[str, typer.Option(help="Which frames were shown, for the record.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Score replies from a file. The run can be reported and compared like any other.

    A question without a reply counts as failed.
    """
    chosen = find_preset(preset) if preset else None
    settings = Settings(
        frames or (chosen.frames if chosen else ""),
        protocol or (chosen.protocol if chosen else ""),
        parser or (chosen.parser if chosen else ""),
        preset=preset,
    )
    stored = Stored(read_replies(replies), read_marks(marks) if marks else {})
    found = Dataset.open(dataset)
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
