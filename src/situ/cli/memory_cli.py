"""`situ memory`: look into a memory, export it, merge several, check the file."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table

from situ.cli.common import JsonFlag, console, errors, print_json, progress_bars
from situ.cli.verify import verify_answer
from situ.english import counted
from situ.errors import BadFormat, BadInput
from situ.language.ages import age_in_words
from situ.memory import (
    MemoryState,
    RememberedObject,
    SpatialMemory,
    merge_all,
    merge_memories,
    to_json,
    write_glb,
    write_parquet,
    write_ply,
)
from situ.memory.file.wall_clock import started_at
from situ.memory.upkeep.corrections import name_object
from situ.memory.upkeep.inspection import inspect
from situ.memory.upkeep.repair import copy as copy_memory
from situ.memory.upkeep.repair import repair as repair_memory
from situ.perception.checkpoint import FileCheckpoints
from situ.questions.rules.wearer import full_name

app = typer.Typer(
    add_completion=False,
    help="Inspect a memory, export it, merge several, check the file.",
    no_args_is_help=True,
)
File = Annotated[Path, typer.Argument(help="A memory: NAME.situ.")]
At = Annotated[float | None, typer.Option("--at", help="As of this time, in seconds.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="File to write.")]
WRITERS = {".parquet": write_parquet, ".ply": write_ply, ".glb": write_glb}


@app.command()
def info(memory: File, as_json: JsonFlag = False) -> None:
    """Print how much a memory holds."""
    with SpatialMemory.open(memory, read_only=True) as opened:
        state = opened.state()
        objects = [view for view in state.objects() if view.presence > 0.5]
        facts = {
            "memory": str(memory),
            "bytes": memory.stat().st_size,
            "frames": opened.frames,
            "start_s": opened.history.start,
            "end_s": opened.now,
            "objects": len(objects),
            "kinds": len({view.category for view in objects}),
            "places": len(state.places()),
            "walked_m": round(state.path.length, 1),
            "started": _clock_of(state),
        }
    if as_json:
        print_json(facts)
    else:
        for name, value in facts.items():
            console.print(f"{name.replace('_', ' '):>10}  {value}")


def _clock_of(state: MemoryState) -> str:
    clock = state.wall_clock
    return "not known" if clock is None else f"{clock.at(state.path.start):%Y-%m-%d %H:%M}"


@app.command()
def clock(
    memory: File,
    started: Annotated[
        str, typer.Argument(help="Date and time of day of the first frame: 2026-03-02 09:00.")
    ],
    at: Annotated[
        float | None,
        typer.Option(
            "--at",
            help="The time in the recording that the date belongs to, in seconds (default: the first frame).",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Set the time of day of a memory, so that you can ask "since 3 pm"."""
    with SpatialMemory.open(memory) as opened:
        opened.set_clock(started_at(started), at)
        begins = _clock_of(opened.state())
    _say({"memory": str(memory), "started": begins}, f"{memory} begins at {begins}", as_json)


@app.command()
def objects(memory: File, at: At = None, as_json: JsonFlag = False) -> None:
    """List every object that exists with a probability above one half, and its position."""
    with SpatialMemory.open(memory, read_only=True) as opened:
        state = opened.state(at)
        views = [view for view in state.objects() if view.presence > 0.5]
        if as_json:
            kept = {view.id for view in views}
            print_json([row for row in to_json(state)["objects"] if row["id"] in kept])
            return
        table = Table("id", "object", "x", "y", "z", "spread", "still there", "seen", "last seen")
        for view in views:
            x, y, z = view.box.center
            table.add_row(
                str(view.id), full_name(view), f"{x:.2f}", f"{y:.2f}",
                f"{z:.2f}", f"{view.spread_m:.2f}", f"{view.here:.0%}", str(view.seen_count),
                age_in_words(state.now - _last_seen(state, view)),
            )  # fmt: skip
    console.print(table)


@app.command()
def name(
    memory: File,
    object_id: Annotated[int, typer.Argument(help="Number of the object, as `objects` lists it.")],
    label: Annotated[str, typer.Argument(help='What it is, such as "fruit basket".')],
    as_json: JsonFlag = False,
) -> None:
    """Name an object; from then on you can ask for it by that name."""
    with SpatialMemory.open(memory) as opened:
        name_object(opened, object_id, label)
    facts = {"memory": str(memory), "object": object_id, "name": label.strip()}
    _say(facts, f"object {object_id} is now '{label.strip()}'", as_json)


@app.command()
def path(memory: File, at: At = None, as_json: JsonFlag = False) -> None:
    """Print the wearer's path: time, position and heading of each frame."""
    with SpatialMemory.open(memory, read_only=True) as opened:
        walked = opened.state(at).path
        rows = [
            {"frame": i, "time": float(walked.times[i]), "x": h.x, "y": h.y, "z": h.z, "yaw_deg": h.yaw_deg}
            for i, h in enumerate(walked.headings)
        ]
    if as_json:
        print_json(rows)
        return
    print("frame,time,x,y,z,yaw_deg")
    for row in rows:
        print(",".join(f"{value:g}" for value in row.values()))


