"""The published sets that can be imported, by name, and how."""

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from situ.benchmarks.dataset import Dataset, write_atomically
from situ.benchmarks.deleting import delete_set
from situ.benchmarks.disjoint.official import recordings_below
from situ.benchmarks.disjoint.real import RealDisjointRecipe
from situ.benchmarks.make import Progress, make_dataset
from situ.benchmarks.official import spar
from situ.benchmarks.official.collection import Collection, Problem
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.hub import local_folder
from situ.benchmarks.official.recipe import ImportedRecipe
from situ.benchmarks.official.tables import read_table
from situ.benchmarks.openeqa.official import read_official as read_openeqa
from situ.benchmarks.ovos import official as ovos
from situ.benchmarks.rem.official import read_official as read_rem
from situ.benchmarks.saw import official as saw
from situ.benchmarks.ucs import official as ucs
from situ.benchmarks.vsi import official as vsi
from situ.errors import BadInput, Refused, Unanswerable

REFUSED = "refused.jsonl"
VIDEO_WIDTH = 960
Reader = Callable[..., Collection]


@dataclass(frozen=True)
class Layout:
    """How a set is read, what it is, its name on the hub, and the frames a second that are kept of videos."""

    read: Reader | None
    about: str
    hub_id: str = ""
    fps: float | None = None


def _table(benchmark: str) -> Reader:
    return partial(read_table, benchmark=benchmark)


LAYOUTS: dict[str, Layout] = {
    "saw": Layout(saw.read_official, "SAW-Bench: table and videos", saw.HUB_ID, 2.0),
    "ucs": Layout(ucs.read_official, "UCS-Bench: either schema and its streams", ucs.HUB_ID, 1.0),
    "rem": Layout(read_rem, "REM: NNNN-run folders and tables of questions"),
    "disjoint": Layout(None, "DISJOINT-3DQA's questions over Aria, ScanNet or other recordings"),
    "vsi": Layout(vsi.read_official, "VSI-Bench: questions, videos, boxes", vsi.HUB_ID, 2.0),
    "openeqa": Layout(read_openeqa, "OpenEQA: open-eqa-v0.json and episode frames"),
    "ovos": Layout(ovos.read_official, "OVO-S-Bench: its table and streams", ovos.HUB_ID, 4.0),
    "spbench": Layout(_table("spbench"), "SPBench: single images and views", "hongxingli/SPBench", 2.0),
    "viewspatial": Layout(_table("viewspatial"), "ViewSpatial-Bench", "lidingm/ViewSpatial-Bench", 2.0),
    "cvbench": Layout(_table("cvbench"), "CV-Bench: 2D and 3D questions", "nyu-visionx/CV-Bench"),
    "spar": Layout(
        partial(read_table, benchmark="spar", prepared=spar.prepared),
        "SPAR-Bench: options in the question, three levels",
        "jasonzhango/SPAR-Bench",
        2.0,
    ),
    "camerabench": Layout(_table("camerabench"), "CameraBench: questions on clips", "syCen/CameraBench", 8.0),
    "table": Layout(
        _table("table"), "any table with question, answer, options and pictures or videos", "", 2.0
    ),
}


@dataclass(frozen=True)
class ImportOptions:
    """`media` is another folder with videos or pictures, `split` a part of a table's name."""

    media: Path | None = None
    split: str = ""
    fps: float | None = None
    width: int | None = None
    words_only: bool = False
    jobs: int = 1
    force: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)  # own names of a table's columns, by ours


@dataclass(frozen=True)
class ImportedSet:
    """The set, and the records that were refused with the rule that each broke."""

    dataset: Dataset
    problems: tuple[Problem, ...]


def import_set(
    name: str, source: str, out: Path, options: ImportOptions, progress: Progress | None = None
) -> ImportedSet:
    """Make a question set of published data; it is complete or it is not there."""
    if name not in LAYOUTS:
        raise BadInput(f"unknown layout '{name}'; known are {', '.join(LAYOUTS)}")
    layout = LAYOUTS[name]
    folder = local_folder(source or layout.hub_id, layout.hub_id)
    if out.exists() and folder.resolve() in (out.resolve(), *out.resolve().parents):
        raise Refused(f"{out} lies inside the data that is read; choose another --out")
    if layout.read is None:
        return _over_recordings(folder, out, options, progress)
    if options.columns and name != "table":
        raise BadInput(f"--map names the columns of a plain table; {name} has columns of its own")
    files = SourceFiles(folder, options.media, options.columns)
    collection = layout.read(files, options.words_only, options.split)
    fps = options.fps if options.fps is not None else layout.fps
    width = options.width if options.width is not None else (VIDEO_WIDTH if layout.fps else None)
    recipe = ImportedRecipe(collection, Path(source or layout.hub_id).name, fps, width)
    dataset = make_dataset(recipe, out, options.jobs, options.force, progress)
    lines = [json.dumps({"id": p.id, "broke": p.what}) + "\n" for p in collection.problems]
    write_atomically(out / REFUSED, "".join(lines).encode())
    return ImportedSet(dataset, collection.problems)


def _over_recordings(
    source: Path, out: Path, options: ImportOptions, progress: Progress | None
) -> ImportedSet:
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".import-", dir=out.parent) as staging:
        recordings, left_out = recordings_below(source, Path(staging))
        recipe = RealDisjointRecipe(tuple(recordings))
        try:
            dataset = make_dataset(recipe, out, options.jobs, options.force, progress)
        except Unanswerable:  # nothing can be asked: going on would not help, and copies are no set
            delete_set(out)
            out.rmdir()
            raise
    return ImportedSet(dataset, tuple(Problem(*words.split(": ", 1)) for words in left_out))
