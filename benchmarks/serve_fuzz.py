"""Nonsense of every kind, sent to a server that must neither fall nor talk about its insides."""

import itertools
import json
import random
import re
import signal
import socket
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.serve_footage import HELLO, sent
from benchmarks.serve_load import live_memory
from benchmarks.serve_server import alive, end, free_port, spent, start_server, warm

_WORDS = (
    "where is the red object?",
    "\0",
    "../../etc/passwd",
    "%s%n",
    "' OR 1=1 --",
    "\ud7ff",
    "x" * 600,
    "how many",
    "NaN",
    "-1",
    "1e400",
    "null",
    "<script>",
    "where is " + "the " * 100 + "?",
    "what changed since " + "9" * 50,
)
_PATHS = (
    "/",
    "/v1/ask",
    "/v1/verify",
    "/v1/memories",
    "/v1/memories/live/objects",
    "/v1/memories/live/path",
    "/mcp",
    "/v1/memories/live/frames/0.jpg",
    "/v1/memories/live/frames",
    "/v1/memories/live/changes",
    "/metrics",
    "/v1/memories/live/forgot",
    "/v1/tools.json",
    "/v1/memories/live/stream",
    "/capture",
    "/v1/memories/../x/objects",
)
_FIELDS = ("at", "limit", "near", "label", "most", "from", "width", "x")
_NUMBERS = ("1", "-1", "nan", "1e999", "%00", "9" * 40, "a,b,c", "1,2,3", "")
_LEAKS = re.compile(rb"Traceback|situ/serve|\.py\b|site-packages|sqlite")


def fuzz(count: int, folder: Path, seed: int = 7) -> dict[str, Any]:
    """Send `count` malformed things; says what came back, and whether the server still answers."""
    warm()
    path, port, rng = live_memory(folder), free_port(), random.Random(seed)
    log = folder / "log.jsonl"
    server = start_server(path, port, log, max_body=200_000, max_pixels=640 * 480, body_s=0.5)
    before, seen, leaked, broken = spent(server)[1], Counter[str](), 0, 0
    kinds = (_raw, _http, _http, _json_body, _json_body, _mcp, _stream, _picture)
    try:
        for i in range(count):
            kind = kinds[i % len(kinds)]
            status, body = kind(rng, port)
            seen[f"{kind.__name__[1:]} {status}"] += 1
            leaked += _LEAKS.search(body) is not None
            broken += status == "500"
            if i % 500 == 0 and not alive(server):
                break
        standing = alive(server)
        answers = _answers(port) if standing else False
        after = spent(server)[1] if standing else 0.0
    finally:
        if alive(server):
            end(server, signal.SIGTERM)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    faults = [line["at"][-1] + " " + line["error"] for line in lines if line.get("level") == "error"]
    return {
        "sent": count,
        "crashed": int(not standing),
        "leaked": leaked,
        "broken": broken,
        "still_answers": answers,
        "faults_in_log": faults[:5],
        "rss_mb": [round(before), round(after)],
        "came_back": dict(sorted(seen.items())),
    }


def _answers(port: int) -> bool:
    status, body = _sent(port, _request("POST", "/v1/ask", b'{"question": "how many objects are there?"}'))
    return status == "200" and b"text" in body


