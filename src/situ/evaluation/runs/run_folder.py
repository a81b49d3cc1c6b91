"""A run on disk.

RUN/run.json        the run card: what was run, on what, how, and what came of it
RUN/answers.jsonl   one record per question
RUN/notes/          texts made once per recording (captions, narratives)
RUN/inspect*/       logs of the engine, for its own viewer
"""

import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from situ import __version__
from situ.benchmarks.dataset import Dataset, write_atomically
from situ.english import counted
from situ.errors import BadFormat, BadInput, Refused
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.protocols.base import Protocol
from situ.evaluation.records.answer import AnswerRecord, Status, read_records
from situ.file_locks import fcntl

_log = logging.getLogger(__name__)
FORMAT, VERSION = "situ-run", 1
CARD, ANSWERS, NOTES, LOGS = "run.json", "answers.jsonl", "notes", "inspect"
# What must be equal for a run to be continued.
_IDENTITY = (
    "dataset_hash", "who", "strategy", "frames", "protocol", "parser", "prompt", "seed", "models", "regraded",
    "max_tokens", "temperature", "top_p", "reasoning_effort", "base_url", "model_args",
    "memories", "stage_prompts", "proxy_thinking",
)  # fmt: skip
_NEEDED = ("dataset", "dataset_hash", "who", "strategy", "frames", "protocol", "parser", "prompt")


@dataclass(frozen=True)
class Run:
    """A run, finished or not; most are opened for their answers, reports list those that have none too."""

    folder: Path
    card: Mapping[str, Any]

    @classmethod
    def open(cls, folder: str | Path) -> "Run":
        folder = Path(folder)
        card = read_card(folder)
        if not _has_answers(folder):
            raise BadInput(f"{folder} has no answers yet. Run the same `situ eval` command again to go on.")
        return cls(folder, card)

    @cached_property
    def records(self) -> tuple[AnswerRecord, ...]:
        return tuple(read_records(self.folder / ANSWERS)) if _has_answers(self.folder) else ()

    @property
    def name(self) -> str:
        """Who answered, how, and from which frames where these are not their usual ones."""
        parts = [str(self.card["who"])]
        if self.card["strategy"] not in ("", "direct"):
            parts.append(str(self.card["strategy"]))
        if self.card["frames"] != (self.card.get("own_frames") or self.protocol.frames):
            parts.append(f"frames {self.card['frames']}")
        return ", ".join(parts)

    @property
    def unfinished(self) -> str:
        """How far a run came that has not ended: "unfinished: 60 of 154 questions"; empty if it has."""
        asked = int(self.card.get("questions", 0))
        if self.card.get("complete") and len(self.records) >= asked:
            return ""
        return f"unfinished: {len(self.records)} of {counted(asked, 'question')}"

    @property
    def protocol(self) -> Protocol:
        return protocol_of(str(self.card["protocol"]))

    def dataset(self, moved_to: Path | None = None) -> Dataset | None:
        """The question set, where it is still at its place (or at a new one) and still the same."""
        try:
            found = Dataset.open(moved_to or self.card["dataset"])
        except BadInput:
            return None
        return found if found.manifest.get("content_hash") == self.card["dataset_hash"] else None


def _has_answers(folder: Path) -> bool:
    path = folder / ANSWERS
    return path.is_file() and path.stat().st_size > 0


def read_card(folder: Path) -> dict[str, Any]:
    path = folder / CARD
    if not path.is_file():
        raise BadInput(f"{folder} is not a run (no {CARD}). Make one with `situ eval`.")
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadFormat(f"{path} is not JSON ({error})") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise BadFormat(f"{path} does not describe a {FORMAT}")
    if card.get("version", 0) > VERSION:
        raise BadFormat(
            f"{path} has version {card['version']}; this situ reads up to {VERSION}. Update situ."
        )
    missing = [name for name in _NEEDED if not isinstance(card.get(name), str)]
    if missing:
        raise BadFormat(f"{path} does not say its {', '.join(missing)}; it is not a run card of situ's")
    return card


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, "situ": __version__, **card}, indent=1, sort_keys=True
    )
    write_atomically(folder / CARD, (text + "\n").encode())


def prepare(folder: Path, card: Mapping[str, Any]) -> bool:
    """Make the folder ready for a run; True if the run is already finished.

    A folder that holds another run, or something else, is left alone. A run over the first questions of a set
    may be taken further; its card then tells of more questions.
    """
    if not (folder / CARD).exists():
        if folder.is_file():
            raise BadInput(f"{folder} is a file; --out names the folder of a run")
        if folder.exists() and any(folder.iterdir()):
            raise Refused(f"{folder} is not empty and holds no run. Choose another --out.")
        folder.mkdir(parents=True, exist_ok=True)
        write_card(folder, {**card, "complete": False})
        return False
    old = read_card(folder)
    differing = [name for name in _IDENTITY if (old.get(name) or None) != (card.get(name) or None)]
    if differing:
        told = "; ".join(
            f"its {name.replace('_', ' ')} is {old.get(name)!r}, asked for was {card.get(name)!r}"
            for name in differing
        )
        raise Refused(f"{folder} holds another run: {told}. Choose another --out.")
    had, asked = int(old.get("questions", 0)), int(card["questions"])
    if asked < had:
        raise Refused(
            f"{folder} holds a run over {had} questions, asked for were {asked}. A run can be taken further, "
            "not cut: choose another --out, or a larger --limit."
        )
    if old["dataset"] != card["dataset"]:  # the same questions at another place
        old = {**old, "dataset": card["dataset"]}
        write_card(folder, old)
    if asked > had:
        write_card(folder, {**old, "questions": asked, "limit": card["limit"], "complete": False})
        return False
    return bool(old.get("complete"))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep a run to oneself: two processes would write every answer twice. Refused where another has it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                f"another process is answering into {folder}. Wait for its end, or choose another --out."
            ) from None
        except OSError as error:  # a file system without locks
            _log.debug("%s is not locked: %s", folder, error)
        yield
    finally:
        os.close(handle)


def answered(
    folder: Path, without_failed: bool = False, order: Sequence[str] = ()
) -> dict[str, AnswerRecord]:
    """The answers of a run by question; a line that was cut short or written twice is dropped for good.

    Where an order is given, those that it names are put first, in that order.
    """
    path = folder / ANSWERS
    found = {record.id: record for record in read_records(path)} if path.is_file() else {}
    if without_failed:
        found = {name: record for name, record in found.items() if record.status is not Status.ERROR}
    found = {name: found[name] for name in dict.fromkeys([*order, *found]) if name in found}
    lines = "".join(json.dumps(record.to_json(), sort_keys=True) + "\n" for record in found.values())
    write_atomically(path, lines.encode())
    return found


def find_runs(folders: Sequence[Path]) -> list[Run]:
    """The runs in the folders given, and in all folders inside them; those without answers too."""
    runs: list[Run] = []
    for folder in folders:
        if (folder / CARD).is_file():
            runs.append(Run(folder, read_card(folder)))
        elif folder.is_dir():
            inside = sorted(path.parent for path in folder.rglob(CARD))
            runs += [Run(path, read_card(path)) for path in inside]
        else:
            raise BadInput(f"there is no folder {folder}")
    if not runs:
        raise BadInput(f"no run in {', '.join(map(str, folders))}. Make one with `situ eval`.")
    return runs
