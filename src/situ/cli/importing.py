"""`situ import`: published question sets, and real recordings, into situ's format."""

from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.official.layouts import LAYOUTS, REFUSED, ImportOptions, import_set
from situ.benchmarks.official.tables import COLUMNS
from situ.cli.common import JsonFlag, console, errors, print_json, progress_bars, told_of
from situ.english import counted
from situ.errors import BadInput, unknown
from situ.perception.naming import import_named
from situ.recording.formats.registry import FORMATS, format_of, import_batch

_KINDS = f"A question set ({', '.join(LAYOUTS)}) or a recording ({', '.join(FORMATS)})."
MOST_TOLD = 20
AUTO = "auto"


def _list(show: bool) -> None:
    """The kinds, and what lies in a source of each."""
    if not show:
        return
    for name, layout in LAYOUTS.items():
        console.print(f"{name:12} questions   {layout.about}")
    for name, kind in FORMATS.items():
        marks = " and ".join("/".join(group[:2]) for group in kind.marks) or ", ".join(kind.suffixes)
        console.print(f"{name:12} recording   {kind.about}; known by {marks}")
    raise typer.Exit


def import_data(
    name: Annotated[
        str,
        typer.Argument(metavar="KIND", help=f"{_KINDS} --list describes each; auto recognises recordings."),
    ],
    source: Annotated[
        str, typer.Argument(help="A folder or file; for a question set also its name on the hub.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new set, recording or recordings.")],
    media: Annotated[
        Path | None, typer.Option(help="Question sets: another folder with the videos or pictures.")
    ] = None,
    split: Annotated[str, typer.Option(help="Question sets: only tables with this in their name.")] = "",
    fps: Annotated[
        float | None,
        typer.Option(help="Question sets: frames to keep per second of video (default: the benchmark's)."),
    ] = None,
    width: Annotated[int | None, typer.Option(help="Question sets: pictures at most this wide.")] = None,
    words_only: Annotated[
        bool, typer.Option("--words-only", help="Question sets: without videos or pictures.")
    ] = False,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--map", help="Plain tables: which column holds what, such as question=frage; may be repeated."
        ),
    ] = None,
    things: Annotated[
        Path | None,
        typer.Option(
            help="Recordings: CSV file with clicks that name objects of an RGB-D source: label,frame,x,y."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Question sets: processes.")] = 1,
    force: Annotated[
        bool, typer.Option("--force", help="Delete a question set that is already there.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--list", callback=_list, is_eager=True, help="List all kinds and exit.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Import a published question set or a real recording.

    The kind `auto` recognises the format of a recording by its files. `eval`, `report`, `compare` and `audit`
    take an imported set like any other. A record that breaks a rule is refused, with the reason; the others
    are imported. An imported recording is z-up with OpenCV cameras. Exit code 1 if anything was refused.
    """
    if name == AUTO:
        name = format_of(Path(source))
    if name in LAYOUTS:
        named = _columns(columns or [])
        options = ImportOptions(media, split, fps, width, words_only, jobs, force, named)
        _import_set(name, source, out, options, as_json)
    elif name in FORMATS:
        _import_recordings(name, Path(source), out, things, as_json)
    else:
        raise unknown("kind", name, [*LAYOUTS, *FORMATS], "`situ import --list` says what each is")


def _columns(given: list[str]) -> dict[str, str]:
    """What `--map` says: our name of a column, and the table's own."""
    named = {}
    for text in given:
        ours, equals, own = text.partition("=")
        if not (equals and own and ours in COLUMNS):
            known = ", ".join(COLUMNS)
            raise BadInput(f"--map takes a name of {known} and the table's own, question=frage; got {text!r}")
        named[ours] = own
    return named


def _import_set(name: str, source: str, out: Path, options: ImportOptions, as_json: bool) -> None:
    with progress_bars() as report:
        made = import_set(name, source, out, options, report)
    dataset, problems = made.dataset, made.problems
    if as_json:
        refused = [{"id": p.id, "broke": p.what} for p in problems]
        counts = {"questions": len(dataset.questions), "items": len(dataset.items)}
        print_json(
            {"set": str(out), "content_hash": dataset.manifest["content_hash"], **counts, "refused": refused}
        )
    else:
        words = f"{out}: {told_of(dataset)}"
        console.print(words, markup=False, soft_wrap=True)
        for problem in problems[:MOST_TOLD]:
            errors.print(f"refused {problem.id}: {problem.what}", markup=False)
        if problems:
            told = f"{len(problems)} records were refused; all are listed in {out / REFUSED}"
            errors.print(told, markup=False)
    if problems:
        raise typer.Exit(1)


def _import_recordings(name: str, path: Path, out: Path, things: Path | None, as_json: bool) -> None:
    report = import_batch(name, path, out) if things is None else import_named(name, path, things, out)
    done = [
        {
            "out": str(r.out),
            "frames": r.frames,
            "objects": r.objects,
            "skipped": r.skipped,
            "conventions": r.conventions,
        }
        for r in report.done
    ]
    if as_json:
        print_json({"imported": done, "failed": list(report.failed)})
    for imported in report.done if not as_json else ():
        console.print(f"{imported.out}: {imported.frames} frames, {counted(imported.objects, 'object')}")
        for line in imported.conventions:
            console.print(f"  {line}")
        for reason in imported.skipped:
            errors.print(f"left out: {reason}", markup=False)
    for reason in report.failed if not as_json else ():
        errors.print(f"failed: {reason}", markup=False)
    if report.failed:
        raise typer.Exit(1)