def _request(method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
    lines = {"Host": "127.0.0.1", "Content-Length": str(len(body)), "Connection": "close", **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogatepass") + body


def _sent(port: int, data: bytes, patience_s: float = 20.0, then: bytes = b"") -> tuple[str, bytes]:
    """What came back for some bytes: a status, "closed" or "silent"."""
    try:
        with socket.create_connection(("127.0.0.1", port), 20) as line:
            line.sendall(data)
            line.settimeout(patience_s)
            got = b""
            if then:  # a WebSocket speaks when it has been let in
                got = line.recv(4000)
                line.sendall(then)
            with suppress(TimeoutError):
                while len(got) < 4000 and (part := line.recv(4000)):
                    got += part
    except OSError:
        return "closed", b""
    if not got:
        return "silent", b""
    return (got[9:12].decode("latin-1") if got[:5] == b"HTTP/" else "closed"), got


def _raw(rng: random.Random, port: int) -> tuple[str, bytes]:
    """Bytes that are no HTTP, or nearly."""
    good = _request("GET", rng.choice(_PATHS))
    cut = bytearray(good if rng.random() < 0.8 else rng.randbytes(rng.randrange(1, 400)))
    for _ in range(rng.randrange(1, 8)):
        cut[rng.randrange(len(cut))] = rng.randrange(256)
    return _sent(port, bytes(cut) + b"\r\n\r\n", 0.3)


def _http(rng: random.Random, port: int) -> tuple[str, bytes]:
    """Whole requests with wrong methods, headers, queries."""
    method = rng.choice(("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"))
    query = "&".join(f"{rng.choice(_FIELDS)}={rng.choice(_NUMBERS)}" for _ in range(rng.randrange(4)))
    headers = {
        rng.choice(
            ("Host", "Origin", "Authorization", "Range", "Accept", "X" * 50, "If-None-Match", "Upgrade")
        ): rng.choice(
            (
                "",
                "null",
                "127.0.0.1",
                "Bearer " + "x" * 900,
                "bytes=0-",
                "a" * 20_000,
                "websocket",
                "evil.example",
            )
        )
    }
    path = rng.choice(_PATHS) + (f"?{query}" if query else "")
    return _sent(port, _request(method, path, b"", headers))


def _value(rng: random.Random, deep: int = 0) -> Any:
    choices = [None, True, -1, 1e308, 10**30, 0.5, rng.choice(_WORDS), []]
    if deep < 4 and rng.random() < 0.5:
        return {rng.choice(_NAMES): _value(rng, deep + 1) for _ in range(rng.randrange(4))}
    if deep < 4 and rng.random() < 0.2:
        return [_value(rng, deep + 1) for _ in range(rng.randrange(5))]
    return rng.choice(choices)


_NAMES = (
    "question",
    "memory",
    "at",
    "known_at",
    "confidence",
    "context",
    "program",
    "kind",
    "certificate",
    "which",
    "thing",
    "place",
    "format",
    "version",
    "value",
    "margin",
    "evidence",
    "numbers",
    "category",
    "attributes",
)


def _json_body(rng: random.Random, port: int) -> tuple[str, bytes]:
    """JSON that is none, or says what nobody expects."""
    data = {name: _value(rng) for name in rng.sample(_NAMES[:10], rng.randrange(5))}
    if rng.random() < 0.6:
        data["question"] = rng.choice(_WORDS)
    if rng.random() < 0.3:
        program = {
            "kind": rng.choice(("count", "where", "changes", "distance", "nearest_thing", "x")),
            "which": _value(rng),
        }
        data["certificate"] = {
            "format": "situ-certificate",
            "version": 1,
            "program": program,
            "at": 1.0,
            "known_at": 1.0,
            "value": "x",
            "margin": rng.choice((1.0, "Infinity", "x")),
            "evidence": [0],
            "numbers": {},
        }
        data["context"] = {"program": program, "thing": rng.choice(_WORDS)[:100]}
    body = json.dumps(data).encode("utf-8", "surrogatepass")
    if rng.random() < 0.3:
        body = body[: rng.randrange(len(body) + 1)] + rng.randbytes(rng.randrange(5))
    if rng.random() < 0.02:
        body = b"[" * 100_000 if rng.random() < 0.5 else b"x" * 250_000
    path = rng.choice(("/v1/ask", "/v1/ask", "/v1/verify", "/v1/memories/live/forget"))
    if path.endswith("forget"):
        body = (
            body.replace(b'"kind"', b'"kinds"')
            .replace(b'"thing"', b'"things"')
            .replace(b'"place"', b'"places"')
        )
    return _sent(port, _request("POST", path, body, {"Content-Type": "application/json"}))


def _mcp(rng: random.Random, port: int) -> tuple[str, bytes]:
    method = rng.choice(("tools/call", "initialize", "tools/list", "resources/read", "ping", "x", 7, None))
    params = {
        "name": rng.choice(("ask", "look", "objects", "verify", "x")),
        "arguments": _value(rng),
        "uri": rng.choice(_WORDS),
    }
    body = json.dumps(
        {"jsonrpc": rng.choice(("2.0", "1.0", 2)), "id": _value(rng, 4), "method": method, "params": params}
    )
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    return _sent(port, _request("POST", "/mcp", body.encode("utf-8", "surrogatepass"), headers))


def _upgrade() -> bytes:
    return _request(
        "GET",
        "/v1/memories/live/stream",
        b"",
        {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        },
    )


def _stream(rng: random.Random, port: int) -> tuple[str, bytes]:
    """WebSocket frames that break the protocol, or a hello that is none."""
    data = rng.choice(
        (
            rng.randbytes(rng.randrange(1, 60)),
            _frame(1, json.dumps(_value(rng)).encode("utf-8", "surrogatepass")),
            _frame(2, b"\xff"),
            _frame(rng.randrange(16), b"x" * rng.randrange(200)),
            _frame(1, b"\xff\xfe"),
            b"\x81\xff" + b"\xff" * 8,
        )
    )
    return _sent(port, _upgrade(), 0.3, data + _frame(8, b"\x03\xe8"))


def _frame(kind: int, body: bytes) -> bytes:
    size = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
    size = size if len(body) < 65536 else b"\xff" + len(body).to_bytes(8, "big")
    return bytes([0x80 | kind]) + size + b"\0\0\0\0" + body


_CLOCK = itertools.count(1000)  # times must grow, or frames are not looked at


def _session(rng: random.Random) -> str:
    return "fuzz-stream" if rng.random() < 0.95 else "fuzz" + rng.randbytes(6).hex()


def _picture(rng: random.Random, port: int) -> tuple[str, bytes]:
    """A stream whose pictures are damaged, cut, huge by their header, or of another kind."""
    hello = {**HELLO, "depth": None, "poses": None, "session": _session(rng)}
    data = _frame(1, json.dumps(hello).encode())
    for i in range(rng.randrange(1, 4)):
        good = bytearray(sent(2)[i % 2].jpeg)
        how = rng.randrange(5)
        if how == 0:
            at = good.index(b"\xff\xc0")
            good[at + 5 : at + 9] = rng.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x40\0\x40\0"))
        elif how == 1:
            del good[rng.randrange(len(good)) :]
        elif how == 2:
            for _ in range(20):
                good[rng.randrange(2, len(good))] = rng.randrange(256)
        elif how == 3:
            good = bytearray(rng.randbytes(rng.randrange(500)))
        header = {"t": rng.choice((next(_CLOCK),) * 8 + (-5,)), "seq": i}
        if rng.random() < 0.2:
            header = {"t": _value(rng), "T": _value(rng), "gravity": [0, 0, 0]}
        data += _frame(1, json.dumps(header).encode("utf-8", "surrogatepass")) + _frame(2, bytes(good))
    return _sent(port, _upgrade(), 5.0, data + _frame(8, b"\x03\xe8"))
