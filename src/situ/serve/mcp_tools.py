"""The memory as tools of an assistant. Arguments come in and results go out as the Model Context Protocol
words them; who carries them (HTTP, stdio) is nothing to these.

Hosts give a server seconds to say hello, so what answers is loaded when a tool is called, not here.
"""

import base64
import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from situ.errors import BadInput, SituError
from situ.serve import mcp_wire as wire
from situ.serve.access import Caller
from situ.serve.body import Fields
from situ.serve.failure import failure_of
from situ.serve.library import Library, Served
from situ.serve.workers import Workers

_OBJECTS = re.compile(r"situ://([^/]+)/objects/([^/]+)")


class Tools:
    """What an assistant can call. `caller` says who asks, `spent` is told how long each call took."""

    def __init__(
        self,
        library: Library,
        workers: Workers,
        caller: Callable[[], Caller],
        spent: Callable[[str, float], None] = lambda tool, seconds: None,
    ) -> None:
        self._library, self._workers, self._caller, self._spent = library, workers, caller, spent
        self._calls = {
            "ask": self._ask, "look": self._look, "objects": self._objects,
            "what_changed": self._what_changed, "program": self._program, "verify": self._verify,
        }  # fmt: skip

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a tool; what goes wrong is told in words."""
        if name not in self._calls:
            return wire.failed(f"there is no tool {name[:80]!r}; there are {', '.join(self._calls)}")
        fields = Fields(arguments)
        try:
            served = self._open(fields.optional_text("memory", wire.LONGEST_NAME), name)
            data, more = await self._calls[name](served, fields)
        except SituError as error:
            return wire.failed(str(error))
        said = data["text"] if "text" in data else json.dumps(data)
        content = [wire.text_block(said)] if name != "look" else []
        return {"content": content + more, "structuredContent": data, "isError": False}

    async def read(self, uri: str) -> dict[str, Any]:
        """A resource; raises BadInput where there is none."""
        if uri == wire.MEMORIES:
            mine = [m for m in self._library if self._caller().may("ask", m.name)]
            return wire.resource(uri, json.dumps([await self._run("memories", m, "facts") for m in mine]))
        if uri == wire.PROGRAMS:
            from situ.questions.programs import program_schema

            return wire.resource(uri, json.dumps(program_schema()))
        found = _OBJECTS.fullmatch(uri)
        if found is None:
            raise BadInput(f"there is no resource {uri[:80]!r}")
        memory, label = (unquote(part) for part in found.groups())
        data, _ = await self._objects(self._open(memory, "objects"), Fields({"label": label}))
        return wire.resource(uri, json.dumps(data))

    def prompt(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if name != "find":
            raise BadInput(f"there is no prompt {name[:80]!r}; there is 'find'")
        thing = Fields(arguments).text("thing", wire.LONGEST_LABEL)
        said = f"Where is the {thing}? Ask the memory; say how sure it is and when that was."
        message = {"role": "user", "content": wire.text_block(said)}
        return {"description": wire.PROMPTS[0]["description"], "messages": [message]}

    async def _ask(self, served: Served, fields: Fields) -> tuple[dict[str, Any], list[Any]]:
        question, at = fields.text("question", wire.LONGEST), fields.number("at")
        data, _ = await self._run("ask", served, "ask", question, at)
        return _picked(wire.ANSWER, data), await self._picture(served, data["pictures"])

    async def _look(self, served: Served, fields: Fields) -> tuple[dict[str, Any], list[Any]]:
        frame = fields.whole("frame", 0, wire.MOST_FRAMES, -1)
        width = fields.whole("max_width", 16, wire.WIDEST, wire.PICTURE_WIDTH)
        if frame < 0:
            raise BadInput("'frame' is missing: the number of the frame")
        jpeg = await self._run("look", served, "picture", frame, width)
        return {"frame": frame, "bytes": len(jpeg)}, [_image(jpeg)]

    async def _objects(self, served: Served, fields: Fields) -> tuple[dict[str, Any], list[Any]]:
        label, near = fields.optional_text("label", wire.LONGEST_LABEL), fields.numbers("near", 3)
        limit, at = fields.whole("limit", 1, wire.MOST_ROWS, wire.FEW_ROWS), fields.number("at")
        data = await self._run("objects", served, "objects", at, None, label, near, limit)
        rows = [_picked(wire.THING, row) for row in data["objects"]]
        return {"now": data["now"], "total": data["total"], "objects": rows}, []

    async def _what_changed(self, served: Served, fields: Fields) -> tuple[dict[str, Any], list[Any]]:
        since, until = fields.number("since"), fields.number("until")
        if since is None:
            raise BadInput("'since' is missing: seconds on the memory's clock")
        return _picked(wire.ANSWER, await self._run("what_changed", served, "what_changed", since, until)), []

    async def _program(self, served: Served, fields: Fields) -> tuple[dict[str, Any], list[Any]]:
        program, at = fields.any("program"), fields.number("at")
        return await self._run("program", served, "run", program, at), []

    async def _verify(self, served: Served, fields: Fields) -> tuple[dict[str, Any], list[Any]]:
        certificate = fields.object("certificate")
        if certificate is None:
            raise BadInput("'certificate' is missing: the certificate of an answer")
        return _picked(wire.CHECK, await self._run("verify", served, "verify", certificate)), []

    def _open(self, memory: str | None, tool: str) -> Served:
        only = self._library.only()
        if memory is None and only is None:
            names = ", ".join(m.name for m in self._library if self._caller().may("ask", m.name))
            raise BadInput(f"which memory? There are {names}")
        name = memory if memory is not None or only is None else only.name
        self._caller().need("look" if tool == "look" else "ask", str(name))
        return self._library.get(str(name))

    async def _run(self, tool: str, served: Served, query: str, *arguments: Any) -> Any:
        began = time.perf_counter()

        def call() -> Any:
            from situ.serve import queries
            from situ.serve.plain import finite

            found = getattr(queries, query)(served, *arguments)
            return finite(found) if query != "picture" else found

        try:
            return await self._workers.run(call)
        except SituError as error:
            raise failure_of(error, served.hidden) from error
        finally:
            self._spent(tool, time.perf_counter() - began)

    async def _picture(self, served: Served, frames: list[int]) -> list[Any]:
        """At most one small picture: hosts count every byte of a result."""
        if not frames or not self._caller().may("look", served.name):
            return []
        return [_image(await self._run("look", served, "picture", frames[0], wire.PICTURE_WIDTH))]


def _picked(schema: wire.Schema, data: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an answer that a schema promises."""
    return {name: data[name] for name in schema["properties"]}


def _image(jpeg: bytes) -> dict[str, Any]:
    return {"type": "image", "data": base64.b64encode(jpeg).decode(), "mimeType": "image/jpeg"}
