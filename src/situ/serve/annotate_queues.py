"""The queues that are served, by name: the only way from a name in a request to a file."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from situ.annotate.annotation import Annotation
from situ.annotate.refining import draft, report
from situ.annotate.rules import BAD, near_duplicates
from situ.annotate.sources import Media, Source
from situ.annotate.store import Store, Stored
from situ.errors import BadInput
from situ.serve.failure import not_found
from situ.serve.guard import CALLER
from situ.serve.library import Served

_NAME = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")
_MOST_HISTORY = 30


class Queue:
    """One queue with its media, and what is told of its items."""

    def __init__(self, name: str, path: Path, beside: Iterable[Served] = ()) -> None:
        self.name, self._beside = name, {memory.name: memory for memory in beside}
        self.store = Store.open(path)
        self.media = Media(self.store)
        self.training = bool(self.store.meta.get("training"))
        self._memories: dict[str, Served] = {}
        self._rows: dict[str, tuple[int, str]] = {}

    @property
    def hidden(self) -> dict[str, str]:
        """What an error must not say of this machine, and what it says instead."""
        return {str(self.store.path.resolve().parent): "…", str(self.store.path): self.name}

    def source(self, name: str) -> Source:
        if name not in self.media.sources:
            raise not_found("the queue has no such source")
        return self.media.get(name)

    def row(self, stored: Stored) -> str:
        """What lists and timelines show of an item, as JSON: written once for each version of it. Times are
        for drawing, so a millisecond will do."""
        item = stored.annotation
        known = self._rows.get(item.id)
        if known is None or known[0] != stored.version:
            found = report(item, self.media.get(item.source))
            row = {
                "id": item.id, "version": stored.version, "source": item.source, "status": item.status,
                "label": item.label, "time": None if item.time is None else round(item.time, 3),
                "spans": [(round(a, 3), round(b, 3)) for a, b in item.spans], "question": item.question,
                "qtype": item.qtype, "category": item.category,
                "bad": [finding.rule for finding in found if finding.level == BAD],
            }  # fmt: skip
            known = self._rows[item.id] = stored.version, json.dumps(row, allow_nan=False)
        return known[1]

    def whole(self, stored: Stored) -> dict[str, Any]:
        """An item with its report, near-duplicates and history."""
        item = stored.annotation
        found = report(item, self.media.get(item.source))
        near = near_duplicates(item, [s.annotation for s in self.store.all(item.source)])
        history = [
            {"seq": line.seq, "version": line.version, "by": line.by, "action": line.action, "at": line.at,
             "reason": line.reason, "fields": sorted(line.change)}
            for line in self.store.log(item.id)[-_MOST_HISTORY:]
        ]  # fmt: skip
        return {
            **plain(stored), "report": [vars(finding) for finding in found],
            "near": [vars(one) for one in near], "history": history,
        }  # fmt: skip

    def memory(self, source: str) -> Served | None:
        """The memory that drafts answers about a source: the one that the queue was made with, or one that is
        served beside it under the source's name."""
        if source not in self._memories and (path := self.media.memory(source)) is not None:
            return self._memories.setdefault(source, Served(source, path))
        return self._memories.get(source) or self._beside.get(source)

    def draft(self, item: Annotation) -> dict[str, Any]:
        served = self.memory(item.source)
        if served is None:
            raise BadInput(
                "there is no memory of this stream; give one to `situ annotate make --memory`, or serve one "
                f"called {item.source}.situ beside the queue"
            )
        if item.time is None or not item.question.strip():
            raise BadInput("write the question and set its time first")
        if item.source not in self._memories:
            CALLER.get().need("ask", served.name)
        with served.reading() as memory:
            return draft(memory, item.question, item.time)

    def close(self) -> None:
        self.media.close()
        for served in self._memories.values():
            served.close()
        self.store.close()


def plain(stored: Stored) -> dict[str, Any]:
    data = stored.annotation.to_json()
    data.pop("extra")
    return {**data, "version": stored.version}


class Queues:
    """A fixed map from names to queues, made before the first request. `beside` are memories that are served
    with them."""

    def __init__(self, paths: Iterable[Path], beside: Iterable[Served] = ()) -> None:
        self._queues: dict[str, Queue] = {}
        for path in paths:
            name = path.name.removesuffix(".annotate")
            if not _NAME.match(name):
                raise BadInput(f"{path.name} cannot be served: a name has letters, digits, '_', '-', '.'")
            if name in self._queues:
                raise BadInput(f"two queues are called {name}; rename one of the files")
            self._queues[name] = Queue(name, path, beside)

    def __iter__(self) -> Iterator[Queue]:
        return iter(self._queues.values())

    def get(self, name: str) -> Queue:
        found = self._queues.get(name)
        if found is None:
            raise not_found("there is no such queue", "GET /v1/queues lists those that there are")
        return found

    def close(self) -> None:
        for queue in self:
            queue.close()
