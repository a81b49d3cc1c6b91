"""Rows of a training set: media, prompt and answer.

DIR/manifest.json   recipe and content of the set (counts, hashes of worlds)
DIR/rows.jsonl      one example per line
DIR/media/…         frames as JPEG files, referenced by the rows
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, BadInput

ROWS, MANIFEST, MEDIA = "rows.jsonl", "manifest.json", "media"
PLACEHOLDERS = {"video": "<video>", "image": "<image>"}
SHOWN = "shown"  # key of `about`: frames that clearly show each object of a question
FROM_SET = "from_set"  # key of `about`: the question set that an example comes from
KINDS = ("narrative", "image_qa", "views_qa", "video_qa")


@dataclass(frozen=True)
class Medium:
    """A video (frames at `fps`) or a single image; paths are relative to the folder of the set."""

    kind: str
    frames: tuple[str, ...]
    width: int
    height: int
    fps: float = 0.0

    def at_most(self, fps: float) -> "Medium":
        """The video thinned to this frame rate, with at least two frames."""
        if self.kind != "video" or self.fps <= fps:
            return self
        count = max(2, round(len(self.frames) * fps / self.fps))
        last = len(self.frames) - 1
        kept = tuple(self.frames[round(i * last / (count - 1))] for i in range(count))
        return Medium(self.kind, kept, self.width, self.height, self.fps * count / len(self.frames))


@dataclass(frozen=True)
class TrainingRow:
    """One example. `prompt` contains one placeholder per medium, in order.

    `world`: hash of the world shown. `motions`: classes of camera motion in the answer. `template`: number of
    the prompt's wording. `letter`: the correct option of a multiple choice.
    """

    id: str
    kind: str
    media: tuple[Medium, ...]
    prompt: str
    answer: str
    world: str
    motions: tuple[str, ...] = ()
    template: int = -1
    letter: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "TrainingRow":
        data = json.loads(line)
        data["media"] = tuple(
            Medium(**{**medium, "frames": tuple(medium["frames"])}) for medium in data["media"]
        )
        data["motions"] = tuple(data.get("motions", ()))
        return cls(**data)


def write_rows(folder: Path, rows: Iterable[TrainingRow]) -> None:
    partial = folder / f".{ROWS}.partial"
    with partial.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(row.to_json() + "\n")
    partial.replace(folder / ROWS)


def read_rows(folder: Path) -> Iterator[TrainingRow]:
    """Examples of a set; an invalid line raises with its number."""
    path = folder / ROWS
    if not path.is_file():
        raise BadInput(f"{folder} holds no training set (no {ROWS}). Make one with `situ train data`.")
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield TrainingRow.from_json(line)
            except (ValueError, TypeError, KeyError) as error:
                raise BadFormat(f"{path}, line {number} is no training example ({error})") from error


def read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    if not path.is_file():
        raise BadInput(f"{folder} holds no training set (no {MANIFEST}). Make one with `situ train data`.")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadFormat(f"{path} is not JSON ({error}). Make the set again.") from error
    return dict(manifest)
