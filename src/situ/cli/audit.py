"""`situ audit`: answer every question without looking, or looking too little."""

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.saw.protocol import PUBLISHED_TABLE, contradictions
from situ.cli.common import JsonFlag, console, percent, print_json, progress_bars
from situ.english import counted
from situ.errors import BadInput
from situ.evaluation.audit import AttackResult
from situ.evaluation.audit import audit as run_audit
from situ.evaluation.audit.frames import FAULT, LEAK, MOST_QUESTIONS, FrameAttack, audit_frames
from situ.evaluation.audit.result import LEVEL


def audit(
    folder: Annotated[Path | None, typer.Argument(help="A question set made by `situ make`.")] = None,
    labels: Annotated[
        bool, typer.Option("--labels", help="Audit the published answer table of SAW-Bench instead of a set.")
    ] = False,
    words_only: Annotated[
        bool, typer.Option("--words-only", help="Leave out attacks that see frames.")
    ] = False,
    other: Annotated[
        list[Path] | None,
        typer.Option(
            help="A set of the same recipe from another seed, to train attacks on; may be repeated."
        ),
    ] = None,
    most: Annotated[int, typer.Option(help="Use at most this many questions for attacks with frames.")] = (
        MOST_QUESTIONS
    ),
    every: Annotated[
        bool, typer.Option("--every", help="List every attack, not only leaks and the strongest five.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Try to answer every question without the video or with too few frames, and compare with chance.

    Some attacks follow a fixed rule, such as the longest option. The others train on some recordings and are
    tested on later ones. They see the words, options, names, ids, order, lengths, file sizes, hashes and the
    other questions about a recording; then a single frame, the first, the last, or both.

    One test over all attacks decides which beat chance; its false alarm rate is 5 %. `sees` is the smallest
    excess over chance, in points, that an attack shows with 80 % probability. An attack that sees
    frames is no leak if the content of these frames decides the answer. Exit code 1 if anything leaks.
    """
    if labels:
        audit_labels(as_json)
        return
    if folder is None:
        raise BadInput("give the folder of a question set, or --labels")
    dataset = Dataset.open(folder)
    seen: list[FrameAttack] = []
    with progress_bars() as bars:
        others = [Dataset.open(path) for path in other or []]
        level = LEVEL if words_only else LEVEL / 2  # two tests share what one may err
        results = run_audit(dataset, others, lambda done, total: bars("attacks", done, total), level)
        if not words_only:
            seen = audit_frames(dataset, most, lambda done, total: bars("frames", done, total), level)
    leaks = sum(result.leaks for result in results) + sum(result.leaks for result in seen)
    if as_json:
        attacks = [result.to_json() for result in results]
        print_json({"attacks": attacks, "frames": [result.to_json() for result in seen], "leaks": leaks})
    else:
        console.print(audit_table(results if every else strongest(results)))
        console.print(
            "chance: 1 / number of options; for numbers, the share of the most common one\n"
            "sees: the smallest gain over chance, in points, that the attack shows with 80 % probability"
        )
        if seen:
            console.print(frames_table(seen))
            console.print(
                "expected: chance, or always giving the usual answer if that is more; in theory: what\n"
                "perfect eyes get from these frames, guessing where they show nothing. A learner above\n"
                "what is expected is a LEAK unless theory is above it too (geometry decides)."
            )
        elif not words_only:
            console.print("no pictures are there: what looking too little is worth was not tried")
        console.print(counted(leaks, "leak") if leaks else "no attack beats chance by a shortcut")
    if leaks:
        raise typer.Exit(1)


def strongest(results: list[AttackResult], most: int = 5) -> list[AttackResult]:
    """Leaks, and of each task the attacks that come closest to one."""
    shown = []
    for task in dict.fromkeys(r.task for r in results):
        mine = sorted((r for r in results if r.task == task), key=lambda r: -r.told)
        shown += [r for place, r in enumerate(mine) if r.leaks or place < most]
    return shown


def frames_table(results: list[FrameAttack]) -> Table:
    table = Table(title="Looking too little, or in no order (right, %)", box=SIMPLE_HEAD)
    for name in ("task", "frames", "n", "learner", "95 %", "expected", "theory", "verdict"):
        table.add_column(name, justify="left" if name in ("task", "frames", "verdict") else "right")
    for r in results:
        learner = "" if r.accuracy is None else percent(r.accuracy)
        between = "" if r.interval is None else f"{percent(r.interval.low)} – {percent(r.interval.high)}"
        verdict = Text(r.verdict, style="bold red" if r.verdict in (LEAK, FAULT) else "")
        cells = (learner, between, percent(r.expected), percent(r.theory), verdict)
        table.add_row(r.task, r.attack, str(r.questions), *cells)
    return table


def audit_labels(as_json: bool) -> None:
    """Rows of the published answer table that no walk of their shape can have."""
    found = contradictions(PUBLISHED_TABLE)
    if as_json:
        print_json({"rows": len(PUBLISHED_TABLE), "contradictions": [row._asdict() for row in found]})
        return
    for row in found:
        console.print(f"id {row.video_id}: {row.reason}")
    console.print(f"{len(PUBLISHED_TABLE)} rows, {len(found)} contradict their own geometry")


def audit_table(results: list[AttackResult]) -> Table:
    table = Table(title="Answering without looking", box=SIMPLE_HEAD)
    for name, justify in (("task", "left"), ("attack", "left"), ("n", "right"), ("right %", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for name in ("95 % interval", "chance %", "sees", ""):
        table.add_column(name, justify="right")
    for r in results:
        interval = f"{percent(r.interval.low)} – {percent(r.interval.high)}"
        mark = Text("LEAK" if r.leaks else "", style="bold red")
        table.add_row(
            r.task, r.attack, str(r.questions), percent(r.accuracy), interval, percent(r.chance),
            percent(r.sees), mark,
        )  # fmt: skip
    return table
