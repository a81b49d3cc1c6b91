"""Sets in object stores: shards are made here and committed there; `Dataset.open` reads what was gathered.

URL/manifest.json, questions.parquet, items.parquet   as in a folder
URL/shards/00017/COMMIT                               which attempt counts
URL/shards/00017/ATTEMPT/                             the files of a shard
"""

import json
import tempfile
from pathlib import Path

from situ.benchmarks.dataset import TABLES, Dataset, read_manifest
from situ.benchmarks.gather import Gathered, gather
from situ.benchmarks.make import Recipe
from situ.benchmarks.packing import ARCHIVE, INDEX, SHARDS
from situ.benchmarks.shards import begin_shards, make_shard, shard_folder, shard_name
from situ.errors import Refused
from situ.stores import Store


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
        return Gathered(Dataset.open(url), made.evenness)
