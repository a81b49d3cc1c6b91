"""An OpenAI-compatible server on this machine that misbehaves on purpose.

Faults are drawn per request from a seed: 429 and 500 replies, slow replies, bodies that are no JSON, closed
lines. The reply to a question depends on its words alone, so that a run with faults must score the same as
one without.
"""

import hashlib
import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from situ.evaluation.models.settings import PROBE

Answer = Callable[[str], str]


class Loopback(ThreadingHTTPServer):
    """Counts what it was asked and what it broke."""

    daemon_threads = True

    def __init__(
        self, answer: Answer, errors: float = 0.0, garbage: float = 0.0, slow: float = 0.0, seed: int = 0,
        refuse_images: bool = False, delay: float = 0.0, closed: float = 0.0, port: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(("127.0.0.1", port), _Handler)
        self.answer, self.errors, self.garbage, self.slow = answer, errors, garbage, slow
        self.refuse_images, self.delay, self.closed = refuse_images, delay, closed
        self.asked: Counter[str] = Counter()  # question -> good replies sent
        self.faults: Counter[str] = Counter()
        self.images = 0
        self.dies_after: int | None = None  # good replies, after which nobody gets any more
        self.death = "closed"  # or "silent", "reset", "hanging" in its reply, "gone" altogether
        self.last_reply = 0.0  # when the last good one was sent
        self.finish = "stop"
        self.refused_key = False  # by the trial already
        self.body: Callable[[str, str], tuple[int, Any]] | None = None  # status and body in place of a reply
        self.temperatures: dict[str, set[float | None]] = {}
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed in the middle of a request is no news."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def fault(self) -> str:
        with self._lock:
            draw = self._random.random()
            half = self.errors / 2
            shares = {"429": half, "500": half, "garbage": self.garbage, "closed": self.closed}
            shares["slow"] = self.slow
            for name, share in shares.items():
                if draw < share:
                    self.faults[name] += 1
                    return name
                draw -= share
            return ""

    def count(self, question: str, images: int) -> None:
        with self._lock:
            self.asked[question] += 1
            self.images += images


class _Handler(BaseHTTPRequestHandler):
    server: Loopback
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text, images = _asked(body)
        server = self.server
        if server.dies_after is not None and sum(server.asked.values()) >= server.dies_after:
            self._die(server.death)
            return
        if text != PROBE:
            server.temperatures.setdefault(str(body.get("model")), set()).add(body.get("temperature"))
        if images and server.refuse_images:
            self._send(
                400, {"error": {"message": "this model takes no images", "type": "invalid_request_error"}}
            )
            return
        if server.refused_key:
            self._send(401, {"error": {"message": f"Incorrect: {self.headers['Authorization']}"}})
            return
        if server.body and text != PROBE:
            server.count(text, images)
            status, body = server.body(text, self.headers["Authorization"])
            raw = isinstance(body, bytes)
            self._send_raw(status, body, "text/html") if raw else self._send(status, body)
            return
        fault = server.fault()
        if fault == "429":
            self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "0"})
        elif fault == "500":
            self._send(500, {"error": {"message": "broken"}})
        elif fault == "garbage":
            self._send_raw(200, b'{"id": "x", "object": "chat.comp', "application/json")
        elif fault == "closed":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            time.sleep(0.3 if fault == "slow" else server.delay)
            if text != PROBE:  # the trial before a run is no question
                server.count(text, images)
            self._send(200, _completion(str(body.get("model")), server.answer(text), server.finish))
            server.last_reply = time.monotonic()

    def _die(self, death: str) -> None:
        self.close_connection = True
        if death == "gone":
            self.server.socket.close()
        elif death == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        elif death == "hanging":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        if death in ("silent", "hanging"):
            self.rfile.read(1)  # until the other side has enough
        self.connection.close()

    def _send(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        self._send_raw(status, json.dumps(data).encode(), "application/json", headers)

    def _send_raw(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


def _asked(body: dict[str, Any]) -> tuple[str, int]:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content, 0
    images = sum(part["type"] == "image_url" for part in content)
    return "\n".join(part["text"] for part in content if part["type"] == "text"), images


def _completion(model: str, text: str, finish: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    }


def by_hash(options: tuple[str, ...]) -> Answer:
    """An answer that depends on the words alone."""

    def answer(text: str) -> str:
        return options[hashlib.sha256(text.encode()).digest()[0] % len(options)]

    return answer


@contextmanager
def serving(server: Loopback) -> Iterator[Loopback]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
