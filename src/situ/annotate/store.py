"""Queue of annotations in one SQLite file, with a log of changes and versions of items.

A change names the version that it is based on; if the item has changed since, it raises Conflict with the
present state. A change and its log entry are one transaction, so a kill leaves both or neither. Several
threads and processes may use one file. A repeated request, sent again after a lost response, has no further
effect.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from situ.annotate.annotation import Annotation, changed
from situ.errors import BadFormat, BadInput, Refused, StorageFailed
from situ.private_files import claim

FORMAT, VERSION = "situ-annotations", 1
_BUSY_S = 10.0
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sources (name TEXT PRIMARY KEY, place INTEGER NOT NULL, data TEXT NOT NULL, times BLOB NOT NULL,
  stamps BLOB, keys BLOB);
CREATE TABLE items (id TEXT PRIMARY KEY, place INTEGER NOT NULL, source TEXT NOT NULL,
  version INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX items_of ON items (source, place);
CREATE TABLE log (seq INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT NOT NULL, version INTEGER NOT NULL,
  by TEXT NOT NULL, action TEXT NOT NULL, change TEXT NOT NULL, before TEXT NOT NULL, reason TEXT NOT NULL,
  at REAL NOT NULL, request TEXT UNIQUE);
CREATE INDEX log_of ON log (item, seq);
CREATE TABLE truth (item TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE answers (item TEXT NOT NULL, by TEXT NOT NULL, data TEXT NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (item, by));
"""


@dataclass(frozen=True)
class Stored:
    """An annotation and its version."""

    annotation: Annotation
    version: int
    place: int


@dataclass(frozen=True)
class Line:
    """Log entry: author, change and time. `before` holds the old values of the changed fields."""

    seq: int
    item: str
    version: int
    by: str
    action: str
    change: Mapping[str, Any]
    before: Mapping[str, Any]
    reason: str
    at: float


class Conflict(Refused):
    """An item was changed by somebody else: `current` is its state, `seen` the basis of the refused
    change."""

    def __init__(self, current: Stored, seen: Annotation | None, by: str) -> None:
        super().__init__(
            f"{by or 'somebody'} has changed {current.annotation.id} since; look at both and merge"
        )
        self.current, self.seen = current, seen


@dataclass(frozen=True)
class Deed:
    """Request to change an item. `version`: the basis of the change. `request`: id for safe repetition."""

    by: str
    action: str = "edit"
    version: int | None = None
    reason: str = ""
    request: str | None = None


