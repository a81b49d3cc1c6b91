"""The queues that are served, by name: the only way from a name in a request to a file."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from situ.annotate.annotation import Annotation
from situ.annotate.drafts import draft
from situ.annotate.refining import report
from situ.annotate.rules import BAD, near_duplicates
from situ.annotate.sources import Media, Source
from situ.annotate.store import Store, Stored
from situ.errors import BadInput
from situ.serve.failure import not_found
from situ.serve.library import Served

_NAME = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")
_MOST_HISTORY = 30


class Queue:
    """One queue with its media, and what is told of its items."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.store = Store.open(path)
        self.media = Media(self.store)
        self.training = bool(self.store.meta.get("training"))
        self._memories: dict[str, Served] = {}
        self._levels: dict[str, tuple[int, list[str]]] = {}

    @property
    def hidden(self) -> dict[str, str]:
        """What an error must not say of this machine, and what it says instead."""
        return {str(self.store.path.resolve().parent): "…", str(self.store.path): self.name}

    def source(self, name: str) -> Source:
        if name not in self.media.sources:
            raise not_found("the queue has no such source")
        return self.media.get(name)

    def row(self, stored: Stored) -> dict[str, Any]:
        """What lists and timelines show of an item."""
        item = stored.annotation
        return {
            "id": item.id, "version": stored.version, "source": item.source, "status": item.status,
            "label": item.label, "time": item.time, "spans": item.spans, "question": item.question,
            "qtype": item.qtype, "category": item.category, "bad": self._bad(stored),
        }  # fmt: skip

    def _bad(self, stored: Stored) -> list[str]:
        """The rules that an item breaks, worked out once for each version."""
        known = self._levels.get(stored.annotation.id)
        if known is None or known[0] != stored.version:
            found = report(stored.annotation, self.media.get(stored.annotation.source))
            known = stored.version, [finding.rule for finding in found if finding.level == BAD]
            self._levels[stored.annotation.id] = known
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

    def draft(self, item: Annotation) -> dict[str, Any]:
        path = self.media.memory(item.source)
        if path is None:
            raise BadInput("no memory was given for this stream; `situ annotate make --memory` takes one")
        if item.time is None or not item.question.strip():
            raise BadInput("write the question and set its time first")
        served = self._memories.setdefault(item.source, Served(item.source, path))
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
    """A fixed map from names to queues, made before the first request."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._queues: dict[str, Queue] = {}
        for path in paths:
            name = path.name.removesuffix(".annotate")
            if not _NAME.match(name):
                raise BadInput(f"{path.name} cannot be served: a name has letters, digits, '_', '-', '.'")
            if name in self._queues:
                raise BadInput(f"two queues are called {name}; rename one of the files")
            self._queues[name] = Queue(name, path)

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
