"""`situ score RUN`: read the stored replies of a run again."""

from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from situ.cli.common import between, console, percent, print_json
from situ.evaluation.runs.rescore import rescore as read_again
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise

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
