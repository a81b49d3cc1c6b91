"""Local copies of remote recordings and videos (s3://, hf://, https://) while they are used."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from situ.errors import BadFormat, BadInput
from situ.recording.layout import EVENTS, FRAMES, METADATA, OBJECTS, VIDEO
from situ.stores import Store, url_of

_FILES = (FRAMES, OBJECTS, EVENTS, VIDEO)
_MAX_FILES = 200_000  # of a folder: more means the URL is not that of a recording


def files_of(store: Store, folder: str = "") -> dict[str, int]:
    """Files of a recording and their sizes, from its metadata."""
    at = f"{folder}/{METADATA}" if folder else METADATA
    said = store.read(at)
    try:
        noted = json.loads(said)["files"]
        sizes = {name: int(noted[name]["bytes"]) for name in _FILES if name in noted}
    except (ValueError, KeyError, TypeError) as error:
        raise BadFormat(f"{store.url}/{at} does not describe a recording ({error})") from error
    return {METADATA: len(said), **sizes}


def fetch_recording(store: Store, folder: str, to: Path) -> None:
    """Copy a recording. The metadata is copied last, so an interrupted copy is not a valid recording."""
    to.mkdir(parents=True, exist_ok=True)
    for name in sorted(files_of(store, folder), key=lambda name: name == METADATA):
        store.fetch(f"{folder}/{name}" if folder else name, to / name)


@contextmanager
def fetched(source: str) -> Iterator[Path]:
    """Local path of a source: the source itself, or a temporary copy of a remote one.

    The copy is deleted afterwards, so iterating over thousands of recordings keeps one at a time.
    """
    url = url_of(source)
    if url is None:
        yield Path(source)
        return
    with tempfile.TemporaryDirectory(prefix="situ-source-") as work:
        yield _copied(url, Path(work))


def _copied(url: str, work: Path) -> Path:
    """Copy a single file if the URL names one, such as a video; else a recording or a folder."""
    place, mark, query = url.partition("?")
    parent, _, name = place.rstrip("/").rpartition("/")
    copy = work / (name or "source")
    if PurePosixPath(name).suffix and not place.endswith("/"):
        Store(parent).fetch(f"{name}{mark}{query}", copy)
        return copy
    store = Store(url)
    if store.has(METADATA):
        fetch_recording(store, "", copy)
        return copy
    names = store.files()
    if not names or len(names) > _MAX_FILES:
        raise BadInput(f"{url} is neither a video, nor a recording, nor a folder whose files can be listed")
    for one in names:
        if any(part in ("", ".", "..") for part in one.split("/")):
            raise BadFormat(f"{url} holds a file called '{one}', which no folder of this machine could hold")
        (copy / one).parent.mkdir(parents=True, exist_ok=True)
        store.fetch(one, copy / one)
    return copy
