"""Streams over a WebSocket: what is sent is remembered, once, whatever breaks on the way."""

import json
import math
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from serve import served
from serve.served import Running, jpeg, make_memory, running
from situ.memory import SpatialMemory, to_json

for module in served.WANTED:
    pytest.importorskip(module, reason=served.REASON)

from benchmarks.serve_footage import HELLO, sent  # noqa: E402

from situ.serve import stream  # noqa: E402
from situ.serve.client import StreamClient, StreamFailed  # noqa: E402
from situ.serve.limits import Limits  # noqa: E402
from situ.serve.stream import Seeing  # noqa: E402

COUNT = 24
DOWN = (0.0, math.cos(math.radians(25.0)), math.sin(math.radians(25.0)))  # the camera looks down a little


def address(server: Running, name: str = "live") -> str:
    return f"ws://127.0.0.1:{server.port}/v1/memories/{name}/stream"


def contents(path: Path) -> dict[str, Any]:
    """All that a memory says, at the end and half way through."""
    with SpatialMemory.open(path, read_only=True) as memory:
        middle = memory.history.end / 2
        return {
            "frames": memory.frames,
            "path": memory.state().path.poses.tolist(),
            "now": to_json(memory.state()),
            "then": to_json(memory.state(middle)),
        }


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("unbroken") / "live.situ"
    SpatialMemory.create(path).close()
    with running([path], writable=True) as server:
        client = StreamClient(address(server), HELLO, patience_s=120.0)
        client.send_all(sent(COUNT))
        said = client.finish()
    assert (said["dropped"], said["late"], said["broken"], said["looked"]) == (0, 0, 0, COUNT)
    return contents(path)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[tuple[Path, Running]]:
    path = tmp_path / "live.situ"
    SpatialMemory.create(path).close()
    with running([path], writable=True) as server:
        yield path, server


def test_a_stream_becomes_a_memory_with_things_in_it(unbroken: dict[str, Any]) -> None:
    colours = {row["attributes"].get("color") for row in unbroken["now"]["objects"] if row["presence"] > 0.5}
    assert {"red", "blue", "green"} <= colours
    assert unbroken["frames"] == COUNT


def test_a_line_that_breaks_again_and_again_changes_nothing(
    live: tuple[Path, Running], unbroken: dict[str, Any]
) -> None:
    path, server = live
    client = StreamClient(address(server), HELLO, patience_s=120.0)
    for i, frame in enumerate(sent(COUNT)):
        if i % 5 == 4:
            client.close()
        client.send(frame)
    client.finish()
    assert contents(path) == unbroken
    assert not path.with_name("live.situ-watch").exists()


def test_odometry_goes_on_after_a_break_as_if_there_had_been_none(tmp_path: Path) -> None:
    """Without poses the server finds them itself; what it knew of the path survives its own death."""
    told = []
    for name, broken in (("whole", False), ("broken", True)):
        path = tmp_path / f"{name}.situ"
        SpatialMemory.create(path).close()
        with running([path], writable=True) as server:
            client = StreamClient(address(server, name), {**HELLO, "poses": None}, patience_s=120.0)
            for i, frame in enumerate(sent(20, fps=5.0)):
                if broken and i % 6 == 5:
                    client.close()
                client.send(replace(frame, T_world_camera=None, gravity=DOWN))
            assert client.finish()["scale_from"] == "depth"
        told.append(contents(path))
    assert told[0]["frames"] == 7  # one look each 0.6 s
    assert told[0] == told[1]


def test_what_was_seen_can_be_asked_while_the_stream_runs(live: tuple[Path, Running]) -> None:
    _, server = live
    client = StreamClient(address(server), HELLO, patience_s=120.0)
    client.send_all(sent(6))
    deadline = time.monotonic() + 20
    while server.get("/v1/memories").json["memories"][0]["frames"] < 6 and time.monotonic() < deadline:
        time.sleep(0.02)
    found = server.get("/v1/memories").json["memories"][0]
    assert (found["frames"], found["writing"]) == (6, True)
    assert server.get("/v1/memories/live/live.jpg").body[:2] == b"\xff\xd8"
    client.close()


def test_two_writers_are_one_too_many(live: tuple[Path, Running]) -> None:
    _, server = live
    first, second = (StreamClient(address(server), HELLO, patience_s=1.0) for _ in range(2))
    first.send(sent(1)[0])
    with pytest.raises(StreamFailed, match="being written"):
        second.send(sent(1)[0])
    assert server.request("POST", "/v1/memories/live/forget", {"kind": "object"}).status == 409
    first.finish()


def test_a_client_that_comes_back_takes_its_own_place(live: tuple[Path, Running]) -> None:
    path, server = live
    frames = sent(8)
    client = StreamClient(address(server), HELLO, patience_s=120.0)
    client.send_all(frames[:4])
    line, client._socket = client._line, None  # the server does not see that this line is dead
    client._line = type(line)()
    client.send_all(frames[4:])
    client.finish()
    line.close()
    with SpatialMemory.open(path, read_only=True) as memory:
        assert memory.frames == len(frames)


