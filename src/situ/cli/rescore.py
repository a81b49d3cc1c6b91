"""`situ rescore`: read the stored replies of a run again."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.cli.common import JsonFlag, between, console, percent, print_json
from situ.evaluation.runs.rescore import rescore as read_again
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise

SHOWN = 20


def rescore(
    run: Annotated[Path, typer.Argument(help="A run.")],
    parser: Annotated[str, typer.Option(help="Another of the protocol's parsers.")] = "",
    moved_to: Annotated[
        Path | None, typer.Option("--set", help="Where the question set is now, if it was moved.")
    ] = None,
    dry: Annotated[bool, typer.Option("--dry-run", help="Show what would change, change nothing.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Read the stored replies of a run again, by another parser or by newer rules, and score them anew.

    No model is asked. Replies that an extractor read keep its reading where the rules still find none.
    """
    old = Run.open(run)
    before = summarise(old.protocol, old.records).overall
    new, changes = read_again(old, parser, not dry, moved_to)
    after = summarise(new.protocol, new.records).overall
    if as_json:
        both = {"before": before.to_json(), "after": after.to_json()}
        print_json({"run": str(run), **both, "changes": [asdict(change) for change in changes]})
        return
    if changes:
        table = Table(title=f"{len(changes)} of {len(old.records)} replies are read otherwise")
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
