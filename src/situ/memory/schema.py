"""The tables of a `.situ` file, and how an older file becomes a current one.

Two clocks: `valid` is when something was so in the world, `known` is when the memory knew it. Rows of the
history are only ever added; what was said at an earlier time can always be said again.
"""

import sqlite3
import zlib
from collections.abc import Callable

from situ.errors import BadFormat
from situ.memory.packing import PAGE, pack_page

APPLICATION_ID = 0x53495455  # "SITU"

_VERSION_1 = """
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

-- the working memory, so that a memory can be taken up again exactly where it stopped
CREATE TABLE track(slot INTEGER PRIMARY KEY, body BLOB);
CREATE TABLE past_view(x INTEGER, y INTEGER, heading INTEGER, newest INTEGER, older INTEGER,
                       PRIMARY KEY(x, y, heading)) WITHOUT ROWID;
CREATE TABLE near_pair(first INTEGER, second INTEGER, PRIMARY KEY(first, second)) WITHOUT ROWID;
CREATE TABLE embedding(object_id INTEGER PRIMARY KEY, body BLOB);
CREATE TABLE mind(key TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID;
"""


def _create(connection: sqlite3.Connection) -> None:
    for statement in _VERSION_1.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def _page_tracks(connection: sqlite3.Connection) -> None:
    """Tracks had one row each; now a row holds a page of them, from a slot on."""
    pages: dict[int, bytearray] = {}
    for slot, packed in connection.execute("SELECT slot, body FROM track").fetchall():
        body = zlib.decompress(packed)
        page = pages.setdefault(slot // PAGE * PAGE, bytearray(len(body) * PAGE))
        at = slot % PAGE * len(body)
        page[at : at + len(body)] = body
    connection.execute("DELETE FROM track")
    rows = [(slot, pack_page(bytes(page))) for slot, page in pages.items()]
    connection.executemany("INSERT INTO track VALUES(?, ?)", rows)


# MIGRATIONS[n] takes a file from schema n to n + 1; an empty file is schema 0.
MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_create, _page_tracks)
SCHEMA = len(MIGRATIONS)


def schema_of(connection: sqlite3.Connection, name: str) -> int:
    """The schema of an open file; raises BadFormat for a file that is not ours or is too new."""
    try:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise BadFormat(f"{name} is not a spatial memory ({error}); give a .situ file") from None
    if version and owner != APPLICATION_ID:
        raise BadFormat(f"{name} is an SQLite file of another program, not a spatial memory")
    if version > SCHEMA:
        raise BadFormat(
            f"{name} has schema {version}, this version of situ knows up to {SCHEMA}; update situ to open it"
        )
    return version


def migrate(connection: sqlite3.Connection, name: str) -> None:
    """Bring an open file up to the current schema, in one transaction."""
    version = schema_of(connection, name)
    if version == SCHEMA:
        return
    connection.execute("BEGIN IMMEDIATE")
    for step in MIGRATIONS[version:]:
        step(connection)
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("COMMIT")
