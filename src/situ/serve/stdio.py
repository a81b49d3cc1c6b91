"""MCP over standard input and output: nothing else may be written to stdout.

The protocol's own library takes longer to load than everything that answers a question, and hosts wait at
the first hello; over a pipe the protocol is a few messages, so they are answered here. Every request stands
for itself: one with an envelope in `_meta` is of the present protocol, any other of those that begin with
`initialize`.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from situ import __version__
from situ.errors import BadInput, SituError
from situ.serve import mcp_wire as wire
from situ.serve.access import ANYBODY
from situ.serve.library import Library
from situ.serve.limits import Limits
from situ.serve.mcp_tools import Tools
from situ.serve.tools import INSTRUCTIONS, NAME, TITLE

PRESENT = ("2026-07-28",)
OLDER = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_META = "io.modelcontextprotocol/"
_VERSION, _CAPABILITIES, _SERVER = (
    f"{_META}protocolVersion",
    f"{_META}clientCapabilities",
    f"{_META}serverInfo",
)
_PARSE, _REQUEST, _METHOD, _PARAMS, _INTERNAL, _UNSUPPORTED = -32700, -32600, -32601, -32602, -32603, -32022
_INFO = {"name": NAME, "title": TITLE, "version": __version__}
_OFFERED: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}}
_KEPT = {"ttlMs": 0, "cacheScope": "private"}  # what is listed may change with the memory
_MOST_BYTES = 4 << 20  # of a message


class Wrong(Exception):
    """A request that gets an error for an answer."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


class Protocol:
    """Messages in, messages out."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def answer(self, line: bytes | str) -> dict[str, Any] | None:
        """What is said to one line; nothing to notifications and to answers."""
        name: Any = None
        try:
            message = _read(line)
            if "method" not in message or "id" not in message:
                return None
            name = message["id"]
            return {"jsonrpc": "2.0", "id": name, "result": await self._result(message)}
        except Wrong as wrong:
            return {"jsonrpc": "2.0", "id": name, "error": wrong.error}
        except Exception as error:  # a host must get an answer; what went wrong is for the log
            print(f"situ: {type(error).__name__}: {error}", file=sys.stderr)
            fault = Wrong(_INTERNAL, "the server made a mistake; its log says which")
            return {"jsonrpc": "2.0", "id": name, "error": fault.error}

    async def _result(self, message: Mapping[str, Any]) -> dict[str, Any]:
        method, params = message["method"], message.get("params")
        params = {} if params is None else params
        if not isinstance(method, str) or not isinstance(params, dict):
            raise Wrong(_REQUEST, "'method' must be a text, 'params' an object")
        meta = params.get("_meta")
        if not isinstance(meta, dict) or _VERSION not in meta:
            return _hello(params) if method == "initialize" else await self._of_any(method, params)
        _check(meta)
        result = _discovered() if method == "server/discover" else await self._of_any(method, params, True)
        return {"resultType": "complete", **result, "_meta": {_SERVER: _INFO}}

    async def _of_any(self, method: str, params: Mapping[str, Any], present: bool = False) -> dict[str, Any]:
        """What all versions have in common; of the present one lists say how long they may be kept."""
        kept = _KEPT if present else {}
        if method in _LISTS:
            return {**kept, **_LISTS[method]}
        if method == "ping" and not present:
            return {}
        if method == "tools/call":
            return await self._tools.call(_text(params, "name"), _given(params))
        try:
            if method == "resources/read":
                return {**kept, **await self._tools.read(_text(params, "uri"))}
            if method == "prompts/get":
                return self._tools.prompt(_text(params, "name"), _given(params))
        except SituError as error:
            raise Wrong(_PARAMS, str(error)) from error
        raise Wrong(_METHOD, "Method not found", method)


_LISTS: dict[str, dict[str, Any]] = {
    "tools/list": {"tools": wire.TOOLS},
    "resources/list": {"resources": wire.RESOURCES},
    "resources/templates/list": {"resourceTemplates": wire.TEMPLATES},
    "prompts/list": {"prompts": wire.PROMPTS},
}


def _read(line: bytes | str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Wrong(_PARSE, "this is not JSON") from error
    if not isinstance(message, dict):
        raise Wrong(_REQUEST, "a message is an object")
    return message


def _hello(params: Mapping[str, Any]) -> dict[str, Any]:
    wanted = _text(params, "protocolVersion")
    return {
        "protocolVersion": wanted if wanted in OLDER else OLDER[-1], "capabilities": _OFFERED,
        "serverInfo": _INFO, "instructions": INSTRUCTIONS,
    }  # fmt: skip


def _discovered() -> dict[str, Any]:
    return {**_KEPT, "supportedVersions": PRESENT, "capabilities": _OFFERED, "instructions": INSTRUCTIONS}


def _check(meta: Mapping[str, Any]) -> None:
    if meta[_VERSION] not in PRESENT:
        told = {"supported": PRESENT, "requested": str(meta[_VERSION])[:40]}
        raise Wrong(_UNSUPPORTED, "Unsupported protocol version", told)
    if not isinstance(meta.get(_CAPABILITIES), dict):
        raise Wrong(_PARAMS, f"'_meta' lacks {_CAPABILITIES}")


def _text(params: Mapping[str, Any], name: str) -> str:
    if not isinstance(params.get(name), str):
        raise Wrong(_PARAMS, f"'{name}' must be a text")
    return str(params[name])


def _given(params: Mapping[str, Any]) -> dict[str, Any]:
    found = params.get("arguments")
    if found is not None and not isinstance(found, dict):
        raise Wrong(_PARAMS, "'arguments' must be an object")
    return found or {}


def serve_stdio(paths: list[Path]) -> None:
    """Serve until the host closes the line."""
    from situ.serve.workers import Workers

    library = Library(paths)
    for path in paths:
        if not path.is_file():
            raise BadInput(f"there is no memory at {path}; make one with situ watch")
    workers = Workers(Limits())
    out, sys.stdout = sys.stdout, sys.stderr  # whoever prints must not break the protocol
    # What the tools need is loaded while the host says hello.
    threading.Thread(target=_warm, args=(library,), name="situ-warm", daemon=True).start()
    try:
        asyncio.run(_serve(Protocol(Tools(library, workers, lambda: ANYBODY)), out))
    finally:
        workers.close()
        library.close()


async def _serve(protocol: Protocol, out: Any) -> None:
    """Requests are answered as they are done, not in their order: a ping does not wait for a question."""
    running: set[asyncio.Task[None]] = set()

    async def one(line: bytes) -> None:
        told = await protocol.answer(line)
        if told is not None:
            out.write(json.dumps(told) + "\n")
            out.flush()

    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.buffer.readline, _MOST_BYTES):
        if line.strip():
            task = asyncio.create_task(one(line))
            running.add(task)
            task.add_done_callback(running.discard)
    await asyncio.gather(*running)


def _warm(library: Library) -> None:
    try:
        from situ.serve import queries

        for served in library:
            queries.ask(served, "where is the door?")
    except Exception as error:  # the tools will say it to whoever asks
        print(f"situ: {error}", file=sys.stderr)