class Store:
    """An open queue."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()
        self._known: dict[str, Stored] = {}  # as of the last log entry read
        self._read_up_to = 0

    @classmethod
    def create(cls, path: Path, meta: Mapping[str, Any]) -> "Store":
        if path.exists():
            raise Refused(f"{path} exists; choose another name, or serve it: situ serve --annotate {path}")
        if not path.parent.is_dir():
            raise BadInput(f"there is no folder {path.parent} for the queue")
        with _told(path):
            claim(path)
        store = cls(path, _connect(path))
        with store.writing() as sql:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                sql.execute(statement)
            rows = {"format": FORMAT, "version": VERSION, **meta}
            sql.executemany("INSERT INTO meta VALUES (?, ?)", [(k, json.dumps(v)) for k, v in rows.items()])
        return store

    @classmethod
    def open(cls, path: Path) -> "Store":
        if not path.is_file():
            raise BadInput(f"there is no queue at {path}; make one with `situ annotate make`")
        store = cls(path, _connect(path))
        try:
            meta = store.meta
        except Unreadable as error:
            store.close()
            raise BadFormat(f"{path} is no queue of annotations ({error})") from error
        if meta.get("format") != FORMAT or not isinstance(meta.get("version"), int):
            store.close()
            raise BadFormat(f"{path} is no queue of annotations")
        if meta["version"] > VERSION:
            store.close()
            raise BadFormat(
                f"{path} has version {meta['version']}; this situ reads up to {VERSION}. Update situ."
            )
        return store

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @property
    def meta(self) -> dict[str, Any]:
        with self.reading() as sql:
            return {key: json.loads(value) for key, value in sql.execute("SELECT key, value FROM meta")}

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _told(self.path):
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: complete, or without effect after a kill."""
        with self._lock, _told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    # reading

    def get(self, item: str) -> Stored:
        with self.reading() as sql:
            return _get(sql, item)

    def all(self, source: str | None = None) -> list[Stored]:
        """All items in order, of one source or of all. Reads only changes since the last call."""
        with self.reading() as sql:
            seq = self.seq()
            if seq != self._read_up_to:
                wanted = "SELECT data, version, place FROM items"
                if self._known:
                    wanted += " WHERE id IN (SELECT item FROM log WHERE seq > ?)"
                rows = sql.execute(wanted, (self._read_up_to,) if self._known else ()).fetchall()
                for stored in sorted((_stored(*row) for row in rows), key=lambda s: s.place):
                    self._known[stored.annotation.id] = stored
                self._read_up_to = seq
            return [s for s in self._known.values() if source is None or s.annotation.source == source]

    def log(self, item: str | None = None, after: int = 0, most: int = -1) -> list[Line]:
        """Log entries after a sequence number, in order, at most `most`."""
        columns = [column.name for column in fields(Line)]
        where, values = ("seq > ?", (after,)) if item is None else ("item = ? AND seq > ?", (item, after))
        with self.reading() as sql:
            query = f"SELECT {', '.join(columns)} FROM log WHERE {where} ORDER BY seq LIMIT ?"
            rows = sql.execute(query, (*values, most)).fetchall()
        entries = [dict(zip(columns, row, strict=True)) for row in rows]
        return [
            Line(**{**entry, "change": json.loads(entry["change"]), "before": json.loads(entry["before"])})
            for entry in entries
        ]

    def seq(self) -> int:
        with self.reading() as sql:
            return int(sql.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()[0])

    # writing

    def add(self, annotation: Annotation, deed: Deed) -> Stored:
        with self.writing() as sql:
            return _twice(sql, deed) or add_item(sql, annotation, deed)

    def add_many(self, annotations: Sequence[Annotation], by: str, action: str = "import") -> None:
        with self.writing() as sql:
            for annotation in annotations:
                add_item(sql, annotation, Deed(by, action))

    def change(self, item: str, change: Mapping[str, Any], deed: Deed) -> Stored:
        """Set editable fields."""
        with self.writing() as sql:
            if done := _twice(sql, deed):
                return done
            old = _seen(sql, item, deed)
            return _write(sql, old, changed(old.annotation, change), deed)

    def set(self, item: str, values: Mapping[str, Any], deed: Deed) -> Stored:
        """Set any field, for rules that have validated the item."""
        with self.writing() as sql:
            if done := _twice(sql, deed):
                return done
            old = _seen(sql, item, deed)
            return _write(sql, old, replace(old.annotation, **values), deed)

    def undo(self, item: str, deed: Deed) -> Stored:
        """Undo a person's last effective change, if its fields were not changed since."""
        with self.writing() as sql:
            if done := _twice(sql, deed):
                return done
            old = _seen(sql, item, deed)
            line = _last_standing(self.log(item), deed.by)
            if line is None:
                raise BadInput(f"you have changed nothing about {item} that could be undone")
            current = old.annotation.to_json()
            lost = [f for f, value in line.change.items() if _plain(current[f]) != value]
            if lost:
                raise Refused(
                    f"{', '.join(lost)} of {item} has been changed since; undo would overwrite that"
                )
            back = Annotation.from_json({**current, **line.before})
            return _write(sql, old, back, replace(deed, action="undo", reason=f"of {line.seq}"))


class Unreadable(BadFormat):
    """A file that SQLite cannot read."""


