"""Sets in object stores: against an S3 server of moto where it is installed, else in fsspec's memory."""

import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("fsspec")
from benchmarks.scale import SmallestRecipe

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.making_shards import make_shards
from situ.benchmarks.remote import gather_remote, make_remote_shard, missing_remote
from situ.errors import BadInput, Refused
from situ.runners.local import LocalRunner
from situ.stores import Store, url_of

SMALL = SmallestRecipe(0.012, 1)  # 12 items


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    server = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    import os

    import fsspec

    serving = pytest.importorskip("werkzeug.serving")
    # One request at a time: this server looks for a key and then writes it, which S3 does in one step.
    answers = server.DomainDispatcherApplication(server.create_backend_app)
    running = serving.make_server("127.0.0.1", 0, answers, threaded=False)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    port = running.server_port
    kept = dict(os.environ)
    os.environ |= {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
    os.environ["FSSPEC_S3_ENDPOINT_URL"] = os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
    files = fsspec.filesystem("s3")
    files.mkdir("sets")
    try:
        yield "s3://sets"
    finally:
        running.shutdown()
        os.environ.clear()
        os.environ.update(kept)


def test_what_is_an_address() -> None:
    assert url_of(Path("s3://bucket/set")) == "s3://bucket/set"
    assert url_of(Path("sets/large")) is None
    with pytest.raises(BadInput, match="cannot be opened"):
        Store("nosuchstore://x")


def test_the_same_set_as_on_disk_and_read_where_it_lies(bucket: str, tmp_path: Path) -> None:
    url = f"{bucket}/{uuid.uuid4().hex}"
    assert make_remote_shard(SMALL, url, 1, 3)
    assert not make_remote_shard(SMALL, url, 1, 3)  # delivered twice
    assert missing_remote(url, 3) == [0, 2]
    with pytest.raises(Refused, match="2 of 3 shards are missing"):
        gather_remote(url)
    for number in (2, 0):
        make_remote_shard(SMALL, url, number, 3)
    there = gather_remote(url).dataset
    _, here = make_shards(SMALL, tmp_path / "set", 3, LocalRunner(1))
    assert here is not None
    assert there.manifest["content_hash"] == here.dataset.manifest["content_hash"]
    again = Dataset.open(url)
    assert again.questions == here.dataset.questions
    for item in again.items[:3]:
        again.recording(item).verify()
    with pytest.raises(Refused, match="another question set"):
        make_remote_shard(SmallestRecipe(0.012, 2), url, 0, 3)


def test_of_two_writers_exactly_one_wins_each_time(bucket: str, tmp_path: Path) -> None:
    store = Store(f"{bucket}/{uuid.uuid4().hex}")
    files = []
    for who in range(2):
        (tmp_path / str(who)).write_text(str(who))
        files.append({"who": tmp_path / str(who)})
    with ThreadPoolExecutor(2) as pool:
        for race in range(200):
            start = threading.Barrier(2)

            def write(who: int, race: int = race, start: threading.Barrier = start) -> bool:
                start.wait()
                return store.commit(f"r{race}", files[who])

            won = list(pool.map(write, range(2)))
            assert sum(won) == 1
            attempt = store.committed(f"r{race}")
            assert store.read(f"r{race}/{attempt}/who") == str(won.index(True)).encode()


def test_a_store_that_does_not_answer_is_told_in_one_line() -> None:
    with pytest.raises(BadInput, match="ftp://localhost:1 cannot be opened: "):
        Store("ftp://localhost:1")
