"""Running a server: the socket, the certificate, what is printed, and a clean end."""

import asyncio
import io
import logging
import socket
import sys
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.serve.library import Library


@dataclass(frozen=True)
class Tls:
    """A certificate and its key, as files."""

    certificate: Path
    key: Path


def bind(host: str, port: int) -> socket.socket:
    """The socket that a server listens at, bound before anything else so that a taken port is told."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise BadInput(f"cannot listen at {host}:{port}: {error.strerror}; choose another --port") from error
    return listening


def serve(
    app: Any,
    listening: socket.socket,
    max_body: int,
    tls: Tls | None = None,
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve until told to stop (Ctrl-C, SIGTERM); requests and streams that are open are ended cleanly."""
    server = server_of(app, max_body, tls)

    async def run() -> None:
        task = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        if ready is not None and not task.done():
            ready()
        await task

    _loop_runner()(run())


def _loop_runner() -> Callable[[Coroutine[Any, Any, None]], None]:
    """uvloop where there is one; Windows has none."""
    try:
        uvloop: Any = import_module("uvloop")
    except ImportError:
        return asyncio.run
    return uvloop.run  # type: ignore[no-any-return]


def server_of(app: Any, max_body: int, tls: Tls | None = None) -> Any:
    """A uvicorn server that trusts no header about who is asking."""
    try:
        import uvicorn

        from situ.serve.bounded_http import MOST_CONNECTIONS, BoundedHttp
        from situ.serve.strict_websocket import StrictWebSocket
    except ImportError as error:
        raise MissingExtra("serve", "`situ serve`") from error
    # It takes a WebSocket that is refused with a status for one that was forgotten.
    logging.getLogger("uvicorn.error").addFilter(lambda line: "completing handshake" not in line.getMessage())
    config = uvicorn.Config(
        app, http=BoundedHttp, log_level="warning", access_log=False, server_header=False, date_header=False,
        proxy_headers=False, limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=15,
        ws=StrictWebSocket, ws_max_size=max_body, ws_ping_interval=20.0, ws_ping_timeout=20.0,
        ws_per_message_deflate=False, timeout_graceful_shutdown=10,
        ssl_certfile=None if tls is None else str(tls.certificate),
        ssl_keyfile=None if tls is None else str(tls.key),
    )  # fmt: skip
    return uvicorn.Server(config)


def announce(
    library: Library,
    address: str,
    wants_token: bool,
    writable: bool,
    runs: bool = False,
    queues: Iterable[str] = (),
) -> None:
    """What a person needs to know, on stderr, with a code that a phone can read."""
    served = {", ".join(memory.name for memory in library): "", "runs": "/runs" if runs else None}
    served |= {f"{kind} {name}": f"/{kind}/{name}" for name in queues for kind in ("annotate", "refine")}
    for name, page in served.items():
        if name and page is not None:
            print(f"serving {name} at {address}{page}", file=sys.stderr)
    if wants_token:
        print("a token is wanted: Authorization: Bearer TOKEN", file=sys.stderr)
    if writable:
        print(f"a phone or laptop films into it at {address}/capture", file=sys.stderr)
        if sys.stderr.isatty():
            print(qr_code(f"{address}/capture"), file=sys.stderr)


def qr_code(text: str) -> str:
    """Dark and light blocks, for a terminal."""
    import segno

    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, compact=True)
    return out.getvalue()
