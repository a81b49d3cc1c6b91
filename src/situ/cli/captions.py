"""`situ lab captions`: camera-motion captions against references, with controls."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.benchmarks.official.fields import first_of
from situ.benchmarks.official.records import read_records
from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadInput
from situ.evaluation.captions.scores import METRICS, score_captions

ID = ("id", "video", "video_name", "name", "path")
TEXT = ("caption", "text", "prediction", "reference", "answer")


def captions(
    references: Annotated[Path, typer.Argument(help="JSON, JSON lines, CSV or Parquet with id and caption.")],
    predictions: Annotated[Path, typer.Argument(help="The captions to score, by the same ids.")],
    metric: Annotated[
        list[str] | None, typer.Option(help=f"Any of {', '.join(METRICS)}; all if none.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Score captions, beside a constant caption and beside shuffled references.

    A system that does not beat both controls has not looked. Exit code 1 if it beats them in no metric.
    """
    theirs, ours = read_texts(references), read_texts(predictions)
    missing = sorted(set(theirs) - set(ours))
    if missing:
        raise BadInput(
            f"{predictions} has no caption for {len(missing)} of {len(theirs)} references, the first: "
            f"{missing[0]}. Give an empty one where a system said nothing"
        )
    ids = sorted(theirs)
    found = score_captions([theirs[i] for i in ids], [ours[i] for i in ids], tuple(metric or METRICS))
    if as_json:
        print_json(
            {"captions": len(ids), "metrics": [{**asdict(m), "beats": m.beats_controls} for m in found]}
        )
    else:
        table = Table()
        for name in ("metric", "score", "constant caption", "shuffled", "beats both", "formula"):
            table.add_column(name, justify="right" if name not in ("metric", "formula") else "left")
        for m in found:
            figures = (f"{m.score:.3f}", f"{m.constant:.3f}", f"{m.shuffled:.3f}")
            table.add_row(m.metric, *figures, "yes" if m.beats_controls else "no", m.formula)
        console.print(table)
    if not any(m.beats_controls for m in found):
        raise typer.Exit(1)


def read_texts(path: Path) -> dict[str, str]:
    """Texts by id: records with an id and a text, or one object that maps ids to texts."""
    found: dict[str, str] = {}
    for number, record in enumerate(read_records(path), 1):
        if not isinstance(record, Mapping):
            raise BadInput(f"{path}, record {number} is no object with an id and a caption")
        name, text = first_of(record, ID), next((record[n] for n in TEXT if n in record), None)
        if name is not None and text is not None:
            pairs = {str(name): str(text or "")}
        elif all(isinstance(value, str) for value in record.values()):
            pairs = {str(key): str(value) for key, value in record.items()}
        else:
            raise BadInput(f"{path}, record {number} needs a field {'/'.join(ID)} and one {'/'.join(TEXT)}")
        repeated = set(pairs) & set(found)
        if repeated:
            raise BadInput(f"{path} has two captions for {sorted(repeated)[0]}")
        found |= pairs
    return found