@app.command()
def export(memory: File, out: Out, at: At = None, as_json: JsonFlag = False) -> None:
    """Write the objects as JSON, Parquet, PLY (points) or GLB (boxes); the ending of --out decides."""
    if out.suffix not in (".json", *WRITERS):
        raise BadInput(f"cannot export to {out.name}: use one of .json, {', '.join(WRITERS)}")
    with SpatialMemory.open(memory, read_only=True) as opened:
        state = opened.state(at)
        try:
            if out.suffix == ".json":
                out.write_text(json.dumps(to_json(state), indent=1) + "\n", encoding="utf-8")
            else:
                WRITERS[out.suffix](state, out)
        except OSError as error:
            raise BadInput(f"cannot write {out}: {error.strerror}. Choose another --out.") from error
    if as_json:
        print_json({"out": str(out), "bytes": out.stat().st_size})
    else:
        console.print(f"{out}: {out.stat().st_size} bytes")


@app.command()
def forget(
    memory: File,
    thing: Annotated[
        int | None, typer.Option("--object", help="One object by its number, as `objects` lists it.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help='Every object of a kind, such as "passport" or "blue cup".')
    ] = None,
    person: Annotated[str | None, typer.Option(help="Every person and object of this name.")] = None,
    place: Annotated[str | None, typer.Option(help="A place, and everything seen there.")] = None,
    start: Annotated[float | None, typer.Option(help="All from this time on, in seconds.")] = None,
    stop: Annotated[float | None, typer.Option(help="All up to this time, in seconds.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete for good: rows, pictures, embeddings, names. Later answers say that it was deleted."""
    with SpatialMemory.open(memory) as opened:
        erased = opened.forget(thing=thing, kind=kind, person=person, place=place, start=start, stop=stop)
    FileCheckpoints(memory).clear()
    complete = erased.complete or not Path(f"{memory}-wal").exists()
    if as_json:
        print_json({**asdict(erased), "complete": complete})
        return
    console.print(
        f"{memory}: {counted(erased.things, 'object')}, {counted(erased.frames, 'frame')} and "
        f"{counted(erased.pictures, 'picture')} deleted",
        highlight=False,
    )
    if not complete:
        errors.print(
            "note: another program has the memory open; the last bytes are erased when it closes the file",
            highlight=False,
        )


@app.command()
def merge(
    first: File,
    others: Annotated[
        list[Path], typer.Argument(help="Other memories of the same place, in the order they were recorded.")
    ],
    out: Out,
    alignment: Annotated[
        Path | None,
        typer.Option(
            help="With two memories: JSON file with the 4x4 transform from the second world to the first."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Merge memories of the same place into one."""
    if alignment is not None:
        if len(others) > 1:
            raise BadInput("--alignment is of two memories: merge those first, then the others")
        merged = merge_memories(first, others[0], out, _matrix(alignment))
    else:
        with progress_bars() as bars:
            sources = [first, *others]
            merged = merge_all(sources, out, progress=lambda done, total: bars("memories", done, total))
    with merged:
        frames, objects = merged.frames, len(merged.state().objects())
    if as_json:
        print_json({"out": str(out), "frames": frames, "objects": objects})
    else:
        console.print(f"{out}: {counted(frames, 'frame')}, {counted(objects, 'object')}")


@app.command()
def verify(
    memory: Annotated[Path, typer.Argument(help="A memory; with --certificate also a recording.")],
    certificate: Annotated[
        Path | None, typer.Option(help="Output of `situ ask --json`: check this answer instead of the file.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Check the file: its checksum, the database, and every frame.

    With --certificate, run the program of an answer again. On the memory that gave the answer every number
    must come out the same; on a recording the answer must equal the truth. Exit code 1 if it does not, 2 if
    the certificate cannot be checked.
    """
    if certificate is not None:
        verify_answer(certificate, memory, as_json)
        return
    faults, read = [], 0
    try:
        with SpatialMemory.open(memory, read_only=True) as opened:
            faults = inspect(opened)
            read = opened.frames
    except BadFormat as error:
        faults = [str(error)]
    if as_json:
        print_json({"sound": not faults, "faults": faults, "frames_read": read})
    else:
        for fault in faults or [f"sound: {counted(read, 'frame')} read back"]:
            console.print(f"damaged: {fault}" if faults else fault, highlight=False)
    if faults:
        raise typer.Exit(1)


@app.command()
def copy(memory: File, out: Out, as_json: JsonFlag = False) -> None:
    """Copy a memory at any moment, even while it is being written."""
    copy_memory(memory, out)
    size = out.stat().st_size
    _say({"out": str(out), "bytes": size}, f"{out}: {size} bytes", as_json)


@app.command()
def repair(memory: File, out: Out, as_json: JsonFlag = False) -> None:
    """Recover a file that was copied while it was being written, if its parts fit together."""
    repair_memory(memory, out)
    size = out.stat().st_size
    _say({"out": str(out), "bytes": size}, f"{out}: {size} bytes; {memory} is unchanged", as_json)


def _say(facts: dict[str, Any], line: str, as_json: bool) -> None:
    if as_json:
        print_json(facts)
    else:
        console.print(line, highlight=False)


def _last_seen(state: MemoryState, view: RememberedObject) -> float:
    last = next(reversed(state.sightings(view.id)), None)
    return view.last_seen if last is None else last.time


def _matrix(path: Path) -> NDArray[np.float64]:
    try:
        return np.array(json.loads(path.read_text(encoding="utf-8")), dtype=float)
    except (OSError, ValueError) as error:
        raise BadFormat(f"{path} cannot be read as a 4x4 list of lists in JSON ({error})") from error
