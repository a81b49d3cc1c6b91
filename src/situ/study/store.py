"""Answers of a study in an append-only SQLite file."""

import hashlib
import hmac
import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, Refused
from situ.private_files import claim
from situ.study.design import ANSWERS, SALT

_TABLES = """
CREATE TABLE IF NOT EXISTS people (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, source TEXT NOT NULL, slot INTEGER NOT NULL,
    ticket TEXT NOT NULL UNIQUE, entered REAL NOT NULL, browser TEXT NOT NULL, screen TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    person INTEGER NOT NULL, kind TEXT NOT NULL, time REAL NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
    person INTEGER NOT NULL, place INTEGER NOT NULL, time REAL NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (person, place)) WITHOUT ROWID;
"""
_ONLY_ADDED = """
CREATE TRIGGER IF NOT EXISTS {table}_{what} BEFORE {what} ON {table}
BEGIN SELECT RAISE(ABORT, 'what people said is never changed'); END;
"""
CONSENTED, SAW_EXAMPLES, ENDED = "consented", "saw_examples", "ended"
PRACTISED_RIGHT, PRACTISED_WRONG = "practised_right", "practised_wrong"


@dataclass(frozen=True)
class Person:
    """A participant. `ticket` authenticates their browser."""

    id: int
    source: str
    slot: int
    ticket: str
    entered: float


@dataclass(frozen=True)
class Given:
    """One answer: option text, number, or None for "cannot tell". `shown_at`: screen position of the
    option."""

    person: int
    place: int
    role: str
    source: str
    question: str
    order: tuple[int, ...]
    answer: str
    shown_at: int | None = None
    cannot_tell: bool = False
    confidence: int = 0
    note: str = ""
    wanted: str = ""
    first_frame_ms: float = 0.0
    answer_ms: float = 0.0
    hidden_ms: float = 0.0
    steps: int = 0
    replays: int = 0
    time: float = 0.0


class Store:
    """Answers of one study. Thread-safe within a server; several servers wait for each other."""

    def __init__(self, folder: Path) -> None:
        try:
            self._salt = bytes.fromhex((folder / SALT).read_text().strip())
        except (OSError, ValueError) as error:
            raise BadFormat(f"{folder / SALT} cannot be read; without it nobody can come back") from error
        self._guard = threading.RLock()
        try:
            claim(folder / ANSWERS)
            self._db = sqlite3.connect(
                folder / ANSWERS, isolation_level=None, check_same_thread=False, timeout=10
            )
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_TABLES)
            for table in ("people", "events", "answers"):
                for what in ("UPDATE", "DELETE"):
                    self._db.executescript(_ONLY_ADDED.format(table=table, what=what))
        except (sqlite3.Error, OSError) as error:
            raise BadFormat(f"{folder / ANSWERS} cannot be opened ({error})") from error

    def close(self) -> None:
        with self._guard:
            self._db.close()

    def hashed(self, name: str) -> str:
        return hmac.new(self._salt, name.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def person(self, ticket: str) -> Person:
        with self._guard:
            row = self._db.execute(
                "SELECT id, source, slot, ticket, entered FROM people WHERE ticket = ?", (ticket,)
            ).fetchone()
        if row is None:
            raise Refused("this page is not signed in to the study; open the link that you were given again")
        return Person(*row)

    def enter(
        self, source: str, name: str, slots: int, hold_s: float, browser: str, screen: str, now: float = 0.0
    ) -> Person:
        """Register a participant: the same person for the same id, else a new one. Ids are stored as
        hashes."""
        now, key = now or time.time(), self.hashed(f"{source}:{name}")
        with self._guard:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                row = self._db.execute("SELECT ticket FROM people WHERE hash = ?", (key,)).fetchone()
                if row is None:
                    slot = self._free_slot(slots, now - hold_s)
                    row = (secrets.token_urlsafe(24),)
                    self._db.execute(
                        "INSERT INTO people (hash, source, slot, ticket, entered, browser, screen) "
                        "VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (key, source, slot, row[0], now, browser[:300], screen[:40]),
                    )
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
        return self.person(row[0])

    def _free_slot(self, slots: int, silent_since: float) -> int:
        """First free slot: not finished, and its participant has been inactive for too long."""
        rows = self._db.execute(
            "SELECT p.slot FROM people p WHERE "
            "EXISTS (SELECT 1 FROM events e WHERE e.person = p.id AND e.kind = ?) OR "
            "MAX(p.entered, COALESCE((SELECT MAX(a.time) FROM answers a WHERE a.person = p.id), 0)) > ?",
            (ENDED, silent_since),
        ).fetchall()
        taken = {slot for (slot,) in rows}
        free = [slot for slot in range(slots) if slot not in taken]
        if not free:
            raise Refused("the study is full: thank you for coming, there is nothing left to answer")
        return free[0]

    def note(self, person: int, kind: str, body: Mapping[str, Any] | None = None) -> None:
        with self._guard:
            self._db.execute(
                "INSERT INTO events VALUES (?, ?, ?, ?)", (person, kind, time.time(), json.dumps(body or {}))
            )

    def events(self, person: int) -> list[str]:
        with self._guard:
            rows = self._db.execute("SELECT kind FROM events WHERE person = ? ORDER BY rowid", (person,))
            return [kind for (kind,) in rows.fetchall()]

    def add(self, given: Given) -> bool:
        """Store an answer permanently; False if there was one already, which stays."""
        body = {k: v for k, v in asdict(given).items() if k not in ("person", "place", "time")}
        with self._guard:
            done = self._db.execute(
                "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)",
                (given.person, given.place, given.time or time.time(), json.dumps(body)),
            )
        return done.rowcount == 1

    def answered(self, person: int) -> set[int]:
        with self._guard:
            rows = self._db.execute("SELECT place FROM answers WHERE person = ?", (person,)).fetchall()
        return {place for (place,) in rows}

    def answers(self) -> list[Given]:
        with self._guard:
            rows = self._db.execute("SELECT person, place, time, body FROM answers ORDER BY person, place")
            found = rows.fetchall()
        return [_given(*row) for row in found]

    def people(self) -> list[Person]:
        with self._guard:
            rows = self._db.execute("SELECT id, source, slot, ticket, entered FROM people ORDER BY id")
            return [Person(*row) for row in rows.fetchall()]


def _given(person: int, place: int, moment: float, body: str) -> Given:
    data = json.loads(body)
    return Given(person=person, place=place, time=moment, **{**data, "order": tuple(data["order"])})
