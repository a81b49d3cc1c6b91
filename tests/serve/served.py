"""A server over small memories for tests: in this process, on a port of its own, over real sockets."""

import http.client
import io
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import desk
from situ.memory import SpatialMemory

WANTED = ("mcp", "starlette", "uvicorn", "websockets", "prometheus_client")
REASON = "the extra 'serve' is not installed"


def make_memory(
    path: Path, things: dict[str, list[desk.Spot]] | None = None, frames: int = 12, pictures: bool = True
) -> Path:
    """Somebody stands and looks at things for some seconds; every frame has a picture."""
    things = things or {"red cup": [(3.0, 0.5, 1.0)], "lamp": [(4.0, -1.0, 1.4)]}
    with SpatialMemory.create(path) as memory:
        for i in range(frames):
            memory.observe(
                desk.frame(
                    float(i), things, at=(0.1 * i, 0.0, 1.5), thumbnail=jpeg(64, 48, i) if pictures else None
                )
            )
    return path


def jpeg(width: int, height: int, seed: int = 0) -> bytes:
    picture = np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8)
    return bytes(cv2.imencode(".jpg", cv2.GaussianBlur(picture, (9, 9), 3))[1])


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Running:
    """A server that runs; `log` is what it wrote."""

    port: int
    server: Any
    log: io.StringIO = field(default_factory=io.StringIO)

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, sent, headers or {})
            got = connection.getresponse()
            return Reply(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def ask(self, question: str, **more: Any) -> Reply:
        return self.request("POST", "/v1/ask", {"question": question, **more})


@contextmanager
def running(paths: list[Path], **settings: Any) -> Iterator[Running]:
    from situ.serve.annotate_queues import Queues
    from situ.serve.app import Settings, build
    from situ.serve.journal import Journal
    from situ.serve.library import Library
    from situ.serve.limits import Limits
    from situ.serve.run import bind, server_of

    log = io.StringIO()
    port = settings.pop("port", 0)
    chosen = {"limits": Limits(rate=10_000.0, burst=10_000.0), "journal": Journal(log), **settings}
    explorer, queues = chosen.pop("explorer", None), chosen.pop("queues", ())
    library = Library(paths, may_be_empty=explorer is not None or bool(queues))
    desk = Queues(queues, library) if queues else None
    app = build(library, Settings(**chosen), explorer, desk)
    listening = bind("127.0.0.1", port)
    server = server_of(app, chosen["limits"].max_body)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Running(listening.getsockname()[1], server, log)
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()
        assert not thread.is_alive()
