"""The tables of a `.situ` file.

Two clocks: `valid` is when something was so in the world, `known` is when the memory knew it. Rows of the
history are only ever added, save by forgetting; what was said at an earlier time can always be said again.
"""

import hashlib
import sqlite3
from collections.abc import Iterable
from functools import cache

from situ.errors import BadFormat
from situ.memory.file.packing import SEEN_TYPE
from situ.memory.file.seal import APPLICATION_ID
from situ.memory.tables.rates import RATES
from situ.memory.tables.row_types import VERSION
from situ.memory.tables.tracks import TRACK

SCHEMA = 3  # the layout of a file; one of another number is refused, not guessed at
_WAL = 2  # the header's number for files with a write-ahead log

Made = tuple[str, str, str, str | None]  # type, name, table and SQL of one row of `sqlite_master`

# What SQLite writes for the R*Tree's own tables since 3.24; another release may word it otherwise.
_OWN_OF_RTREE = tuple(
    ("table", f"segment_{part}", f"segment_{part}", f'CREATE TABLE "segment_{part}"({columns})')
    for part, columns in (
        ("node", "nodeno INTEGER PRIMARY KEY,data"),
        ("parent", "nodeno INTEGER PRIMARY KEY,parentnode"),
        ("rowid", "rowid INTEGER PRIMARY KEY,nodeno,a0,a1"),
    )
)

_TABLES = """
-- the stream, packed: a run of frames in one row (see packing.py)
CREATE TABLE chunk(first_frame INTEGER PRIMARY KEY, frames INTEGER, first_time REAL, last_time REAL,
                   observations INTEGER, poses BLOB, seen BLOB, free BLOB);
CREATE INDEX chunk_time ON chunk(first_time);
-- in which frames of a chunk an object was seen: two bytes a sighting
CREATE TABLE sighting(object_id INTEGER, first_frame INTEGER, body BLOB,
                      PRIMARY KEY(object_id, first_frame)) WITHOUT ROWID;
CREATE TABLE word(kind TEXT, id INTEGER, text TEXT, PRIMARY KEY(kind, id)) WITHOUT ROWID;
CREATE TABLE camera(id INTEGER PRIMARY KEY, body TEXT);

-- what the memory said of each object, and from when on it said so
CREATE TABLE object(id INTEGER PRIMARY KEY, born REAL, died REAL DEFAULT 1e300);
CREATE INDEX object_died ON object(died);
CREATE TABLE stay(object_id INTEGER, stay INTEGER, valid_from REAL, known_from REAL,
                  PRIMARY KEY(object_id, stay)) WITHOUT ROWID;
CREATE TABLE version(object_id INTEGER, stay INTEGER, known_from REAL, body BLOB,
                     PRIMARY KEY(object_id, stay, known_from)) WITHOUT ROWID;
-- under which labels (kind 0) and attributes (kind 1) an object has gone, and from when on
CREATE TABLE called(kind INTEGER, word INTEGER, object_id INTEGER, known_from REAL,
                    PRIMARY KEY(kind, word, object_id)) WITHOUT ROWID;
-- what was filed under one object between two times belongs to another
CREATE TABLE identity(from_id INTEGER, into_id INTEGER, valid_from REAL, valid_to REAL, known_from REAL);
CREATE INDEX identity_from ON identity(from_id);
CREATE INDEX identity_into ON identity(into_id);
CREATE TABLE keyframe(object_id INTEGER, frame INTEGER, known_from REAL, quality REAL,
                      PRIMARY KEY(object_id, frame)) WITHOUT ROWID;
CREATE TABLE thumbnail(frame INTEGER PRIMARY KEY, image BLOB);
CREATE TABLE place(place_id INTEGER, known_from REAL, tag INTEGER, count INTEGER, first REAL, last REAL,
                   body BLOB, PRIMARY KEY(place_id, known_from)) WITHOUT ROWID;
-- poses that were corrected from outside, by frame
CREATE TABLE pose_revision(known_from REAL, frame INTEGER, body BLOB,
                           PRIMARY KEY(frame, known_from)) WITHOUT ROWID;
-- where objects stayed, for search in space; R*Tree holds 32-bit floats, so time is since the start
CREATE VIRTUAL TABLE segment USING rtree(id, min_x, max_x, min_y, max_y, min_time, max_time,
                                         +object_id INTEGER, +stay INTEGER);
-- what was deleted on request: the hash of a name, a span of time, and when it was asked (see tombstones.py)
CREATE TABLE tombstone(name BLOB, start REAL, stop REAL, deleted_on TEXT);

-- the working memory, so that a memory can be taken up again exactly where it stopped
CREATE TABLE track(slot INTEGER PRIMARY KEY, body BLOB);
CREATE TABLE past_view(x INTEGER, y INTEGER, heading INTEGER, newest INTEGER, older INTEGER,
                       PRIMARY KEY(x, y, heading)) WITHOUT ROWID;
CREATE TABLE near_pair(first INTEGER, second INTEGER, PRIMARY KEY(first, second)) WITHOUT ROWID;
CREATE TABLE embedding(object_id INTEGER PRIMARY KEY, body BLOB);
CREATE TABLE mind(key TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID;
"""


def blank() -> bytes:
    """The pages of a file that holds nothing yet."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        create_tables(connection)
        pages = bytearray(connection.serialize())
    finally:
        connection.close()
    pages[18] = pages[19] = _WAL
    return bytes(pages)


def create_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(_TABLES)
    connection.execute("INSERT INTO mind VALUES('layout', ?)", (layout(),))
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def layout() -> str:
    """A fingerprint of the records whose bytes are stored as they lie in memory."""
    described = repr([kind.descr for kind in (TRACK, VERSION, SEEN_TYPE, RATES)])
    return hashlib.sha256(described.encode()).hexdigest()[:16]


def check_layout(connection: sqlite3.Connection, name: str) -> None:
    """Raise BadFormat for a file whose records this version cannot read."""
    row = connection.execute("SELECT body FROM mind WHERE key = 'layout'").fetchone()
    if row is None or row[0] != layout():
        raise BadFormat(f"{name} was made by another version of situ; watch the recording again")


def check_tables(made: Iterable[Made], name: str) -> None:
    """Raise BadFormat unless a file has the tables and indices that situ makes, and nothing else: a trigger
    or a view of somebody else's would run where we write or read, and another table keeps what we delete."""
    found = {row[1]: row for row in made}
    titles = {title for _, title, _, _ in _expected()}
    for title, row in found.items():
        if row not in _expected():
            what = "has another form in" if title in titles else "is not in"
            raise BadFormat(
                f"{name} was changed by another program, so it is not opened: its {row[0]} '{title}' {what} "
                "the memories that situ makes; use a copy from before the change"
            )
    missing = sorted(titles - set(found))
    if missing:
        raise BadFormat(f"{name} lacks the table or index '{missing[0]}'; restore it from a copy")


@cache
def _expected() -> frozenset[Made]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(_TABLES)
        made = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    finally:
        connection.close()
    return frozenset((*made, *_OWN_OF_RTREE))
