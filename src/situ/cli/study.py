"""`situ study`: people answer a question set; make the study, serve it, score it."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.cli.common import JsonFlag, console, errors, print_json
from situ.errors import BadInput

app = typer.Typer(
    add_completion=False,
    help="What do people score? Make a study of a question set, let people answer in a browser, score them.",
    no_args_is_help=True,
)
Folder = Annotated[Path, typer.Argument(help="A study, as `situ study make` wrote it.")]


@app.command()
def make(
    dataset: Annotated[Path, typer.Argument(help="A question set, made or imported.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the study; it must be new.")],
    people: Annotated[
        int | None, typer.Option(min=1, help="How many people answer each question (default: 3).")
    ] = None,
    per_person: Annotated[
        int | None,
        typer.Option(
            min=0, help="Approximate number of questions per person (default: 20); 0: everybody answers all."
        ),
    ] = None,
    frames: Annotated[
        str | None,
        typer.Option(help="free: play and step through all frames; or a policy, to show what a model gets."),
    ] = None,
    pool: Annotated[
        Path | None,
        typer.Option(help="Another set of the benchmark, for examples, practice and gold questions."),
    ] = None,
    preset: Annotated[str, typer.Option(help="A published study: rem, saw, ucs, disjoint.")] = "",
    recordings: Annotated[
        int | None,
        typer.Option(
            min=1, help="Use only this many recordings: a third each of short, medium and long ones."
        ),
    ] = None,
    scratchpad: Annotated[bool, typer.Option("--scratchpad", help="Offer a scratchpad.")] = False,
    consent: Annotated[Path | None, typer.Option(help="A text file that people agree to first.")] = None,
    instructions: Annotated[Path | None, typer.Option(help="A text file with the instructions.")] = None,
    name: Annotated[str, typer.Option(help="Name of the study (default: the folder's).")] = "",
    seed: Annotated[int, typer.Option(help="Same seed, same study.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Assign questions to people: each question to the same number of people, each recording as a whole.

    study.json then holds the whole design, with the rule that excludes careless people.
    """
    from situ.benchmarks.dataset import Dataset
    from situ.study.design import CONSENT, INSTRUCTIONS
    from situ.study.make import Wanted, make_study

    wanted = Wanted(
        name or out.name, people, per_person, frames, scratchpad or None, recordings, preset, seed,
        _text(consent, CONSENT), _text(instructions, INSTRUCTIONS),
    )  # fmt: skip
    study = make_study(Dataset.open(dataset), out, wanted, Dataset.open(pool) if pool else None)
    slots = study.assignment.slots
    roles = {"scored", "gold", "repeat", "instructed"}
    counts = {role: sum(place.role == role for slot in slots for place in slot) for role in sorted(roles)}
    questions = len({p.question for slot in slots for p in slot if p.role == "scored"})
    facts = {
        "study": str(out), "people": len(slots), "questions": questions, "each_by": study.design.people,
        "longest_list": max(map(len, slots)), "places": counts, "frames": study.design.frames,
        "practice": len(study.assignment.practice), "exclusion": asdict(study.design.exclusion),
    }  # fmt: skip
    if as_json:
        print_json(facts)
        return
    console.print(
        f"{out}: {len(slots)} people, {questions} questions, each answered by {study.design.people}; lists "
        f"of up to {facts['longest_list']} with {counts['gold']} gold, {counts['repeat']} repeated and "
        f"{counts['instructed']} instructed ones in all"
    )
    if not counts["gold"]:
        console.print("no gold questions: none of the pool has a margin wide enough; give another --pool")
    if study.design.note:
        console.print(study.design.note)
    console.print(f"next: situ study serve {out}")


def _text(file: Path | None, usual: str) -> str:
    if file is None:
        return usual
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read as text ({error})") from error