def add_item(sql: sqlite3.Connection, annotation: Annotation, deed: Deed) -> Stored:
    if sql.execute("SELECT 1 FROM items WHERE id = ?", (annotation.id,)).fetchone():
        raise BadInput(f"the queue holds '{annotation.id}' already; ids must differ")
    place = int(sql.execute("SELECT coalesce(max(place), 0) + 1 FROM items").fetchone()[0])
    data = _plain(annotation.to_json())
    sql.execute(
        "INSERT INTO items VALUES (?, ?, ?, 1, ?)",
        (annotation.id, place, annotation.source, json.dumps(data)),
    )
    action = deed.action if deed.action != "edit" else "create"
    _note(sql, annotation.id, 1, replace(deed, action=action), data, {})
    return Stored(annotation, 1, place)


def _get(sql: sqlite3.Connection, item: str) -> Stored:
    row = sql.execute("SELECT data, version, place FROM items WHERE id = ?", (item,)).fetchone()
    if row is None:
        raise BadInput(f"the queue holds no question '{item[:80]}'")
    return _stored(*row)


def _stored(data: str, version: int, place: int) -> Stored:
    return Stored(Annotation.from_json(json.loads(data)), version, place)


def _seen(sql: sqlite3.Connection, item: str, deed: Deed) -> Stored:
    """The item, if it is unchanged since the person saw it."""
    current = _get(sql, item)
    if deed.version is None or deed.version == current.version:
        return current
    rows = sql.execute(
        "SELECT version, by, before FROM log WHERE item = ? ORDER BY seq DESC", (item,)
    ).fetchall()
    seen: dict[str, Any] | None = current.annotation.to_json()
    if not 0 < deed.version < current.version:
        seen = None
    for version, _, before in rows if seen is not None else ():
        if version <= deed.version:
            break
        seen.update(json.loads(before))  # type: ignore[union-attr]
    raise Conflict(current, None if seen is None else Annotation.from_json(seen), rows[0][1] if rows else "")


def _write(sql: sqlite3.Connection, old: Stored, new: Annotation, deed: Deed) -> Stored:
    was, now = _plain(old.annotation.to_json()), _plain(new.to_json())
    change = {name: value for name, value in now.items() if was[name] != value}
    if not change and deed.action == "edit":
        return old
    version = old.version + 1
    sql.execute("UPDATE items SET version = ?, data = ? WHERE id = ?", (version, json.dumps(now), new.id))
    _note(sql, new.id, version, deed, change, {name: was[name] for name in change})
    return Stored(new, version, old.place)


def _note(
    sql: sqlite3.Connection,
    item: str,
    version: int,
    deed: Deed,
    change: Mapping[str, Any],
    before: Mapping[str, Any],
) -> None:
    sql.execute(
        "INSERT INTO log (item, version, by, action, change, before, reason, at, request) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (item, version, deed.by, deed.action, json.dumps(change), json.dumps(before), deed.reason,
         time.time(), deed.request),
    )  # fmt: skip


def _twice(sql: sqlite3.Connection, deed: Deed) -> Stored | None:
    """Result of a request that was processed before."""
    if deed.request is None:
        return None
    row = sql.execute("SELECT item FROM log WHERE request = ?", (deed.request,)).fetchone()
    return None if row is None else _get(sql, row[0])


def _last_standing(lines: Sequence[Line], by: str) -> Line | None:
    gone = {int(line.reason.removeprefix("of ")) for line in lines if line.action == "undo"}
    mine = [
        line for line in lines
        if line.by == by and line.seq not in gone and line.action not in ("undo", "create", "import")
    ]  # fmt: skip
    return mine[-1] if mine else None


def _plain(value: Any) -> Any:
    """A value after a round trip through JSON."""
    return json.loads(json.dumps(value))


def _connect(path: Path) -> sqlite3.Connection:
    with _told(path):
        connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Convert SQLite errors to errors of situ."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise Refused(f"{path.name} is locked by another process; try again") from error
        if "no such table" in str(error):
            raise Unreadable(str(error)) from error
        raise StorageFailed(f"{path.name} could not be read or written ({error})") from error
    except sqlite3.DatabaseError as error:
        raise Unreadable(f"{path.name} is damaged or no queue ({error})") from error
    except OSError as error:
        raise StorageFailed(f"{path.name} could not be written ({error.strerror})") from error
