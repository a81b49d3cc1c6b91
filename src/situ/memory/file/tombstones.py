"""What was deleted on request: enough to say so, and not what it was.

A name is kept as a salted hash: who asks by that name is told that it was deleted, and nobody can read it.
"""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from situ.english import name_key
from situ.memory.file.database import Database

_SALT = "salt"


@dataclass(frozen=True)
class Tombstone:
    """A deletion: of a name (as a hash) or of a span of time, and the day on which it was asked for."""

    name: bytes | None
    start: float
    stop: float
    deleted_on: str


class Tombstones:
    """Those of a file."""

    def __init__(self, salt: bytes, stones: Iterable[Tombstone]) -> None:
        self._salt = salt
        self._stones = tuple(stones)
        self._names = {stone.name: stone for stone in self._stones if stone.name is not None}

    def __bool__(self) -> bool:
        return bool(self._stones)

    def of_name(self, name: str) -> Tombstone | None:
        """The deletion of a name, if there was one."""
        if not self._names:
            return None
        # Older files hold the hash of the name as it was written.
        spellings = (name_key(name), " ".join(name.casefold().split()))
        stones = (self._names.get(_hashed(self._salt, spelling)) for spelling in spellings)
        return next((stone for stone in stones if stone is not None), None)

    def of_time(self, time: float) -> Tombstone | None:
        """The deletion of a span in which a time falls."""
        spans = (stone for stone in self._stones if stone.name is None)
        return next((stone for stone in spans if stone.start <= time < stone.stop), None)


def read_tombstones(connection: Database) -> Tombstones:
    rows = connection.execute("SELECT name, start, stop, deleted_on FROM tombstone").fetchall()
    salt = connection.execute("SELECT body FROM mind WHERE key = ?", (_SALT,)).fetchone() if rows else None
    return Tombstones(salt[0] if salt else b"", (Tombstone(*row) for row in rows))


def bury(connection: Database, names: Iterable[str], spans: Iterable[tuple[float, float]]) -> None:
    """Put up tombstones, in the open transaction."""
    row = connection.execute("SELECT body FROM mind WHERE key = ?", (_SALT,)).fetchone()
    salt = row[0] if row else secrets.token_bytes(16)
    connection.execute("INSERT OR REPLACE INTO mind VALUES(?, ?)", (_SALT, salt))
    today = datetime.now(UTC).date().isoformat()
    rows: list[tuple[bytes | None, float, float, str]] = [
        (_hashed(salt, key), 0.0, 0.0, today) for key in sorted(set(map(name_key, names)))
    ]
    rows += [(None, start, stop, today) for start, stop in spans]
    connection.executemany("INSERT INTO tombstone VALUES(?, ?, ?, ?)", rows)


def _hashed(salt: bytes, key: str) -> bytes:
    return hashlib.blake2b(key.encode(), key=salt, digest_size=16).digest()