@app.command()
def serve(
    study: Folder,
    host: Annotated[str, typer.Option(help="Address; beyond this machine with --anybody.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at.")] = 8766,
    anybody: Annotated[bool, typer.Option("--anybody", help="Accept requests from any machine.")] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="Accept requests for this host name; may be repeated."),
    ] = None,
    mturk: Annotated[bool, typer.Option("--mturk", help="Let mturk.com show the page in its frame.")] = False,
    prolific_url: Annotated[str, typer.Option("--prolific-url", help="Prolific's completion link.")] = "",
    code: Annotated[
        str, typer.Option("--completion-code", help="Completion code that people see at the end.")
    ] = "",
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", help="Certificate, with --tls-key.")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", help="Key of the certificate.")] = None,
) -> None:
    """Let people take part in a browser. The same link always leads one person to the same questions.

    Links end in ?PROLIFIC_PID=… or ?workerId=…, as these sites add them, or in ?person=CODE; without one,
    the page asks for a code. Ids are stored as salted hashes. You can stop and restart the server at any
    time; nothing is lost.
    """
    import sys

    from situ.cli.serve import given_tls
    from situ.serve.run import bind
    from situ.serve.run import serve as run
    from situ.serve.study_api import Finish
    from situ.serve.study_app import StudySettings, build_study
    from situ.study.design import Study
    from situ.study.session import Session
    from situ.study.store import Store

    if prolific_url and not prolific_url.startswith("https://"):
        raise BadInput(f"--prolific-url starts with https://, got '{prolific_url[:60]}'")
    opened = Study.open(study)
    settings = StudySettings(host, tuple(allow_host or ()), anybody, mturk, Finish(prolific_url, code))
    app = build_study(Session(opened, Store(study)), settings)
    listening, tls = bind(host, port), given_tls(tls_cert, tls_key)
    address = f"{'https' if tls else 'http'}://{host}:{listening.getsockname()[1]}"
    run(
        app, listening, settings.limits.max_body, tls,
        lambda: print(f"study {opened.design.name} at {address}/?person=CODE", file=sys.stderr, flush=True),
    )  # fmt: skip


@app.command()
def score(
    study: Folder,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Also write a run, for `report` and `compare`.")
    ] = None,
    against: Annotated[
        list[Path] | None, typer.Option("--against", help="A run to compare with, question by question.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Score the people: accuracy, agreement, exclusions, and differences to runs."""
    from situ.evaluation.runs.run_folder import Run
    from situ.study.as_run import against as compared
    from situ.study.as_run import write_run
    from situ.study.design import Study
    from situ.study.score import score as score_study
    from situ.study.store import Store

    opened, store = Study.open(study), Store(study)
    answers = store.answers()
    store.close()
    if not answers:
        raise BadInput(f"nobody has answered yet in {study}; `situ study serve {study}` lets people")
    found = score_study(opened.rows, opened.protocol, answers, opened.design.exclusion)
    runs = [Run.open(folder) for folder in against or ()]
    pairs = {run.name: compared(found, run) for run in runs}
    written = write_run(opened, found, out) if out else None
    if as_json:
        parts = {name: {**asdict(c), "difference": c.difference} for name, c in pairs.items()}
        print_json({**found.to_json(), "against": parts, "run": str(written.folder) if written else None})
        return
    table = Table("people", "answers", "%", "95 % interval", "alpha", box=SIMPLE_HEAD)
    for level in (found.micro, found.macro, *found.tasks):
        agreed = found.agreement.get(level.name) or (found.agreement["all"] if level is found.micro else None)
        bounds = "–" if level.interval is None else " – ".join(f"{100 * b:.1f}" for b in level.interval)
        alpha = "–" if agreed is None or agreed.alpha is None else f"{agreed.alpha:.2f}"
        table.add_row(level.name, str(level.answers), f"{100 * level.value:.1f}", bounds, alpha)
    console.print(table)
    if found.micro.note:
        console.print(f"intervals are {found.micro.note}")
    left_out = [person for person in found.people if person.excluded]
    console.print(
        f"{found.kept} people kept, {len(left_out)} left out by the rule of study.json"
        + "".join(f"; person {p.person}: {', '.join(p.flags)}" for p in left_out)
    )
    ceiling = found.ceiling
    console.print(
        f"together: mean {100 * ceiling.mean:.1f}, majority {100 * ceiling.majority:.1f}"
        + (
            ""
            if ceiling.undisputed is None
            else f", without the {ceiling.disputed} disputed of "
            f"{ceiling.questions} questions {100 * ceiling.undisputed:.1f} (an upper bound: it selects)"
        )
    )
    for leaning in found.leanings:
        if leaning.interval and not leaning.interval.holds(0.0):
            console.print(f"people lean to {leaning.what}: {100 * leaning.value:+.1f} points")
    for timing in found.timing:
        if timing.correlation is not None:
            told = ", ".join(f"{seconds:.0f} s / {100 * right:.0f} %" for seconds, right in timing.thirds)
            console.print(
                f"{timing.task}, thin to wide margins: {told}; rank correlation {timing.correlation:+.2f}"
            )
    for name, c in pairs.items():
        bounds = (
            "too few recordings" if c.interval is None else " – ".join(f"{100 * b:+.1f}" for b in c.interval)
        )
        console.print(f"{name} minus people, {c.questions} questions: {100 * c.difference:+.1f} [{bounds}]")
    if written:
        console.print(f"a run of {len(written.records)} questions in {written.folder}")
        if len(written.records) < len(
            {p.question for s in opened.assignment.slots for p in s if p.role == "scored"}
        ):
            errors.print("some questions have no answer yet; write the run again when the study has ended")
