"""Sets and recordings read where they lie: on a web server, on a hub that answers as Hugging Face does."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")
from benchmarks.scale import SmallestRecipe

from situ.api.watching import watch
from situ.api.watching_many import Entry, watch_many
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.making_shards import make_shards
from situ.errors import BadInput
from situ.recording import Recording
from situ.recording.remote import fetched
from situ.runners.local import LocalRunner
from situ.stores import Store

SMALL = SmallestRecipe(0.006, 1)  # 6 items
REPOSITORY = "datasets/us/sets"


class Server(BaseHTTPRequestHandler):
    """Files of a folder, in parts where they are asked for; below /api what the hub says of them."""

    folder: Path
    ranges = True
    asked: list[str]

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        names = re.findall(r"paths=([^&]*)", asked) or json.loads(asked)["paths"]
        names = [names] if isinstance(names, str) else [unquote(name) for name in names]
        found = [self.folder / name for name in names]
        self._say([self._entry(path) for path in found if path.exists()])

    def _answer(self, body: bool) -> None:
        self.asked.append(self.path)
        path = unquote(self.path.partition("?")[0]).lstrip("/")
        if path.startswith("api/"):
            below = path.partition("/tree/main")[2].strip("/")
            listed = sorted((self.folder / below).glob("*")) if (self.folder / below).is_dir() else []
            self._say(
                [self._entry(one) for one in listed] if "/tree/" in path else {"sha": "0" * 40, "id": path}
            )
            return
        file = self.folder / path.replace(f"{REPOSITORY}/resolve/main/", "")
        if not file.is_file():
            self.send_error(404)
            return
        content = file.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        self.send_response(206 if wanted and self.ranges else 200)
        if wanted and self.ranges:
            first, last = int(wanted[1]), int(wanted[2] or len(content) - 1)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
            content = content[first : last + 1]
        for name, value in (("ETag", '"x"'), ("X-Repo-Commit", "0" * 40), ("Content-Length", len(content))):
            self.send_header(name, str(value))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _entry(self, path: Path) -> dict[str, Any]:
        about = {"path": path.relative_to(self.folder).as_posix(), "oid": "0" * 40}
        if path.is_dir():
            return {"type": "directory", **about}
        return {"type": "file", "size": path.stat().st_size, **about}

    def _say(self, what: object) -> None:
        content = json.dumps(what).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def serving(folder: Path, ranges: bool = True) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    kind = type("Here", (Server,), {"folder": folder, "ranges": ranges, "asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("served")
    make_dataset(SMALL, out / "small")
    make_shards(SMALL, out / "large", 2, LocalRunner(1))
    return out


def same(there: Dataset, here: Dataset) -> None:
    assert there.questions == here.questions
    assert there.hashes == here.hashes
    for item in here.items[:2]:
        assert there.recording(item).content_hash() == here.hashes[item]
        there.recording(item).verify()
        assert there.size(item) == here.size(item)


@pytest.mark.parametrize("name", ["small", "large"])
def test_a_set_on_a_web_server_is_read_where_it_lies(name: str, folder: Path) -> None:
    with serving(folder) as (url, asked):
        same(Dataset.open(f"{url}/{name}"), Dataset.open(folder / name))
    assert not any(path.count("items/") > 1 for path in asked)
    read = {path for path in asked if "items/" in path or "items.tar" in path}
    assert len(read) <= 2 * 5  # two recordings; the others stay where they are


@pytest.mark.parametrize("name", ["small", "large"])
def test_a_set_on_a_hub_is_read_where_it_lies(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = pytest.importorskip("huggingface_hub")
    import fsspec

    # A client that was imported while the environment forbade to ask would never ask.
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", False)
    with serving(folder) as (url, _):
        # The hub's client has fixed its address when it was imported.
        files = hub.HfFileSystem(endpoint=url, token=False, skip_instance_cache=True)
        monkeypatch.setattr(fsspec.core, "url_to_fs", lambda at: (files, at.removeprefix("hf://")))
        same(Dataset.open(f"hf://{REPOSITORY}/{name}"), Dataset.open(folder / name))


def test_a_server_that_serves_no_parts_is_named(folder: Path) -> None:
    with serving(folder, ranges=False) as (url, _):
        there = Dataset.open(f"{url}/large")
        with pytest.raises(BadInput, match=r"does not serve parts of files"):
            there.recording(there.items[0])


def test_a_recording_at_an_address_opens_and_leaves_nothing(folder: Path) -> None:
    item = Dataset.open(folder / "small").items[0]
    with serving(folder) as (url, _):
        found = Recording.open(f"{url}/small/items/{item}")
        assert found.content_hash() == Recording.open(folder / "small" / "items" / item).content_hash()
        copy = found.folder
        del found
        with fetched(f"{url}/small/items/{item}/recording.json?key=1") as path:
            assert path.name == "recording.json"
        with pytest.raises(BadInput, match="cannot be read"):
            Recording.open(f"{url}/small/items/none")
        with pytest.raises(BadInput, match="neither a video"), fetched(f"{url}/small/items/none"):
            pass
    assert not copy.exists()
    with pytest.raises(BadInput, match="cannot be read"):
        Recording.open(f"{url}/small/items/{item}")  # nobody serves it any more


def test_recordings_of_a_list_may_lie_anywhere(folder: Path, tmp_path: Path) -> None:
    first, second = Dataset.open(folder / "small").items[:2]
    with serving(folder) as (url, _):
        listed = [
            Entry("there", f"{url}/small/items/{first}"),
            Entry("here", str(folder / "small" / "items" / second)),
        ]
        outcome, told = watch_many(listed, tmp_path, LocalRunner(1), {"eyes": "truth"})
    assert (outcome.failed, told["done"], told["frames"]) == ({}, 2, 4)


def test_what_lies_in_a_store_is_watched_as_if_it_lay_here(folder: Path, tmp_path: Path) -> None:
    item = Dataset.open(folder / "small").items[0]
    here = folder / "small" / "items" / item
    there = f"memory://sets/items/{item}"
    for path in here.iterdir():
        Store(there).write(path.name, path.read_bytes())
    watched = watch(there, tmp_path / "there.situ")
    assert (watched.frames, watched.new_frames) == (2, 2)
    again = watch(Path(there), tmp_path / "there.situ")  # a path has lost a slash; the source is known again
    assert (again.frames, again.new_frames) == (2, 0)
    assert watch(here, tmp_path / "there.situ").new_frames == 0  # wherever it lies, it is the same recording


def test_a_folder_in_a_store_is_copied_whole(tmp_path: Path) -> None:
    store = Store("memory://captures/one")
    for name in ("rgb.txt", "rgb/1.png"):
        store.write(name, name.encode())
    with fetched("memory://captures/one") as path:
        assert path.name == "one"
        assert {p.relative_to(path).as_posix() for p in path.rglob("*.*")} == {"rgb.txt", "rgb/1.png"}
    assert not path.exists()
