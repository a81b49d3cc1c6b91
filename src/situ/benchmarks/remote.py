"""Sets in object stores: shards are made here and committed there; a gathered set is read where it lies.

URL/manifest.json, questions.parquet, items.parquet   as in a folder
URL/shards/00017/COMMIT                               which attempt counts
URL/shards/00017/ATTEMPT/                             the files of a shard
"""

import json
import tempfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from situ.benchmarks.dataset import Dataset, read_manifest
from situ.benchmarks.gather import Gathered, gather
from situ.benchmarks.make import Recipe
from situ.benchmarks.official.names import check_name
from situ.benchmarks.packing import ARCHIVE, INDEX, SHARDS, PackedItems, Span
from situ.benchmarks.shards import begin_shards, make_shard, shard_folder, shard_name
from situ.errors import BadInput, Refused
from situ.recording.remote import fetch_recording, files_of
from situ.stores import Store

TABLES = ("manifest.json", "questions.parquet", INDEX)


def begin_remote(recipe: Recipe, url: str, count: int) -> None:
    """Note in the store what its shards are made by; Refused where it holds another set."""
    store = Store(url)
    with tempfile.TemporaryDirectory(prefix="situ-begin-") as work:
        begin_shards(recipe, Path(work), count)
        said = (Path(work) / "manifest.json").read_bytes()
    if store.create("manifest.json", said):
        return
    there, ours = json.loads(store.read("manifest.json")), json.loads(said)
    if any(there.get(key) != ours[key] for key in ("benchmark", "recipe", "situ", "shards")):
        raise Refused(f"{url} holds another question set. Choose another address.")


def make_remote_shard(recipe: Recipe, url: str, number: int, count: int) -> bool:
    """Make a shard and commit it; False where somebody else had done so."""
    begin_remote(recipe, url, count)
    store, folder = Store(url), f"{SHARDS}/{shard_name(number)}"
    if store.committed(folder) is not None:
        return False
    with tempfile.TemporaryDirectory(prefix="situ-shard-") as work:
        made = make_shard(recipe, Path(work) / "set", number, count)
        files = {path.name: path for path in sorted(made.folder.iterdir())}
        return store.commit(folder, files, {"content_hash": made.manifest["content_hash"]})


def missing_remote(url: str, count: int) -> list[int]:
    store = Store(url)
    return [n for n in range(count) if store.committed(f"{SHARDS}/{shard_name(n)}") is None]


def gather_remote(url: str) -> Gathered:
    """Join the shards of a store. The tables pass through this machine; the recordings stay there."""
    store = Store(url)
    with tempfile.TemporaryDirectory(prefix="situ-gather-") as work:
        out = Path(work)
        (out / "manifest.json").write_bytes(store.read("manifest.json"))
        count = int(read_manifest(out).get("shards", 0))
        places = {}
        for number in range(count):
            name = shard_name(number)
            attempt = store.committed(f"{SHARDS}/{name}")
            if attempt is None:
                continue  # named by gather, with all others that are missing
            places[name] = f"{name}/{attempt}"
            folder = shard_folder(out, number)
            folder.mkdir(parents=True)
            for table in TABLES:
                (folder / table).write_bytes(store.read(f"{SHARDS}/{places[name]}/{table}"))
        made = gather(out, lie_at=places, without=(ARCHIVE,))
        for table in (INDEX, "questions.parquet", "manifest.json"):  # the manifest last: it says complete
            store.write(table, (out / table).read_bytes())
        return Gathered(open_remote(url), made.evenness)


def open_remote(url: str) -> Dataset:
    """A finished set where it lies: its tables are copied, a recording is read when somebody looks at it."""
    store = Store(url)
    work = tempfile.TemporaryDirectory(prefix="situ-remote-")
    folder = Path(work.name)
    for table in TABLES:
        if store.has(table):
            store.fetch(table, folder / table)
        elif table != INDEX or "items" not in read_manifest(folder):  # small sets have none
            raise BadInput(f"{url} holds no finished set: it lacks {table}. Gather its shards first")
    return RemoteDataset(folder, store, work)


class RemoteDataset(Dataset):
    """A set whose recordings are fetched one by one into a cache of bounded size."""

    def __init__(self, folder: Path, store: Store, work: "tempfile.TemporaryDirectory[str]") -> None:
        super().__init__(folder, read_manifest(folder))
        self._work = work  # gone with this object
        if (folder / INDEX).is_file():
            self._items: PackedItems = PackedItems(folder, store.read_range)
        else:
            self._items = LooseItems(folder, store, self.manifest["items"])

    @property
    def _packed(self) -> PackedItems:
        return self._items


class LooseItems(PackedItems):
    """The recordings of a small set, each in a folder of its own."""

    def __init__(self, folder: Path, store: Store, hashes: Mapping[str, str]) -> None:
        super().__init__(folder)
        self._store = store
        self._known = {check_name(item, store.url): content for item, content in hashes.items()}

    @cached_property
    def _spans(self) -> dict[str, Span]:
        return {item: Span(item, content, "", 0, 0) for item, content in self._known.items()}

    def size(self, item: str) -> int:
        span = self._span(item)
        if not span.bytes:  # not asked for yet: each is a request
            span = span._replace(bytes=sum(files_of(self._store, f"items/{item}").values()))
            self._spans[item] = span
        return span.bytes

    def _unpack(self, item: str, folder: Path) -> None:
        self._span(item)
        fetch_recording(self._store, f"items/{item}", folder)