def test_a_server_that_stops_loses_nothing(tmp_path: Path, unbroken: dict[str, Any]) -> None:
    path = tmp_path / "live.situ"
    SpatialMemory.create(path).close()
    frames = sent(COUNT)
    with running([path], writable=True) as server:
        client = StreamClient(address(server), HELLO, patience_s=120.0)
        client.send_all(frames[:10])
    with running([path], writable=True) as server:
        client.address = address(server)
        client.send_all(frames[10:])
        client.finish()
    assert contents(path) == unbroken


def test_another_stream_goes_on_in_the_same_memory(live: tuple[Path, Running]) -> None:
    path, server = live
    for _ in range(2):
        client = StreamClient(address(server), HELLO, patience_s=120.0)
        client.send_all(sent(5))
        client.finish()
    with SpatialMemory.open(path, read_only=True) as memory:
        assert memory.frames == 10
        times = memory.state().path.times
    assert (times[1:] > times[:-1]).all()


def raw(server: Running) -> Any:
    from websockets.sync.client import connect

    while server.get("/v1/memories").json["memories"][0]["writing"]:  # by the test before
        time.sleep(0.02)
    return connect(address(server), subprotocols=["situ.v1"], compression=None)


def hello(**more: Any) -> str:
    return json.dumps({"session": "abcdefgh", "width": 160, "height": 120, "fov_deg": 80.0, **more})


@pytest.mark.parametrize(
    "said",
    [
        "{}", "nonsense", hello(width=0), hello(width=100000, height=100000), hello(session="../../etc/x"),
        hello(fov_deg=720), hello(orientation=45), hello(depth="exe"), hello(poses="yes"), hello(up="q"),
        hello(path="/etc/passwd"), "[" * 5000, "x" * 9000,
    ],
)  # fmt: skip
def test_a_bad_hello_is_told_so(module_server: Running, said: str) -> None:
    with raw(module_server) as socket:
        socket.send(said)
        assert json.loads(socket.recv(timeout=20))["error"]["message"]


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    path = make_memory(tmp_path_factory.mktemp("bad") / "live.situ")
    limits = Limits(max_body=200_000, max_pixels=640 * 480, rate=1e6, burst=1e6)
    with running([path], writable=True, limits=limits, seeing=Seeing(fps=1000.0)) as server:
        yield server
        assert server.ask("where is the lamp?").status == 200


def bomb() -> bytes:
    """A JPEG whose header says that it is huge."""
    data = bytearray(jpeg(64, 48))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    return bytes(data)


def test_bad_pictures_are_counted_and_passed_over(module_server: Running) -> None:
    with raw(module_server) as socket:
        socket.send(hello(eye_height=1.6))
        json.loads(socket.recv(timeout=20))
        pictures = [
            bomb(),
            b"",
            b"\xff\xd8\xff",
            jpeg(160, 120)[:300],
            b"GIF89a",
            jpeg(160, 120, 1),
            jpeg(320, 240),
        ]
        for i, picture in enumerate(pictures):
            socket.send(json.dumps({"t": i / 10, "seq": i}))
            socket.send(picture)
        socket.send(json.dumps({"t": 0.0, "seq": 99}))  # too late
        socket.send(jpeg(160, 120))
        said: dict[str, Any] = {}
        while said.get("done") != len(pictures) + 1:
            said = json.loads(socket.recv(timeout=30))
        assert (said["broken"], said["late"], said["ack"]) == (5, 1, 6)


def test_another_shape_of_picture_ends_the_stream_with_a_reason(module_server: Running) -> None:
    with raw(module_server) as socket:
        socket.send(hello(session="othershape"))
        socket.recv(timeout=20)
        socket.send('{"t": 0.0, "seq": 0}')
        socket.send(jpeg(120, 160))
        said: dict[str, Any] = {}
        while "error" not in said:
            said = json.loads(socket.recv(timeout=30))
        assert "hello again" in said["error"]["message"]


def test_frames_that_come_too_fast_push_out_the_oldest() -> None:
    from situ.recording.latest_queue import LatestQueue

    waiting = LatestQueue[int](3)
    for i in range(10):
        waiting.put(i)
    threading.Timer(0.01, waiting.close).start()
    assert list(waiting) == [7, 8, 9]
    assert waiting.dropped == 7


def test_only_a_server_that_may_write_takes_streams(tmp_path: Path) -> None:
    path = make_memory(tmp_path / "live.situ")
    with running([path]) as server, pytest.raises(StreamFailed, match="403"):
        StreamClient(address(server), HELLO, patience_s=1.0).send(sent(1)[0])


def test_a_full_disk_ends_a_stream_and_no_more(
    live: tuple[Path, Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, server = live
    opened, held = stream._opened, []

    def on_a_full_disk(path: Path) -> SpatialMemory:
        memory = opened(path)
        memory.store.connection.execute("PRAGMA max_page_count = 1")
        held.append(memory)  # a lock that is left to Python's collector is kept
        return memory

    with monkeypatch.context() as full:
        full.setattr(stream, "_opened", on_a_full_disk)
        client = StreamClient(address(server), HELLO, patience_s=120.0)
        client.send_all(sent(4))
        with pytest.raises(StreamFailed, match="could not be written"):
            client.finish()
    assert held
    client = StreamClient(address(server), {**HELLO, "session": "the-next-stream"}, patience_s=120.0)
    client.send_all(sent(4))
    assert client.finish()["looked"] == 4
