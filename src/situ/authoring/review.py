"""A queue of questions to be looked at by people: accept, edit, reject, undo. Nothing is ever lost.

DIR/items.jsonl       the questions as they came, never changed
DIR/decisions.jsonl   one line per decision, only ever added to; an undo is a decision, too

Any number of people may work at once, in one process or several; what the queue says is what the lines say,
in order. Each decision is made under a lock, after the lines of others were read. Who says which version they
saw (how many decisions) is refused if somebody else decided since.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from situ.authoring.items import Item, check_items
from situ.errors import BadFormat, BadInput, Refused
from situ.file_locks import fcntl

Action = Literal["accept", "edit", "reject", "undo"]
STATUSES = ("pending", "accepted", "rejected")
ITEMS, DECISIONS, LOCK = "items.jsonl", "decisions.jsonl", "lock"
_EDITABLE = ("question", "answer", "time", "spans", "category", "subcategory", "qtype", "options")


@dataclass(frozen=True)
class Decision:
    """What somebody decided about a question, why, and when. `change` holds new values of fields."""

    id: str
    action: Action
    by: str = ""
    reason: str = ""
    change: Mapping[str, Any] = field(default_factory=dict)
    at: float = 0.0


class ReviewQueue:
    """A folder with questions and decisions about them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._items = {item.id: item for item in self._read_items()}
        self._decisions: list[Decision] = []
        self._read_up_to = 0
        self.reload()

    @classmethod
    def create(cls, folder: Path, items: Sequence[Item]) -> "ReviewQueue":
        """A new queue; refuses a folder that holds one."""
        if (folder / ITEMS).exists():
            raise Refused(f"{folder} holds a review queue already; open it, or choose another folder")
        if len({item.id for item in items}) != len(items):
            raise BadInput("two questions share an id; ids must be unique in a review queue")
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f".{ITEMS}.partial"
        with partial.open("w", encoding="utf-8") as file:
            for item in items:
                file.write(json.dumps(asdict(item)) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, folder / ITEMS)
        return cls(folder)

    @classmethod
    def open(cls, folder: Path) -> "ReviewQueue":
        if not (folder / ITEMS).is_file():
            raise BadInput(
                f"{folder} holds no review queue (no {ITEMS}); make one with `situ lab author --review`"
            )
        return cls(folder)

    def accept(self, item_id: str, by: str = "", reason: str = "", seen: int | None = None) -> None:
        self._decide(Decision(item_id, "accept", by, reason), seen)

    def reject(self, item_id: str, reason: str, by: str = "", seen: int | None = None) -> None:
        """Without a reason nobody could learn from it, so there must be one."""
        if not reason.strip():
            raise BadInput("say why the question is rejected")
        self._decide(Decision(item_id, "reject", by, reason), seen)

    def edit(
        self, item_id: str, change: Mapping[str, Any], by: str = "", reason: str = "", seen: int | None = None
    ) -> None:
        """Change some fields. An edit that breaks a rule (evidence after the question, say) is refused."""
        unknown = set(change) - set(_EDITABLE)
        if unknown:
            raise BadInput(f"{', '.join(sorted(unknown))} cannot be edited; {', '.join(_EDITABLE)} can")

        def check() -> None:
            edited = _changed(self.current(item_id), change)
            problems = [problem.what for problem in check_items([edited])]
            if not edited.answer.strip() or not edited.question.strip():
                problems.append("its question or answer is empty")
            if problems:
                raise BadInput(f"the edit of {item_id} is refused: {'; '.join(problems)}")

        self._decide(Decision(item_id, "edit", by, reason, dict(change)), seen, check)

    def undo(self, item_id: str, by: str = "", reason: str = "", seen: int | None = None) -> Decision:
        """Take back the last decision about a question that still stands; gives that decision."""
        found: list[Decision] = []

        def check() -> None:
            found.extend(self._standing(item_id)[-1:])
            if not found:
                raise BadInput(f"there is nothing to undo about {item_id}")

        self._decide(Decision(item_id, "undo", by, reason), seen, check)
        return found[0]

    def version(self, item_id: str) -> int:
        """How many decisions there were about a question."""
        return len(self.history(item_id))

    def reload(self) -> None:
        """Read what others have decided since."""
        path = self.folder / DECISIONS
        size = path.stat().st_size if path.is_file() else 0
        if size != self._read_up_to:
            self._decisions, self._read_up_to = list(self._read_decisions()), size

    def status(self, item_id: str) -> str:
        """ "pending", "accepted" or "rejected"; an edit alone leaves a question pending."""
        verdicts = [d.action for d in self._standing(item_id) if d.action in ("accept", "reject")]
        return {"accept": "accepted", "reject": "rejected"}[verdicts[-1]] if verdicts else "pending"

    def current(self, item_id: str) -> Item:
        """The question with all edits that stand."""
        item = self._known(item_id)
        for decision in self._standing(item_id):
            if decision.action == "edit":
                item = _changed(item, decision.change)
        return item

    def ids(self) -> tuple[str, ...]:
        """All questions, in the order in which they came."""
        return tuple(self._items)

    def pending(self) -> list[Item]:
        return [self.current(i) for i in self._items if self.status(i) == "pending"]

    def accepted(self) -> list[Item]:
        return [self.current(i) for i in self._items if self.status(i) == "accepted"]

    def history(self, item_id: str) -> list[Decision]:
        """Everything that was ever decided about a question, undone or not."""
        self._known(item_id)
        return [decision for decision in self._decisions if decision.id == item_id]

    def _standing(self, item_id: str) -> list[Decision]:
        standing: list[Decision] = []
        for decision in self.history(item_id):
            if decision.action != "undo":
                standing.append(decision)
            elif standing:
                standing.pop()
        return standing

    def _known(self, item_id: str) -> Item:
        if item_id not in self._items:
            raise BadInput(f"the queue holds no question '{item_id}'")
        return self._items[item_id]

    def _decide(
        self, decision: Decision, seen: int | None = None, check: Callable[[], None] | None = None
    ) -> None:
        """Look at what others wrote, write, then believe: what is in memory is on the disk."""
        self._known(decision.id)
        dated = replace(decision, at=decision.at or time.time())
        with (self.folder / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.reload()
            now = self.version(decision.id)
            if seen is not None and seen != now:
                last = self.history(decision.id)[-1].by if now else ""
                who = last or "somebody"
                raise Refused(
                    f"{who} has decided about {decision.id} since (version {now}, not {seen}); look again"
                )
            if check is not None:
                check()
            self._write(dated)
            self._decisions.append(dated)
            self._read_up_to = (self.folder / DECISIONS).stat().st_size

    def _write(self, dated: Decision) -> None:
        with (self.folder / DECISIONS).open("a+b") as file:
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    file.write(b"\n")  # the line before was cut short by a kill; it stays as it is
            file.write((json.dumps(asdict(dated)) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())

    def _read_items(self) -> Iterator[Item]:
        for number, line in enumerate((self.folder / ITEMS).read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield _changed(Item("", "", ""), json.loads(line))
            except (ValueError, TypeError) as error:
                raise BadFormat(
                    f"{self.folder / ITEMS}, line {number} is not a question ({error})"
                ) from error

    def _read_decisions(self) -> Iterator[Decision]:
        path = self.folder / DECISIONS
        if not path.is_file():
            return
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                data = json.loads(line)
                if data["action"] in get_args(Action) and data["id"] in self._items:
                    yield Decision(**data)
            except (ValueError, TypeError, KeyError):
                continue  # a line that a kill cut short decides nothing


def _changed(item: Item, change: Mapping[str, Any]) -> Item:
    """A question with new values; lists that came from JSON become tuples again."""
    known = {f.name for f in fields(Item)}
    if set(change) - known:
        raise BadInput(f"a question has no field {', '.join(sorted(set(change) - known))}")
    values = {name: _tuples(value) for name, value in change.items()}
    return replace(item, **values)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, (list, tuple)) else value
