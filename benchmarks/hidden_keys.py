"""Sets published with their keys kept back: what of a key, a program or a world is in the public folder.

    python -m benchmarks.hidden_keys [--seed 987654321]

A small set of every benchmark is published with --hide-keys and searched, file by file: text, tables with the
notes in their heads, and pictures. Then replies are graded by the private folder, and the score is compared
with that of the set itself.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.make import Recipe, make_dataset
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.evaluation.models.stored_replies import Stored, score_replies
from situ.evaluation.runs.job import Settings
from situ.evaluation.runs.summary import summarise
from situ.publishing.publish import publish

SHOWN = {"id", "item", "task", "question", "options", "prompt", "time", "frames"}
TELLING = ("margin", "strata", "stratum", "evidence", "T_world", "scene", "selector", "program", "seed")


def recipes(seed: int) -> dict[str, Recipe]:
    size: dict[str, Any] = {"width": 96, "height": 72}
    return {
        "rem": RemRecipe("mini", scale=2 / 18, seed=seed, **size),
        "saw": SawRecipe(scale=0.004, seed=seed, fps=2, **size),
        "ucs": UcsRecipe(scale=0.001, seed=seed, hours=0.1, questions=12, **size),
        "disjoint": DisjointRecipe(scale=0.001, seed=seed, **size),
        "narratives": NarrativeRecipe(scale=0.01, seed=seed, **size),
    }


def leaks(made: Dataset, public: Path) -> Iterator[str]:
    """Everything in a public folder that belongs to the keys or to the worlds, in words."""
    opened = pq.ParquetFile(public / "data" / "test.parquet")
    table = opened.read()
    if extra := set(table.column_names) - SHOWN:
        yield f"the table has the columns {', '.join(sorted(extra))}"
    rows = {row["id"]: row for row in table.to_pylist()}
    if set(rows) != {row.id for row in made.questions}:
        yield "the table does not have the questions of the set"
    pictures = [frame for row in rows.values() for frame in row.pop("frames")]
    for picture in pictures:
        head = picture["bytes"][:4096]
        if b"Exif" in head or b"\xff\xfe" in head[: head.find(b"\xff\xda")]:
            yield "a picture has notes in its head"
            break
    notes = " ".join(f"{k!r} {v!r}" for k, v in (opened.schema_arrow.metadata or {}).items())
    files = [path for path in public.rglob("*") if path.is_file() and path.suffix != ".parquet"]
    text = "\n".join([json.dumps(list(rows.values())), notes, *(path.read_text("utf-8") for path in files)])
    raw = b"".join(path.read_bytes() for path in public.rglob("*") if path.is_file())
    seed = str(made.manifest["recipe"]["seed"])
    if seed in text or seed.encode() in raw:
        yield "the seed is told"
    for word in TELLING:
        if f'"{word}"' in text or f"{word}:" in notes:
            yield f"'{word}' is told"
    with next(public.glob("vlmevalkit/*.tsv")).open(encoding="utf-8") as file:
        if "answer" in file.readline().split("\t"):
            yield "the table of VLMEvalKit has answers"
    yield from _of_rows(made, rows, text)


def _of_rows(made: Dataset, rows: dict[str, dict[str, Any]], text: str) -> Iterator[str]:
    for row in made.questions:
        if row.program and json.dumps(row.program, sort_keys=True) in text:
            yield f"the program of {row.id} is told"
        if row.margin and repr(row.margin) in text and len(repr(row.margin)) > 6:
            yield f"the margin of {row.id} is told"
        for name, value in row.strata.items():
            if json.dumps({name: value})[1:-1] in text:
                yield f"the stratum {name} of {row.id} is told"
        shown = rows[row.id]
        if row.options and any(shown[cell] == row.answer for cell in ("question", "prompt", "task", "item")):
            yield f"the key of {row.id} stands in a cell of its own"
    for item in {row.item for row in made.questions}:
        for thing in made.recording(item).objects.values():
            centre = () if thing.box is None else thing.box.center
            told = any(len(repr(part)) > 8 and repr(part) in text for part in centre)
            if told or (centre and json.dumps(list(centre)) in text):
                yield f"the place of '{thing.category}' in {item} is told"


def graded_alike(made: Dataset, private: Path, work: Path) -> tuple[float, float]:
    """The score of the same replies by the set itself and by the private folder."""
    replies = {
        row.id: row.options[len(row.id) % len(row.options)] if row.options else "2" for row in made.questions
    }
    scores = []
    for name, by in (("whole", made), ("kept", Dataset.open(private))):
        run = score_replies(by, "x", Stored(replies, {}), Settings(), work / name)
        scores.append(summarise(run.protocol, run.records, by.questions).overall.value)
    return scores[0], scores[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=987654321)
    given = parser.parse_args()
    for name, recipe in recipes(given.seed).items():
        with tempfile.TemporaryDirectory(prefix="situ-hidden-") as folder:
            work = Path(folder)
            made = make_dataset(recipe, work / "set")
            done = publish(made, work / "public", hide_keys=True, frames="uniform:4")
            assert done.private is not None
            told = list(leaks(made, work / "public"))
            scores = graded_alike(made, done.private, work)
            print(
                json.dumps({"set": name, "questions": len(made.questions), "leaks": told, "scores": scores})
            )


if __name__ == "__main__":
    main()
