"""MCP over standard input and output: nothing else may be written to stdout."""

import asyncio
import sys
import threading
from pathlib import Path
from typing import Any

from situ.serve.access import ANYBODY
from situ.serve.library import Library
from situ.serve.limits import Limits


def serve_stdio(paths: list[Path]) -> None:
    """Serve until the host closes the line."""
    from situ.serve.mcp_server import mcp_server
    from situ.serve.workers import Workers

    library = Library(paths)
    workers = Workers(Limits())
    # What the tools need is loaded while the host says hello.
    threading.Thread(target=_warm, args=(library,), name="situ-warm", daemon=True).start()
    try:
        asyncio.run(mcp_server(library, workers, lambda: ANYBODY).run_stdio_async())
    finally:
        workers.close()
        library.close()


def _warm(library: Library) -> None:
    try:
        from situ.serve import queries

        for served in library:
            queries.ask(served, "where is the door?")
    except Exception as error:  # the tools will say it to whoever asks
        print(f"situ: {error}", file=sys.stderr)


def config(host: str, paths: list[Path], address: str, command: str) -> Any:
    """What an assistant's settings must say so that it finds the memory."""
    files = [str(path.absolute()) for path in paths]
    launch = {"command": command, "args": ["serve", "--mcp", *files]}
    if host in ("claude", "cursor"):
        return {"mcpServers": {"situ": launch}}
    if host == "claude-code":
        return {"mcpServers": {"situ": {"type": "stdio", **launch}}}
    if host == "vscode":
        return {"servers": {"situ": {"type": "stdio", **launch}}}
    return {"situ": {"transport": "streamable_http", "url": f"{address}/mcp"}}


HOSTS = ("claude", "claude-code", "cursor", "vscode", "langgraph")
