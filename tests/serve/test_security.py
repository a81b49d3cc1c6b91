"""Who is let in and what is turned away: each status, each way around."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from serve import served
from serve.served import Running, make_memory, running
from situ.errors import BadInput
from situ.serve.access import Access, new_token, read_access, scopes_of
from situ.serve.limits import Limits, RateLimit

for module in served.WANTED:
    pytest.importorskip(module, reason=served.REASON)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secure")
    make_memory(folder / "walk.situ")
    make_memory(folder / "home.situ", {"passport": [(3.0, 0.0, 1.0)]})
    (folder / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def tokens(folder: Path) -> dict[str, str]:
    file = folder / "tokens.json"
    every = ("ask,look", "ask:walk", "look:home", "admin")
    return {scopes: new_token(file, scopes_of(scopes)) for scopes in every}


@pytest.fixture(scope="module")
def server(folder: Path, tokens: dict[str, str]) -> Iterator[Running]:
    access = read_access(folder / "tokens.json", {})
    with running([folder / "walk.situ", folder / "home.situ"], access=access) as found:
        yield found


def asked(server: Running, token: str | None, memory: str) -> int:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    body = {"memory": memory, "question": "where is the lamp?"}
    return server.request("POST", "/v1/ask", body, headers).status


def test_without_a_token_or_with_a_wrong_one_nobody_enters(server: Running, tokens: dict[str, str]) -> None:
    for path in ("/v1/memories", "/v1/memories/walk/objects", "/v1/tools.json", "/metrics", "/v1/nothing"):
        got = server.get(path)
        assert (got.status, got.headers["www-authenticate"]) == (401, "Bearer"), path
    assert asked(server, None, "walk") == asked(server, "wrong", "walk") == 401
    assert asked(server, tokens["ask,look"][:-1], "walk") == 401
    assert server.get("/v1/healthz").status == 200


def test_a_token_of_one_memory_opens_no_other(server: Running, tokens: dict[str, str]) -> None:
    token = tokens["ask:walk"]
    assert asked(server, token, "walk") == 200
    # Whether a memory exists is not told either.
    assert asked(server, token, "home") == asked(server, token, "nowhere") == 403
    listed = server.get("/v1/memories", Authorization=f"Bearer {token}").json["memories"]
    assert [row["memory"] for row in listed] == ["walk"]
    assert server.get("/v1/memories/home/objects", Authorization=f"Bearer {token}").status == 403
    assert "passport" not in server.get("/v1/tools.json", Authorization=f"Bearer {token}").body.decode()


def test_scopes_are_kept_apart(server: Running, tokens: dict[str, str]) -> None:
    def status(path: str, scopes: str) -> int:
        return server.get(path, Authorization=f"Bearer {tokens[scopes]}").status

    assert status("/v1/memories/home/frames/0.jpg", "look:home") == 200
    assert status("/v1/memories/walk/frames/0.jpg", "look:home") == 403
    assert status("/v1/memories/walk/frames/0.jpg", "ask:walk") == 403
    assert status("/v1/memories/walk/objects", "admin") == 403
    assert (status("/metrics", "ask,look"), status("/metrics", "admin")) == (403, 200)


def test_a_token_is_stored_as_its_hash_for_the_owner_alone(folder: Path, tokens: dict[str, str]) -> None:
    text = (folder / "tokens.json").read_text()
    assert not any(token in text for token in tokens.values())
    assert (folder / "tokens.json").stat().st_mode & 0o077 == 0
    assert all(row["created"] for row in json.loads(text)["tokens"])


def test_beyond_this_machine_a_token_is_needed(folder: Path) -> None:
    from situ.serve.app import Settings, build
    from situ.serve.library import Library

    for host in ("0.0.0.0", "::", "192.168.1.20", "example.org"):
        with pytest.raises(BadInput, match="token is needed"):
            build(Library([folder / "walk.situ"]), Settings(host))
    with pytest.raises(BadInput, match="too short"):
        read_access(None, {"SITU_TOKEN": "hunter2"})
    Access().check_address("127.0.0.1")
    Access().check_address("::1")


@pytest.fixture(scope="module")
def bare(folder: Path) -> Iterator[Running]:
    limits = Limits(max_body=20_000, body_s=0.3, rate=10_000.0, burst=10_000.0)
    with running([folder / "walk.situ"], limits=limits) as found:
        yield found


def test_another_host_name_is_misdirected(bare: Running) -> None:
    for host in (
        "evil.example",
        "evil.example:80",
        "10.0.0.1",
        "127.0.0.1.evil.example",
        "",
        "localhost.evil",
    ):
        assert bare.get("/v1/memories", Host=host).status == 421, host
        assert bare.get("/", Host=host).status == 421, host
    for host in ("localhost", f"127.0.0.1:{bare.port}", "[::1]:80"):
        assert bare.get("/v1/memories", Host=host).status == 200, host


def test_pages_of_other_sites_are_turned_away(bare: Running) -> None:
    for origin in ("http://evil.example", "null", f"http://localhost:{bare.port}", "file://"):
        assert bare.get("/v1/memories", Origin=origin).status == 403, origin
    assert bare.get("/v1/memories", Origin=f"http://127.0.0.1:{bare.port}").status == 200
    assert bare.get("/v1/memories/walk/frames/0.jpg", Sec_Fetch_Site="cross-site").status == 403


@pytest.mark.parametrize(
    "path",
    [
        "/v1/memories/../secret.txt/objects",
        "/v1/memories/..%2fsecret.txt/objects",
        "/v1/memories/%2e%2e%2fwalk.situ/objects",
        "/v1/memories/walk.situ/objects",
        "/v1/memories/walk%00/objects",
        "/v1/memories/walk/frames/../../../../secret.txt.jpg",
        "/v1/memories/walk/frames/-1.jpg",
        "/v1/memories/walk/frames/99999999999999999999999.jpg",
        "/v1/memories/walk/frames/%D9%A3.jpg",
        "/static/../../secret.txt",
        "/..%2f..%2fsecret.txt",
        "//secret.txt",
        "/vendor/..%2f..%2fapp.py",
    ],
)
def test_no_path_of_a_request_reaches_a_file(bare: Running, path: str) -> None:
    got = bare.get(path)
    assert got.status == 404
    assert b"secret" not in got.body
    assert b"SQLite" not in got.body


def test_what_is_too_large_or_too_slow_is_cut_off(bare: Running) -> None:
    assert bare.request("POST", "/v1/ask", b"x" * 20_001).status == 413
    stated = bare.request("POST", "/v1/ask", None, {"Content-Length": "999999999999"})
    assert stated.status == 413
    with socket.create_connection(("127.0.0.1", bare.port), timeout=20) as line:
        line.sendall(b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(4):
            line.sendall(b"1770\r\n" + b"x" * 6000 + b"\r\n")
        assert b" 413 " in line.recv(200)
    with socket.create_connection(("127.0.0.1", bare.port), timeout=20) as line:
        line.sendall(b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        assert b" 408 " in line.recv(200)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'{"question": 7}', 400),
        (b'{"question": "x", "at": NaN}', 400),
        (b'{"question": "x", "at": 1e999}', 400),
        (b'{"question": "x", "at": "soon"}', 400),
        (b'{"question": "x", "path": "/etc/passwd"}', 400),
        (b'{"question": "' + b"x" * 501 + b'"}', 400),
        (b'{"question": "x", "confidence": 2}', 400),
        (b'{"question": "x", "context": {"program": {"kind": "no such kind"}}}', 400),
        (b"[" * 9000, 400),
        (b'\xff\xfe{"question"', 400),
        (b'{"question": "x", "memory": "nowhere"}', 404),
        (b'{"question": "x", "memory": "../secret"}', 404),
    ],
)
def test_a_bad_body_is_told_what_is_wrong(bare: Running, body: bytes, status: int) -> None:
    got = bare.request("POST", "/v1/ask", body)
    assert got.status == status
    assert got.json["error"]["message"]
    assert b"Traceback" not in got.body


def test_a_client_that_asks_too_often_waits(folder: Path) -> None:
    with running([folder / "walk.situ"], limits=Limits(rate=0.5, burst=3)) as server:
        found = [server.get("/v1/memories") for _ in range(5)]
        assert [got.status for got in found] == [200, 200, 200, 429, 429]
        assert int(found[-1].headers["retry-after"]) >= 1
        assert server.get("/v1/healthz").status == 200


def test_the_bucket_refills_and_clients_are_told_apart() -> None:
    from situ.serve.failure import Failure

    now = [0.0]
    limit = RateLimit(2.0, 2.0, lambda: now[0])
    for _ in range(2):
        limit.take("a")
    limit.take("b")
    with pytest.raises(Failure):
        limit.take("a")
    now[0] = 0.5
    limit.take("a")


def test_headers_protect_the_pages(bare: Running) -> None:
    headers = bare.get("/v1/memories").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_only_a_server_that_may_write_forgets(folder: Path, tmp_path: Path) -> None:
    path = make_memory(tmp_path / "home.situ", {"passport": [(3.0, 0.0, 1.0)], "lamp": [(4.0, -1.0, 1.4)]})
    with running([path]) as server:
        assert server.request("POST", "/v1/memories/home/forget", {"kind": "passport"}).status == 403
    with running([path], writable=True) as server:
        assert "passport is" in server.ask("where is the passport?").json["text"]
        got = server.request("POST", "/v1/memories/home/forget", {"kind": "passport"})
        assert (got.status, got.json["things"], got.json["complete"]) == (200, 1, True)
        assert "deleted" in server.ask("where is the passport?").json["text"]
        assert server.request("POST", "/v1/memories/home/forget", {}).status == 400


def test_a_memory_that_somebody_writes_is_not_written_by_two(tmp_path: Path) -> None:
    from situ.memory import SpatialMemory

    path = make_memory(tmp_path / "walk.situ")
    with running([path], writable=True) as server, SpatialMemory.open(path):
        got = server.request("POST", "/v1/memories/walk/forget", {"kind": "lamp"})
        assert got.status == 409
        assert str(tmp_path) not in got.body.decode()
        assert server.ask("where is the lamp?").status == 200


def test_a_question_that_takes_too_long_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from situ.serve import queries

    monkeypatch.setattr(queries, "ask", lambda *_: time.sleep(1.0))
    with running([folder / "walk.situ"], limits=Limits(question_s=0.1, threads=1, most_waiting=1)) as server:
        assert server.ask("where is the lamp?").status == 503


@pytest.mark.parametrize(
    "begun",
    [
        b"GET /v1/healthz HTTP/1.1\r\nHost: localhost\r\nX: ",
        b"GET /",
        b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ",
    ],
    ids=["header", "path", "trailer"],
)
def test_a_head_without_an_end_is_cut_off(server: Running, begun: bytes) -> None:
    sent = 0
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line, suppress(OSError):
        line.sendall(begun)
        for _ in range(4000):
            line.sendall(b"x" * 1024)
            sent += 1
    assert sent < 4000
    assert server.get("/v1/healthz").status == 200


def begun_lines(server: Running, count: int) -> list[socket.socket]:
    """Lines on which a head was begun and never ends."""
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(count)]
    for line in lines:
        line.sendall(b"GET /v1/healthz HTTP/1.1\r\nHost: localhost\r\nX: ")
    return lines


def test_heads_without_an_end_do_not_stop_the_server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from situ.serve import bounded_http

    monkeypatch.setattr(bounded_http, "HEAD_S", 0.2)
    monkeypatch.setattr(bounded_http, "MOST_OF_ONE_ADDRESS", 5)
    with running([folder / "walk.situ"]) as server:
        lines = begun_lines(server, 5)
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as one_more:
            assert b" 429 " in one_more.recv(200)
        assert [b" 408 " in line.recv(200) for line in lines] == [True] * 5
        assert server.get("/v1/healthz").status == 200
        for line in lines:
            line.close()


def test_a_second_head_on_a_line_is_timed_as_the_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from situ.serve import bounded_http

    monkeypatch.setattr(bounded_http, "HEAD_S", 0.2)
    head = b"GET /v1/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with (
        running([folder / "walk.situ"]) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=5) as line,
    ):
        line.sendall(head)
        assert b" 200 " in line.recv(2000)
        line.sendall(head[:20])
        assert b" 408 " in line.recv(2000)


def test_one_network_of_ipv6_counts_as_one_address() -> None:
    from situ.serve.bounded_http import _network

    assert _network(("2001:db8:1:2::3", 1)) == _network(("2001:db8:1:2:ffff::", 2))
    assert _network(("2001:db8:1:2::3", 1)) != _network(("2001:db8:1:3::3", 1))
    assert _network(("10.0.0.1", 1)) != _network(("10.0.0.2", 1))
    assert _network(("::ffff:10.0.0.1", 1)) == _network(("10.0.0.1", 1))


def masked(opcode: int, data: bytes) -> bytes:
    """A whole frame of a WebSocket, as a client must send it."""
    key = b"mask"
    return bytes([0x80 | opcode, 0x80 | len(data)]) + key + bytes(b ^ key[i % 4] for i, b in enumerate(data))


NO_TEXT, CLOSE = masked(1, b"\xff\xfe"), masked(8, b"\x03\xe8")


@pytest.mark.parametrize("sent", [NO_TEXT, NO_TEXT + CLOSE, NO_TEXT + NO_TEXT, CLOSE + NO_TEXT])
def test_a_text_that_is_none_closes_its_line_and_leaves_no_traceback(
    tmp_path: Path, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    make_memory(tmp_path / "walk.situ", frames=2)
    with running([tmp_path / "walk.situ"], writable=True) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
            line.sendall(
                b"GET /v1/memories/walk/stream HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                b"Sec-WebSocket-Version: 13\r\n\r\n" % server.port
            )
            assert line.recv(4096).startswith(b"HTTP/1.1 101")
            line.sendall(sent)
            told = b""
            while more := line.recv(4096):
                told += more
            assert told[:2] == b"\x88\x02"  # a close, and why
            assert told[2:4] == (b"\x03\xe8" if CLOSE in sent else b"\x03\xef")
        assert server.get("/v1/healthz").status == 200
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]
