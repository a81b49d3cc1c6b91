"""Rows of a published set with their media, and what was refused and why."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.media import Media, seconds_of
from situ.benchmarks.official.names import safe_name
from situ.errors import BadInput

LATE_S = 1.0  # a video's last frame begins a moment before its end; times are rounded to whole seconds


@dataclass(frozen=True)
class Problem:
    """What is wrong with one record."""

    id: str
    what: str


@dataclass(frozen=True)
class Draft:
    """A row as its file tells it: `row.item` is the name there, `spans` are the seconds that decide it.

    `lacking` says what was looked for where there are no media.
    """

    row: QuestionRow
    media: Media | None = None
    spans: tuple[tuple[float, float], ...] = ()
    lacking: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    name: str
    media: Media | None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Collection:
    """A published set that is ready to be written."""

    benchmark: str
    items: tuple[Item, ...]
    drafts: tuple[Draft, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def rows(self) -> tuple[QuestionRow, ...]:
        return tuple(draft.row for draft in self.drafts)


Read = Callable[[Mapping[str, Any], str, Path], Draft]  # record, name for one that has no id, its file


def gather(
    benchmark: str,
    files: SourceFiles,
    tables: Iterable[tuple[Path, list[Mapping[str, Any]]]],
    read: Read,
    words_only: bool = False,
) -> Collection:
    """Every record read or refused. A bad record costs itself, not its file."""
    found = _Gathering(words_only)
    for path, records in tables:
        for number, record in enumerate(records, 1):
            found.add(record, f"{path.stem}-{number}", path, read)
    missing = [p for p in found.problems if p.what.startswith(NO_MEDIA)]
    if missing and not found.drafts:
        raise BadInput(
            f"none of the {len(missing)} questions has its pictures ({missing[0].what}; {len(files)} media "
            f"files are below {files.source}). Download them and give their folder with --media, or take "
            "the words alone with --words-only"
        )
    if not found.drafts:
        raise BadInput(f"{files.source}: no record could be used; the first: {_told(found.problems)}")
    items = tuple(Item(name, *found.items[name]) for name in sorted(found.items))
    return Collection(benchmark, items, tuple(found.drafts), tuple(found.problems))


NO_MEDIA = "its pictures are not there"


class _Gathering:
    def __init__(self, words_only: bool) -> None:
        self.words_only = words_only
        self.drafts: list[Draft] = []
        self.problems: list[Problem] = []
        self.items: dict[str, tuple[Media | None, Mapping[str, Any]]] = {}
        self._known: dict[str, str] = {}
        self._lengths: dict[str, float | None] = {}

    def add(self, record: Any, name: str, path: Path, read: Read) -> None:
        try:
            if not isinstance(record, Mapping):
                raise BadInput("it is not an object with fields")
            name = str(record.get("qid") or record.get("question_id") or record.get("id") or name)
            draft = read(record, name, path)
            name = draft.row.id
            if not draft.row.task:
                draft = replace(draft, row=replace(draft.row, task="all"))
            content = json.dumps([draft.row.text, draft.row.options, draft.row.answer, draft.row.item])
            if self._known.get(name) == content:
                return  # the same question in another file of the set
            if name in self._known:
                raise BadInput("its id was used before, for another question")
            self._take(draft)
            self._known[name] = content
        except BadInput as error:
            self.problems.append(Problem(name, str(error)))
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
            # Foreign fields can be of any kind; what a reader did not expect costs the record alone.
            self.problems.append(Problem(name, f"a field is not of the kind expected ({error})"))

    def _take(self, draft: Draft) -> None:
        _check_row(draft.row)
        item = safe_name(draft.row.item)
        media = None if self.words_only else draft.media
        if media is None and not self.words_only:
            raise BadInput(f"{NO_MEDIA}: {draft.lacking or draft.row.item}")
        if draft.row.time is not None and media is not None:
            if item not in self._lengths:
                self._lengths[item] = seconds_of(media)
            length = self._lengths[item]
            if length is not None and draft.row.time > length + LATE_S:
                raise BadInput(f"it is asked at {draft.row.time:g} s, but the video lasts {length:g} s")
        self.items.setdefault(item, (media, draft.meta))
        self.drafts.append(replace(draft, row=replace(draft.row, item=item)))


def _check_row(row: QuestionRow) -> None:
    """Rules that hold for every question, whoever published it."""
    if not row.text.strip() or not row.answer.strip():
        raise BadInput("it has no question or no answer")
    if not row.options:
        return
    if len(row.options) < 2 or not all(option.strip() for option in row.options):
        raise BadInput("it needs at least two options, none of them empty")
    if len({option.strip().lower() for option in row.options}) != len(row.options):
        raise BadInput("two of its options are the same")
    if row.answer not in row.options:
        raise BadInput(f"its answer '{row.answer[:60]}' is not one of its options")


def _told(problems: Iterable[Problem]) -> str:
    return "; ".join(f"{p.id}: {p.what}" for p in list(problems)[:3])
